#define _GNU_SOURCE
#include "CGPIO.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Version 2 has no bulks of lines. Its header has no version number to test. */
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define INTERFACE 1
#else
#define INTERFACE 2
#endif

enum { BATCH = 16 };

struct cgpio_chip {
  struct gpiod_chip *chip;
  char path[64];
};

struct cgpio_request {
#if INTERFACE == 1
  /* Version 1 keeps its lines inside their chip, so a request has its own chip. */
  struct gpiod_chip *chip;
  struct gpiod_line *line;
#else
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
  unsigned offset;
#endif
};

int cgpio_interface(void) { return INTERFACE; }

const char *cgpio_version(void) {
#if INTERFACE == 1
  return gpiod_version_string();
#else
  return gpiod_api_version();
#endif
}

static void copy_name(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from ? from : "");
}

cgpio_chip *cgpio_chip_open(const char *path) {
  cgpio_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return NULL;
  copy_name(chip->path, sizeof chip->path, path);
  chip->chip = gpiod_chip_open(path);
  if (chip->chip) return chip;
  int kept = errno;
  free(chip);
  errno = kept;
  return NULL;
}

void cgpio_chip_close(cgpio_chip *chip) {
  if (!chip) return;
  gpiod_chip_close(chip->chip);
  free(chip);
}

int cgpio_chip_info_get(cgpio_chip *chip, cgpio_chip_info *info) {
  memset(info, 0, sizeof *info);
#if INTERFACE == 1
  copy_name(info->name, sizeof info->name, gpiod_chip_name(chip->chip));
  copy_name(info->label, sizeof info->label, gpiod_chip_label(chip->chip));
  info->lines = gpiod_chip_num_lines(chip->chip);
#else
  struct gpiod_chip_info *found = gpiod_chip_get_info(chip->chip);
  if (!found) return -1;
  copy_name(info->name, sizeof info->name, gpiod_chip_info_get_name(found));
  copy_name(info->label, sizeof info->label, gpiod_chip_info_get_label(found));
  info->lines = gpiod_chip_info_get_num_lines(found);
  gpiod_chip_info_free(found);
#endif
  return 0;
}

int cgpio_line_info_get(cgpio_chip *chip, uint32_t offset, cgpio_line_info *info) {
  memset(info, 0, sizeof *info);
  info->offset = offset;
#if INTERFACE == 1
  struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
  if (!line || gpiod_line_update(line) < 0) return -1;
  copy_name(info->name, sizeof info->name, gpiod_line_name(line));
  copy_name(info->consumer, sizeof info->consumer, gpiod_line_consumer(line));
  info->used = gpiod_line_is_used(line);
  info->output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
#else
  struct gpiod_line_info *found = gpiod_chip_get_line_info(chip->chip, offset);
  if (!found) return -1;
  copy_name(info->name, sizeof info->name, gpiod_line_info_get_name(found));
  copy_name(info->consumer, sizeof info->consumer, gpiod_line_info_get_consumer(found));
  info->used = gpiod_line_info_is_used(found);
  info->output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
  gpiod_line_info_free(found);
#endif
  return 0;
}

#if INTERFACE == 1

static int bias_flag(enum cgpio_bias bias) {
  switch (bias) {
    case CGPIO_BIAS_NONE: return GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case CGPIO_BIAS_PULL_UP: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case CGPIO_BIAS_PULL_DOWN: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    default: return 0;
  }
}

static cgpio_request *request_line(cgpio_chip *chip, uint32_t offset,
                                   const struct gpiod_line_request_config *config, int value) {
  cgpio_request *request = calloc(1, sizeof *request);
  if (!request) return NULL;
  request->chip = gpiod_chip_open(chip->path);
  if (request->chip) {
    struct gpiod_line *line = gpiod_chip_get_line(request->chip, offset);
    if (line && gpiod_line_request(line, config, value) == 0) request->line = line;
  }
  if (request->line) return request;
  int kept = errno;
  cgpio_release(request);
  errno = kept;
  return NULL;
}

cgpio_request *cgpio_request_input(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                   enum cgpio_bias bias, bool active_low) {
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = bias_flag(bias) | (active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0),
  };
  cgpio_request *request = request_line(chip, offset, &config, 0);
  if (request) fcntl(cgpio_fd(request), F_SETFL, O_NONBLOCK);
  return request;
}

cgpio_request *cgpio_request_output(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                    bool active_low, bool value) {
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
      .flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0,
  };
  return request_line(chip, offset, &config, value);
}

