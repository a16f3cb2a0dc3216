#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Bytes that are no UTF-8 stay: the readers of this program let none in. */
static void put_string(const char *text) {
  (void)putchar('"');
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') (void)putchar('\\');
    if (c < 0x20 || c == 0x7f) {
      (void)printf("\\u%04x", c);
    } else {
      (void)putchar(c);
    }
  }
  (void)putchar('"');
}

static void begin(json *j, const char *key) {
  if (j->depth > 0) {
    (void)printf(j->full[j->depth] ? ",\n%*s" : "\n%*s", 2 * j->depth, "");
    j->full[j->depth] = true;
  }
  if (key == NULL) return;
  put_string(key);
  (void)fputs(": ", stdout);
}

void json_open(json *j, const char *key, char bracket) {
  begin(j, key);
  (void)putchar(bracket);
  j->full[++j->depth] = false;
}

void json_close(json *j, char bracket) {
  const bool full = j->full[j->depth--];
  if (full) (void)printf("\n%*s", 2 * j->depth, "");
  (void)putchar(bracket);
  if (j->depth == 0) (void)putchar('\n');
}

void json_string(json *j, const char *key, const char *value) {
  begin(j, key);
  put_string(value);
}

void json_integer(json *j, const char *key, int64_t value) {
  begin(j, key);
  (void)printf("%" PRId64, value);
}

void json_bool(json *j, const char *key, bool value) {
  begin(j, key);
  (void)fputs(value ? "true" : "false", stdout);
}

void json_real(json *j, const char *key, double value) {
  begin(j, key);
  (void)printf(isfinite(value) ? "%.17g" : "null", value);
}

void json_shape(json *j, const char *key, int ndim, const int64_t *shape) {
  begin(j, key);
  (void)putchar('[');
  for (int i = 0; i < ndim; i++) (void)printf(i > 0 ? ", %" PRId64 : "%" PRId64, shape[i]);
  (void)putchar(']');
}
