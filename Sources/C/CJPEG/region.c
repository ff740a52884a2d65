#include "CJPEG.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct cjpeg_region {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  jmp_buf failed;
  cjpeg_area area;
  /* The luma pixels that share a chroma sample. */
  unsigned unit_width, unit_height;
  /* The last two rows of coding units, the newer one first, because strips overlap by a chroma
   * sample. */
  struct rows {
    JSAMPLE *samples[3];
    unsigned first, end; /* the luma rows */
  } held[2];
  size_t strides[3];
  char message[JMSG_LENGTH_MAX];
  bool is_warned;
};

static void leave(j_common_ptr common) {
  cjpeg_region *region = common->client_data;
  common->err->format_message(common, region->message);
  longjmp(region->failed, 1);
}

/* Damaged data causes a warning for every block, so only the first warning is kept. */
static void note(j_common_ptr common, int level) {
  cjpeg_region *region = common->client_data;
  if (level >= 0 || region->is_warned) return;
  common->err->format_message(common, region->message);
  region->is_warned = true;
}

static int refuse(cjpeg_region *region, const char *why) {
  snprintf(region->message, sizeof region->message, "%s", why);
  return -1;
}

/* Sets the units; returns false for samplings and colours without planes. */
static bool has_planes(cjpeg_region *region) {
  struct jpeg_decompress_struct *decoder = &region->decoder;
  const jpeg_component_info *parts = decoder->comp_info;
  region->unit_width = region->unit_height = 1;
  if (decoder->num_components == 1) return decoder->jpeg_color_space == JCS_GRAYSCALE;
  if (decoder->num_components != 3 || decoder->jpeg_color_space != JCS_YCbCr) return false;
  int across = parts[0].h_samp_factor, down = parts[0].v_samp_factor;
  if (across != decoder->max_h_samp_factor || down != decoder->max_v_samp_factor) return false;
  for (int index = 1; index < 3; index++) {
    const jpeg_component_info *part = &parts[index];
    if (across % part->h_samp_factor || down % part->v_samp_factor) return false;
    if (part->h_samp_factor != parts[1].h_samp_factor ||
        part->v_samp_factor != parts[1].v_samp_factor)
      return false;
  }
  region->unit_width = across / parts[1].h_samp_factor;
  region->unit_height = down / parts[1].v_samp_factor;
  return region->unit_width != 3 && region->unit_height != 3;
}

cjpeg_region *cjpeg_region_new(void) {
  cjpeg_region *region = calloc(1, sizeof *region);
  if (!region) return NULL;
  region->decoder.err = jpeg_std_error(&region->errors);
  region->errors.error_exit = leave;
  region->errors.emit_message = note;
  region->decoder.client_data = region;
  if (setjmp(region->failed)) {
    free(region);
    return NULL;
  }
  jpeg_create_decompress(&region->decoder);
  return region;
}

int cjpeg_region_open(
    cjpeg_region *region, const unsigned char *bytes, size_t count, cjpeg_area area,
    size_t most_memory) {
  struct jpeg_decompress_struct *decoder = &region->decoder;
  if (setjmp(region->failed)) return -1;
  decoder->mem->max_memory_to_use = (long)most_memory;
  jpeg_mem_src(decoder, bytes, count);
  jpeg_read_header(decoder, TRUE);
  if (!has_planes(region)) {
    refuse(region, "its samples lie in a way that is not known");
    return 1;
  }
  if (area.width == 0 || area.height == 0 || area.left > decoder->image_width ||
      area.width > decoder->image_width - area.left || area.top > decoder->image_height ||
      area.height > decoder->image_height - area.top || area.left % region->unit_width ||
      area.top % region->unit_height)
    return refuse(region, "the area lies outside of the picture");
  region->area = area;
  decoder->raw_data_out = TRUE;
  decoder->do_fancy_upsampling = FALSE;
  decoder->dct_method = JDCT_ISLOW;
  decoder->out_color_space = decoder->jpeg_color_space;
  jpeg_start_decompress(decoder);
  for (int index = 0; index < decoder->num_components; index++) {
    const jpeg_component_info *part = &decoder->comp_info[index];
    region->strides[index] = (size_t)part->width_in_blocks * DCTSIZE;
    size_t rows = (size_t)part->v_samp_factor * DCTSIZE;
    for (int one = 0; one < 2; one++) {
      region->held[one].samples[index] = malloc(region->strides[index] * rows);
      if (!region->held[one].samples[index]) return refuse(region, "there is not enough memory");
    }
  }
  return 0;
}

/* Decodes the next row of coding units; returns false after the last one. */
static bool advance(cjpeg_region *region) {
  struct jpeg_decompress_struct *decoder = &region->decoder;
  struct rows older = region->held[1];
  region->held[1] = region->held[0];
  region->held[0] = older;
  JSAMPROW rows[3][4 * DCTSIZE];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  for (int index = 0; index < decoder->num_components; index++)
    for (int row = 0; row < decoder->comp_info[index].v_samp_factor * DCTSIZE; row++)
      rows[index][row] = region->held[0].samples[index] + (size_t)row * region->strides[index];
  unsigned lines = decoder->max_v_samp_factor * DCTSIZE;
  region->held[0].first = region->held[1].end;
  region->held[0].end = region->held[0].first + lines;
  return jpeg_read_raw_data(decoder, planes, lines) > 0;
}

int cjpeg_region_read(
    cjpeg_region *region, unsigned top, unsigned height, unsigned char *const starts[3],
    const size_t strides[3]) {
  struct jpeg_decompress_struct *decoder = &region->decoder;
  const cjpeg_area *area = &region->area;
  if (setjmp(region->failed)) return -1;
  if (top > area->height || height > area->height - top || top % region->unit_height)
    return refuse(region, "the rows lie outside of the area");
  unsigned from = area->top + top, to = from + height;
  while (from < to) {
    if (from >= region->held[0].end) {
      if (!advance(region)) return refuse(region, "the picture has too few rows");
      continue;
    }
    const struct rows *rows = &region->held[from < region->held[0].first];
    if (from < rows->first) return refuse(region, "the rows were read before");
    unsigned last = to < rows->end ? to : rows->end;
    for (int index = 0; index < decoder->num_components; index++) {
      unsigned across = index ? region->unit_width : 1, down = index ? region->unit_height : 1;
      size_t width = (area->width + across - 1) / across;
      size_t row = (from - rows->first) / down, lines = (last - from + down - 1) / down;
      size_t target = (from - area->top - top) / down, stride = region->strides[index];
      for (size_t line = 0; line < lines; line++)
        memcpy(starts[index] + (target + line) * strides[index],
               rows->samples[index] + (row + line) * stride + area->left / across, width);
    }
    from = last;
  }
  return region->is_warned ? 1 : 0;
}

const char *cjpeg_region_message(const cjpeg_region *region) { return region->message; }

void cjpeg_region_free(cjpeg_region *region) {
  if (!region) return;
  for (int one = 0; one < 2; one++)
    for (int index = 0; index < 3; index++) free(region->held[one].samples[index]);
  if (!setjmp(region->failed)) jpeg_destroy_decompress(&region->decoder);
  free(region);
}
