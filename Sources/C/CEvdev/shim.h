#ifndef CEVDEV_SHIM_H
#define CEVDEV_SHIM_H

#include <libevdev-1.0/libevdev/libevdev.h>
#include <stdint.h>
#include <time.h>

/* Macros that Swift does not import. */
static inline unsigned cevdev_key_type(void) { return EV_KEY; }
static inline unsigned cevdev_key_maximum(void) { return KEY_MAX; }
static inline int cevdev_monotonic(void) { return CLOCK_MONOTONIC; }

/* Returns the time of an event, in nanoseconds of the device's clock. */
static inline int64_t cevdev_time(const struct input_event *event) {
  return (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
}

#endif
