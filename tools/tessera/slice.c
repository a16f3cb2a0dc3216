#include "slice.h"

#include <string.h>
#include <tessera/tessera.h>

typedef struct reader {
  const char *text;
  size_t at, n;
  slice_error *error;
} reader;

static bool wrong(const reader *r, const char *what) {
  if (r->error != NULL) *r->error = (slice_error){.what = what, .at = r->at};
  return false;
}

static void skip_blanks(reader *r) {
  while (r->at < r->n && (r->text[r->at] == ' ' || r->text[r->at] == '\t')) r->at++;
}

static bool next_is(reader *r, const char *word) {
  const size_t length = strlen(word);
  skip_blanks(r);
  return r->n - r->at >= length && memcmp(r->text + r->at, word, length) == 0;
}

static bool take(reader *r, const char *word) {
  if (!next_is(r, word)) return false;
  r->at += strlen(word);
  return true;
}

static bool is_digit(const reader *r) { return r->at < r->n && r->text[r->at] >= '0' && r->text[r->at] <= '9'; }

/* ---- parts ---- */

/* A whole number with an optional sign, or nothing: then *value is TSR_OMIT. */
static bool read_number(reader *r, tsr_index *value) {
  *value = TSR_OMIT;
  skip_blanks(r);
  const bool negative = take(r, "-");
  const bool is_signed = negative || take(r, "+");
  if (!is_digit(r)) return !is_signed || wrong(r, "a number is expected");
  tsr_index number = 0;
  for (; is_digit(r); r->at++) {
    const int digit = r->text[r->at] - '0';
    if (number > (TSR_INDEX_MAX - digit) / 10) return wrong(r, "this number is too large");
    number = number * 10 + digit;
  }
  *value = negative ? -number : number;
  return true;
}

static bool read_range(reader *r, slice_part *part) {
  *part = (slice_part){.kind = SLICE_INDEX, .start = 0, .stop = TSR_OMIT, .step = 1};
  if (!read_number(r, &part->start)) return false;
  if (!take(r, ":")) return part->start != TSR_OMIT || wrong(r, "an index, a range, ... or None is expected");
  part->kind = SLICE_RANGE;
  if (!read_number(r, &part->stop)) return false;
  if (!take(r, ":")) return true;
  if (!read_number(r, &part->step)) return false;
  if (part->step == 0) return wrong(r, "a step cannot be 0");
  if (part->step == TSR_OMIT) part->step = 1;
  return true;
}

/* "[1, 2]": the bracket is taken. */
static bool read_list(reader *r, slice *s) {
  if (s->listed > 0) return wrong(r, "there can be one list of indices only");
  while (s->listed == 0 || !next_is(r, "]")) {
    if (s->listed == SLICE_LISTED) return wrong(r, "there are more than 1024 numbers in this list");
    tsr_index *number = &s->list[s->listed];
    if (!read_number(r, number)) return false;
    if (*number == TSR_OMIT) return wrong(r, "an index is expected");
    s->listed++;
    if (!take(r, ",")) break;
  }
  return take(r, "]") || wrong(r, "',' or ']' is expected");
}

static bool read_part(reader *r, slice *s, slice_part *part) {
  if (take(r, "...")) {
    *part = (slice_part){.kind = SLICE_REST};
    return true;
  }
  if (take(r, "[")) {
    *part = (slice_part){.kind = SLICE_LIST};
    return read_list(r, s);
  }
  if (take(r, "None")) {
    *part = (slice_part){.kind = SLICE_NEW};
    return true;
  }
  return read_range(r, part);
}

/* Everything up to the closing bracket. */
static bool read_parts(reader *r, slice *s) {
  bool rest = false;
  for (;;) {
    slice_part part;
    if (s->count > 0 && next_is(r, "]")) break; /* a comma at the end, as in a tuple of one */
    if (!read_part(r, s, &part)) return false;
    if (part.kind == SLICE_REST && rest) return wrong(r, "there can be one ... only");
    if (s->count == SLICE_PARTS) return wrong(r, "there are too many parts");
    rest |= part.kind == SLICE_REST;
    s->parts[s->count++] = part;
    if (!take(r, ",")) break;
  }
  return take(r, "]") || wrong(r, "',' or ']' is expected");
}

bool slice_parse(const char *text, size_t n, slice *out, slice_error *error) {
  reader r = {.text = text, .n = n, .error = error};
  slice s = {0};
  if (!take(&r, "[")) return wrong(&r, "'[' is expected");
  if (!read_parts(&r, &s)) return false;
  skip_blanks(&r);
  if (r.at != n) return wrong(&r, "nothing can follow the slice");
  *out = s;
  return true;
}

