#include "CLibAV.h"

#include <string.h>

/* Returns the offset of the next start code (00 00 01) from `from` on; `count` if there is none. */
static size_t next_code(const uint8_t *bytes, size_t from, size_t count) {
  while (from + 3 <= count) {
    const uint8_t *one = memchr(bytes + from + 2, 1, count - from - 2);
    if (!one) return count;
    size_t at = (size_t)(one - bytes);
    if (bytes[at - 1] == 0 && bytes[at - 2] == 0) return at - 2;
    from = at - 1;
  }
  return count;
}

/* Returns the unit after the start code at `code`, without the zeros that belong to the next
 * code. */
static const uint8_t *unit_at(
    const uint8_t *bytes, size_t code, size_t count, size_t *length, size_t *next) {
  size_t start = code + 3;
  *next = next_code(bytes, start < count ? start : count, count);
  size_t end = *next;
  while (end > start && bytes[end - 1] == 0) end--;
  *length = end > start ? end - start : 0;
  return bytes + start;
}

size_t clibav_lengths(const uint8_t *bytes, size_t count, uint8_t *target, size_t room) {
  size_t written = 0, length = 0, next = 0;
  for (size_t code = next_code(bytes, 0, count); code < count; code = next) {
    const uint8_t *unit = unit_at(bytes, code, count, &length, &next);
    int type = length ? unit[0] & 31 : 0;
    if (length == 0 || type == 7 || type == 8 || type == 9) continue;
    if (length > UINT32_MAX || length + 4 > room - written) return 0;
    target[written] = (uint8_t)(length >> 24);
    target[written + 1] = (uint8_t)(length >> 16);
    target[written + 2] = (uint8_t)(length >> 8);
    target[written + 3] = (uint8_t)length;
    memcpy(target + written + 4, unit, length);
    written += length + 4;
  }
  return written;
}

const uint8_t *clibav_unit(const uint8_t *bytes, size_t count, int type, size_t *length) {
  size_t next = 0;
  for (size_t code = next_code(bytes, 0, count); code < count; code = next) {
    const uint8_t *unit = unit_at(bytes, code, count, length, &next);
    if (*length && (unit[0] & 31) == type) return unit;
  }
  *length = 0;
  return NULL;
}
