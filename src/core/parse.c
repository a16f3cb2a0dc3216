/* tsr_desc_parse: reads what tsr_desc_format writes. */
#include "core/check.h"
#include "core/layout.h"
#include "core/tensor.h"

#include <string.h>

static const char op[] = "desc_parse";

typedef struct reading {
  tsr_ctx *ctx;
  const char *text, *at;
} reading;

enum { WORD_BYTES = 16 }; /* longer than every name */

/* Every refusal says at which byte. */
static tsr_status refuse(const reading *r, tsr_status status, const char *at, const char *what) {
  return TSR__FAIL(r->ctx, status, op, "text", "%s at byte %z", what, (size_t)(at - r->text));
}

static tsr_status expect(reading *r, const char *what, const char *message) {
  const size_t length = strlen(what);
  if (strncmp(r->at, what, length) != 0) return refuse(r, TSR_EFORMAT, r->at, message);
  r->at += length;
  return TSR_OK;
}

static bool is_of_a_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Letters and digits, as many as there are; "" when they are more than any name has. */
static void read_word(reading *r, char *word) {
  size_t n = 0;
  for (; is_of_a_word(*r->at); r->at++)
    if (n < WORD_BYTES) word[n++] = *r->at;
  word[n < WORD_BYTES ? n : 0] = '\0';
}

/* One way to write a number: no plus, no zeros before it, no -0. */
static tsr_status read_number(reading *r, tsr_index *number) {
  const char *const at = r->at;
  const bool negative = *r->at == '-';
  const uint64_t most = (uint64_t)TSR_INDEX_MAX + negative;
  uint64_t value = 0;
  if (negative) r->at++;
  const char *const first = r->at;
  bool fits = true;
  for (; *r->at >= '0' && *r->at <= '9'; r->at++) {
    const unsigned digit = (unsigned)(*r->at - '0');
    fits = fits && value <= (most - digit) / 10;
    if (fits) value = value * 10 + digit;
  }
  if (r->at == first) return refuse(r, TSR_EFORMAT, at, "no number");
  if (*first == '0' && (negative || r->at > first + 1)) return refuse(r, TSR_EFORMAT, at, "a zero before a number");
  if (!fits) return refuse(r, TSR_EOVERFLOW, at, "a number that is too large");
  *number = (tsr_index)(negative ? 0 - value : value);
  return TSR_OK;
}

static tsr_status read_list(reading *r, int *count, tsr_index *numbers) {
  tsr_status st = expect(r, "[", "no [");
  *count = 0;
  if (st == TSR_OK && *r->at == ']') {
    r->at++;
    return TSR_OK;
  }
  while (st == TSR_OK) {
    if (*count == TSR_MAX_DIMS) return refuse(r, TSR_ESHAPE, r->at, "one axis more than a tensor can have");
    st = read_number(r, &numbers[(*count)++]);
    if (st != TSR_OK || *r->at != ',') break;
    r->at++;
  }
  return st == TSR_OK ? expect(r, "]", "neither , nor ]") : st;
}

static tsr_status read_dtype(reading *r, int *dtype) {
  char word[WORD_BYTES + 1];
  read_word(r, word);
  *dtype = tsr_dtype_find(word);
  return tsr_dtype_size(*dtype) > 0 ? TSR_OK : refuse(r, TSR_EDTYPE, r->text, "no dtype");
}

/* A layout, or the word before the strides. */
static tsr_status read_tag(reading *r, int *layout, bool *strides) {
  char word[WORD_BYTES + 1];
  const char *const at = r->at;
  read_word(r, word);
  *strides = strcmp(word, "strides") == 0;
  const int found = tsr_layout_find(word);
  if (*strides) return TSR_OK;
  if (found <= TSR_PLAIN) return refuse(r, TSR_ELAYOUT, at, "neither a layout nor strides");
  *layout = found;
  return TSR_OK;
}

/* What follows the shape: perhaps a layout, perhaps strides. */
static tsr_status read_rest(reading *r, int *layout, bool *strides, int ndim, tsr_index *stride) {
  tsr_status st = TSR_OK;
  int count = 0;
  for (int i = 0; i < 2 && st == TSR_OK && *r->at == ' ' && !*strides; i++) {
    const char *const at = ++r->at;
    if (i > 0 && strncmp(at, "strides", 7) != 0) return refuse(r, TSR_EFORMAT, at, "no strides");
    st = read_tag(r, layout, strides);
  }
  if (st == TSR_OK && *strides) {
    const char *const at = r->at;
    st = expect(r, " ", "no space");
    if (st == TSR_OK) st = read_list(r, &count, stride);
    if (st == TSR_OK && count != ndim) return refuse(r, TSR_EFORMAT, at, "not as many strides as axes");
  }
  return st == TSR_OK && *r->at != '\0' ? refuse(r, TSR_EFORMAT, r->at, "more text") : st;
}

/* Whether that many elements exist, and lie within the address space. */
static tsr_status check_described(tsr_ctx *ctx, const tsr_tensor *t, bool strides) {
  tsr__extent extent;
  if (!strides) return tsr__check_desc(ctx, op, t->dtype, t->ndim, t->shape);
  const tsr_status st = tsr__check_shape(ctx, op, "text", t->ndim, t->shape, NULL);
  if (st != TSR_OK || tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent)) return st;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "text", "%t: strides %S leave the address space", t, (int)t->ndim,
                   t->stride);
}

static tsr_status read_all(reading *r, tsr_tensor *t) {
  int dtype = TSR_NONE, ndim = 0, layout = TSR_PLAIN;
  tsr_index shape[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
  bool strides = false;
  tsr_status st = read_dtype(r, &dtype);
  if (st == TSR_OK) st = expect(r, " ", "no space");
  if (st == TSR_OK) st = read_list(r, &ndim, shape);
  if (st == TSR_OK) st = read_rest(r, &layout, &strides, ndim, stride);
  if (st != TSR_OK) return st;
  tsr__describe(dtype, ndim, shape, t);
  for (int i = 0; i < ndim && strides; i++) t->stride[i] = stride[i];
  st = check_described(r->ctx, t, strides);
  if (st == TSR_OK) st = tsr__check_tag(r->ctx, op, t, layout);
  if (st != TSR_OK) return st;
  if (!strides) tsr__strides_for(ndim, shape, TSR_ROW_MAJOR, t->stride);
  t->layout = (uint8_t)layout;
  return TSR_OK;
}

tsr_status tsr_desc_parse(tsr_ctx *ctx, const char *text, tsr_tensor *out) {
  reading r = {ctx, text, text};
  tsr_tensor t = TSR_EMPTY; /* also between its fields: what is given out holds nothing of the stack */
  if (text == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "text", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_status st = strcmp(text, "empty") != 0 ? read_all(&r, &t) : TSR_OK;
  if (st == TSR_OK) *out = t;
  return st;
}
