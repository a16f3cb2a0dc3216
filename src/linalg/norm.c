/* tsr_matrix_norm: by sums, or by singular values. */
#include "linalg/ops.h"
#include "linalg/svd.h"

#if TSR_HAVE_F64
#define ROOT(x) __builtin_sqrt(x)
#else
#define ROOT(x) __builtin_sqrtf(x)
#endif

/* The sum of sizes of a row, or of a column. */
static tsr_real sum_of(const tsr__work *w, tsr_index n, tsr__submatrix line) {
  tsr_real sum = 0;
  for (tsr_index i = 0; i < n; i++) {
    sum += tsr__submatrix_size(w, line, 0, i);
  }
  return sum;
}

/* The largest or the smallest sum; NaN where there is one. */
static tsr_real extreme(const tsr__work *w, tsr_index count, tsr_index n, tsr__submatrix a, bool least) {
  tsr_real best = 0;
  for (tsr_index i = 0; i < count; i++) {
    const tsr_real sum = sum_of(w, n, tsr__submatrix_at(a, i, 0));
    if (i == 0 || sum != sum || (least ? sum < best : sum > best)) best = sum;
    if (sum != sum) break;
  }
  return best;
}

/* Divided by the largest, so that squares stay in range. */
static tsr_real frobenius(const tsr__work *w, tsr_index n, tsr__submatrix a) {
  tsr_real most = 0, sum = 0;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_real x = tsr__submatrix_get(w, a, 0, i), size = x < 0 ? -x : x;
    if (size > most || size != size) most = size;
    if (size != size) return size;
  }
  if (most == 0 || most - most != 0) return most;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_real x = tsr__submatrix_get(w, a, 0, i) / most;
    sum += x * x;
  }
  return most * ROOT(sum);
}

static void norm_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n), across = tsr__submatrix_transposed(a);
  const tsr__work parts = tsr__work_parts(w);
  const tsr_index numbers = tsr__work_is_complex(w) ? 2 * m * n : m * n;
  tsr_real norm;
  (void)fault;
  if (w->base == NULL) return;
  switch (s->kind) {
    case TSR_MATRIX_NORM_1: norm = extreme(w, n, m, across, false); break;
    case TSR_MATRIX_NORM_MINUS_1: norm = extreme(w, n, m, across, true); break;
    case TSR_MATRIX_NORM_INF: norm = extreme(w, m, n, a, false); break;
    case TSR_MATRIX_NORM_MINUS_INF: norm = extreme(w, m, n, a, true); break;
    default: norm = frobenius(&parts, numbers, tsr__submatrix_of(&parts, in[0], numbers)); break;
  }
  tsr__submatrix_put(&parts, tsr__submatrix_of(&parts, out[0], 1), 0, 0, norm);
}

static tsr_status matrix_norm(tsr__call *call) {
  const tsr_matrix_norm_kind kind = ((const tsr__matrix_norm_attrs *)call->attrs)->kind;
  tsr__stack s = {.ins = 1, .in = {{.core = 2}}, .rows = norm_rows, .kind = (int)kind};
  const bool singular = kind == TSR_MATRIX_NORM_2 || kind == TSR_MATRIX_NORM_MINUS_2 || kind == TSR_MATRIX_NORM_NUCLEAR;
  if ((unsigned)kind > TSR_MATRIX_NORM_MINUS_2)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "kind", "is %d: no tsr_matrix_norm_kind", (int)kind);
  if (singular)
    s.kind = kind == TSR_MATRIX_NORM_2         ? TSR__SVD_MOST
             : kind == TSR_MATRIX_NORM_MINUS_2 ? TSR__SVD_LEAST
                                               : TSR__SVD_SUM;
  const tsr_status st = singular ? tsr__singular_inputs(call, &s) : tsr__stack_inputs(call, &s);
  if (st != TSR_OK) return st;
  tsr__stack_real_output(&s, 0, 1, 1);
  return tsr__stack_run(call, &s);
}

TSR__OP(matrix_norm, matrix_norm, 0)
tsr_status tsr_matrix_norm(tsr_ctx *ctx, const tsr_tensor *a, tsr_matrix_norm_kind kind, tsr_tensor *out) {
  return TSR__CALL(matrix_norm, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .kind = kind);
}
