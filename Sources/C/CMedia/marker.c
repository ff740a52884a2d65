#include "CMedia.h"

#include <stdint.h>

/* FF 00 is frequent in a scan, and markers are rare. So a block is first tested as a whole, without
 * a branch for each FF, and examined byte by byte only if it contains a marker. The lesser of (byte
 * - FE, or 0) and the next byte is 0 unless the byte is FF and the next one is not 00. */

typedef size_t search(const unsigned char *bytes, size_t at, size_t count);

static size_t search_bytes(const unsigned char *bytes, size_t at, size_t count) {
  for (; at < count; at++)
    if (bytes[at] == 0xFF && (at + 1 == count || bytes[at + 1] != 0)) return at;
  return count;
}

/* Compilers turn the inner loop into vector instructions. */
static size_t search_plain(const unsigned char *bytes, size_t at, size_t count) {
  enum { block = 64 };
  while (at < count && count - at > block) {
    unsigned char found = 0;
    for (size_t index = 0; index < block; index++)
      found |= (unsigned char)((bytes[at + index] == 0xFF) & (bytes[at + index + 1] != 0));
    if (found) {
      size_t place = search_bytes(bytes, at, at + block + 1);
      if (place < at + block) return place;
    }
    at += block;
  }
  return search_bytes(bytes, at, count);
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static size_t search_avx2(
    const unsigned char *bytes, size_t at, size_t count) {
  enum { step = 32, steps = 8 };
  const __m256i limit = _mm256_set1_epi8((char)0xFE), zero = _mm256_setzero_si256();
  while (at < count && count - at > step * steps) {
    __m256i found = zero;
    for (int index = 0; index < steps; index++) {
      const unsigned char *place = bytes + at + index * step;
      __m256i here = _mm256_loadu_si256((const __m256i *)place);
      __m256i next = _mm256_loadu_si256((const __m256i *)(place + 1));
      found = _mm256_or_si256(found, _mm256_min_epu8(_mm256_subs_epu8(here, limit), next));
    }
    if (!_mm256_testz_si256(found, found)) break;
    at += step * steps;
  }
  for (; at < count && count - at > step; at += step) {
    __m256i here = _mm256_loadu_si256((const __m256i *)(bytes + at));
    __m256i next = _mm256_loadu_si256((const __m256i *)(bytes + at + 1));
    __m256i pair = _mm256_min_epu8(_mm256_subs_epu8(here, limit), next);
    uint32_t found = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(pair, zero));
    if (found) return at + (size_t)__builtin_ctz(found);
  }
  return search_bytes(bytes, at, count);
}

/* Searches the bytes from `at` to `stop` precisely; returns `stop` if there is no match. */
__attribute__((target("avx512bw"))) static size_t closely_avx512(
    const unsigned char *bytes, size_t at, size_t stop, size_t count) {
  const __m512i all = _mm512_set1_epi8((char)0xFF);
  while (at < stop) {
    size_t step = stop - at < 64 ? stop - at : 64, followed = count - at - 1;
    /* Masked-out bytes are not read. */
    __mmask64 those = ~0ull >> (64 - step);
    __mmask64 after = followed < 64 ? those & ((1ull << followed) - 1) : those;
    __mmask64 here = _mm512_mask_cmpeq_epi8_mask(
        those, _mm512_maskz_loadu_epi8(those, bytes + at), all);
    __m512i next = _mm512_maskz_loadu_epi8(after, bytes + at + 1);
    /* The last byte counts as one that is not followed by 00. */
    __mmask64 found = here & (_mm512_test_epi8_mask(next, next) | (those & ~after));
    if (found) return at + (size_t)__builtin_ctzll(found);
    at += step;
  }
  return stop;
}

/* Each byte is loaded once, aligned. An FF is carried to the next byte as a bit of a mask. */
__attribute__((target("avx512bw"))) static size_t search_avx512(
    const unsigned char *bytes, size_t at, size_t count) {
  enum { step = 64, steps = 8 };
  if (at >= count) return count;
  size_t head = at + (64 - (uintptr_t)(bytes + at) % 64) % 64;
  if (head > count) head = count;
  at = closely_avx512(bytes, at, head, count);
  if (at < head) return at;
  const __m512i all = _mm512_set1_epi8((char)0xFF);
  uint64_t carry = 0;
  for (; count - at > step * steps; at += step * steps) {
    uint64_t found = 0, next = carry;
    for (int index = 0; index < steps; index++) {
      __m512i here = _mm512_load_si512(bytes + at + index * step);
      uint64_t full = _mm512_cmpeq_epi8_mask(here, all);
      uint64_t empty = _mm512_testn_epi8_mask(here, here);
      found |= (full << 1 | next) & ~empty;
      next = full >> 63;
    }
    if (found) break;
    carry = next;
  }
  return closely_avx512(bytes, at - carry, count, count);
}
#endif

/* Lists the implementations from the one that every processor supports to the fastest, and returns
 * their number. */
static int find_ways(search *ways[3]) {
  int count = 0;
  ways[count++] = search_plain;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) ways[count++] = search_avx2;
  if (__builtin_cpu_supports("avx512bw")) ways[count++] = search_avx512;
#endif
  return count;
}

static search *fastest = search_plain;

/* Runs while the process has a single thread. */
__attribute__((constructor)) static void choose(void) {
  search *ways[3];
  fastest = ways[find_ways(ways) - 1];
}

size_t cmedia_next_marker(const unsigned char *bytes, size_t from, size_t count) {
  return fastest(bytes, from, count);
}

int cmedia_marker_ways(void) {
  search *ways[3];
  return find_ways(ways);
}

size_t cmedia_next_marker_by(int way, const unsigned char *bytes, size_t from, size_t count) {
  search *ways[3];
  int there = find_ways(ways);
  return ways[way < 0 || way >= there ? 0 : way](bytes, from, count);
}
