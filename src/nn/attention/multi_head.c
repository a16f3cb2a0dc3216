/* Multi-head attention: four dense layers around an attention. What they compute lies in temporary memory until the
 * last one, so that nothing fails after the output's first byte. */
#include <tessera/attention.h>
#include "core/operand.h"
#include "core/tensor.h"
#include "nn/check.h"
#include "nn/dense/dense.h"

typedef struct heads {
  tsr_index b, t;
  tsr_index h, hkv, d, dv;
  int dtype;
  size_t bytes[4]; /* of the projections to q, k and v, and of the attention's result */
} heads;

enum { TO_Q, TO_K, TO_V, OF_V, PARTS };

static tsr_status check_pointers(tsr_ctx *ctx, const char *op, const tsr_attention_weights *w) {
  if (w == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "weights", "is NULL");
  const tsr_tensor *const all[] = {w->wq, w->wk, w->wv, w->wo, w->bq, w->bk, w->bv, w->bo};
  static const char *const names[] = {"wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo"};
  for (int i = 0; i < 8; i++) {
    if (i >= 4 && all[i] == NULL) continue;
    const tsr_status st = tsr__check_input(ctx, op, names[i], all[i]);
    if (st != TSR_OK) return st;
    if (all[i]->ndim != (i < 4 ? 2 : 1))
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "is %t: it takes rank %d", all[i], i < 4 ? 2 : 1);
    if (i >= 4 && all[i]->shape[0] != all[i - 4]->shape[0])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "is %t, %s is %t", all[i], names[i - 4], all[i - 4]);
  }
  for (int i = 0; i < 8; i++)
    if (all[i] != NULL && all[i]->dtype != w->wq->dtype)
      return TSR__FAIL(ctx, TSR_EDTYPE, op, names[i], "is %t, wq is %t: they have one dtype", all[i], w->wq);
  return TSR_OK;
}

static tsr_status check_features(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_attention_weights *w) {
  const tsr_tensor *const in[] = {w->wq, w->wk, w->wv};
  static const char *const names[] = {"wq", "wk", "wv"};
  for (int i = 0; i < 3; i++)
    if (in[i]->shape[1] != x->shape[x->ndim - 1])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "%S takes %l features, x %S has %l", 2, in[i]->shape,
                       (int64_t)in[i]->shape[1], (int)x->ndim, x->shape, (int64_t)x->shape[x->ndim - 1]);
  return TSR_OK;
}

/* How rows are shared out to heads. */
static tsr_status cut_heads(tsr_ctx *ctx, const char *op, const tsr_attention_weights *w, tsr_index count, heads *s) {
  const tsr_index rows_q = w->wq->shape[0], rows_k = w->wk->shape[0], rows_v = w->wv->shape[0];
  if (count <= 0) return TSR__FAIL(ctx, TSR_EARG, op, "heads", "is %l: at least 1", (int64_t)count);
  if (rows_q == 0 || rows_q % count != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wq", "%S: its rows are no multiple of %l heads", 2, w->wq->shape,
                     (int64_t)count);
  s->h = count;
  s->d = rows_q / count;
  s->hkv = rows_k / s->d;
  if (s->hkv == 0 || rows_k % s->d != 0 || s->h % s->hkv != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wk", "%S: its rows are not those of some heads of %l that %l can share", 2,
                     w->wk->shape, (int64_t)s->d, (int64_t)count);
  s->dv = rows_v / s->hkv;
  if (rows_v % s->hkv != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wv", "%S: its rows are no multiple of the %l heads of wk", 2, w->wv->shape,
                     (int64_t)s->hkv);
  if (w->wo->shape[1] != s->h * s->dv)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wo", "%S takes %l features, %l heads have %l", 2, w->wo->shape,
                     (int64_t)w->wo->shape[1], (int64_t)count, (int64_t)(s->h * s->dv));
  return TSR_OK;
}

/* Part number which as the dense layers see it, [B,T,heads·columns], at data. */
static tsr_tensor part_rows(const heads *s, int rank, int which, char *data) {
  const tsr_index columns[PARTS] = {s->h * s->d, s->hkv * s->d, s->hkv * s->dv, s->h * s->dv};
  const tsr_index shape[3] = {s->b, s->t, columns[which]};
  tsr_tensor t;
  tsr__describe(s->dtype, rank, shape + 3 - rank, &t);
  tsr__strides_for(t.ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  t.data = data;
  return t;
}

/* The same as attention sees it: [B,heads,T,columns]. */
static tsr_tensor part_heads(const heads *s, int which, char *data) {
  const tsr_index n = which == TO_K || which == TO_V ? s->hkv : s->h, c = which == TO_V || which == OF_V ? s->dv : s->d;
  const tsr_index shape[4] = {s->b, n, s->t, c};
  tsr_tensor t;
  tsr__describe(s->dtype, 4, shape, &t);
  t.stride[0] = s->t * n * c;
  t.stride[1] = c;
  t.stride[2] = n * c;
  t.stride[3] = 1;
  t.data = data;
  return t;
}

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_attention_weights *w,
                        tsr_index count, heads *s) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = check_pointers(ctx, op, w);
  if (st != TSR_OK) return st;
  if (x->ndim != 2 && x->ndim != 3) return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t: it takes [B,T,E] or [T,E]", x);
  if (w->wq->dtype != x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "wq", "is %t, x is %t: they have one dtype", w->wq, x);
  st = check_features(ctx, op, x, w);
  *s = (heads){.b = x->ndim == 3 ? x->shape[0] : 1, .t = x->shape[x->ndim - 2], .dtype = x->dtype};
  if (st == TSR_OK) st = cut_heads(ctx, op, w, count, s);
  for (int i = 0; i < PARTS && st == TSR_OK; i++) {
    const tsr_tensor part = part_rows(s, 3, i, NULL);
    st = tsr__check_desc(ctx, op, part.dtype, part.ndim, part.shape);
    if (st == TSR_OK) s->bytes[i] = tsr__align_up(tsr_nbytes(&part), TSR_DATA_ALIGN);
  }
  return st;
}

