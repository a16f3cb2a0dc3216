/** @file scatter.h
 *  Writing by index: elements and slices that go to listed places, and reading by lists of coordinates. What reads
 *  along one axis is in move.h: tsr_take (index_select) and tsr_gather (take_along_axis).
 *
 *  Functions that put elements somewhere give a whole tensor: in, with src at the places that index lists. With out the
 *  same view as in they write in place, and all other elements keep their values. Outputs are as in ops.h: empty,
 *  described or given; they may overlap every input. The result has in's shape, dtype and layout tag.
 *
 *  index is of an integer dtype; negative numbers count from the end. TSR_EINDEX names the first one that is out of
 *  range, its number in index (row-major) and the axis, before anything is written. src has in's dtype (TSR_EDTYPE),
 *  and broadcasts to the shape that each function names.
 *
 *  A place may be listed more than once. The order is that of index, row-major: the last one stays where elements are
 *  set, and all others are combined one after another. No thread, instruction set or stride has a part in it, so that
 *  the bits are the same everywhere. f16, bf16 and f8 are combined in f32 and rounded once, at the end, for which a
 *  copy of in and of src is made in temporary memory. */
#ifndef TESSERA_SCATTER_H
#define TESSERA_SCATTER_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of the element x that is there and the element y that comes. All but TSR_SCATTER_SET refuse complex
 *  dtypes (TSR_EDTYPE). Integers wrap. */
typedef enum tsr_scatter_mode {
  TSR_SCATTER_SET = 0, /**< y; every dtype */
  TSR_SCATTER_ADD = 1, /**< x + y; of bool: either */
  TSR_SCATTER_MUL = 2, /**< x · y; of bool: both */
  TSR_SCATTER_MIN = 3, /**< the lesser; NaN when one is NaN */
  TSR_SCATTER_MAX = 4  /**< the greater; NaN when one is NaN */
} tsr_scatter_mode;

/** Along one axis, the opposite of tsr_gather: out[i][index[i][j][k]][k] ∘= src[i][j][k] for axis 1, and so on. index
 *  has in's rank; its other axes are as long as in's, or 1, which repeats. src broadcasts to in's shape with index's
 *  length along axis. NumPy's put_along_axis; with a mode PyTorch's scatter_reduce and ONNX's ScatterElements, where
 *  those have an index of full length (scatter into a slice of in, in place, for a shorter one). */
TSR_API TSR_MUST_USE tsr_status tsr_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index,
                                            const tsr_tensor *src, int axis, tsr_scatter_mode mode, tsr_tensor *out);

/** Whole slices of an axis, the opposite of tsr_take: slice index[j] of the axis ∘= slice j of src. index is a vector
 *  of length n; src broadcasts to in's shape with n along axis. */
TSR_API TSR_MUST_USE tsr_status tsr_put(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index,
                                        const tsr_tensor *src, int axis, tsr_scatter_mode mode, tsr_tensor *out);

/** tsr_put with TSR_SCATTER_ADD. */
TSR_API TSR_MUST_USE tsr_status tsr_index_add(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index,
                                              const tsr_tensor *src, int axis, tsr_tensor *out);

/** Lists of coordinates: index [a,b,q] holds a·b lists of q numbers, each of which names an element of in by its first
 *  q axes, or a slice of the others; out is [a,b] and those others. The first batch_dims axes of in and index belong
 *  together, and q numbers count from the next axis on. q may be 0: all of in. TSR_ESHAPE when q and batch_dims are
 *  more than in's rank, or more than TSR_MAX_DIMS axes come out; TSR_EAXIS when batch_dims is negative or not less than
 *  either rank. ONNX's GatherND. */
TSR_API TSR_MUST_USE tsr_status tsr_gather_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index,
                                              int batch_dims, tsr_tensor *out);

/** The opposite of tsr_gather_nd without batches: src broadcasts to [a,b] and the axes of in that are not named, and
 *  every element or slice of it goes where its list says. ONNX's ScatterND. */
TSR_API TSR_MUST_USE tsr_status tsr_scatter_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index,
                                               const tsr_tensor *src, tsr_scatter_mode mode, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
