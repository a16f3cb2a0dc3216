/** @file ops.h
 *  Operations on whole tensors.
 *
 *  Outputs come last. An empty output is allocated; a described one is allocated as described; a given one is written into,
 *  and must have exactly the result's shape and dtype, be writable, and have no two indices on one address. It may be an
 *  input (in place), and may overlap one: the result is as if the input had been copied first. When a function fails, no
 *  output has changed. */
#ifndef TESSERA_OPS_H
#define TESSERA_OPS_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- creation: shape and dtype given, the values follow. Empty outputs are made on the context's device ---- */

/** A tensor that is not initialised. */
TSR_API TSR_MUST_USE tsr_status tsr_empty(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);
/** All zeros. */
TSR_API TSR_MUST_USE tsr_status tsr_zeros(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);
/** All ones. */
TSR_API TSR_MUST_USE tsr_status tsr_ones(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);
/** All value; TSR_ERANGE when that does not fit the dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_full(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_real value,
                                         tsr_tensor *out);
/** All a complex number; of rank 0 it is a number beside tensors: `tsr_full_complex(ctx, TSR_C64, 0, NULL, (tsr_complex){0, 1}, &i)`. */
TSR_API TSR_MUST_USE tsr_status tsr_full_complex(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape,
                                                 tsr_complex value, tsr_tensor *out);
/** All zeros, laid out in order: TSR_ROW_MAJOR, TSR_COL_MAJOR, TSR_FORTRAN. Other values: describe an output with
 *  tsr_desc_init_ordered and give it to any function. *out must be empty. */
TSR_API TSR_MUST_USE tsr_status tsr_zeros_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape,
                                                  tsr_order order, tsr_tensor *out);

/** As like is: its shape, dtype, layout tag and order of the axes in memory, on its device; not initialised. like may
 *  be a description. */
TSR_API TSR_MUST_USE tsr_status tsr_empty_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out);
/** Zeros, as like is. */
TSR_API TSR_MUST_USE tsr_status tsr_zeros_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out);
/** Ones, as like is. */
TSR_API TSR_MUST_USE tsr_status tsr_ones_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out);
/** All value, as like is. */
TSR_API TSR_MUST_USE tsr_status tsr_full_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_real value, tsr_tensor *out);

/** start, start + step, …, ceil((stop - start) / step) of them as in NumPy; rank 1. Each element is start + i·step as a tsr_real, rounded to the dtype; integer
 *  dtypes take whole start and step. TSR_ERANGE when an element does not fit. */
TSR_API TSR_MUST_USE tsr_status tsr_arange(tsr_ctx *ctx, int dtype, tsr_real start, tsr_real stop, tsr_real step,
                                           tsr_tensor *out);
/** tsr_arange over integers, exact where a tsr_real would round. */
TSR_API TSR_MUST_USE tsr_status tsr_arange_i64(tsr_ctx *ctx, int dtype, int64_t start, int64_t stop, int64_t step,
                                               tsr_tensor *out);
/** count numbers from start to stop, both included; rank 1. Float dtypes only. */
TSR_API TSR_MUST_USE tsr_status tsr_linspace(tsr_ctx *ctx, int dtype, tsr_real start, tsr_real stop, tsr_index count,
                                             tsr_tensor *out);
/** rows × cols, ones on the diagonal that starts offset columns to the right (negative: rows down), else zeros. */
TSR_API TSR_MUST_USE tsr_status tsr_eye(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index cols, tsr_index offset,
                                        tsr_tensor *out);

/** How a grid's axes follow its vectors. */
typedef enum tsr_indexing {
  TSR_INDEXING_IJ = 0, /**< vector i along axis i: rows first, as a matrix is indexed */
  TSR_INDEXING_XY = 1  /**< the first two the other way round: x along the columns, as a picture is drawn */
} tsr_indexing;

/** Grids of coordinates: n vectors (or numbers) of lengths a, b, c … give n tensors [a,b,c,…], with TSR_INDEXING_XY
 *  [b,a,c,…]; out[i] holds in[i] along its axis and repeats it along the others. All are views of in[i] with stride 0
 *  where they repeat: nothing is allocated, they hold no count, and as outputs they are refused; tsr_copy makes one
 *  real. out has room for n; out[i] may be in[i]. n is 1 to TSR_MAX_DIMS, the dtypes may differ. */
TSR_API TSR_MUST_USE tsr_status tsr_meshgrid(tsr_ctx *ctx, int n, const tsr_tensor *const *in, tsr_indexing indexing,
                                             tsr_tensor *out);

