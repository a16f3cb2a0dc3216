/* einsum and its kin, and what goes along one axis, against NumPy, to the bit. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64 && TSR_HAVE_COMPLEX

#include <math.h>

typedef struct side {
  int dtype, ndim;
  tsr_index shape[6];
  _Alignas(8) double re[60];
  _Alignas(8) double im[60];
} side;

typedef struct golden {
  const char *name, *text;
  int whole[5];
  _Alignas(8) double real[2];
  int n;
  side in[4], out;
} golden;

static const golden rows[] = {
#include "golden/einsum.inc"
};

static tsr_tensor tensor_of(tsr_ctx *ctx, const side *s) {
  tsr_tensor wide = {0}, t = {0}, part = {0};
  const bool is_complex = s->dtype == TSR_C64 || s->dtype == TSR_C128;
  OK(ctx, tsr_zeros(ctx, s->dtype, s->ndim, s->shape, &t));
  for (int i = 0; i < 1 + is_complex; i++) {
    part = t;
    part.flags = 0;
    if (is_complex) OK(ctx, tsr_complex_part(ctx, &t, i, &part));
    OK(ctx, tsr_from_const_memory(ctx, i == 0 ? s->re : s->im, TSR_F64, s->ndim, s->shape, &wide));
    OK(ctx, tsr_copy(ctx, &wide, &part));
  }
  return t;
}

static bool is(const golden *g, const char *name) { return strcmp(g->name, name) == 0; }

static tsr_status call_product(tsr_ctx *ctx, const golden *g, const tsr_tensor *const *x, tsr_tensor *out) {
  const int n = g->whole[0];
  if (is(g, "einsum")) return tsr_einsum(ctx, g->n, x, g->text, out);
  if (is(g, "tensordot") && g->text[0] == 'c') return tsr_tensordot(ctx, x[0], x[1], n, NULL, NULL, out);
  if (is(g, "tensordot")) return tsr_tensordot(ctx, x[0], x[1], n, g->whole + 1, g->whole + 1 + n, out);
  if (is(g, "inner")) return tsr_inner(ctx, x[0], x[1], out);
  if (is(g, "vdot")) return tsr_vdot(ctx, x[0], x[1], out);
  if (is(g, "kron")) return tsr_kron(ctx, x[0], x[1], out);
  if (is(g, "trace")) return tsr_trace(ctx, x[0], g->whole[0], g->whole[1], g->whole[2], out);
  return tsr_cross(ctx, x[0], x[1], g->whole[0], out);
}

static bool is_series(const golden *g) {
  static const char *const names[] = {"diff", "gradient", "interp", "convolve", "correlate"};
  bool any = false;
  for (int i = 0; i < COUNT_OF(names); i++) any = any || is(g, names[i]);
  return any;
}

static tsr_status call_series(tsr_ctx *ctx, const golden *g, const tsr_tensor *const *x, tsr_tensor *out) {
  const int *const w = g->whole;
  if (is(g, "diff")) return tsr_diff(ctx, x[0], w[0], w[1], w[2] ? x[1] : NULL, w[3] ? x[1 + w[2]] : NULL, out);
  if (is(g, "gradient")) return tsr_central_diff(ctx, x[0], g->n > 1 ? x[1] : NULL, g->real[0], w[0], w[1], out);
  if (is(g, "interp"))
    return tsr_interp(ctx, x[0], x[1], x[2], w[0] ? &g->real[0] : NULL, w[1] ? &g->real[1] : NULL, out);
  if (is(g, "convolve")) return tsr_convolve(ctx, x[0], x[1], (tsr_convolve_mode)w[0], out);
  return tsr_correlate(ctx, x[0], x[1], (tsr_convolve_mode)w[0], out);
}

static bool same_number(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

/* The dtype, the shape and every number; NaN for NaN. */
static bool same_result(const tsr_tensor *out, const side *want) {
  tsr_index index[TSR_MAX_DIMS] = {0}, at = 0;
  const bool is_complex = out->dtype == TSR_C64 || out->dtype == TSR_C128;
  if (out->dtype != want->dtype || out->ndim != want->ndim) return false;
  for (int axis = 0; axis < out->ndim; axis++)
    if (out->shape[axis] != want->shape[axis]) return false;
  if (tsr_size(out) == 0) return true;
  do {
    const char *const element = test_at(out, index);
    const int part = out->dtype == TSR_C64 ? TSR_F32 : out->dtype == TSR_C128 ? TSR_F64 : out->dtype;
    if (!same_number(test_decode(part, element), want->re[at])) return false;
    if (is_complex && !same_number(test_decode(part, element + tsr_dtype_size(part)), want->im[at])) return false;
    at++;
  } while (test_next_index(out->ndim, out->shape, index));
  return true;
}

TEST(golden_values) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int i = 0; i < COUNT_OF(rows); i++) {
      const golden *const g = &rows[i];
      tsr_ctx *const ctx = test_context();
      tsr_tensor x[4] = {{0}}, out = {0};
      const tsr_tensor *in[4] = {NULL};
      OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
      for (int k = 0; k < g->n; k++) {
        x[k] = tensor_of(ctx, &g->in[k]);
        in[k] = &x[k];
      }
      OK(ctx, is_series(g) ? call_series(ctx, g, in, &out) : call_product(ctx, g, in, &out));
      const bool same = same_result(&out, &g->out);
      CHECK(same);
      if (!same && test_now.failures < 20)
        printf("  row %d: %s %s gives %s\n", i, g->name, g->text, tsr_dtype_name(out.dtype));
      tsr_release(&out);
      for (int k = g->n - 1; k >= 0; k--) tsr_release(&x[k]);
      CHECK(test_live() == 0);
    }
}

#else
TEST(golden_values) { SKIP("needs f64, complex numbers and flash"); }
#endif

TEST_MAIN(RUN(golden_values))
