/* Convolutions: what a call means as products, and who does them. */
#include "cuda/engines/conv.h"

#include "cuda/engines/engines.h"
#include "cuda/engines/product.h"
#include "nn/conv/direct.h"
#include "nn/conv/ops.h"

#include "nn/conv/conv.h"
#include "ops/activation/activation.h"

#include <string.h>

/* ---- products of matrices ---- */

/* Filters of one tap that meet every element, one group, and an output whose positions run on: cuBLASLt takes it, if anybody does. */
static bool is_product(const tsr__cuda_conv *c) {
  int64_t x = 0, o = 0, length = 1;
  if (c->exact || c->groups != 1 || c->each == 0 || tsr_dtype_describe(c->dtype)->class_ != TSR_CLASS_FLOAT)
    return false;
  if (tsr_dtype_size(c->dtype) == 1) return false;
  for (int d = 2; d >= 0; d--) {
    const tsr__cuda_conv_axis *const a = &c->axis[d];
    if (a->taps != 1 || a->step != 1 || a->base != 0 || a->out != a->in) return false;
    if (a->out == 1) continue;
    if (length == 1)
      x = a->x, o = a->o;
    else if (a->x != x * length || a->o != o * length)
      return false;
    length *= a->out;
  }
  return true;
}

static int64_t unit_step(const tsr__cuda_conv *c, bool of_x) {
  for (int d = 2; d >= 0; d--)
    if (c->axis[d].out > 1) return of_x ? c->axis[d].x : c->axis[d].o;
  return 1;
}

static tsr__cuda_matrix matrix(const tsr__cuda_view *v, int64_t row, int64_t col, int64_t batch) {
  return (tsr__cuda_matrix){.ref = v->ref,
                            .address = tsr__cuda_place_of(v),
                            .dtype = v->tensor.dtype,
                            .row = row,
                            .col = col,
                            .batch = {batch}};
}

/* Channels last: (positions, channels) by (channels, filters), with a bias. Channels first: filters by (channels, positions) of each sample;
 * what follows goes over the result once more. */
static tsr_status plan_product(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_conv *c, bool *done,
                               tsr__cuda_plan *plan) {
  const int64_t area = c->axis[0].out * c->axis[1].out * c->axis[2].out;
  const int64_t x_step = unit_step(c, true), o_step = unit_step(c, false);
  const bool last = c->out_filter == 1 && c->made > 1;
  tsr__cuda_product p = {
      .n = last ? c->made : area, .k = c->each, .m = last ? area * c->n : c->made, .axes = 1, .length = {1}};
  *done = false;
  if (last) {
    if ((area > 1 && o_step != c->made) ||
        (c->n > 1 && (c->out_sample != area * c->made || c->x_sample != area * x_step)))
      return TSR_OK;
    const int64_t row = area > 1 ? x_step : c->x_sample;
    p.a = matrix(&c->x, row, c->x_channel, 0);
    p.b = matrix(&c->w, c->w_channel, c->w_filter, 0);
  } else {
    if ((area > 1 && o_step != 1) || (c->made > 1 && c->out_filter != area) ||
        (c->n > 1 && c->out_sample != c->made * area))
      return TSR_OK;
    if (c->biased || c->activation.kind != NULL) return TSR_OK; /* tiles do what follows while they have the sums */
    p.length[0] = c->n;
    p.a = matrix(&c->w, c->w_filter, c->w_channel, 0);
    p.b = matrix(&c->x, c->x_channel, x_step, c->n > 1 ? c->x_sample : 0);
  }
  if (c->activation.kind != NULL) return TSR_OK;
  if (c->biased && ((c->made > 1 && c->bias_step != 1) || tsr__cuda_place_of(&c->bias) % 16 != 0)) return TSR_OK;
  return tsr__cuda_plan_blas(gpu, work->ctx, &p, &c->out, c->biased ? &c->bias : NULL, done, plan);
}

