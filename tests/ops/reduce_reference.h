/* Reductions the naive way: the elements of one output as a list, in logical order. */
#ifndef TSR_TEST_REDUCE_REFERENCE_H
#define TSR_TEST_REDUCE_REFERENCE_H

#include "support/helpers.h"

#include <math.h>
#include <string.h>

/* An element as a number, infinities and NaN of small floats included. */
static inline double number_of(int dtype, const void *element) {
  uint16_t bits = 0;
  memcpy(&bits, element, tsr_dtype_size(dtype) < 2 ? 1 : 2);
  int mantissa = 0, width = 0;
  if (dtype == TSR_F16) mantissa = 10, width = 15;
  if (dtype == TSR_BF16) mantissa = 7, width = 15;
  if (dtype == TSR_F8_E5M2) mantissa = 2, width = 7;
  if (dtype == TSR_F8_E4M3) return (bits & 0x7fu) == 0x7fu ? (double)NAN : test_decode(dtype, element);
  const unsigned code = bits & ((1u << width) - 1), infinity = (1u << width) - (1u << mantissa);
  if (width == 0 || code < infinity) return test_decode(dtype, element);
  return code > infinity ? (double)NAN : (bits >> width & 1u) != 0 ? -(double)INFINITY : (double)INFINITY;
}

/* Axes as bits, and as a list; returns how many. */
static inline int axes_of(unsigned mask, int ndim, int *axes) {
  int n = 0;
  for (int i = 0; i < ndim; i++)
    if ((mask >> i & 1) != 0) axes[n++] = i;
  return n;
}

/* The shape of the result. */
static inline int result_shape(const tsr_tensor *x, unsigned mask, bool keepdims, tsr_index *shape) {
  int n = 0;
  for (int i = 0; i < x->ndim; i++) {
    const bool gone = (mask >> i & 1) != 0;
    if (!gone || keepdims) shape[n++] = gone ? 1 : x->shape[i];
  }
  return n;
}

static inline tsr_index reduced_count(const tsr_tensor *x, unsigned mask) {
  tsr_index n = 1;
  for (int i = 0; i < x->ndim; i++)
    if ((mask >> i & 1) != 0) n *= x->shape[i];
  return n;
}

/* The elements that go into the output at index at (an index of the result without the reduced axes), as numbers. */
static inline tsr_index elements_of(const tsr_tensor *x, unsigned mask, const tsr_index *at, double *list) {
  tsr_index index[TSR_MAX_DIMS] = {0}, shape[TSR_MAX_DIMS], inner[TSR_MAX_DIMS] = {0}, n = 0;
  int axes[TSR_MAX_DIMS], kept = 0;
  const int reduced = axes_of(mask, x->ndim, axes);
  for (int i = 0; i < x->ndim; i++)
    if ((mask >> i & 1) == 0) index[i] = at[kept++];
  for (int i = 0; i < reduced; i++) {
    shape[i] = x->shape[axes[i]];
    if (shape[i] == 0) return 0;
  }
  do {
    for (int i = 0; i < reduced; i++) index[axes[i]] = inner[i];
    list[n++] = number_of(x->dtype, test_at(x, index));
  } while (test_next_index(reduced, shape, inner));
  return n;
}

/* Fills 64 elements of a dtype with small numbers of both signs (quarters where it has them). */
static inline void fill_small(tsr_ctx *ctx, test_buffer *buffer, int dtype, test_rng *rng) {
  static float values[TEST_ELEMENTS];
  const int class_ = tsr_dtype_describe(dtype)->class_;
  const tsr_index shape[1] = {TEST_ELEMENTS};
  tsr_tensor from = {0}, to = {0};
  for (int i = 0; i < TEST_ELEMENTS; i++) {
    const int whole = (int)(test_random(rng) % 17) - 8;
    values[i] = class_ == TSR_CLASS_FLOAT ? (float)whole / 4 : class_ == TSR_CLASS_UINT ? (float)(whole + 8) : (float)whole;
    if (class_ == TSR_CLASS_BOOL) values[i] = (float)(whole > 0);
  }
  if (tsr_from_memory(ctx, values, TSR_F32, 1, shape, &from) != TSR_OK ||
      tsr_from_memory(ctx, buffer->bytes, dtype, 1, shape, &to) != TSR_OK || tsr_copy(ctx, &from, &to) != TSR_OK)
    __builtin_trap();
}

/* The dtypes that reductions take, as far as this build has them. */
static inline bool is_real(int dtype) {
  return tsr_dtype_supported(dtype) && tsr_dtype_describe(dtype)->class_ != TSR_CLASS_COMPLEX;
}

/* A large tensor of uniform numbers around 0, and views of it that need other ways through memory. */
enum { VIEWS = 4 };
static inline const char *view_name(int view) {
  static const char *const names[VIEWS] = {"contiguous", "transposed", "every second, backwards", "a part"};
  return names[view];
}

static inline tsr_status make_view(tsr_ctx *ctx, const tsr_tensor *x, int view, tsr_tensor *out) {
  tsr_status st = tsr_view(ctx, x, out);
  if (st == TSR_OK && view == 1 && x->ndim > 1) st = tsr_transpose(ctx, out, 0, x->ndim - 1, out);
  if (st == TSR_OK && view == 2)
    for (int i = 0; i < x->ndim && st == TSR_OK; i++) {
      st = tsr_slice(ctx, out, i, 0, x->shape[i], 2, out);
      if (st == TSR_OK) st = tsr_flip(ctx, out, i, out);
    }
  if (st == TSR_OK && view == 3) st = tsr_slice(ctx, out, x->ndim - 1, 1, x->shape[x->ndim - 1] - 1, 1, out);
  return st;
}

#endif
