/* The part of an SVDF layer that has a memory: what a dense layer gives for each step goes to the end of its row, and the rows meet
 * weights in time. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "cpu/parallel.h"
#include "nn/quant/along/state.h"
#include "nn/quant/ops.h"
#include "nn/quant/quant.h"

enum { GRAIN = 1 << 14 };

/* Steps in bytes. */
typedef struct plan {
  tsr_index batch, features, times, units;
  const char *x, *w, *bias; /* bias NULL: none */
  char *state, *out;
  ptrdiff_t x_step[2], w_step[2], bias_step, state_step[3], out_step[2];
  tsr__fixed ratio;
  int32_t zero, low, high;
  uint8_t w_dtype, out_dtype;
} plan;

/* Moves n numbers on by one, the newest last, and adds up their products. */
#define ROW(type)                                                     \
  for (; n > 1; n--, state += step, w += w_step) {                    \
    const int16_t v = *(const int16_t *)(const void *)(state + step); \
    *(int16_t *)(void *)state = v;                                    \
    sum += (int64_t)(v * *(const type *)(const void *)w);             \
  }                                                                   \
  *(int16_t *)(void *)state = newest;                                 \
  return sum + (int64_t)(newest * *(const type *)(const void *)w);

static int64_t row_of_words(tsr_index n, char *state, ptrdiff_t step, const char *w, ptrdiff_t w_step, int16_t newest,
                            int64_t sum) {
  ROW(int16_t)
}
static int64_t row_of_bytes(tsr_index n, char *state, ptrdiff_t step, const char *w, ptrdiff_t w_step, int16_t newest,
                            int64_t sum) {
  ROW(int8_t)
}

#if defined(TSR__MVE)

/* Side by side: eight at a time. What is stored was loaded before, or lies past what is loaded next. */
static int64_t row_of_vectors(tsr_index n, int16_t *state, const char *w, bool bytes, int16_t newest, int64_t sum) {
  tsr_index left = n - 1;
  for (; left > 0; left -= 8, state += 8, w += bytes ? 8 : 16) {
    const mve_pred16_t some = vctp16q((uint32_t)left);
    const int16x8_t v = vldrhq_z_s16(state + 1, some);
    const int16x8_t f =
        bytes ? vldrbq_z_s16((const int8_t *)w, some) : vldrhq_z_s16((const int16_t *)(const void *)w, some);
    vstrhq_p_s16(state, v, some);
    sum = vmlaldavaq_s16(sum, v, f);
  }
  state += left;
  w += left * (bytes ? 1 : 2);
  *state = newest;
  return sum + newest * (bytes ? *(const int8_t *)w : *(const int16_t *)(const void *)w);
}

#endif

static int64_t row_of(const plan *p, char *state, const char *w, int16_t newest) {
  const ptrdiff_t step = p->state_step[2], w_step = p->w_step[1];
#if defined(TSR__MVE)
  if (step == 2 && w_step == tsr__quant_item(p->w_dtype))
    return row_of_vectors(p->times, (int16_t *)(void *)state, w, p->w_dtype == TSR_I8, newest, 0);
#endif
  return (p->w_dtype == TSR_I8 ? row_of_bytes : row_of_words)(p->times, state, step, w, w_step, newest, 0);
}

static void run_units(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  const tsr_index rank = p->features / p->units;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const ptrdiff_t b = (ptrdiff_t)(task / p->units), u = (ptrdiff_t)(task % p->units);
    int64_t sum = p->bias != NULL ? *(const int32_t *)(const void *)(p->bias + u * p->bias_step) : 0;
    for (ptrdiff_t f = u * (ptrdiff_t)rank; f < (u + 1) * (ptrdiff_t)rank; f++)
      sum += row_of(p, p->state + b * p->state_step[0] + f * p->state_step[1], p->w + f * p->w_step[0],
                    *(const int16_t *)(const void *)(p->x + b * p->x_step[0] + f * p->x_step[1]));
    const int32_t s = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    tsr__quant_store(p->out_dtype, p->out + b * p->out_step[0] + u * p->out_step[1],
                     tsr__quant_clamp(tsr__fixed_apply(s, p->ratio) + p->zero, p->low, p->high));
  }
}

static void run_all(const tsr_ctx *ctx, const void *of) {
  const plan *const p = of;
  tsr__parallel_for(ctx, p->batch * p->units, GRAIN / (p->times * (p->features / p->units)) + 1, run_units,
                    (void *)(uintptr_t)p);
}

