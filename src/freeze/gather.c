/* From the plans of prepared calls to constants. */
#include "freeze/freeze.h"

#if TSR_HAVE_OPS

#include "fuse/group.h"
#include "nn/quant/element/channels.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "nn/quant/plain/plain.h"
#include "nn/quant/plain/pools.h"

#include <string.h>

static tsr_status refuse(const tsr__call *call, const char *why) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "cannot be frozen: %s", why);
}

static bool narrow(int64_t value, int32_t *to) {
  *to = (int32_t)value;
  return *to == value;
}

/* Where an operand's bytes at an address are: operand k of the call, inputs first. */
static tsr_status place(const tsr__freezing *f, const tsr__call *call, int k, const void *address,
                        tsr_frozen_place *to) {
  const tsr_work *const work = f->node->work;
  const tsr__operand_ref ref = f->p->refs[f->node->operands + (size_t)k];
  const tsr_tensor *const t = k < work->inputs ? work->in[k] : work->out[k - work->inputs];
  if (ref.value < 0) return refuse(call, "an operand is no value of the program");
  const size_t offset = ref.offset + (size_t)((uintptr_t)address - (uintptr_t)t->data);
  if (offset > INT32_MAX) return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "has a tensor of 2^31 bytes");
  *to = (tsr_frozen_place){(uint32_t)ref.value, (uint32_t)offset};
  return TSR_OK;
}

static tsr_status check_narrow(const tsr__call *call, bool fits) {
  return fits ? TSR_OK : TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "has a length or stride of 2^31");
}

/* ---- layers ---- */

static bool set_steps(const ptrdiff_t *from, int count, int32_t *to) {
  bool fits = true;
  for (int i = 0; i < count; i++) fits = narrow(from[i], &to[i]) && fits;
  return fits;
}

static bool set_pair(tsr_index a, tsr_index b, int32_t *to) {
  const bool fits = narrow(a, &to[0]);
  return narrow(b, &to[1]) && fits;
}

static bool set_shapes(const tsr__q_run *q, tsr_frozen_layer *l) {
  const tsr__conv *const c = &q->c;
  bool fits = set_pair(c->n, c->c, l->x_shape) && set_pair(c->h, c->w, l->x_shape + 2);
  fits = fits && set_pair(c->o, c->i, l->filters) && set_pair(c->kh, c->kw, l->filters + 2);
  fits = fits && set_pair(c->oh, c->ow, l->out_shape) && set_pair(c->ph, c->pw, l->read);
  fits = fits && set_pair(c->sh, c->sw, l->stride) && set_pair(c->dh, c->dw, l->dilation);
  fits = fits && set_pair(c->top, c->left, l->before) && narrow(c->groups, &l->groups);
  return fits && set_steps(q->xs, 4, l->x_step) && set_steps(q->os, 4, l->out_step);
}

static tsr_status keep_layer(tsr__freezing *f, const tsr__call *call, const tsr__q_run *q) {
  enum { FEW_ROWS = 2 };
  const tsr_tensor *const w = &q->layer->w;
  if ((w->dtype != TSR_I8 && w->dtype != TSR_U8) || tsr_size(w) != q->c.o * q->c.i * q->c.kh * q->c.kw)
    return refuse(call, "its weights are no bytes");
  tsr_frozen_layer *const l = &f->call->as.of_layer;
  const size_t scratch = tsr__q_plain_scratch_anywhere(q);
  *l = (tsr_frozen_layer){.scratch_bytes = (uint32_t)scratch,
                          .x_zero = q->layer->x_zero,
                          .out_zero = q->layer->out_zero,
                          .low = q->layer->low,
                          .high = q->layer->high,
                          .x_dtype = q->layer->x_dtype,
                          .out_dtype = q->layer->out_dtype,
                          .high_shifts = q->high,
                          .short_ends = q->short_ends,
                          .asymmetric = q->asymmetric};
  f->call->kind = TSR__FROZEN_LAYER;
  f->call->layer = q->layer;
  f->report.weights += tsr__q_weight_bytes(TSR__Q_KERNEL_PLAIN, 0,
                                           &(tsr__q_filters){.o = q->c.o, .i = q->c.i, .kh = q->c.kh, .kw = q->c.kw}) +
                       (size_t)q->c.o * TSR__Q_TABLE_ROWS * sizeof(int32_t);
  f->call->run = q->depthwise                                            ? "tsr_frozen_qdepthwise"
                 : strcmp(call->op, "qdense") == 0 && q->c.n <= FEW_ROWS ? "tsr_frozen_qdense"
                                                                         : "tsr_frozen_qconv2d";
  tsr_status st = check_narrow(call, set_shapes(q, l) && scratch <= INT32_MAX);
  if (st == TSR_OK) st = place(f, call, 0, q->x, &l->x);
  return st == TSR_OK ? place(f, call, call->inputs, q->out, &l->out) : st;
}

/* ---- pools ---- */

static bool set_axis(const tsr__pool_axis *a, int32_t *to) {
  const tsr_index numbers[] = {a->length, a->out, a->kernel, a->stride, a->dilation, a->before, a->after};
  bool fits = true;
  for (int i = 0; i < 7; i++) fits = narrow(numbers[i], &to[i]) && fits;
  return fits;
}

