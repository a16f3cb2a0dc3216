/* The checked build's watch for NaN (tsr_check_nan): an elementwise op that makes one of numbers that are none. In
 * other builds there is nothing of it. */
#ifndef TSR_OPS_ELEMENTWISE_NAN_WATCH_H
#define TSR_OPS_ELEMENTWISE_NAN_WATCH_H

#include "ops/elementwise/elementwise.h"

#if defined(TSR_CHECKED)
/* Whether somebody watches: small calls go the long way then. */
bool tsr__nan_watched(void);
/* Before the op, which may write into its inputs: whether somebody watches and no input holds NaN. */
bool tsr__nan_watch_begin(const tsr__elementwise *e);
/* After it, where that was so: calls the hook when the output holds NaN. */
void tsr__nan_watch_end(const tsr__elementwise *e, const tsr_tensor *out);
#else
static inline bool tsr__nan_watched(void) { return false; }
static inline bool tsr__nan_watch_begin(const tsr__elementwise *e) {
  (void)e;
  return false;
}
static inline void tsr__nan_watch_end(const tsr__elementwise *e, const tsr_tensor *out) {
  (void)e;
  (void)out;
}
#endif

#endif
