/* tsr_central_diff: a quotient of two elements, or a weighted sum of three, at every place. */
#include "ops/series/central_diff.h"
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"
#include "ops/series/ops.h"

static const tsr__central_diff_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__central_diff);

/* ---- weights ---- */

typedef struct slopes {
  int axis, edge_order;
  tsr_index n;        /* along the axis */
  tsr_real spacing;   /* where there are no coordinates */
  const tsr_real *at; /* the coordinates; NULL: none */
  char *weights;      /* three of the compute dtype for each place inside, then three for each end */
  int part;           /* the dtype that is computed in, of a part */
} slopes;

static void put_weights(const slopes *c, tsr_index place, tsr_real a, tsr_real b, tsr_real w) {
#if TSR_HAVE_F64
  if (c->part == TSR_F64) {
    double *const to = (double *)(void *)c->weights + 3 * place;
    to[0] = (double)a, to[1] = (double)b, to[2] = (double)w;
    return;
  }
#endif
  float *const to = (float *)(void *)c->weights + 3 * place;
  to[0] = (float)a, to[1] = (float)b, to[2] = (float)w;
}

/* Uneven: the parabola through three points, at the one in the middle and at the two ends. */
static void put_inside(const slopes *c) {
  for (tsr_index i = 1; i + 1 < c->n; i++) {
    const tsr_real d1 = c->at[i] - c->at[i - 1], d2 = c->at[i + 1] - c->at[i];
    put_weights(c, i - 1, -d2 / (d1 * (d1 + d2)), (d2 - d1) / (d1 * d2), d1 / (d2 * (d1 + d2)));
  }
}

static void put_ends(const slopes *c, tsr_index first, tsr_index last) {
  const tsr_real h = c->spacing;
  if (c->at == NULL) {
    put_weights(c, first, (tsr_real)-1.5 / h, 2 / h, (tsr_real)-0.5 / h);
    put_weights(c, last, (tsr_real)0.5 / h, -2 / h, (tsr_real)1.5 / h);
    return;
  }
  tsr_real d1 = c->at[1] - c->at[0], d2 = c->at[2] - c->at[1];
  put_weights(c, first, -(2 * d1 + d2) / (d1 * (d1 + d2)), (d1 + d2) / (d1 * d2), -d1 / (d2 * (d1 + d2)));
  d1 = c->at[c->n - 2] - c->at[c->n - 3];
  d2 = c->at[c->n - 1] - c->at[c->n - 2];
  put_weights(c, last, d2 / (d1 * (d1 + d2)), -(d2 + d1) / (d1 * d2), (2 * d2 + d1) / (d2 * (d1 + d2)));
}

static tsr_index places_inside(const slopes *c) { return c->at != NULL && c->n > 2 ? c->n - 2 : 0; }

/* ---- one part of the tensor ---- */

static const tsr__central_diff_kernels *kernels_of(const tsr_ctx *ctx, const slopes *c) {
  return &tables[tsr__isa_of(ctx)][c->part == TSR_F64];
}

static void run_quotients(const tsr_ctx *ctx, const slopes *c, const tsr_tensor *x, const tsr_tensor *out,
                          tsr_index first, tsr_index count, tsr_index from, tsr_index apart, tsr_real distance) {
  const tsr_tensor y = tsr__part(out, c->axis, first, count), a = tsr__part(x, c->axis, from, count);
  tsr__central_diff_taps t = {(ptrdiff_t)(apart * x->stride[c->axis]) * tsr__item(x), distance};
  const tsr_tensor *const operands[] = {&y, &a};
  tsr__loop loop;
  tsr__loop_init(&loop, 2, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT, kernels_of(ctx, c)->quotients, &t);
}

static void run_sums(const tsr_ctx *ctx, const slopes *c, const tsr_tensor *x, const tsr_tensor *out, tsr_index first,
                     tsr_index count, tsr_index from, tsr_index weights) {
  const tsr_tensor y = tsr__part(out, c->axis, first, count), a = tsr__part(x, c->axis, from, count);
  tsr__central_diff_taps t = {(ptrdiff_t)x->stride[c->axis] * tsr__item(x), 0};
  tsr_tensor w = y;
  for (int i = 0; i < y.ndim; i++) w.stride[i] = i == c->axis ? 3 : 0;
  w.data = c->weights + 3 * (ptrdiff_t)weights * tsr__item(x);
  const tsr_tensor *const operands[] = {&y, &a, &w};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT, kernels_of(ctx, c)->sums, &t);
}

static void slope_part(const tsr_ctx *ctx, const slopes *c, const tsr_tensor *x, const tsr_tensor *out) {
  const tsr_index n = c->n, inside = places_inside(c);
  if (n > 2 && c->at != NULL) run_sums(ctx, c, x, out, 1, n - 2, 0, 0);
  if (n > 2 && c->at == NULL) run_quotients(ctx, c, x, out, 1, n - 2, 0, 2, 2 * c->spacing);
  if (c->edge_order == 2) {
    run_sums(ctx, c, x, out, 0, 1, 0, inside);
    run_sums(ctx, c, x, out, n - 1, 1, n - 3, inside + 1);
    return;
  }
  run_quotients(ctx, c, x, out, 0, 1, 0, 1, c->at != NULL ? c->at[1] - c->at[0] : c->spacing);
  run_quotients(ctx, c, x, out, n - 1, 1, n - 2, 1, c->at != NULL ? c->at[n - 1] - c->at[n - 2] : c->spacing);
}

