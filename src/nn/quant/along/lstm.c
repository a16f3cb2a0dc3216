/* What follows the dense layers of a step of an LSTM: sigmoid and tanh of the gates, the new cell, the new output; by integers alone.
 *
 * With e = 2^-(|x| · log2(e)) in 16 bits behind the point: sigmoid of |x| is 2^31 / (2^16 + e), tanh of |x| / 2 is (2^16 - e) · 2^15 /
 * (2^16 + e), both in 2^-15 and to the nearest. */
#include "cpu/fast_when_small.h"

#include "cpu/parallel.h"
#include "nn/quant/along/exp2.h"
#include "nn/quant/along/state.h"
#include "nn/quant/ops.h"
#include "nn/quant/quant.h"

enum { GATES = 4, GATE_BITS = 12, GRAIN = 1 << 9 };
enum { IN, FORGET, CELL, OUT };

/* Steps in bytes. */
typedef struct plan {
  tsr_index batch, units;
  const char *x, *again; /* again NULL: none */
  char *cell, *out;
  ptrdiff_t x_step[2], again_step[2], cell_step[2], out_step[2];
  int cell_bits;
  tsr__fixed ratio;
  int32_t zero, low, high;
  uint8_t out_dtype;
} plan;

static inline int32_t size_of(int32_t x) { return x < 0 ? -x : x; }
static inline int32_t saturated(int32_t x) { return x < -32768 ? -32768 : x > 32767 ? 32767 : x; }

static int32_t sigmoid(const tsr__exp2 *e, int32_t x) {
  const uint32_t bottom = 0x10000u + (tsr__exp2_down(e, (uint32_t)size_of(x)) >> 15);
  const int32_t y = (int32_t)((0x80000000u + bottom / 2) / bottom);
  return saturated(x < 0 ? 32768 - y : y);
}

/* e: of twice x. */
static int32_t hyperbolic(const tsr__exp2 *e, int32_t x) {
  const uint32_t power = tsr__exp2_down(e, (uint32_t)size_of(x)) >> 15, bottom = 0x10000u + power;
  const int32_t y = (int32_t)((((0x10000u - power) << 15) + bottom / 2) / bottom);
  return saturated(x < 0 ? -y : y);
}

static inline int32_t number_at(const char *at) { return *(const int16_t *)(const void *)at; }

/* The places of a row's gates and of both layers that make them. */
typedef struct row {
  const char *x[GATES], *again[GATES];
  ptrdiff_t step, again_step;
} row;

static row row_of(const plan *p, ptrdiff_t b, ptrdiff_t u) {
  row r = {.step = p->x_step[1], .again_step = p->again_step[1]};
  for (int g = 0; g < GATES; g++) {
    const ptrdiff_t at = g * (ptrdiff_t)p->units + u;
    r.x[g] = p->x + b * p->x_step[0] + at * p->x_step[1];
    r.again[g] = p->again == NULL ? NULL : p->again + b * p->again_step[0] + at * p->again_step[1];
  }
  return r;
}

/* The next number of a gate: the sum of both layers' results. */
static inline int32_t next_of(row *r, int gate) {
  int32_t v = number_at(r->x[gate]);
  r->x[gate] += r->step;
  if (r->again[gate] == NULL) return v;
  v = saturated(v + number_at(r->again[gate]));
  r->again[gate] += r->again_step;
  return v;
}

static inline int32_t halved(int32_t x, int times) { return times == 0 ? x : (x + (1 << (times - 1))) >> times; }

/* n units of a row from u on. */
static void run_row(const plan *p, ptrdiff_t b, ptrdiff_t u, tsr_index n) {
  const tsr__exp2 once = tsr__exp2_of(23637), twice = tsr__exp2_of(47274);     /* log2(e) · 2^14, · 2^15 */
  const tsr__exp2 of_cell = tsr__exp2_of((uint32_t)193635250 >> p->cell_bits); /* 2 · log2(e) · 2^26 */
  const int less = 30 - p->cell_bits;
  row r = row_of(p, b, u);
  char *cell = p->cell + b * p->cell_step[0] + u * p->cell_step[1],
       *out = p->out + b * p->out_step[0] + u * p->out_step[1];
  for (; n > 0; n--, cell += p->cell_step[1], out += p->out_step[1]) {
    const int32_t kept = sigmoid(&once, next_of(&r, FORGET)) * number_at(cell);
    const int32_t more = sigmoid(&once, next_of(&r, IN)) * hyperbolic(&twice, next_of(&r, CELL));
    const int32_t c = saturated(halved(kept, 15) + halved(more, less));
    const int32_t y = sigmoid(&once, next_of(&r, OUT)) * hyperbolic(&of_cell, c);
    *(int16_t *)(void *)cell = (int16_t)c;
    tsr__quant_store(p->out_dtype, out, tsr__quant_clamp(tsr__fixed_apply(y, p->ratio) + p->zero, p->low, p->high));
  }
}

