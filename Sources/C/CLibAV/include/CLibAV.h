/* The few calls of libavcodec that movies need, without its macros and structures. The library is
 * loaded at the first call and not linked, because it loads some hundred other libraries. Linking
 * it would cost time and memory at every start of the program, even on stations that record no
 * movies. The library must have the version that these sources were compiled against (libavcodec 59
 * on Debian 12, 61 on Debian 13). Without it there is no encoder, and the calls report that. */
#ifndef CLIBAV_H
#define CLIBAV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether the library could be loaded; `error` gets the loader's message. Safe from any
 * thread. */
bool clibav_load(char *error, size_t room);
/* Returns the library's version, such as "59.37.100"; empty if it could not be loaded. */
const char *clibav_version(void);
/* Returns the version that these sources were compiled against: 59 on Debian 12, 61 on Debian
 * 13. */
int clibav_wanted_version(void);
/* Returns whether the library has an encoder of that name; its device may still be missing. */
bool clibav_has_encoder(const char *name);

typedef struct clibav_settings {
  const char *encoder; /* "libx264", "h264_v4l2m2m" */
  const char *preset;  /* libx264's; null for others */
  int width, height;
  int rate, rate_seconds; /* expected frames in seconds; not written to the movie */
  int time_base;          /* ticks of timestamps in a second */
  int constant_rate_factor; /* for libx264 */
  int64_t bit_rate;         /* the maximum in a second; the mean for encoders other than libx264 */
  int key_interval;         /* in frames */
  int threads;              /* 0: the library's choice */
  bool is_bt709;            /* else ITU-R BT.601 */
} clibav_settings;

typedef struct clibav_encoder clibav_encoder;

/* Returns null on failure; `error` gets the reason. */
clibav_encoder *clibav_encoder_open(
    const clibav_settings *settings, char *error, size_t room);
void clibav_encoder_free(clibav_encoder *encoder);

/* Returns the planes of the next picture: yuv420p, limited range. Returns false without memory. */
bool clibav_encoder_picture(clibav_encoder *encoder, uint8_t *planes[3], int strides[3]);
/* Encodes the picture. Returns 0, or a negative error for clibav_error. All packets must have been
 * received before. */
int clibav_encoder_send(clibav_encoder *encoder, int64_t time);
/* Tells the encoder that there are no more pictures. */
int clibav_encoder_finish(clibav_encoder *encoder);

/* A coded picture in annex B format; its bytes are valid until the next call. */
typedef struct clibav_packet {
  const uint8_t *bytes;
  size_t count;
  int64_t time;
  bool is_key;
} clibav_packet;

/* Returns 1 for a packet, 0 if none is ready, 2 after the last one, or a negative error. */
int clibav_encoder_receive(clibav_encoder *encoder, clibav_packet *packet);
/* Returns the parameter sets that are not part of the packets, in annex B format; 0 bytes if there
 * are none. */
const uint8_t *clibav_encoder_header(const clibav_encoder *encoder, size_t *count);

/* Encodes some frames of a moving pattern, decodes them and compares them with the originals.
 * Returns 0 if they are similar; else a negative error, with the reason. `seconds` gets the time
 * for a frame. */
int clibav_self_test(
    const clibav_settings *settings, int frames, double *seconds, char *error, size_t room);

/* Writes the text of a negative result. */
void clibav_error(int code, char *text, size_t room);

/* Converts units with start codes (H.264, annex B) to units with lengths of four bytes, without
 * parameter sets and delimiters. Returns the number of bytes written, at most `room`; 0 if they do
 * not fit. */
size_t clibav_lengths(const uint8_t *bytes, size_t count, uint8_t *target, size_t room);
/* Returns the bytes of the first unit of `type` among units with start codes, or null. */
const uint8_t *clibav_unit(const uint8_t *bytes, size_t count, int type, size_t *length);

#endif
