/* Quantised layers: convolutions of integers by tiles of sums (conv_tile.c), with the ends of layers. Their weights are brought into one order before,
 * since a layer that was packed on a host has them as the host's kernels read them. */
#include "cuda/engines/conv.h"

#include "cuda/engines/engines.h"
#include "nn/conv/conv.h"
#include "nn/quant/fast/panels.h"
#include "nn/quant/ops.h"
#include "nn/quant/run.h"

#include <string.h>

/* As in kernels/quant_weights.cuh. */
typedef struct weights_args {
  uint64_t from, zeros, to;
  int64_t all, outputs, channels, pixels, columns;
  int64_t kind, depthwise;
  int64_t taps, run, steps, lanes, vectors, panels;
} weights_args;

enum { X, W, TABLE, PANELS };

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/quant_weights.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_quant_weights"};
  const tsr_status st = text.failed ? TSR__FAIL(ctx, TSR_ENOMEM, "qconv2d", NULL, "no memory for the text of a kernel")
                                    : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* Weights as (outputs, taps, channels), in temporary memory. */
static tsr_status plan_weights(tsr__cuda *gpu, const tsr_work *work, const tsr_qlayer *layer, const tsr__q_filters *f,
                               tsr__cuda_view *to, tsr__cuda_plan *plan) {
  const int number = tsr__layout_kernel(layer->kernel), operand = work->in[PANELS] != NULL ? PANELS : W;
  const tsr_index shape[] = {f->o, f->kh * f->kw, f->i};
  const tsr__cuda_kernel *kernel;
  tsr__q_panels p = {.taps = 1, .run = 1};
  int isa = 0;
  tsr_status st = get_kernel(gpu, work->ctx, &kernel);
  if (st == TSR_OK && number != TSR__Q_KERNEL_PLAIN) st = tsr__isa_find(work->ctx, work->op, "layer", layer->isa, &isa);
  if (st != TSR_OK) return st;
  if (number != TSR__Q_KERNEL_PLAIN) tsr__q_panels_init((tsr__q_kernel)number, isa, f, &p);
  *to = tsr__cuda_temporary(plan, TSR_I16, 3, shape);
  const weights_args args = {.all = f->o * f->kh * f->kw * f->i,
                             .outputs = f->o,
                             .channels = f->i,
                             .pixels = f->kh * f->kw,
                             .columns = f->o / f->groups,
                             .kind = number,
                             .depthwise = f->depthwise,
                             .taps = p.taps,
                             .run = p.run,
                             .steps = p.steps,
                             .lanes = p.tiles != NULL ? (int64_t)p.tiles->lanes : 1,
                             .vectors = p.vectors,
                             .panels = p.panels};
  const int64_t blocks = tsr__cuda_conv_over(args.all, 256);
  if (args.all == 0) return TSR_OK;
  if (blocks > INT32_MAX) return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "w", "has more weights than a grid has");
  tsr__cuda_ref zeros = tsr__cuda_in(TABLE);
  zeros.offset = (ptrdiff_t)TSR__Q_W_ZERO * (ptrdiff_t)f->o * 4;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, 256, 0, &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(weights_args, from), tsr__cuda_in(operand));
  tsr__cuda_plan_address(plan, offsetof(weights_args, zeros), zeros);
  tsr__cuda_plan_address(plan, offsetof(weights_args, to), to->ref);
  return TSR_OK;
}

/* The rest: c has x, out and their axes. */
static tsr_status plan_layer(tsr__cuda *gpu, const tsr_work *work, const tsr_qlayer *layer, const tsr__q_filters *f,
                             tsr__cuda_conv *c, tsr__cuda_plan *plan) {
  tsr__cuda_finish finish;
  tsr_status st = plan_weights(gpu, work, layer, f, &c->w, plan);
  if (st != TSR_OK) return st;
  c->op = work->op;
  c->dtype = layer->x_dtype;
  c->compute = TSR_U32;
  c->quantised = true;
  c->outside = layer->x_zero, c->zero = layer->out_zero, c->low = layer->low, c->high = layer->high;
  c->biased = true;
  c->bias = tsr__cuda_input(work, TABLE);
  c->bias_step = 1;
  c->groups = f->groups;
  c->each = f->i, c->made = f->o / f->groups;
  c->w_channel = 1;
  c->w_filter = f->kh * f->kw * f->i;
  c->w_group = c->made * c->w_filter;
  c->axis[1].w = f->kw * f->i, c->axis[2].w = f->i;
  st = tsr__cuda_conv_finish(work->ctx, c, &finish);
  return st == TSR_OK ? tsr__cuda_conv_tiles(gpu, work->ctx, c, &finish, plan) : st;
}

