#ifndef CLIBAV_INTERNAL_H
#define CLIBAV_INTERNAL_H

#include "CLibAV.h"

#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/opt.h>

/* The called functions, by library. */
#define CALLS(call) \
  call(avcodec, avcodec_find_encoder_by_name) call(avcodec, avcodec_find_decoder) \
  call(avcodec, avcodec_alloc_context3) call(avcodec, avcodec_free_context) \
  call(avcodec, avcodec_open2) call(avcodec, avcodec_send_frame) \
  call(avcodec, avcodec_receive_packet) call(avcodec, avcodec_send_packet) \
  call(avcodec, avcodec_receive_frame) call(avcodec, avcodec_version) \
  call(avcodec, av_packet_alloc) call(avcodec, av_packet_free) call(avcodec, av_packet_unref) \
  call(avutil, av_frame_alloc) call(avutil, av_frame_free) call(avutil, av_frame_unref) \
  call(avutil, av_frame_get_buffer) call(avutil, av_frame_make_writable) \
  call(avutil, av_opt_set) call(avutil, av_opt_set_double) call(avutil, av_strerror) \
  call(avutil, av_log_set_level)

struct clibav_calls {
#define MEMBER(library, name) __typeof__(&name) name;
  CALLS(MEMBER)
#undef MEMBER
};

/* The functions' addresses, set by clibav_load. */
extern struct clibav_calls av;

/* Decodes coded pictures and returns the mean brightness of each. Returns 0, or a negative error
 * with the reason. */
int clibav_decode_brightness(
    const uint8_t *header, size_t header_count, const clibav_packet *packets, int count,
    int width, int height, int *brightness, char *error, size_t room);

#endif
