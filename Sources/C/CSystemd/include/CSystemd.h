/* libsystemd: readiness, watchdog, inherited sockets, and the journal. Without systemd the calls
 * have no effect. */
#ifndef CSYSTEMD_H
#define CSYSTEMD_H

/* The location would be the same for all lines: the program's only call of the journal. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <sys/socket.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