static tsr_status keep_pool(tsr__freezing *f, const tsr__call *call, const tsr__q_pool *k) {
  tsr_frozen_pool *const l = &f->call->as.of_pool;
  if (tsr_size(call->in[0]) == 0) return refuse(call, "x has no elements");
  *l = (tsr_frozen_pool){.zero = k->zero, .dtype = k->dtype, .max = k->max, .include_pad = k->p.include_pad};
  f->call->kind = TSR__FROZEN_POOL;
  f->call->run = k->max ? "tsr_frozen_qmax_pool" : "tsr_frozen_qavg_pool";
  const bool fits = narrow(k->images, &l->images) && narrow(k->channels, &l->channels) &&
                    set_axis(&k->p.row, l->axis[0]) && set_axis(&k->p.column, l->axis[1]) &&
                    set_steps(k->xs, TSR__IMAGE_AXES, l->x_step) && set_steps(k->os, TSR__IMAGE_AXES, l->out_step);
  tsr_status st = check_narrow(call, fits);
  if (st == TSR_OK) st = place(f, call, 0, k->x, &l->x);
  return st == TSR_OK ? place(f, call, call->inputs, k->out, &l->out) : st;
}

/* ---- sums ---- */

static bool has_layout_of(const tsr_tensor *a, const tsr_tensor *b) {
  if (!tsr_same_shape(a, b)) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->shape[i] > 1 && a->stride[i] != b->stride[i]) return false;
  return true;
}

static void set_ratios(const tsr__quant_row *row, tsr_frozen_sum *l) {
  l->ratio[0] = row->x_multiplier;
  l->ratio[1] = row->b_multiplier;
  l->ratio[2] = row->shift;
#if TSR__ROUND_TWICE
  const tsr__fixed twice[] = {row->x_ratio, row->b_ratio, row->out_ratio};
  for (int i = 0; i < 3; i++) {
    l->ratio_twice[2 * i] = twice[i].multiplier;
    l->ratio_twice[2 * i + 1] = twice[i].shift;
  }
#endif
}

static tsr_status keep_sum(tsr__freezing *f, const tsr__call *call) {
  const tsr_tensor *const a = call->in[0], *const b = call->in[1], *const out = call->out[0];
  tsr_frozen_sum *const l = &f->call->as.of_sum;
  tsr__quant_row row;
  tsr_status st = tsr__qadd_row_of(call, &row);
  if (st != TSR_OK) return st;
  if (!has_layout_of(a, b) || !has_layout_of(a, out) || !tsr_is_contiguous(a, TSR_MEMORY))
    return refuse(call, "its tensors are not contiguous and of one shape");
  *l = (tsr_frozen_sum){.zero = {row.x_zero, row.b_zero, row.out_zero}};
  l->dtype[0] = a->dtype;
  l->dtype[1] = b->dtype;
  l->dtype[2] = out->dtype;
  set_ratios(&row, l);
  f->call->kind = TSR__FROZEN_SUM;
  f->call->run = "tsr_frozen_qadd";
  st = check_narrow(call, narrow(tsr_size(out), &l->count));
  if (st == TSR_OK) st = place(f, call, 0, a->data, &l->a);
  if (st == TSR_OK) st = place(f, call, 1, b->data, &l->b);
  return st == TSR_OK ? place(f, call, 2, out->data, &l->out) : st;
}

/* ---- all calls ---- */

static tsr_status keep(tsr__call *call, tsr__planned_fn *run, const void *plan, size_t bytes) {
  tsr__freezing *const f = (tsr__freezing *)(void *)call->ctx->prepared;
  (void)bytes;
  if (run == tsr__q_run_all || run == tsr__q_run_dense) return keep_layer(f, call, plan);
  if (run == tsr__q_pool_run) return keep_pool(f, call, plan);
  if (call->info == &tsr__op_qadd) return keep_sum(f, call);
  return refuse(call, "it is none of the calls that are");
}

/* An operand as it was recorded, as if its memory were the host's. */
static tsr_tensor *borrow(const tsr_tensor *recorded, tsr_tensor *to) {
  if (recorded == NULL) return NULL;
  *to = *recorded;
  to->flags &= (uint8_t)~TSR_OWNS;
  to->storage = NULL;
  return to;
}

static tsr_status gather_call(tsr__freezing *f, tsr_ctx *preparing) {
  enum { MOST = 8 };
  const tsr_work *const work = f->node->work;
  tsr_tensor tensors[MOST], *out[MOST];
  const tsr_tensor *in[MOST];
  if (work->info == &tsr__op_fused)
    return TSR__FAIL(preparing, TSR_ESTATE, "freeze_write", "program",
                     "has calls that run as one: end it by tsr_program_end");
  if (work->inputs + work->outputs > MOST || (((const tsr__op_info *)work->info)->flags & TSR__OP_PREPARES) == 0)
    return TSR__FAIL(preparing, TSR_EUNSUPPORTED, work->op, NULL, "cannot be frozen: it is none of the calls that are");
  for (int k = 0; k < work->inputs; k++) in[k] = borrow(work->in[k], &tensors[k]);
  for (int k = 0; k < work->outputs; k++) out[k] = borrow(work->out[k], &tensors[work->inputs + k]);
  return tsr_work_run(preparing, work, in, out);
}

tsr_status tsr__freeze_gather(tsr__freezing *f) {
  static const struct tsr_prepared_table table = {keep, refuse};
  tsr_ctx *const ctx = tsr__ctx(f->ctx);
  tsr_ctx preparing = {.allocator = ctx->allocator, .isa = ctx->isa, .prepared = &f->prepared};
  tsr_status st = TSR_OK;
  f->prepared.table = &table;
  tsr__context_modes(&preparing);
  for (size_t i = 0; i < f->p->nodes.count && st == TSR_OK; i++) {
    f->node = tsr__program_node(f->p, i);
    if (!f->node->needed) continue;
    f->call = &f->calls[f->count];
    *f->call = (tsr__frozen_call){.node = (int32_t)i};
    st = gather_call(f, &preparing);
    if (f->call->kind != TSR__FROZEN_NONE) f->count++;
  }
  if (st != TSR_OK) ctx->error = preparing.error;
  return st;
}

#endif