/** on where the number of the class is the index, off elsewhere: index [n,m] gives [n,m,classes] of dtype. index is of
 *  any integer dtype. TSR_EINDEX names the first that is not 0 … classes - 1 (negative numbers do not count from the end);
 *  TSR_ERANGE when on or off does not fit the dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_one_hot(tsr_ctx *ctx, const tsr_tensor *index, tsr_index classes, tsr_real on,
                                            tsr_real off, int dtype, tsr_tensor *out);

/** A tensor of the values at values, listed in order (TSR_ROW_MAJOR: the last index fastest; TSR_MEMORY: as the output's
 *  memory runs), count of them, placed whatever the order of the output's memory. TSR_ESHAPE when count is not the size. */
TSR_API TSR_MUST_USE tsr_status tsr_from_array(tsr_ctx *ctx, const void *values, tsr_index count, int dtype, int ndim,
                                               const tsr_index *shape, tsr_order order, tsr_tensor *out);
/** The elements, listed in order, into count elements at values. TSR_ESHAPE when count is not the size. */
TSR_API TSR_MUST_USE tsr_status tsr_to_array(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, tsr_index count,
                                             void *values);

/* ---- fill, copy, cast ---- */

/** Sets every element to value; TSR_ERANGE when that does not fit the dtype. A number that is not whole does not fit an
 *  integer, a finite one that would overflow does not fit a float. out must be given or described; on a device that
 *  does not compute contiguous, in any order of axes. */
TSR_API TSR_MUST_USE tsr_status tsr_fill(tsr_ctx *ctx, tsr_real value, tsr_tensor *out);
/** Sets every element to a complex number. A dtype that is not complex takes it where its imaginary part is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_fill_complex(tsr_ctx *ctx, tsr_complex value, tsr_tensor *out);
/** Sets every element to an integer. */
TSR_API TSR_MUST_USE tsr_status tsr_fill_i64(tsr_ctx *ctx, int64_t value, tsr_tensor *out);

/** A copy, into an empty output as dtype and shape of the input, contiguous in row-major order; into a given one with
 *  conversion to its dtype, shapes the same, and across devices. Conversions: integers wrap, floats to integers saturate
 *  and NaN gives 0, every narrowing rounds once, to nearest even; to bool is "not 0"; complex to real is refused.
 *  Within a device that computes it is the device's, an empty output too. Else memory of a device must be contiguous, in
 *  any order of axes, and keeps its dtype (TSR_EDEVICE); the host's side may lie anyhow, and is where an empty output is;
 *  between two devices the order stays. */
TSR_API TSR_MUST_USE tsr_status tsr_copy(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);
/** Copies and converts to dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_cast(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_tensor *out);
/** A deep copy with the input's layout tag and order of the axes in memory, on its device. */
TSR_API TSR_MUST_USE tsr_status tsr_clone(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);
/** A copy on device (NULL: the host). */
TSR_API TSR_MUST_USE tsr_status tsr_to_device(tsr_ctx *ctx, const tsr_tensor *in, const tsr_device *device,
                                              tsr_tensor *out);

/* ---- view or copy: the result must be released either way. *out is empty, or the input, which it replaces ---- */

/** Another shape of the same elements in row-major order; one dimension may be -1. */
TSR_API TSR_MUST_USE tsr_status tsr_reshape(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape,
                                            tsr_tensor *out);
/** tsr_reshape with the elements counted in order (see tsr_reshape_view_ordered). */
TSR_API TSR_MUST_USE tsr_status tsr_reshape_ordered(tsr_ctx *ctx, const tsr_tensor *in, int ndim,
                                                    const tsr_index *shape, tsr_order order, tsr_tensor *out);
/** All elements as one axis, in order. */
TSR_API TSR_MUST_USE tsr_status tsr_flatten(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, tsr_tensor *out);
/** The same tensor, contiguous in row-major order. Keeps the layout. */
TSR_API TSR_MUST_USE tsr_status tsr_contiguous(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);

/** Converts to another layout: real memory in that order. A plain tensor counts as N, NC, NCL, NCHW or NCDHW. Blocked
 *  layouts pad the last block with zeros; channels is how many there are when converting back from one, 0: all blocks
 *  whole. */
TSR_API TSR_MUST_USE tsr_status tsr_to_layout(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_index channels,
                                              tsr_tensor *out);

/* ---- comparison ---- */

/** Whether shapes and values are the same, whatever the dtypes: exact between integers and floats, NaN equals nothing,
 *  -0 equals 0. */
TSR_API TSR_MUST_USE tsr_status tsr_equal(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, bool *equal);

/** Whether shapes are the same and |a - b| ≤ atol + rtol·|b| everywhere; equal infinities are close; NaN is close to NaN
 *  when nan_equal. rtol and atol must be ≥ 0. */
TSR_API TSR_MUST_USE tsr_status tsr_allclose(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rtol,
                                             tsr_real atol, bool nan_equal, bool *close);

#ifdef __cplusplus
}
#endif

#endif
