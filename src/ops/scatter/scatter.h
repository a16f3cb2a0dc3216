/* Elements that go to listed places: what scatter, put and scatter_nd share. */
#ifndef TSR_OPS_SCATTER_SCATTER_H
#define TSR_OPS_SCATTER_SCATTER_H

#include "core/call.h"

#include <tessera/scatter.h>

/* One run of updates, in order: element i of src goes to dst + i·dst_step + at[i]·axis_step, at being int64_t. Steps in
 * bytes. */
typedef struct tsr__updates {
  tsr_index n;
  char *dst;
  ptrdiff_t dst_step, axis_step;
  const char *src;
  ptrdiff_t src_step;
  const char *at;
  ptrdiff_t at_step;
} tsr__updates;

typedef void tsr__combine_fn(const tsr__updates *u);

/* What does so for elements of a compute dtype (bool: as bytes); for TSR_SCATTER_SET of any dtype. */
tsr__combine_fn *tsr__combine_of(tsr_scatter_mode mode, int dtype);

/* A call. The three tensors have the shape of the axes that updates do not go along: a place in each for every update
 * number 0. */
typedef struct tsr__scatter {
  tsr_tensor out, src, at;
  tsr_index count;                              /* of updates along the axis */
  tsr_index src_stride, at_stride, axis_stride; /* along it, in elements */
  tsr__combine_fn *combine;
} tsr__scatter;

void tsr__scatter_run(const tsr_ctx *ctx, const tsr__scatter *s);

/* TSR_SCATTER_ADD of a long vector with i64 indices to a short one, in one go: whether that can be tried; then, with a
 * place for a copy of in to add to, whether every index was in range and the output is written; else it is untouched. */
bool tsr__scatter_has_fast_path(const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src);
bool tsr__scatter_fast_path(const tsr__call *call, const tsr_tensor *sums);

/* The checks of in, index, src and mode, which are the inputs 0, 1 and 2 of a call. */
tsr_status tsr__scatter_check(const tsr__call *call, tsr_scatter_mode mode);

/* Where updates are combined: the output, or a copy in a wider dtype. */
typedef struct tsr__scatter_target {
  tsr_tensor view, src; /* src: not in the way of the output, of view's dtype */
  tsr_tensor base;      /* what in is copied from */
} tsr__scatter_target;

/* The output, which is input 0 with updates from src, and memory for the target. contiguous: src must be row-major. */
tsr_status tsr__scatter_plan(tsr__call *call, const tsr__result *result, const tsr_tensor *src, tsr_scatter_mode mode,
                             bool contiguous, tsr__scatter_target *target);

/* After tsr__call_start: view holds in, and src its elements; then view is the output. */
void tsr__scatter_fill(const tsr__call *call, const tsr_tensor *src, const tsr__scatter_target *target);
void tsr__scatter_end(const tsr__call *call, const tsr__scatter_target *target);

#endif
