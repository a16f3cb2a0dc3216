/** @file elements.h
 *  Elements one at a time: bare, checked, flat, iterated, mapped. */
#ifndef TESSERA_ACCESS_H
#define TESSERA_ACCESS_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- bare access: no call, no branch ---- */

/** @cond internal */
/* The element at an index: its address, one multiply-add an index. The number in the name counts the tensor too. */
static inline void *tsr__at1(size_t item, const tsr_tensor *t) { return (void)item, t->data; }
static inline void *tsr__at2(size_t item, const tsr_tensor *t, tsr_index i) {
  return (char *)t->data + (ptrdiff_t)(i * t->stride[0]) * (ptrdiff_t)item;
}
static inline void *tsr__at3(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j) {
  return (char *)t->data + (ptrdiff_t)(i * t->stride[0] + j * t->stride[1]) * (ptrdiff_t)item;
}
static inline void *tsr__at4(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k) {
  return (char *)t->data + (ptrdiff_t)(i * t->stride[0] + j * t->stride[1] + k * t->stride[2]) * (ptrdiff_t)item;
}
static inline void *tsr__at5(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l) {
  return (char *)tsr__at4(item, t, i, j, k) + (ptrdiff_t)(l * t->stride[3]) * (ptrdiff_t)item;
}
#if TSR_MAX_DIMS >= 8
static inline void *tsr__at6(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l,
                             tsr_index m) {
  return (char *)tsr__at5(item, t, i, j, k, l) + (ptrdiff_t)(m * t->stride[4]) * (ptrdiff_t)item;
}
static inline void *tsr__at7(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l,
                             tsr_index m, tsr_index n) {
  return (char *)tsr__at6(item, t, i, j, k, l, m) + (ptrdiff_t)(n * t->stride[5]) * (ptrdiff_t)item;
}
static inline void *tsr__at8(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l,
                             tsr_index m, tsr_index n, tsr_index o) {
  return (char *)tsr__at7(item, t, i, j, k, l, m, n) + (ptrdiff_t)(o * t->stride[6]) * (ptrdiff_t)item;
}
static inline void *tsr__at9(size_t item, const tsr_tensor *t, tsr_index i, tsr_index j, tsr_index k, tsr_index l,
                             tsr_index m, tsr_index n, tsr_index o, tsr_index p) {
  return (char *)tsr__at8(item, t, i, j, k, l, m, n, o) + (ptrdiff_t)(p * t->stride[7]) * (ptrdiff_t)item;
}
#endif

/* The same in the checked build: looks at the rank, the size and kind of the C type, every index, and that a row has
 * stride 1; calls the hook where something is wrong. */
TSR_API void *tsr__checked_at(const char *file, int line, size_t item, bool is_float, bool is_row, int n,
                              const tsr_tensor *t, const tsr_index *index);

#if defined(TSR_CHECKED) && !defined(__cplusplus)
#define TSR__FIRST(first, ...) (first)
#define TSR__REST(first, ...) ((const tsr_index[]){__VA_ARGS__})
#define TSR__ADDRESS(T, is_row, ...)                                                                                   \
  tsr__checked_at(__FILE__, __LINE__, sizeof(T), (T)0.5 != (T)0 && (T)0.5 != (T)1, is_row, TSR__NARG(__VA_ARGS__) - 1, \
                  TSR__FIRST(__VA_ARGS__, 0), TSR__REST(__VA_ARGS__, 0))
#else
#define TSR__ADDRESS(T, is_row, ...) TSR__CAT(tsr__at, TSR__NARG(__VA_ARGS__))(sizeof(T), __VA_ARGS__)
#endif
/** @endcond */

/** The element (an lvalue) of C type T at an index: TSR_AT(float, &x, i, j) = 1. T must be the dtype's C type, and there
 *  must be one index for each axis. Not checked, except in C programs compiled with TSR_CHECKED. */
#define TSR_AT(T, ...) (*(T *)TSR__ADDRESS(T, false, __VA_ARGS__))

