/* GPIO lines through libgpiod, version 1 or 2 from one source. Every call except the accessors
 * returns NULL or -1 with errno set when it fails. Not thread-safe: a chip and its requests need
 * one thread at a time. A request keeps working after its chip is closed. */
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stdint.h>

/* The interface of libgpiod that this was compiled for, 1 or 2, and the library's own version. */
int cgpio_interface(void);
const char *cgpio_version(void);

typedef struct cgpio_chip cgpio_chip;

cgpio_chip *cgpio_chip_open(const char *path);
void cgpio_chip_close(cgpio_chip *chip);

typedef struct cgpio_chip_info {
  char name[32];  /* gpiochip0: may change with the next boot */
  char label[32]; /* pinctrl-bcm2711: stable */
  uint32_t lines;
} cgpio_chip_info;

int cgpio_chip_info_get(cgpio_chip *chip, cgpio_chip_info *info);

typedef struct cgpio_line_info {
  uint32_t offset;
  char name[32];     /* GPIO17; empty if the board has no name for it */
  char consumer[32]; /* the line's user; may be empty for a used line */
  bool used, output;
} cgpio_line_info;

int cgpio_line_info_get(cgpio_chip *chip, uint32_t offset, cgpio_line_info *info);

enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_NONE, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };

typedef struct cgpio_request cgpio_request;

/* Requests a line as an input that reports both edges; EBUSY if the line is in use. */
cgpio_request *cgpio_request_input(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                   enum cgpio_bias bias, bool active_low);
/* Requests a line as an output, which has `value` at once. */
cgpio_request *cgpio_request_output(cgpio_chip *chip, uint32_t offset, const char *consumer,
                                    bool active_low, bool value);
void cgpio_release(cgpio_request *request);

/* Returns 1 if the line is active, else 0, by the requested polarity. */
int cgpio_get(cgpio_request *request);
int cgpio_set(cgpio_request *request, bool value);

/* Returns an input's descriptor for poll(2), which does not block. */
int cgpio_fd(cgpio_request *request);

typedef struct cgpio_event {
  int64_t time; /* nanoseconds of CLOCK_MONOTONIC, from the kernel's interrupt */
  bool active;  /* the level after the edge, by the requested polarity */
} cgpio_event;

/* Returns up to `count` edges, at most 16; 0 if there are none. */
int cgpio_read_events(cgpio_request *request, cgpio_event *events, int count);

#endif
