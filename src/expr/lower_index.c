/* x[1:, ::-1, None, ..., i]: views, and gathering by a tensor of indices or a mask. */
#include "expr/lower.h"

#include <tessera/mask.h>
#include <tessera/move.h>
#include <tessera/ops.h>
#include <tessera/view.h>

#if TSR_HAVE_OPS

/* The tensor while its parts are applied, one axis after the other. */
typedef struct indexing {
  tsr__expr_lowering *l;
  const tsr__expr_node *node;
  tsr_tensor view;
  int axis, rest; /* the axis that is next; how many ... stands for */
} indexing;

static tsr_status failed(const indexing *x, tsr_status st) {
  return st == TSR_OK ? TSR_OK : tsr__lower_failed(x->l, x->node, x->l->ctx, st);
}

/* start, stop or step of a slice; what is left out is TSR_OMIT. */
static tsr_status slice_bound(const indexing *x, const tsr__expr_node *slice, uint32_t k, tsr_index *bound) {
  const tsr__expr_node *const given = tsr__lower_operand(x->l, slice, k);
  const tsr__expr_value *const v = tsr__lower_value(x->l, given);
  *bound = TSR_OMIT;
  if (given->kind == TSR__NODE_OMIT || given->kind == TSR__NODE_NONE) return TSR_OK;
  *bound = (tsr_index)v->whole;
  return v->kind == TSR__VALUE_INT && (int64_t)*bound == v->whole ? TSR_OK
                                                                  : tsr__lower_refuse(x->l, given, "whole number");
}

static tsr_status apply_slice(indexing *x, const tsr__expr_node *slice) {
  tsr_index bound[3];
  for (uint32_t k = 0; k < 3; k++) {
    const tsr_status st = slice_bound(x, slice, k, &bound[k]);
    if (st != TSR_OK) return st;
  }
  const tsr_index step = bound[2] == TSR_OMIT ? 1 : bound[2];
  return failed(x, tsr_slice(x->l->ctx, &x->view, x->axis++, bound[0], bound[1], step, &x->view));
}

/* Indices that a tensor lists. What was a view before is one of a new tensor after it: the node's value keeps that. */
static tsr_status apply_take(indexing *x, const tsr_tensor *index) {
  tsr__expr_value *const out = tsr__lower_value(x->l, x->node);
  tsr_tensor taken = TSR_EMPTY;
  if (!tsr_is_none(&out->tensor))
    return TSR__EXPR_FAIL(&x->l->source, TSR_EUNSUPPORTED, x->node->column,
                          "an index with two tensors in it; write gather_nd");
  tsr_status st = index->dtype == TSR_BOOL ? tsr_masked_select(x->l->ctx, &x->view, index, &taken)
                                           : tsr_take(x->l->ctx, &x->view, index, x->axis, &taken);
  if (st != TSR_OK) return failed(x, st);
  out->tensor = taken;
  x->view = taken;
  x->view.flags &= (uint8_t)~TSR_OWNS;
  x->axis += index->ndim;
  return TSR_OK;
}

/* [0, 2, 5] as a tensor of the host, which the list's own value keeps. */
static tsr_status apply_list(indexing *x, const tsr__expr_node *list) {
  tsr__expr_value *const kept = tsr__lower_value(x->l, list);
  const tsr_index count = (tsr_index)list->count;
  tsr_status st = TSR_OK;
  if (tsr_is_none(&kept->tensor)) st = tsr_empty(x->l->plain, TSR_I64, 1, &count, &kept->tensor);
  if (st != TSR_OK) return tsr__lower_failed(x->l, x->node, x->l->plain, st);
  for (uint32_t k = 0; k < list->count; k++) {
    const tsr__expr_node *const given = tsr__lower_operand(x->l, list, k);
    const tsr__expr_value *const v = tsr__lower_value(x->l, given);
    if (v->kind != TSR__VALUE_INT) return tsr__lower_refuse(x->l, given, "whole number");
    ((int64_t *)kept->tensor.data)[k] = v->whole;
  }
  return apply_take(x, &kept->tensor);
}

