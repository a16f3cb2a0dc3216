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

/* x is f64, and some of it is finite. */
static tsr_status summarize_finite(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *finite, tsr_summary *out) {
  const tsr_selection all = {.where = finite};
  const tsr_selection least = {.where = finite, .has_initial = true, .initial = (tsr_real)INFINITY};
  const tsr_selection greatest = {.where = finite, .has_initial = true, .initial = (tsr_real)-INFINITY};
  tsr_tensor r = {0};
  tsr_status st = take(ctx, tsr_min_where(ctx, x, &least, 0, NULL, false, &r), &r, &out->min);
  if (st == TSR_OK) st = take(ctx, tsr_max_where(ctx, x, &greatest, 0, NULL, false, &r), &r, &out->max);
  if (st == TSR_OK) st = take(ctx, tsr_mean_where(ctx, x, &all, 0, NULL, false, &r), &r, &out->mean);
  if (st == TSR_OK) st = take(ctx, tsr_std_where(ctx, x, &all, 0, NULL, 0, false, &r), &r, &out->std);
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
  if (st == TSR_OK && numbers > 0) st = summarize_finite(ctx, &wide, &finite, out);
  tsr_release(&x);
  tsr_release(&wide);
  tsr_release(&finite);
  return st;
}
