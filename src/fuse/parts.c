/* Whether a program can be run part by part along an axis of its output: which axis of which input the parts are of.
 *
 * The calls are gone through from the last to the first. What they want of a value is that it is there as a whole, or a part of it
 * along one axis, and all have to want the same. An elementwise call wants of its operands the part that it makes, or the whole
 * of those that repeat along it; a reduction and a softmax along another axis want the part that they make; all other calls want
 * their operands whole. */
#include "fuse/fuse.h"

#include "core/storage.h"

#include <string.h>

#if TSR_HAVE_OPS

enum { UNSEEN = -3, CONFLICT = -2, WHOLE = -1 }; /* else the axis */

/* A value: a tensor that is all of it, and what is wanted. */
typedef struct part_value {
  const tsr_tensor *all; /* NULL: it is written in pieces */
  int axis;
} part_value;

/* What a call told. */
typedef struct part_kind {
  tsr__listener base;
  bool elementwise, softmax, reduction;
  int along; /* of a softmax */
  uint32_t axes;
  bool keepdims;
} part_kind;

static void hear(tsr__listener *self, tsr__telling telling, const void *what) {
  part_kind *const k = (part_kind *)(void *)self;
  if (telling == TSR__TELLS_ELEMENTWISE || telling == TSR__TELLS_COPY) { /* reshapes that copy do not tell */
    k->elementwise = true;
  } else if (telling == TSR__TELLS_REDUCTION) {
    k->reduction = true;
    k->axes = ((const tsr__reduce *)what)->axes;
    k->keepdims = ((const tsr__reduce *)what)->keepdims;
  } else if (telling == TSR__TELLS_SOFTMAX) {
    k->softmax = true;
    k->along = ((const tsr__softmax_told *)what)->axis;
  }
}

static part_kind kind_of(const tsr_ctx *ctx, const tsr_work *work) {
  part_kind k = {.base = {hear}};
  tsr_ctx quiet = {.isa = ctx->isa};
  const tsr__op_info *const info = work->info;
  if ((info->flags & TSR__OP_TELLS) == 0 || work->outputs != 1) return k;
  if (tsr__work_ask(&quiet, work, &k.base) != TSR_OK) k = (part_kind){.base = {hear}};
  return k;
}

/* The axis of input 0 that axis `made` of a call's result is; WHOLE: none. */
static int axis_of_input(const part_kind *k, const tsr_tensor *in, const tsr_tensor *out, int made) {
  if (k->elementwise) {
    const int axis = made - (out->ndim - in->ndim);
    if (axis < 0 || in->shape[axis] == 1) return WHOLE;
    return in->shape[axis] == out->shape[made] ? axis : CONFLICT;
  }
  if (k->softmax) return (k->along < 0 ? k->along + in->ndim : k->along) == made ? CONFLICT : made;
  if (!k->reduction) return CONFLICT;
  if (k->keepdims) return (k->axes >> made & 1) != 0 ? CONFLICT : made;
  for (int axis = 0, left = made; axis < in->ndim; axis++)
    if ((k->axes >> axis & 1) == 0 && left-- == 0) return axis;
  return CONFLICT;
}

/* The next larger stride of a tensor than that of axis k; 0: there is none. */
static tsr_index stride_above(const tsr_tensor *all, int k) {
  tsr_index above = 0;
  for (int i = 0; i < all->ndim; i++)
    if (all->shape[i] > 1 && all->stride[i] > all->stride[k] && (above == 0 || all->stride[i] < above))
      above = all->stride[i];
  return above;
}

/* Whether a view that begins at index runs from the beginning of axis k on, and by no other of its axes along that. */
static bool runs_along(const tsr_tensor *all, int k, const tsr_tensor *view, int axis, tsr_index index) {
  const tsr_index step = all->stride[k], above = stride_above(all, k);
  tsr_index low = index % step, high = low; /* what the axes within k come to */
  if ((above > 0 ? index % above : index) / step != 0) return false;
  for (int i = 0; i < view->ndim; i++) {
    const tsr_index stride = view->stride[i], size = stride < 0 ? -stride : stride;
    if (i == axis || view->shape[i] < 2) continue;
    if (size >= step) {
      if (above == 0 || size % above != 0) return false;
    } else {
      *(stride < 0 ? &low : &high) += stride * (view->shape[i] - 1);
    }
  }
  return low >= 0 && high < step;
}

/* The axis of a value that an axis of a view of it is: all of that, from its beginning on. offset is in bytes. */
static int axis_of_value(const tsr_tensor *all, const tsr_tensor *view, int axis, size_t offset) {
  const size_t item = tsr__item_sizes[all->dtype];
  if (all->dtype != view->dtype || offset % item != 0) return CONFLICT;
  for (int k = 0; k < all->ndim; k++)
    if (all->shape[k] == view->shape[axis] && all->stride[k] == view->stride[axis] && all->stride[k] > 0)
      return runs_along(all, k, view, axis, (tsr_index)(offset / item)) ? k : CONFLICT;
  return CONFLICT;
}

