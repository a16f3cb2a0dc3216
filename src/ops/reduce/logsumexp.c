#include "ops/random/elementary.h"
#include "ops/reduce/real.h"

#include <tessera/reduce.h>

#define X(isa) tsr__peak_##isa,
static tsr__reduce_tables peaks = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__exponential_##isa,
static tsr__reduce_tables exponentials = {TSR_ISA_LIST(X)};
#undef X

#if TSR_HAVE_F64
#define LOGARITHM(x) tsr__log_f64(x)
#else
#define LOGARITHM(x) tsr__log_f32(x)
#endif

/* What is taken out of the exponents: the greatest, unless it is infinite or NaN, whose differences would be NaN. */
static void finish_peak(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)r;
  (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] = v[i] - v[i] == 0 ? v[i] : 0;
}

static void finish_log(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const       v = values;
  const tsr__reduce_real *const peak = param;
  (void)r;
  for (tsr_index i = 0; i < n; i++) v[i] = LOGARITHM(v[i] + (tsr__reduce_real)0) + peak[i];
}

tsr_status tsr_logsumexp(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                         tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin_real(ctx, "logsumexp", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  const int isa = tsr__isa_of(ctx);
  r.passes = 2;
  r.pass[0] = (tsr__reduce_pass){peaks[isa][r.compute], finish_peak};
  r.pass[1] = (tsr__reduce_pass){exponentials[isa][r.compute], finish_log};
  return tsr__reduce_run(ctx, &r, out);
}
