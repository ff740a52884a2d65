/* Libraries that are loaded when the first of their functions is called, so that a command that
 * needs none of them starts without loading them. */
#ifndef CLOADER_H
#define CLOADER_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct cloader_library {
  const char *file;    /* the name for linking: libarchive.so.13 */
  const char *package; /* Debian's name for the package */
  pthread_mutex_t lock;
  void *handle;
  int was_tried;
} cloader_library;

#define CLOADER_LIBRARY(file, package) {file, package, PTHREAD_MUTEX_INITIALIZER, 0, 0}

/* Returns the function of that name; callable from any thread. Returns NULL if the library or the
 * function is missing. A missing library is reported on standard error once. */
void *cloader_find(cloader_library *library, const char *function);

/* Defines a function of the library, which looks up the real one at its first call. `otherwise` is
 * the result if the real function is missing. The function must have the library header's
 * declaration. */
#define CLOADER_FUNCTION(library, type, name, parameters, arguments, otherwise)     \
  type name parameters {                                                          \
    static _Atomic(void *) found;                                                 \
    void *call = atomic_load_explicit(&found, memory_order_acquire);              \
    if (!call) {                                                                  \
      call = cloader_find(&library, #name);                                       \
      if (!call) return otherwise;                                                \
      atomic_store_explicit(&found, call, memory_order_release);                  \
    }                                                                             \
    return ((__typeof__(&name))call)arguments;                                    \
  }

#endif
