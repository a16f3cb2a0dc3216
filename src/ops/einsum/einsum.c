/* tsr_einsum. */
#include "core/operand.h"
#include "ops/einsum/einsum.h"

_Static_assert(TSR_EINSUM_OPERANDS <= 16, "operands have names");

static tsr_status check_operands(tsr_ctx *ctx, const char *op, int n, const tsr_tensor *const *in) {
  static const char names[16][8] = {"in[0]", "in[1]", "in[2]",  "in[3]",  "in[4]",  "in[5]",  "in[6]",  "in[7]",
                                    "in[8]", "in[9]", "in[10]", "in[11]", "in[12]", "in[13]", "in[14]", "in[15]"};
  if (n < 1 || n > TSR_EINSUM_OPERANDS)
    return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d: 1 to %d operands are taken", n, TSR_EINSUM_OPERANDS);
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  for (int k = 0; k < n; k++) {
    const tsr_status st = tsr__check_input(ctx, op, names[k], in[k]);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

tsr_status tsr_einsum(tsr_ctx *ctx, int n, const tsr_tensor *const *in, const char *equation, tsr_tensor *out) {
  TSR__OPERANDS(out);
  tsr__einsum e;
  uint8_t label[TSR_EINSUM_OPERANDS][TSR_MAX_DIMS];
  e.op = "einsum";
  e.terms = n;
  for (int l = 0; l < TSR__LABELS; l++) e.size[l] = 1;
  tsr_status st = check_operands(ctx, e.op, n, in);
  if (st != TSR_OK) return st;
  if (equation == NULL) return TSR__FAIL(ctx, TSR_EARG, e.op, "equation", "is NULL");
  st = tsr__einsum_parse(ctx, equation, in, &e, label);
  for (int k = 0; k < n && st == TSR_OK; k++) st = tsr__einsum_bind(ctx, &e, k, in[k], label[k]);
  return st == TSR_OK ? tsr__einsum_run(ctx, &e, out) : st;
}
