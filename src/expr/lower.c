/* Nodes, one after the other: operands are values already. */
#include "expr/lower.h"

#include <tessera/ops.h>
#include <tessera/view.h>

#if TSR_HAVE_OPS

/* The same tensor again: a view, which holds nothing. */
static void put_view(const tsr_tensor *t, tsr__expr_value *out) {
  out->kind = TSR__VALUE_TENSOR;
  out->tensor = *t;
  out->tensor.flags &= (uint8_t)~TSR_OWNS;
  out->tensor.name = NULL;
}

static void put_same(const tsr__expr_value *from, tsr__expr_value *out) {
  if (from->kind == TSR__VALUE_TENSOR) {
    put_view(&from->tensor, out);
    return;
  }
  out->kind = from->kind;
  out->whole = from->whole;
  out->imaginary = from->imaginary;
}

static void lower_name(const tsr__expr_lowering *l, const tsr__expr_node *node, tsr__expr_value *out) {
  const tsr_tensor *const t = &l->inputs[node->which];
  if ((t->flags & TSR_IS_NUMBER) == 0) {
    put_view(t, out);
  } else if (t->dtype == TSR_F64) {
    out->kind = TSR__VALUE_REAL;
    out->real = *(const double *)t->data;
  } else if (t->dtype == TSR_C128) {
    out->kind = TSR__VALUE_COMPLEX;
    out->real = ((const double *)t->data)[0];
    out->imaginary = ((const double *)t->data)[1];
  } else {
    out->kind = TSR__VALUE_INT;
    out->whole = *(const int64_t *)t->data;
  }
}

/* ---- members ---- */

static tsr_status reverse_axes(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  int axes[TSR_MAX_DIMS];
  for (int i = 0; i < in->ndim; i++) axes[i] = in->ndim - 1 - i;
  return tsr_permute(ctx, in, axes, out);
}

static tsr_status lower_member(tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr__expr_node *const operand = tsr__lower_operand(l, node, 0);
  const tsr__expr_value *const from = tsr__lower_value(l, operand);
  tsr__expr_value *const out = tsr__lower_value(l, node);
  if (from->kind != TSR__VALUE_TENSOR) return tsr__lower_refuse(l, operand, "tensor");
  const tsr_tensor *const in = &from->tensor;
  tsr_status st = TSR_OK;
  out->kind = node->which < TSR__MEMBER_SHAPE ? TSR__VALUE_TENSOR : TSR__VALUE_INT;
  switch (node->which) {
    case TSR__MEMBER_T: st = reverse_axes(l->ctx, in, &out->tensor); break;
    case TSR__MEMBER_MT: st = tsr_transpose(l->ctx, in, -2, -1, &out->tensor); break;
    case TSR__MEMBER_REAL:
    case TSR__MEMBER_IMAG: st = tsr_complex_part(l->ctx, in, node->which == TSR__MEMBER_IMAG, &out->tensor); break;
    case TSR__MEMBER_SIZE: out->whole = (int64_t)tsr_size(in); break;
    case TSR__MEMBER_NDIM: out->whole = in->ndim; break;
    default: put_view(in, out); out->kind = TSR__VALUE_SHAPE;
  }
  return st == TSR_OK ? TSR_OK : tsr__lower_failed(l, node, l->ctx, st);
}

/* ---- operators ---- */

static tsr_status lower_operator(tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr__expr_value *operands[2] = {NULL, NULL};
  tsr__expr_value *const out = tsr__lower_value(l, node);
  bool numbers = true, complex = false;
  for (uint32_t k = 0; k < node->count; k++) {
    const tsr__expr_node *const operand = tsr__lower_operand(l, node, k);
    operands[k] = tsr__lower_value(l, operand);
    if (operands[k]->kind != TSR__VALUE_TENSOR && !tsr__value_is_number(operands[k]))
      return tsr__lower_refuse(l, operand, "tensor or number");
    numbers = numbers && operands[k]->kind != TSR__VALUE_TENSOR;
    complex = complex || operands[k]->kind == TSR__VALUE_COMPLEX;
  }
  if (numbers && !complex) return tsr__expr_fold(&l->source, node, operands[0], operands[1], out);
  if (node->which == TSR__PLUS) {
    put_same(operands[0], out);
    return TSR_OK;
  }
  return tsr__lower_binary(l, node, node->op, operands[0], operands[1], out);
}

