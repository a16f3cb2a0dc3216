/* Scattering, gathering, masks and reductions over some of the elements: NumPy's values. */
#include "support/test.h"

#include "ops/reduce_reference.h"

#if TSR_HAVE_F64

enum { SCATTER = 100, GATHER, GATHER_ND, SELECT, NONZERO, FILL, PLACE, MEDIAN };

enum { MOST = 24 };

typedef struct golden {
  int op, number; /* a mode, an initial value or ddof; negative: without NaN */
  int dtype, ndim;
  tsr_index shape[3];
  _Alignas(8) double x[MOST];
  int index_ndim;
  tsr_index index_shape[3];
  int index[MOST];
  int src_count;
  _Alignas(8) double src[MOST];
  int axis;
  bool ok;
  int out_ndim;
  tsr_index out_shape[3];
  _Alignas(8) double out[MOST];
} golden;

static const golden rows[] = {
#include "golden/index.inc"
};

/* A tensor of a dtype from numbers. */
static void make(tsr_ctx *ctx, const double *values, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  tsr_tensor from = {0};
  OK(ctx, tsr_from_const_memory(ctx, values, TSR_F64, ndim, shape, &from));
  OK(ctx, tsr_cast(ctx, &from, dtype, out));
}

typedef struct operands {
  tsr_tensor x, index, mask, src;
} operands;

static void make_operands(tsr_ctx *ctx, const golden *g, operands *o) {
  tsr_tensor from = {0};
  *o = (operands){0};
  make(ctx, g->x, g->dtype, g->ndim, g->shape, &o->x);
  OK(ctx, tsr_from_const_memory(ctx, g->index, TSR_I32, g->index_ndim, g->index_shape, &from));
  OK(ctx, tsr_cast(ctx, &from, TSR_I64, &o->index));
  OK(ctx, tsr_cast(ctx, &from, TSR_BOOL, &o->mask));
  const tsr_index count[1] = {g->src_count};
  if (g->op == SCATTER)
    make(ctx, g->src, g->dtype, g->index_ndim, g->index_shape, &o->src);
  else
    make(ctx, g->src, g->dtype, 1, count, &o->src);
}

static tsr_status run_reduction(tsr_ctx *ctx, const golden *g, const operands *o, tsr_tensor *out) {
  const bool all = g->axis == TSR_ALL_AXES, skip = g->number < 0;
  const int naxes = all ? 0 : 1, number = skip ? -1 - g->number : g->number;
  const int *const axes = all ? NULL : &g->axis;
  const tsr_selection s = {
      .where = skip ? NULL : &o->mask, .skip_nan = skip, .has_initial = !skip, .initial = (tsr_real)g->number};
  switch (g->op) {
    case SUM: return tsr_sum_where(ctx, &o->x, &s, naxes, axes, false, out);
    case PROD: return tsr_prod_where(ctx, &o->x, &s, naxes, axes, false, out);
    case MEAN: return tsr_mean_where(ctx, &o->x, &s, naxes, axes, false, out);
    case VAR: return tsr_var_where(ctx, &o->x, &s, naxes, axes, false, number, out);
    case STD: return tsr_std_where(ctx, &o->x, &s, naxes, axes, false, number, out);
    case MIN: return tsr_min_where(ctx, &o->x, &s, naxes, axes, false, out);
    case MAX: return tsr_max_where(ctx, &o->x, &s, naxes, axes, false, out);
    case ANY: return tsr_any_where(ctx, &o->x, &s, naxes, axes, false, out);
    case ALL: return tsr_all_where(ctx, &o->x, &s, naxes, axes, false, out);
    case COUNT: return tsr_count_nonzero_where(ctx, &o->x, &s, naxes, axes, false, out);
    case ARGMIN: return tsr_argmin_where(ctx, &o->x, &s, g->axis, false, out);
    case ARGMAX: return tsr_argmax_where(ctx, &o->x, &s, g->axis, false, out);
    default: return tsr_nanmedian(ctx, &o->x, naxes, axes, false, out);
  }
}

static tsr_status run(tsr_ctx *ctx, const golden *g, const operands *o, tsr_tensor *out) {
  switch (g->op) {
    case SCATTER: return tsr_scatter(ctx, &o->x, &o->index, &o->src, g->axis, (tsr_scatter_mode)g->number, out);
    case GATHER: return tsr_gather(ctx, &o->x, &o->index, g->axis, out);
    case GATHER_ND: return tsr_gather_nd(ctx, &o->x, &o->index, 0, out);
    case SELECT: return tsr_masked_select(ctx, &o->x, &o->mask, out);
    case NONZERO: return tsr_nonzero(ctx, &o->x, out);
    case FILL: return tsr_masked_fill(ctx, &o->x, &o->mask, (tsr_real)g->number, out);
    case PLACE: return tsr_masked_scatter(ctx, &o->x, &o->mask, &o->src, out);
    default: return run_reduction(ctx, g, o, out);
  }
}

/* Whether the result is NumPy's: exact but for means and what comes of them. */
static bool is_right(const golden *g, const tsr_tensor *out) {
  const bool near = g->op <= STD || g->op == MEDIAN;
  const double scale = near ? 1 : 0;
  tsr_index at[TSR_MAX_DIMS] = {0}, i = 0;
  if (out->ndim != g->out_ndim) return false;
  for (int k = 0; k < out->ndim; k++)
    if (out->shape[k] != g->out_shape[k]) return false;
  if (tsr_size(out) == 0) return true;
  do {
    const double want = g->out[i++], got = number_of(out->dtype, test_at(out, at));
    if (!is_close(out->dtype, got, want, scale * (4 * fabs(want) + 4))) return false;
  } while (test_next_index(out->ndim, out->shape, at));
  return true;
}

TEST(golden_values) {
  for (int i = 0; i < COUNT_OF(rows); i++) {
    const golden *const g = &rows[i];
    tsr_ctx *const ctx = test_context();
    operands o;
    tsr_tensor out = {0};
    make_operands(ctx, g, &o);
    const tsr_status st = run(ctx, g, &o, &out);
    const bool right = (st == TSR_OK) == g->ok && (!g->ok || is_right(g, &out));
    CHECK(right);
    if (!right) printf("  row %d, op %d of %s: %s\n", i, g->op, tsr_dtype_name(g->dtype), tsr_error(ctx));
    tsr_release(&out);
    tsr_release(&o.src);
    tsr_release(&o.mask);
    tsr_release(&o.index);
    tsr_release(&o.x);
    CHECK(test_live() == 0);
  }
}

#else

TEST(golden_values) { SKIP("needs f64 and flash"); }

#endif

TEST_MAIN(RUN(golden_values))
