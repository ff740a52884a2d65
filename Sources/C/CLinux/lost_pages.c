#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The kernel reports a lost page on the thread that reads it. The model needs no memory at the first
 * use, which a signal handler could not get. */
static _Thread_local volatile unsigned lost __attribute__((tls_model("initial-exec")));
static struct sigaction before;
static uintptr_t page_size;

/* Returns whether the address lies in a shared mapping. The program's own pages are private
 * ones, and losing one ends the program. Reads /proc/self/maps, with "start-end rwxs ..." on
 * each line. */
static bool is_shared(uintptr_t address) {
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return false;
  char block[1024];
  uintptr_t start = 0, number = 0;
  enum { START, END, FLAGS, REST } part = START;
  int flag = 0;
  bool found = false, contains = false;
  for (ssize_t count; !found && (count = read(maps, block, sizeof block)) > 0;) {
    for (ssize_t i = 0; i < count && !found; i++) {
      char c = block[i];
      if (c == '\n') {
        part = START, number = 0;
      } else if (part == START && c == '-') {
        start = number, number = 0, part = END;
      } else if (part == END && c == ' ') {
        contains = start <= address && address < number;
        part = FLAGS, flag = 0;
      } else if (part == START || part == END) {
        number = number << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
      } else if (part == FLAGS && ++flag == 4) {
        found = contains && c == 's';
        part = REST;
      }
    }
  }
  close(maps);
  return found;
}

static void give_page(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  int saved = errno;
  uintptr_t address = (uintptr_t)info->si_addr;
  if (info->si_code == BUS_ADRERR && is_shared(address)) {
    void *page = (void *)(address & ~(page_size - 1));
    int flags = MAP_FIXED | MAP_ANONYMOUS | MAP_PRIVATE;
    if (mmap(page, page_size, PROT_READ | PROT_WRITE, flags, -1, 0) == page) {
      lost += 1;
      errno = saved;
      return;
    }
  }
  /* The access is repeated, and ends as it would have without this handler. */
  sigaction(SIGBUS, &before, NULL);
  errno = saved;
}

int clinux_survive_lost_pages(void) {
  if (page_size) return 0;
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = give_page, .sa_flags = SA_SIGINFO};
  return sigaction(SIGBUS, &action, &before);
}

unsigned clinux_lost_pages(void) { return lost; }