/* ---- views ---- */

/* How many axes a slice speaks of. */
static int axes_of(const slice *s) {
  int axes = 0;
  for (int i = 0; i < s->count; i++) axes += s->parts[i].kind != SLICE_REST && s->parts[i].kind != SLICE_NEW;
  return axes;
}

/* Applies one part at *axis, and moves it behind what became of it. */
static tsr_status apply_part(tsr_ctx *ctx, const slice_part *part, int rest, int *axis, tsr_tensor *t) {
  switch (part->kind) {
    case SLICE_INDEX: return tsr_select(ctx, t, *axis, part->start, t);
    case SLICE_RANGE: return tsr_slice(ctx, t, (*axis)++, part->start, part->stop, part->step, t);
    case SLICE_NEW: return tsr_unsqueeze(ctx, t, (*axis)++, t);
    case SLICE_REST: *axis += rest; return TSR_OK;
    case SLICE_LIST: (*axis)++; return TSR_OK; /* last of all: it copies */
  }
  return TSR_OK;
}

static tsr_status take_list(tsr_ctx *ctx, const slice *s, int axis, tsr_tensor *t) {
  tsr_tensor index = {0}, taken = {0};
  tsr_status st = tsr_from_memory(ctx, (tsr_index *)(uintptr_t)s->list, sizeof(tsr_index) == 8 ? TSR_I64 : TSR_I32, 1,
                                  &s->listed, &index);
  if (st == TSR_OK) st = tsr_take(ctx, t, &index, axis, &taken);
  if (st == TSR_OK) *t = taken;
  return st;
}

/* Asking for an axis that is not there makes the library say so. */
tsr_status slice_apply(tsr_ctx *ctx, const tsr_tensor *in, const slice *s, tsr_tensor *out) {
  const int rest = in->ndim - axes_of(s);
  tsr_tensor t = {0};
  int axis = 0, list = -1;
  tsr_status st = tsr_view(ctx, in, &t);
  if (st == TSR_OK && rest < 0) st = tsr_select(ctx, in, axes_of(s) - 1, 0, &t);
  for (int i = 0; i < s->count && st == TSR_OK; i++) {
    if (s->parts[i].kind == SLICE_LIST) list = axis;
    st = apply_part(ctx, &s->parts[i], rest, &axis, &t);
  }
  if (st == TSR_OK && list >= 0) st = take_list(ctx, s, list, &t);
  if (st == TSR_OK) *out = t;
  return st;
}

/* ---- text ---- */

typedef struct writer {
  char *text;
  size_t capacity, n;
} writer;

static void put(writer *w, const char *text) {
  for (; *text != '\0'; text++) {
    if (w->n + 1 < w->capacity) w->text[w->n] = *text;
    w->n++;
  }
}

static void put_number(writer *w, tsr_index value) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  const bool negative = value < 0;
  uint64_t left = negative ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[--at] = (char)('0' + left % 10);
  while ((left /= 10) > 0);
  if (negative) digits[--at] = '-';
  put(w, digits + at);
}

static void put_range(writer *w, const slice_part *part) {
  if (part->start != TSR_OMIT) put_number(w, part->start);
  put(w, ":");
  if (part->stop != TSR_OMIT) put_number(w, part->stop);
  if (part->step == 1) return;
  put(w, ":");
  put_number(w, part->step);
}

static void put_list(writer *w, const slice *s) {
  for (tsr_index i = 0; i < s->listed; i++) {
    put(w, i > 0 ? ", " : "[");
    put_number(w, s->list[i]);
  }
  put(w, "]");
}

size_t slice_format(const slice *s, char *text, size_t capacity) {
  writer w = {.text = text, .capacity = capacity};
  put(&w, "[");
  for (int i = 0; i < s->count; i++) {
    const slice_part *part = &s->parts[i];
    if (i > 0) put(&w, ", ");
    if (part->kind == SLICE_INDEX) put_number(&w, part->start);
    if (part->kind == SLICE_RANGE) put_range(&w, part);
    if (part->kind == SLICE_REST) put(&w, "...");
    if (part->kind == SLICE_NEW) put(&w, "None");
    if (part->kind == SLICE_LIST) put_list(&w, s);
  }
  put(&w, "]");
  if (capacity > 0) text[w.n < capacity ? w.n : capacity - 1] = '\0';
  return w.n;
}
