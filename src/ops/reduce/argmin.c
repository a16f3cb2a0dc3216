#include "ops/reduce/arg.h"

#include <tessera/reduce.h>

#define X(isa) tsr__argmin_##isa,
static const tsr__arg_kernel *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_argmin(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out) {
  return tsr__arg_run(ctx, "argmin", x, axis, keepdims, tables[tsr__isa_of(ctx)], out);
}
