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
  const char *string; /* of CTOML_STRING, else null */
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

/* Parses `length` bytes of `text`; false, with `error` filled in, where they are no TOML. */
bool ctoml_parse(const char *text, size_t length, ctoml_visit visit, void *context,
                 ctoml_error *error);

#ifdef __cplusplus
}
#endif
#endif
