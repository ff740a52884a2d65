/* Libraries that are loaded when the first of their functions is called, so that a command that needs
 * none of them does not wait for them at its start. */
#ifndef CLOADER_H
#define CLOADER_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct cloader_library {
  const char *file;    /* the name that it is linked by: libarchive.so.13 */
  const char *package; /* Debian's name for it */
  pthread_mutex_t lock;
  void *handle;
  int was_tried;
} cloader_library;

#define CLOADER_LIBRARY(file, package) {file, package, PTHREAD_MUTEX_INITIALIZER, 0, 0}

/* The function of that name, from any thread; NULL where the library or the function is missing. The
 * standard error is told once of a library that is missing. */
void *cloader_find(cloader_library *library, const char *function);

/* Defines a function of the library, which finds the real one at its first call. `otherwise` is its
 * result where that is missing. The declaration of the library's header holds. */
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
