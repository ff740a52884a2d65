/* Linux calls and constants that Swift's Glibc module does not import: variadic functions, and
 * headers that it leaves out. Every function keeps libc's meaning and sets errno. The functions
 * call libc's symbols (syscall(2) for openat2 only), so that a preloaded compatibility layer sees
 * the calls. */
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/uio.h>

int clinux_open(const char *path, int flags, mode_t mode);
int clinux_openat(int directory, const char *path, int flags, mode_t mode);
/* openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS. If the kernel or a sandbox lacks openat2,
 * clinux_walk_beneath gives the same result. EXDEV for a path that is absolute or has a part "..".
 * This is the only call that bypasses libc, which has no function for it. */
int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode);
/* The same with openat for one part after the other, following no link. */
int clinux_walk_beneath(int directory, const char *path, int flags, mode_t mode);
int clinux_ioctl(int fd, unsigned long request, void *argument);
int clinux_fcntl(int fd, int command, long argument);
int clinux_eventfd(unsigned initial);          /* close-on-exec, non-blocking */
int clinux_inotify(void);                      /* close-on-exec, non-blocking */
int clinux_inotify_add_watch(int fd, const char *path, uint32_t mask);
int clinux_pidfd(pid_t process);               /* close-on-exec */
int clinux_pipe(int ends[2]);                  /* close-on-exec */
int clinux_accept(int fd);                     /* close-on-exec, non-blocking */
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid);

/* sendmsg with MSG_DONTWAIT and MSG_NOSIGNAL. */
ssize_t clinux_send_parts(int fd, const struct iovec *parts, int count);
/* Returns the number of a stream socket's bytes that its peer's kernel has not taken yet. */
int clinux_unsent(int fd);
/* Makes a TCP socket send small pieces at once; other sockets are left alone. */
void clinux_send_at_once(int fd);

/* An event of a socket, from an epoll descriptor. */
typedef struct clinux_socket_event {
  uint64_t id;
  bool can_write; /* for the first time, or again after a short write */
  bool was_left;  /* the peer has closed its sending side */
  bool is_gone;   /* the connection is over */
} clinux_socket_event;

/* Edge-triggered: each change is reported once, and bytes from a peer are no change. */
int clinux_socket_watch(void);                 /* close-on-exec */
int clinux_socket_watch_add(int watch, int fd, uint64_t id);
int clinux_socket_watch_remove(int watch, int fd);
/* Takes the pending events without waiting, and returns their number. */
int clinux_socket_watch_take(int watch, clinux_socket_event *events, int count);

/* One signal that arrived. */
typedef struct clinux_signal {
  int32_t number;
  int32_t pid;
  uint32_t uid;
} clinux_signal;

/* Redirects the signals to a pipe and returns its reading end, which is non-blocking and gives
 * whole clinux_signal structures. The signals then neither end the process nor interrupt calls. The
 * process has one pipe; a second call moves the signals to a new one. Unlike with signalfd(2), the
 * receiving thread does not matter, because libraries start threads that block no signal. */
int clinux_signal_pipe(const int *signals, int count);

/* Gives the unnamed file `fd` the name `name` in `directory`; EEXIST if the name is taken. */
int clinux_link_unnamed(int fd, int directory, const char *name);
/* renameat2 with RENAME_NOREPLACE. */
int clinux_rename_new(int directory, const char *from, const char *to);

/* sync_file_range with SYNC_FILE_RANGE_WRITE. */
int clinux_start_writeback(int fd, int64_t offset, int64_t count);
int clinux_duplicate(int fd);                  /* close-on-exec */
/* Replaces the action of SIGBUS, so that a lost page of a shared mapping reads as zeros. */
int clinux_survive_lost_pages(void);
unsigned clinux_lost_pages(void);
/* Returns the whole pages of a private memory area to the system; their content is lost. */
void clinux_release_pages(void *start, size_t count);
/* Makes malloc(3) return large blocks to the system as soon as they are freed. Call it at a
 * program's start, before there are other threads. */
void clinux_keep_little_memory(void);
/* Returns malloc(3)'s freed memory to the system: malloc_trim(3). */
void clinux_trim_memory(void);
/* Lowers the calling thread's priority: nice(2), for this thread only. */
void clinux_give_way(int nice);

int clinux_flock(int fd, int operation); /* in Swift the structure of that name hides it */

/* Names the calling thread; the kernel keeps at most 15 bytes. */
void clinux_set_thread_name(const char *name);

/* pthread_join(3) with a deadline in nanoseconds of CLOCK_MONOTONIC. Returns zero or an error
 * number: ETIMEDOUT while the thread still runs. */
int clinux_join_until(pthread_t thread, int64_t nanoseconds);

/* Returns the system's text for an error number, in English; null for an unknown number. */
const char *clinux_error_text(int number);

extern const int clinux_o_tmpfile, clinux_o_directory, clinux_o_path, clinux_o_nofollow;
extern const int clinux_o_cloexec, clinux_o_nonblock;
extern void *const clinux_map_failed;
/* The inotify mask for a folder's files that were made, moved in, or got other permissions. */
extern const uint32_t clinux_in_new_or_changed;

/* Returns whether the kernel reports that its clock follows a time server: adjtimex(2). */
bool clinux_clock_is_synchronized(void);

/* Makes the whole process run as the user, with that user's groups: permanently or, with
 * `may_return`, until clinux_raise_thread. `group` is used for a user that the system does not
 * know. Root only. A failure may leave the change incomplete, so the process must end then. Also
 * fails, with EPERM, if the change had no effect. */
int clinux_become(uid_t user, gid_t group, bool may_return);
/* clinux_raise_thread makes the calling thread root again, after a clinux_become with `may_return`;
 * the other threads do not change. clinux_lower_thread reverts that, or ends the process. */
int clinux_raise_thread(void);
void clinux_lower_thread(void);

#endif
