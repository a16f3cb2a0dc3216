/* The public functions of attention: checks, memory, work. */
#include "core/operand.h"
#include "nn/attention/attention.h"

#include "ops/copy/copy.h"

enum { Q, K, V, MASK, INPUTS };

/* Inputs that the output overlaps, copied. */
typedef struct copies {
  tsr__scratch scratch[INPUTS];
  tsr_tensor tensor[INPUTS];
  const tsr_tensor *in[INPUTS];
} copies;

static tsr_status copy_overlapped(tsr_ctx *ctx, const char *op, const tsr_tensor *out, copies *c) {
  for (int i = 0; i < INPUTS; i++) {
    const tsr_tensor *const t = c->in[i];
    if (t == NULL || out->data == NULL || t->data == NULL || !tsr__overlap(t, out)) continue;
    const tsr_status st = tsr__copy_to_scratch(ctx, op, t, &c->scratch[i], &c->tensor[i]);
    if (st != TSR_OK) return st;
    c->in[i] = &c->tensor[i];
  }
  return TSR_OK;
}

static void put_back(copies *c) {
  for (int i = INPUTS - 1; i >= 0; i--) tsr__scratch_put(&c->scratch[i]);
}

static tsr_status too_large(tsr_ctx *ctx, const char *op, const tsr__attention *a) {
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%l and %l columns need more temporary memory than there can be",
                   (int64_t)a->d, (int64_t)a->dv);
}

static void bind_output(const tsr_tensor *out, tsr__attention *a) {
  a->out = (tsr__attention_part){.data = out->data, .dtype = out->dtype};
  for (int i = 4 - out->ndim; i < 4; i++) a->out.step[i] = (ptrdiff_t)out->stride[i - (4 - out->ndim)] * tsr__item(out);
}

tsr_status tsr_attention(tsr_ctx *ctx, const tsr_tensor *q, const tsr_tensor *k, const tsr_tensor *v,
                         const tsr_tensor *mask, const tsr_attention_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(q, k, v, mask, out);
  static const char op[] = "attention";
  copies c = {.in = {q, k, v, mask}};
  tsr__scratch work = {0};
  tsr__attention a;
  tsr_index shape[4];
  size_t bytes = 0;
  tsr_status st = tsr__attention_check(ctx, op, q, k, v, mask, attrs, &a, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {q->dtype, TSR_PLAIN, q->ndim, shape, NULL};
  const bool none = a.b == 0 || a.h == 0 || a.t == 0 || a.dv == 0;
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  if (!none) bytes = tsr__attention_scratch(&a);
  if (bytes == SIZE_MAX) return too_large(ctx, op, &a);
  st = copy_overlapped(ctx, op, out, &c);
  if (st == TSR_OK) st = tsr__attention_check(ctx, op, c.in[Q], c.in[K], c.in[V], c.in[MASK], attrs, &a, shape);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, bytes, &work);
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK && !none) {
    bind_output(out, &a);
    tsr__attention_run(&a, work.data);
  }
  tsr__scratch_put(&work);
  put_back(&c);
  return st;
}

tsr_status tsr_attention_workspace_size(tsr_ctx *ctx, const tsr_tensor *q, const tsr_tensor *k, const tsr_tensor *v,
                                        const tsr_tensor *mask, const tsr_attention_attrs *attrs, size_t *bytes) {
  TSR__OPERANDS(q, k, v, mask);
  static const char op[] = "attention_workspace_size";
  tsr__attention a;
  tsr_index shape[4];
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  const tsr_status st = tsr__attention_check(ctx, op, q, k, v, mask, attrs, &a, shape);
  if (st != TSR_OK) return st;
  const bool none = a.b == 0 || a.h == 0 || a.t == 0 || a.dv == 0;
  const size_t need = none ? 0 : tsr__attention_scratch(&a);
  if (need == SIZE_MAX) return too_large(ctx, op, &a);
  *bytes = need > 0 ? need + TSR_DATA_ALIGN - 1 : 0;
  return TSR_OK;
}
