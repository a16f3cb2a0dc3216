/** @file tensor.h
 *  The tensor, its storage, and who owns what. */
#ifndef TESSERA_TENSOR_H
#define TESSERA_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/context.h>
#include <tessera/device.h>
#include <tessera/dtype.h>
#include <tessera/index.h>
#include <tessera/layout.h>
#include <tessera/status.h>

#ifdef __cplusplus
#include <cstddef>
#include <type_traits>

/** @cond internal */
/* The numbers of TSR_SHAPE and TSR_AXES: of any integer type, as std::size_t, which braces alone would refuse. */
template <typename Number, std::size_t n>
struct tsr__number_list {
  static constexpr int count = static_cast<int>(n);
  Number numbers[n];
  const Number *begin() const { return numbers; }
};
template <typename Number, typename... T>
constexpr tsr__number_list<Number, sizeof...(T)> tsr__numbers(T... number) {
  static_assert((!std::is_floating_point<T>::value && ...), "shapes, indices and axes are whole numbers");
  return {{static_cast<Number>(number)...}};
}
/** @endcond */

extern "C" {
#endif

/** Scalars in arguments: double on hosts, float where double is soft. */
#if TSR_REAL_BITS == 64
typedef double tsr_real;
#else
typedef float tsr_real;
#endif

/** A complex number as an argument. */
typedef struct tsr_complex {
  tsr_real re, im;
} tsr_complex;

/** The owner of bytes: counted, opaque. */
typedef struct tsr_storage tsr_storage;

/** Flags of a tensor. */
enum {
  TSR_OWNS = 1,    /**< this handle holds one count of its storage */
  TSR_READONLY = 2 /**< not for outputs */
};

/** Begins a constant array in a header of C or C++, as tsr_carray_write writes them: aligned to a power of two. */
#ifdef __cplusplus
#define TSR_CONSTANT(align) alignas(align) static const
#else
#define TSR_CONSTANT(align) static const _Alignas(align)
#endif

/** A tensor is a value: what the bytes mean and where they are. Four states:
 *  - empty: `{0}`. As an output it is allocated; after a failure it is `{0}` again.
 *  - described: dtype and shape, no data, size > 0. As an output it is allocated exactly so, or the call fails.
 *  - zero-size: a 0 in the shape. data may be NULL. Counts as given.
 *  - full: everything.
 *
 *  Entries of shape and stride past ndim are ignored, and written as 1 and 0. A view borrows: it has the storage of its
 *  source, holds no count, needs no release, and must not outlive the source. Assigning a tensor that owns makes two
 *  handles of one count: use tsr_move or tsr_view. */
typedef struct tsr_tensor {
  uint8_t dtype;  /**< TSR_F32 … ; TSR_NONE when empty */
  uint8_t layout; /**< TSR_PLAIN, TSR_NCHW …: what the axes mean */
  uint8_t ndim;   /**< 0 … TSR_MAX_DIMS */
  uint8_t flags;  /**< TSR_OWNS, TSR_READONLY */
  tsr_index shape[TSR_MAX_DIMS];
  tsr_index stride[TSR_MAX_DIMS]; /**< in elements; 0 repeats, negative runs backwards; any for a length of 1 or 0 */
  void *data;                     /**< the element at index (0, 0, …), aligned to its item size */
  tsr_storage *storage;           /**< the bytes' owner; NULL: host memory that the caller keeps */
  const char *name;               /**< NULL, or a string that someone else keeps alive: the library copies none.
                                          Set it by hand, or let a bundle keep it. What is changed in place (tsr_reallocate,
                                          tsr_reshape with out == in) keeps it; tsr_move moves it; clones, shared
                                          handles, views and results of operations begin without one */
} tsr_tensor;

/** What an empty tensor is initialised with, in C and in C++: `tsr_tensor x = TSR_EMPTY;`. */
#ifdef __cplusplus
#define TSR_EMPTY \
  {}
#else
#define TSR_EMPTY \
  { 0 }
#endif

/** Element orders: which axis runs fastest. */
typedef enum tsr_order {
  TSR_ROW_MAJOR = 0, /**< the last axis fastest: C, NumPy's 'C' */
  TSR_COL_MAJOR = 1, /**< the last two axes swapped: planes of columns, the leading axes as in row-major */
  TSR_FORTRAN = 2,   /**< the first axis fastest: NumPy's 'F'. For matrices the same as TSR_COL_MAJOR */
  TSR_MEMORY = 3     /**< as the elements lie in memory: the axis of the smallest step fastest, each towards higher
                          addresses; not for creating */
} tsr_order;

#define TSR__NARG_(a1, a2, a3, a4, a5, a6, a7, a8, a9, n, ...) n
#define TSR__NARG(...) TSR__NARG_(__VA_ARGS__, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TSR__CAT_(a, b) a##b
#define TSR__CAT(a, b) TSR__CAT_(a, b)
#ifdef __cplusplus
#define TSR__NUMBERS(T, ...) decltype(tsr__numbers<T>(__VA_ARGS__))::count, tsr__numbers<T>(__VA_ARGS__).begin()
#else
#define TSR__NUMBERS(T, ...) (int)(sizeof((const T[]){__VA_ARGS__}) / sizeof(T)), ((const T[]){__VA_ARGS__})
#endif

/** A rank and its numbers, as two arguments: tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), &x). For rank 0 write `0, NULL`. */
#define TSR_SHAPE(...) TSR__NUMBERS(tsr_index, __VA_ARGS__)

/** An index, as two arguments: tsr_get(ctx, &x, TSR_INDEX(1, 2), &value). */
#define TSR_INDEX(...) TSR_SHAPE(__VA_ARGS__)

/** Axes, as two arguments: tsr_mean(ctx, &x, TSR_AXES(0, -1), false, &y). For all of them write `0, NULL`. */
#define TSR_AXES(...) TSR__NUMBERS(int, __VA_ARGS__)

/* ---- making and ending handles ---- */

/** Describes a tensor: dtype, shape and row-major strides, no data. Nothing is allocated; what *out held is overwritten. */
TSR_API TSR_MUST_USE tsr_status tsr_desc_init(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape,
                                              tsr_tensor *out);

/** Describes a tensor whose elements lie in order: TSR_ROW_MAJOR, TSR_COL_MAJOR or TSR_FORTRAN. */
TSR_API TSR_MUST_USE tsr_status tsr_desc_init_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape,
                                                      tsr_order order, tsr_tensor *out);

