/* TOML through toml++, for Swift: a flat list of values with their place in the file. */
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
  CTOML_TABLE, /* an empty table, so that a mistyped header does not go unseen */
  CTOML_OTHER, /* dates, and arrays in arrays: nothing Retake has a use for */
};

/* One leaf. Elements of an array come one by one, with `index` from 0 and the array's path. */
typedef struct ctoml_value {
  const char *path;   /* keys joined by a unit separator (0x1F), since a key may hold a dot */
  const char *string; /* of CTOML_STRING, else null; no NUL is inside */
  int64_t integer;
  double number;
  bool boolean;
  enum ctoml_kind kind;
  int index;          /* -1 outside arrays */
  uint32_t line, column;
} ctoml_value;

/* Called once a leaf, in the order of the file. The pointers end with the call. */
typedef void (*ctoml_visit)(const ctoml_value *value, void *context);

typedef struct ctoml_error {
  char message[256];
  uint32_t line, column;
} ctoml_error;

/* What a document may have at most. */
typedef struct ctoml_limits {
  size_t values;
  size_t bytes; /* of one part of a key, and of one string */
} ctoml_limits;

enum ctoml_outcome {
  CTOML_READ,
  CTOML_SYNTAX,  /* it is no TOML */
  CTOML_REFUSED, /* it is, and has more than the limits, or a control character in a text */
};

/* Parses `length` bytes of `text`, which must be UTF-8 and shallow: the parser ends the program or
 * overflows the stack otherwise. `error` is filled in for all outcomes but CTOML_READ. */
enum ctoml_outcome ctoml_parse(const char *text, size_t length, ctoml_limits limits,
                               ctoml_visit visit, void *context, ctoml_error *error);

#ifdef __cplusplus
}
#endif
#endif
