/* The one loop of the frame gate that has to run at the speed of memory. */
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>

/* The offset, from `from` on, of the next FF whose next byte is not 00, in entropy-coded data: a
 * marker, a fill byte, or an FF that is the last byte. `count` where there is none. Reads nothing
 * outside bytes[from] to bytes[count - 1]. */
size_t cjpeg_next_marker(const unsigned char *bytes, size_t from, size_t count);

#endif
