/* Copying elements between host tensors, for every op that moves them. */
#ifndef TSR_OPS_COPY_COPY_H
#define TSR_OPS_COPY_COPY_H

#include "core/call.h"
#include "core/view.h"
#include "cpu/iterate.h"

/* dst = src, converted. Both checked, on the host, of one shape; dst writable; the conversion exists (tsr__check_cast).
 * Where they overlap, as if src had been copied first: only then can it fail, and nothing has been written. */
tsr_status tsr__copy_host(tsr_ctx *ctx, const char *op, const tsr_tensor *src, const tsr_tensor *dst);

/* The same for two that do not overlap: cannot fail. */
void tsr__copy_no_alias(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst);

/* The same for two of one dtype, which brings no conversions with it. */
void tsr__move_no_alias(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst);

/* The same in few bytes of code, for what is done seldom: on a microcontroller element by element. */
#if TSR_HAVE_MALLOC
#define tsr__move_seldom tsr__move_no_alias
#else
void tsr__move_seldom(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst);
#endif

/* The same where dst is a part of what the op writes: whole bytes in all, which decides how caches are used. */
void tsr__copy_part(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst, size_t whole);

/* The same for two dtypes, with the loop over both, whose axes may change their places. */
void tsr__convert(const tsr_ctx *ctx, tsr__loop *loop, const tsr_tensor *src, const tsr_tensor *dst, size_t whole);

/* Some indices of one axis, of a tensor that is known to have them. */
static inline tsr_tensor tsr__part(const tsr_tensor *t, int axis, tsr_index start, tsr_index length) {
  tsr_tensor view = *t;
  tsr__view_move(&view, start, view.stride[axis]);
  view.shape[axis] = length;
  return view;
}

/* A row-major copy of src in temporary memory, to be put back by the caller. */
tsr_status tsr__copy_to_scratch(tsr_ctx *ctx, const char *op, const tsr_tensor *src, tsr__scratch *scratch,
                                tsr_tensor *copy);

/* Temporary memory of a call for a row-major copy of src, which tsr__move_no_alias makes after tsr__call_start. */
tsr_status tsr__call_copy_of(tsr__call *call, const tsr_tensor *src, tsr_tensor *copy);

/* The same as dtype, to which src converts: tsr__copy_no_alias makes it. */
tsr_status tsr__call_copy_as(tsr__call *call, const tsr_tensor *src, int dtype, tsr_tensor *copy);

/* src itself, or temporary memory for a copy where it overlaps the first output, which has its memory by then: the copy
 * is made by tsr__fill_unaliased after tsr__call_start. */
tsr_status tsr__call_unaliased(tsr__call *call, const tsr_tensor *src, tsr_tensor *unaliased);
void tsr__fill_unaliased(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *unaliased);

/* For an op whose output is an input with some elements changed: what tsr__copy_under, after tsr__call_start, copies to
 * the output, however they lie. */
tsr_status tsr__call_copy_under(tsr__call *call, const tsr_tensor *in, tsr_tensor *base);
void tsr__copy_under(const tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *base, const tsr_tensor *out);

/* ---- the end of a call, whose outputs have their memory: the rest of its plan, tsr__call_start, the elements ---- */

/* Output 0 = src, converted: on the host, or in a dry run. */
tsr_status tsr__call_copy(tsr__call *call, const tsr_tensor *src);

/* Output 0 = input 0 where one of the two is not on the host: same dtype, the device's side contiguous, in any order
 * of axes; two devices: in the same. A fresh output that is to be like the input gets its strides. */
tsr_status tsr__call_copy_across(tsr__call *call);

/* The item bytes at element to every element of output 0, on the host or by the table of call->home. */
tsr_status tsr__call_fill(tsr__call *call, const void *element);

/* Writes the item bytes at pattern to every element of a checked, writable host tensor. */
void tsr__fill_host(const tsr_ctx *ctx, const tsr_tensor *t, const void *pattern);

#endif
