/* Updates one after another, written from their definition, for every dtype and mode. */
#ifndef TSR_TEST_SCATTER_REFERENCE_H
#define TSR_TEST_SCATTER_REFERENCE_H

#include "ops/move_reference.h"
#include "ops/reduce_reference.h"

enum { MODES = 5, MOST = 2 * TEST_ELEMENTS };

/* What a dtype is computed in here: the float that it is rounded to after every step, or 64 bits. */
typedef union wide {
  int64_t i;
  double d;
} wide;

static inline bool is_float(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT; }
static inline double rounded(int dtype, double x) { return dtype == TSR_F64 ? x : (double)(float)x; }

static inline wide wide_of(int dtype, const void *element) {
  wide w;
  if (is_float(dtype)) {
    w.d = number_of(dtype, element);
  } else {
    switch (dtype) {
      case TSR_I8: w.i = *(const int8_t *)element; break;
      case TSR_I16: w.i = *(const int16_t *)element; break;
      case TSR_I32: w.i = *(const int32_t *)element; break;
      case TSR_U16: w.i = *(const uint16_t *)element; break;
      case TSR_U32: w.i = *(const uint32_t *)element; break;
      case TSR_I64:
      case TSR_U64: memcpy(&w.i, element, 8); break;
      default: w.i = *(const uint8_t *)element; break;
    }
  }
  return w;
}

/* Bits of the low bytes, as the dtype has them: an integer after it wrapped. */
static inline int64_t wrapped(int dtype, int64_t x) {
  switch (dtype) {
    case TSR_I8: return (int8_t)(uint8_t)x;
    case TSR_I16: return (int16_t)(uint16_t)x;
    case TSR_I32: return (int32_t)(uint32_t)x;
    case TSR_U8: return (uint8_t)x;
    case TSR_U16: return (uint16_t)x;
    case TSR_U32: return (uint32_t)x;
    case TSR_BOOL: return x != 0;
    default: return x;
  }
}

static inline wide combined(int dtype, int mode, wide x, wide y) {
  wide w = y;
  if (is_float(dtype)) {
    if (mode == TSR_SCATTER_ADD) w.d = rounded(dtype, x.d + y.d);
    if (mode == TSR_SCATTER_MUL) w.d = rounded(dtype, x.d * y.d);
    if (mode == TSR_SCATTER_MIN) w.d = y.d < x.d || isnan(y.d) ? y.d : x.d;
    if (mode == TSR_SCATTER_MAX) w.d = y.d > x.d || isnan(y.d) ? y.d : x.d;
    return w;
  }
  const bool less = dtype == TSR_U64 ? (uint64_t)y.i < (uint64_t)x.i : y.i < x.i;
  if (mode == TSR_SCATTER_ADD) w.i = (int64_t)((uint64_t)x.i + (uint64_t)y.i);
  if (mode == TSR_SCATTER_MUL) w.i = (int64_t)((uint64_t)x.i * (uint64_t)y.i);
  if (mode == TSR_SCATTER_MIN) w.i = less ? y.i : x.i;
  if (mode == TSR_SCATTER_MAX) w.i = less ? x.i : y.i;
  w.i = wrapped(dtype, w.i);
  return w;
}

/* The elements of a tensor in row-major order: as they are, and as numbers. */
typedef struct held {
  _Alignas(16) unsigned char bytes[MOST * 16];
  wide number[MOST];
  tsr_index n;
} held;

static inline void hold(const tsr_tensor *t, bool numbers, held *h) {
  const size_t item = tsr_dtype_size(t->dtype);
  tsr_index index[TSR_MAX_DIMS] = {0};
  h->n = 0;
  if (test_product(t->ndim, t->shape) == 0) return;
  do {
    memcpy(h->bytes + (size_t)h->n * item, test_at(t, index), item);
    if (numbers) h->number[h->n] = wide_of(t->dtype, test_at(t, index));
    h->n++;
  } while (test_next_index(t->ndim, t->shape, index));
}

/* Update: element from of src to element to. */
static inline void update(int dtype, int mode, held *h, tsr_index to, const held *src, tsr_index from) {
  const size_t item = tsr_dtype_size(dtype);
  memcpy(h->bytes + (size_t)to * item, src->bytes + (size_t)from * item, item);
  if (mode != TSR_SCATTER_SET) h->number[to] = combined(dtype, mode, h->number[to], src->number[from]);
}

/* Whether t holds h: the bytes where elements were set, else the numbers, rounded to the dtype. */
static inline bool holds(tsr_ctx *ctx, const tsr_tensor *t, int mode, const held *h) {
  const size_t item = tsr_dtype_size(t->dtype);
  tsr_index index[TSR_MAX_DIMS] = {0}, i = 0;
  if (tsr_size(t) != h->n) return false;
  if (h->n == 0) return true;
  do {
    const void *const element = test_at(t, index);
    if (mode == TSR_SCATTER_SET) {
      if (memcmp(element, h->bytes + (size_t)i * item, item) != 0) return false;
    } else if (is_float(t->dtype)) {
      _Alignas(16) unsigned char one[16];
      double number = h->number[i].d;
      float narrow = (float)number;
      tsr_tensor from = {0}, to = {0};
      const bool f64 = t->dtype == TSR_F64;
      if (tsr_from_memory(ctx, f64 ? (void *)&number : (void *)&narrow, f64 ? TSR_F64 : TSR_F32, 0, NULL, &from) !=
              TSR_OK ||
          tsr_from_memory(ctx, one, t->dtype, 0, NULL, &to) != TSR_OK || tsr_copy(ctx, &from, &to) != TSR_OK ||
          memcmp(one, element, item) != 0)
        return false;
    } else if (wide_of(t->dtype, element).i != h->number[i].i) {
      return false;
    }
    i++;
  } while (test_next_index(t->ndim, t->shape, index));
  return true;
}

/* Whether this build computes with a dtype in a mode. */
static inline bool mode_takes(int mode, int dtype) { return mode == TSR_SCATTER_SET || is_real(dtype); }

#endif
