/* The public functions: one row each, and only its own kernels are linked with it. */
#include "ops/unary/ops.h"

#include <tessera/unary.h>

#define UNARY_EACH(op, kind, weight)                                                                                 \
  static const tsr__unary_op op##_op = {&tsr__op_##op, TSR__UNARY_##kind, TSR__GRAIN_##weight, TSR__KERNELS_OF(op)}; \
  TSR__OP_ROW(op, unary, tsr__unary, &op##_op, TSR__OP_ELEMENTWISE)                                                  \
  tsr_status tsr_##op(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {                                          \
    return tsr__unary_run(ctx, &op##_op, x, &(const tsr__unary_attrs){0}, NULL, out);                                \
  }
#include "ops/unary/rows.def"