/* ---- the call ---- */

static tsr_status plan_conv(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_conv *c, tsr__cuda_plan *plan) {
  tsr__cuda_finish finish;
  bool done = false;
  tsr_status st = tsr__cuda_conv_finish(work->ctx, c, &finish);
  if (st == TSR_OK && is_product(c)) st = plan_product(gpu, work, c, &done, plan);
  if (st == TSR_OK && !done) st = tsr__cuda_conv_depthwise(gpu, work->ctx, c, &finish, &done, plan);
  if (st == TSR_OK && !done) st = tsr__cuda_conv_halves(gpu, work->ctx, c, &finish, &done, plan);
  if (st != TSR_OK || done) return st;
  return tsr__cuda_conv_tiles(gpu, work->ctx, c, &finish, plan);
}

static bool take_operands(const tsr_work *work, tsr__cuda_conv *c) {
  c->op = work->op;
  c->dtype = work->in[0]->dtype;
  c->biased = work->in[2] != NULL;
  c->x = tsr__cuda_input(work, 0);
  c->w = tsr__cuda_input(work, 1);
  c->out = tsr__cuda_output(work, 0);
  if (c->biased) c->bias = tsr__cuda_input(work, 2);
  if (c->biased) c->bias_step = c->bias.tensor.stride[0];
  return tsr_size(&c->out.tensor) > 0;
}

static tsr__cuda_conv_axis axis_of(int64_t in, int64_t out, int64_t taps, int64_t base, int64_t step, int64_t tap) {
  return (tsr__cuda_conv_axis){.in = in, .out = out, .taps = taps, .base = base, .step = step, .tap = tap};
}

/* Integers are summed as unsigned ones of 32 or 64 bits, which wrap. */
static int sum_dtype(int dtype) {
  const tsr_dtype_info *const d = tsr_dtype_describe(dtype);
  if (d->class_ == TSR_CLASS_FLOAT) return tsr__compute_of(dtype);
  return tsr_dtype_size(dtype) == 8 ? TSR_U64 : TSR_U32;
}

static tsr_status convolve(tsr__cuda *gpu, const tsr_work *work, int rank, const tsr_conv_options *options,
                           tsr__cuda_plan *plan) {
  tsr__conv in = {.op = work->op, .rank = rank};
  tsr_index xs[4], ws[4], os[4];
  const tsr_status st = tsr__conv_resolve(work->ctx, work->in[0], work->in[1], work->in[2], options, &in);
  tsr__cuda_conv c = {.n = in.n, .groups = in.groups, .each = in.i, .made = in.o / (in.groups > 0 ? in.groups : 1)};
  if (st != TSR_OK || !take_operands(work, &c)) return st;
  tsr__conv_strides(work->in[0], in.last, xs);
  tsr__conv_filter_strides(work->in[1], ws);
  tsr__conv_strides(work->out[0], in.last, os);
  c.compute = sum_dtype(c.dtype);
  c.activation = in.activation;
  c.x_sample = xs[0], c.x_channel = xs[1];
  c.w_filter = ws[0], c.w_channel = ws[1];
  c.w_group = c.made * c.w_filter;
  c.out_sample = os[0], c.out_filter = os[1];
  c.axis[0] = axis_of(1, 1, 1, 0, 1, 1);
  c.axis[1] = axis_of(in.h, in.oh, in.kh, -in.top, in.sh, in.dh);
  c.axis[2] = axis_of(in.w, in.ow, in.kw, -in.left, in.sw, in.dw);
  for (int d = 1; d < 3; d++) c.axis[d].x = xs[d + 1], c.axis[d].w = ws[d + 1], c.axis[d].o = os[d + 1];
  return plan_conv(gpu, work, &c, plan);
}

