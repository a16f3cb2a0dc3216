/* tsr_gradient: a quotient of two elements, or a weighted sum of three, at every place. */
#include "core/operand.h"
#include "ops/series/gradient.h"
#include <tessera/series.h>
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"

#define X(isa) tsr__gradient_##isa,
static const tsr__gradient_kernels *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

/* ---- weights ---- */

typedef struct call {
  const char *op;
  int axis, edge_order;
  tsr_index n;        /* along the axis */
  tsr_real spacing;   /* where there are no coordinates */
  const tsr_real *at; /* the coordinates; NULL: none */
  char *weights;      /* three of the compute dtype for each place inside, then three for each end */
  int part;           /* the dtype that is computed in, of a part */
} call;

static void put_weights(const call *c, tsr_index place, tsr_real a, tsr_real b, tsr_real w) {
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
static void put_inside(const call *c) {
  for (tsr_index i = 1; i + 1 < c->n; i++) {
    const tsr_real d1 = c->at[i] - c->at[i - 1], d2 = c->at[i + 1] - c->at[i];
    put_weights(c, i - 1, -d2 / (d1 * (d1 + d2)), (d2 - d1) / (d1 * d2), d1 / (d2 * (d1 + d2)));
  }
}

static void put_ends(const call *c, tsr_index first, tsr_index last) {
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

static tsr_index places_inside(const call *c) { return c->at != NULL && c->n > 2 ? c->n - 2 : 0; }

/* ---- one part of the tensor ---- */

static const tsr__gradient_kernels *kernels_of(const tsr_ctx *ctx, const call *c) {
  return &tables[tsr__isa_of(ctx)][c->part == TSR_F64];
}

static void run_quotients(const tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_tensor *out,
                          tsr_index first, tsr_index count, tsr_index from, tsr_index apart, tsr_real distance) {
  const tsr_tensor y = tsr__part(out, c->axis, first, count), a = tsr__part(x, c->axis, from, count);
  tsr__gradient_taps t = {(ptrdiff_t)(apart * x->stride[c->axis]) * tsr__item(x), distance};
  const tsr_tensor *const operands[] = {&y, &a};
  tsr__loop loop;
  tsr__loop_init(&loop, 2, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT, kernels_of(ctx, c)->quotients, &t);
}

static void run_sums(const tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_tensor *out, tsr_index first,
                     tsr_index count, tsr_index from, tsr_index weights) {
  const tsr_tensor y = tsr__part(out, c->axis, first, count), a = tsr__part(x, c->axis, from, count);
  tsr__gradient_taps t = {(ptrdiff_t)x->stride[c->axis] * tsr__item(x), 0};
  tsr_tensor w = y;
  for (int i = 0; i < y.ndim; i++) w.stride[i] = i == c->axis ? 3 : 0;
  w.data = c->weights + 3 * (ptrdiff_t)weights * tsr__item(x);
  const tsr_tensor *const operands[] = {&y, &a, &w};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, operands);
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_LIGHT, kernels_of(ctx, c)->sums, &t);
}

static void run_part(const tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_tensor *out) {
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

static tsr_status check_coordinates(tsr_ctx *ctx, const call *c, const tsr_tensor *coordinates) {
  const tsr_status st = tsr__check_input(ctx, c->op, "coordinates", coordinates);
  if (st != TSR_OK) return st;
  if (coordinates->ndim != 1 || coordinates->shape[0] != c->n)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "coordinates",
                     "is %t: one for each of the %l elements of axis %d is wanted", coordinates, (int64_t)c->n,
                     c->axis);
  if (tsr__is_complex(coordinates->dtype) || !tsr_dtype_supported(coordinates->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "coordinates", "is %t; real numbers are wanted", coordinates);
  return TSR_OK;
}

static tsr_status check(tsr_ctx *ctx, call *c, const tsr_tensor *x, const tsr_tensor *coordinates, int axis) {
  tsr_status st = tsr__check_input(ctx, c->op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, c->op, "axis", axis, x->ndim, &c->axis);
  if (st != TSR_OK) return st;
  if (c->edge_order != 1 && c->edge_order != 2)
    return TSR__FAIL(ctx, TSR_EARG, c->op, "edge_order", "is %d: 1 and 2 are taken", c->edge_order);
  c->n = x->shape[c->axis];
  if (c->n <= c->edge_order)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "x", "%S has %l elements along axis %d: edge_order %d takes %d or more",
                     (int)x->ndim, x->shape, (int64_t)c->n, c->axis, c->edge_order, c->edge_order + 1);
  return coordinates != NULL ? check_coordinates(ctx, c, coordinates) : TSR_OK;
}

