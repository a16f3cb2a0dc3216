/* What went wrong in a call, in the words of the text. */
#include "core/text.h"
#include "expr/lower.h"

#include <string.h>

#if TSR_HAVE_OPS

tsr_status tsr__lower_refuse(const tsr__expr_lowering *l, const tsr__expr_node *node, const char *what) {
  char quote[TSR__QUOTE];
  tsr__expr_quote(&l->source, node->span, quote);
  return TSR__EXPR_FAIL(&l->source, TSR_EARG, node->column, "'%s' is no %s", quote, what);
}

#if TSR_HAVE_TEXT
static void quote_operand(const tsr__expr_lowering *l, const tsr__expr_node *node, uint32_t k, char quote[TSR__QUOTE]) {
  tsr__expr_quote(&l->source, tsr__lower_operand(l, node, k)->span, quote);
}

static const tsr__expr_value *operand_value(const tsr__expr_lowering *l, const tsr__expr_node *node, uint32_t k) {
  return tsr__lower_value(l, tsr__lower_operand(l, node, k));
}

static bool are_tensors(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  return operand_value(l, node, 0)->kind == TSR__VALUE_TENSOR && operand_value(l, node, 1)->kind == TSR__VALUE_TENSOR;
}

/* Two operands that do not broadcast, by what they are called in the text. */
static tsr_status fail_broadcast(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr_tensor *const a = &operand_value(l, node, 0)->tensor, *const b = &operand_value(l, node, 1)->tensor;
  char left[TSR__QUOTE], right[TSR__QUOTE];
  quote_operand(l, node, 0, left);
  quote_operand(l, node, 1, right);
  return TSR__EXPR_FAIL(&l->source, TSR_ESHAPE, node->column, "%s %S does not broadcast with %s %S", right,
                        (int)b->ndim, b->shape, left, (int)a->ndim, a->shape);
}

/* A number that its tensor's dtype does not have: i32*0.5. */
static bool is_number_of_integers(const tsr__expr_lowering *l, const tsr__expr_node *node, uint32_t *tensor) {
  if (node->kind != TSR__NODE_OPERATOR || node->count != 2) return false;
  const tsr__expr_value *const a = operand_value(l, node, 0), *const b = operand_value(l, node, 1);
  *tensor = a->kind == TSR__VALUE_TENSOR ? 0 : 1;
  const tsr__expr_value *const t = *tensor == 0 ? a : b, *const n = *tensor == 0 ? b : a;
  return t->kind == TSR__VALUE_TENSOR && tsr__value_is_number(n);
}

static tsr_status fail_number(const tsr__expr_lowering *l, const tsr__expr_node *node, tsr_status status,
                              uint32_t tensor, const char *text) {
  const char *const op = tsr__expr_operators[node->which].text;
  const bool real = operand_value(l, node, 1 - tensor)->kind == TSR__VALUE_REAL;
  const char *const dtype = real ? "f64" : "i64";
  char a[TSR__QUOTE], b[TSR__QUOTE];
  quote_operand(l, node, 0, a);
  quote_operand(l, node, 1, b);
  if (tensor == 0)
    return TSR__EXPR_FAIL(&l->source, status, node->column, "%s; write %s(%s) %s %s", text, dtype, a, op, b);
  return TSR__EXPR_FAIL(&l->source, status, node->column, "%s; write %s %s %s(%s)", text, a, op, dtype, b);
}

static bool is_of_integers(const tsr__expr_value *v) {
  if (v->kind != TSR__VALUE_TENSOR) return false;
  const int class_ = tsr_dtype_describe(v->tensor.dtype)->class_;
  return class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT;
}

/* Integers and a number with a point in one call, or in x if c else y: the tensor that a cast would help; NULL: it is something else. */
static const tsr__expr_node *integers_beside_real(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  const tsr__expr_node *integers = NULL;
  bool real = false;
  if (node->kind != TSR__NODE_CALL && node->kind != TSR__NODE_IF) return NULL;
  for (uint32_t k = 0; k < node->count; k++) {
    const tsr__expr_node *given = tsr__lower_operand(l, node, k);
    if (given->kind == TSR__NODE_KEYWORD) given = tsr__lower_operand(l, given, 0);
    const tsr__expr_value *const v = tsr__lower_value(l, given);
    real = real || v->kind == TSR__VALUE_REAL;
    if (integers == NULL && is_of_integers(v)) integers = given;
  }
  return real ? integers : NULL;
}

static tsr_status fail_call(const tsr__expr_lowering *l, const tsr__expr_node *node, tsr_status status,
                            const char *text) {
  const tsr__expr_node *const integers = status == TSR_ERANGE ? integers_beside_real(l, node) : NULL;
  char quote[TSR__QUOTE], operand[TSR__QUOTE];
  tsr__expr_quote(&l->source, node->span, quote);
  if (integers == NULL) return TSR__EXPR_FAIL(&l->source, status, node->column, "%s; in %s", text, quote);
  tsr__expr_quote(&l->source, integers->span, operand);
  return TSR__EXPR_FAIL(&l->source, status, node->column, "%s; in %s; write f64(%s)", text, quote, operand);
}

tsr_status tsr__lower_failed(const tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_ctx *failed,
                             tsr_status status) {
  char text[TSR_TEXT_BYTES];
  uint32_t tensor;
  const tsr_error_record *const error = tsr_error_details(failed);
  memcpy(text, error->text, sizeof text);
  if (error->status != status) return TSR__EXPR_FAIL(&l->source, status, node->column, "%s", tsr_status_text(status));
  if (status == TSR_ENOMEM || status == TSR_ESCRATCH)
    return TSR__FAIL(l->source.ctx, status, l->source.op, NULL, "%s", text);
  if (status == TSR_ESHAPE && node->kind == TSR__NODE_OPERATOR && node->count == 2 && node->which != TSR__MATMUL &&
      are_tensors(l, node))
    return fail_broadcast(l, node);
  if (status == TSR_ERANGE && is_number_of_integers(l, node, &tensor))
    return fail_number(l, node, status, tensor, text);
  return fail_call(l, node, status, text);
}
#else
tsr_status tsr__lower_failed(const tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_ctx *failed,
                             tsr_status status) {
  (void)node, (void)failed;
  return tsr__fail_plain(l->source.ctx, status);
}
#endif

#endif