void cgpio_release(cgpio_request *request) {
  if (!request) return;
  if (request->line) gpiod_line_release(request->line);
  if (request->chip) gpiod_chip_close(request->chip);
  free(request);
}

int cgpio_get(cgpio_request *request) { return gpiod_line_get_value(request->line); }

int cgpio_set(cgpio_request *request, bool value) {
  return gpiod_line_set_value(request->line, value);
}

int cgpio_fd(cgpio_request *request) { return gpiod_line_event_get_fd(request->line); }

int cgpio_read_events(cgpio_request *request, cgpio_event *events, int count) {
  struct gpiod_line_event read[BATCH];
  if (count > BATCH) count = BATCH;
  int got = gpiod_line_event_read_multiple(request->line, read, count);
  if (got < 0) return errno == EAGAIN ? 0 : -1;
  for (int i = 0; i < got; i++) {
    events[i].time = (int64_t)read[i].ts.tv_sec * 1000000000 + read[i].ts.tv_nsec;
    /* The kernel reports the logical level here, with the polarity applied. */
    events[i].active = read[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
  return got;
}

#else

static enum gpiod_line_bias bias_setting(enum cgpio_bias bias) {
  switch (bias) {
    case CGPIO_BIAS_NONE: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIO_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIO_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    default: return GPIOD_LINE_BIAS_AS_IS;
  }
}

static cgpio_request *request_line(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                   struct gpiod_line_settings *settings, bool is_input) {
  cgpio_request *request = calloc(1, sizeof *request);
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  bool made = false;
  if (request && lines && config) {
    request->offset = offset;
    gpiod_request_config_set_consumer(config, consumer);
    /* Room for a burst of edges; version 1 has room for 16. */
    if (is_input) gpiod_request_config_set_event_buffer_size(config, 1024);
    if (gpiod_line_config_add_line_settings(lines, &request->offset, 1, settings) == 0)
      request->request = gpiod_chip_request_lines(chip->chip, config, lines);
    if (request->request && is_input) request->buffer = gpiod_edge_event_buffer_new(BATCH);
    made = request->request && (!is_input || request->buffer);
  }
  int kept = errno;
  gpiod_request_config_free(config);
  gpiod_line_config_free(lines);
  if (!made) {
    cgpio_release(request);
    request = NULL;
  }
  errno = kept;
  return request;
}

cgpio_request *cgpio_request_input(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                   enum cgpio_bias bias, bool active_low) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (!settings) return NULL;
  gpiod_line_settings_set_active_low(settings, active_low);
  cgpio_request *request = NULL;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
      gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) == 0 &&
      gpiod_line_settings_set_bias(settings, bias_setting(bias)) == 0 &&
      gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) == 0)
    request = request_line(chip, offset, consumer, settings, true);
  int kept = errno;
  gpiod_line_settings_free(settings);
  if (request) fcntl(cgpio_fd(request), F_SETFL, O_NONBLOCK);
  errno = kept;
  return request;
}

cgpio_request *cgpio_request_output(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                    bool active_low, bool value) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  if (!settings) return NULL;
  gpiod_line_settings_set_active_low(settings, active_low);
  cgpio_request *request = NULL;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
      gpiod_line_settings_set_output_value(
          settings, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE) == 0)
    request = request_line(chip, offset, consumer, settings, false);
  int kept = errno;
  gpiod_line_settings_free(settings);
  errno = kept;
  return request;
}

void cgpio_release(cgpio_request *request) {
  if (!request) return;
  if (request->buffer) gpiod_edge_event_buffer_free(request->buffer);
  if (request->request) gpiod_line_request_release(request->request);
  free(request);
}

int cgpio_get(cgpio_request *request) {
  enum gpiod_line_value value = gpiod_line_request_get_value(request->request, request->offset);
  return value == GPIOD_LINE_VALUE_ERROR ? -1 : value == GPIOD_LINE_VALUE_ACTIVE;
}

int cgpio_set(cgpio_request *request, bool value) {
  return gpiod_line_request_set_value(
      request->request, request->offset,
      value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

int cgpio_fd(cgpio_request *request) { return gpiod_line_request_get_fd(request->request); }

int cgpio_read_events(cgpio_request *request, cgpio_event *events, int count) {
  if (count > BATCH) count = BATCH;
  int got = gpiod_line_request_read_edge_events(request->request, request->buffer, count);
  if (got < 0) return errno == EAGAIN ? 0 : -1;
  for (int i = 0; i < got; i++) {
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(request->buffer, i);
    events[i].time = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
    events[i].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
  return got;
}

#endif