/* ---- the call ---- */

static tsr_status check_coordinates(const tsr__call *call, const slopes *c) {
  const tsr_tensor *const coordinates = call->in[1];
  if (coordinates->ndim != 1 || coordinates->shape[0] != c->n)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "coordinates",
                     "is %t: one for each of the %l elements of axis %d is wanted", coordinates, (int64_t)c->n,
                     c->axis);
  if (tsr__is_complex(coordinates->dtype) || !tsr_dtype_supported(coordinates->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "coordinates", "is %t; real numbers are wanted", coordinates);
  if ((uint64_t)c->n > PTRDIFF_MAX / 64)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "coordinates", "%l weights do not fit the address space",
                     (int64_t)c->n);
  return TSR_OK;
}

static tsr_status check_central_diff(const tsr__call *call, slopes *c) {
  const tsr_tensor *const x = call->in[0];
  const tsr_status st = tsr__call_axis(call, "axis", x->ndim, &c->axis);
  if (st != TSR_OK) return st;
  if (c->edge_order != 1 && c->edge_order != 2)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "edge_order", "is %d: 1 and 2 are taken", c->edge_order);
  c->n = x->shape[c->axis];
  if (c->n <= c->edge_order)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x",
                     "%S has %l elements along axis %d: edge_order %d takes %d or more", (int)x->ndim, x->shape,
                     (int64_t)c->n, c->axis, c->edge_order, c->edge_order + 1);
  return call->in[1] != NULL ? check_coordinates(call, c) : TSR_OK;
}

/* Both inputs as they are computed with: themselves, or room for copies. numbers is empty where there are none. */
static tsr_status plan_slopes(tsr__call *call, slopes *c, int compute, tsr_tensor *wide, tsr_tensor *numbers) {
  static const int real = sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32;
  const tsr_tensor *const x = call->in[0], *const coordinates = call->in[1];
  const bool copied = coordinates != NULL && (coordinates->dtype != real || coordinates->stride[0] != 1);
  void *weights;
  tsr_status st = TSR_OK;
  *wide = *x;
  *numbers = coordinates != NULL ? *coordinates : (tsr_tensor){0};
  if (copied) st = tsr__call_copy_as(call, coordinates, real, numbers);
  c->at = numbers->data;
  if (st == TSR_OK && x->dtype != compute) st = tsr__call_copy_as(call, x, compute, wide);
  if (st == TSR_OK)
    st = tsr__call_scratch(call, 3 * ((size_t)places_inside(c) + 2) * tsr_dtype_size(c->part), &weights);
  if (st == TSR_OK) c->weights = weights;
  wide->flags = 0;
  wide->layout = TSR_PLAIN;
  return st;
}

static void make_weights(const slopes *c) {
  if (c->at != NULL) put_inside(c);
  if (c->edge_order == 2) put_ends(c, places_inside(c), places_inside(c) + 1);
}

static tsr_status central_diff(tsr__call *call) {
  static const char *const names[] = {"x"};
  const tsr__central_diff_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0], *const coordinates = call->in[1];
  slopes c = {.axis = attrs->axis, .edge_order = attrs->edge_order, .spacing = attrs->spacing};
  tsr_tensor wide, numbers;
  tsr__target target;
  int dtype = TSR_NONE;
  tsr_status st = check_central_diff(call, &c);
  if (st == TSR_OK) st = tsr__promote_numbers(call->ctx, call->op, true, 1, &x, names, &dtype);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(dtype);
  const tsr__result result = {dtype, x->layout, x->ndim, x->shape, x};
  c.part = tsr__part_dtype(compute);
  st = plan_slopes(call, &c, compute, &wide, &numbers);
  const bool no_alias = wide.data != x->data && (coordinates == NULL || numbers.data != coordinates->data);
  if (st == TSR_OK) st = tsr__call_target_as(call, &result, compute, no_alias, &target);
  if (st != TSR_OK) return st;
  if (wide.data != x->data) tsr__copy_no_alias(call->ctx, x, &wide);
  if (coordinates != NULL && numbers.data != coordinates->data) tsr__copy_no_alias(call->ctx, coordinates, &numbers);
  make_weights(&c);
  for (int part = 0; part < (tsr__is_complex(compute) ? 2 : 1) && target.bytes > 0; part++) {
    const tsr_tensor from = tsr__part_of(&wide, part), to = tsr__part_of(&target.view, part);
    slope_part(call->ctx, &c, &from, &to);
  }
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(central_diff, central_diff, 0)
tsr_status tsr_central_diff(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *coordinates, tsr_real spacing,
                            int axis, int edge_order, tsr_tensor *out) {
  return TSR__CALL(central_diff, ctx, TSR__INPUTS(x, coordinates), TSR__OUTPUTS(out), .spacing = spacing, .axis = axis,
                   .edge_order = edge_order);
}