/** The row (a T *) at all indices but the last, for a last axis of stride 1: float *r = TSR_ROW(float, &x, i); r[j] = 1. */
#define TSR_ROW(T, ...) ((T *)TSR__ADDRESS(T, true, __VA_ARGS__))

/* ---- checked access to any dtype ---- */

/** One element as a number: n indices, n = rank (`0, NULL` for rank 0); negative ones count from the end. Complex dtypes:
 *  the real part. */
TSR_API TSR_MUST_USE tsr_status tsr_get(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                        tsr_real *value);

/** Sets one element; TSR_ERANGE when the value does not fit the dtype (integers take whole numbers in their range). */
TSR_API TSR_MUST_USE tsr_status tsr_set(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index, tsr_real value);

/** One element as a complex number; of real dtypes the imaginary part is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_get_complex(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                                tsr_complex *value);

/** Sets one element to a complex number; a dtype that is not complex takes it where its imaginary part is 0, else TSR_ERANGE. */
TSR_API TSR_MUST_USE tsr_status tsr_set_complex(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index,
                                                tsr_complex value);

/** One element as an integer; TSR_ERANGE when it is none, or not in the range of int64_t. */
TSR_API TSR_MUST_USE tsr_status tsr_get_i64(tsr_ctx *ctx, const tsr_tensor *t, int n, const tsr_index *index,
                                            int64_t *value);

/** Sets one element to an integer. */
TSR_API TSR_MUST_USE tsr_status tsr_set_i64(tsr_ctx *ctx, tsr_tensor *t, int n, const tsr_index *index, int64_t value);

/** The address of element number offset, counted in order: TSR_ROW_MAJOR is the logical order, TSR_MEMORY that of
 *  increasing addresses. */
TSR_API TSR_MUST_USE tsr_status tsr_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order,
                                         void **element);

/** Element number offset, counted in order, as a number. */
TSR_API TSR_MUST_USE tsr_status tsr_get_flat(tsr_ctx *ctx, const tsr_tensor *t, tsr_index offset, tsr_order order,
                                             tsr_real *value);

/** Sets element number offset, counted in order. */
TSR_API TSR_MUST_USE tsr_status tsr_set_flat(tsr_ctx *ctx, tsr_tensor *t, tsr_index offset, tsr_order order,
                                             tsr_real value);

/* ---- iteration ---- */

/** Walks every element of any tensor:
 *  `for (st = tsr_iter_init(ctx, &x, TSR_ROW_MAJOR, &it); tsr_iter_next(&it);) use(it.data, it.index);` */
typedef struct tsr_iter {
  void *data;                    /**< the present element */
  tsr_index index[TSR_MAX_DIMS]; /**< its index */
  tsr_index left;                /**< elements still to come; private from here on */
  tsr_index shape[TSR_MAX_DIMS];
  ptrdiff_t step[TSR_MAX_DIMS]; /**< bytes, by position in axes */
  uint8_t axes[TSR_MAX_DIMS];   /**< the axes, the fastest first */
  uint8_t ndim;
  bool started;
  bool upwards; /**< by increasing address */
} tsr_iter;

/** Starts before the first element, in order. When it fails, tsr_iter_next is false at once. */
TSR_API TSR_MUST_USE tsr_status tsr_iter_init(tsr_ctx *ctx, const tsr_tensor *t, tsr_order order, tsr_iter *it);

/** Goes to the next element; false past the last. */
TSR_API bool tsr_iter_next(tsr_iter *it);

/* ---- a user function over every element ---- */

typedef tsr_real tsr_map_fn(tsr_real x, void *user);
typedef float tsr_map_f32_fn(float x, void *user);
typedef int32_t tsr_map_i32_fn(int32_t x, void *user);

/** out[i] = fn(in[i], user), in any order; out has the input's dtype and shape, and takes the result as a cast would. Not
 *  for complex dtypes. */
TSR_API TSR_MUST_USE tsr_status tsr_map(tsr_ctx *ctx, const tsr_tensor *in, tsr_map_fn *fn, void *user,
                                        tsr_tensor *out);

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
