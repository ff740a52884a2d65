#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct clibav_calls av;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static bool is_loaded;
static char failure[256], version[32];

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

static void load(void) {
  void *avutil = dlopen("libavutil.so." TEXT(LIBAVUTIL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
  void *avcodec =
      avutil ? dlopen("libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!avcodec) {
    const char *reason = dlerror();
    snprintf(failure, sizeof failure, "%s", reason ? reason : "it cannot be loaded");
    return;
  }
#define FIND(library, name) \
  av.name = (__typeof__(av.name))dlsym(library, #name); \
  if (!av.name) { \
    snprintf(failure, sizeof failure, "it has no %s", #name); \
    return; \
  }
  CALLS(FIND)
#undef FIND
  unsigned number = av.avcodec_version();
  snprintf(
      version, sizeof version, "%u.%u.%u", number >> 16, number >> 8 & 0xFF, number & 0xFF);
  /* The library would write to standard error in its own words. */
  av.av_log_set_level(AV_LOG_QUIET);
  is_loaded = true;
}

bool clibav_load(char *error, size_t room) {
  pthread_once(&loading, load);
  if (!is_loaded && error && room) snprintf(error, room, "%s", failure);
  return is_loaded;
}

const char *clibav_version(void) {
  pthread_once(&loading, load);
  return version;
}

int clibav_wanted_version(void) { return LIBAVCODEC_VERSION_MAJOR; }

bool clibav_has_encoder(const char *name) {
  return clibav_load(NULL, 0) && av.avcodec_find_encoder_by_name(name) != NULL;
}

void clibav_error(int code, char *text, size_t room) {
  if (!is_loaded || av.av_strerror(code, text, room) < 0) snprintf(text, room, "error %d", code);
}

struct clibav_encoder {
  AVCodecContext *context;
  AVFrame *frame;
  AVPacket *packet;
};

void clibav_encoder_free(clibav_encoder *encoder) {
  if (!encoder) return;
  av.avcodec_free_context(&encoder->context);
  av.av_frame_free(&encoder->frame);
  av.av_packet_free(&encoder->packet);
  free(encoder);
}

static clibav_encoder *refuse(clibav_encoder *encoder, const char *why, char *error, size_t room) {
  snprintf(error, room, "%s", why);
  clibav_encoder_free(encoder);
  return NULL;
}

static void set_up(AVCodecContext *context, const clibav_settings *settings) {
  context->width = settings->width;
  context->height = settings->height;
  context->pix_fmt = AV_PIX_FMT_YUV420P;
  context->time_base = (AVRational){1, settings->time_base};
  context->framerate = (AVRational){settings->rate, settings->rate_seconds};
  context->gop_size = settings->key_interval;
  /* Frames are shown in the order of their coding. So no frame waits for a later one, and cuts are
   * simple. */
  context->max_b_frames = 0;
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  context->color_range = AVCOL_RANGE_MPEG;
  context->color_primaries = AVCOL_PRI_BT709;
  context->color_trc = AVCOL_TRC_BT709;
  context->colorspace = settings->is_bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
  context->chroma_sample_location = AVCHROMA_LOC_CENTER;
  context->thread_count = settings->threads;
  context->rc_max_rate = settings->bit_rate;
  context->rc_buffer_size =
      settings->bit_rate > INT32_MAX ? INT32_MAX : (int)settings->bit_rate;
  if (settings->preset) {
    av.av_opt_set(context->priv_data, "preset", settings->preset, 0);
    av.av_opt_set_double(context->priv_data, "crf", settings->constant_rate_factor, 0);
  } else {
    context->bit_rate = settings->bit_rate;
  }
}

clibav_encoder *clibav_encoder_open(
    const clibav_settings *settings, char *error, size_t room) {
  if (!clibav_load(error, room)) return NULL;
  clibav_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return refuse(encoder, "there is no memory", error, room);
  const AVCodec *codec = av.avcodec_find_encoder_by_name(settings->encoder);
  if (!codec) return refuse(encoder, "libavcodec has no such encoder", error, room);
  encoder->context = av.avcodec_alloc_context3(codec);
  encoder->frame = av.av_frame_alloc();
  encoder->packet = av.av_packet_alloc();
  if (!encoder->context || !encoder->frame || !encoder->packet)
    return refuse(encoder, "there is no memory", error, room);
  set_up(encoder->context, settings);
  int result = av.avcodec_open2(encoder->context, codec, NULL);
  if (result < 0) {
    char reason[128];
    clibav_error(result, reason, sizeof reason);
    return refuse(encoder, reason, error, room);
  }
  encoder->frame->format = AV_PIX_FMT_YUV420P;
  encoder->frame->width = settings->width;
  encoder->frame->height = settings->height;
  encoder->frame->color_range = AVCOL_RANGE_MPEG;
  if (av.av_frame_get_buffer(encoder->frame, 0) < 0)
    return refuse(encoder, "there is no memory", error, room);
  return encoder;
}

bool clibav_encoder_picture(clibav_encoder *encoder, uint8_t *planes[3], int strides[3]) {
  if (av.av_frame_make_writable(encoder->frame) < 0) return false;
  for (int plane = 0; plane < 3; plane++) {
    planes[plane] = encoder->frame->data[plane];
    strides[plane] = encoder->frame->linesize[plane];
  }
  return true;
}

int clibav_encoder_send(clibav_encoder *encoder, int64_t time) {
  encoder->frame->pts = time;
  encoder->frame->pict_type = AV_PICTURE_TYPE_NONE;
  return av.avcodec_send_frame(encoder->context, encoder->frame);
}

int clibav_encoder_finish(clibav_encoder *encoder) {
  return av.avcodec_send_frame(encoder->context, NULL);
}

int clibav_encoder_receive(clibav_encoder *encoder, clibav_packet *packet) {
  av.av_packet_unref(encoder->packet);
  int result = av.avcodec_receive_packet(encoder->context, encoder->packet);
  if (result == AVERROR(EAGAIN)) return 0;
  if (result == AVERROR_EOF) return 2;
  if (result < 0) return result;
  packet->bytes = encoder->packet->data;
  packet->count = encoder->packet->size > 0 ? (size_t)encoder->packet->size : 0;
  packet->time = encoder->packet->pts;
  packet->is_key = encoder->packet->flags & AV_PKT_FLAG_KEY;
  return 1;
}

const uint8_t *clibav_encoder_header(const clibav_encoder *encoder, size_t *count) {
  int size = encoder->context->extradata_size;
  *count = encoder->context->extradata && size > 0 ? (size_t)size : 0;
  return encoder->context->extradata;
}
