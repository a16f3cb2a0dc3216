#include "loss.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"
#include "text.h"

/* Numbers that are compared at a time, and numbers that are looked through at a time. */
enum { BLOCK = 1024, CHUNK = 1 << 20 };

typedef struct counting {
  tsr_ctx *ctx;
  int dtype;
  bool from_integer, to_float;
  loss sum;
} counting;

static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

/* Integers promote to any float, and are rounded by most. */
static bool may_lose(int from, int to) {
  if (from == to || class_of(to) == TSR_CLASS_COMPLEX || class_of(from) == TSR_CLASS_COMPLEX) return false;
  if (class_of(from) > TSR_CLASS_BOOL && class_of(from) < TSR_CLASS_FLOAT && class_of(to) == TSR_CLASS_FLOAT)
    return true;
  return tsr_dtype_promote(from, to) != to;
}

/* ---- numbers ---- */

static void compare_to_float(counting *c, double before, double after) {
  if (isfinite(before) ? !isfinite(after) : isinf(before) && after != before) {
    c->sum.beyond++;
  } else if (c->from_integer && after != before) {
    c->sum.rounded++;
  }
}

static void compare_to_integer(counting *c, double before, double after) {
  if (before == after) return;
  if (isnan(before)) {
    c->sum.nans++;
  } else if (fabs(before - after) < 1) {
    c->sum.rounded++;
  } else {
    c->sum.beyond++;
  }
  c->sum.zeros += after == 0;
}

/* As f64, and by way of the new dtype. */
static tsr_status there_and_back(const counting *c, const tsr_tensor *part, double *before, double *after) {
  _Alignas(16) char narrow[BLOCK * 8];
  const tsr_index n = tsr_size(part);
  tsr_tensor x = {0}, y = {0}, z = {0};
  tsr_status st = tsr_from_memory(c->ctx, before, TSR_F64, 1, &n, &x);
  if (st == TSR_OK) st = tsr_from_memory(c->ctx, narrow, c->dtype, 1, &n, &y);
  if (st == TSR_OK) st = tsr_from_memory(c->ctx, after, TSR_F64, 1, &n, &z);
  if (st == TSR_OK) st = tsr_cast(c->ctx, part, TSR_F64, &x);
  if (st == TSR_OK) st = tsr_cast(c->ctx, part, c->dtype, &y);
  return st == TSR_OK ? tsr_cast(c->ctx, &y, TSR_F64, &z) : st;
}

static tsr_status compare(counting *c, const tsr_tensor *part) {
  double before[BLOCK], after[BLOCK];
  const tsr_status st = there_and_back(c, part, before, after);
  for (tsr_index i = 0; i < tsr_size(part) && st == TSR_OK; i++) {
    if (c->to_float) compare_to_float(c, before[i], after[i]);
    if (!c->to_float) compare_to_integer(c, before[i], after[i]);
  }
  return st;
}

/* ---- parts ---- */

/* Whether floats are whole as floats of the other dtype: their extremes are. */
static bool fits(const counting *c, const tsr_tensor *part) {
  tsr_summary all;
  if (!c->to_float || c->from_integer || tsr_summarize(c->ctx, part, &all) != TSR_OK || all.infs > 0) return false;
  double ends[2] = {all.min, all.max}, before[2], after[2];
  tsr_tensor two = {0};
  if (isnan(all.min)) return true;
  if (tsr_from_memory(c->ctx, ends, TSR_F64, TSR_SHAPE(2), &two) != TSR_OK) return false;
  return there_and_back(c, &two, before, after) == TSR_OK && isfinite(after[0]) && isfinite(after[1]);
}

static tsr_status count_chunk(counting *c, const tsr_tensor *chunk) {
  tsr_status st = TSR_OK;
  if (fits(c, chunk)) return TSR_OK;
  for (tsr_index at = 0; at < chunk->shape[0] && st == TSR_OK; at += BLOCK) {
    const tsr_index left = chunk->shape[0] - at;
    tsr_tensor part = {0};
    st = tsr_narrow(c->ctx, chunk, 0, at, left < BLOCK ? left : BLOCK, &part);
    if (st == TSR_OK) st = compare(c, &part);
  }
  return st;
}

