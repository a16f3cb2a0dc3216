/* tsr_unique: sorted, then one of each run of equal keys. */
#include "core/operand.h"
#include "ops/sort/lines.h"
#include "ops/sort/radix.h"

#include "cpu/move.h"
#include "ops/copy/copy.h"

#include <string.h>
#include <tessera/sort.h>

typedef struct unique {
  const char *op;
  tsr__keys   keys;
  tsr_index   n, count; /* elements, and how many are different */
  bool        pairs, wide; /* indices are wanted */
  const char *elements; /* without gaps, in row-major order */
  size_t      bytes;    /* of one key, or of a pair */
  char       *sorted;   /* keys or pairs, and beside it room for as many */
  char       *room;
  tsr_tensor *out[4]; /* values, index, inverse, counts; NULL: not wanted */
} unique;

enum { VALUES, INDEX, INVERSE, COUNTS, OUTPUTS };
static const char *const names[OUTPUTS] = {"values", "index", "inverse", "counts"};

static uint64_t key_at(const unique *u, tsr_index i) {
  return u->pairs ? tsr__pair_key(u->wide, u->sorted, i) : tsr__key_at(u->keys.bytes, u->sorted, i);
}

static void sort_all(unique *u, char *memory) {
  char *const a = memory + tsr__sort_tables(u->keys.bytes, u->n), *const b = a + (size_t)u->n * u->bytes;
  size_t *const counts = (size_t *)(void *)memory;
  char *const   fetched = u->pairs ? b : a;
  (void)tsr__keys_fetch(&u->keys, u->n, u->elements, u->keys.bytes, fetched);
  if (u->pairs) tsr__pairs_make(u->keys.bytes, u->wide, u->n, b, NULL, a);
  u->sorted = u->pairs ? tsr__sort_pairs(u->keys.bytes, u->wide, u->n, a, b, counts)
                       : tsr__sort_keys(u->keys.bytes, u->n, a, b, counts);
  u->room = u->sorted == a ? b : a;
  u->count = 0;
  for (tsr_index i = 0; i < u->n; i++) u->count += i == 0 || key_at(u, i) != key_at(u, i - 1);
}

/* ---- outputs: nothing can fail any more ---- */

/* An element as it was; of zeros and NaN the first one. */
static void store_value(const unique *u, tsr_index at, uint64_t key, char *out) {
  const size_t item = (size_t)u->keys.bytes;
  if (u->pairs) {
    memcpy(out, u->elements + (size_t)tsr__pair_index(u->wide, u->sorted, at) * item, item);
    return;
  }
  tsr__keys_values(&u->keys, 1, u->sorted + (size_t)at * item, out);
  if (!u->keys.floats) return;
  const uint64_t ones = UINT64_MAX >> (64 - 8 * u->keys.bytes), zero = ones ^ (ones >> 1);
  if (key != zero && key != ones) return;
  for (tsr_index i = 0; i < u->n; i++) {
    if (tsr__key_of(&u->keys, u->elements + (size_t)i * item) != key) continue;
    memcpy(out, u->elements + (size_t)i * item, item);
    return;
  }
}

static void store_index(const tsr_tensor *t, tsr_index at, tsr_index value) {
  ((tsr_index *)t->data)[at * t->stride[0]] = value;
}

/* The inverse without gaps: number of the run, at the index of each of its elements. */
static void fill_inverse(tsr_ctx *ctx, const unique *u) {
  tsr_tensor *const out = u->out[INVERSE];
  tsr_index *const  inverse = (tsr_index *)(void *)u->room;
  tsr_index         run = -1;
  for (tsr_index i = 0; i < u->n; i++) {
    run += i == 0 || key_at(u, i) != key_at(u, i - 1);
    inverse[tsr__pair_index(u->wide, u->sorted, i)] = run;
  }
  tsr_tensor flat = *out;
  flat.data = inverse;
  tsr__strides_for(flat.ndim, flat.shape, TSR_ROW_MAJOR, flat.stride);
  tsr__copy_apart(ctx, &flat, out);
}

static void fill(tsr_ctx *ctx, const unique *u) {
  tsr_index run = 0;
  for (tsr_index i = 0, end; i < u->n; i = end, run++) {
    const uint64_t key = key_at(u, i);
    for (end = i + 1; end < u->n && key_at(u, end) == key;) end++;
    const tsr_tensor *const values = u->out[VALUES];
    const ptrdiff_t         step = values != NULL ? (ptrdiff_t)values->stride[0] * u->keys.bytes : 0;
    if (values != NULL) store_value(u, i, key, (char *)values->data + (ptrdiff_t)run * step);
    if (u->out[INDEX] != NULL) store_index(u->out[INDEX], run, tsr__pair_index(u->wide, u->sorted, i));
    if (u->out[COUNTS] != NULL) store_index(u->out[COUNTS], run, end - i);
  }
  if (u->out[INVERSE] != NULL) fill_inverse(ctx, u);
}

