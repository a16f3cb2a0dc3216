/* tsr_unique: sorted, then one of each run of equal keys. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

#include "cpu/move.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR_HAVE_MALLOC
#define TEMPLATE "ops/sort/unique.tmpl.h"
#include "ops/sort/each_key.h"
#endif

enum { VALUES, INDEX, INVERSE, COUNTS, OUTPUTS };

typedef struct distinct {
  tsr__keys keys;
  tsr_index n, count; /* elements, and how many are different, or written of those */
#if TSR_HAVE_MALLOC
  bool compact; /* one key of each run is left, at the front of sorted */
#endif
  bool pairs, wide;     /* indices are wanted */
  const char *elements; /* contiguous, in row-major order */
  size_t bytes;         /* of one key, or of a pair */
  char *sorted;         /* keys or pairs, and beside it room for as many */
  char *room;
  tsr_tensor *const *out; /* NULL: not wanted */
  tsr__result result[OUTPUTS];
} distinct;

static uint64_t key_at(const distinct *u, tsr_index i) {
  return u->pairs ? tsr__pair_key(u->wide, u->sorted, i) : tsr__key_at(u->keys.bytes, u->sorted, i);
}

#if TSR_HAVE_MALLOC
/* Where nobody asks for indices or counts: the first key of each run remains. */
static bool leave_one_of_each(distinct *u) {
  if (u->pairs || u->out[COUNTS] != NULL) return false;
  switch (u->keys.bytes) {
    case 1: u->count = distinct_u8(u->n, (void *)u->sorted); break;
    case 2: u->count = distinct_u16(u->n, (void *)u->sorted); break;
    case 4: u->count = distinct_u32(u->n, (void *)u->sorted); break;
    default: u->count = distinct_u64(u->n, (void *)u->sorted);
  }
  return true;
}
#endif

static void sort_all(distinct *u, char *memory) {
  char *const a = memory + tsr__sort_tables(&u->keys, u->n), *const b = a + (size_t)u->n * u->bytes;
  size_t *const counts = (size_t *)(void *)memory;
  char *const fetched = u->pairs ? b : a;
  (void)tsr__keys_fetch(&u->keys, u->n, u->elements, u->keys.bytes, fetched);
  if (u->pairs) tsr__pairs_make(u->keys.bytes, u->wide, u->n, b, NULL, a);
  u->sorted =
      u->pairs ? tsr__sort_pairs(&u->keys, u->wide, u->n, a, b, counts) : tsr__sort_keys(&u->keys, u->n, a, b, counts);
  u->room = u->sorted == a ? b : a;
  u->count = 0;
#if TSR_HAVE_MALLOC
  u->compact = leave_one_of_each(u);
  if (u->compact) return;
#endif
  for (tsr_index i = 0; i < u->n; i++) u->count += i == 0 || key_at(u, i) != key_at(u, i - 1);
}

/* ---- outputs: nothing can fail any more ---- */

/* Of zeros and NaN the first one in x, whose bits keys do not tell. */
static void store_special(const distinct *u, uint64_t key, char *out) {
  const size_t item = (size_t)u->keys.bytes;
  const uint64_t ones = UINT64_MAX >> (64 - 8 * u->keys.bytes), zero = ones ^ (ones >> 1);
  if (!u->keys.floats || (key != zero && key != ones)) return;
  for (tsr_index i = 0; i < u->n; i++) {
    if (tsr__key_of(&u->keys, u->elements + (size_t)i * item) != key) continue;
    memcpy(out, u->elements + (size_t)i * item, item);
    return;
  }
}

/* An element as it was; of zeros and NaN the first one. */
static void store_value(const distinct *u, tsr_index at, uint64_t key, char *out) {
  const size_t item = (size_t)u->keys.bytes;
  if (u->pairs) {
    memcpy(out, u->elements + (size_t)tsr__pair_index(u->wide, u->sorted, at) * item, item);
    return;
  }
  tsr__keys_values(&u->keys, 1, u->sorted + (size_t)at * item, out);
  store_special(u, key, out);
}

