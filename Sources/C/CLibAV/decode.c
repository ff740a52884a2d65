#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int mean(const AVFrame *frame) {
  int64_t sum = 0;
  for (int y = 0; y < frame->height; y++)
    for (int x = 0; x < frame->width; x++) sum += frame->data[0][y * frame->linesize[0] + x];
  return (int)(sum / ((int64_t)frame->width * frame->height));
}

int clibav_decode_brightness(
    const uint8_t *header, size_t header_count, const clibav_packet *packets, int count,
    int width, int height, int *brightness, char *error, size_t room) {
  const AVCodec *codec = av.avcodec_find_decoder(AV_CODEC_ID_H264);
  AVCodecContext *context = codec ? av.avcodec_alloc_context3(codec) : NULL;
  AVFrame *frame = av.av_frame_alloc();
  AVPacket *packet = av.av_packet_alloc();
  int decoded = 0, result = context && frame && packet ? 0 : AVERROR(ENOMEM);
  uint8_t *first = NULL;
  if (result == 0) {
    context->thread_count = 1;
    result = av.avcodec_open2(context, codec, NULL);
  }
  for (int index = 0; result >= 0 && index <= count; index++) {
    if (index < count) {
      packet->data = (uint8_t *)packets[index].bytes;
      packet->size = (int)packets[index].count;
      if (index == 0 && header_count > 0) {
        /* The header and the first picture are joined, as in a file with start codes. */
        size_t all = header_count + packets[0].count;
        first = calloc(1, all + AV_INPUT_BUFFER_PADDING_SIZE);
        if (!first) {
          result = AVERROR(ENOMEM);
          break;
        }
        memcpy(first, header, header_count);
        memcpy(first + header_count, packets[0].bytes, packets[0].count);
        packet->data = first;
        packet->size = (int)all;
      }
      result = av.avcodec_send_packet(context, packet);
    } else {
      result = av.avcodec_send_packet(context, NULL);
    }
    while (result >= 0) {
      int got = av.avcodec_receive_frame(context, frame);
      if (got == AVERROR(EAGAIN) || got == AVERROR_EOF) break;
      result = got;
      if (result < 0) break;
      if (decoded < count && frame->width == width && frame->height == height)
        brightness[decoded++] = mean(frame);
      av.av_frame_unref(frame);
    }
  }
  if (result < 0) {
    clibav_error(result, error, room);
  } else if (decoded != count) {
    snprintf(error, room, "of %d frames %d could be decoded", count, decoded);
    result = -1;
  } else {
    result = 0;
  }
  free(first);
  if (packet) packet->data = NULL;
  av.av_packet_free(&packet);
  av.av_frame_free(&frame);
  av.avcodec_free_context(&context);
  return result;
}
