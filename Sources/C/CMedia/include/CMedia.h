/* The search for JPEG markers, which must be as fast as the memory; it needs no codec. */
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stddef.h>

/* Returns the offset, from `from` on, of the next FF whose next byte is not 00, in entropy-coded
 * data: a marker, a fill byte, or an FF that is the last byte. Returns `count` if there is none.
 * Reads only bytes[from] to bytes[count - 1]. */
size_t cmedia_next_marker(const unsigned char *bytes, size_t from, size_t count);

/* Runs the same search by one of the implementations, numbered from 0; the last one is the default.
 * For tests. */
size_t cmedia_next_marker_by(int way, const unsigned char *bytes, size_t from, size_t count);
/* Returns the number of implementations that this processor supports. */
int cmedia_marker_ways(void);

#endif
