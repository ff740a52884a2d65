#include "CJPEG.h"

#include <string.h>

/* The vectors have 16 bytes, which compilers turn into the machine's instructions: SSE2, NEON. */
typedef unsigned char bytes16 __attribute__((vector_size(16)));

typedef unsigned short words8 __attribute__((vector_size(16)));
typedef unsigned int longs8 __attribute__((vector_size(32)));

static inline words8 upper_product(words8 value, unsigned short factor) {
  longs8 wide = __builtin_convertvector(value, longs8) * factor;
  return __builtin_convertvector(wide >> 16, words8);
}

static inline bytes16 load(const unsigned char *from) {
  bytes16 value;
  memcpy(&value, from, sizeof value);
  return value;
}

static inline void store(unsigned char *to, bytes16 value) { memcpy(to, &value, sizeof value); }

#define first_halves(a, b) \
  __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define second_halves(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

void cjpeg_split(
    const unsigned char *from, size_t pairs, unsigned char *first, unsigned char *second) {
  size_t at = 0;
  for (; pairs - at >= 16; at += 16) {
    bytes16 low = load(from + 2 * at), high = load(from + 2 * at + 16);
    store(first + at, __builtin_shufflevector(
        low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    store(second + at, __builtin_shufflevector(
        low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  }
  for (; at < pairs; at++) {
    first[at] = from[2 * at];
    second[at] = from[2 * at + 1];
  }
}

void cjpeg_average(unsigned char *bytes, const unsigned char *others, size_t count) {
  for (size_t at = 0; at < count; at++)
    bytes[at] = (unsigned char)((bytes[at] + others[at] + 1) >> 1);
}

/* Computes value + value * factor / 2^18. The product's upper half keeps ten binary places, which
 * is enough to round every step correctly. */
static inline bytes16 stretch(bytes16 value, unsigned short factor, unsigned short rounding) {
  const bytes16 zero = {0};
  /* A byte above a zero byte is the byte times 256. */
  words8 low = (words8)first_halves(zero, value), high = (words8)second_halves(zero, value);
  low = upper_product(low, factor);
  high = upper_product(high, factor);
  low = (low + rounding) >> 10;
  high = (high + rounding) >> 10;
  return value + __builtin_shufflevector((bytes16)low, (bytes16)high,
      0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

/* Returns samples as steps from 16. */
static inline bytes16 steps(bytes16 value, unsigned char most) {
  const bytes16 least = {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16};
  const bytes16 zero = {0};
  const bytes16 limit = zero + most;
  value = __builtin_elementwise_max(value, least);
  return __builtin_elementwise_min(value, limit) - least;
}

/* The count is rounded up to 16 bytes, for which tiles have the room. */
void cjpeg_expand_luma(unsigned char *bytes, size_t count) {
  for (size_t at = 0; at < count; at += 16)
    store(bytes + at, stretch(steps(load(bytes + at), 235), 43091, 508));
}

void cjpeg_expand_chroma(unsigned char *bytes, size_t count) {
  for (size_t at = 0; at < count; at += 16)
    store(bytes + at, stretch(steps(load(bytes + at), 240), 36277, 1022));
}

static inline int held(int value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

enum { chunk = 64, widest_step = 4 };

/* Converts one chunk of a chroma row: writes luma's share of each sample to `added`, then changes
 * the samples. */
static void convert_chroma(
    unsigned char *restrict blue, unsigned char *restrict red, size_t count,
    const short *restrict shares, short *restrict added) {
  const int half = 4096;
  for (size_t at = 0; at < count; at++) {
    int b = blue[at] - 128, r = red[at] - 128;
    added[at] = (short)((shares[0] * b + shares[1] * r + half) >> 13);
    blue[at] = (unsigned char)held(128 + ((shares[2] * b + shares[3] * r + half) >> 13));
    red[at] = (unsigned char)held(128 + ((shares[4] * b + shares[5] * r + half) >> 13));
  }
}

static void add(unsigned char *restrict luma, const short *restrict added, size_t count) {
  for (size_t at = 0; at < count; at++) luma[at] = (unsigned char)held(luma[at] + added[at]);
}

void cjpeg_convert(
    unsigned char *luma, ptrdiff_t luma_row, size_t width, size_t height, unsigned char *blue,
    unsigned char *red, ptrdiff_t chroma_row, size_t step_x, size_t step_y, const short *shares) {
  if (step_x < 1 || step_x > widest_step || step_y < 1) return;
  short added[chunk], wide[chunk * widest_step];
  for (size_t y = 0; y < height; y += step_y) {
    ptrdiff_t line = (ptrdiff_t)(y / step_y) * chroma_row;
    for (size_t x = 0; x < width; x += chunk * step_x) {
      size_t count = width - x < chunk * step_x ? width - x : chunk * step_x;
      ptrdiff_t from = line + (ptrdiff_t)(x / step_x);
      convert_chroma(blue + from, red + from, (count + step_x - 1) / step_x, shares, added);
      if (step_x == 2)
        for (size_t at = 0; at < count; at++) wide[at] = added[at / 2];
      else
        for (size_t at = 0; at < count; at++) wide[at] = added[at / step_x];
      for (size_t row = y; row < y + step_y && row < height; row++)
        add(luma + (ptrdiff_t)row * luma_row + x, wide, count);
    }
  }
}

void cjpeg_expect(const unsigned char *from, size_t rows, ptrdiff_t row, size_t width) {
  for (size_t index = 0; index < rows; index++)
    for (size_t at = 0; at < width; at += 64)
      __builtin_prefetch(from + (ptrdiff_t)index * row + at, 0, 2);
}

void cjpeg_expect_writing(unsigned char *to, size_t rows, ptrdiff_t row) {
  for (size_t index = 0; index < rows; index++)
    __builtin_prefetch(to + (ptrdiff_t)index * row, 1, 3);
}

/* Turns rows of 16 bytes into columns, by four perfect shuffles. */
static void turn_block(
    const unsigned char *from, ptrdiff_t row, unsigned char *to, ptrdiff_t column) {
  bytes16 a[16], b[16];
  for (int index = 0; index < 16; index++) a[index] = load(from + index * row);
#pragma clang loop unroll(full)
  for (int stage = 0; stage < 4; stage++) {
#pragma clang loop unroll(full)
    for (int index = 0; index < 8; index++) {
      b[2 * index] = first_halves(a[index], a[index + 8]);
      b[2 * index + 1] = second_halves(a[index], a[index + 8]);
    }
    memcpy(a, b, sizeof a);
  }
  for (int index = 0; index < 16; index++) store(to + index * column, a[index]);
}

static void place_plainly(
    const unsigned char *tile, size_t row, size_t x, size_t width, size_t y, size_t height,
    unsigned char *to, ptrdiff_t per_x, ptrdiff_t per_y) {
  for (size_t line = y; line < height; line++)
    for (size_t column = x; column < width; column++)
      to[(ptrdiff_t)column * per_x + (ptrdiff_t)line * per_y] = tile[line * row + column];
}

void cjpeg_place(
    const unsigned char *tile, size_t row, size_t width, size_t height, unsigned char *to,
    ptrdiff_t per_x, ptrdiff_t per_y) {
  if (per_x == 1) {
    for (size_t y = 0; y < height; y++)
      memcpy(to + (ptrdiff_t)y * per_y, tile + y * row, width);
    return;
  }
  if (per_y != 1 && per_y != -1) {
    for (size_t y = 0; y < height; y++) {
      const unsigned char *from = tile + y * row;
      unsigned char *line = to + (ptrdiff_t)y * per_y;
      for (size_t x = 0; x < width; x++) line[(ptrdiff_t)x * per_x] = from[x];
    }
    return;
  }
  size_t whole_x = width & ~(size_t)15, whole_y = height & ~(size_t)15;
  for (size_t x = 0; x < whole_x; x += 16)
    for (size_t y = 0; y < whole_y; y += 16) {
      /* If columns run backwards, the last row comes first. */
      const unsigned char *from = tile + (per_y > 0 ? y : y + 15) * row;
      ptrdiff_t step = per_y > 0 ? (ptrdiff_t)row : -(ptrdiff_t)row;
      unsigned char *column = to + (per_y > 0 ? (ptrdiff_t)y : -(ptrdiff_t)(y + 15));
      turn_block(from + x, step, column + (ptrdiff_t)x * per_x, per_x);
    }
  place_plainly(tile, row, whole_x, width, 0, whole_y, to, per_x, per_y);
  place_plainly(tile, row, 0, width, whole_y, height, to, per_x, per_y);
}

/* Plain loops of 16-bit sums, which compilers turn into vectors; 255 * 225 + 4096 still fits. */
void cjpeg_limit_luma(unsigned char *bytes, size_t count) {
  for (size_t at = 0; at < count; at++)
    bytes[at] = (unsigned char)((((unsigned short)(bytes[at] * 220 + 128)) >> 8) + 16);
}

void cjpeg_limit_chroma(unsigned char *bytes, size_t count) {
  for (size_t at = 0; at < count; at++)
    bytes[at] = (unsigned char)((unsigned short)(bytes[at] * 225 + 4096) >> 8);
}
