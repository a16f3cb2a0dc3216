#include "on_device.h"

#include <math.h>
#include <string.h>

#include "report.h"

bool device_of(tsr_ctx *ctx, const arguments *args, const tsr_device **device) {
  const char *const name = args_value(args, "device", NULL);
  *device = NULL;
#if TSR_HAVE_OPS
  if (name == NULL) return true;
  if (strcmp(name, tsr_device_dry()->name) == 0) return *device = tsr_device_dry(), true;
  if (tsr_device_open(ctx, name, device) == TSR_OK) return true;
  (void)report("%s", tsr_error(ctx));
  return false;
#else
  (void)ctx;
  if (name != NULL) (void)report("this build has no devices (TSR_HAVE_OPS)");
  return name == NULL;
#endif
}

/* The one number of a result, which is released. */
static tsr_status take(tsr_ctx *ctx, tsr_status st, tsr_tensor *result, double *value) {
  tsr_tensor host = {0};
  tsr_real real = 0;
  if (st == TSR_OK) st = tsr_to_device(ctx, result, NULL, &host);
  if (st == TSR_OK) st = tsr_get(ctx, &host, 0, NULL, &real);
  *value = (double)real;
  tsr_release(&host);
  tsr_release(result);
  return st;
}

static tsr_status count(tsr_ctx *ctx, const tsr_tensor *x, int64_t *n) {
  tsr_tensor result = {0};
  double value;
  const tsr_status st = take(ctx, tsr_count_nonzero(ctx, x, 0, NULL, false, &result), &result, &value);
  *n = (int64_t)value;
  return st;
}

/* How many elements a predicate holds for. */
static tsr_status count_where(tsr_ctx *ctx, const tsr_tensor *x,
                              tsr_status (*is)(tsr_ctx *, const tsr_tensor *, tsr_tensor *), int64_t *n) {
  tsr_tensor holds = {0};
  tsr_status st = is(ctx, x, &holds);
  if (st == TSR_OK) st = count(ctx, &holds, n);
  tsr_release(&holds);
  return st;
}

/* x where it is finite, and a number elsewhere. */
static tsr_status finite_or(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *finite, double otherwise,
                            tsr_tensor *out) {
  tsr_tensor number = {0};
  tsr_status st = tsr_from_memory(ctx, &otherwise, TSR_F64, 0, NULL, &number);
  if (st == TSR_OK) st = tsr_where(ctx, finite, x, &number, out);
  return st;
}

/* One number of x: the least, the greatest or the sum. */
static tsr_status reduce(tsr_ctx *ctx, const tsr_tensor *x,
                         tsr_status (*op)(tsr_ctx *, const tsr_tensor *, int, const int *, bool, tsr_tensor *),
                         double *value) {
  tsr_tensor result = {0};
  return take(ctx, op(ctx, x, 0, NULL, false, &result), &result, value);
}

/* x is f64, and n of its elements are finite. */
static tsr_status summarize_finite(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *finite, double n,
                                   tsr_summary *out) {
  tsr_tensor numbers = {0}, mean = {0};
  double sum = 0, squares = 0;
  tsr_status st = finite_or(ctx, x, finite, INFINITY, &numbers);
  if (st == TSR_OK) st = reduce(ctx, &numbers, tsr_min, &out->min);
  if (st == TSR_OK) st = finite_or(ctx, x, finite, -INFINITY, &numbers);
  if (st == TSR_OK) st = reduce(ctx, &numbers, tsr_max, &out->max);
  if (st == TSR_OK) st = finite_or(ctx, x, finite, 0, &numbers);
  if (st == TSR_OK) st = reduce(ctx, &numbers, tsr_sum, &sum);
  out->mean = sum / n;
  if (st == TSR_OK) st = finite_or(ctx, x, finite, out->mean, &numbers);
  if (st == TSR_OK) st = tsr_from_memory(ctx, &out->mean, TSR_F64, 0, NULL, &mean);
  if (st == TSR_OK) st = tsr_sub(ctx, &numbers, &mean, &numbers);
  if (st == TSR_OK) st = tsr_mul(ctx, &numbers, &numbers, &numbers);
  if (st == TSR_OK) st = reduce(ctx, &numbers, tsr_sum, &squares);
  out->std = sqrt(squares / n);
  tsr_release(&numbers);
  return st;
}

tsr_status summarize_on(tsr_ctx *ctx, const tsr_device *device, const tsr_tensor *t, tsr_summary *out) {
  tsr_tensor x = {0}, wide = {0}, finite = {0};
  int64_t nonzero = 0, numbers = 0;
  *out = (tsr_summary){.count = tsr_size(t), .min = NAN, .max = NAN, .mean = NAN, .std = NAN};
  tsr_status st = tsr_to_device(ctx, t, device, &x);
  if (st == TSR_OK) st = tsr_cast(ctx, &x, TSR_F64, &wide);
  if (st == TSR_OK) st = count(ctx, &wide, &nonzero);
  out->zeros = out->count - nonzero;
  if (st == TSR_OK) st = count_where(ctx, &wide, tsr_isnan, &out->nans);
  if (st == TSR_OK) st = count_where(ctx, &wide, tsr_isinf, &out->infs);
  if (st == TSR_OK) st = tsr_isfinite(ctx, &wide, &finite);
  if (st == TSR_OK) st = count(ctx, &finite, &numbers);
  if (st == TSR_OK && numbers > 0) st = summarize_finite(ctx, &wide, &finite, (double)numbers, out);
  tsr_release(&x);
  tsr_release(&wide);
  tsr_release(&finite);
  return st;
}
