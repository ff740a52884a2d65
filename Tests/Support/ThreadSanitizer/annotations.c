// Tells ThreadSanitizer about two calls that it does not see; scripts/campaigns/sanitizers preloads
// this library into a program that is built with it.
//
// - The slow paths of Swift's Mutex are in libswiftSynchronization, which is built without the
//   sanitizer. Without the annotations each contended lock is reported as a race.
// - The sanitizer has no interceptor for pthread_clockjoin_np, and would count the ended thread as
//   alive until its handle is used again, and then stop the program.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// Programs that the preloaded one starts are built without the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void mutex_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool mutex_try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void mutex_unlock(SELF void *mutex) __asm__(UNLOCK);

static SWIFT void (*next_lock)(uint32_t, SELF void *);
static SWIFT bool (*next_try_lock)(SELF void *);
static SWIFT void (*next_unlock)(SELF void *);

__attribute__((constructor)) static void find(void) {
  next_lock = dlsym(RTLD_NEXT, LOCK);
  next_try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
  next_unlock = dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void mutex_lock(uint32_t thread, SELF void *mutex) {
  next_lock(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool mutex_try_lock(SELF void *mutex) {
  bool is_locked = next_try_lock(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void mutex_unlock(SELF void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  next_unlock(mutex);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *end) {
  // The sanitizer has an interceptor for the join by the real-time clock.
  struct timespec now, real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  int64_t left = (end->tv_sec - now.tv_sec) * 1000000000LL + (end->tv_nsec - now.tv_nsec);
  int64_t date = real.tv_sec * 1000000000LL + real.tv_nsec + (left > 0 ? left : 0);
  struct timespec until = {.tv_sec = date / 1000000000LL, .tv_nsec = date % 1000000000LL};
  return pthread_timedjoin_np(thread, result, &until);
}