static void run_units(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  (void)worker;
  for (tsr_index task = begin, n; task < end; task += n) {
    const tsr_index u = task % p->units, left = p->units - u;
    n = end - task < left ? end - task : left;
    run_row(p, (ptrdiff_t)(task / p->units), (ptrdiff_t)u, n);
  }
}

static void run_all(const tsr_ctx *ctx, const void *of) {
  const plan *const p = of;
  tsr__parallel_for(ctx, p->batch * p->units, GRAIN, run_units, (void *)(uintptr_t)p);
}

static tsr_status check_gates(const tsr__call *call, const char *arg, const tsr_tensor *t, const plan *p) {
  if (t->dtype != TSR_I16) return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, arg, "is %t, not i16", t);
  if (t->ndim != 2 || t->shape[0] != p->batch || t->shape[1] / GATES != p->units || t->shape[1] % GATES != 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, arg, "is %t, there are %l rows of %l units: four gates each", t,
                     (int64_t)p->batch, (int64_t)p->units);
  return TSR_OK;
}

static tsr_status check_lstm(const tsr__call *call, const tsr__qlstm_attrs *a, const tsr_tensor *cell, plan *p) {
  tsr_ctx *const ctx = call->ctx;
  const tsr_quant *const out = a->out_quant;
  if (cell->dtype != TSR_I16) return TSR__FAIL(ctx, TSR_EDTYPE, call->op, "cell", "is %t, not i16", cell);
  if (cell->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "cell", "is %t: [B,H]", cell);
  if (a->cell_bits < 0 || a->cell_bits > 15)
    return TSR__FAIL(ctx, TSR_EARG, call->op, "cell_bits", "is %d; the cell has 0 to 15 bits behind the point",
                     a->cell_bits);
  p->batch = cell->shape[0];
  p->units = cell->shape[1];
  p->cell_bits = a->cell_bits;
  tsr_status st = check_gates(call, "gates", call->in[0], p);
  if (st == TSR_OK && call->in[1] != NULL) st = check_gates(call, "recurrent", call->in[1], p);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, call->op, "out_quant", out, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__fixed_check(ctx, call->op, "out_quant", 0x1p-30f, 1, out->scale, &p->ratio);
  if (st != TSR_OK) return st;
  p->zero = out->zero;
  p->low = tsr__quant_low(out->dtype);
  p->high = tsr__quant_high(out->dtype);
  p->out_dtype = out->dtype;
  return TSR_OK;
}

static void set_steps(const tsr_tensor *t, ptrdiff_t *steps) {
  for (int i = 0; i < 2; i++) steps[i] = (ptrdiff_t)t->stride[i] * tsr__quant_item(t->dtype);
}

static void set_places(const tsr__call *call, plan *p) {
  const tsr_tensor *const again = call->in[1];
  p->x = call->in[0]->data;
  p->again = again != NULL ? again->data : NULL;
  p->cell = call->out[0]->data;
  p->out = call->out[1]->data;
  set_steps(call->in[0], p->x_step);
  if (again != NULL) set_steps(again, p->again_step);
  set_steps(call->out[0], p->cell_step);
  set_steps(call->out[1], p->out_step);
}

static tsr_status qlstm(tsr__call *call) {
  const tsr_tensor *const cell = call->out[0];
  plan p;
  tsr_status st = tsr__call_check_state(call, "cell", cell);
  if (st != TSR_OK) return st;
  const tsr__result moved = {cell->dtype, cell->layout, cell->ndim, cell->shape, NULL};
  st = tsr__call_output(call, 0, &moved);
  if (st == TSR_OK) st = check_lstm(call, call->attrs, cell, &p);
  if (st != TSR_OK) return st;
  const tsr__result result = {p.out_dtype, TSR_PLAIN, 2, cell->shape, NULL};
  st = tsr__call_output(call, 1, &result);
  if (st == TSR_OK) st = tsr__call_check_apart(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || p.batch == 0 || p.units == 0) return st;
  set_places(call, &p);
  return tsr__call_finish(call, NULL, run_all, &p, sizeof p);
}

TSR__OP(qlstm, qlstm, TSR__OP_PREPARES)
tsr_status tsr_qlstm(tsr_ctx *ctx, const tsr_tensor *gates, const tsr_tensor *recurrent, int cell_bits,
                     const tsr_quant *out_quant, tsr_tensor *cell, tsr_tensor *out) {
  return TSR__CALL(qlstm, ctx, TSR__INPUTS(gates, recurrent), TSR__OUTPUTS(cell, out), .cell_bits = cell_bits,
                   .out_quant = out_quant);
}
