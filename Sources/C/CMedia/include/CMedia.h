/* The search that has to run at the speed of memory; it needs no codec. */
#ifndef CMEDIA_H
#define CMEDIA_H

#include <stddef.h>

/* The offset, from `from` on, of the next FF whose next byte is not 00, in entropy-coded data: a
 * marker, a fill byte, or an FF that is the last byte. `count` where there is none. Reads nothing
 * outside bytes[from] to bytes[count - 1]. */
size_t cmedia_next_marker(const unsigned char *bytes, size_t from, size_t count);

/* The same by one of the ways there are, from 0 on; the last one is what is used. For tests. */
size_t cmedia_next_marker_by(int way, const unsigned char *bytes, size_t from, size_t count);
/* How many of them this processor has. */
int cmedia_marker_ways(void);

#endif
