/* What an attention checks. */
#include "nn/attention/attention.h"

#include "core/table.h"
#include "nn/check.h"
#include "ops/cast/convert.h"
#include "ops/promote.h"

static tsr_status check_ranks(tsr_ctx *ctx, const char *op, const tsr_tensor *q, const tsr_tensor *k,
                              const tsr_tensor *v) {
  if (q->ndim < 2 || q->ndim > 4)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "q", "is %t: attention takes [B,H,T,D], [H,T,D] or [T,D]", q);
  if (k->ndim != q->ndim || v->ndim != q->ndim)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, k->ndim != q->ndim ? "k" : "v", "is %t, q is %t: their ranks differ",
                     k->ndim != q->ndim ? k : v, q);
  return TSR_OK;
}

static tsr_status check_dtypes(tsr_ctx *ctx, const char *op, const tsr_tensor *q, const tsr_tensor *k,
                               const tsr_tensor *v) {
  const tsr_status st = tsr__nn_check_float(ctx, op, "q", q);
  if (st != TSR_OK) return st;
  if (k->dtype != q->dtype || v->dtype != q->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, k->dtype != q->dtype ? "k" : "v", "is %t, q is %t: they have one dtype",
                     k->dtype != q->dtype ? k : v, q);
  return TSR_OK;
}

/* An operand by (batch, head, row, column), the axes that are left out of length 1. */
static void bind(const tsr_tensor *t, tsr_index *length, tsr__attention_part *part) {
  part->data = t->data;
  part->dtype = t->dtype;
  for (int i = 0; i < 4; i++) {
    const int axis = i - (4 - t->ndim);
    length[i] = axis >= 0 ? t->shape[axis] : 1;
    part->step[i] = axis >= 0 ? (ptrdiff_t)t->stride[axis] * tsr__item(t) : 0;
  }
}

static tsr_status check_shapes(tsr_ctx *ctx, const char *op, const tsr_tensor *q, const tsr_tensor *k,
                               const tsr_tensor *v, tsr__attention *a) {
  tsr_index nq[4], nk[4], nv[4];
  bind(q, nq, &a->q);
  bind(k, nk, &a->k);
  bind(v, nv, &a->v);
  if (nk[3] != nq[3])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "k", "%S has %l columns, q %S has %l", (int)k->ndim, k->shape, (int64_t)nk[3],
                     (int)q->ndim, q->shape, (int64_t)nq[3]);
  if (nk[0] != nq[0] || nv[0] != nq[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "q %S, k %S and v %S: their batches differ", (int)q->ndim, q->shape,
                     (int)k->ndim, k->shape, (int)v->ndim, v->shape);
  if (nv[1] != nk[1] || nv[2] != nk[2])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "v", "%S does not belong to k %S: there is one value for each key",
                     (int)v->ndim, v->shape, (int)k->ndim, k->shape);
  if (nk[1] == 0 ? nq[1] != 0 : nq[1] % nk[1] != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "q", "%S has %l heads, which is no multiple of the %l of k %S", (int)q->ndim,
                     q->shape, (int64_t)nq[1], (int64_t)nk[1], (int)k->ndim, k->shape);
  a->b = nq[0];
  a->h = nq[1];
  a->hkv = nk[1];
  a->t = nq[2];
  a->s = nk[2];
  a->d = nq[3];
  a->dv = nv[3];
  a->group = a->hkv > 0 ? a->h / a->hkv : 1;
  return TSR_OK;
}

static tsr_status check_mask(tsr_ctx *ctx, const char *op, int rank, const tsr_tensor *mask, tsr__attention *a) {
  const tsr_index want[4] = {a->b, a->h, a->t, a->s};
  tsr_index length[4];
  if (mask->dtype != TSR_BOOL && tsr_dtype_describe(mask->dtype)->class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "mask", "is %t: masks are bool, or floats that are added", mask);
  tsr_status st = tsr__check_cast(ctx, op, mask->dtype, a->compute);
  if (st != TSR_OK) return st;
  bool fits = mask->ndim <= rank;
  if (fits) bind(mask, length, &a->mask);
  for (int i = 0; i < 4 && fits; i++) {
    fits = length[i] == want[i] || length[i] == 1;
    if (length[i] != want[i]) a->mask.step[i] = 0;
  }
  if (!fits)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "mask", "%S does not broadcast to %S", (int)mask->ndim, mask->shape, rank,
                     want + 4 - rank);
  return TSR_OK;
}

static tsr_status check_options(tsr_ctx *ctx, const char *op, const tsr_attention_options *options, tsr__attention *a) {
  static const tsr_attention_options none;
  if (options == NULL) options = &none;
  const tsr_status room = tsr__check_reserved(ctx, op, TSR__ROOM(options));
  if (room != TSR_OK) return room;
  if (options->scale - options->scale != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "scale", "%r is not finite", &options->scale);
  if (!options->causal && options->causal_offset != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "causal_offset", "is %l, but causal is false", (int64_t)options->causal_offset);
  a->scale = options->scale;
#if TSR_HAVE_F64
  if (a->scale == 0) a->scale = a->d > 0 ? 1 / __builtin_sqrt((double)a->d) : 1;
#else
  if (a->scale == 0) a->scale = a->d > 0 ? 1 / __builtin_sqrtf((float)a->d) : 1;
#endif
  a->causal = options->causal;
  a->offset = options->causal_offset < a->s ? options->causal_offset : a->s; /* no sum with it wraps */
  if (a->offset < -a->t) a->offset = -a->t;
  return TSR_OK;
}

tsr_status tsr__attention_check(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in,
                                const tsr_attention_options *options, tsr__attention *a, tsr_index *shape) {
  const tsr_tensor *const q = in[TSR__ATTENTION_Q], *const k = in[TSR__ATTENTION_K], *const v = in[TSR__ATTENTION_V];
  const tsr_tensor *const mask = in[TSR__ATTENTION_MASK];
  *a = (tsr__attention){.ctx = ctx, .isa = tsr__isa_of(ctx)};
  tsr_status st = check_dtypes(ctx, op, q, k, v);
  if (st == TSR_OK) st = check_ranks(ctx, op, q, k, v);
  if (st == TSR_OK) st = check_shapes(ctx, op, q, k, v, a);
  if (st != TSR_OK) return st;
  a->dtype = q->dtype;
  a->compute = tsr__compute_of(q->dtype);
  for (int i = 0; i < q->ndim; i++) shape[i] = i < q->ndim - 1 ? q->shape[i] : a->dv;
  if (mask != NULL) st = check_mask(ctx, op, q->ndim, mask, a);
  return st == TSR_OK ? check_options(ctx, op, options, a) : st;
}
