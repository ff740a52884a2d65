#include "CJPEG.h"

/* A block is looked at as a whole first, which compilers turn into vector instructions: FF 00 is
 * frequent in a scan, markers are not. */
enum { block_size = 64 };

size_t cjpeg_next_marker(const unsigned char *bytes, size_t from, size_t count) {
  size_t at = from;
  while (at < count && count - at > block_size) {
    unsigned char found = 0;
    for (size_t index = 0; index < block_size; index++)
      found |= (unsigned char)((bytes[at + index] == 0xFF) & (bytes[at + index + 1] != 0));
    if (found) break;
    at += block_size;
  }
  for (; at < count; at++)
    if (bytes[at] == 0xFF && (at + 1 == count || bytes[at + 1] != 0)) return at;
  return count;
}
