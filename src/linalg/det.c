/* tsr_det, tsr_slogdet. */
#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/ops.h"
#include "ops/random/elementary.h"

TSR__LINALG_LANES_OF(det)
TSR__LINALG_LANES_OF(slogdet)

#if TSR_HAVE_F64
#define LOG tsr__log_f64
#else
#define LOG tsr__log_f32
#endif

/* The factors of in[0] in its place, and 1 or -1 by how many rows changed their places. */
static tsr_real factor(const tsr__stack *s, void *const *in, tsr__work *w) {
  const tsr_index n = s->in[0].rows;
  const tsr__work parts = tsr__work_parts(w);
  const tsr__submatrix pivots = tsr__submatrix_of(&parts, tsr__work_take(w, (size_t)n * (size_t)tsr__work_item(w)), n);
  tsr_index fault = 0;
  tsr_real sign = 1;
  tsr__lu(w, n, n, tsr__submatrix_of(w, in[0], n), pivots.at, &fault);
  for (tsr_index i = 0; i < n && w->base != NULL; i++)
    if (tsr__submatrix_get(&parts, pivots, 0, i) != (tsr_real)i) sign = -sign;
  return sign;
}

static void det_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n);
  tsr_real re = factor(s, in, w), im = 0;
  (void)fault;
  for (tsr_index i = 0; i < n && w->base != NULL; i++) {
    const tsr_real x = tsr__submatrix_get(w, a, i, i), y = tsr__submatrix_imaginary(w, a, i, i), before = re;
    re = tsr__work_is_complex(w) ? before * x - im * y : before * x;
    im = before * y + im * x;
  }
  tsr__submatrix_put_complex(w, tsr__submatrix_of(w, out[0], 1), 0, 0, re, im);
}

/* The sign of a complex determinant is the product of directions, in re and im. */
static void slogdet_complex(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w) {
  const tsr_index n = s->in[0].rows;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n);
  const tsr__work parts = tsr__work_parts(w);
  tsr_real re = factor(s, in, w), im = 0, log = 0;
  for (tsr_index i = 0; i < n && w->base != NULL; i++) {
    const tsr_real size = tsr__submatrix_size(w, a, i, i), before = re;
    const tsr_real x = size == 0 ? 0 : tsr__submatrix_get(w, a, i, i) / size;
    const tsr_real y = size == 0 ? 0 : tsr__submatrix_imaginary(w, a, i, i) / size;
    log += LOG(size);
    re = before * x - im * y;
    im = before * y + im * x;
  }
  tsr__submatrix_put_complex(w, tsr__submatrix_of(w, out[0], 1), 0, 0, re, im);
  tsr__submatrix_put(&parts, tsr__submatrix_of(&parts, out[1], 1), 0, 0, log);
}

static void slogdet_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  (void)fault;
  if (tsr__work_is_complex(w)) {
    slogdet_complex(s, in, out, w);
    return;
  }
  tsr_real sign = factor(s, in, w), log = 0;
  for (tsr_index i = 0; i < n && w->base != NULL; i++) {
    const tsr_real d = tsr__submatrix_get(w, tsr__submatrix_of(w, in[0], n), i, i);
    log += LOG(d < 0 ? -d : d);
    sign = d < 0 ? -sign : d == 0 ? 0 : d != d ? d : sign;
  }
  tsr__submatrix_put(w, tsr__submatrix_of(w, out[0], 1), 0, 0, sign);
  tsr__submatrix_put(w, tsr__submatrix_of(w, out[1], 1), 0, 0, log);
}

static tsr_status det_call(tsr__call *call, tsr__stack *s) {
  s->ins = 1;
  s->in[0].core = 2;
  tsr_status st = tsr__stack_inputs(call, s);
  if (st == TSR_OK) st = tsr__stack_square(call, s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(s, 0, 1, 1);
  if (call->outputs > 1) tsr__stack_real_output(s, 0, 1, 1);
  return tsr__stack_run(call, s);
}

static tsr_status det(tsr__call *call) {
  tsr__stack s = {.lanes = TSR__LANES(det), .rows = det_rows};
  return det_call(call, &s);
}

static tsr_status slogdet(tsr__call *call) {
  tsr__stack s = {.lanes = TSR__LANES(slogdet), .rows = slogdet_rows};
  return det_call(call, &s);
}

TSR__OP(det, det, 0)
tsr_status tsr_det(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(det, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}

TSR__OP(slogdet, slogdet, 0)
tsr_status tsr_slogdet(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *sign, tsr_tensor *logabsdet) {
  return TSR__CALL(slogdet, ctx, TSR__INPUTS(a), TSR__OUTPUTS(sign, logabsdet), );
}
