/** @file move.h
 *  Operations that move elements: joining, splitting, repeating, padding, picking. No element changes its value, so
 *  that every dtype can be moved, whether this build computes with it or not.
 *
 *  Inputs may have any strides. Outputs are as in ops.h: empty, described or given; they may overlap inputs. The result
 *  keeps the layout tag of the (first) input where its axes stay the same. Axes may be negative: -1 is the last. */
#ifndef TESSERA_MOVE_H
#define TESSERA_MOVE_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- joining and splitting ---- */

/** n tensors one after the other along an axis; all else of their shapes, and their dtypes, are the same. n ≥ 1. */
TSR_API TSR_MUST_USE tsr_status tsr_concat(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out);

/** n tensors of one shape and dtype along a new axis, which axis is in the result. n ≥ 1. */
TSR_API TSR_MUST_USE tsr_status tsr_stack(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out);

/** n views of equal parts of an axis, at out[0] … out[n-1], which hold no count. TSR_ESHAPE unless n divides it. */
TSR_API TSR_MUST_USE tsr_status tsr_split(tsr_ctx *ctx, const tsr_tensor *in, int axis, int n, tsr_tensor *out);

/** n views of parts of an axis: sizes[i] indices each, which are all of it. */
TSR_API TSR_MUST_USE tsr_status tsr_split_sizes(tsr_ctx *ctx, const tsr_tensor *in, int axis, int n,
                                                const tsr_index *sizes, tsr_tensor *out);

/* ---- repeating and turning ---- */

/** The whole tensor reps[i] times along each axis: n numbers, of which the last belongs to the last axis; where there
 *  are more numbers or more axes, the missing ones are 1. */
TSR_API TSR_MUST_USE tsr_status tsr_tile(tsr_ctx *ctx, const tsr_tensor *in, int n, const tsr_index *reps,
                                         tsr_tensor *out);

/** Every element count times in a row along an axis. */
TSR_API TSR_MUST_USE tsr_status tsr_repeat(tsr_ctx *ctx, const tsr_tensor *in, tsr_index count, int axis,
                                           tsr_tensor *out);

/** The element at i goes to i + shift; what leaves an axis at one end comes in at the other. Any shift. */
TSR_API TSR_MUST_USE tsr_status tsr_roll(tsr_ctx *ctx, const tsr_tensor *in, tsr_index shift, int axis,
                                         tsr_tensor *out);

/* ---- padding ---- */

/** What stands in front of and behind the elements 1 2 3. */
typedef enum tsr_pad_mode {
  TSR_PAD_CONSTANT = 0, /**< 0 0 [1 2 3] 0 0: value */
  TSR_PAD_EDGE = 1,     /**< 1 1 [1 2 3] 3 3 */
  TSR_PAD_REFLECT = 2,  /**< 3 2 [1 2 3] 2 1, and on and on; one element alone repeats */
  TSR_PAD_WRAP = 3      /**< 2 3 [1 2 3] 1 2, and on and on */
} tsr_pad_mode;

/** before[i] more elements in front of axis i and after[i] behind it: rank numbers each, ≥ 0; NULL: none. value counts
 *  in constant mode only, and must fit the dtype (TSR_ERANGE). The other modes need an element to repeat: TSR_ESHAPE
 *  when an axis of length 0 would grow. */
TSR_API TSR_MUST_USE tsr_status tsr_pad(tsr_ctx *ctx, const tsr_tensor *in, const tsr_index *before,
                                        const tsr_index *after, tsr_pad_mode mode, tsr_real value, tsr_tensor *out);

/** Rows above and below, columns left and right, all value, on the last two axes: [3,4,5] with 1, 2, 3, 4 gives
 *  [3,7,12]. */
TSR_API TSR_MUST_USE tsr_status tsr_pad_2d(tsr_ctx *ctx, const tsr_tensor *in, tsr_index up, tsr_index bottom,
                                           tsr_index left, tsr_index right, tsr_real value, tsr_tensor *out);

/* ---- triangles ---- */

/** The last two axes' elements on and below the diagonal that starts offset columns to the right (negative: rows down);
 *  zeros above it. */
TSR_API TSR_MUST_USE tsr_status tsr_tril(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out);

/** The elements on and above that diagonal; zeros below. */
TSR_API TSR_MUST_USE tsr_status tsr_triu(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out);

/* ---- picking ---- */

/** The indices of an axis that index lists: the axis gives way to the axes of index, [a,b,c] with [n,m] along axis 1 is
 *  [a,n,m,c]. index is of an integer dtype; negative numbers count from the end. TSR_EINDEX when one is out of
 *  range. */
TSR_API TSR_MUST_USE tsr_status tsr_take(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis,
                                         tsr_tensor *out);

/** out[i][j][k] = in[i][index[i][j][k]][k] for axis 1, and so on: index has the input's rank. Other axes have the same
 *  length in both, or 1 in one, which then repeats. NumPy's take_along_axis. */
TSR_API TSR_MUST_USE tsr_status tsr_gather(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis,
                                           tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
