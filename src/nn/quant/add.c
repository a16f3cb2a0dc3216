#include "core/normalise.h"
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

static tsr_status check_add(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in, const char *const *names,
                            const tsr_quant *const *quants) {
  static const char *const quant_names[] = {"a_quant", "b_quant", "out_quant"};
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    if (i < 2) st = tsr__check_input(ctx, op, names[i], in[i]);
    if (st == TSR_OK) st = tsr__quant_check_whole(ctx, op, quant_names[i], quants[i], TSR__Q_SMALL);
    if (st == TSR_OK && i < 2 && in[i]->dtype != quants[i]->dtype)
      st =
          TSR__FAIL(ctx, TSR_EDTYPE, op, names[i], "is %t, %s is for %y", in[i], quant_names[i], (int)quants[i]->dtype);
  }
  return st;
}

tsr_status tsr_qadd(tsr_ctx *ctx, const tsr_tensor *a, const tsr_quant *a_quant, const tsr_tensor *b,
                    const tsr_quant *b_quant, const tsr_quant *out_quant, tsr_tensor *out) {
  TSR__NORMALISE_ALL(a, b, out);
  static const char op[] = "qadd";
  static const char *const names[] = {"a", "b"};
  const tsr_tensor *const in[] = {a, b};
  const tsr_quant *const quants[] = {a_quant, b_quant, out_quant};
  tsr__fixed of_a, of_b;
  tsr_status st = check_add(ctx, op, in, names, quants);
  if (st == TSR_OK) st = tsr__fixed_check(ctx, op, "a_quant", a_quant->scale, 1, out_quant->scale, &of_a);
  if (st == TSR_OK) st = tsr__fixed_check(ctx, op, "b_quant", b_quant->scale, 1, out_quant->scale, &of_b);
  if (st != TSR_OK) return st;
  tsr__quant_row row = {.x_dtype = a->dtype,
                        .b_dtype = b->dtype,
                        .out_dtype = out_quant->dtype,
                        .x_zero = a_quant->zero,
                        .b_zero = b_quant->zero,
                        .out_zero = out_quant->zero};
  set_multipliers(of_a, of_b, &row);
  const tsr__elementwise e = {.op = op,
                              .inputs = 2,
                              .in = {a, b},
                              .first = a->dtype,
                              .compute = b->dtype,
                              .result = row.out_dtype,
                              .out_dtype = row.out_dtype,
                              .kernel = rows[tsr__isa_of(ctx)],
                              .param = &row,
                              .grain = TSR__GRAIN_HEAVY};
  return tsr__elementwise_run(ctx, &e, names, out);
}
