/* The whole of a call: checks, memory, work. */
#include "ops/copy/copy.h"
#include "ops/matmul/product.h"

tsr__product tsr__product_at(const tsr__product *p, tsr_index batch) {
  tsr__product one = *p;
  for (int i = p->axes - 1; i >= 0; i--) {
    const ptrdiff_t at = (ptrdiff_t)(batch % p->length[i]);
    batch /= p->length[i];
    one.a.data += at * p->a.batch[i];
    one.b.data += at * p->b.batch[i];
    one.out.data += at * p->out.batch[i];
    if (one.c.data != NULL) one.c.data += at * p->c.batch[i];
    if (one.bias.data != NULL) one.bias.data += at * p->bias.batch[i];
  }
  return one;
}

static void bind_output(const tsr_tensor *out, const tsr__gemm_call *call, tsr__product *p) {
  const ptrdiff_t item = tsr__item(out);
  int at = 0;
  p->out = (tsr__mat){.data = out->data, .dtype = out->dtype};
  for (; at < p->axes; at++) p->out.batch[at] = (ptrdiff_t)out->stride[at] * item;
  if (call->a->ndim > 1) p->out.row = (ptrdiff_t)out->stride[at++] * item;
  if (call->b->ndim > 1) p->out.col = (ptrdiff_t)out->stride[at] * item;
  if (p->m == 1 && p->out.row == 0) p->out.row = p->out.col * (ptrdiff_t)p->n; /* not looked at, but plain */
  if (p->n == 1) p->out.col = item;
}

/* The output as it will be: given, or fresh in row-major order (data NULL). */
static tsr_tensor foreseen(const tsr__result *result, const tsr_tensor *out) {
  tsr_tensor t = *out;
  if (!tsr_is_empty(out) && (out->data != NULL || tsr_size(out) == 0)) return t;
  t.dtype = (uint8_t)result->dtype;
  t.ndim = (uint8_t)result->ndim;
  for (int i = 0; i < result->ndim; i++) t.shape[i] = result->shape[i];
  bool strided = false;
  for (int i = 0; i < result->ndim && !tsr_is_empty(out); i++) strided = strided || out->stride[i] != 0;
  if (!strided) tsr__strides_for(t.ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  return t;
}

/* Where the output is, once it has memory. */
static void place_output(tsr__product *p, void *data) {
  if (p->c.data == p->out.data && p->c.data != NULL && p->beta != 0) p->c.data = data;
  p->out.data = data;
}

/* c is what out holds, or a tensor in the same place: then the sums can begin with it. */
static bool is_same_place(const tsr__product *p, const tsr__mat *c, const tsr__mat *out) {
  if (c->data != out->data || c->dtype != out->dtype || (c->row != out->row && p->m > 1) ||
      (c->col != out->col && p->n > 1))
    return false;
  for (int i = 0; i < p->axes; i++)
    if (c->batch[i] != out->batch[i] && p->length[i] > 1) return false;
  return true;
}

static tsr_status bind_c(tsr_ctx *ctx, const char *op, const tsr__gemm_call *call, const tsr_tensor *out, tsr__product *p) {
  if (p->beta != 0 && call->attrs->c == NULL) {
    if (tsr_is_empty(out) || (out->data == NULL && tsr_size(out) != 0))
      return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "has no data, and beta asks for what it holds");
    p->c = p->out;
  }
  const bool same = p->c.data != NULL && is_same_place(p, &p->c, &p->out);
  p->adds = TSR_HAVE_MALLOC && same && p->alpha == 1 && p->beta == 1 && p->out.dtype == p->sum;
  if (p->adds) p->c = (tsr__mat){0};
  p->finishes = p->alpha != 1 || p->c.data != NULL || p->bias.data != NULL || p->activation.row != NULL;
  p->in_place = p->out.dtype == p->sum && !(p->c.data != NULL && same);
  return TSR_OK;
}

/* ---- inputs that the output overlaps ---- */

enum { A, B, BIAS, C, INPUTS };

static void list_inputs(const tsr__gemm_call *call, const tsr_tensor **in) {
  in[A] = call->a;
  in[B] = call->packed == NULL ? call->b : NULL;
  in[BIAS] = call->attrs->bias;
  in[C] = call->attrs->beta != 0 ? call->attrs->c : NULL;
}

