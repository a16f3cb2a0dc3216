#include "magnitude.h"

#include <math.h>

#include "numbers.h"

/* The real parts are there when the imaginary ones come. */
typedef struct filling {
  double *at;
} filling;

static void put_real(void *user, const double *values, tsr_index n) {
  filling *f = user;
  for (tsr_index i = 0; i < n; i++) f->at[i] = values[i];
  f->at += n;
}

static void join(void *user, const double *values, tsr_index n) {
  filling *f = user;
  for (tsr_index i = 0; i < n; i++) f->at[i] = hypot(f->at[i], values[i]);
  f->at += n;
}

tsr_status magnitudes_of(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  tsr_tensor part = {0};
  tsr_status st = tsr_zeros(ctx, TSR_F64, t->ndim, t->shape, out);
  filling f = {.at = out->data};
  if (st == TSR_OK) st = tsr_complex_part(ctx, t, 0, &part);
  if (st == TSR_OK) st = numbers_visit(ctx, &part, put_real, &f);
  f.at = out->data;
  if (st == TSR_OK) st = tsr_complex_part(ctx, t, 1, &part);
  if (st == TSR_OK) st = numbers_visit(ctx, &part, join, &f);
  return st;
}

bool is_complex(const tsr_tensor *t) { return tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_COMPLEX; }

tsr_status magnitudes_or_view(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  return is_complex(t) ? magnitudes_of(ctx, t, out) : tsr_view(ctx, t, out);
}

tsr_status magnitude_summary(tsr_ctx *ctx, const tsr_tensor *t, const tsr_tensor *magnitudes, tsr_summary *out,
                             double mean[2]) {
  tsr_summary parts[2];
  tsr_status st = tsr_summarize(ctx, magnitudes, out);
  for (int i = 0; i < 2 && st == TSR_OK; i++) {
    tsr_tensor part = {0};
    st = tsr_complex_part(ctx, t, i, &part);
    if (st == TSR_OK) st = tsr_summarize(ctx, &part, &parts[i]);
  }
  if (st != TSR_OK) return st;
  for (int i = 0; i < 2; i++) mean[i] = parts[i].mean;
  out->mean = (double)NAN; /* that of the magnitudes is not meant */
  out->std = hypot(parts[0].std, parts[1].std);
  return TSR_OK;
}
