/* The few calls of libavcodec that movies need, without its macros and structures.
 *
 * The library is loaded when it is first asked for, not linked: it brings some hundred others
 * along, which would cost every start of the program and its memory, also where nobody records.
 * It must be the version that these sources were compiled against (libavcodec 59 on Debian 12,
 * 61 on Debian 13); where it is missing there is no encoder, and that is said. */
#ifndef CLIBAV_H
#define CLIBAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the library is there. `error` gets what the loader says. Safe from any thread. */
bool clibav_load(char *error, size_t room);
/* Its version, as in "59.37.100"; empty if it is not there. */
const char *clibav_version(void);
/* The one that these sources were compiled against: 59 on Debian 12, 61 on Debian 13. */
int clibav_wanted_version(void);
/* Whether it has an encoder of that name; that a device is there for it is another question. */
bool clibav_has_encoder(const char *name);

typedef struct clibav_settings {
  const char *encoder; /* "libx264", "h264_v4l2m2m" */
  const char *preset;  /* libx264's; null for others */
  int width, height;
  int rate, rate_seconds; /* frames in seconds: what to expect, not what is written */
  int time_base;          /* ticks of timestamps in a second */
  int constant_rate_factor; /* libx264's */
  int64_t bit_rate;         /* the most in a second; the mean for others than libx264 */
  int key_interval;         /* frames */
  int threads;              /* 0: as many as the library likes */
  bool is_bt709;            /* else ITU-R BT.601 */
} clibav_settings;

typedef struct clibav_encoder clibav_encoder;

/* Null on failure; `error` gets the reason. */
clibav_encoder *clibav_encoder_open(
    const clibav_settings *settings, char *error, size_t room);
void clibav_encoder_free(clibav_encoder *encoder);

/* The planes that the next picture goes to: yuv420p, limited range. False without memory. */
bool clibav_encoder_picture(clibav_encoder *encoder, uint8_t *planes[3], int strides[3]);
/* Encodes it. 0, or a negative error for clibav_error. Packets have to be taken before. */
int clibav_encoder_send(clibav_encoder *encoder, int64_t time);
/* Says that there are no more. */
int clibav_encoder_finish(clibav_encoder *encoder);

/* A coded picture; its bytes stay until the next call. Annex B. */
typedef struct clibav_packet {
  const uint8_t *bytes;
  size_t count;
  int64_t time;
  bool is_key;
} clibav_packet;

/* 1: there is one. 0: none now. 2: none any more. Negative: an error. */
int clibav_encoder_receive(clibav_encoder *encoder, clibav_packet *packet);
/* Parameter sets that it gives apart from the packets, Annex B; 0 bytes where it does not. */
const uint8_t *clibav_encoder_header(const clibav_encoder *encoder, size_t *count);

/* Encodes some frames of a moving pattern, decodes them and holds them against what went in.
 * 0 if they are alike; else negative, with the reason. `seconds` gets what a frame took. */
int clibav_self_test(
    const clibav_settings *settings, int frames, double *seconds, char *error, size_t room);

/* What a negative result means. */
void clibav_error(int code, char *text, size_t room);

/* Turns units with start codes (H.264, annex B) into units with lengths of four bytes, without
 * parameter sets and delimiters. Gives the bytes written, at most `room`; 0 if they do not fit. */
size_t clibav_lengths(const uint8_t *bytes, size_t count, uint8_t *target, size_t room);
/* The first unit of `type` among units with start codes; its bytes, or null. */
const uint8_t *clibav_unit(const uint8_t *bytes, size_t count, int type, size_t *length);

#endif
