#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_user(uid_t user, uid_t saved) {
  uid_t real, effective, kept;
  return getresuid(&real, &effective, &kept) == 0 && real == user && effective == user &&
      kept == saved;
}

static bool is_group(gid_t group) {
  gid_t real, effective, kept;
  return getresgid(&real, &effective, &kept) == 0 && real == group && effective == group &&
      kept == group;
}

int clinux_become(uid_t user, gid_t group, bool may_return) {
  /* The call never makes the process root. It leaves root's group unless the user belongs to it. */
  if (user == 0 || user == (uid_t)-1) return errno = EINVAL, -1;
  const struct passwd *entry = getpwuid(user);
  if (entry) group = entry->pw_gid;
  if ((entry ? initgroups(entry->pw_name, group) : setgroups(1, &group)) < 0) return -1;
  if (setresgid(group, group, group) < 0) return -1;
  if (setresuid(user, user, may_return ? 0 : user) < 0) return -1;
  /* The user's other programs must not read the files and memory that root used before (ptrace). */
  if (prctl(PR_SET_DUMPABLE, 0) < 0) return -1;
  if (!is_group(group) || !is_user(user, may_return ? 0 : user)) return errno = EPERM, -1;
  if (!may_return && (setuid(0) == 0 || seteuid(0) == 0)) return errno = EPERM, -1;
  return 0;
}

/* The kernel keeps the identity of each thread; libc's functions would change all threads. */
int clinux_raise_thread(void) {
  if (syscall(SYS_setresuid, -1, 0, -1) < 0) return -1;
  if (syscall(SYS_setresgid, -1, 0, -1) < 0) {
    int kept = errno;
    uid_t user = getuid();
    if (syscall(SYS_setresuid, -1, user, -1) < 0) abort();
    return errno = kept, -1;
  }
  return 0;
}

void clinux_lower_thread(void) {
  /* The real numbers are still the user's. The thread must not continue as root, so a failure ends
   * the process. */
  int kept = errno;
  if (syscall(SYS_setresgid, -1, getgid(), -1) < 0) abort();
  if (syscall(SYS_setresuid, -1, getuid(), -1) < 0) abort();
  errno = kept;
}