tsr_status tsr__lower_if(tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr__expr_value *v[3], *condition;
  tsr__expr_value truth = {0};
  for (uint32_t k = 0; k < 3; k++) {
    const tsr__expr_node *const operand = tsr__lower_operand(l, node, k);
    v[k] = tsr__lower_value(l, operand);
    if (v[k]->kind != TSR__VALUE_TENSOR && !tsr__value_is_number(v[k]))
      return tsr__lower_refuse(l, operand, "tensor or number");
  }
  condition = v[1];
  tsr__expr_value *const out = tsr__lower_value(l, node);
  if (condition->kind != TSR__VALUE_TENSOR) {
    put_same(tsr__value_truth(condition) ? v[0] : v[2], out);
    return TSR_OK;
  }
  tsr_status st = TSR_OK;
  if (condition->tensor.dtype != TSR_BOOL) { /* what is not 0 is true */
    const tsr__expr_value zero = {.kind = TSR__VALUE_INT};
    st = tsr__lower_binary(l, node, tsr_op_find("ne"), condition, &zero, &truth);
    condition = &truth;
  }
  if (st == TSR_OK) {
    const tsr__expr_value *const inputs[] = {condition, v[0], v[2]};
    st = tsr__lower_inputs(l, node, tsr_op_find("where"), 3, inputs, out);
  }
  tsr_release(&truth.tensor);
  return st;
}

/* ---- all ---- */

static tsr_status lower_node(tsr__expr_lowering *l, const tsr__expr_node *node) {
  tsr__expr_value *const out = tsr__lower_value(l, node);
  switch (node->kind) {
    case TSR__NODE_INT:
    case TSR__NODE_REAL:
    case TSR__NODE_BOOL:
      out->kind = node->kind == TSR__NODE_INT    ? TSR__VALUE_INT
                  : node->kind == TSR__NODE_REAL ? TSR__VALUE_REAL
                                                 : TSR__VALUE_BOOL;
      out->whole = node->whole; /* and with it the bits of a real */
      return TSR_OK;
    case TSR__NODE_IMAGINARY:
      *out = (tsr__expr_value){.kind = TSR__VALUE_COMPLEX, .real = 0, .imaginary = node->real};
      return TSR_OK;
    case TSR__NODE_NAME: lower_name(l, node, out); return TSR_OK;
    case TSR__NODE_OPERATOR: return lower_operator(l, node);
    case TSR__NODE_IF: return tsr__lower_if(l, node);
    case TSR__NODE_CALL: return tsr__lower_call(l, node);
    case TSR__NODE_INDEX: return tsr__lower_index(l, node);
    case TSR__NODE_MEMBER: return lower_member(l, node);
    default: return TSR_OK; /* lists, slices, texts: parts of the nodes behind them. A pick is filled by its call */
  }
}

tsr_status tsr__expr_lower(tsr__expr_lowering *l) {
  const tsr__expr_tree *const tree = l->tree;
  tsr_status st = TSR_OK;
  for (uint32_t i = 0; i < tree->count && st == TSR_OK; i++)
    if (tree->nodes[i].needed) st = lower_node(l, &tree->nodes[i]);
  if (st != TSR_OK) return st;
  const tsr__expr_value *const result = &l->values[tree->result];
  if (result->kind == TSR__VALUE_TENSOR || tsr__value_is_number(result)) return TSR_OK;
  return tsr__lower_refuse(l, &tree->nodes[tree->result], "tensor or number");
}

#endif
