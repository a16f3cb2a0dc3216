#include "ops/reduce/reduce.h"

#include <tessera/reduce.h>

#define X(isa) tsr__sum_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

/* A sum starts with -0, which changes nothing; the sum of nothing is 0. */
static void finish_f32(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  (void)param;
  for (tsr_index i = 0; i < n && r->count == 0; i++) ((float *)values)[i] = 0;
}

#if TSR_HAVE_F64
static void finish_f64(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  (void)param;
  for (tsr_index i = 0; i < n && r->count == 0; i++) ((double *)values)[i] = 0;
}
#endif

static tsr__reduce_finish *finish_of(int dtype) {
#if TSR_HAVE_F64
  if (dtype == TSR_F64) return finish_f64;
#endif
  return dtype == TSR_F32 ? finish_f32 : NULL;
}

tsr_status tsr__sum_as(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                       int dtype, tsr_tensor *out) {
  tsr__reduce r;
  tsr_status  st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, &r);
  if (st == TSR_OK) st = tsr__reduce_check_real(ctx, &r);
  if (st != TSR_OK) return st;
  r.compute = tsr__reduce_compute(x->dtype);
  r.pass[0].kernel = tables[tsr__isa_of(ctx)][r.compute];
  r.pass[0].finish = finish_of(r.compute);
  r.out_dtype = dtype != TSR_NONE ? dtype : tsr__reduce_sum_dtype(x->dtype);
  return tsr__reduce_run(ctx, &r, out);
}

tsr_status tsr_sum(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  return tsr__sum_as(ctx, "sum", x, naxes, axes, keepdims, TSR_NONE, out);
}
