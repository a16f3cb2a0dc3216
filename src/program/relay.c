/* Inputs and outputs that lie otherwise than they were recorded: where the calls do not mind, they get the tensor as it is, and
 * nothing is copied. */
#include "core/tensor.h"
#include "program/program.h"

#if TSR_HAVE_OPS

/* ---- a view of one tensor as the same view of another ---- */

/* Of every axis of the value: the index that a view begins with, and the lowest and highest one it comes to. */
typedef struct reach {
  tsr_index begin, low, high;
} reach;

/* The axis whose steps make up a stride: that with the largest stride which divides it; -1: none. */
static int axis_of(const tsr_tensor *d, tsr_index stride) {
  const tsr_index size = stride < 0 ? -stride : stride;
  int best = -1;
  for (int a = 0; a < d->ndim; a++)
    if (d->shape[a] > 1 && d->stride[a] <= size && size % d->stride[a] == 0 &&
        (best < 0 || d->stride[a] > d->stride[best]))
      best = a;
  return best;
}

/* An offset in elements as indices of the axes, the longest stride first. */
static bool split_offset(const tsr_tensor *d, tsr_index offset, reach *r) {
  uint32_t done = 0;
  for (int n = 0; n < d->ndim; n++) {
    int a = 0;
    while (a < n && (done >> a & 1) != 0) a++; /* n axes are done: one of the first n + 1 is not */
    for (int i = a + 1; i < d->ndim; i++)
      if ((done >> i & 1) == 0 && d->stride[i] > d->stride[a]) a = i;
    done |= (uint32_t)1 << a;
    const bool counts = d->shape[a] > 1;
    const tsr_index index = counts ? offset / d->stride[a] : 0;
    r[a] = (reach){index, index, index};
    offset -= counts ? index * d->stride[a] : 0;
  }
  return offset == 0;
}

bool tsr__program_relay(const tsr__port *port, const tsr_tensor *t, const tsr_tensor *recorded, tsr__operand_ref ref,
                        tsr_tensor *operand) {
  const tsr_tensor *const d = &port->description;
  const size_t item = (size_t)tsr__item(d);
  reach r[TSR_MAX_DIMS];
  if (recorded->dtype != d->dtype || ref.offset % item != 0 || !split_offset(d, (tsr_index)(ref.offset / item), r))
    return false;
  ptrdiff_t at = 0;
  for (int a = 0; a < d->ndim; a++) at += (ptrdiff_t)(r[a].begin * t->stride[a]) * (ptrdiff_t)item;
  *operand = *recorded;
  operand->flags &= (uint8_t)~TSR_OWNS;
  operand->storage = NULL;
  operand->data = (char *)t->data + at;
  for (int i = 0; i < recorded->ndim; i++) {
    const tsr_index stride = recorded->stride[i];
    if (recorded->shape[i] <= 1 || stride == 0) continue;
    const int a = axis_of(d, stride);
    if (a < 0) return false;
    const tsr_index steps = stride / d->stride[a], last = steps * (recorded->shape[i] - 1);
    r[a].low += last < 0 ? last : 0;
    r[a].high += last > 0 ? last : 0;
    operand->stride[i] = steps * t->stride[a];
  }
  for (int a = 0; a < d->ndim; a++)
    if (r[a].low < 0 || r[a].high >= d->shape[a]) return false;
  return true;
}

/* ---- who uses a value ---- */

static const tsr_tensor *recorded_operand(const tsr_work *work, int k) {
  return k < work->inputs ? work->in[k] : work->out[k - work->inputs];
}

static unsigned flags_of(const tsr__node *node) { return ((const tsr__op_info *)node->work->info)->flags; }

bool tsr__program_takes_layout(const tsr_program *p, const tsr__port *port, const tsr_tensor *t) {
  for (int i = 0; i < port->description.ndim; i++)
    if (port->description.stride[i] < 0) return false;
  for (size_t i = 0; i < p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    for (int k = 0; k < node->work->inputs + node->work->outputs && node->needed; k++) {
      const tsr__operand_ref ref = p->refs[node->operands + (size_t)k];
      tsr_tensor operand;
      if (ref.value != port->value) continue;
      if ((flags_of(node) & TSR__OP_STRIDES) == 0) return false;
      if (!tsr__program_relay(port, t, recorded_operand(node->work, k), ref, &operand)) return false;
    }
  }
  return true;
}

/* ---- in place ---- */

/* Whether a call that is about to write out reads the input as out lies, and not otherwise. */
static bool reads_alike(const tsr_program *p, const tsr__node *node, int32_t in) {
  const tsr_work *const work = node->work;
  const tsr_tensor *const out = work->out[0];
  const size_t offset = p->refs[node->operands + (size_t)work->inputs].offset;
  for (int k = 0; k < work->inputs; k++) {
    const tsr__operand_ref ref = p->refs[node->operands + (size_t)k];
    const tsr_tensor *const t = work->in[k];
    if (ref.value != in) continue;
    if (ref.offset != offset || !tsr_same_shape(t, out) || t->dtype != out->dtype) return false;
    for (int i = 0; i < out->ndim; i++)
      if (out->shape[i] > 1 && t->stride[i] != out->stride[i]) return false;
  }
  return true;
}

bool tsr__program_is_in_place(const tsr_program *p, const tsr__port *in, const tsr__port *out) {
  const tsr__node *writer = NULL;
  for (size_t i = 0; i < p->nodes.count; i++) {
    const tsr__node *const node = tsr__program_node(p, i);
    for (int k = 0; k < node->work->inputs + node->work->outputs && node->needed; k++) {
      const int32_t value = p->refs[node->operands + (size_t)k].value;
      if (value == out->value && (writer != NULL || k < node->work->inputs)) return false;
      if (value == out->value) writer = node;
      if (value == in->value && writer != NULL && writer != node) return false;
    }
  }
  return writer != NULL && writer->work->outputs == 1 && (flags_of(writer) & TSR__OP_IN_PLACE) != 0 &&
         reads_alike(p, writer, in->value);
}

#endif
