/** @file access.h
 *  Elements one at a time: bare, checked, flat, iterated, mapped. */
#ifndef TESSERA_ACCESS_H
#define TESSERA_ACCESS_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bare access: no call, no branch ---- */

/** @cond internal */
static inline tsr_index tsr__offset1(const tsr_tensor *t) { (void)t; return 0; }
static inline tsr_index tsr__offset2(const tsr_tensor *t, tsr_index i) { return i * t->stride[0]; }
static inline tsr_index tsr__offset3(const tsr_tensor *t, tsr_index i, tsr_index j) {
  return tsr__offset2(t, i) + j * t->stride[1];
}
static inline tsr_index tsr__offset4(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k) {
  return tsr__offset3(t, i, j) + k * t->stride[2];
}
static inline tsr_index tsr__offset5(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l) {
  return tsr__offset4(t, i, j, k) + l * t->stride[3];
}
#if TSR_MAX_DIMS >= 8
static inline tsr_index tsr__offset6(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l,
                                     tsr_index m) {
  return tsr__offset5(t, i, j, k, l) + m * t->stride[4];
}
static inline tsr_index tsr__offset7(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l, tsr_index m,
                                     tsr_index n) {
  return tsr__offset6(t, i, j, k, l, m) + n * t->stride[5];
}
static inline tsr_index tsr__offset8(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l, tsr_index m,
                                     tsr_index n, tsr_index o) {
  return tsr__offset7(t, i, j, k, l, m, n) + o * t->stride[6];
}
static inline tsr_index tsr__offset9(const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l, tsr_index m,
                                     tsr_index n, tsr_index o, tsr_index p) {
  return tsr__offset8(t, i, j, k, l, m, n, o) + p * t->stride[7];
}
#endif
#define TSR__OFFSET(...) TSR__CAT(tsr__offset, TSR__NARG(__VA_ARGS__))(__VA_ARGS__)
#define TSR__FIRST_(first, ...) (first)
#define TSR__FIRST(...) TSR__FIRST_(__VA_ARGS__, 0)


/* The checked build's look at an access: rank, item size and kind of the C type, every index, and that a row has stride 1.
 * Returns its tensor, or calls the hook. */
TSR_API const tsr_tensor *tsr__checked(const char *file, int line, const tsr_tensor *t, size_t item, bool is_float,
                                       bool is_row, int n, const tsr_index *index);
#if defined(TSR_CHECKED) && !defined(__cplusplus)
#define TSR__REST(first, ...) __VA_ARGS__
#define TSR__SEEN(T, is_row, ...)                                                                                    \
  tsr__checked(__FILE__, __LINE__, TSR__FIRST(__VA_ARGS__), sizeof(T), (T)0.5 != (T)0, is_row,                       \
               TSR__NARG(__VA_ARGS__) - 1, (const tsr_index[]){TSR__REST(__VA_ARGS__, 0)})
#else
#define TSR__SEEN(T, is_row, ...) TSR__FIRST(__VA_ARGS__)
#endif
/** @endcond */

/** The element (an lvalue) of C type T at an index: TSR_AT(float, &x, i, j) = 1. T must be the dtype's C type, and there
 *  must be one index for each axis. Not checked, except in C programs compiled with TSR_CHECKED. */
#define TSR_AT(T, ...) (((T *)TSR__SEEN(T, false, __VA_ARGS__)->data)[TSR__OFFSET(__VA_ARGS__)])

/** The row (a T *) at all indices but the last, for a last axis of stride 1: float *r = TSR_ROW(float, &x, i); r[j] = 1. */
#define TSR_ROW(T, ...) ((T *)TSR__SEEN(T, true, __VA_ARGS__)->data + TSR__OFFSET(__VA_ARGS__))

/* ---- checked access to any dtype ---- */

/** One element as a number: n indices, n = rank; negative ones count from the end. Complex dtypes: the real part. */
TSR_API TSR_MUST_USE tsr_status tsr_get(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                        tsr_real *value);

/** Sets one element; TSR_ERANGE when the value does not fit the dtype (integers take whole numbers in their range). */
TSR_API TSR_MUST_USE tsr_status tsr_set(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index, tsr_real value);

/** One element as an integer; TSR_ERANGE when it is none, or not in the range of int64_t. */
TSR_API TSR_MUST_USE tsr_status tsr_get_i64(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                            int64_t *value);

/** Sets one element to an integer. */
TSR_API TSR_MUST_USE tsr_status tsr_set_i64(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                            int64_t value);

/** The address of element number offset, counted in order: TSR_ROW_MAJOR is the logical order, TSR_MEMORY that of
 *  increasing addresses. */
TSR_API TSR_MUST_USE tsr_status tsr_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order,
                                         void **element);

/** Element number offset, counted in order, as a number. */
TSR_API TSR_MUST_USE tsr_status tsr_get_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order,
                                             tsr_real *value);

/** Sets element number offset, counted in order. */
TSR_API TSR_MUST_USE tsr_status tsr_set_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order,
                                             tsr_real value);

/* ---- iteration ---- */

/** Walks every element of any tensor:
 *  `for (st = tsr_iter_init(ctx, &x, TSR_ROW_MAJOR, &it); tsr_iter_next(&it);) use(it.data, it.index);` */
typedef struct tsr_iter {
  void     *data;                /**< the present element */
  tsr_index index[TSR_MAX_DIMS]; /**< its index */
  tsr_index left;                /**< elements still to come; private from here on */
  tsr_index shape[TSR_MAX_DIMS];
  ptrdiff_t step[TSR_MAX_DIMS];  /**< bytes, by position in axes */
  uint8_t   axes[TSR_MAX_DIMS];  /**< the axes, the fastest first */
  uint8_t   ndim;
  bool      started;
  bool      upwards;             /**< by increasing address */
} tsr_iter;

/** Starts before the first element, in order. When it fails, tsr_iter_next is false at once. */
TSR_API TSR_MUST_USE tsr_status tsr_iter_init(tsr_ctx *ctx, const tsr_tensor *t, tsr_order order, tsr_iter *it);

/** Goes to the next element; false past the last. */
TSR_API bool tsr_iter_next(tsr_iter *it);

/* ---- a user function over every element ---- */

typedef tsr_real tsr_map_fn(tsr_real x, void *user);
typedef float    tsr_map_f32_fn(float x, void *user);
typedef int32_t  tsr_map_i32_fn(int32_t x, void *user);

/** out[i] = fn(in[i], user), in any order; out has the input's dtype and shape, and takes the result as a cast would. Not
 *  for complex dtypes. */
TSR_API TSR_MUST_USE tsr_status tsr_map(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_fn *fn, void *user, tsr_tensor *out);

/** The same for f32 without conversion. */
TSR_API TSR_MUST_USE tsr_status tsr_map_f32(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_f32_fn *fn, void *user,
                                            tsr_tensor *out);

/** The same for i32 without conversion. */
TSR_API TSR_MUST_USE tsr_status tsr_map_i32(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_i32_fn *fn, void *user,
                                            tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
