/* What a call needs besides its arguments: which copies, and how much scratch. */
#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "nn/conv/depthwise.h"

/* Copies of x and out at a time; more images than fit are done one after another. */
enum { STAGE_BYTES = 8 << 20 };

/* *bytes = the product of four lengths and item, rounded up to where tensors begin. */
static bool bytes_of(const tsr_index *shape, size_t item, size_t *bytes) {
  *bytes = item;
  for (int k = 0; k < 4; k++)
    if (!tsr__mul_size(*bytes, (size_t)shape[k], bytes)) return false;
  if (*bytes > SIZE_MAX / 2) return false;
  *bytes = tsr__align_up(*bytes, TSR_DATA_ALIGN);
  return true;
}

#if TSR__CONV_FAST

static bool unit(tsr_index length, tsr_index stride) { return length <= 1 || stride == 1; }

/* Whether the kernel must have a copy of x: another dtype, channels or pixels apart, or zeros around it, which pixels
 * of many channels do without. */
static bool needs_copy(const tsr__conv *c, const tsr_index *xs) {
  const bool padded = c->top > 0 || c->left > 0 || c->ph > c->h || c->pw > c->w;
  if (c->dtype != TSR_F32 || c->kernel == TSR__CONV_WINOGRAD) return true;
  if (c->kernel == TSR__CONV_DEPTHWISE && c->last) return c->o != c->c || !unit(c->c, xs[1]) || xs[3] != c->c;
  if (c->kernel == TSR__CONV_DEPTHWISE) return !unit(c->w, xs[3]);
  if (c->last && !unit(c->c, xs[1])) return true;
  return c->last ? padded && c->i < TSR__CONV_SHORT : padded || !unit(c->w, xs[3]);
}

static bool takes_output(const tsr__conv *c, const tsr_index *os) {
  if (c->dtype != TSR_F32) return false;
  if (c->last) return unit(c->o, os[1]);
  return unit(c->ow, os[3]) && (c->kernel != TSR__CONV_IGEMM_NCHW || c->oh <= 1 || os[2] == c->ow);
}

static bool plan_room(const tsr__conv *c, tsr__conv_plan *plan) {
  const tsr__conv_tiles *const tiles = tsr__conv_tiles_of(c->isa);
  const size_t f = sizeof(float);
  size_t k = 0, taps = 0;
  if (!tsr__mul_size((size_t)c->kh, (size_t)c->kw, &taps) || !tsr__mul_size(taps, (size_t)c->i, &k)) return false;
  plan->shared = plan->each = 0;
  switch (c->kernel) {
    case TSR__CONV_IGEMM_NHWC:
      if (!tsr__mul_size(k > taps ? k : taps, sizeof(tsr_index) + f, &plan->shared)) return false; /* and zeros */
      if (!tsr__mul_size(taps, TSR__CONV_ROWS * sizeof(float *), &plan->each)) return false;
      break;
    case TSR__CONV_IGEMM_NCHW:
      if (!tsr__mul_size(k, sizeof(tsr_index), &plan->shared)) return false;
      if (!tsr__mul_size(k, (size_t)(tiles->lanes * tiles->vectors) * f, &plan->each)) return false;
      break;
    case TSR__CONV_WINOGRAD:
      if (!tsr__conv_plan_winograd(c, plan)) return false;
      break;
    case TSR__CONV_DEPTHWISE:
      if (c->last && !tsr__mul_size((size_t)c->o, TSR__DEPTHWISE_ZEROS * f, &plan->shared)) return false;
      break;
    default: break;
  }
  if (plan->shared > SIZE_MAX / 4 || plan->each > SIZE_MAX / 4) return false;
  plan->shared = tsr__align_up(plan->shared, TSR_DATA_ALIGN);
  plan->each = tsr__align_up(plan->each, TSR_DATA_ALIGN);
  return true;
}

