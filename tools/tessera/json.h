/* Writes JSON to stdout, indented, commas where they belong. */
#ifndef TESSERA_JSON_H
#define TESSERA_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <tessera/index.h>

/* `{0}` is the start. */
typedef struct json {
  int depth;
  bool full[16]; /* the object or array of that depth has something in it */
} json;

/* key is NULL in arrays and at the top. */
void json_open(json *j, const char *key, char bracket);
void json_close(json *j, char bracket);
void json_string(json *j, const char *key, const char *value);
void json_integer(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);
void json_shape(json *j, const char *key, int ndim, const tsr_index *shape);

/* Numbers that JSON does not have (NaN, infinities) are null. */
void json_real(json *j, const char *key, double value);

#endif
