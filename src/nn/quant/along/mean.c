/* Means of quantised numbers over any axes. Outputs whose elements lie side by side in x are done sixteen at a time, row by
 * row; all others one by one. */
#include "cpu/parallel.h"
#include "nn/lines.h"
#include "nn/quant/along/sums.h"
#include "nn/quant/ops.h"
#include "ops/move/target.h"

enum { CHANNELS = TSR__Q_SUM_CHANNELS, GRAIN = 1 << 15 };

/* Operand 0 of the kept indices is x, 1 the output; operand 0 of the others is x. */
typedef struct plan {
  tsr__lines kept, reduced;
  tsr_index beside; /* kept indices whose bytes lie side by side in x: those of the last axis; 0: not such */
  tsr_index rows;   /* of the last of the reduced axes */
  ptrdiff_t next;   /* from one of those to the next */
  tsr__fixed ratio;
  int32_t zeros; /* count times x's zero point */
  int32_t out_zero;
  uint8_t x_dtype, out_dtype;
} plan;

static inline void end_mean(const plan *p, int32_t sum, char *out) {
  const int32_t low = tsr__quant_low(p->out_dtype), high = tsr__quant_high(p->out_dtype);
  tsr__quant_store(p->out_dtype, out,
                   tsr__quant_clamp(tsr__fixed_apply(sum - p->zeros, p->ratio) + p->out_zero, low, high));
}

/* Bytes of u8 are added less 128. */
static inline int flip_of(const plan *p) { return p->x_dtype == TSR_U8 ? 0x80 : 0; }
static inline int32_t more_of(const plan *p) { return p->x_dtype == TSR_U8 ? (int32_t)(p->reduced.count * 128) : 0; }

static void run_beside(const plan *p, const char *x, int n, char *out) {
  int32_t sums[CHANNELS] = {0};
  const ptrdiff_t step = p->kept.step[1][p->kept.ndim - 1];
  for (tsr_index r = 0; r < p->reduced.count; r += p->rows)
    tsr__q_sum_rows(n, x + (tsr__lines_at(&p->reduced, 0, r) - p->reduced.base[0]), p->rows, p->next, flip_of(p), sums);
  for (int i = 0; i < n; i++, out += step) end_mean(p, sums[i] + more_of(p), out);
}

/* i16, or strides of any kind. */
static int32_t sum_any(const plan *p, const char *x) {
  int32_t sum = 0;
  if (p->x_dtype == TSR_I16)
    for (tsr_index i = 0; i < p->rows; i++, x += p->next) sum += *(const int16_t *)(const void *)x;
  else
    for (tsr_index i = 0; i < p->rows; i++, x += p->next) sum += (int8_t)(*x ^ flip_of(p));
  return sum;
}

static void run_one(const plan *p, const char *x, char *out) {
  int32_t sum = more_of(p);
  for (tsr_index r = 0; r < p->reduced.count; r += p->rows) {
    const char *const at = x + (tsr__lines_at(&p->reduced, 0, r) - p->reduced.base[0]);
    sum += p->next == 1 ? tsr__q_sum_run(p->rows, at, flip_of(p)) : sum_any(p, at);
  }
  end_mean(p, sum, out);
}

/* Kept indices, or rows of those that lie side by side. */
static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  const tsr_index each = p->beside > 0 ? p->beside : 1;
  (void)worker;
  for (tsr_index i = begin * each; i < end * each; i += each) {
    const char *const x = tsr__lines_at(&p->kept, 0, i);
    char *const out = tsr__lines_at(&p->kept, 1, i);
    if (p->beside == 0) {
      run_one(p, x, out);
      continue;
    }
    for (tsr_index c = 0; c < p->beside; c += CHANNELS)
      run_beside(p, x + c, (int)(p->beside - c < CHANNELS ? p->beside - c : CHANNELS),
                 out + (ptrdiff_t)c * p->kept.step[1][p->kept.ndim - 1]);
  }
}

static void run_all(const tsr_ctx *ctx, const void *of) {
  const plan *const p = of;
  const tsr_index each = p->beside > 0 ? p->beside : 1;
  tsr__parallel_for(ctx, p->kept.count / each, GRAIN / (each * p->reduced.count) + 1, run_tasks, (void *)(uintptr_t)p);
}

/* A ratio of scales over a count: TensorFlow Lite's way, which cuts, or up, so that halves are exact where scales are equal. */
static tsr__fixed divided(tsr__fixed f, tsr_index count) {
  int up = 0;
  while (up < 32 && f.shift + up < 62 && ((tsr_index)1 << up) <= count / 2) up++;
  uint64_t m = (uint64_t)f.multiplier << up;
  uint64_t rest = 0, q = 0;
  for (int bit = 62; bit >= 0; bit--) { /* bit by bit: 64-bit division takes 700 bytes of flash */
    rest = rest << 1 | (m >> bit & 1);
    q <<= 1;
    if (rest < (uint64_t)count) continue;
    rest -= (uint64_t)count;
    q |= 1;
  }
  if (!TSR__ROUND_TWICE && rest > 0) q++;
  return (tsr__fixed){(int32_t)q, f.shift + up};
}

