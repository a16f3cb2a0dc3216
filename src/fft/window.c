/* Windows: weights that bring the ends of a piece of a signal to 0, or near it. */
#include <math.h>

#include "fft/ops.h"
#include "fft/window.h"
#include "ops/copy/copy.h"

#if TSR_HAVE_F64

/* The modified Bessel function of order 0, by its series: terms fall once k is over x / 2. */
static double bessel_i0(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 1000 && term > 1e-18 * sum; k++) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/* Weight i of n, at x = -1 … 1. The angle counts from the middle, so that both halves have the same bits. */
static double weight_of(const tsr__window_attrs *attrs, tsr_index i, tsr_index n, double top) {
  const double pi = 3.14159265358979323846, x = n > 1 ? (double)(2 * i - (n - 1)) / (double)(n - 1) : 0;
  switch (attrs->kind) {
    case TSR_WINDOW_HANN: return 0.5 + 0.5 * cos(pi * x);
    case TSR_WINDOW_HAMMING: return 0.54 + 0.46 * cos(pi * x);
    case TSR_WINDOW_BLACKMAN: return 0.42 + 0.5 * cos(pi * x) + 0.08 * cos(2 * pi * x);
    case TSR_WINDOW_BARTLETT: return 1 - fabs(x);
    case TSR_WINDOW_KAISER: return bessel_i0((double)attrs->beta * sqrt(1 - x * x)) / top;
    default: return 1;
  }
}

void tsr__window_weights(const tsr__window_attrs *attrs, double *weights) {
  const tsr_index n = attrs->n + (attrs->periodic && attrs->n > 1 ? 1 : 0);
  const double top = attrs->kind == TSR_WINDOW_KAISER ? bessel_i0((double)attrs->beta) : 1;
  for (tsr_index i = 0; i < attrs->n; i++) weights[i] = weight_of(attrs, i, n, top);
}

static tsr_status check_window(const tsr__call *call, const tsr__window_attrs *attrs) {
  const tsr_status st = tsr__check_dtype(call->ctx, call->op, "dtype", attrs->dtype);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(attrs->dtype)->class_ != TSR_CLASS_FLOAT || !tsr_dtype_supported(attrs->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "dtype", "is %s: windows are real floats",
                     tsr_dtype_name(attrs->dtype));
  if ((int)attrs->kind < TSR_WINDOW_RECTANGLE || (int)attrs->kind > TSR_WINDOW_KAISER)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "kind", "is %d, and no window", (int)attrs->kind);
  if (attrs->n < 0 || attrs->n > TSR_INDEX_MAX / 64)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %l", (int64_t)attrs->n);
  if (attrs->kind == TSR_WINDOW_KAISER && !(attrs->beta >= 0 && attrs->beta <= 700))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "beta", "is %g: 0 to 700 are taken", (double)attrs->beta);
  return TSR_OK;
}

static tsr_status window(tsr__call *call) {
  const tsr__window_attrs *const attrs = call->attrs;
  void *memory;
  tsr_status st = check_window(call, attrs);
  if (st != TSR_OK) return st;
  const tsr__result result = {attrs->dtype, TSR_PLAIN, 1, &attrs->n, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_scratch(call, (size_t)attrs->n * sizeof(double), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || attrs->n == 0) return st;
  const tsr_tensor weights = {.dtype = TSR_F64, .ndim = 1, .shape = {attrs->n}, .stride = {1}, .data = memory};
  tsr__window_weights(attrs, memory);
  tsr__copy_no_alias(call->ctx, &weights, call->out[0]);
  return TSR_OK;
}

#else

static tsr_status window(tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "needs f64");
}

#endif

TSR__OP(window, window, 0)
tsr_status tsr_window(tsr_ctx *ctx, int dtype, tsr_window_kind kind, tsr_index n, bool periodic, tsr_real beta,
                      tsr_tensor *out) {
  return TSR__CALL(window, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .dtype = dtype, .kind = kind, .n = n,
                   .periodic = periodic, .beta = beta);
}
