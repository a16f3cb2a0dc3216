#include "core/operand.h"
#include "core/dtypes.h"
#include "nn/pool/plain.h"

#include <tessera/pool.h>

#define TEMPLATE "nn/pool/adaptive_max.tmpl.h"
#include "nn/each_float.h"

static tsr__window_fold *const all[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(greatest)};

tsr_status tsr_adaptive_max_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  tsr__windows     w;
  const tsr_status st = tsr__adaptive_begin(ctx, "adaptive_max_pool", x, count, size, &w);
  if (st != TSR_OK) return st;
  w.fold = all[x->dtype];
  return tsr__windows_run(ctx, &w, out);
}
