/* raw:DTYPE[@OFFSET][:SHAPE]: — what the elements of a file are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "report.h"

static const char prefix[] = "raw:";

static bool wrong(const char *text, const char *what) {
  report("%s: %s; it is raw:DTYPE[@OFFSET][:SHAPE]:FILE, as raw:f32:3x4:FILE or raw:i16be@44:-1x2:FILE", text, what);
  return false;
}

/* f32, f32le, f32be. */
static bool read_dtype(const char *at, size_t length, raw_form *out) {
  char name[16];
  if (length >= sizeof name) return false;
  memcpy(name, at, length);
  name[length] = '\0';
  out->dtype = tsr_dtype_find(name);
  if (out->dtype != TSR_NONE || length < 3) return out->dtype != TSR_NONE;
  const char *end = name + length - 2;
  out->options.big_endian = strcmp(end, "be") == 0;
  if (!out->options.big_endian && strcmp(end, "le") != 0) return false;
  name[length - 2] = '\0';
  out->dtype = tsr_dtype_find(name);
  return out->dtype != TSR_NONE;
}

static bool read_offset(const char *at, const char *end, raw_form *out) {
  char *stop = NULL;
  errno = 0;
  out->options.offset = strtoull(at, &stop, 10);
  return errno == 0 && stop == end && *at >= '0' && *at <= '9';
}

/* 3x4, -1x2: whether that is all of the text up to end. */
static bool read_shape(const char *at, const char *end, raw_form *out) {
  while (at < end && out->ndim < TSR_MAX_DIMS) {
    char *stop = NULL;
    errno = 0;
    const long long n = strtoll(at, &stop, 10);
    if (errno != 0 || stop == at || stop > end || n < -1 || *at == ' ' || *at == '+') return false;
    out->shape[out->ndim++] = (tsr_index)n;
    if (stop == end) return true;
    if (*stop != 'x') return false;
    at = stop + 1;
  }
  return false;
}

static bool looks_like_shape(const char *at, size_t length) {
  return length > 0 && strspn(at, "0123456789x-") == length;
}

bool raw_form_read(const char **text, raw_form *out) {
  const char *all = *text, *at = all + strlen(prefix);
  *out = (raw_form){0};
  if (strncmp(all, prefix, strlen(prefix)) != 0 || access(all, F_OK) == 0) return true; /* a file of that name is one */
  const size_t first = strcspn(at, ":"), dtype = strcspn(at, ":@");
  if (at[first] == '\0') return wrong(all, "no file behind it");
  if (!read_dtype(at, dtype, out)) return wrong(all, "no dtype (tessera info lists them)");
  if (at[dtype] == '@' && !read_offset(at + dtype + 1, at + first, out)) return wrong(all, "the offset is no number");
  at += first + 1;
  const size_t shape = strcspn(at, ":");
  if (at[shape] == ':' && looks_like_shape(at, shape)) {
    if (!read_shape(at, at + shape, out)) return wrong(all, "no shape");
    at += shape + 1;
  } else {
    out->ndim = 1; /* all of it, in a row */
    out->shape[0] = -1;
  }
  *text = at;
  return true;
}
