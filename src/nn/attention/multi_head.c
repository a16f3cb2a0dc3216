/* Multi-head attention: four dense layers around an attention. What they compute lies in temporary memory until the
 * last one, so that nothing fails after the output's first byte. */
#include "core/device.h"
#include "core/tensor.h"
#include "nn/attention/attention.h"
#include "nn/attention/ops.h"
#include "nn/check.h"
#include "nn/dense/dense.h"

/* The inputs: as in ops.def. */
enum { X, WQ, WK, WV, WO, BQ, BK, BV, BO, MASK, INPUTS };

typedef struct heads {
  tsr_index b, t;
  tsr_index h, hkv, d, dv;
  int dtype;
  size_t bytes[4]; /* of the projections to q, k and v, and of the attention's result */
} heads;

enum { TO_Q, TO_K, TO_V, OF_V, PARTS };

static const char *const names[INPUTS] = {"x", "wq", "wk", "wv", "wo", "bq", "bk", "bv", "bo", "mask"};

static tsr_status check_weights(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in) {
  for (int i = WQ; i <= BO; i++) {
    const tsr_tensor *const t = in[i];
    if (t == NULL) continue;
    if (t->ndim != (i < BQ ? 2 : 1))
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "is %t: it takes rank %d", t, i < BQ ? 2 : 1);
    if (i >= BQ && t->shape[0] != in[i - BQ + WQ]->shape[0])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "is %t, %s is %t", t, names[i - BQ + WQ], in[i - BQ + WQ]);
  }
  for (int i = WQ; i <= BO; i++)
    if (in[i] != NULL && in[i]->dtype != in[WQ]->dtype)
      return TSR__FAIL(ctx, TSR_EDTYPE, op, names[i], "is %t, wq is %t: they have one dtype", in[i], in[WQ]);
  return TSR_OK;
}

static tsr_status check_features(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in) {
  const tsr_tensor *const x = in[X];
  for (int i = WQ; i <= WV; i++)
    if (in[i]->shape[1] != x->shape[x->ndim - 1])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, names[i], "%S takes %l features, x %S has %l", 2, in[i]->shape,
                       (int64_t)in[i]->shape[1], (int)x->ndim, x->shape, (int64_t)x->shape[x->ndim - 1]);
  return TSR_OK;
}

/* How rows are shared out to heads. */
static tsr_status cut_heads(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in, tsr_index count, heads *s) {
  const tsr_index rows_q = in[WQ]->shape[0], rows_k = in[WK]->shape[0], rows_v = in[WV]->shape[0];
  if (count <= 0) return TSR__FAIL(ctx, TSR_EARG, op, "heads", "is %l: at least 1", (int64_t)count);
  if (rows_q == 0 || rows_q % count != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wq", "%S: its rows are no multiple of %l heads", 2, in[WQ]->shape,
                     (int64_t)count);
  s->h = count;
  s->d = rows_q / count;
  s->hkv = rows_k / s->d;
  if (s->hkv == 0 || rows_k % s->d != 0 || s->h % s->hkv != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wk", "%S: its rows are not those of some heads of %l that %l can share", 2,
                     in[WK]->shape, (int64_t)s->d, (int64_t)count);
  s->dv = rows_v / s->hkv;
  if (rows_v % s->hkv != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wv", "%S: its rows are no multiple of the %l heads of wk", 2, in[WV]->shape,
                     (int64_t)s->hkv);
  if (in[WO]->shape[1] != s->h * s->dv)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "wo", "%S takes %l features, %l heads have %l", 2, in[WO]->shape,
                     (int64_t)in[WO]->shape[1], (int64_t)count, (int64_t)(s->h * s->dv));
  return TSR_OK;
}

