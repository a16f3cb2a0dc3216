/* The order of elements, written from its definition, and lines of a tensor sorted by insertion. */
#ifndef TSR_TEST_SORT_REFERENCE_H
#define TSR_TEST_SORT_REFERENCE_H

#include "ops/reduce_reference.h"

enum { SORT_LONGEST = TSR_HAVE_MALLOC ? 1800 : 220 };

static inline int sort_class(int dtype) { return tsr_dtype_describe(dtype)->class_; }

/* An integer of any dtype; u64 as its bits. */
static inline int64_t whole_of(int dtype, const void *element) {
  switch (dtype) {
    case TSR_I8: return *(const int8_t *)element;
    case TSR_I16: return *(const int16_t *)element;
    case TSR_I32: return *(const int32_t *)element;
    case TSR_U16: return *(const uint16_t *)element;
    case TSR_U32: return *(const uint32_t *)element;
    case TSR_I64:
    case TSR_U64: return *(const int64_t *)element;
    default: return *(const uint8_t *)element;
  }
}

/* Whether a comes before b, whatever their indices. NaN never does, and everything else does before it. */
static inline bool comes_before(int dtype, bool descending, const void *a, const void *b) {
  if (sort_class(dtype) == TSR_CLASS_FLOAT) {
    const double x = number_of(dtype, a), y = number_of(dtype, b);
    if (isnan(x) || isnan(y)) return !isnan(x) && isnan(y);
    return descending ? x > y : x < y;
  }
  const int64_t x = whole_of(dtype, a), y = whole_of(dtype, b);
  if (x == y) return false;
  const bool less = dtype == TSR_U64 ? (uint64_t)x < (uint64_t)y : x < y;
  return less != descending;
}

/* The indices of n elements, step bytes apart, in order; equal ones as they were. */
static inline void sorted_indices(int dtype, bool descending, tsr_index n, const char *at, ptrdiff_t step,
                                  tsr_index *index) {
  for (tsr_index i = 0; i < n; i++) {
    tsr_index k = i;
    for (; k > 0 && comes_before(dtype, descending, at + step * (ptrdiff_t)i, at + step * (ptrdiff_t)index[k - 1]); k--)
      index[k] = index[k - 1];
    index[k] = i;
  }
}

/* Elements with everything that is hard: equal ones, zeros of both signs, NaN of both signs with payloads,
 * infinities. */
static inline void fill_hard(int dtype, tsr_index n, void *data, test_rng *rng) {
  const size_t item = tsr_dtype_size(dtype);
  unsigned char *const bytes = data;
  for (tsr_index i = 0; i < n; i++) {
    unsigned char *const element = bytes + (size_t)i * item;
    uint64_t raw = (uint64_t)test_random(rng) << 32 | test_random(rng);
    const uint64_t ones = UINT64_MAX >> (64 - 8 * item), sign = ones ^ ones >> 1;
    switch (test_between(rng, 0, 15)) {
      case 0: raw = 0; break;
      case 1: raw = sign; break;
      case 2: raw = ones; break;
      case 3: raw = ones >> 1; break;
      case 4: raw |= dtype == TSR_F32 ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8) << 48; break;
      case 5: raw &= 7; break;
      default: break;
    }
    if (dtype == TSR_BOOL) raw &= 1;
    if (i > 0 && test_between(rng, 0, 3) == 0) {
      memcpy(element, bytes + (size_t)test_between(rng, 0, i - 1) * item, item);
      continue;
    }
    const uint8_t b1 = (uint8_t)raw;
    const uint16_t b2 = (uint16_t)raw;
    const uint32_t b4 = (uint32_t)raw;
    const void *const sizes[9] = {[1] = &b1, [2] = &b2, [4] = &b4, [8] = &raw};
    memcpy(element, sizes[item], item);
  }
}

/* Every dtype that has an order, in every layout: check fills the buffer under x and looks at what becomes of it. */
typedef void ordered_check(tsr_ctx *ctx, test_buffer *buffer, const tsr_tensor *x, test_rng *rng);

static inline void each_ordered_layout(uint32_t seed, ordered_check *check) {
  static test_buffer buffer;
  test_rng rng = {seed};
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    for (int l = 0; is_real(dtype) && l < test_layout_count(); l++) {
      tsr_ctx *const ctx = test_context();
      const tsr_tensor x = test_over(&buffer, dtype, test_layout_at(l));
      check(ctx, &buffer, &x, &rng);
      CHECK(test_live() == 0);
    }
}

/* Calls check for every line of x along axis: where it begins, and where that is in out. */
typedef void line_check(const tsr_tensor *x, const char *at, ptrdiff_t step, tsr_index *index, int axis, void *arg);

static inline void each_line(const tsr_tensor *x, int axis, line_check *check, void *arg) {
  tsr_index shape[TSR_MAX_DIMS], index[TSR_MAX_DIMS] = {0};
  for (int i = 0; i < x->ndim; i++) shape[i] = i == axis ? 1 : x->shape[i];
  if (tsr_size(x) == 0) return;
  do check(x, test_at(x, index), (ptrdiff_t)x->stride[axis] * (ptrdiff_t)tsr_dtype_size(x->dtype), index, axis, arg);
  while (test_next_index(x->ndim, shape, index));
}

/* Element i of the line of out that begins at index. */
static inline const char *along_at(const tsr_tensor *out, const tsr_index *index, int axis, tsr_index i) {
  return (const char *)test_at(out, index) + (ptrdiff_t)(i * out->stride[axis]) * (ptrdiff_t)tsr_dtype_size(out->dtype);
}

static inline tsr_index index_at(const tsr_tensor *out, const tsr_index *index, int axis, tsr_index i) {
  return *(const tsr_index *)(const void *)along_at(out, index, axis, i);
}

#endif
