/* Matrix products the naive way, and operands that lie in every way. */
#ifndef TSR_TEST_MATMUL_REFERENCE_H
#define TSR_TEST_MATMUL_REFERENCE_H

#include "ops/reduce_reference.h"
#include "support/brief.h"

#define TEST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Where there is no malloc, memory comes back only with a fresh context. */
#define RENEW(ctx)                              \
  do {                                          \
    if (!TSR_HAVE_MALLOC) ctx = test_context(); \
  } while (0)

static inline bool is_real_number(int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  return tsr_dtype_supported(dtype) && class_ != TSR_CLASS_COMPLEX && class_ != TSR_CLASS_BOOL;
}
static inline bool is_whole(int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  return class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT || class_ == TSR_CLASS_BOOL;
}

/* An integer of any dtype, its bits extended. */
static inline uint64_t whole_of(int dtype, const void *element) {
  const size_t size = tsr_dtype_size(dtype);
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) {
    const size_t at = TEST_BIG_ENDIAN ? size - 1 - i : i;
    bits |= (uint64_t)((const uint8_t *)element)[at] << (8 * i);
  }
  const bool negative = tsr_dtype_describe(dtype)->class_ == TSR_CLASS_INT && (bits >> (8 * size - 1) & 1) != 0;
  return negative && size < 8 ? bits | ~(uint64_t)0 << (8 * size) : bits;
}

/* ---- operands ---- */

enum { ROWS_PLAIN, ROWS_TURNED, ROWS_PADDED, ROWS_GAPS, ROWS_BACKWARDS, ROWS_REPEATED, LIES };

typedef struct operand {
  tsr_tensor owner, view;
} operand;

/* Integers of all sizes that the dtype has; floats from -1 to 1. */
static inline void fill_random(tsr_tensor *t, test_rng *rng) {
  enum { AT_ONCE = 64 };
  const size_t size = tsr_dtype_size(t->dtype);
  float x[AT_ONCE];
  if (is_whole(t->dtype)) {
    for (size_t i = 0; i < (size_t)tsr_size(t) * size; i++)
      ((uint8_t *)t->data)[i] = (uint8_t)(test_random(rng) >> (t->dtype == TSR_BOOL ? 31 : 7));
    return;
  }
  for (tsr_index i = 0; i < tsr_size(t); i += AT_ONCE) {
    const tsr_index count[1] = {tsr_size(t) - i < AT_ONCE ? tsr_size(t) - i : AT_ONCE};
    tsr_tensor flat = {0}, from = {0};
    for (tsr_index j = 0; j < count[0]; j++) x[j] = (float)((int)(test_random(rng) >> 8) - (1 << 23)) / (1 << 23);
    if (tsr_from_memory(NULL, x, TSR_F32, 1, count, &from) != TSR_OK ||
        tsr_from_memory(NULL, (char *)t->data + (size_t)i * size, t->dtype, 1, count, &flat) != TSR_OK ||
        tsr_copy(NULL, &from, &flat) != TSR_OK)
      __builtin_trap();
  }
}

/* A tensor of shape (the last two axes are the matrix) that lies in one of the ways. */
static inline operand make_operand(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, int lie, test_rng *rng) {
  operand o = {{0}, {0}};
  tsr_index all[TSR_MAX_DIMS];
  const int r = ndim - 2, c = ndim - 1;
  if (ndim < 2) lie = lie == ROWS_BACKWARDS || lie == ROWS_GAPS ? lie : ROWS_PLAIN;
  for (int i = 0; i < ndim; i++) all[i] = shape[i];
  if (lie == ROWS_TURNED) all[r] = shape[c], all[c] = shape[r];
  if (lie == ROWS_PADDED) all[c] = shape[c] + 3;
  if (lie == ROWS_GAPS) all[c] = 2 * shape[c];
  if (lie == ROWS_REPEATED) all[r] = 1;
  int st = tsr_empty(ctx, dtype, ndim, all, &o.owner);
  fill_random(&o.owner, rng);
  if (st == TSR_OK) st = tsr_view(ctx, &o.owner, &o.view);
  if (lie == ROWS_TURNED) st = tsr_transpose(ctx, &o.view, r, c, &o.view);
  if (lie == ROWS_PADDED) st = tsr_slice(ctx, &o.view, c, 1, 1 + shape[c], 1, &o.view);
  if (lie == ROWS_GAPS) st = tsr_slice(ctx, &o.view, c, 0, 2 * shape[c], 2, &o.view);
  if (lie == ROWS_BACKWARDS) {
    st = tsr_flip(ctx, &o.view, c, &o.view);
    if (ndim > 1 && st == TSR_OK) st = tsr_flip(ctx, &o.view, r, &o.view);
  }
  if (lie == ROWS_REPEATED) st = tsr_broadcast_to(ctx, &o.view, ndim, shape, &o.view);
  if (st != TSR_OK) __builtin_trap();
  return o;
}

