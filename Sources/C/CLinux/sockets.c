#define _GNU_SOURCE
#include "CLinux.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

ssize_t clinux_send_parts(int fd, const struct iovec *parts, int count) {
  struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)count};
  return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int clinux_unsent(int fd) {
  int count = 0;
  return ioctl(fd, TIOCOUTQ, &count) == 0 ? count : 0;
}

void clinux_send_at_once(int fd) {
  int off = 0, on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_CORK, &off, sizeof off);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int clinux_socket_watch(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_socket_watch_add(int watch, int fd, uint64_t id) {
  struct epoll_event event = {.events = EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.u64 = id};
  return epoll_ctl(watch, EPOLL_CTL_ADD, fd, &event);
}

int clinux_socket_watch_remove(int watch, int fd) {
  struct epoll_event event = {0};
  return epoll_ctl(watch, EPOLL_CTL_DEL, fd, &event);
}

int clinux_socket_watch_take(int watch, clinux_socket_event *events, int count) {
  struct epoll_event ready[64];
  int found = epoll_wait(watch, ready, count < 64 ? count : 64, 0);
  for (int index = 0; index < found; index++) {
    events[index] = (clinux_socket_event){
        .id = ready[index].data.u64,
        .can_write = (ready[index].events & EPOLLOUT) != 0,
        .was_left = (ready[index].events & EPOLLRDHUP) != 0,
        .is_gone = (ready[index].events & (EPOLLHUP | EPOLLERR)) != 0,
    };
  }
  return found < 0 ? 0 : found;
}
