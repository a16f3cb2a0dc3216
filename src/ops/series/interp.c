/* tsr_interp: a search among the points, then a line. */
#include "core/operand.h"
#include <tessera/series.h>
#include "cpu/isa.h"
#include "ops/cast/convert.h"
#include "ops/elementwise/elementwise.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"

enum { REAL = sizeof(tsr_real) == 8 ? TSR_F64 : TSR_F32 };
/* Elements at a time, on the stack; what is worth a thread. */
enum { BLOCK = TSR_HAVE_MALLOC ? 256 : 16, GRAIN = 1024 };

typedef struct call {
  tsr_index n;
  const tsr_real *xp, *fp; /* without gaps */
  tsr_real left, right;
  int isa, x_dtype, out_dtype; /* of a part */
} call;

/* ---- one place ---- */

/* The last point that is not after x, which lies among them; *near is where the last one was found. */
static tsr_index find(const call *c, tsr_real x, tsr_index *near) {
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
static tsr_real line(const call *c, tsr_index i, tsr_real x) {
  const tsr_real slope = (c->fp[i + 1] - c->fp[i]) / (c->xp[i + 1] - c->xp[i]);
  tsr_real y = slope * (x - c->xp[i]) + c->fp[i];
  if (y != y) y = slope * (x - c->xp[i + 1]) + c->fp[i + 1];
  return y != y && c->fp[i] == c->fp[i + 1] ? c->fp[i] : y;
}

static tsr_real value_at(const call *c, tsr_real x, tsr_index *near) {
  const tsr_index last = c->n - 1;
  if (x != x) return x;
  if (x < c->xp[0]) return c->left;
  if (x > c->xp[last]) return c->right;
  if (x == c->xp[last]) return c->fp[last];
  const tsr_index i = find(c, x, near);
  return x == c->xp[i] ? c->fp[i] : line(c, i, x);
}

static void interp_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const call *const c = arg;
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

static tsr_status check_points(tsr_ctx *ctx, const char *op, const tsr_tensor *xp, const tsr_tensor *fp) {
  if (xp->ndim != 1 || fp->ndim != 1 || xp->shape[0] != fp->shape[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "xp %S and fp %S are not two vectors of one length", (int)xp->ndim,
                     xp->shape, (int)fp->ndim, fp->shape);
  if (xp->shape[0] == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "xp", "%S has no points", (int)xp->ndim, xp->shape);
  return TSR_OK;
}

static tsr_status check_real(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st != TSR_OK || !tsr__is_complex(t->dtype)) return st;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t; real numbers are wanted", t);
}

static tsr_status check_rising(tsr_ctx *ctx, const char *op, const call *c) {
  for (tsr_index i = 0; i < c->n; i++)
    if (!(c->xp[i] >= c->xp[i > 0 ? i - 1 : 0]))
      return TSR__FAIL(ctx, TSR_EARG, op, "xp", "is %r at %l after %r: it must not fall", &c->xp[i], (int64_t)i,
                       &c->xp[i > 0 ? i - 1 : 0]);
  return TSR_OK;
}

/* A vector, or a part of it, as numbers without gaps. */
static tsr_status read_vector(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int part, tsr__scratch *scratch,
                              const tsr_real **numbers) {
  const tsr_tensor from = tsr__part_of(t, part);
  tsr_tensor to = from;
  const size_t n = (size_t)t->shape[0];
  if ((uint64_t)t->shape[0] > PTRDIFF_MAX / sizeof(tsr_real))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%l points do not fit the address space", (int64_t)t->shape[0]);
  const tsr_status st = tsr__scratch_get(ctx, op, n * sizeof(tsr_real), scratch);
  if (st != TSR_OK) return st;
  to.dtype = REAL;
  to.stride[0] = 1;
  to.storage = NULL;
  to.data = scratch->data;
  tsr__copy_apart(ctx, &from, &to);
  *numbers = scratch->data;
  return TSR_OK;
}

static void run_part(tsr_ctx *ctx, call *c, const tsr_tensor *x, const tsr_tensor *out, int part, const tsr_real *left,
                     const tsr_real *right) {
  const tsr_tensor y = tsr__part_of(out, part);
  const tsr_tensor *const operands[] = {&y, x};
  tsr__loop loop;
  c->out_dtype = y.dtype;
  c->left = left == NULL ? c->fp[0] : part == 0 ? *left : 0;
  c->right = right == NULL ? c->fp[c->n - 1] : part == 0 ? *right : 0;
  tsr__loop_init(&loop, 2, operands);
  tsr__loop_run_parallel(ctx, &loop, GRAIN, interp_row, c);
}

tsr_status tsr_interp(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *xp, const tsr_tensor *fp,
                      const tsr_real *left, const tsr_real *right, tsr_tensor *out) {
  TSR__OPERANDS(x, xp, fp, out);
  static const char op[] = "interp";
  static const char *const names[] = {"x", "xp", "fp"};
  const tsr_tensor *const in[] = {x, xp, fp};
  int dtype = TSR_NONE;
  tsr_status st = check_real(ctx, op, "x", x);
  if (st == TSR_OK) st = check_real(ctx, op, "xp", xp);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "fp", fp);
  if (st == TSR_OK) st = check_points(ctx, op, xp, fp);
  if (st == TSR_OK) st = tsr__promote_numbers(ctx, op, true, 3, in, names, &dtype);
  if (st != TSR_OK) return st;
  const int parts = tsr__is_complex(fp->dtype) ? 2 : 1;
  const tsr__result result = {dtype, x->layout, x->ndim, x->shape, x};
  const tsr_real *values[2] = {NULL, NULL};
  tsr__scratch scratch[3] = {{0}};
  tsr__target target;
  call c = {.n = xp->shape[0], .isa = tsr__isa_of(ctx), .x_dtype = x->dtype};
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = read_vector(ctx, op, xp, 0, &scratch[0], &c.xp);
  if (st == TSR_OK) st = check_rising(ctx, op, &c);
  for (int part = 0; part < parts && st == TSR_OK; part++)
    st = read_vector(ctx, op, fp, part, &scratch[part + 1], &values[part]);
  if (st == TSR_OK) st = tsr__target_begin(ctx, op, &result, 1, in, out, &target);
  if (st == TSR_OK) {
    for (int part = 0; part < parts && target.bytes > 0; part++) {
      c.fp = values[part];
      run_part(ctx, &c, x, &target.view, part, left, right);
    }
    tsr__target_end(ctx, out, &target);
  }
  for (int i = 2; i >= 0; i--) tsr__scratch_put(&scratch[i]);
  return st;
}
