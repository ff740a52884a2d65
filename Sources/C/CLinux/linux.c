#define _GNU_SOURCE
#include "CLinux.h"

#include <sys/timex.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

const int clinux_o_tmpfile = O_TMPFILE, clinux_o_directory = O_DIRECTORY, clinux_o_path = O_PATH;
const int clinux_o_nofollow = O_NOFOLLOW, clinux_o_cloexec = O_CLOEXEC;
const int clinux_o_nonblock = O_NONBLOCK;
void *const clinux_map_failed = MAP_FAILED;
const uint32_t clinux_in_new_or_changed = IN_CREATE | IN_MOVED_TO | IN_ATTRIB;

void clinux_release_pages(void *start, size_t count) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t first = ((uintptr_t)start + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)start + count) / page * page;
  if (start && end > first) madvise((void *)first, end - first, MADV_DONTNEED);
}

void clinux_keep_little_memory(void) {
  /* A fixed threshold does not grow to 32 MB when the first large block is freed. */
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
  /* Every arena keeps its own freed memory. */
  mallopt(M_ARENA_MAX, 4);
}

void clinux_trim_memory(void) { malloc_trim(0); }

int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

int clinux_openat(int directory, const char *path, int flags, mode_t mode) {
  return openat(directory, path, flags, mode);
}

int clinux_ioctl(int fd, unsigned long request, void *argument) {
  return ioctl(fd, request, argument);
}

int clinux_fcntl(int fd, int command, long argument) { return fcntl(fd, command, argument); }

int clinux_eventfd(unsigned initial) { return eventfd(initial, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int clinux_inotify_add_watch(int fd, const char *path, uint32_t mask) {
  return inotify_add_watch(fd, path, mask);
}

static volatile int signal_writer = -1;

static void write_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  int kept = errno;
  clinux_signal record = {.number = number, .pid = info->si_pid, .uid = info->si_uid};
  /* A full pipe means that no thread reads it, so that losing a signal does not matter. */
  ssize_t written = write(signal_writer, &record, sizeof record);
  (void)written;
  errno = kept;
}

int clinux_signal_pipe(const int *signals, int count) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -1;
  int before = signal_writer;
  signal_writer = ends[1];
  if (before >= 0) close(before);
  struct sigaction action = {.sa_sigaction = write_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigfillset(&action.sa_mask);
  for (int i = 0; i < count; i++) {
    if (sigaction(signals[i], &action, NULL) < 0) return -1;
  }
  return ends[0];
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int clinux_pidfd(pid_t process) { return pidfd_open(process, 0); }

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  return 0;
}

int clinux_link_unnamed(int fd, int directory, const char *name) {
  /* AT_EMPTY_PATH would need CAP_DAC_READ_SEARCH; a link through /proc needs no capability. */
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int clinux_rename_new(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
}

int clinux_flock(int fd, int operation) { return flock(fd, operation); }

int clinux_join_until(pthread_t thread, int64_t nanoseconds) {
  struct timespec end = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end);
}

void clinux_set_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = 0;
  pthread_setname_np(pthread_self(), kept);
}

const char *clinux_error_text(int number) { return strerrordesc_np(number); }

bool clinux_clock_is_synchronized(void) {
  struct timex status = {.modes = 0};
  return adjtimex(&status) >= 0 && !(status.status & STA_UNSYNC);
}

int clinux_start_writeback(int fd, int64_t offset, int64_t count) {
  return sync_file_range(fd, offset, count, SYNC_FILE_RANGE_WRITE);
}

int clinux_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 0); }

/* Linux keeps a nice value for each thread, unlike POSIX. */
void clinux_give_way(int value) { setpriority(PRIO_PROCESS, 0, value); }
