/* libsystemd: readiness, watchdog, sockets handed over, and the journal. Without systemd its calls
 * do nothing. */
#ifndef CSYSTEMD_H
#define CSYSTEMD_H

/* The place in the sources would be this program's only entry point for all lines. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <sys/socket.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
