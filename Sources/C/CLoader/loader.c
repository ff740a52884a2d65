#include "CLoader.h"

#include <dlfcn.h>
#include <stdio.h>

void *cloader_find(cloader_library *library, const char *function) {
  pthread_mutex_lock(&library->lock);
  if (!library->was_tried) {
    library->was_tried = 1;
    library->handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
      const char *reason = dlerror();
      fprintf(stderr, "retake: %s cannot be loaded (%s); install %s\n", library->file,
              reason ? reason : "no reason", library->package);
    }
  }
  void *handle = library->handle;
  pthread_mutex_unlock(&library->lock);
  return handle ? dlsym(handle, function) : NULL;
}