static bool must_copy(const tsr_tensor *const *in, int which, const tsr_tensor *out) {
  const tsr_tensor *const t = in[which];
  if (t == NULL || out->data == NULL || t->data == NULL || !tsr__overlap(t, out)) return false;
  return !(which == C && tsr__same_view(t, out));
}

typedef struct copies {
  tsr__scratch scratch[INPUTS];
  tsr_tensor tensor[INPUTS];
  tsr_gemm_attrs attrs;
} copies;

/* Puts copies in the call, which is then checked again: nothing in it can be wrong. */
static tsr_status copy_inputs(tsr_ctx *ctx, const char *op, tsr__gemm_call *call, const tsr_tensor *out, copies *made,
                              tsr__product *p) {
  const tsr_tensor *in[INPUTS];
  bool any = false;
  list_inputs(call, in);
  for (int i = 0; i < INPUTS; i++) {
    if (!must_copy(in, i, out)) continue;
    const tsr_status st = tsr__copy_to_scratch(ctx, op, in[i], &made->scratch[i], &made->tensor[i]);
    if (st != TSR_OK) return st;
    in[i] = &made->tensor[i];
    any = true;
  }
  if (!any) return TSR_OK;
  made->attrs = *call->attrs;
  made->attrs.bias = in[BIAS];
  if (in[C] != NULL) made->attrs.c = in[C];
  call->a = in[A];
  if (in[B] != NULL) call->b = in[B];
  call->attrs = &made->attrs;
  return tsr__product_check(ctx, op, call, p);
}

static tsr_status bind_rest(tsr_ctx *ctx, const char *op, const tsr__gemm_call *call, const tsr_tensor *out,
                            tsr__product *p) {
  const tsr_tensor given = foreseen(&call->result, out);
  bind_output(&given, call, p);
  return bind_c(ctx, op, call, out, p);
}

tsr_status tsr__product_call(tsr_ctx *ctx, const char *op, tsr__gemm_call *call, tsr_tensor *out) {
  tsr__product p;
  copies made;
  tsr__scratch work = {0};
  for (int i = 0; i < INPUTS; i++) made.scratch[i] = (tsr__scratch){0};
  tsr_status st = tsr__product_check(ctx, op, call, &p);
  if (st == TSR_OK) st = tsr__output_check(ctx, op, &call->result, out);
  if (st == TSR_OK) st = copy_inputs(ctx, op, call, out, &made, &p);
  if (st == TSR_OK) st = bind_rest(ctx, op, call, out, &p);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, tsr__product_scratch(&p), &work);
  if (st == TSR_OK) st = tsr__output(ctx, op, &call->result, out);
  if (st == TSR_OK && tsr_size(out) != 0) {
    place_output(&p, out->data);
    tsr__product_run(&p, work.data);
  }
  tsr__scratch_put(&work);
  for (int i = INPUTS - 1; i >= 0; i--) tsr__scratch_put(&made.scratch[i]);
  return st;
}

tsr_status tsr__product_workspace(tsr_ctx *ctx, const char *op, tsr__gemm_call *call, const tsr_tensor *out, size_t *bytes) {
  static const tsr_tensor none = {0};
  const tsr_tensor *in[INPUTS];
  tsr__product p;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  if (out == NULL) out = &none;
  tsr_status st = tsr__product_check(ctx, op, call, &p);
  if (st == TSR_OK && !tsr_is_empty(out)) st = tsr__output_check(ctx, op, &call->result, out);
  if (st == TSR_OK) st = bind_rest(ctx, op, call, out, &p);
  if (st != TSR_OK) return st;
  size_t total = tsr__product_scratch(&p);
  if (total != 0) total = tsr__align_up(total, TSR_DATA_ALIGN) + TSR_DATA_ALIGN - 1;
  list_inputs(call, in);
  for (int i = 0; i < INPUTS; i++)
    if (must_copy(in, i, out)) total += tsr__align_up(tsr_nbytes(in[i]), TSR_DATA_ALIGN) + TSR_DATA_ALIGN - 1;
  *bytes = total;
  return TSR_OK;
}