tsr_status tsr__cuda_qconv2d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_qlayer *const layer = ((const tsr__qconv2d_attrs *)work->attrs)->layer;
  tsr__cuda_conv c = {.x = tsr__cuda_input(work, X), .out = tsr__cuda_output(work, 0)};
  tsr__q_filters f;
  tsr__conv in;
  tsr_index xs[4], os[4];
  (void)op;
  tsr_status st = tsr__q_filters_init(work->ctx, work->op, &layer->w, &layer->options, &f);
  const tsr_conv_packed filters = {.options = layer->options,
                                   .filter = {f.o, f.i, f.kh, f.kw},
                                   .dtype = work->in[X]->dtype,
                                   .rank = 4,
                                   .channels_last = work->in[X]->layout == TSR_NHWC};
  if (st == TSR_OK) st = tsr__conv_resolve_packed(work->ctx, work->op, work->in[X], &filters, &in);
  if (st != TSR_OK || tsr_size(work->out[0]) == 0) return st;
  st = tsr__cuda_unaliased(gpu, work->ctx, &c.out, &c.x, plan);
  tsr__conv_strides(&c.x.tensor, in.last, xs);
  tsr__conv_strides(&c.out.tensor, in.last, os);
  c.n = in.n;
  c.x_sample = xs[0], c.x_channel = xs[1];
  c.out_sample = os[0], c.out_filter = os[1];
  c.axis[0] = (tsr__cuda_conv_axis){.in = 1, .out = 1, .taps = 1, .step = 1, .tap = 1};
  c.axis[1] =
      (tsr__cuda_conv_axis){.in = in.h, .out = in.oh, .taps = in.kh, .base = -in.top, .step = in.sh, .tap = in.dh};
  c.axis[2] =
      (tsr__cuda_conv_axis){.in = in.w, .out = in.ow, .taps = in.kw, .base = -in.left, .step = in.sw, .tap = in.dw};
  for (int d = 1; d < 3; d++) c.axis[d].x = xs[d + 1], c.axis[d].o = os[d + 1];
  return st == TSR_OK ? plan_layer(gpu, work, layer, &f, &c, plan) : st;
}

/* Rows as a matrix; false: they do not lie evenly. */
static bool as_matrix(const tsr_tensor *t, int64_t *row, int64_t *column) {
  const int last = t->ndim - 1;
  int64_t length = 1;
  *column = t->stride[last];
  *row = 0;
  for (int d = last - 1; d >= 0; d--) {
    if (t->shape[d] == 1) continue;
    if (length == 1)
      *row = t->stride[d];
    else if (t->stride[d] != *row * length)
      return false;
    length *= t->shape[d];
  }
  return true;
}

tsr_status tsr__cuda_qdense(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr_qlayer *const layer = ((const tsr__qdense_attrs *)work->attrs)->layer;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_conv c = {.x = tsr__cuda_input(work, X), .out = out};
  tsr__q_filters f;
  (void)op;
  tsr_status st = tsr__q_filters_init(work->ctx, work->op, &layer->w, &layer->options, &f);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  st = tsr__cuda_unaliased(gpu, work->ctx, &out, &c.x, plan);
  if (st == TSR_OK && !as_matrix(&c.x.tensor, &c.x_sample, &c.x_channel)) {
    const tsr__cuda_view copy = tsr__cuda_temporary(plan, c.x.tensor.dtype, c.x.tensor.ndim, c.x.tensor.shape);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &c.x, &copy, plan);
    c.x = copy;
    (void)as_matrix(&c.x.tensor, &c.x_sample, &c.x_channel);
  }
  const bool even = as_matrix(&out.tensor, &c.out_sample, &c.out_filter);
  if (!even) {
    c.out = tsr__cuda_temporary(plan, out.tensor.dtype, out.tensor.ndim, out.tensor.shape);
    (void)as_matrix(&c.out.tensor, &c.out_sample, &c.out_filter);
  }
  c.n = 1;
  for (int d = 0; d + 1 < out.tensor.ndim; d++) c.n *= out.tensor.shape[d];
  for (int d = 0; d < 3; d++) c.axis[d] = (tsr__cuda_conv_axis){.in = 1, .out = 1, .taps = 1, .step = 1, .tap = 1};
  if (st == TSR_OK) st = plan_layer(gpu, work, layer, &f, &c, plan);
  return st == TSR_OK && !even ? tsr__cuda_plan_cast(gpu, work->ctx, &c.out, &out, plan) : st;
}
