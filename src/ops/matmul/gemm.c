/* The whole of a call: checks, memory, work. */
#include "ops/matmul/gemm.h"

#include "core/normalise.h"
#include "core/prepare.h"
#include "ops/copy/copy.h"

static void bind_output(const tsr__gemm *g, const tsr_tensor *out, tsr__product *p) {
  const ptrdiff_t item = tsr__item(out);
  int at = 0;
  p->out.data = out->data; /* all else of *p is 0 */
  p->out.dtype = out->dtype;
  for (; at < p->axes; at++) p->out.batch[at] = (ptrdiff_t)out->stride[at] * item;
  if (g->a->ndim > 1) p->out.row = (ptrdiff_t)out->stride[at++] * item;
  if (at < out->ndim) p->out.col = (ptrdiff_t)out->stride[at] * item;
  if (p->m == 1 && p->out.row == 0) p->out.row = p->out.col * (ptrdiff_t)p->n; /* not looked at, but plain */
  if (p->n == 1) p->out.col = item;
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

/* How the sums become the output. */
static void bind_end(const tsr__gemm *g, tsr__product *p) {
  if (p->beta != 0 && g->c == NULL) p->c = p->out;
  const bool same = p->c.data != NULL && is_same_place(p, &p->c, &p->out);
  p->adds = TSR_HAVE_MALLOC && same && p->alpha == 1 && p->beta == 1 && !tsr__product_is_scaled(p) &&
            p->out.dtype == tsr__product_dtype(p);
  if (p->adds) p->c.data = NULL;
  p->has_epilogue = p->alpha != 1 || p->c.data != NULL || p->bias.data != NULL || tsr__product_is_scaled(p) ||
                    p->activation.row != NULL;
  p->in_place = p->out.dtype == tsr__product_dtype(p) && !(p->c.data != NULL && same);
}

static void bind_all(const tsr__gemm *g, const tsr_tensor *out, tsr__product *p) {
  tsr__gemm_bind(g, p);
  bind_output(g, out, p);
  bind_end(g, p);
}

static bool has_data(const tsr_tensor *out) {
  return !tsr_is_none(out) && out->ndim <= TSR_MAX_DIMS && (out->data != NULL || tsr__has_no_elements(out));
}

static tsr_status check_accumulates(tsr_ctx *ctx, const char *op, const tsr__gemm *g, const tsr__product *p,
                                    const tsr_tensor *out) {
  if (p->beta == 0 || g->c != NULL || has_data(out)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "has no data, and beta asks for what it holds");
}

/* ---- inputs that the output overlaps ---- */

enum { A, B, BIAS, C, SCALE, INPUTS = TSR__PRODUCT_SCALES ? SCALE + 1 : SCALE };

/* Where *g has those that are read where they lie. */
static void list_inputs(tsr__gemm *g, const tsr__product *p, const tsr_tensor ***in) {
  static const tsr_tensor *none;
  in[A] = &g->a;
  in[B] = g->packed == NULL ? &g->b : &none;
  in[BIAS] = &g->bias;
#if TSR__PRODUCT_SCALES
  in[SCALE] = &g->scale;
#endif
  in[C] = p->beta != 0 ? &g->c : &none;
}

static bool must_copy(const tsr_tensor *t, bool is_c, const tsr_tensor *out) {
  if (t == NULL || out->data == NULL || t->data == NULL || !tsr__overlap(t, out)) return false;
  return !(is_c && tsr__same_view(t, out));
}

typedef struct copies {
  const tsr_tensor *of[INPUTS]; /* NULL: not copied */
  tsr_tensor tensor[INPUTS];
} copies;

/* Memory for copies, which take the inputs' places in *g. */
static tsr_status make_room(tsr__call *call, tsr__gemm *g, const tsr__product *p, copies *made) {
  const tsr_tensor **in[INPUTS];
  tsr_status st = TSR_OK;
  for (int i = 0; i < INPUTS; i++) made->of[i] = NULL;
  if (!tsr__call_was_given(call, 0)) return TSR_OK;
  list_inputs(g, p, in);
  for (int i = 0; i < INPUTS && st == TSR_OK; i++) {
    if (!must_copy(*in[i], i == C, call->out[0])) continue;
    st = tsr__call_copy_of(call, *in[i], &made->tensor[i]);
    made->of[i] = *in[i];
    *in[i] = &made->tensor[i];
  }
  return st;
}

/* A product that is ready to run. */
typedef struct ready {
  tsr__product p;
  void *scratch;
} ready;

static void run_ready(const tsr_ctx *ctx, const void *plan) {
  const ready *const r = plan;
#if TSR_HAVE_THREADS
  tsr__product p = r->p;
  p.ctx = (tsr_ctx *)(uintptr_t)ctx; /* another one may run it */
  tsr__product_run(&p, r->scratch);
#else
  (void)ctx;
  tsr__product_run(&r->p, r->scratch);
#endif
}

tsr_status tsr__gemm_call(tsr__call *call, tsr__gemm *g) {
  ready r; /* filled in by parts: that is felt in small calls */
  copies made;
  const char *odd = NULL;
  r.scratch = NULL;
  tsr_status st = tsr__gemm_check(call->ctx, call->op, g, &r.p);
  if (st == TSR_OK) st = tsr__call_output(call, 0, &g->result);
  if (st == TSR_OK) st = check_accumulates(call->ctx, call->op, g, &r.p, call->out[0]);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = make_room(call, g, &r.p, &made);
  if (st != TSR_OK) return st;
  bind_all(g, call->out[0], &r.p);
  st = tsr__call_scratch(call, tsr__product_scratch(&r.p), &r.scratch);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  for (int i = 0; i < INPUTS; i++) {
    if (made.of[i] == NULL) continue;
    tsr__move_no_alias(call->ctx, made.of[i], &made.tensor[i]);
    odd = "its output overlaps an input";
  }
  return tsr_size(call->out[0]) == 0 ? TSR_OK : tsr__call_finish(call, odd, run_ready, &r, sizeof r);
}
