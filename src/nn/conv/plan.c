/* What a call needs besides its arguments: which copies, and how much scratch. */
#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"

#if TSR__CONV_FAST

/* Copies of x and out at a time; more images than fit are done one after another. */
enum { STAGE_BYTES = 8 << 20 };

/* *bytes = the product of four lengths in f32, rounded up to where tensors begin. */
static bool bytes_of(tsr_index n, tsr_index c, tsr_index h, tsr_index w, size_t *bytes) {
  const tsr_index shape[4] = {n, c, h, w};
  *bytes = sizeof(float);
  for (int k = 0; k < 4; k++)
    if (!tsr__mul_size(*bytes, (size_t)shape[k], bytes)) return false;
  if (*bytes > SIZE_MAX / 2) return false;
  *bytes = tsr__align_up(*bytes, TSR_DATA_ALIGN);
  return true;
}

static bool plan_room(const tsr__conv *c, tsr__conv_plan *plan) {
  if (!c->algorithm->room(c, plan) || plan->shared > SIZE_MAX / 4 || plan->each > SIZE_MAX / 4) return false;
  plan->shared = tsr__align_up(plan->shared, TSR_DATA_ALIGN);
  plan->each = tsr__align_up(plan->each, TSR_DATA_ALIGN);
  return true;
}

/* Which copies there are: those that every algorithm needs, and those that this one does. */
static void plan_stages(const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out, tsr__conv_plan *plan) {
  tsr_index xs[4], os[4];
  tsr__conv_strides(x, c->last, xs);
  tsr__conv_strides(out, c->last, os);
  const bool unit = c->last ? tsr__conv_is_unit(c->o, os[1]) : tsr__conv_is_unit(c->ow, os[3]);
  plan->stage_x = c->dtype != TSR_F32;
  plan->stage_out = c->dtype != TSR_F32 || !unit;
  plan->copy = (tsr__conv_copy){c->c, c->ph, c->pw, c->last, c->top, c->left, 1};
  c->algorithm->stage(c, xs, os, plan);
}

/* Copies of x and of the output, and how many images of them at a time. */
static bool plan_copies(const tsr__conv *c, tsr__conv_plan *plan) {
  const tsr__conv_copy *const x = &plan->copy;
  size_t x_one, out_one;
  if (!bytes_of(1, x->c, x->h, x->w, &x_one) || !bytes_of(1, c->o, c->oh, c->ow, &out_one)) return false;
  const size_t one = (plan->stage_x ? x_one : 0) + (plan->stage_out ? out_one : 0);
  const size_t fit = one > 0 ? STAGE_BYTES / one : 0;
  plan->images = one == 0 || (tsr_index)fit >= c->n ? c->n : fit > 0 ? (tsr_index)fit : 1;
  return (!plan->stage_x || bytes_of(plan->images, x->c, x->h, x->w, &plan->x)) &&
         (!plan->stage_out || bytes_of(plan->images, c->o, c->oh, c->ow, &plan->out));
}

static bool plan_filters(const tsr__conv *c, tsr__conv_plan *plan) {
  return c->packed || (tsr__conv_panels_of(c, &plan->size) && bytes_of(c->o, c->i, c->kh, c->kw, &plan->filters) &&
                       bytes_of((tsr_index)plan->size.count, 1, 1, 1, &plan->panels));
}

tsr_status tsr__conv_plan_init(tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out,
                               tsr__conv_plan *plan) {
  *plan = (tsr__conv_plan){.workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1};
  plan_stages(c, x, out, plan);
  bool fits = plan_copies(c, plan) && plan_filters(c, plan) && plan_room(c, plan) &&
              tsr__mul_size(plan->each, (size_t)plan->workers, &plan->total);
  const size_t parts[5] = {plan->panels, plan->filters, plan->x, plan->out, plan->shared};
  for (int k = 0; k < 5 && fits; k++) fits = tsr__add_size(plan->total, parts[k], &plan->total);
  if (fits) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERFLOW, c->op, "x", "%t: the copies that the call needs do not fit the address space",
                   x);
}

#endif