/* The copy of x for one image: its rows and pixels, and its channels. */
static void copy_shape(const tsr__conv *c, tsr__conv_plan *plan) {
  const int lanes = tsr__conv_tiles_of(c->isa)->lanes;
  plan->copy_h = c->ph;
  plan->copy_w = c->pw;
  plan->copy_c = c->c;
  plan->copy_last = c->last;
  if (c->kernel == TSR__CONV_WINOGRAD) {
    plan->copy_h = tsr__conv_ceil(c->oh, 4) * 4 + 2;
    plan->copy_w = tsr__conv_ceil(c->ow, 4) * 4 + 2;
    plan->copy_c = tsr__conv_ceil(c->c, lanes) * lanes;
    plan->copy_last = true;
  } else if (c->kernel == TSR__CONV_DEPTHWISE) {
    plan->copy_h = c->h;
    plan->copy_w = c->w;
    plan->copy_c = c->last ? c->o : c->c;
  }
}

/* Copies of x and of the output, and how many images of them at a time. */
static bool plan_copies(const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out, tsr__conv_plan *plan) {
  tsr_index xs[4], os[4];
  size_t x_one, out_one;
  tsr__conv_strides(x, c->last, xs);
  plan->stage_x = needs_copy(c, xs);
  tsr__conv_strides(out, c->last, os);
  plan->stage_out = !takes_output(c, os);
  copy_shape(c, plan);
  const tsr_index in[4] = {1, plan->copy_c, plan->copy_h, plan->copy_w}, to[4] = {1, c->o, c->oh, c->ow};
  if (!bytes_of(in, sizeof(float), &x_one) || !bytes_of(to, sizeof(float), &out_one)) return false;
  const size_t one = (plan->stage_x ? x_one : 0) + (plan->stage_out ? out_one : 0);
  const size_t fit = one > 0 ? STAGE_BYTES / one : 0;
  plan->images = one == 0 || (tsr_index)fit >= c->n ? c->n : fit > 0 ? (tsr_index)fit : 1;
  const tsr_index all_in[4] = {plan->images, in[1], in[2], in[3]}, all_to[4] = {plan->images, to[1], to[2], to[3]};
  return (!plan->stage_x || bytes_of(all_in, sizeof(float), &plan->x)) &&
         (!plan->stage_out || bytes_of(all_to, sizeof(float), &plan->out));
}

static bool plan_filters(const tsr__conv *c, tsr__conv_plan *plan) {
  const tsr_index filter[4] = {c->o, c->i, c->kh, c->kw};
  if (!tsr__conv_panels_of(c, &plan->size) || !bytes_of(filter, sizeof(float), &plan->filters)) return false;
  return bytes_of((const tsr_index[4]){(tsr_index)plan->size.count, 1, 1, 1}, sizeof(float), &plan->panels);
}

#endif

/* Loops read and write where things lie; small floats as f32 copies. */
static bool plan_loops(const tsr__conv *c, tsr__conv_plan *plan) {
  const tsr_index shapes[4][4] = {
      {c->n, c->c, c->h, c->w}, {c->o, c->i, c->kh, c->kw}, {c->n, c->o, c->oh, c->ow}, {c->o, 1, 1, 1}};
  plan->images = c->n;
  plan->stage_x = plan->stage_out = c->compute != c->dtype;
  if (!plan->stage_x) return true;
  return bytes_of(shapes[0], sizeof(float), &plan->x) && bytes_of(shapes[1], sizeof(float), &plan->filters) &&
         bytes_of(shapes[2], sizeof(float), &plan->out) && bytes_of(shapes[3], sizeof(float), &plan->panels);
}

tsr_status tsr__conv_plan_init(tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out,
                               tsr__conv_plan *plan) {
  *plan = (tsr__conv_plan){.workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1};
  bool fits;
#if TSR__CONV_FAST
  if (c->kernel != TSR__CONV_LOOPS)
    fits = plan_copies(c, x, out, plan) && (c->packed || plan_filters(c, plan)) && plan_room(c, plan);
  else
#endif
    fits = plan_loops(c, plan);
  (void)x;
  (void)out;
  const size_t parts[6] = {plan->panels, plan->filters, plan->x, plan->out, plan->shared, 0};
  size_t workers = 0;
  fits = fits && tsr__mul_size(plan->each, (size_t)plan->workers, &workers);
  plan->total = workers;
  for (int k = 0; k < 6 && fits; k++) fits = tsr__add_size(plan->total, parts[k], &plan->total);
  if (fits) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, c->op, "x", "%t: the copies that the call needs do not fit the address space",
                   x);
}
