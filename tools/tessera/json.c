#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "text.h"

/* A character as \u escapes: two of them past the first 65,536. */
static void put_escape(uint32_t point) {
  if (point >= 0x10000) {
    (void)printf("\\u%04x", (unsigned)(0xd800 + ((point - 0x10000) >> 10)));
    point = 0xdc00 + (point & 0x3ff);
  }
  (void)printf("\\u%04x", (unsigned)point);
}

/* What is unsafe on a terminal is escaped; bytes that are no UTF-8 become the mark for such. */
static void put_string(const char *text) {
  int bytes;
  bool unsafe;
  (void)putchar('"');
  for (; *text != '\0'; text += bytes > 0 ? bytes : 1) {
    const uint32_t point = text_decode(text, &bytes, &unsafe);
    if (unsafe) {
      put_escape(bytes > 0 ? point : 0xfffd);
      continue;
    }
    if (point == '"' || point == '\\') (void)putchar('\\');
    (void)fwrite(text, 1, (size_t)bytes, stdout);
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

void json_shape(json *j, const char *key, int ndim, const tsr_index *shape) {
  begin(j, key);
  (void)putchar('[');
  for (int i = 0; i < ndim; i++) (void)printf(i > 0 ? ", %" PRId64 : "%" PRId64, (int64_t)shape[i]);
  (void)putchar(']');
}