static void store_index(const tsr_tensor *t, tsr_index at, tsr_index value) {
  ((tsr_index *)t->data)[at * t->stride[0]] = value;
}

/* The contiguous inverse: number of the run, at the index of each of its elements. */
static void fill_inverse(tsr_ctx *ctx, const distinct *u) {
  tsr_tensor *const out = u->out[INVERSE];
  tsr_index *const inverse = (tsr_index *)(void *)u->room;
  tsr_index run = -1;
  for (tsr_index i = 0; i < u->n; i++) {
    run += i == 0 || key_at(u, i) != key_at(u, i - 1);
    inverse[tsr__pair_index(u->wide, u->sorted, i)] = run;
  }
  tsr_tensor flat = *out;
  flat.data = inverse;
  tsr__strides_for(flat.ndim, flat.shape, TSR_ROW_MAJOR, flat.stride);
  tsr__copy_no_alias(ctx, &flat, out);
}

#if TSR_HAVE_MALLOC
/* All at once; zeros and NaN are single ones. */
static void fill_values(const distinct *u) {
  const tsr_tensor *const out = u->out[VALUES];
  const int bytes = u->keys.bytes;
  const uint64_t ones = UINT64_MAX >> (64 - 8 * bytes), zero = ones ^ (ones >> 1);
  const ptrdiff_t step = (ptrdiff_t)out->stride[0] * bytes;
  tsr_index at = 0, end = u->count;
  while (at < end) { /* the first key that is not less than that of zero */
    const tsr_index middle = at + (end - at) / 2;
    if (tsr__key_at(bytes, u->sorted, middle) < zero)
      at = middle + 1;
    else
      end = middle;
  }
  const uint64_t near_zero = at < u->count ? tsr__key_at(bytes, u->sorted, at) : 0;
  if (u->count == 0) return; /* there may be no memory */
  const uint64_t last = tsr__key_at(bytes, u->sorted, u->count - 1);
  tsr__keys_values(&u->keys, u->count, u->sorted, u->sorted);
  tsr__move_row((size_t)bytes, u->count, u->sorted, bytes, out->data, step);
  if (near_zero == zero) store_special(u, zero, (char *)out->data + (ptrdiff_t)at * step);
  if (last == ones) store_special(u, ones, (char *)out->data + (ptrdiff_t)(u->count - 1) * step);
}
#endif

static void fill_unique(tsr_ctx *ctx, const distinct *u) {
  tsr_index run = 0;
#if TSR_HAVE_MALLOC
  if (u->compact) {
    fill_values(u);
    return;
  }
#endif
  for (tsr_index i = 0, end; i < u->n; i = end, run++) {
    const uint64_t key = key_at(u, i);
    for (end = i + 1; end < u->n && key_at(u, end) == key;) end++;
    if (run >= u->count) break;
    const tsr_tensor *const values = u->out[VALUES];
    const ptrdiff_t step = values != NULL ? (ptrdiff_t)values->stride[0] * u->keys.bytes : 0;
    if (values != NULL) store_value(u, i, key, (char *)values->data + (ptrdiff_t)run * step);
    if (u->out[INDEX] != NULL) store_index(u->out[INDEX], run, tsr__pair_index(u->wide, u->sorted, i));
    if (u->out[COUNTS] != NULL) store_index(u->out[COUNTS], run, end - i);
  }
  if (u->out[INVERSE] != NULL) fill_inverse(ctx, u);
}

/* ---- the call ---- */

static void describe_distinct(const tsr__call *call, tsr_tensor *const *out, distinct *u) {
  u->keys = tsr__keys_of(call->ctx, call->in[0]->dtype, false);
  u->n = tsr_size(call->in[0]);
#if TSR_HAVE_MALLOC
  (void)tsr__keys_share(&u->keys, call->ctx, 1, u->n);
#endif
  u->out = out;
  u->pairs = out[INDEX] != NULL || out[INVERSE] != NULL;
  u->wide = tsr__pairs_wide(u->keys.bytes, u->n);
  u->bytes = u->pairs ? tsr__pair_bytes(u->wide) : (size_t)u->keys.bytes;
}