static void want(part_value *value, int axis) {
  if (value->axis == UNSEEN)
    value->axis = axis;
  else if (value->axis != axis)
    value->axis = CONFLICT;
}

/* ---- the way through the program ---- */

typedef struct parts {
  tsr_ctx *ctx;
  const tsr_program *p;
  part_value *values;
} parts;

static const tsr_tensor *operand(const tsr_work *work, int k) {
  return k < work->inputs ? work->in[k] : work->out[k - work->inputs];
}

static tsr__operand_ref ref_of(const parts *x, const tsr__node *node, int k) {
  return x->p->refs[node->operands + (size_t)k];
}

/* A value is known by the one call that writes all of it, or as an input. */
static void find_values(const parts *x) {
  for (size_t i = 0; i < x->p->values.count; i++) x->values[i] = (part_value){NULL, UNSEEN};
  for (size_t i = 0; i < x->p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(x->p, i);
    for (int k = node->work->inputs; k < node->work->inputs + node->work->outputs && node->needed; k++) {
      const tsr__operand_ref ref = ref_of(x, node, k);
      const tsr_tensor *const t = operand(node->work, k);
      if (ref.value < 0 || t == NULL) continue;
      const bool whole = ref.offset == 0 && tsr_nbytes(t) == tsr__program_value(x->p, (size_t)ref.value)->bytes;
      part_value *const value = &x->values[ref.value];
      if (!whole || value->all != NULL) value->axis = CONFLICT;
      value->all = t;
    }
  }
  for (size_t i = 0; i < x->p->inputs.count; i++) {
    const tsr__port *const port = tsr__program_input(x->p, i);
    if (port->value < 0) continue;
    if (x->values[port->value].all != NULL) x->values[port->value].axis = CONFLICT; /* somebody writes it */
    x->values[port->value].all = &port->description;
  }
}

/* What a call wants of its operands, where all of its result is wanted, or a part along an axis. */
static bool want_operands(const parts *x, const tsr__node *node) {
  const tsr_work *const work = node->work;
  int made = WHOLE;
  for (int k = work->inputs; k < work->inputs + work->outputs; k++) {
    const int32_t value = ref_of(x, node, k).value;
    if (value >= 0 && x->values[value].axis == CONFLICT) return false;
    if (value >= 0 && x->values[value].axis >= 0) made = x->values[value].axis;
  }
  const part_kind kind = made != WHOLE ? kind_of(x->ctx, work) : (part_kind){0};
  if (made != WHOLE && !kind.elementwise && !kind.softmax && !kind.reduction) return false;
  for (int k = 0; k < work->inputs; k++) {
    const tsr__operand_ref ref = ref_of(x, node, k);
    const tsr_tensor *const in = work->in[k];
    if (in == NULL) continue;
    int axis = made != WHOLE ? axis_of_input(&kind, in, work->out[0], made) : WHOLE;
    if (ref.value < 0 && axis != WHOLE) return false; /* a constant is whole */
    if (ref.value < 0) continue;
    part_value *const value = &x->values[ref.value];
    if (axis >= 0) axis = value->all != NULL ? axis_of_value(value->all, in, axis, ref.offset) : CONFLICT;
    want(value, axis);
    if (value->axis == CONFLICT) return false;
  }
  return true;
}

static bool find_parts(const parts *x, int axis, int8_t *cut) {
  const tsr__port *const out = tsr__program_output(x->p, 0);
  find_values(x);
  if (out->value < 0 || axis < 0 || axis >= out->description.ndim) return false;
  part_value *const made = &x->values[out->value];
  if (made->all == NULL) return false;
  want(made, axis_of_value(made->all, &out->description, axis, 0)); /* it may be another shape of the same elements */
  if (made->axis < 0) return false;
  for (size_t i = x->p->nodes.count; i-- > 0;)
    if (tsr__program_node(x->p, i)->needed && !want_operands(x, tsr__program_node(x->p, i))) return false;
  bool any = false;
  for (size_t i = 0; i < x->p->inputs.count; i++) {
    const int32_t value = tsr__program_input(x->p, i)->value;
    if (value >= 0 && x->values[value].axis == CONFLICT) return false;
    cut[i] = (int8_t)(value >= 0 && x->values[value].axis >= 0 ? x->values[value].axis : WHOLE);
    any = any || cut[i] >= 0;
  }
  return any;
}

tsr_status tsr__program_parts(tsr_ctx *ctx, const tsr_program *p, int axis, int8_t *cut, bool *can) {
  tsr__scratch scratch;
  const tsr_status st = tsr__scratch_get(ctx, "program_parts", (p->values.count + 1) * sizeof(part_value), &scratch);
  if (st != TSR_OK) return st;
  const parts x = {ctx, p, scratch.data};
  memset(cut, WHOLE, p->inputs.count);
  *can = find_parts(&x, axis, cut);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

#endif