static tsr_status check_mean(const tsr__call *call, const tsr__qmean_attrs *a, uint32_t *axes, plan *p) {
  const tsr_tensor *const x = call->in[0];
  tsr_ctx *const ctx = call->ctx;
  tsr_status st = tsr__quant_check_whole(ctx, call->op, "x_quant", a->x_quant, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, call->op, "out_quant", a->out_quant, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, call->op, "x", x, "x_quant", a->x_quant);
  if (st == TSR_OK) st = tsr__check_axes(ctx, call->op, x, a->axes_count, a->axes, axes);
  if (st == TSR_OK)
    st = tsr__fixed_check(ctx, call->op, "out_quant", a->x_quant->scale, 1, a->out_quant->scale, &p->ratio);
  if (st != TSR_OK) return st;
  const tsr_index most = (tsr_index)1 << (x->dtype == TSR_I16 ? 13 : 21); /* twice the sums fit 32 bits */
  tsr_index count = 1;
  for (int i = 0; i < x->ndim; i++)
    if ((*axes >> i & 1) != 0 && (!tsr__mul_index(count, x->shape[i], &count) || count > most))
      return TSR__FAIL(ctx, TSR_EUNSUPPORTED, call->op, "x", "is %t: a mean takes at most %l numbers", x,
                       (int64_t)most);
  if (count == 0) return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "x", "is %t: a mean of no elements has no result", x);
  p->ratio = divided(p->ratio, count);
  p->zeros = (int32_t)count * a->x_quant->zero;
  p->out_zero = a->out_quant->zero;
  p->x_dtype = x->dtype;
  p->out_dtype = a->out_quant->dtype;
  return TSR_OK;
}

/* The axes of x that are kept, or those that are not, in order. */
static tsr_tensor part_of(const tsr_tensor *x, uint32_t axes, bool reduced) {
  tsr_tensor t = *x;
  t.ndim = 0;
  for (int i = 0; i < x->ndim; i++)
    if ((axes >> i & 1) == (reduced ? 1u : 0u)) {
      t.shape[t.ndim] = x->shape[i];
      t.stride[t.ndim++] = x->stride[i];
    }
  return t;
}

/* Where x and the output lie; of the output's axes those that are kept. */
static void set_places(const tsr_tensor *x, const tsr_tensor *out, uint32_t axes, bool keepdims, plan *p) {
  const tsr_tensor kept = part_of(x, axes, false), reduced = part_of(x, axes, true);
  const tsr_tensor to = keepdims ? part_of(out, axes, false) : *out;
  tsr__lines_init(&p->kept, kept.ndim, kept.shape);
  tsr__lines_add(&p->kept, &kept, 0);
  tsr__lines_add(&p->kept, &to, 0);
  tsr__lines_merge(&p->kept);
  tsr__lines_init(&p->reduced, reduced.ndim, reduced.shape);
  tsr__lines_add(&p->reduced, &reduced, 0);
  tsr__lines_merge(&p->reduced);
  const int last = p->reduced.ndim - 1, inner = p->kept.ndim - 1;
  p->rows = p->reduced.length[last];
  p->next = p->reduced.step[0][last];
  p->beside = x->dtype != TSR_I16 && p->kept.step[0][inner] == 1 && p->next != 1 ? p->kept.length[inner] : 0;
}

static tsr_status qmean(tsr__call *call) {
  const tsr__qmean_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  plan p;
  uint32_t axes;
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  int ndim = 0;
  tsr_status st = check_mean(call, attrs, &axes, &p);
  if (st != TSR_OK) return st;
  for (int i = 0; i < x->ndim; i++)
    if ((axes >> i & 1) == 0 || attrs->keepdims) shape[ndim++] = (axes >> i & 1) == 0 ? x->shape[i] : 1;
  const tsr__result result = {p.out_dtype, TSR_PLAIN, ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  set_places(x, &target.view, axes, attrs->keepdims, &p);
  return tsr__target_finish(call, &target, run_all, &p, sizeof p);
}

TSR__OP(qmean, qmean, TSR__OP_PREPARES)
tsr_status tsr_qmean(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *x_quant, int naxes, const int *axes,
                     bool keepdims, const tsr_quant *out_quant, tsr_tensor *out) {
  return TSR__CALL(qmean, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .x_quant = x_quant, .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims, .out_quant = out_quant);
}
