#include "CSQLite.h"
#include "CLoader.h"

static cloader_library library = CLOADER_LIBRARY("libsqlite3.so.0", "libsqlite3-0");

#define OPEN(name, parameters, arguments) \
  CLOADER_FUNCTION(library, int, name, parameters, arguments, SQLITE_CANTOPEN)
#define COLUMN(type, name, otherwise) \
  CLOADER_FUNCTION(                   \
      library, type, name, (sqlite3_stmt *statement, int column), (statement, column), otherwise)

OPEN(
    sqlite3_open_v2, (const char *path, sqlite3 **database, int flags, const char *system),
    (path, database, flags, system))
OPEN(sqlite3_close_v2, (sqlite3 *database), (database))
OPEN(sqlite3_extended_result_codes, (sqlite3 *database, int on), (database, on))
OPEN(sqlite3_busy_timeout, (sqlite3 *database, int milliseconds), (database, milliseconds))
OPEN(
    sqlite3_prepare_v2,
    (sqlite3 *database, const char *text, int bytes, sqlite3_stmt **statement, const char **tail),
    (database, text, bytes, statement, tail))
OPEN(sqlite3_limit, (sqlite3 *database, int limit, int value), (database, limit, value))
CLOADER_FUNCTION(
    library, const char *, sqlite3_errmsg, (sqlite3 *database), (database),
    "SQLite cannot be loaded")
CLOADER_FUNCTION(
    library, sqlite3_int64, sqlite3_last_insert_rowid, (sqlite3 *database), (database), 0)
OPEN(sqlite3_changes, (sqlite3 *database), (database))
OPEN(sqlite3_finalize, (sqlite3_stmt *statement), (statement))
OPEN(sqlite3_reset, (sqlite3_stmt *statement), (statement))
OPEN(sqlite3_step, (sqlite3_stmt *statement), (statement))
OPEN(sqlite3_bind_null, (sqlite3_stmt *statement, int place), (statement, place))
OPEN(
    sqlite3_bind_int64, (sqlite3_stmt *statement, int place, sqlite3_int64 value),
    (statement, place, value))
OPEN(
    sqlite3_bind_text,
    (sqlite3_stmt *statement, int place, const char *text, int bytes, void (*release)(void *)),
    (statement, place, text, bytes, release))
OPEN(
    sqlite3_bind_blob,
    (sqlite3_stmt *statement, int place, const void *bytes, int count, void (*release)(void *)),
    (statement, place, bytes, count, release))
COLUMN(const void *, sqlite3_column_blob, NULL)
COLUMN(int, sqlite3_column_bytes, 0)
COLUMN(sqlite3_int64, sqlite3_column_int64, 0)
COLUMN(const unsigned char *, sqlite3_column_text, NULL)
COLUMN(int, sqlite3_column_type, SQLITE_NULL)
