/* Linux calls and constants that Swift's Glibc module does not import: variadic functions, and
 * headers it leaves out. Every function keeps libc's meaning and sets errno. The libc symbols are
 * called (syscall(2) for openat2 only), so that a preloaded compatibility layer sees them. */
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
/* openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS; where the kernel or a sandbox has no
 * openat2, the same by clinux_walk_beneath. EXDEV for a path that is absolute or has a part "..".
 * The one call that goes past libc, which has no function for it. */
int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode);
/* The same with openat, part after part, none of them followed as a link. */
int clinux_walk_beneath(int directory, const char *path, int flags, mode_t mode);
int clinux_ioctl(int fd, unsigned long request, void *argument);
int clinux_fcntl(int fd, int command, long argument);
int clinux_eventfd(unsigned initial);          /* close-on-exec, non-blocking */
int clinux_inotify(void);                      /* close-on-exec, non-blocking */
int clinux_inotify_add_watch(int fd, const char *path, uint32_t mask);
int clinux_accept(int fd);                     /* close-on-exec, non-blocking */
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid);

/* sendmsg with MSG_DONTWAIT and MSG_NOSIGNAL. */
ssize_t clinux_send_parts(int fd, const struct iovec *parts, int count);
/* How many bytes of a stream socket its peer's kernel has not taken yet. */
int clinux_unsent(int fd);
/* Has a socket of TCP send small pieces at once, and nothing be held back; others are left alone. */
void clinux_send_at_once(int fd);

/* What an epoll descriptor tells of a socket. */
typedef struct clinux_socket_event {
  uint64_t id;
  bool can_write; /* for the first time, or again after a short write */
  bool was_left;  /* the peer sends nothing any more */
  bool is_gone;   /* the connection is over */
} clinux_socket_event;

/* Edges only: each change is told once, and what a peer sends is no change. */
int clinux_socket_watch(void);                 /* close-on-exec */
int clinux_socket_watch_add(int watch, int fd, uint64_t id);
int clinux_socket_watch_remove(int watch, int fd);
/* Does not wait; the number of events. */
int clinux_socket_watch_take(int watch, clinux_socket_event *events, int count);

/* One signal as it arrived. */
typedef struct clinux_signal {
  int32_t number;
  int32_t pid;
  uint32_t uid;
} clinux_signal;

/* From now on the signals neither end the process nor interrupt calls, but are written to a pipe,
 * whose reading end is returned: whole clinux_signal structures, non-blocking. One pipe for the
 * process; a second call moves the signals to a new one. Unlike signalfd(2) it does not matter
 * which thread a signal is sent to: libraries start threads that block none. */
int clinux_signal_pipe(const int *signals, int count);

/* Makes the unnamed file `fd` findable as `name` in `directory`; EEXIST where there is one. */
int clinux_link_unnamed(int fd, int directory, const char *name);
/* renameat2 with RENAME_NOREPLACE. */
int clinux_rename_new(int directory, const char *from, const char *to);

/* sync_file_range with SYNC_FILE_RANGE_WRITE. */
int clinux_start_writeback(int fd, int64_t offset, int64_t count);
int clinux_duplicate(int fd);                  /* close-on-exec */
/* Replaces the action of SIGBUS: a lost page of a shared mapping reads as zeros from then on. */
int clinux_survive_lost_pages(void);
unsigned clinux_lost_pages(void);
/* Gives the whole pages of a private memory area back to the system; what was in them is lost. */
void clinux_release_pages(void *start, size_t count);
/* Has malloc(3) give large blocks back to the system as soon as they are freed. For a program's
 * start, before there are other threads. */
void clinux_keep_little_memory(void);
/* Gives freed memory of malloc(3) back to the system: malloc_trim(3). */
void clinux_trim_memory(void);
/* Lets the calling thread give way to others: nice(2), for this thread only. */
void clinux_give_way(int nice);

int clinux_flock(int fd, int operation); /* in Swift the structure of that name hides it */

/* At most 15 bytes of it are kept by the kernel. */
void clinux_set_thread_name(const char *name);

/* pthread_join(3), no longer than until a time of CLOCK_MONOTONIC in nanoseconds. Zero, or an error
 * number: ETIMEDOUT while the thread still runs. */
int clinux_join_until(pthread_t thread, int64_t nanoseconds);

/* The system's words for an error number, in English; null for a number it does not know. */
const char *clinux_error_text(int number);

extern const int clinux_o_tmpfile, clinux_o_directory, clinux_o_path, clinux_o_nofollow;
extern const int clinux_o_cloexec, clinux_o_nonblock;
extern void *const clinux_map_failed;
/* A folder's file was made, moved in, or got other permissions. */
extern const uint32_t clinux_in_new_or_changed;

/* The mount point at or above `path` that the table `fstab` names and that is not in the table
 * `mounts`, both as fstab(5) says; the deepest one. False, and nothing in `found`, if there is
 * none or a table cannot be read. `path` is absolute and without symbolic links. */
bool clinux_missing_mount(
    const char *fstab, const char *mounts, const char *path, char *found, size_t size);

/* Whether the kernel says that its clock follows a time server: adjtimex(2). */
bool clinux_clock_is_synchronized(void);

/* Makes the whole process the user's, with that user's groups: for good, or, with `may_return`, until
 * clinux_raise_thread. `group` counts for a user that the system does not know. Root only; a failure
 * may leave half of it done, so the process must end then. EPERM as well if it did not take. */
int clinux_become(uid_t user, gid_t group, bool may_return);
/* Makes the calling thread root again, after a clinux_become that may return; the other threads stay
 * as they are. The second one takes it back, or ends the process. */
int clinux_raise_thread(void);
void clinux_lower_thread(void);

#endif