static tsr_status check_quants(const tsr__call *call, const tsr__qsvdf_attrs *a, plan *p) {
  tsr_ctx *const ctx = call->ctx;
  const tsr_quant *const state = a->state_quant, *const w = a->w_quant, *const out = a->out_quant;
  tsr_status st = tsr__quant_check_whole(ctx, call->op, "state_quant", state, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, call->op, "w_quant", w, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, call->op, "out_quant", out, TSR__Q_SMALL);
  if (st != TSR_OK) return st;
  if (state->dtype != TSR_I16 || state->zero != 0 || w->dtype == TSR_U8 || w->zero != 0)
    return TSR__FAIL(
        ctx, TSR_EUNSUPPORTED, call->op, state->dtype != TSR_I16 || state->zero != 0 ? "state_quant" : "w_quant",
        "is not of i16%s with a zero point of 0", state->dtype != TSR_I16 || state->zero != 0 ? "" : " or i8");
  st = tsr__quant_check_dtype(ctx, call->op, "w", call->in[1], "w_quant", w);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, call->op, "x", call->in[0], "state_quant", state);
  if (st == TSR_OK) st = tsr__fixed_check(ctx, call->op, "out_quant", state->scale, w->scale, out->scale, &p->ratio);
  p->zero = out->zero;
  p->low = tsr__quant_low(out->dtype);
  p->high = tsr__quant_high(out->dtype);
  p->w_dtype = w->dtype;
  p->out_dtype = out->dtype;
  return st;
}

/* x [B,F], w [F,T], bias [U], state [B,F,T]. */
static tsr_status check_shapes(const tsr__call *call, const tsr_tensor *state, plan *p) {
  const tsr_tensor *const x = call->in[0], *const w = call->in[1], *const bias = call->in[2];
  tsr_ctx *const ctx = call->ctx;
  const int rank = ((const tsr__qsvdf_attrs *)call->attrs)->rank;
  if (x->ndim != 2 || w->ndim != 2 || w->shape[0] != x->shape[1] || w->shape[1] < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "w", "is %t, x is %t: [F,T] for [B,F]", w, x);
  if (state->dtype != TSR_I16) return TSR__FAIL(ctx, TSR_EDTYPE, call->op, "state", "is %t, not i16", state);
  if (state->ndim != 3 || state->shape[0] != x->shape[0] || state->shape[1] != w->shape[0] ||
      state->shape[2] != w->shape[1])
    return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "state", "is %t, x is %t and w is %t: [B,F,T]", state, x, w);
  if (rank < 1 || x->shape[1] % rank != 0)
    return TSR__FAIL(ctx, TSR_EARG, call->op, "rank", "is %d, which %l features do not divide by", rank,
                     (int64_t)x->shape[1]);
  p->batch = x->shape[0];
  p->features = x->shape[1];
  p->times = w->shape[1];
  p->units = x->shape[1] / rank;
  if (bias == NULL) return TSR_OK;
  if (bias->dtype != TSR_I32) return TSR__FAIL(ctx, TSR_EDTYPE, call->op, "bias", "is %t, not i32", bias);
  if (bias->ndim != 1 || bias->shape[0] != p->units)
    return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "bias", "is %t, there are %l units", bias, (int64_t)p->units);
  return TSR_OK;
}

static void set_steps(const tsr_tensor *t, ptrdiff_t *steps) {
  for (int i = 0; i < t->ndim; i++) steps[i] = (ptrdiff_t)t->stride[i] * (ptrdiff_t)tsr__quant_item(t->dtype);
}

static void set_places(const tsr__call *call, plan *p) {
  const tsr_tensor *const bias = call->in[2];
  p->x = call->in[0]->data;
  p->w = call->in[1]->data;
  p->bias = bias != NULL ? bias->data : NULL;
  p->bias_step = bias != NULL ? (ptrdiff_t)bias->stride[0] * 4 : 0;
  p->state = call->out[0]->data;
  p->out = call->out[1]->data;
  set_steps(call->in[0], p->x_step);
  set_steps(call->in[1], p->w_step);
  set_steps(call->out[0], p->state_step);
  set_steps(call->out[1], p->out_step);
}

static tsr_status qsvdf(tsr__call *call) {
  const tsr__qsvdf_attrs *const attrs = call->attrs;
  const tsr_tensor *const state = call->out[0];
  plan p;
  tsr_status st = tsr__call_check_state(call, "state", state);
  if (st != TSR_OK) return st;
  const tsr__result moved = {state->dtype, state->layout, state->ndim, state->shape, NULL};
  st = tsr__call_output(call, 0, &moved);
  if (st == TSR_OK) st = check_quants(call, attrs, &p);
  if (st == TSR_OK) st = check_shapes(call, state, &p);
  if (st != TSR_OK) return st;
  const tsr_index shape[2] = {p.batch, p.units};
  const tsr__result result = {p.out_dtype, TSR_PLAIN, 2, shape, NULL};
  st = tsr__call_output(call, 1, &result);
  if (st == TSR_OK) st = tsr__call_check_apart(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || p.batch == 0 || p.units == 0) return st;
  set_places(call, &p);
  return tsr__call_finish(call, NULL, run_all, &p, sizeof p);
}

TSR__OP(qsvdf, qsvdf, TSR__OP_PREPARES)
tsr_status tsr_qsvdf(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *state_quant, const tsr_tensor *w,
                     const tsr_quant *w_quant, const tsr_tensor *bias, int rank, const tsr_quant *out_quant,
                     tsr_tensor *state, tsr_tensor *out) {
  return TSR__CALL(qsvdf, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(state, out), .state_quant = state_quant,
                   .w_quant = w_quant, .rank = rank, .out_quant = out_quant);
}