static tsr_status count_row(counting *c, const tsr_tensor *row) {
  tsr_status st = TSR_OK;
  for (tsr_index at = 0; at < row->shape[0] && st == TSR_OK; at += CHUNK) {
    const tsr_index left = row->shape[0] - at;
    tsr_tensor chunk = {0};
    st = tsr_narrow(c->ctx, row, 0, at, left < CHUNK ? left : CHUNK, &chunk);
    if (st == TSR_OK) st = count_chunk(c, &chunk);
    if (st == TSR_OK) stream_forget(&chunk);
  }
  return st;
}

static tsr_status count_tensor(counting *c, const tsr_tensor *t) {
  tsr_tensor flat = {0};
  tsr_status st = TSR_OK;
  if (tsr_flatten_view(c->ctx, t, &flat) == TSR_OK) return count_row(c, &flat);
  tsr_error_clear(c->ctx); /* no failure: it needs one loop more */
  for (tsr_index i = 0; i < t->shape[0] && st == TSR_OK; i++) {
    tsr_tensor part = {0};
    st = tsr_select(c->ctx, t, 0, i, &part);
    if (st == TSR_OK) st = count_tensor(c, &part);
  }
  return st;
}

/* Blocks that are not decoded yet: what cannot be, whoever converts it will say. */
static tsr_status count_packed(counting *c, const target *t) {
  float numbers[BLOCK];
  const tsr_index n = tsr_size(&t->tensor);
  tsr_status st = TSR_OK;
  for (tsr_index at = 0; at < n && st == TSR_OK; at += BLOCK) {
    const tsr_index count = n - at < BLOCK ? n - at : BLOCK;
    tsr_tensor part = {0};
    st = packed_numbers(c->ctx, t->packed, &t->blocks, at, count, TSR_F32, numbers);
    if (st == TSR_EUNSUPPORTED) return tsr_error_clear(c->ctx), TSR_OK;
    if (st == TSR_OK) st = tsr_from_memory(c->ctx, numbers, TSR_F32, 1, &count, &part);
    if (st == TSR_OK) st = count_chunk(c, &part);
  }
  return st;
}

/* A member of an archive is in memory for as long as it is looked at. */
static tsr_status count_fetched(counting *c, target *t) {
  tsr_status st = target_fetch(c->ctx, t);
  if (st == TSR_OK) st = count_tensor(c, &t->tensor);
  target_drop(t);
  return st;
}

tsr_status loss_count(tsr_ctx *ctx, target *t, int dtype, loss *out) {
  const tsr_tensor *x = &t->tensor;
  counting c = {.ctx = ctx, .dtype = dtype, .sum = {.count = tsr_size(x)}};
  c.from_integer = class_of(x->dtype) < TSR_CLASS_FLOAT;
  c.to_float = class_of(dtype) == TSR_CLASS_FLOAT;
  tsr_status st = TSR_OK;
  if (may_lose(x->dtype, dtype) && tsr_size(x) > 0)
    st =
        t->packed != NULL && x->data == NULL && packed_in_parts(t->packed) ? count_packed(&c, t) : count_fetched(&c, t);
  *out = c.sum;
  return st;
}

/* ---- text ---- */

static void add(char *text, const char *before, int64_t count, const char *what) {
  char number[32];
  const size_t n = strlen(text);
  if (count > 0) (void)snprintf(text + n, LOSS_TEXT - n, "%s%s %s", before, text_count(count, number), what);
}

const char *loss_text(const loss *l, int from, int to, char text[LOSS_TEXT]) {
  char changed[32], all[32];
  (void)snprintf(text, LOSS_TEXT, "%s to %s changes %s of %s numbers", tsr_dtype_name(from), tsr_dtype_name(to),
                 text_count(loss_changed(l), changed), text_count(l->count, all));
  const char *before = ": ";
  add(text, before, l->rounded, "rounded");
  if (l->rounded > 0) before = ", ";
  add(text, before, l->beyond, "out of range");
  if (l->beyond > 0) before = ", ";
  add(text, before, l->nans, "NaN");
  add(text, "; ", l->zeros, "become 0");
  return text;
}