/* ---- one element of the result ---- */

typedef struct expected_sum {
  double sum, size; /* Σ a·b, Σ |a·b| */
  uint64_t whole;   /* the same of integers, modulo 2^64 */
} expected_sum;

/* Of the result's batch index at (as long as the longer batch), row i and column j. */
static inline expected_sum naive(const tsr_tensor *a, const tsr_tensor *b, int batch, const tsr_index *at, tsr_index i,
                                 tsr_index j) {
  tsr_index ia[TSR_MAX_DIMS] = {0}, ib[TSR_MAX_DIMS] = {0};
  const int own_a = a->ndim > 2 ? a->ndim - 2 : 0, own_b = b->ndim > 2 ? b->ndim - 2 : 0;
  expected_sum e = {0, 0, 0};
  for (int x = 0; x < own_a; x++) ia[x] = a->shape[x] == 1 ? 0 : at[batch - own_a + x];
  for (int x = 0; x < own_b; x++) ib[x] = b->shape[x] == 1 ? 0 : at[batch - own_b + x];
  if (a->ndim > 1) ia[a->ndim - 2] = i;
  if (b->ndim > 1) ib[b->ndim - 1] = j;
  const bool whole = is_whole(a->dtype) && is_whole(b->dtype);
  const tsr_index count = a->shape[a->ndim - 1], step_b = b->stride[b->ndim > 1 ? b->ndim - 2 : 0];
  const ptrdiff_t next_a = (ptrdiff_t)a->stride[a->ndim - 1] * (ptrdiff_t)tsr_dtype_size(a->dtype);
  const ptrdiff_t next_b = (ptrdiff_t)step_b * (ptrdiff_t)tsr_dtype_size(b->dtype);
  if (count == 0) return e;
  const char *const first_a = test_at(a, ia), *const first_b = test_at(b, ib);
  for (tsr_index k = 0; k < count; k++) {
    const char *const at_a = first_a + next_a * (ptrdiff_t)k, *const at_b = first_b + next_b * (ptrdiff_t)k;
    const double x = number_of(a->dtype, at_a), y = number_of(b->dtype, at_b);
    e.sum += x * y;
    e.size += fabs(x * y);
    if (whole) e.whole += whole_of(a->dtype, at_a) * whole_of(b->dtype, at_b);
  }
  return e;
}

static inline bool matches(const tsr_tensor *out, const void *element, const expected_sum *e, tsr_index k, int summed) {
  if (is_whole(out->dtype)) {
    const uint64_t mask =
        tsr_dtype_size(out->dtype) == 8 ? ~(uint64_t)0 : ((uint64_t)1 << (8 * tsr_dtype_size(out->dtype))) - 1;
    return (whole_of(out->dtype, element) & mask) == (e->whole & mask);
  }
  const double u = summed == TSR_F64 ? 0x1p-53 : 0x1p-24, got = number_of(out->dtype, element);
  const double bound = ((double)k + 2) * u * e->size + 0x1p-50 * e->size * (double)k;
  if (isnan(e->sum) || isinf(e->sum)) return isnan(e->sum) ? isnan(got) : got == e->sum || isnan(got);
  const bool small = tsr_dtype_size(out->dtype) <= 2;
  const double rounding = small ? precision(out->dtype) * (fabs(e->sum) + bound) + smallest(out->dtype) : 0;
  return fabs(got - e->sum) <= bound + rounding;
}

#endif
