/* Layers whose weights have 4 bits: a few filters at a time become bytes, which the plain kernels read. */
#include "nn/quant/plain/nibbles.h"
#include "core/normalise.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "nn/quant/plain/plain.h"

enum { FILTERS = 16 }; /* at a time */

/* ---- how they are made ---- */

/* Runs of numbers that begin at a byte: filters, or of depthwise ones the taps. */
static tsr_index runs_of(const tsr__q_filters *f) { return f->depthwise ? f->kh * f->kw : f->o; }
static tsr_index length_of(const tsr__q_filters *f) { return f->depthwise ? f->o : f->i * f->kh * f->kw; }

static tsr_status plan_nibbles(tsr_ctx *ctx, tsr__q_packing *p) {
  const tsr__q_filters *const f = &p->f;
  p->kernel = TSR__Q_KERNEL_PLAIN;
  p->number = TSR__Q_KERNEL_NIBBLES;
  p->bytes = (size_t)runs_of(f) * tsr__q_nibbles_bytes(length_of(f));
  if (p->asymmetric)
    return TSR__FAIL(ctx, TSR_EARG, p->op, "scheme.w", "has zero points other than 0; weights of 4 bits have none");
  for (tsr_index o = 0; o < f->o; o++)
    for (tsr_index ky = 0; ky < f->kh; ky++)
      for (tsr_index kx = 0; kx < f->kw; kx++)
        for (tsr_index i = 0; i < f->i; i++) {
          const int32_t v = tsr__q_weight(p, o, i, ky, kx);
          if (v < -8 || v > 7)
            return TSR__FAIL(ctx, TSR_ERANGE, p->op, "w", "%t: filter %l has %l, which is none of -8 … 7", p->w,
                             (int64_t)o, (int64_t)v);
        }
  return TSR_OK;
}

static void put(uint8_t *run, tsr_index at, int32_t v) {
  uint8_t *const byte = run + at / 8 * 4 + at % 4;
  *byte = (uint8_t)(*byte | (unsigned)(v + 8) << (at % 8 >= 4 ? 4 : 0));
}

static tsr_status fill_nibbles(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table, void *panels) {
  const tsr__q_filters *const f = &p->f;
  const size_t next = tsr__q_nibbles_bytes(length_of(f));
  const tsr_status st = tsr__q_table(ctx, p, table);
  uint8_t *const to = panels;
  if (st != TSR_OK || to == NULL) return st;
  for (size_t i = 0; i < p->bytes; i++) to[i] = 0;
  for (tsr_index o = 0; o < f->o; o++)
    for (tsr_index ky = 0; ky < f->kh; ky++)
      for (tsr_index kx = 0; kx < f->kw; kx++)
        for (tsr_index i = 0; i < f->i; i++) {
          const tsr_index tap = ky * f->kw + kx;
          put(to + (size_t)(f->depthwise ? tap : o) * next, f->depthwise ? o : tap * f->i + i,
              tsr__q_weight(p, o, i, ky, kx));
        }
  return TSR_OK;
}

tsr_status tsr_qconv_i4_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_conv_options *options,
                             const tsr_qscheme *scheme, tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {.op = "qconv_i4_pack",
                      .w = w,
                      .bias = bias,
                      .options = options,
                      .scheme = scheme,
                      .plan = plan_nibbles,
                      .fill = fill_nibbles};
  return tsr__q_pack(ctx, &p, 4, layer);
}

tsr_status tsr_qdense_i4_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_qscheme *scheme,
                              tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {
      .op = "qdense_i4_pack", .w = w, .bias = bias, .scheme = scheme, .plan = plan_nibbles, .fill = fill_nibbles};
  return tsr__q_pack(ctx, &p, 2, layer);
}

/* ---- a call ---- */

static tsr_index most_of(const tsr__q_run *q) {
  const tsr_index filters = q->c.o / q->c.groups;
  return filters < FILTERS ? filters : FILTERS;
}

/* count filters of one group from first on. */
static tsr__q_run part_of(const tsr__q_run *q, tsr_index first, tsr_index count) {
  const tsr_index group = first / (q->c.o / q->c.groups);
  tsr__q_run part = *q;
  part.c.o = count;
  if (q->c.groups > 1) part.c.c = q->c.i; /* and groups no longer lie side by side */
  part.c.groups = 1;
  part.x += (ptrdiff_t)(group * q->c.i) * q->xs[1];
  part.out += (ptrdiff_t)first * q->os[1];
  for (int k = 0; k < TSR__Q_TABLE_ROWS; k++) part.table[k] += first;
  return part;
}

