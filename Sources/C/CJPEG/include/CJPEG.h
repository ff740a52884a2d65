/* The loops that must be as fast as the memory. */
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>

/* Splits `pairs` pairs of bytes into their first and their second bytes. */
void cjpeg_split(
    const unsigned char *from, size_t pairs, unsigned char *first, unsigned char *second);

/* Replaces each byte by the mean of itself and the other, rounded up. */
void cjpeg_average(unsigned char *bytes, const unsigned char *others, size_t count);

/* Converts samples of ITU-R BT.601's limited range to JPEG's: luma's 219 steps from 16, chroma's
 * 224 around 128, rounded to the nearest of 255. `count` is rounded up to the next 16. */
void cjpeg_expand_luma(unsigned char *bytes, size_t count);
void cjpeg_expand_chroma(unsigned char *bytes, size_t count);

/* Converts JPEG's range to the limited one of movies, within half a step. */
void cjpeg_limit_luma(unsigned char *bytes, size_t count);
void cjpeg_limit_chroma(unsigned char *bytes, size_t count);

/* Converts samples with other luma weights to BT.601's, all of them full range. Luma gets shares[0]
 * of Cb and shares[1] of Cr added. Cb becomes shares[2] of Cb and shares[3] of Cr, and Cr becomes
 * shares[4] of Cb and shares[5] of Cr. The unit of shares is 1/8192. `step_x` by `step_y` (1, 2 or
 * 4) luma samples share a chroma sample; width and height are luma's. */
void cjpeg_convert(
    unsigned char *luma, ptrdiff_t luma_row, size_t width, size_t height, unsigned char *blue,
    unsigned char *red, ptrdiff_t chroma_row, size_t step_x, size_t step_y, const short *shares);

/* Prefetches rows of bytes for reading, or the cache lines at these addresses for writing. */
void cjpeg_expect(const unsigned char *from, size_t rows, ptrdiff_t row, size_t width);
void cjpeg_expect_writing(unsigned char *to, size_t rows, ptrdiff_t row);

/* Writes a tile's byte (x, y) to `to[x * per_x + y * per_y]`; one of the two steps is 1 or -1. */
void cjpeg_place(
    const unsigned char *tile, size_t row, size_t width, size_t height, unsigned char *to,
    ptrdiff_t per_x, ptrdiff_t per_y);

/* A part of a JPEG that is decoded to its planes row by row, whatever the size of the whole. A
 * picture of one scan takes the memory of one row of coding units, and one of several scans that of
 * all its coefficients. For one thread at a time. */
typedef struct cjpeg_region cjpeg_region;

/* In pixels; left and top are multiples of the pixels that a chroma sample covers. */
typedef struct cjpeg_area {
  unsigned left, top, width, height;
} cjpeg_area;

/* Returns null without memory. */
cjpeg_region *cjpeg_region_new(void);
/* Reads the header, and the scans if there are several. The bytes must stay valid until the end.
 * Returns 0; 1 if this sampling or these colours have no planes; -1 for an error, for which
 * cjpeg_region_message has the reason. The decoder takes at most `most_memory` bytes. */
int cjpeg_region_open(
    cjpeg_region *region, const unsigned char *bytes, size_t count, cjpeg_area area,
    size_t most_memory);
/* Decodes rows of the area, in its order: luma to starts[0], chroma, if there is any, to the
 * others. `top` counts from the area's first row and is a multiple of a chroma sample's height.
 * Returns 0; 1 after a warning, for which cjpeg_region_message has the text; -1 for an error. */
int cjpeg_region_read(
    cjpeg_region *region, unsigned top, unsigned height, unsigned char *const starts[3],
    const size_t strides[3]);
const char *cjpeg_region_message(const cjpeg_region *region);
void cjpeg_region_free(cjpeg_region *region);

#endif
