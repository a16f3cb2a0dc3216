/* tsr_interp: a search among the points, then a line. */
#include "cpu/isa.h"
#include "ops/cast/convert.h"
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"
#include "ops/series/ops.h"

enum { REAL = sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32 };
/* Elements at a time, on the stack; what is worth a thread. */
enum { BLOCK = TSR_HAVE_MALLOC ? 256 : 16, GRAIN = 1024 };

typedef struct points {
  tsr_index n;
  const tsr_real *xp, *fp; /* contiguous */
  tsr_real left, right;
  int isa, x_dtype, out_dtype; /* of a part */
} points;

/* ---- one place ---- */

/* The last point that is not after x, which lies among them; *near is where the last one was found. */
static tsr_index find(const points *c, tsr_real x, tsr_index *near) {
  tsr_index low = 0, high = c->n - 1;
  if (*near < high && c->xp[*near] <= x) {
    low = *near;
    if (x < c->xp[low + 1]) return low;
  }
  while (high - low > 1) {
    const tsr_index middle = low + (high - low) / 2;
    if (c->xp[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  *near = low;
  return low;
}

/* NumPy's, also where values are infinite: from the other end, and the value itself where both are the same. */
static tsr_real line(const points *c, tsr_index i, tsr_real x) {
  const tsr_real slope = (c->fp[i + 1] - c->fp[i]) / (c->xp[i + 1] - c->xp[i]);
  tsr_real y = slope * (x - c->xp[i]) + c->fp[i];
  if (y != y) y = slope * (x - c->xp[i + 1]) + c->fp[i + 1];
  return y != y && c->fp[i] == c->fp[i + 1] ? c->fp[i] : y;
}

static tsr_real value_at(const points *c, tsr_real x, tsr_index *near) {
  const tsr_index last = c->n - 1;
  if (x != x) return x;
  if (x < c->xp[0]) return c->left;
  if (x > c->xp[last]) return c->right;
  if (x == c->xp[last]) return c->fp[last];
  const tsr_index i = find(c, x, near);
  return x == c->xp[i] ? c->fp[i] : line(c, i, x);
}

static void interp_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const points *const c = args->param;
  tsr_real block[BLOCK];
  tsr_index near = 0;
  for (tsr_index i = 0; i < n; i += BLOCK) {
    const tsr_index count = n - i < BLOCK ? n - i : BLOCK;
    tsr__convert_row(c->isa, c->x_dtype, REAL, count, at[1] + (ptrdiff_t)i * step[1], step[1], (char *)block,
                     (ptrdiff_t)sizeof(tsr_real));
    for (tsr_index k = 0; k < count; k++) block[k] = value_at(c, block[k], &near);
    tsr__convert_row(c->isa, REAL, c->out_dtype, count, (const char *)block, (ptrdiff_t)sizeof(tsr_real),
                     at[0] + (ptrdiff_t)i * step[0], step[0]);
  }
}

/* ---- the call ---- */

static tsr_status check_points(const tsr__call *call) {
  const tsr_tensor *const xp = call->in[1], *const fp = call->in[2];
  for (int k = 0; k < 2; k++)
    if (tsr__is_complex(call->in[k]->dtype))
      return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, tsr__call_input_name(call, k), "is %t; real numbers are wanted",
                       call->in[k]);
  if (xp->ndim != 1 || fp->ndim != 1 || xp->shape[0] != fp->shape[0])
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, NULL, "xp %S and fp %S are not two vectors of one length",
                     (int)xp->ndim, xp->shape, (int)fp->ndim, fp->shape);
  if (xp->shape[0] == 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "xp", "%S has no points", (int)xp->ndim, xp->shape);
  return TSR_OK;
}

static tsr_status check_rising(const tsr__call *call, const points *c) {
  for (tsr_index i = 0; i < c->n; i++)
    if (!(c->xp[i] >= c->xp[i > 0 ? i - 1 : 0]))
      return TSR__FAIL(call->ctx, TSR_EARG, call->op, "xp", "is %r at %l after %r: it must not fall", &c->xp[i],
                       (int64_t)i, &c->xp[i > 0 ? i - 1 : 0]);
  return TSR_OK;
}

/* The points as contiguous numbers: xp, then each part of fp. */
enum { VECTORS = 3 };
typedef struct vectors {
  tsr_tensor from[VECTORS], to[VECTORS];
  int count;
} vectors;

static tsr_status plan_vectors(tsr__call *call, vectors *v) {
  const tsr_tensor *const fp = call->in[2];
  tsr_status st = TSR_OK;
  v->count = tsr__is_complex(fp->dtype) ? 3 : 2;
  for (int i = 0; i < v->count && st == TSR_OK; i++) {
    v->from[i] = i == 0 ? *call->in[1] : tsr__part_of(fp, i - 1);
    st = tsr__call_copy_as(call, &v->from[i], REAL, &v->to[i]);
  }
  return st;
}

static void interp_part(const tsr__call *call, points *c, int part, const tsr_tensor *out) {
  const tsr__interp_attrs *const attrs = call->attrs;
  const tsr_real *const left = attrs->left, *const right = attrs->right;
  const tsr_tensor y = tsr__part_of(out, part);
  const tsr_tensor *const operands[] = {&y, call->in[0]};
  tsr__loop loop;
  c->out_dtype = y.dtype;
  c->left = left == NULL ? c->fp[0] : part == 0 ? *left : 0;
  c->right = right == NULL ? c->fp[c->n - 1] : part == 0 ? *right : 0;
  tsr__loop_init(&loop, 2, operands);
  tsr__loop_run_parallel(call->ctx, &loop, GRAIN, interp_row, c);
}

static tsr_status interp(tsr__call *call) {
  static const char *const names[] = {"x", "xp", "fp"};
  const tsr_tensor *const x = call->in[0];
  points c = {.n = call->in[1]->shape[0], .isa = tsr__isa_of(call->ctx), .x_dtype = x->dtype};
  vectors v;
  tsr__target target;
  int dtype = TSR_NONE;
  tsr_status st = check_points(call);
  if (st == TSR_OK) st = tsr__promote_numbers(call->ctx, call->op, true, 3, call->in, names, &dtype);
  if (st != TSR_OK) return st;
  const tsr__result result = {dtype, x->layout, x->ndim, x->shape, x};
  st = plan_vectors(call, &v);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  for (int i = 0; i < v.count; i++) tsr__copy_no_alias(call->ctx, &v.from[i], &v.to[i]);
  c.xp = v.to[0].data;
  st = check_rising(call, &c);
  if (st != TSR_OK) return st;
  for (int part = 0; part < v.count - 1 && target.bytes > 0; part++) {
    c.fp = v.to[part + 1].data;
    interp_part(call, &c, part, &target.view);
  }
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(interp, interp, 0)
tsr_status tsr_interp(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *xp, const tsr_tensor *fp,
                      const tsr_real *left, const tsr_real *right, tsr_tensor *out) {
  return TSR__CALL(interp, ctx, TSR__INPUTS(x, xp, fp), TSR__OUTPUTS(out), .left = left, .right = right);
}
