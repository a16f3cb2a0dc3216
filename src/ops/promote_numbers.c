#include <tessera/binary.h>
#include "ops/promote.h"

tsr_status tsr__promote_numbers(tsr_ctx *ctx, const char *op, bool floats, int inputs, const tsr_tensor *const *in,
                                const char *const *names, int *dtype) {
  int all = in[0]->dtype;
  for (int k = 0; k < inputs; k++) {
    if (!tsr_dtype_supported(in[k]->dtype))
      return TSR__FAIL(ctx, TSR_EDTYPE, op, names[k], "is %y, which this build does not compute with",
                       (int)in[k]->dtype);
    all = tsr_dtype_promote(all, in[k]->dtype);
  }
  if (all == TSR_BOOL && !floats)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, names[0], "is bool, which is no number here; cast it");
  const bool is_complex = tsr_dtype_describe(all)->class_ == TSR_CLASS_COMPLEX;
  *dtype = floats && !is_complex ? tsr__float_of(all) : all;
  return TSR_OK;
}