/** Describes a tensor whose axes lie in memory as axes says, slowest first: {0, 2, 3, 1} is channels-last memory for
 *  shape [N, C, H, W]. */
TSR_API TSR_MUST_USE tsr_status tsr_desc_init_permuted(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape,
                                                       const int *axes, tsr_tensor *out);

/** Gives a described tensor its memory, from device (NULL: the host, by the context's allocator), not initialised. */
TSR_API TSR_MUST_USE tsr_status tsr_allocate(tsr_ctx *ctx, const tsr_device *device, int hint, tsr_tensor *t);

/** Describes host memory that the caller keeps, row-major. No count, no copy; *out is overwritten. */
TSR_API TSR_MUST_USE tsr_status tsr_from_memory(tsr_ctx *ctx, void *data, int dtype, int ndim, const tsr_index *shape,
                                                tsr_tensor *out);

/** The same for memory that must not be written: the tensor is TSR_READONLY. */
TSR_API TSR_MUST_USE tsr_status tsr_from_const_memory(tsr_ctx *ctx, const void *data, int dtype, int ndim,
                                                      const tsr_index *shape, tsr_tensor *out);

/** A handle, with its own count, on count·item bytes of storage that start offset bytes after its base. stride NULL:
 *  row-major. Refused when it could leave the storage. *out must hold no count. */
TSR_API TSR_MUST_USE tsr_status tsr_from_storage(tsr_ctx *ctx, tsr_storage *storage, size_t offset, int dtype, int ndim,
                                                 const tsr_index *shape, const tsr_index *stride, tsr_tensor *out);