/* Attention sees [1,H,T,D] where x has no batch; masks of [H,T,T] broadcast to that too. */
tsr_status tsr_multi_head_attention(tsr_ctx *ctx, const tsr_tensor *x, const tsr_attention_weights *weights,
                                    tsr_index count, const tsr_tensor *mask, const tsr_attention_attrs *attrs,
                                    tsr_tensor *out) {
  TSR__OPERANDS(x, mask, out);
  static const char op[] = "multi_head_attention";
  heads s;
  tsr__scratch room[PARTS] = {{0}};
  tsr_tensor part[PARTS], by_head[PARTS];
  tsr_status st = check(ctx, op, x, weights, count, &s);
  if (st != TSR_OK) return st;
  const tsr_index shape[3] = {s.b, s.t, weights->wo->shape[0]};
  const tsr__result result = {s.dtype, TSR_PLAIN, x->ndim, shape + 3 - x->ndim, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  for (int i = 0; i < PARTS && st == TSR_OK; i++) {
    st = tsr__scratch_get(ctx, op, s.bytes[i], &room[i]);
    part[i] = part_rows(&s, x->ndim, i, room[i].data);
    by_head[i] = part_heads(&s, i, room[i].data);
  }
  if (st == TSR_OK) st = tsr__dense(ctx, op, x, weights->wq, weights->bq, NULL, &part[TO_Q]);
  if (st == TSR_OK) st = tsr__dense(ctx, op, x, weights->wk, weights->bk, NULL, &part[TO_K]);
  if (st == TSR_OK) st = tsr__dense(ctx, op, x, weights->wv, weights->bv, NULL, &part[TO_V]);
  if (st == TSR_OK)
    st = tsr_attention(ctx, &by_head[TO_Q], &by_head[TO_K], &by_head[TO_V], mask, attrs, &by_head[OF_V]);
  if (st == TSR_OK) st = tsr__dense(ctx, op, &part[OF_V], weights->wo, weights->bo, NULL, out);
  for (int i = PARTS - 1; i >= 0; i--) tsr__scratch_put(&room[i]);
  return st;
}

tsr_status tsr_multi_head_attention_workspace_size(tsr_ctx *ctx, const tsr_tensor *x,
                                                   const tsr_attention_weights *weights, tsr_index count,
                                                   const tsr_tensor *mask, const tsr_attention_attrs *attrs,
                                                   size_t *bytes) {
  TSR__OPERANDS(x, mask);
  static const char op[] = "multi_head_attention_workspace_size";
  static _Alignas(TSR_DATA_ALIGN) char nowhere[TSR_DATA_ALIGN]; /* an address that is looked at and not read */
  heads s;
  tsr_tensor by_head[PARTS];
  size_t need[5] = {0}, most = 0, total = 0;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  tsr_status st = check(ctx, op, x, weights, count, &s);
  if (st != TSR_OK) return st;
  const tsr_tensor of_v = part_rows(&s, x->ndim, OF_V, nowhere);
  for (int i = 0; i < PARTS; i++) by_head[i] = part_heads(&s, i, nowhere);
  st = tsr__dense_workspace(ctx, op, x, weights->wq, weights->bq, NULL, &need[0]);
  if (st == TSR_OK) st = tsr__dense_workspace(ctx, op, x, weights->wk, weights->bk, NULL, &need[1]);
  if (st == TSR_OK) st = tsr__dense_workspace(ctx, op, x, weights->wv, weights->bv, NULL, &need[2]);
  if (st == TSR_OK)
    st = tsr_attention_workspace_size(ctx, &by_head[0], &by_head[1], &by_head[2], mask, attrs, &need[3]);
  if (st == TSR_OK) st = tsr__dense_workspace(ctx, op, &of_v, weights->wo, weights->bo, NULL, &need[4]);
  if (st != TSR_OK) return st;
  for (int i = 0; i < 5; i++) most = need[i] > most ? need[i] : most;
  for (int i = 0; i < PARTS; i++) total += s.bytes[i];
  *bytes = total + most + TSR_DATA_ALIGN;
  return TSR_OK;
}