/* Part number which as the dense layers see it, [B,T,heads·columns], at data. */
static tsr_tensor part_rows(const heads *s, int rank, int which, void *data) {
  const tsr_index columns[PARTS] = {s->h * s->d, s->hkv * s->d, s->hkv * s->dv, s->h * s->dv};
  const tsr_index shape[3] = {s->b, s->t, columns[which]};
  tsr_tensor t;
  tsr__describe(s->dtype, rank, shape + 3 - rank, &t);
  tsr__strides_for(t.ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  t.data = data;
  return t;
}

/* The same as attention sees it: [B,heads,T,columns]. */
static tsr_tensor part_heads(const heads *s, int which, void *data) {
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

static tsr_status check_layers(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in, tsr_index count, heads *s) {
  const tsr_tensor *const x = in[X];
  tsr_status st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = check_weights(ctx, op, in);
  if (st != TSR_OK) return st;
  if (x->ndim != 2 && x->ndim != 3) return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t: it takes [B,T,E] or [T,E]", x);
  if (in[WQ]->dtype != x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "wq", "is %t, x is %t: they have one dtype", in[WQ], x);
  st = check_features(ctx, op, in);
  *s = (heads){.b = x->ndim == 3 ? x->shape[0] : 1, .t = x->shape[x->ndim - 2], .dtype = x->dtype};
  if (st == TSR_OK) st = cut_heads(ctx, op, in, count, s);
  for (int i = 0; i < PARTS && st == TSR_OK; i++) {
    const tsr_tensor part = part_rows(s, 3, i, NULL);
    st = tsr__check_desc(ctx, op, part.dtype, part.ndim, part.shape);
    if (st == TSR_OK) s->bytes[i] = tsr__align_up(tsr_nbytes(&part), TSR_DATA_ALIGN);
  }
  return st;
}

static _Alignas(TSR_DATA_ALIGN) char nowhere[TSR_DATA_ALIGN]; /* an address that is looked at and not read */

/* The attention inside, checked under the op's name: it sees [1,H,T,D] where x has no batch, and masks of [H,T,T]
 * broadcast to that too. */
static tsr_status check_inner(tsr_ctx *ctx, const char *op, const heads *s, const tsr_tensor *mask,
                              const tsr_attention_options *options) {
  const tsr_tensor q = part_heads(s, TO_Q, nowhere), k = part_heads(s, TO_K, nowhere), v = part_heads(s, TO_V, nowhere);
  const tsr_tensor *const in[TSR__ATTENTION_INPUTS] = {&q, &k, &v, mask};
  tsr__attention a;
  tsr_index shape[4];
  return tsr__attention_check(ctx, op, in, options, &a, shape);
}

static tsr_status project(const tsr__call *call, tsr_ctx *ctx, const tsr_tensor *x, int weight, tsr_tensor *out) {
  return tsr__dense(ctx, call->op, x, call->in[weight], call->in[weight + BQ - WQ], NULL, out);
}

/* The projections in memory, each as rows and by heads. */
typedef struct parts {
  tsr_tensor rows[PARTS], by_head[PARTS];
} parts;

static tsr_status run_layers(const tsr__call *call, tsr_ctx *ctx, parts *p) {
  const tsr__multi_head_attention_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[X], *const of = p->by_head;
  tsr_status st = project(call, ctx, x, WQ, &p->rows[TO_Q]);
  if (st == TSR_OK) st = project(call, ctx, x, WK, &p->rows[TO_K]);
  if (st == TSR_OK) st = project(call, ctx, x, WV, &p->rows[TO_V]);
  if (st == TSR_OK)
    st = tsr_attention(ctx, &of[TO_Q], &of[TO_K], &of[TO_V], call->in[MASK], attrs->options, &p->by_head[OF_V]);
  return st == TSR_OK ? project(call, ctx, &p->rows[OF_V], WO, call->out[0]) : st;
}

#if TSR_HAVE_OPS
/* In a dry run: the most that one of them takes, by a dry run of each. */
static tsr_status measure_layers(tsr__call *call, parts *p) {
  if (!tsr__is_dry(call->device)) return TSR_OK;
  tsr_ctx dry = tsr__dry_context(call->ctx);
  const tsr_status st = run_layers(call, &dry, p);
  if (st != TSR_OK) tsr__ctx(call->ctx)->error = dry.error;
  tsr__call_may_take(call, tsr__without_slack(dry.scratch_needed));
  return st;
}
#else
static tsr_status measure_layers(const tsr__call *call, const parts *p) {
  (void)call, (void)p;
  return TSR_OK;
}
#endif

static tsr_status multi_head_attention(tsr__call *call) {
  const tsr__multi_head_attention_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[X];
  parts p;
  heads s;
  tsr_status st = check_layers(call->ctx, call->op, call->in, attrs->heads, &s);
  if (st == TSR_OK) st = check_inner(call->ctx, call->op, &s, call->in[MASK], attrs->options);
  if (st != TSR_OK) return st;
  const tsr_index shape[3] = {s.b, s.t, call->in[WO]->shape[0]};
  const tsr__result result = {s.dtype, TSR_PLAIN, x->ndim, shape + 3 - x->ndim, NULL};
  st = tsr__call_result(call, &result);
  for (int i = 0; i < PARTS && st == TSR_OK; i++) {
    void *room = NULL;
    st = tsr__call_scratch(call, s.bytes[i], &room);
    p.rows[i] = part_rows(&s, x->ndim, i, room);
    p.by_head[i] = part_heads(&s, i, room);
  }
  if (st == TSR_OK) st = measure_layers(call, &p);
  if (st == TSR_OK) st = tsr__call_start(call);
  return st == TSR_OK ? run_layers(call, call->ctx, &p) : st;
}

#define WEIGHTS(w) (w)->wq, (w)->wk, (w)->wv, (w)->wo, (w)->bq, (w)->bk, (w)->bv, (w)->bo

TSR__OP(multi_head_attention, multi_head_attention, 0)
tsr_status tsr_multi_head_attention(tsr_ctx *ctx, const tsr_tensor *x, const tsr_attention_weights *weights,
                                    tsr_index count, const tsr_tensor *mask, const tsr_attention_options *options,
                                    tsr_tensor *out) {
  if (weights == NULL) return TSR__FAIL(ctx, TSR_EARG, "multi_head_attention", "weights", "is NULL");
  return TSR__CALL(multi_head_attention, ctx, TSR__INPUTS(x, WEIGHTS(weights), mask), TSR__OUTPUTS(out),
                   .weights = weights, .heads = count, .options = options);
}
