/* Sums of quantised numbers. */
#include "nn/quant/element/channels.h"
#include "nn/quant/ops.h"

/* Two ratios over one power of two: the greater one keeps its 31 bits, the other is rounded, halves up. */
static void set_multipliers(tsr__fixed a, tsr__fixed b, tsr__quant_row *row) {
  const int shift = a.shift < b.shift ? a.shift : b.shift, da = a.shift - shift, db = b.shift - shift;
  row->shift = shift;
  row->x_multiplier = (int32_t)(((int64_t)a.multiplier + (((int64_t)1 << da) >> 1)) >> da);
  row->b_multiplier = (int32_t)(((int64_t)b.multiplier + (((int64_t)1 << db) >> 1)) >> db);
}

static const char *const names[] = {"a", "b"};

static tsr_status check_add(const tsr__call *call, const tsr_quant *const *quants, tsr__fixed *ratios) {
  static const char *const quant_names[] = {"a_quant", "b_quant", "out_quant"};
  tsr_ctx *const ctx = call->ctx;
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    st = tsr__quant_check_whole(ctx, call->op, quant_names[i], quants[i], TSR__Q_SMALL);
    if (st == TSR_OK && i < 2)
      st = tsr__quant_check_dtype(ctx, call->op, names[i], call->in[i], quant_names[i], quants[i]);
  }
  for (int i = 0; i < 2 && st == TSR_OK; i++)
    st = tsr__fixed_check(ctx, call->op, quant_names[i], quants[i]->scale, 1, quants[2]->scale, &ratios[i]);
  return st;
}

static tsr_status qadd(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__qadd_row);
  const tsr__qadd_attrs *const attrs = call->attrs;
  const tsr_quant *const a = attrs->a_quant, *const b = attrs->b_quant, *const out = attrs->out_quant;
  tsr__fixed ratios[2];
  const tsr_status st = check_add(call, (const tsr_quant *const[]){a, b, out}, ratios);
  if (st != TSR_OK) return st;
  tsr__quant_row row = {a->dtype, b->dtype, out->dtype, a->zero, b->zero, out->zero, 0, 0, 0};
  set_multipliers(ratios[0], ratios[1], &row);
  return tsr__quant_rows(call, names, call->in[1], rows[tsr__isa_of(call->ctx)], &row);
}

TSR__OP_LIKE(qadd, qmatmul, qadd, 0)
tsr_status tsr_qadd(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                    const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qadd, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .a_quant = a_quant, .b_quant = b_quant,
                   .out_quant = out_quant);
}
