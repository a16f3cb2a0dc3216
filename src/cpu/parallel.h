/* Parallel work of one call. */
#ifndef TSR_CPU_PARALLEL_H
#define TSR_CPU_PARALLEL_H

#include <tessera/context.h>

static inline const tsr_parallel *tsr__parallel(const tsr_ctx *ctx) {
  return ctx != NULL && ctx->parallel != NULL ? ctx->parallel : tsr_parallel_default();
}

/* Runs fn over 0 ≤ i < n; on this thread when n is not more than grain, because waking others costs microseconds. */
static inline void tsr__parallel_for(const tsr_ctx *ctx, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  if (n <= 0) return;
  if (!TSR_HAVE_THREADS || n <= grain) {
    fn(arg, 0, n, 0);
    return;
  }
  const tsr_parallel *const parallel = tsr__parallel(ctx);
  parallel->parallel_for(parallel->self, n, grain, fn, arg);
}

#endif
