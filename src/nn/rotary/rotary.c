/* Rotary embedding: checks, and a row of x at a time. */
#include "core/dtypes.h"
#include "cpu/move.h"
#include "cpu/parallel.h"
#include "nn/check.h"
#include "nn/lines.h"
#include "nn/number.h"
#include "nn/rotary/ops.h"
#include "ops/move/target.h"
#include "ops/promote.h"

enum { X, COS, SIN, POSITIONS };
enum { GRAIN = 16384 }; /* elements that are worth a thread */

/* ---- checks ---- */

static tsr_status check_table(tsr__call *call, int number) {
  const tsr_tensor *const x = call->in[X], *const table = call->in[number];
  const char *const arg = tsr__call_input_name(call, number);
  const int compute = tsr__compute_of(x->dtype);
  if (table->dtype != compute)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, arg, "is %t; for x %t it is %y", table, x, compute);
  if (table->ndim != 2 || table->shape[1] > x->shape[x->ndim - 1] / 2)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, arg, "is %t; for x %t it is [S,R/2] with R of at most %l", table,
                     x, (int64_t)x->shape[x->ndim - 1]);
  return TSR_OK;
}

static tsr_status check_positions(const tsr__call *call) {
  const tsr_tensor *const x = call->in[X], *const positions = call->in[POSITIONS];
  const tsr_index t = x->shape[x->ndim - 2], rows = call->in[COS]->shape[0];
  if (positions == NULL) {
    if (t <= rows) return TSR_OK;
    return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "x",
                     "is %t: its %l positions are not in the %l rows of cos and sin", x, (int64_t)t, (int64_t)rows);
  }
  const tsr_status st = tsr__number_check_dtype(call->ctx, call->op, "positions", positions);
  if (st != TSR_OK) return st;
  const int rank = positions->ndim;
  const bool fits = rank == 1 || (rank == 2 && x->ndim > 2 && positions->shape[0] == x->shape[0]);
  if (fits && positions->shape[rank - 1] == t) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "positions",
                   "is %t; for x %t it is [T], or [B,T] of its first axis", positions, x);
}

static tsr_status check_rotary(tsr__call *call, tsr_rotary_form form) {
  const tsr_tensor *const x = call->in[X], *const cos = call->in[COS], *const sin = call->in[SIN];
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", x);
  if (st != TSR_OK) return st;
  if (x->ndim < 2) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t; it takes [...,T,D]", x);
  st = check_table(call, COS);
  if (st == TSR_OK) st = check_table(call, SIN);
  if (st != TSR_OK) return st;
  if (!tsr_same_shape(cos, sin))
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "sin", "is %t, cos is %t: they have one shape", sin, cos);
  if (form != TSR_ROTARY_HALVES && form != TSR_ROTARY_INTERLEAVED)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "form", "is %d, which is none of tsr_rotary_form", (int)form);
  return check_positions(call);
}

/* ---- rows ---- */

typedef struct rotation {
  tsr__lines lines; /* x, the output, and the positions where they are given */
  tsr_rotary_form form;
  int dtype, number_dtype;    /* number_dtype: of positions; TSR_NONE: they are the index of their axis */
  tsr_index length;           /* of that axis */
  ptrdiff_t half, rest;       /* pairs, and features behind them */
  ptrdiff_t x_step, out_step; /* bytes */
  const void *cos, *sin;
  ptrdiff_t cos_row, cos_step, sin_row, sin_step; /* elements */
} rotation;

static ptrdiff_t position_of(const rotation *u, tsr_index number) {
  if (u->number_dtype == TSR_NONE) return (ptrdiff_t)(number % u->length);
  return (ptrdiff_t)tsr__number_at(u->number_dtype, tsr__lines_at(&u->lines, 2, number));
}

static void copy_rest(const rotation *u, const char *x, char *out) {
  tsr__move_row(tsr_dtype_size(u->dtype), (tsr_index)u->rest, x + u->x_step * (2 * u->half), u->x_step,
                out + u->out_step * (2 * u->half), u->out_step);
}

#define TEMPLATE "nn/rotary/rotary.tmpl.h"
#include "nn/each_float.h"

static tsr_range_fn *const rotate_fns[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(rotate_rows)};

static void rotate_all(const tsr__call *call, tsr_rotary_form form, const tsr_tensor *out) {
  const tsr_tensor *const x = call->in[X], *const cos = call->in[COS], *const sin = call->in[SIN];
  const tsr_tensor *const positions = call->in[POSITIONS];
  const int last = x->ndim - 1;
  const ptrdiff_t item = tsr__item(x), half = (ptrdiff_t)cos->shape[1];
  rotation u = {.form = form,
                .dtype = x->dtype,
                .length = x->shape[last - 1],
                .half = half,
                .rest = (ptrdiff_t)x->shape[last] - 2 * half,
                .x_step = (ptrdiff_t)x->stride[last] * item,
                .out_step = (ptrdiff_t)out->stride[last] * item,
                .cos = cos->data,
                .sin = sin->data,
                .cos_row = (ptrdiff_t)cos->stride[0],
                .cos_step = (ptrdiff_t)cos->stride[1],
                .sin_row = (ptrdiff_t)sin->stride[0],
                .sin_step = (ptrdiff_t)sin->stride[1]};
  tsr__lines_init(&u.lines, last, x->shape);
  tsr__lines_add(&u.lines, x, 0);
  tsr__lines_add(&u.lines, out, 0);
  if (positions != NULL) {
    u.number_dtype = positions->dtype;
    tsr_tensor along = *positions; /* its last axis is T, its first one the batch */
    const bool batched = along.ndim == 2;
    along.ndim = 1;
    along.stride[0] = positions->stride[batched];
    tsr__lines_add(&u.lines, &along, last - 1);
    if (batched && x->shape[0] > 1) u.lines.step[2][0] = (ptrdiff_t)positions->stride[0] * tsr__item(positions);
  }
  tsr__parallel_for(call->ctx, u.lines.count, GRAIN / x->shape[last] + 1, rotate_fns[x->dtype], &u);
}

/* Whether x may be rotated where it lies: the output is x, and none of the others are in the way. */
static bool is_in_place(const tsr__call *call) {
  const tsr_tensor *const x = call->in[X], *const out = call->out[0];
  if (out == NULL || out->data == NULL || out->ndim != x->ndim || !tsr__same_view(x, out)) return false;
  for (int k = COS; k <= POSITIONS; k++)
    if (call->in[k] != NULL && tsr__overlap(call->in[k], x)) return false;
  return true;
}

static tsr_status rotary(tsr__call *call) {
  const tsr__rotary_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[X], *const positions = call->in[POSITIONS];
  const tsr__result result = tsr__result_like(x);
  tsr__target target;
  tsr_status st = check_rotary(call, attrs->form);
  if (st == TSR_OK) st = tsr__call_target_as(call, &result, x->dtype, is_in_place(call), &target);
  if (st == TSR_OK && positions != NULL)
    st = tsr__number_check(call->ctx, call->op, "positions", positions, call->in[COS]->shape[0], "rows in cos and sin");
  if (st != TSR_OK) return st;
  if (target.bytes > 0) rotate_all(call, attrs->form, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(rotary, rotary, 0)
tsr_status tsr_rotary(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *cos, const tsr_tensor *sin,
                      const tsr_tensor *positions, tsr_rotary_form form, tsr_tensor *out) {
  return TSR__CALL(rotary, ctx, TSR__INPUTS(x, cos, sin, positions), TSR__OUTPUTS(out), .form = form);
}
