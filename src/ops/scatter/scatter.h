/* Elements that go to listed places: what scatter, put and scatter_nd share. */
#ifndef TSR_OPS_SCATTER_SCATTER_H
#define TSR_OPS_SCATTER_SCATTER_H

#include "core/check.h"

#include <tessera/scatter.h>

/* One run of updates, in order: element i of src goes to dst + i·dst_step + at[i]·axis_step, at being int64_t. Steps in
 * bytes. */
typedef struct tsr__updates {
  tsr_index   n;
  char       *dst;
  ptrdiff_t   dst_step, axis_step;
  const char *src;
  ptrdiff_t   src_step;
  const char *at;
  ptrdiff_t   at_step;
} tsr__updates;

typedef void tsr__combine_fn(const tsr__updates *u);

/* What does so for elements of a compute dtype (bool: as bytes); for TSR_SCATTER_SET of any dtype. */
tsr__combine_fn *tsr__combine_of(tsr_scatter_mode mode, int dtype);

/* A call. The three tensors have the shape of the axes that updates do not go along: a place in each for every update
 * number 0. */
typedef struct tsr__scatter {
  tsr_tensor       out, src, at;
  tsr_index        count; /* of updates along the axis */
  tsr_index        src_stride, at_stride, axis_stride; /* along it, in elements */
  tsr__combine_fn *combine;
} tsr__scatter;

void tsr__scatter_run(const tsr_ctx *ctx, const tsr__scatter *s);

/* TSR_SCATTER_ADD of a long vector with i64 indices to a short one, in one go: whether it did it, or failed; else
 * nothing has happened. All is checked but the indices. */
bool tsr__scatter_quick(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index,
                        const tsr_tensor *src, tsr_tensor *out, tsr_status *status);

/* The checks of in, src and mode. */
tsr_status tsr__scatter_check(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *src,
                              tsr_scatter_mode mode);

/* Where updates are combined: the output, or a copy in a wider dtype. */
typedef struct tsr__scatter_target {
  tsr_tensor   view, src; /* src: not in the way of the output, of view's dtype */
  bool         staged;
  tsr__scratch scratch, src_scratch;
} tsr__scatter_target;

/* *out holds in, and view is where updates go. The last step that can fail; then comes tsr__scatter_end, also after a
 * failure. */
tsr_status tsr__scatter_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *src,
                              tsr_scatter_mode mode, tsr_tensor *out, tsr__scatter_target *target);
void       tsr__scatter_end(const tsr_ctx *ctx, bool ok, const tsr_tensor *out, tsr__scatter_target *target);

#endif