tsr_status tsr__cuda_conv1d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__conv1d_attrs *const attrs = work->attrs;
  (void)op;
  return convolve(gpu, work, 3, attrs->options, plan);
}
tsr_status tsr__cuda_conv2d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__conv2d_attrs *const attrs = work->attrs;
  (void)op;
  return convolve(gpu, work, 4, attrs->options, plan);
}

/* ---- the bits of plain loops: over three axes, and transposed ---- */

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Outputs rest, rest + stride, … of an axis of a transposed convolution. Output o meets x with tap k where o + before - k·dilation is a
 * multiple of the stride: with the first such tap and every so many after it, each time an element or more further down. Moves the
 * filters and the output to the first of each; false: there are none of these outputs. */
static bool cut_axis(const tsr__conv_direct_axis *from, int64_t rest, tsr__cuda_conv_axis *to, int64_t *w_moved,
                     int64_t *out_moved) {
  const int64_t stride = from->stride, dilation = from->dilation, divisor = common_divisor(stride, dilation);
  const int64_t every = stride / divisor;
  int64_t first = 0;
  while (first < every && (rest + from->before - first * dilation) % stride != 0) first++;
  to->in = from->in;
  to->out = from->out > rest ? (from->out - rest - 1) / stride + 1 : 0;
  to->taps = first < every && first < from->kernel ? (from->kernel - first - 1) / every + 1 : 0;
  to->base = first < every ? (rest + from->before - first * dilation) / stride : 0;
  to->step = 1;
  to->tap = -(dilation / divisor);
  *w_moved += first < every ? first * to->w : 0;
  *out_moved += rest * to->o;
  to->w *= every;
  to->o *= stride;
  return to->out > 0;
}

/* Views are moved by elements. */
static void move_view(tsr__cuda_view *v, int64_t elements) {
  const ptrdiff_t bytes = (ptrdiff_t)elements * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  v->ref.offset += bytes;
  if (v->tensor.data != NULL) v->tensor.data = (char *)v->tensor.data + bytes;
}

/* Each rest of each axis by its stride is a convolution of its own. */
static tsr_status plan_transposed(tsr__cuda *gpu, const tsr_work *work, const tsr__conv_direct *t,
                                  const tsr__cuda_conv *whole, tsr__cuda_plan *plan) {
  const int64_t *const all = (const int64_t[]){t->axis[0].stride, t->axis[1].stride, t->axis[2].stride};
  tsr_status st = TSR_OK;
  for (int64_t r = 0; r < all[0] * all[1] * all[2] && st == TSR_OK; r++) {
    const int64_t rest[3] = {r / all[2] / all[1], r / all[2] % all[1], r % all[2]};
    int64_t w_moved = 0, out_moved = 0;
    tsr__cuda_conv c = *whole;
    bool some = true;
    for (int d = 0; d < 3; d++) some = cut_axis(&t->axis[d], rest[d], &c.axis[d], &w_moved, &out_moved) && some;
    if (!some) continue;
    if (tsr__cuda_conv_taps(&c) == 0) { /* the bias alone */
      c.each = 0;
      for (int d = 0; d < 3; d++) c.axis[d].taps = 1;
      w_moved = 0;
    }
    move_view(&c.w, w_moved);
    move_view(&c.out, out_moved);
    st = plan_conv(gpu, work, &c, plan);
  }
  return st;
}

static int64_t elements_of(ptrdiff_t step, int dtype) { return (int64_t)(step / (ptrdiff_t)tsr_dtype_size(dtype)); }

