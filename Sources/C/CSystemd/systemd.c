#include "CSystemd.h"
#include "CLoader.h"

#include <errno.h>

static cloader_library library = CLOADER_LIBRARY("libsystemd.so.0", "libsystemd0");

CLOADER_FUNCTION(
    library, int, sd_is_socket, (int fd, int family, int type, int listening),
    (fd, family, type, listening), -ENOSYS)
CLOADER_FUNCTION(
    library, int, sd_journal_sendv, (const struct iovec *parts, int count), (parts, count), -ENOSYS)
CLOADER_FUNCTION(library, int, sd_listen_fds, (int unset), (unset), -ENOSYS)
CLOADER_FUNCTION(library, int, sd_notify, (int unset, const char *state), (unset, state), -ENOSYS)
CLOADER_FUNCTION(
    library, int, sd_watchdog_enabled, (int unset, uint64_t *interval), (unset, interval), -ENOSYS)
