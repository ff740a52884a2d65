/* TOML through toml++, for Swift: a flat list of values with their positions in the file. */
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ctoml_kind {
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_TABLE, /* an empty table, so that a mistyped header is noticed */
  CTOML_OTHER, /* dates, and arrays in arrays, which Retake does not use */
};

/* One leaf. Elements of an array come one by one, with `index` from 0 and the array's path. */
typedef struct ctoml_value {
  const char *path;   /* keys joined by a unit separator (0x1F), since a key may hold a dot */
  const char *string; /* for CTOML_STRING, else null; contains no NUL */
  int64_t integer;
  double number;
  bool boolean;
  enum ctoml_kind kind;
  int index;          /* -1 outside arrays */
  uint32_t line, column;
} ctoml_value;

/* Called once for each leaf, in the order of the file. The pointers are valid during the call. */
typedef void (*ctoml_visit)(const ctoml_value *value, void *context);

typedef struct ctoml_error {
  char message[256];
  uint32_t line, column;
} ctoml_error;

/* The limits of a document. */
typedef struct ctoml_limits {
  size_t values;
  size_t bytes; /* of one part of a key, and of one string */
} ctoml_limits;

enum ctoml_outcome {
  CTOML_READ,
  CTOML_SYNTAX,  /* not valid TOML */
  CTOML_REFUSED, /* valid, but exceeds a limit or has a control character in a text */
};

/* Parses `length` bytes of `text`, which must be UTF-8 without deep nesting; otherwise the parser
 * ends the program or overflows the stack. Fills in `error` for all outcomes except CTOML_READ. */
enum ctoml_outcome ctoml_parse(const char *text, size_t length, ctoml_limits limits,
                               ctoml_visit visit, void *context, ctoml_error *error);

#ifdef __cplusplus
}
#endif
#endif
