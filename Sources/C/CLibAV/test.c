#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Draws a picture with a moving gradient and a brightness that identifies the frame. */
static void paint(uint8_t *planes[3], int strides[3], int width, int height, int number) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      planes[0][y * strides[0] + x] =
          (uint8_t)(40 + number % 8 * 12 + (((x + number * 4) ^ y) & 31));
  for (int plane = 1; plane < 3; plane++)
    for (int y = 0; y < (height + 1) / 2; y++)
      for (int x = 0; x < (width + 1) / 2; x++)
        planes[plane][y * strides[plane] + x] = (uint8_t)(112 + ((x + number) & 31));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

typedef struct run {
  clibav_packet *packets;
  int count, room;
} run;

static int keep(clibav_encoder *encoder, run *run) {
  clibav_packet packet;
  int result;
  while ((result = clibav_encoder_receive(encoder, &packet)) == 1) {
    if (run->count == run->room) return -1;
    uint8_t *copy = malloc(packet.count + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!copy) return -1;
    for (size_t index = 0; index < packet.count; index++) copy[index] = packet.bytes[index];
    for (int index = 0; index < AV_INPUT_BUFFER_PADDING_SIZE; index++)
      copy[packet.count + (size_t)index] = 0;
    packet.bytes = copy;
    run->packets[run->count++] = packet;
  }
  return result;
}

static int encode(
    clibav_encoder *encoder, const clibav_settings *settings, int frames, run *run,
    double *seconds) {
  double begin = now();
  for (int number = 0; number < frames; number++) {
    uint8_t *planes[3];
    int strides[3];
    if (!clibav_encoder_picture(encoder, planes, strides)) return -1;
    paint(planes, strides, settings->width, settings->height, number);
    int64_t time = (int64_t)number * settings->time_base * settings->rate_seconds / settings->rate;
    int result = clibav_encoder_send(encoder, time);
    if (result >= 0) result = keep(encoder, run);
    if (result < 0) return result;
  }
  int result = clibav_encoder_finish(encoder);
  if (result >= 0) result = keep(encoder, run);
  *seconds = (now() - begin) / frames;
  return result < 0 ? result : 0;
}

int clibav_self_test(
    const clibav_settings *settings, int frames, double *seconds, char *error, size_t room) {
  if (frames < 1 || frames > 64) return -1;
  clibav_encoder *encoder = clibav_encoder_open(settings, error, room);
  if (!encoder) return -1;
  clibav_packet packets[64];
  int brightness[64];
  run run = {packets, 0, 64};
  int result = encode(encoder, settings, frames, &run, seconds);
  if (result < 0) {
    clibav_error(result, error, room);
  } else if (run.count != frames) {
    snprintf(error, room, "of %d frames it gave %d back", frames, run.count);
    result = -1;
  } else {
    size_t count = 0;
    const uint8_t *header = clibav_encoder_header(encoder, &count);
    result = clibav_decode_brightness(
        header, count, packets, run.count, settings->width, settings->height, brightness, error,
        room);
    for (int number = 0; result == 0 && number < frames; number++) {
      int wanted = 40 + number % 8 * 12 + 15;
      if (abs(brightness[number] - wanted) > 5) {
        snprintf(error, room, "frame %d does not look like what was encoded", number);
        result = -1;
      }
    }
  }
  for (int index = 0; index < run.count; index++) free((void *)packets[index].bytes);
  clibav_encoder_free(encoder);
  return result;
}