static tsr_status get_sorting_memory(tsr__call *call, const distinct *u, void **memory) {
  size_t bytes;
  if (!tsr__mul_size((size_t)u->n, 2 * u->bytes, &bytes) ||
      !tsr__add_size(bytes, tsr__sort_tables(&u->keys, u->n), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "temporary memory for %t does not fit the address space",
                     call->in[0]);
  return tsr__call_scratch(call, bytes, memory);
}

/* Outputs must not share memory; with x they may, which is copied then. */
static tsr_status make_unique_outputs(tsr__call *call, distinct *u) {
  const tsr_tensor *const x = call->in[0];
  tsr_status st = TSR_OK;
  for (int i = 0; i < OUTPUTS && st == TSR_OK; i++) {
    if (u->out[i] == NULL) continue;
    u->result[i] = (tsr__result){i == VALUES ? x->dtype : TSR__INDEX_DTYPE, TSR_PLAIN, 1, &u->count, NULL};
    if (i == INVERSE) u->result[i] = (tsr__result){TSR__INDEX_DTYPE, x->layout, x->ndim, x->shape, NULL};
    st = tsr__call_output(call, i, &u->result[i]);
  }
  if (st == TSR_OK) st = tsr__check_outputs_no_alias(call);
  return st == TSR_OK ? tsr__call_outputs(call) : st;
}

/* A copy of the elements, which x holds contiguous, where an output lies in their place. */
static tsr_status save_elements(tsr__call *call, const tsr_tensor *x, distinct *u) {
  bool overlaps = false;
  for (int i = 0; i < OUTPUTS && u->n > 0; i++) {
    const tsr_tensor *const out = u->out[i];
    overlaps = overlaps || (out != NULL && tsr_size(out) > 0 && tsr__overlap(x, out));
  }
  if (!overlaps) return TSR_OK;
  tsr_tensor copy;
  const tsr_status st = tsr__call_copy_of(call, x, &copy);
  if (st != TSR_OK) return st;
  tsr__move_no_alias(call->ctx, x, &copy);
  u->elements = copy.data;
  return TSR_OK;
}

static tsr_status unique(tsr__call *call) {
  const tsr_tensor *const x = call->in[0];
  tsr_tensor contiguous = *x;
  void *memory;
  distinct u;
  tsr_status st = tsr__check_real(call, 0);
  if (st != TSR_OK) return st;
  describe_distinct(call, call->out, &u);
  if (!u.pairs && u.out[VALUES] == NULL && u.out[COUNTS] == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "values", "and all other outputs are NULL");
  st = tsr__call_outputs(call);
  if (st == TSR_OK && u.n > 0 && !tsr_is_contiguous(x, TSR_ROW_MAJOR)) st = tsr__call_copy_of(call, x, &contiguous);
  if (st == TSR_OK) st = get_sorting_memory(call, &u, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__fill_unaliased(call->ctx, x, &contiguous);
  u.elements = contiguous.data;
  sort_all(&u, memory);
  st = make_unique_outputs(call, &u);
  if (st == TSR_OK) st = save_elements(call, &contiguous, &u);
  if (st == TSR_OK) fill_unique(call->ctx, &u);
  return st;
}

TSR__OP(unique, unique, TSR__OP_DATA_SIZED)
tsr_status tsr_unique(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *values, tsr_tensor *index, tsr_tensor *inverse,
                      tsr_tensor *counts) {
  return TSR__CALL(unique, ctx, TSR__INPUTS(x), TSR__OUTPUTS(values, index, inverse, counts), );
}

/* ---- with room for so many ---- */

/* The outputs of tsr_unique_within. */
enum { WITHIN_VALUES, WITHIN_INVERSE, WITHIN_COUNTS, WITHIN_COUNT, WITHIN_OUTPUTS };

static tsr_status make_outputs_within(tsr__call *call, const tsr_index *capacity, tsr__result *result) {
  const tsr_tensor *const x = call->in[0];
  tsr_status st = TSR_OK;
  result[WITHIN_VALUES] = (tsr__result){x->dtype, TSR_PLAIN, 1, capacity, NULL};
  result[WITHIN_INVERSE] = (tsr__result){TSR__INDEX_DTYPE, x->layout, x->ndim, x->shape, NULL};
  result[WITHIN_COUNTS] = (tsr__result){TSR__INDEX_DTYPE, TSR_PLAIN, 1, capacity, NULL};
  result[WITHIN_COUNT] = (tsr__result){TSR__INDEX_DTYPE, TSR_PLAIN, 0, NULL, NULL};
  for (int i = 0; i < WITHIN_OUTPUTS && st == TSR_OK; i++) st = tsr__call_output(call, i, &result[i]);
  if (st == TSR_OK) st = tsr__check_outputs_no_alias(call);
  return st == TSR_OK ? tsr__call_outputs(call) : st;
}

/* Room for a copy of x where it is not contiguous, or an output lies over it. */
static tsr_status plan_elements(tsr__call *call, tsr_tensor *contiguous) {
  const tsr_tensor *const x = call->in[0];
  bool copied = tsr_size(x) > 0 && !tsr_is_contiguous(x, TSR_ROW_MAJOR);
  for (int i = 0; i < WITHIN_OUTPUTS && tsr_size(x) > 0; i++)
    copied = copied || (call->out[i] != NULL && tsr_size(call->out[i]) > 0 && tsr__overlap(x, call->out[i]));
  *contiguous = *x;
  return copied ? tsr__call_copy_of(call, x, contiguous) : TSR_OK;
}

/* What no number was found for is 0. */
static void fill_rest(const tsr_tensor *t, tsr_index first) {
  const ptrdiff_t item = t != NULL ? tsr__item(t) : 0;
  for (tsr_index i = first; t != NULL && i < t->shape[0]; i++)
    memset((char *)t->data + (ptrdiff_t)(i * t->stride[0]) * item, 0, (size_t)item);
}

static tsr_status unique_within(tsr__call *call) {
  const tsr__unique_within_attrs *const attrs = call->attrs;
  tsr_tensor *const *const out = call->out;
  tsr_tensor *const wanted[OUTPUTS] = {out[WITHIN_VALUES], NULL, out[WITHIN_INVERSE], out[WITHIN_COUNTS]};
  tsr__result result[WITHIN_OUTPUTS];
  tsr_tensor contiguous;
  void *memory;
  distinct u;
  tsr_status st = tsr__check_real(call, 0);
  if (st != TSR_OK) return st;
  if (attrs->capacity < 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "capacity", "is %l", (int64_t)attrs->capacity);
  describe_distinct(call, wanted, &u);
  if (!u.pairs && u.out[VALUES] == NULL && u.out[COUNTS] == NULL && out[WITHIN_COUNT] == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "values", "and all other outputs are NULL");
  st = make_outputs_within(call, &attrs->capacity, result);
  if (st == TSR_OK) st = plan_elements(call, &contiguous);
  if (st == TSR_OK) st = get_sorting_memory(call, &u, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__fill_unaliased(call->ctx, call->in[0], &contiguous);
  u.elements = contiguous.data;
  sort_all(&u, memory);
  if (out[WITHIN_COUNT] != NULL) *(tsr_index *)out[WITHIN_COUNT]->data = u.count;
  if (u.count > attrs->capacity) u.count = attrs->capacity;
  if (u.pairs || u.out[VALUES] != NULL || u.out[COUNTS] != NULL) fill_unique(call->ctx, &u);
  fill_rest(u.out[VALUES], u.count);
  fill_rest(u.out[COUNTS], u.count);
  return TSR_OK;
}

TSR__OP(unique_within, unique_within, 0)
tsr_status tsr_unique_within(tsr_ctx *ctx, const tsr_tensor *x, tsr_index capacity, tsr_tensor *values,
                             tsr_tensor *inverse, tsr_tensor *counts, tsr_tensor *count) {
  return TSR__CALL(unique_within, ctx, TSR__INPUTS(x), TSR__OUTPUTS(values, inverse, counts, count),
                   .capacity = capacity);
}