/* Where x and out lie; t has been checked. The output may lie over what is read, which is copied then. */
static tsr_status take_direct(tsr__cuda *gpu, const tsr_work *work, const tsr__conv_direct *t, tsr__cuda_conv *c,
                              tsr__cuda_plan *plan) {
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES];
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &c->out, &c->x, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &c->out, &c->w, plan);
  if (st == TSR_OK && c->biased) st = tsr__cuda_unaliased(gpu, work->ctx, &c->out, &c->bias, plan);
  if (c->biased) c->bias_step = c->bias.tensor.stride[0];
  tsr__image_steps(&t->image, &c->x.tensor, xs);
  tsr__image_steps(&t->image, &c->out.tensor, os);
  const tsr_index *const ws = c->w.tensor.stride;
  c->x_sample = elements_of(xs[TSR__IMAGE_N], c->dtype), c->x_channel = elements_of(xs[TSR__IMAGE_C], c->dtype);
  c->out_sample = elements_of(os[TSR__IMAGE_N], c->dtype), c->out_filter = elements_of(os[TSR__IMAGE_C], c->dtype);
  c->w_filter = ws[t->transposed], c->w_channel = ws[!t->transposed];
  c->w_group = t->transposed ? c->each * c->w_channel : c->made * c->w_filter;
  for (int d = 0; d < 3; d++) {
    const int own = d - (3 - t->image.spatial);
    const tsr__conv_direct_axis *const a = &t->axis[d];
    c->axis[d] = axis_of(a->in, a->out, a->kernel, -a->before, a->stride, a->dilation);
    c->axis[d].x = elements_of(xs[TSR__IMAGE_D + d], c->dtype);
    c->axis[d].o = elements_of(os[TSR__IMAGE_D + d], c->dtype);
    c->axis[d].w = own >= 0 ? ws[2 + own] : 0;
  }
  return st;
}

static tsr_status convolve_direct(tsr__cuda *gpu, const tsr_work *work, int spatial, bool transposed,
                                  const tsr__conv_direct_attrs *attrs, tsr__cuda_plan *plan) {
  tsr__conv_direct t = {
      .op = work->op, .transposed = transposed, .x = work->in[0], .w = work->in[1], .bias = work->in[2]};
  tsr_status st = tsr__conv_direct_check(work->ctx, &t, spatial, attrs);
  tsr__cuda_conv c = {
      .exact = true, .n = t.image.shape[TSR__IMAGE_N], .groups = t.groups, .each = t.each, .made = t.made};
  if (st != TSR_OK || !take_operands(work, &c)) return st;
  c.compute = tsr__compute_of(c.dtype);
  st = take_direct(gpu, work, &t, &c, plan);
  if (st != TSR_OK) return st;
  return transposed ? plan_transposed(gpu, work, &t, &c, plan) : plan_conv(gpu, work, &c, plan);
}

tsr_status tsr__cuda_conv3d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  static const tsr_conv3d_options none = {.groups = 0};
  const tsr__conv3d_attrs *const given = work->attrs;
  const tsr_conv3d_options *const a = given->options != NULL ? given->options : &none;
  const tsr__conv_direct_attrs numbers = {a->stride, a->dilation, a->pad_before, a->pad_after, NULL, 3, a->groups};
  (void)op;
  return convolve_direct(gpu, work, 3, false, &numbers, plan);
}

static tsr_status transpose(tsr__cuda *gpu, const tsr_work *work, int spatial,
                            const tsr_conv_transpose_options *options, tsr__cuda_plan *plan) {
  static const tsr_conv_transpose_options none = {.groups = 0};
  const tsr_conv_transpose_options *const a = options != NULL ? options : &none;
  const tsr__conv_direct_attrs numbers = {a->stride,         a->dilation, a->pad_before, a->pad_after,
                                          a->output_padding, 2,           a->groups};
  return convolve_direct(gpu, work, spatial, true, &numbers, plan);
}
tsr_status tsr__cuda_conv_transpose1d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                      tsr__cuda_plan *plan) {
  const tsr__conv_transpose1d_attrs *const attrs = work->attrs;
  (void)op;
  return transpose(gpu, work, 1, attrs->options, plan);
}
tsr_status tsr__cuda_conv_transpose2d(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                      tsr__cuda_plan *plan) {
  const tsr__conv_transpose2d_attrs *const attrs = work->attrs;
  (void)op;
  return transpose(gpu, work, 2, attrs->options, plan);
}
