#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns whether the path stays below its directory, if no link is followed. */
static bool is_beneath(const char *path) {
  if (path[0] == '/') return false;
  for (const char *part = path; part; part = strchr(part, '/')) {
    part += strspn(part, "/");
    if (part[0] == '.' && part[1] == '.' && (part[2] == 0 || part[2] == '/')) return false;
  }
  return true;
}

int clinux_walk_beneath(int directory, const char *path, int flags, mode_t mode) {
  if (!is_beneath(path)) return errno = EXDEV, -1;
  if (strlen(path) >= PATH_MAX) return errno = ENAMETOOLONG, -1;
  if (path[0] == 0) return errno = ENOENT, -1;
  int current = directory;
  const char *end;
  while ((end = strchr(path, '/')) && end[strspn(end, "/")]) {
    char part[NAME_MAX + 1];
    size_t length = (size_t)(end - path);
    int next = -1;
    if (length > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(part, path, length);
      part[length] = 0;
      next = openat(current, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    int kept = errno;
    if (current != directory) close(current);
    if (next < 0) return errno = kept, -1;
    current = next;
    path = end + strspn(end, "/");
  }
  int fd = openat(current, path, flags | O_NOFOLLOW, mode);
  int kept = errno;
  if (current != directory) close(current);
  return errno = kept, fd;
}

int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode) {
  if (!is_beneath(path)) return errno = EXDEV, -1;
  struct open_how how = {.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
  /* openat2 refuses flags that openat ignores. */
  bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  how.flags = (unsigned)(flags & O_PATH ? flags & (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                                        : flags);
  how.mode = makes && !(flags & O_PATH) ? mode & 07777 : 0;
  long fd = syscall(SYS_openat2, directory, path, &how, sizeof how);
  /* Seccomp filters report EPERM as well. The file itself may cause EPERM, too, and then the walk
   * reports it again. */
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    return clinux_walk_beneath(directory, path, flags, mode);
  return (int)fd;
}