static tsr_status make_weights(tsr_ctx *ctx, call *c, const tsr_tensor *coordinates, tsr__scratch *scratch,
                               tsr_tensor *numbers) {
  if (coordinates != NULL) {
    const tsr_status st =
        tsr__as_dtype(ctx, c->op, coordinates, sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32, &scratch[0], numbers);
    if (st != TSR_OK) return st;
    if (numbers->stride[0] != 1) {
      const tsr_status copied = tsr__copy_to_scratch(ctx, c->op, coordinates, &scratch[0], numbers);
      if (copied != TSR_OK) return copied;
    }
    c->at = numbers->data;
  }
  if (coordinates != NULL && (uint64_t)c->n > PTRDIFF_MAX / 64)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, c->op, "coordinates", "%l weights do not fit the address space",
                     (int64_t)c->n);
  const tsr_status st =
      tsr__scratch_get(ctx, c->op, 3 * ((size_t)places_inside(c) + 2) * tsr_dtype_size(c->part), &scratch[1]);
  if (st != TSR_OK) return st;
  c->weights = scratch[1].data;
  if (c->at != NULL) put_inside(c);
  if (c->edge_order == 2) put_ends(c, places_inside(c), places_inside(c) + 1);
  return TSR_OK;
}

tsr_status tsr_gradient(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *coordinates, tsr_real spacing, int axis,
                        int edge_order, tsr_tensor *out) {
  TSR__OPERANDS(x, coordinates, out);
  static const char *const names[] = {"x"};
  call c = {.op = "gradient", .edge_order = edge_order, .spacing = spacing};
  int dtype = TSR_NONE;
  tsr_status st = check(ctx, &c, x, coordinates, axis);
  if (st == TSR_OK) st = tsr__promote_numbers(ctx, c.op, true, 1, &x, names, &dtype);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(dtype);
  const tsr__result result = {dtype, x->layout, x->ndim, x->shape, x};
  tsr__scratch scratch[3] = {{0}};
  tsr_tensor numbers = {0}, wide = {0};
  tsr__target target;
  c.part = tsr__part_dtype(compute);
  st = tsr__output_check(ctx, c.op, &result, out);
  if (st == TSR_OK) st = make_weights(ctx, &c, coordinates, scratch, &numbers);
  if (st == TSR_OK) st = tsr__as_dtype(ctx, c.op, x, compute, &scratch[2], &wide);
  const tsr_tensor *const in[] = {&wide, &numbers}; /* all that is read while the output is written */
  if (st == TSR_OK)
    st = tsr__target_begin_as(ctx, c.op, &result, compute, coordinates != NULL ? 2 : 1, in, out, &target);
  if (st == TSR_OK) {
    for (int part = 0; part < (tsr__is_complex(compute) ? 2 : 1) && target.bytes > 0; part++) {
      const tsr_tensor from = tsr__part_of(&wide, part), to = tsr__part_of(&target.view, part);
      run_part(ctx, &c, &from, &to);
    }
    tsr__target_end(ctx, out, &target);
  }
  for (int i = 2; i >= 0; i--) tsr__scratch_put(&scratch[i]);
  return st;
}
