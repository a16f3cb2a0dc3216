/* tsr_solve, tsr_solve_triangular, tsr_inv. */
#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/ops.h"

TSR__LINALG_LANES_OF(solve)
TSR__LINALG_LANES_OF(solve_triangular)
TSR__LINALG_LANES_OF(inv)

static const char singular[] = "is singular: no pivot but 0 is left at";

static void solve_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows, cols = s->out[0].cols;
  tsr__solve_square(w, n, tsr__submatrix_of(w, in[0], n), tsr__submatrix_of(w, out[0], cols), cols, fault);
}

static void inv_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  tsr__submatrix_diagonal(w, n, n, tsr__submatrix_of(w, out[0], n), 1);
  tsr__solve_square(w, n, tsr__submatrix_of(w, in[0], n), tsr__submatrix_of(w, out[0], n), n, fault);
}

static void triangular_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows, cols = s->out[0].cols;
  const tsr__triangle_way way = {s->flags[0], s->flags[1], s->flag};
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n);
  if (!way.unit) tsr__find_zero(w, n, a, fault);
  tsr__solve_left(w, way, n, a, tsr__submatrix_of(w, out[0], cols), cols);
}

/* a (n, n) and b (n) or (n, cols), which becomes the output. */
static tsr_status solve_call(tsr__call *call, tsr__stack *s) {
  s->ins = 2;
  s->in[0].core = 2;
  s->in[1].core = call->in[1]->ndim == 1 ? 1 : 2;
  s->fault = TSR_ESINGULAR;
  tsr_status st = tsr__stack_inputs(call, s);
  if (st == TSR_OK) st = tsr__stack_square(call, s, 0);
  if (st == TSR_OK) st = tsr__stack_fits(call, s, 1, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(s, s->in[1].core, s->in[1].rows, s->in[1].cols);
  s->in[1].shares = 0;
  return tsr__stack_run(call, s);
}

static tsr_status solve(tsr__call *call) {
  tsr__stack s = {.lanes = TSR__LANES(solve), .rows = solve_rows, .what = singular};
  return solve_call(call, &s);
}

static tsr_status solve_triangular(tsr__call *call) {
  const tsr__solve_triangular_attrs *const attrs = call->attrs;
  tsr__stack s = {.lanes = TSR__LANES(solve_triangular),
                  .rows = triangular_rows,
                  .what = "is singular: its diagonal is 0 at",
                  .flag = attrs->unit_diagonal,
                  .flags = {attrs->upper, attrs->transposed}};
  return solve_call(call, &s);
}

static tsr_status inv(tsr__call *call) {
  tsr__stack s = {.ins = 1,
                  .in = {{.core = 2}},
                  .lanes = TSR__LANES(inv),
                  .rows = inv_rows,
                  .fault = TSR_ESINGULAR,
                  .what = singular};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, 2, s.in[0].rows, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

TSR__OP(solve, solve, 0)
tsr_status tsr_solve(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(solve, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

TSR__OP(solve_triangular, solve_triangular, 0)
tsr_status tsr_solve_triangular(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, bool upper, bool transposed,
                                bool unit_diagonal, tsr_tensor *out) {
  return TSR__CALL(solve_triangular, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .upper = upper,
                   .transposed = transposed, .unit_diagonal = unit_diagonal);
}

TSR__OP(inv, inv, 0)
tsr_status tsr_inv(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(inv, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}
