/* Products of quantised numbers. */
#include "nn/quant/element/channels.h"
#include "nn/quant/ops.h"

static const char *const names[] = {"a", "b"};

/* The farthest that a number is from its zero point. */
static int64_t reach_of(const tsr_quant *q) {
  const int64_t below = (int64_t)q->zero - tsr__quant_low(q->dtype),
                above = (int64_t)tsr__quant_high(q->dtype) - q->zero;
  return below > above ? below : above;
}

static tsr_status check_mul(const tsr__call *call, const tsr_quant *const *quants, tsr__fixed *ratio) {
  static const char *const quant_names[] = {"a_quant", "b_quant", "out_quant"};
  tsr_ctx *const ctx = call->ctx;
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    st = tsr__quant_check_whole(ctx, call->op, quant_names[i], quants[i], TSR__Q_SMALL);
    if (st == TSR_OK && i < 2)
      st = tsr__quant_check_dtype(ctx, call->op, names[i], call->in[i], quant_names[i], quants[i]);
  }
  if (st != TSR_OK) return st;
  if (reach_of(quants[0]) * reach_of(quants[1]) > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, call->op, "a_quant",
                     "has a zero point of %l, b_quant one of %l: products can leave 32 bits", (int64_t)quants[0]->zero,
                     (int64_t)quants[1]->zero);
  return tsr__fixed_check(ctx, call->op, "out_quant", quants[0]->scale, quants[1]->scale, quants[2]->scale, ratio);
}

static tsr_status qmul(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__qmul_row);
  const tsr__qmul_attrs *const attrs = call->attrs;
  const tsr_quant *const a = attrs->a_quant, *const b = attrs->b_quant, *const out = attrs->out_quant;
  const tsr_quant *const quants[] = {a, b, out};
  tsr__fixed ratio;
  const tsr_status st = check_mul(call, quants, &ratio);
  if (st != TSR_OK) return st;
  tsr__quant_row row = {.x_dtype = a->dtype,
                        .b_dtype = b->dtype,
                        .out_dtype = out->dtype,
                        .x_zero = a->zero,
                        .b_zero = b->zero,
                        .out_zero = out->zero,
                        .x_multiplier = ratio.multiplier,
                        .shift = ratio.shift};
  tsr__row_fn *kernel = rows[tsr__isa_of(call->ctx)];
#if TSR__QMUL_BYTES
  if (a->dtype == TSR_I8 && b->dtype == TSR_I8 && out->dtype == TSR_I8 && ratio.shift >= TSR__FIXED_HIGH)
    kernel = tsr__qmul_bytes_row;
#endif
  return tsr__quant_rows(call, true, names, call->in[1], kernel, &row, &row, sizeof row);
}

TSR__OP_LIKE(qmul, qmatmul, qmul, TSR__OP_PREPARES)
tsr_status tsr_qmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                    const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qmul, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .a_quant = a_quant, .b_quant = b_quant,
                   .out_quant = out_quant);
}
