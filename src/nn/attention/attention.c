/* The public functions of attention: checks, memory, work. */
#include "nn/attention/attention.h"

#include "nn/attention/ops.h"
#include "nn/check.h"
#include "nn/unalias.h"

enum { INPUTS = TSR__ATTENTION_INPUTS };

static bool is_nothing(const tsr__attention *a) { return a->b == 0 || a->h == 0 || a->t == 0 || a->dv == 0; }

/* The temporary memory, 0 where there is nothing to do: TSR_EOVERFLOW. */
static tsr_status attention_bytes(tsr_ctx *ctx, const char *op, const tsr__attention *a, size_t *bytes) {
  *bytes = is_nothing(a) ? 0 : tsr__attention_scratch(a);
  if (*bytes < SIZE_MAX) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%l and %l columns need more temporary memory than there can be",
                   (int64_t)a->d, (int64_t)a->dv);
}

/* Memory for copies of the inputs that the output overlaps; then it is the copies' attention. */
static tsr_status take_inputs(tsr__call *call, const tsr_attention_options *options, tsr__unaliased *unaliased,
                              tsr__attention *a) {
  const tsr_tensor *in[INPUTS];
  tsr_index shape[4];
  bool copied = false;
  tsr_status st = TSR_OK;
  for (int i = 0; i < INPUTS && st == TSR_OK; i++) {
    st = tsr__unalias_take(call, call->in[i], false, &unaliased[i]);
    in[i] = unaliased[i].in;
    copied = copied || unaliased[i].of != NULL;
  }
  return st == TSR_OK && copied ? tsr__attention_check(call->ctx, call->op, in, options, a, shape) : st;
}

static void bind_output(const tsr_tensor *out, tsr__attention *a) {
  a->out = (tsr__attention_part){.data = out->data, .dtype = out->dtype};
  for (int i = 4 - out->ndim; i < 4; i++) a->out.step[i] = (ptrdiff_t)out->stride[i - (4 - out->ndim)] * tsr__item(out);
}

static tsr_status attention(tsr__call *call) {
  const tsr_attention_options *const options = ((const tsr__attention_attrs *)call->attrs)->options;
  const tsr_tensor *const q = call->in[TSR__ATTENTION_Q];
  tsr__attention a;
  tsr__unaliased unaliased[INPUTS];
  tsr_index shape[4];
  size_t bytes = 0;
  void *memory;
  tsr_status st = tsr__attention_check(call->ctx, call->op, call->in, options, &a, shape);
  const tsr__result result = {q->dtype, TSR_PLAIN, q->ndim, shape, NULL};
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = take_inputs(call, options, unaliased, &a);
  if (st == TSR_OK) st = attention_bytes(call->ctx, call->op, &a, &bytes);
  if (st == TSR_OK) st = tsr__call_scratch(call, bytes, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || is_nothing(&a)) return st;
  for (int i = 0; i < INPUTS; i++) tsr__unalias_fill(call->ctx, &unaliased[i]);
  bind_output(call->out[0], &a);
  tsr__attention_run(&a, memory);
  return TSR_OK;
}

TSR__OP(attention, attention, 0)
tsr_status tsr_attention(tsr_ctx *ctx, const tsr_tensor *q, const tsr_tensor *k, const tsr_tensor *v,
                         const tsr_tensor *mask, const tsr_attention_options *options, tsr_tensor *out) {
  return TSR__CALL(attention, ctx, TSR__INPUTS(q, k, v, mask), TSR__OUTPUTS(out), .options = options);
}
