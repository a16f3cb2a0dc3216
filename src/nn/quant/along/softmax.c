/* Softmax of quantised numbers along an axis. */
#include "nn/quant/along/softmax.h"
#include "cpu/parallel.h"
#include "nn/check.h"
#include "nn/lines.h"
#include "nn/quant/ops.h"
#include "ops/move/target.h"

enum { GRAIN = 1 << 12 };

/* Operand 0 of the rows is x, 1 the output. */
typedef struct plan {
  tsr__lines rows;
  tsr__q_softmax s;
} plan;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++)
    tsr__q_softmax_row(&p->s, tsr__lines_at(&p->rows, 0, i), tsr__lines_at(&p->rows, 1, i));
}

static void run_all(const tsr_ctx *ctx, const void *of) {
  const plan *const p = of;
  tsr__parallel_for(ctx, p->rows.count, GRAIN / p->s.n + 1, run_rows, (void *)(uintptr_t)p);
}

static tsr_status check_softmax(const tsr__call *call, const tsr__qsoftmax_attrs *a, int *axis) {
  const tsr_tensor *const x = call->in[0];
  tsr_ctx *const ctx = call->ctx;
  tsr_status st = tsr__quant_check_whole(ctx, call->op, "x_quant", a->x_quant, TSR__Q_BYTES);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, call->op, "x", x, "x_quant", a->x_quant);
  if (st == TSR_OK) st = tsr__check_axis(ctx, call->op, "axis", a->axis, x->ndim, axis);
  if (st == TSR_OK && TSR__ROUND_TWICE && x->shape[*axis] > 4095)
    st =
        TSR__FAIL(ctx, TSR_EUNSUPPORTED, call->op, "x", "is %t: sums of exponentials have 12 bits before the point", x);
  return st;
}

/* x or the output without an axis. */
static tsr_tensor without(const tsr_tensor *x, int axis) {
  tsr_tensor t = *x;
  t.ndim = 0;
  for (int i = 0; i < x->ndim; i++)
    if (i != axis) {
      t.shape[t.ndim] = x->shape[i];
      t.stride[t.ndim++] = x->stride[i];
    }
  return t;
}

/* A row is read before it is written where both lie at the same places. */
static tsr_status get_target(tsr__call *call, tsr__target *target) {
  const tsr__result result = tsr__result_like(call->in[0]);
  const tsr_status st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  const bool staged = tsr__call_overlaps(call) && !tsr__same_view(call->in[0], call->out[0]);
  return tsr__call_target_of(call, result.dtype, staged, target);
}

static tsr_status qsoftmax(tsr__call *call) {
  const tsr__qsoftmax_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  int axis = 0;
  tsr__target target = {.bytes = 0};
  plan p;
  tsr_status st = check_softmax(call, attrs, &axis);
  if (st == TSR_OK) st = get_target(call, &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  const tsr_tensor from = without(x, axis), to = without(&target.view, axis);
  tsr__lines_init(&p.rows, from.ndim, from.shape);
  tsr__lines_add(&p.rows, &from, 0);
  tsr__lines_add(&p.rows, &to, 0);
  tsr__lines_merge(&p.rows);
  p.s.n = x->shape[axis];
  p.s.step = p.s.n > 1 ? (ptrdiff_t)x->stride[axis] : 1;
  p.s.out_step = p.s.n > 1 ? (ptrdiff_t)target.view.stride[axis] : 1;
  p.s.flip = x->dtype == TSR_I8 ? 0x80 : 0;
  tsr__q_softmax_init(attrs->x_quant->scale, &p.s);
  return tsr__target_finish(call, &target, run_all, &p, sizeof p);
}

TSR__OP(qsoftmax, qsoftmax, TSR__OP_PREPARES)
tsr_status tsr_qsoftmax(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *x_quant, int axis, tsr_tensor *out) {
  return TSR__CALL(qsoftmax, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .x_quant = x_quant, .axis = axis);
}
