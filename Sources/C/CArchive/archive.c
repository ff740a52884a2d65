#include "CArchive.h"
#include "CLoader.h"

static cloader_library library = CLOADER_LIBRARY("libarchive.so.13", "libarchive13");

#define INT(name, parameters, arguments) \
  CLOADER_FUNCTION(library, int, name, parameters, arguments, ARCHIVE_FATAL)
#define ENTRY(name, parameters, arguments) \
  CLOADER_FUNCTION(library, void, name, parameters, arguments, )

CLOADER_FUNCTION(library, struct archive *, archive_write_new, (void), (), NULL)
CLOADER_FUNCTION(library, struct archive_entry *, archive_entry_new, (void), (), NULL)
CLOADER_FUNCTION(
    library, la_ssize_t, archive_write_data,
    (struct archive *archive, const void *bytes, size_t count), (archive, bytes, count),
    ARCHIVE_FATAL)
INT(archive_errno, (struct archive *archive), (archive))
INT(archive_write_close, (struct archive *archive), (archive))
INT(archive_write_fail, (struct archive *archive), (archive))
INT(archive_write_free, (struct archive *archive), (archive))
INT(archive_write_header, (struct archive *archive, struct archive_entry *entry), (archive, entry))
INT(archive_write_open_fd, (struct archive *archive, int fd), (archive, fd))
INT(archive_write_set_format_zip, (struct archive *archive), (archive))
INT(archive_write_set_options, (struct archive *archive, const char *options), (archive, options))
ENTRY(archive_entry_free, (struct archive_entry *entry), (entry))
ENTRY(archive_entry_set_filetype, (struct archive_entry *entry, unsigned type), (entry, type))
ENTRY(
    archive_entry_set_mtime, (struct archive_entry *entry, time_t seconds, long nanoseconds),
    (entry, seconds, nanoseconds))
ENTRY(
    archive_entry_set_pathname_utf8, (struct archive_entry *entry, const char *path), (entry, path))
ENTRY(archive_entry_set_perm, (struct archive_entry *entry, __LA_MODE_T mode), (entry, mode))
ENTRY(archive_entry_set_size, (struct archive_entry *entry, la_int64_t size), (entry, size))
