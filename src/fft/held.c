/* Plans that programs hold. */
#include "fft/plan.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

tsr_status tsr_fft_plan_new(tsr_ctx *ctx, int dtype, tsr_index n, tsr_fft_plan **plan) {
  static const char op[] = "fft_plan_new";
  const bool real = dtype == TSR_F32 || dtype == TSR_F64, single = dtype == TSR_F32 || dtype == TSR_C64;
  if (plan == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "plan", "is NULL");
  if (!real && dtype != TSR_C64 && dtype != TSR_C128)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "is %s, and not f32, f64, c64 or c128", tsr_dtype_name(dtype));
  if (n < 1 || tsr__fft_scratch_of(n, TSR_F64, real, 0) == SIZE_MAX)
    return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %l", (int64_t)n);
  tsr_fft_plan *const made = tsr__fft_plan_get(n, single ? TSR_F32 : TSR_F64, real, tsr__isa_of(ctx));
  if (made == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for the plan of %l elements", (int64_t)n);
  *plan = made;
  return TSR_OK;
}

void tsr_fft_plan_release(tsr_fft_plan *plan) {
  if (plan != NULL) tsr__fft_plan_put(plan);
}

/* Of real lines of an odd length: a complex one beside. */
static size_t odd_bytes(const tsr_fft_plan *plan) {
  return plan->real && plan->way != TSR__FFT_HALF
             ? tsr__align_up((size_t)(2 * plan->n) * tsr__fft_item(plan), TSR_DATA_ALIGN)
             : 0;
}

size_t tsr_fft_plan_scratch(const tsr_fft_plan *plan) { return tsr__fft_scratch(plan) + odd_bytes(plan); }

static double number_at(const tsr_fft_plan *plan, const void *line, tsr_index i) {
  return plan->dtype == TSR_F32 ? (double)((const float *)line)[i] : ((const double *)line)[i];
}
static void put_number(const tsr_fft_plan *plan, void *line, tsr_index i, double value) {
  if (plan->dtype == TSR_F32)
    ((float *)line)[i] = (float)value;
  else
    ((double *)line)[i] = value;
}

static void fill_odd(const tsr_fft_plan *plan, bool inverse, const void *in, void *line) {
  for (tsr_index k = 0; k < plan->n; k++) {
    const bool mirrored = inverse && 2 * k > plan->n;
    const tsr_index from = mirrored ? plan->n - k : k;
    const double im = inverse && k > 0 ? number_at(plan, in, 2 * from + 1) : 0;
    put_number(plan, line, 2 * k, number_at(plan, in, inverse ? 2 * from : k));
    put_number(plan, line, 2 * k + 1, mirrored ? -im : im);
  }
}

static void run_odd(const tsr_fft_plan *plan, bool inverse, const void *in, void *out, char *scratch) {
  const tsr__fft_lines lines = {plan, inverse, 1, 1, scratch, scratch, 0, 0};
  fill_odd(plan, inverse, in, scratch);
  tsr__fft_run(&lines, scratch + odd_bytes(plan));
  for (tsr_index k = 0; k < (inverse ? plan->n : plan->n + 1); k++)
    put_number(plan, out, k, number_at(plan, scratch, inverse ? 2 * k : k));
}

void tsr_fft_plan_run(const tsr_fft_plan *plan, bool inverse, const void *in, void *out, void *scratch) {
  const tsr__fft_lines lines = {plan, inverse, 1, 1, in, out, 0, 0};
  if (!plan->real)
    tsr__fft_run(&lines, scratch);
  else if (plan->way != TSR__FFT_HALF)
    run_odd(plan, inverse, in, out, scratch);
  else if (inverse)
    tsr__fft_run_back(plan, 1, in, out, scratch);
  else
    tsr__fft_run_real(plan, 1, in, out, scratch);
}

#else

tsr_status tsr_fft_plan_new(tsr_ctx *ctx, int dtype, tsr_index n, tsr_fft_plan **plan) {
  (void)dtype, (void)n, (void)plan;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, "fft_plan_new", NULL, "needs f64 and malloc");
}
void tsr_fft_plan_release(tsr_fft_plan *plan) { (void)plan; }
size_t tsr_fft_plan_scratch(const tsr_fft_plan *plan) { return (void)plan, 0; }
void tsr_fft_plan_run(const tsr_fft_plan *plan, bool inverse, const void *in, void *out, void *scratch) {
  (void)plan, (void)inverse, (void)in, (void)out, (void)scratch;
}

#endif
