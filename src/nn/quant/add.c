#include "nn/quant/ops.h"
#include "nn/quant/rows.h"
#include "ops/elementwise/elementwise.h"

#define X(isa) tsr__qadd_row_##isa,
static tsr__row_fn *const rows[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

/* Two ratios over one power of two: the greater one keeps its 31 bits, the other is rounded, halves up. */
static void set_multipliers(tsr__fixed a, tsr__fixed b, tsr__quant_row *row) {
  const int shift = a.shift < b.shift ? a.shift : b.shift, da = a.shift - shift, db = b.shift - shift;
  row->shift = shift;
  row->x_multiplier = (int32_t)(((int64_t)a.multiplier + (((int64_t)1 << da) >> 1)) >> da);
  row->b_multiplier = (int32_t)(((int64_t)b.multiplier + (((int64_t)1 << db) >> 1)) >> db);
}

static const char *const names[] = {"a", "b"};

static tsr_status check_add(const tsr__call *call, const tsr_quant *const *quants) {
  static const char *const quant_names[] = {"a_quant", "b_quant", "out_quant"};
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    st = tsr__quant_check_whole(call->ctx, call->op, quant_names[i], quants[i], TSR__Q_SMALL);
    if (st == TSR_OK && i < 2 && call->in[i]->dtype != quants[i]->dtype)
      st = TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, names[i], "is %t, %s is for %y", call->in[i], quant_names[i],
                     (int)quants[i]->dtype);
  }
  return st;
}

static tsr_status qadd(tsr__call *call) {
  const tsr__qadd_attrs *const attrs = call->attrs;
  const tsr_tensor *const a = call->in[0], *const b = call->in[1];
  const tsr_quant *const quants[] = {attrs->a_quant, attrs->b_quant, attrs->out_quant};
  tsr__fixed of[2];
  tsr_status st = check_add(call, quants);
  for (int i = 0; i < 2 && st == TSR_OK; i++)
    st = tsr__fixed_check(call->ctx, call->op, i == 0 ? "a_quant" : "b_quant", quants[i]->scale, 1, quants[2]->scale,
                          &of[i]);
  if (st != TSR_OK) return st;
  tsr__quant_row row = {.x_dtype = a->dtype,
                        .b_dtype = b->dtype,
                        .out_dtype = quants[2]->dtype,
                        .x_zero = quants[0]->zero,
                        .b_zero = quants[1]->zero,
                        .out_zero = quants[2]->zero};
  set_multipliers(of[0], of[1], &row);
  const tsr__elementwise e = {.op = call->op,
                              .inputs = 2,
                              .in = {a, b},
                              .first = a->dtype,
                              .compute = b->dtype,
                              .result = row.out_dtype,
                              .out_dtype = row.out_dtype,
                              .kernel = rows[tsr__isa_of(call->ctx)],
                              .param = &row,
                              .grain = TSR__GRAIN_HEAVY};
  return tsr__elementwise_call(call, &e, names);
}

TSR__OP_LIKE(qadd, qmatmul, qadd, 0)
tsr_status tsr_qadd(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                    const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qadd, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .a_quant = a_quant, .b_quant = b_quant,
                   .out_quant = out_quant);
}
