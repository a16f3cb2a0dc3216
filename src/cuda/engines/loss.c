/* Losses of an element and its target: lines in f64, and their compensated sum. */
#include "cuda/engines/engines.h"
#include "cuda/engines/loss.h"

#include "nn/loss/ops.h"

#include <string.h>
#include <tessera/loss.h>

const char tsr__cuda_pairs[] =
    "struct alignas(16) pair { double sum, rest; };\n"
    "static __device__ inline pair made(double sum, double rest) { pair p; p.sum = sum; p.rest = rest; return p; }\n"
    "static __device__ inline pair joined_pair(pair a, pair b) {\n"
    "  const double next = a.sum + b.sum, part = next - a.sum;\n"
    "  return made(next, (a.rest + b.rest) + ((a.sum - (next - part)) + (b.sum - part)));\n}\n"
    "static __device__ inline pair finished(pair v, double count) {\n"
    "  const double all = v.sum - v.sum == 0 ? v.sum + v.rest : v.sum;\n"
    "  return made(count == 1 ? all : all / count, 0.0);\n}\n";

tsr_status tsr__cuda_plan_total(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *each, double count,
                                const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  static const tsr__cuda_fold fold = {.name = "loss",
                                      .lane = "pair",
                                      .value = "pair",
                                      .neutral = "made(0.0, 0.0)",
                                      .step = "joined_pair(a, made(x, 0.0))",
                                      .merge = "joined_pair(a, b)",
                                      .finish = "finished(v, s.count)",
                                      .needs = tsr__cuda_pairs,
                                      .result = "v.sum",
                                      .value_dtype = TSR_F64,
                                      .value_bytes = 16};
  const tsr__cuda_reduction r = {
      .fold = &fold, .compute = TSR_F64, .x = *each, .axes = ~0u, .out = *out, .count = count};
  return tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
}

/* Which number an element has in row-major order, as the third input: for a line that notes what it finds. */
static void add_checked(tsr__cuda_elements *e, const tsr_tensor *x) {
  int64_t number[TSR_MAX_DIMS] = {0}, size = 1;
  for (int d = x->ndim - 1; d >= 0; size *= x->shape[d--]) number[d] = size;
  tsr__cuda_add_position(e, 0, number);
  e->table.there = true;
  e->table.ref = tsr__cuda_in(0);
  e->table.argument = "x";
}

static tsr_status plan_loss(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, const char *line,
                            double number, bool checks, tsr_reduction reduction, bool other, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  const bool each = reduction == TSR_REDUCE_NONE;
  const tsr__cuda_view to = each ? tsr__cuda_output(work, 0) : tsr__cuda_temporary(plan, TSR_F64, x->ndim, x->shape);
  tsr__cuda_elements e = {.maker = (const char *)op + other, .out = to};
  const tsr__cuda_view a = tsr__cuda_input(work, 0), b = tsr__cuda_input(work, 1);
  tsr__cuda_add_view(&e, &a);
  tsr__cuda_add_view(&e, &b);
  if (checks)
    add_checked(&e, x);
  else
    tsr__cuda_add_number(&e, TSR_F64, &number);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .needs = "#include \"cpu/math/bits.h\"\n",
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {TSR_F64, TSR_F64, checks ? TSR_I64 : TSR_F64},
                                          .compute = TSR_F64,
                                          .result = TSR_F64,
                                          .out = to.tensor.dtype};
  tsr_status st = tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
  if (st != TSR_OK || each) return st;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  return tsr__cuda_plan_total(gpu, work->ctx, &to, reduction == TSR_REDUCE_MEAN ? (double)tsr_size(x) : 1, &out, plan);
}

#define PLAIN_LOSS(name, line)                                                                                      \
  tsr_status tsr__cuda_##name(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) { \
    return plan_loss(gpu, op, work, line, 0, false, ((const tsr__mse_loss_attrs *)work->attrs)->reduction, false,   \
                     plan);                                                                                         \
  }
PLAIN_LOSS(mse_loss, "(a - b) * (a - b)")
PLAIN_LOSS(mae_loss, "tsr__abs_f64(a - b)")
PLAIN_LOSS(bce_logits_loss, "(1 - b) * a + (a < 0 ? -a : 0) + log1p(exp(-tsr__abs_f64(a)))")

/* Logarithms of probabilities, cut at -100; what is no probability is noted. */
tsr_status tsr__cuda_bce_loss(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const char line[] =
      "a >= 0 && a <= 1 ? (b - 1) * (log1p(-a) < -100 ? -100.0 : log1p(-a)) - b * (log(a) < -100 ? -100.0 : log(a)) : "
      "(tsr_fault_at(table.fault, (unsigned long long)c), 0.0)";
  return plan_loss(gpu, op, work, line, 0, true, ((const tsr__mse_loss_attrs *)work->attrs)->reduction, false, plan);
}

tsr_status tsr__cuda_huber_loss(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const char line[] =
      "tsr__abs_f64(a - b) <= c ? 0.5 * tsr__abs_f64(a - b) * tsr__abs_f64(a - b) : c * (tsr__abs_f64(a - b) - 0.5 * "
      "c)";
  const tsr__huber_loss_attrs *const attrs = work->attrs;
  return plan_loss(gpu, op, work, line, (double)attrs->delta, false, attrs->reduction, false, plan);
}

tsr_status tsr__cuda_kl_loss(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__kl_loss_attrs *const attrs = work->attrs;
  const char *const line = attrs->log_target ? "exp(b) * (b - a)" : "(b == 0 ? 0 : b * log(b)) - b * a";
  return plan_loss(gpu, op, work, line, 0, false, attrs->reduction, attrs->log_target, plan);
}
