/* Sums of quantised numbers. */
#include "nn/quant/element/channels.h"
#include "nn/quant/ops.h"

#if TSR__ROUND_TWICE

/* Ratios to twice the larger scale, and of that, with so many bits more, to the result's: TSR_ERANGE. */
static tsr_status set_ratios(const tsr__call *call, const tsr_quant *const *q, tsr__quant_row *row) {
  const float twice = 2 * (q[0]->scale > q[1]->scale ? q[0]->scale : q[1]->scale);
  row->shift = q[2]->dtype == TSR_I16 ? 15 : 20;
  const float unit = (float)((int32_t)1 << row->shift);
  tsr_status st = tsr__fixed_check(call->ctx, call->op, "a_quant", q[0]->scale, 1, twice, &row->x_ratio);
  if (st == TSR_OK) st = tsr__fixed_check(call->ctx, call->op, "b_quant", q[1]->scale, 1, twice, &row->b_ratio);
  if (st != TSR_OK) return st;
  return tsr__fixed_check(call->ctx, call->op, "out_quant", twice, 1, q[2]->scale * unit, &row->out_ratio);
}

#else

/* Two ratios over one power of two: the greater one keeps its 31 bits, the other is rounded, halves up. */
static void set_multipliers(tsr__fixed a, tsr__fixed b, tsr__quant_row *row) {
  const int shift = a.shift < b.shift ? a.shift : b.shift, da = a.shift - shift, db = b.shift - shift;
  row->shift = shift;
  row->x_multiplier = (int32_t)(((int64_t)a.multiplier + (((int64_t)1 << da) >> 1)) >> da);
  row->b_multiplier = (int32_t)(((int64_t)b.multiplier + (((int64_t)1 << db) >> 1)) >> db);
}

#endif

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

tsr_status tsr__qadd_row_of(const tsr__call *call, tsr__quant_row *row) {
  const tsr__qadd_attrs *const attrs = call->attrs;
  const tsr_quant *const a = attrs->a_quant, *const b = attrs->b_quant, *const out = attrs->out_quant;
  tsr__fixed ratios[2];
  const tsr_quant *const quants[] = {a, b, out};
  tsr_status st = check_add(call, quants, ratios);
  if (st != TSR_OK) return st;
  *row = (tsr__quant_row){.x_dtype = a->dtype,
                          .b_dtype = b->dtype,
                          .out_dtype = out->dtype,
                          .x_zero = a->zero,
                          .b_zero = b->zero,
                          .out_zero = out->zero};
#if TSR__ROUND_TWICE
  st = set_ratios(call, quants, row);
#else
  set_multipliers(ratios[0], ratios[1], row);
#endif
  return st;
}

static tsr_status qadd(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__qadd_row);
  tsr__quant_row row;
  const tsr_status st = tsr__qadd_row_of(call, &row);
  if (st != TSR_OK) return st;
#if TSR__QADD_BYTES
  tsr__quant_sum sum;
  if (tsr__qadd_bytes_init(&row, &sum))
    return tsr__quant_rows(call, true, names, call->in[1], tsr__qadd_bytes_row, &row, &sum, sizeof sum);
#endif
  return tsr__quant_rows(call, true, names, call->in[1], rows[tsr__isa_of(call->ctx)], &row, &row, sizeof row);
}

TSR__OP_LIKE(qadd, qmatmul, qadd, TSR__OP_PREPARES)
tsr_status tsr_qadd(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                    const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qadd, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .a_quant = a_quant, .b_quant = b_quant,
                   .out_quant = out_quant);
}
