#include "ops/random/elementary.h"
#include "ops/reduce/ops.h"

#if TSR_HAVE_F64
#define LOGARITHM(x) tsr__log_f64(x)
#else
#define LOGARITHM(x) tsr__log_f32(x)
#endif

/* What is taken out of the exponents: the greatest, unless it is infinite or NaN, whose differences would be NaN. */
static void finish_peak(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)terms, (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] = v[i] - v[i] == 0 ? v[i] : 0;
}

static void finish_log(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  const tsr__reduce_real *const peak = param;
  (void)terms;
  for (tsr_index i = 0; i < n; i++) v[i] = LOGARITHM(v[i] + (tsr__reduce_real)0) + peak[i];
}

static const tsr__reduce_op logsumexp_op = {
    &tsr__op_logsumexp, TSR__REDUCE_REALS, TSR__NEUTRAL_ZERO, false,
    .pass = {{TSR__KERNELS_OF(peak), finish_peak}, {TSR__KERNELS_OF(exponential), finish_log}}};
TSR__REDUCE_FUNCTION(logsumexp) /* tsr_logsumexp */