static tsr_status apply_value(indexing *x, const tsr__expr_node *part) {
  const tsr__expr_value *const v = tsr__lower_value(x->l, part);
  if (v->kind == TSR__VALUE_TENSOR) return apply_take(x, &v->tensor);
  if (v->kind != TSR__VALUE_INT || (int64_t)(tsr_index)v->whole != v->whole)
    return tsr__lower_refuse(x->l, part, "index: a whole number, a slice, None, ... or a tensor is one");
  return failed(x, tsr_select(x->l->ctx, &x->view, x->axis, (tsr_index)v->whole, &x->view));
}

static tsr_status apply_part(indexing *x, const tsr__expr_node *part) {
  switch (part->kind) {
    case TSR__NODE_SLICE: return apply_slice(x, part);
    case TSR__NODE_NONE: return failed(x, tsr_unsqueeze(x->l->ctx, &x->view, x->axis++, &x->view));
    case TSR__NODE_ELLIPSIS: x->axis += x->rest; return TSR_OK;
    case TSR__NODE_LIST: return apply_list(x, part);
    default: return apply_value(x, part);
  }
}

/* How many axes the parts speak of; -1: there are two ... */
static int axes_of(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  int axes = 0, rests = 0;
  for (uint32_t k = 1; k < node->count; k++) {
    const tsr__expr_node *const part = tsr__lower_operand(l, node, k);
    const tsr__expr_value *const v = tsr__lower_value(l, part);
    const bool is_mask = v->kind == TSR__VALUE_TENSOR && v->tensor.dtype == TSR_BOOL;
    rests += part->kind == TSR__NODE_ELLIPSIS;
    if (part->kind != TSR__NODE_ELLIPSIS && part->kind != TSR__NODE_NONE) axes += is_mask ? v->tensor.ndim : 1;
  }
  return rests > 1 ? -1 : axes;
}

/* x.shape[0] */
static tsr_status index_shape(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_tensor *t) {
  const tsr__expr_node *const part = tsr__lower_operand(l, node, 1);
  const tsr__expr_value *const v = tsr__lower_value(l, part);
  tsr__expr_value *const out = tsr__lower_value(l, node);
  if (node->count != 2 || v->kind != TSR__VALUE_INT) return tsr__lower_refuse(l, part, "axis");
  const int64_t axis = v->whole < 0 ? v->whole + t->ndim : v->whole;
  if (axis < 0 || axis >= t->ndim)
    return TSR__EXPR_FAIL(&l->source, TSR_EAXIS, part->column, "axis %l is out of range for rank %d", v->whole,
                          (int)t->ndim);
  out->kind = TSR__VALUE_INT;
  out->whole = (int64_t)t->shape[axis];
  return TSR_OK;
}

tsr_status tsr__lower_index(tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr__expr_node *const base = tsr__lower_operand(l, node, 0);
  const tsr__expr_value *const from = tsr__lower_value(l, base);
  tsr__expr_value *const out = tsr__lower_value(l, node);
  if (from->kind == TSR__VALUE_SHAPE) return index_shape(l, node, &from->tensor);
  if (from->kind != TSR__VALUE_TENSOR) return tsr__lower_refuse(l, base, "tensor");
  const int axes = axes_of(l, node);
  if (axes < 0) return TSR__EXPR_FAIL(&l->source, TSR_EFORMAT, node->column, "there can be one ... only");
  if (axes > from->tensor.ndim)
    return TSR__EXPR_FAIL(&l->source, TSR_EAXIS, node->column, "%d indices for %d axes", axes, (int)from->tensor.ndim);
  indexing x = {.l = l, .node = node, .view = from->tensor, .rest = from->tensor.ndim - axes};
  x.view.flags &= (uint8_t)~TSR_OWNS;
  tsr_status st = TSR_OK;
  for (uint32_t k = 1; k < node->count && st == TSR_OK; k++) st = apply_part(&x, tsr__lower_operand(l, node, k));
  if (st != TSR_OK) return st;
  x.view.flags |= out->tensor.flags & TSR_OWNS; /* of what was gathered on the way */
  out->kind = TSR__VALUE_TENSOR;
  out->tensor = x.view;
  return TSR_OK;
}

#endif