/** A second handle with its own count. in may be any view of counted storage. *out must hold no count. */
TSR_API TSR_MUST_USE tsr_status tsr_share(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** Takes a handle over: returns it and leaves *t empty. */
TSR_API tsr_tensor tsr_move(tsr_tensor *t);

/** Gives a handle's count back (the last one frees the bytes) and leaves *t empty. Fine on views, empty tensors, NULL. */
TSR_API void TSR_ABI(tsr_release)(tsr_tensor *t);
TSR_API void tsr_release(tsr_tensor *t); /**< the same, for languages other than C and C++ */
#define tsr_release(t) TSR_ABI(tsr_release)(t)

/** Changes the shape in place and never moves or allocates: without data only the shape changes; with data the new shape
 *  must fit the capacity, which is the storage's for a handle that owns and starts at its base, and the present extent for
 *  views and borrowed memory. Only for contiguous tensors; the result is row-major, its layout PLAIN when the rank
 *  changes. TSR_ECAPACITY when it does not fit. */
TSR_API TSR_MUST_USE tsr_status tsr_reallocate(tsr_ctx *ctx, tsr_tensor *t, int ndim, const tsr_index *shape);

/* ---- what a tensor says of itself ---- */

/** Number of elements; 0 for an empty tensor, 1 for rank 0. */
TSR_API tsr_index tsr_size(const tsr_tensor *t);

/** Bytes of its elements: size times item size, whatever the strides; SIZE_MAX when a repeating view has more than fit. */
TSR_API size_t tsr_nbytes(const tsr_tensor *t);

/** Bytes that a resize may use; without data, those of its elements: a description may be resized to any shape. */
TSR_API size_t tsr_capacity(const tsr_tensor *t);

/** Whether it is `{0}`: no dtype, no data. */
TSR_API bool tsr_is_none(const tsr_tensor *t);

/** Whether its elements are contiguous in order (TSR_MEMORY: in any order of axes). */
TSR_API bool tsr_is_contiguous(const tsr_tensor *t, tsr_order order);

/** Same rank and shape. */
TSR_API bool tsr_same_shape(const tsr_tensor *a, const tsr_tensor *b);

/** Same dtype, layout, shape, and strides where the axis is longer than 1. */
TSR_API bool tsr_desc_equal(const tsr_tensor *a, const tsr_tensor *b);

/** Writes "f32 [2,3,4] NCHW strides [12,4,1]" to text, cut to capacity bytes with a closing zero; returns the bytes of the
 *  whole text without it. Layout and strides only when they are not the plain ones. */
TSR_API size_t tsr_desc_format(const tsr_tensor *t, char *text, size_t capacity);

/** Describes a tensor as tsr_desc_format wrote it: dtype, shape, and where they are said layout and strides, with one space
 *  between them; "empty" makes it empty. Without strides it is row-major. Any other text is TSR_EFORMAT, TSR_EDTYPE,
 *  TSR_ESHAPE, TSR_ELAYOUT or TSR_EOVERFLOW, and the message says where. Nothing is allocated; what *out held is
 *  overwritten. */
TSR_API TSR_MUST_USE tsr_status tsr_desc_parse(tsr_ctx *ctx, const char *text, tsr_tensor *out);

/** The axis that negative numbers count from the end: -1 is the last. -1 when out of range. */
TSR_API int tsr_axis(const tsr_tensor *t, int axis);

/** Samples: the axis N of a tagged layout; of a plain tensor shape[0] from rank 3 on, else 1. */
TSR_API tsr_index tsr_batch(const tsr_tensor *t);
/** Rows: the axis H of a tagged layout; of a plain tensor the last axis but one, of rank 1 shape[0]. */
TSR_API tsr_index tsr_rows(const tsr_tensor *t);
/** Columns: the axis W (or L) of a tagged layout; of a plain tensor the last axis. */
TSR_API tsr_index tsr_cols(const tsr_tensor *t);
/** Channels: the axis C of a tagged layout (whole blocks of a blocked one); of a plain tensor shape[1] at rank 4, else 1. */
TSR_API tsr_index tsr_channels(const tsr_tensor *t);

/** The device of its memory. */
TSR_API const tsr_device *tsr_device_of(const tsr_tensor *t);

/** How many handles and sub-storages count its storage; 0 for borrowed memory. */
TSR_API int tsr_refcount(const tsr_tensor *t);

/* ---- storage ---- */

/** Called when the last count of wrapped memory goes, once, on whatever thread gives it back. */
typedef void tsr_release_fn(void *user, void *data, size_t bytes);

/** Bytes of a device (NULL: the host, by the context's allocator), with one count. */
TSR_API TSR_MUST_USE tsr_status tsr_storage_new(tsr_ctx *ctx, const tsr_device *device, size_t bytes, int hint,
                                                tsr_storage **out);

/** Bytes that someone else made, with one count. release may be NULL. When this fails, release is not called. */
TSR_API TSR_MUST_USE tsr_status tsr_storage_wrap(tsr_ctx *ctx, const tsr_device *device, void *data, size_t bytes,
                                                 tsr_release_fn *release, void *user, tsr_storage **out);

/** A part of a storage as a storage of its own, with one count; it counts its parent. Its capacity is bytes. */
TSR_API TSR_MUST_USE tsr_status tsr_storage_sub(tsr_ctx *ctx, tsr_storage *parent, size_t offset, size_t bytes,
                                                tsr_storage **out);

/** Adds a count. Returns its argument. */
TSR_API tsr_storage *tsr_storage_share(tsr_storage *storage);

/** Gives a count back; the last one frees. NULL is fine. */
TSR_API void tsr_storage_release(tsr_storage *storage);

TSR_API int tsr_storage_count(const tsr_storage *storage);                /**< counts held now */
TSR_API size_t tsr_storage_bytes(const tsr_storage *storage);             /**< its capacity */
TSR_API void *tsr_storage_data(const tsr_storage *storage);               /**< its first byte */
TSR_API const tsr_device *tsr_storage_device(const tsr_storage *storage); /**< where that byte is */

#ifdef __cplusplus
}
#endif

#endif
