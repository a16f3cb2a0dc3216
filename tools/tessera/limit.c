#include "limit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static uint64_t *field_of(tsr_io_limits *limits, const char *name, size_t length) {
  const struct {
    const char *name;
    uint64_t *field;
  } fields[] = {{"header", &limits->header},
                {"tensors", &limits->tensors},
                {"inflated", &limits->inflated},
                {"pixels", &limits->pixels},
                {"total", &limits->total}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (strlen(fields[i].name) == length && strncmp(fields[i].name, name, length) == 0) return fields[i].field;
  return NULL;
}

/* 100, 64k, 1.5G is none, none. */
static bool read_number(const char *text, size_t length, uint64_t *out) {
  static const char letters[] = "kMGT";
  char *end = NULL;
  if (length == 4 && strncmp(text, "none", 4) == 0) return *out = TSR_NO_LIMIT, true;
  if (length == 0 || *text < '0' || *text > '9') return false;
  errno = 0;
  uint64_t value = strtoull(text, &end, 10);
  if (errno != 0 || value == 0) return false;
  if (end < text + length) {
    const char *letter = strchr(letters, *end == 'K' ? 'k' : *end);
    if (letter == NULL || *end == '\0' || end + 1 != text + length) return false;
    for (const char *l = letters; l <= letter; l++)
      if (__builtin_mul_overflow(value, (uint64_t)1000, &value)) return false;
  }
  *out = value;
  return true;
}

/* total=4G */
static bool read_one(const char *text, size_t length, tsr_io_limits *out) {
  const char *equals = memchr(text, '=', length);
  if (length == 4 && strncmp(text, "none", 4) == 0) {
    *out = (tsr_io_limits){TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, TSR_NO_LIMIT, {0}};
    return true;
  }
  uint64_t *field = equals != NULL ? field_of(out, text, (size_t)(equals - text)) : NULL;
  if (field != NULL && read_number(equals + 1, length - (size_t)(equals - text) - 1, field)) return true;
  report(
      "--limit: '%.*s' is no limit; it is WHAT=N, as total=4G, or none; WHAT is header, tensors, inflated, pixels or "
      "total",
      (int)length, text);
  return false;
}

bool limits_read(const arguments *args, tsr_io_limits *out) {
  *out = (tsr_io_limits){0};
  for (int i = 0; i < args->option_count; i++) {
    if (strcmp(args->options[i]->name, "limit") != 0) continue;
    for (const char *at = args->values[i]; at != NULL;) {
      const size_t length = strcspn(at, ",");
      if (!read_one(at, length, out)) return false;
      at = at[length] == ',' ? at + length + 1 : NULL;
    }
  }
  return true;
}