/* Room for bytes, before that of the plain kernels. */
static size_t room_of(const tsr__q_run *q) {
  const tsr_index numbers = q->depthwise ? q->c.kh * q->c.kw * q->c.o : most_of(q) * tsr__q_patch_length(q);
  return tsr__align_up((size_t)numbers + TSR__Q_NIBBLES_PAST, 8);
}

static size_t scratch_filters(const tsr_ctx *ctx, tsr__q_run *q) {
  tsr__q_run part = *q;
  part.c.o = most_of(q);
  const size_t plain = tsr__q_plain_scratch(ctx, &part), room = room_of(q);
  q->each = part.each;
  return plain > SIZE_MAX - room ? SIZE_MAX : plain + room;
}

static void run_filters(const tsr_ctx *ctx, const void *plan) {
  const tsr__q_run *const q = plan;
  const tsr_index filters = q->c.o / q->c.groups, most = most_of(q), k = tsr__q_patch_length(q);
  const size_t next = tsr__q_nibbles_bytes(k);
  int8_t *const room = (int8_t *)q->scratch;
  for (tsr_index first = 0, count; first < q->c.o; first += count) {
    const tsr_index left = filters - first % filters;
    count = left < most ? left : most;
    tsr__q_run part = part_of(q, first, count);
    for (tsr_index o = 0; o < count; o++)
      tsr__q_nibbles(k, q->w + (ptrdiff_t)((size_t)(first + o) * next), room + o * k);
    part.w = room;
    part.scratch = q->scratch + room_of(q);
    tsr__q_plain_filters(ctx, &part);
  }
}

static size_t scratch_conv(const tsr_ctx *ctx, tsr__q_run *q) {
  if (!q->depthwise) return scratch_filters(ctx, q);
  const size_t plain = tsr__q_plain_depthwise_scratch(q), room = room_of(q);
  return plain > SIZE_MAX - room ? SIZE_MAX : plain + room;
}

static void run_conv(const tsr_ctx *ctx, const void *plan) {
  const tsr__q_run *const q = plan;
  if (!q->depthwise) {
    run_filters(ctx, plan);
    return;
  }
  const tsr_index o = q->c.o, taps = q->c.kh * q->c.kw;
  int8_t *const room = (int8_t *)q->scratch;
  tsr__q_run part = *q;
  for (tsr_index k = 0; k < taps; k++)
    tsr__q_nibbles(o, q->w + (ptrdiff_t)((size_t)k * tsr__q_nibbles_bytes(o)), room + k * o);
  part.w = room;
  part.scratch = q->scratch + room_of(q);
  tsr__q_plain_depthwise(ctx, &part);
}

static tsr_status init(const tsr__call *call, int ndim, tsr__q_filters *f, tsr__q_run *run) {
  tsr_status st = tsr__q_own_init(call, ndim, TSR__Q_KERNEL_NIBBLES, f, run);
  if (st == TSR_OK) st = tsr__q_own_parts(call, f, 1, (size_t)runs_of(f) * tsr__q_nibbles_bytes(length_of(f)), run);
  if (st == TSR_OK) run->depthwise = f->depthwise;
  return st;
}

static tsr_status qconv2d_i4(tsr__call *call) {
  tsr__q_filters f;
  tsr__q_run run;
  const tsr_status st = init(call, 4, &f, &run);
  return st == TSR_OK ? tsr__q_conv_finish(call, &f, &run, scratch_conv, run_conv) : st;
}

TSR__OP_LIKE(qconv2d_i4, qconv2d, qconv2d_i4, TSR__OP_PREPARES)
tsr_status tsr_qconv2d_i4(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  return tsr__q_layer_call(ctx, &tsr__op_qconv2d_i4, x, layer, out);
}

static tsr_status qdense_i4(tsr__call *call) {
  tsr__q_filters f;
  tsr__q_run run;
  const tsr_status st = init(call, 2, &f, &run);
  return st == TSR_OK ? tsr__q_dense_finish(call, &f, &run, scratch_filters, run_filters) : st;
}

TSR__OP_LIKE(qdense_i4, qconv2d, qdense_i4, TSR__OP_PREPARES)
tsr_status tsr_qdense_i4(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  return tsr__q_layer_call(ctx, &tsr__op_qdense_i4, x, layer, out);
}
