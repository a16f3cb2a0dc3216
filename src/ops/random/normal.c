#include "core/operand.h"
#include "ops/random/random.h"

#define X(isa) tsr__normal_f32_##isa,
static tsr__random_form_fn *const f32_fns[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
#if TSR_HAVE_F64
#define X(isa) tsr__normal_f64_##isa,
static tsr__random_form_fn *const f64_fns[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
#endif

static void make(const tsr__draw *draw, uint64_t position, int n, const uint32_t *words, void *values) {
  (void)position;
  draw->kernel(&draw->form, n, words, values);
}

static tsr_status draw_normal(tsr_ctx *ctx, const char *op, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                              tsr_real mean, tsr_real std, tsr_tensor *out) {
  tsr__draw  draw = {.op = op, .make = make, .dtype = TSR_F32, .kernel = f32_fns[tsr__isa_of(ctx)],
                     .form = {.low = mean, .scale = std}};
  tsr_status st = tsr__draw_check(ctx, op, rng);
  if (st == TSR_OK) st = tsr__draw_check_float(ctx, op, dtype);
  if (st != TSR_OK) return st;
  if (!(mean - mean == 0)) return TSR__FAIL(ctx, TSR_EARG, op, "mean", "is %r, which is not finite", &mean);
  if (!(std >= 0 && std - std == 0))
    return TSR__FAIL(ctx, TSR_EARG, op, "std", "is %r, which is not a finite number of 0 or more", &std);
#if TSR_HAVE_F64
  if (dtype == TSR_F64) {
    draw.dtype = TSR_F64;
    draw.width = TSR__PAIRS;
    draw.kernel = f64_fns[tsr__isa_of(ctx)];
  }
#endif
  return tsr__draw_run(ctx, &draw, rng, dtype, ndim, shape, out);
}

tsr_status tsr_rand_normal(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  TSR__OPERANDS(out);
  return draw_normal(ctx, "rand_normal", rng, dtype, ndim, shape, 0, 1, out);
}

tsr_status tsr_rand_normal_scaled(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape,
                                  tsr_real mean, tsr_real std, tsr_tensor *out) {
  TSR__OPERANDS(out);
  return draw_normal(ctx, "rand_normal_scaled", rng, dtype, ndim, shape, mean, std, out);
}