/* ---- the call ---- */

static tsr__result result_of(const unique *u, const tsr_tensor *x, int which) {
  if (which == INVERSE) return (tsr__result){TSR__INDEX_DTYPE, x->layout, x->ndim, x->shape, NULL};
  return (tsr__result){which == VALUES ? x->dtype : TSR__INDEX_DTYPE, TSR_PLAIN, 1, &u->count, NULL};
}

/* Outputs must not share memory; with x they may, which is in temporary memory or copied by now. */
static tsr_status make_outputs(tsr_ctx *ctx, const unique *u, const tsr_tensor *x) {
  tsr_tensor before[OUTPUTS];
  tsr_status st = TSR_OK;
  int        made = 0;
  for (int i = 0; i < OUTPUTS && st == TSR_OK; i++) {
    const tsr__result result = result_of(u, x, i);
    if (u->out[i] == NULL) continue;
    st = tsr__output_check_as(ctx, u->op, names[i], &result, u->out[i]);
    for (int k = 0; k < i && st == TSR_OK; k++)
      if (u->out[k] != NULL && u->out[k]->data != NULL && u->out[i]->data != NULL && tsr__overlap(u->out[k], u->out[i]))
        st = TSR__FAIL(ctx, TSR_EOVERLAP, u->op, names[i], "%t and %s share memory", u->out[i], names[k]);
  }
  for (; made < OUTPUTS && st == TSR_OK; made++) {
    const tsr__result result = result_of(u, x, made);
    if (u->out[made] == NULL) continue;
    before[made] = *u->out[made];
    st = tsr__output(ctx, u->op, &result, u->out[made]);
    if (st != TSR_OK) break;
  }
  for (int i = 0; i < made && st != TSR_OK; i++)
    if (u->out[i] != NULL) tsr__lines_undo(&before[i], u->out[i]);
  return st;
}

static tsr_status run(tsr_ctx *ctx, unique *u, const tsr_tensor *x) {
  tsr__scratch scratch;
  size_t       bytes;
  if (!tsr__mul_size((size_t)u->n, 2 * u->bytes, &bytes) ||
      !tsr__add_size(bytes, tsr__sort_tables(u->keys.bytes, u->n), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, u->op, NULL, "temporary memory for %t does not fit the address space", x);
  tsr_status st = tsr__scratch_get(ctx, u->op, bytes, &scratch);
  if (st != TSR_OK) return st;
  sort_all(u, scratch.data);
  st = make_outputs(ctx, u, x);
  if (st == TSR_OK) fill(ctx, u);
  tsr__scratch_put(&scratch);
  return st;
}

/* Whether the elements must be copied: gaps, or an output in their place. */
static bool needs_copy(const unique *u, const tsr_tensor *x) {
  if (u->n == 0) return false;
  for (int i = 0; i < OUTPUTS; i++) {
    const tsr_tensor *const out = u->out[i];
    if (out != NULL && out->data != NULL && tsr_size(out) > 0 && tsr__overlap(x, out)) return true;
  }
  return !tsr_is_contiguous(x, TSR_ROW_MAJOR);
}

tsr_status tsr_unique(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *values, tsr_tensor *index, tsr_tensor *inverse,
                      tsr_tensor *counts) {
  TSR__OPERANDS(x, values, index, inverse, counts);
  unique       u = {.op = "unique", .out = {values, index, inverse, counts}};
  tsr__scratch scratch = {0};
  tsr_tensor   copy;
  tsr_status   st = tsr__lines_check(ctx, u.op, "x", x);
  if (st != TSR_OK) return st;
  if (values == NULL && index == NULL && inverse == NULL && counts == NULL)
    return TSR__FAIL(ctx, TSR_EARG, u.op, "values", "and all other outputs are NULL");
  u.keys = tsr__keys_of(x->dtype, false);
  u.n = tsr_size(x);
  u.pairs = index != NULL || inverse != NULL;
  u.wide = tsr__pairs_wide(u.keys.bytes, u.n);
  u.bytes = u.pairs ? tsr__pair_bytes(u.wide) : (size_t)u.keys.bytes;
  const tsr_tensor *from = x;
  if (needs_copy(&u, x)) {
    st = tsr__copy_to_scratch(ctx, u.op, x, &scratch, &copy);
    from = &copy;
  }
  u.elements = from->data;
  if (st == TSR_OK) st = run(ctx, &u, x);
  tsr__scratch_put(&scratch);
  return st;
}
