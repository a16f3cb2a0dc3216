#include "nn/softmax/ops.h"
#include "nn/softmax/softmax.h"

static const tsr__softmax_kernel *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__log_softmax);

TSR__OP_ROW(log_softmax, softmax, tsr__softmax_call, tables, TSR__OP_TELLS | TSR__OP_PREPARES)
tsr_status tsr_log_softmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return TSR__CALL(log_softmax, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis);
}
