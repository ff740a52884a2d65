#include "CAllocationCounter.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local int counting, trapping;
static _Thread_local unsigned long total;

int callocation_count(int on) {
  int before = counting;
  counting = on;
  return before;
}

unsigned long callocation_total(void) { return total; }

void callocation_trap(int on) { trapping = on; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

int callocation_works(void) { return 0; }

#else

int callocation_works(void) { return 1; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void note(void) {
  if (!counting) return;
  total++;
  if (trapping) __builtin_trap();
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  note();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}

#endif
