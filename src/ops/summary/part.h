/* How summaries and comparisons are cut for threads, and what they look at. */
#ifndef TSR_OPS_SUMMARY_PART_H
#define TSR_OPS_SUMMARY_PART_H

#include "core/check.h"

/* Elements of a stretch, which one thread looks through, and stretches of a round: their results lie on the stack. A
 * multiple of every block, so that the blocks do not depend on the threads. */
enum { TSR__STRETCH = 1 << 18, TSR__PARTS = TSR_HAVE_THREADS ? 32 : 1 };

static inline tsr_index tsr__stretches(tsr_index size) { return size / TSR__STRETCH + (size % TSR__STRETCH > 0); }

/* The dtype that elements of a dtype are looked at as. */
static inline int tsr__summary_dtype(int dtype) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  const bool small = info->bytes <= 2 || dtype == TSR_F32;
  return small || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64;
}

/* Whether x is there, on the host, and of a dtype that can be summarised: TSR_EDTYPE. */
tsr_status tsr__check_summary(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *x);

#endif
