/* Operators between a tensor and a number: the forms of ops that take one. */
#include "core/text.h"
#include "expr/lower.h"

#include <string.h>
#include <tessera/elements.h>
#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* ---- numbers as tensors of rank 0 ---- */

tsr_status tsr__lower_element(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr__expr_value *number,
                              int dtype, tsr__expr_element *element) {
  element->tensor = (tsr_tensor){.dtype = (uint8_t)dtype, .data = element->bytes};
  const tsr_complex both = {(tsr_real)tsr__value_real(number), (tsr_real)number->imaginary};
  const tsr_status st = number->kind == TSR__VALUE_COMPLEX ? tsr_fill_complex(l->plain, both, &element->tensor)
                        : number->kind == TSR__VALUE_REAL ? tsr_fill(l->plain, (tsr_real)number->real, &element->tensor)
                                                          : tsr_fill_i64(l->plain, number->whole, &element->tensor);
  return st == TSR_OK ? TSR_OK : tsr__lower_failed(l, node, l->plain, st);
}

tsr_status tsr__lower_number(tsr__expr_lowering *l, const tsr_tensor *t, tsr__expr_value *out) {
  const int class_ = tsr_dtype_describe(t->dtype)->class_;
  tsr_real real = 0;
  tsr_status st;
  if (class_ == TSR_CLASS_COMPLEX) {
    tsr_complex both = {0, 0};
    st = tsr_get_complex(l->plain, t, 0, NULL, &both);
    *out = (tsr__expr_value){
        .kind = TSR__VALUE_COMPLEX, .real = (double)both.re, .imaginary = (double)both.im, .tensor = out->tensor};
  } else if (class_ == TSR_CLASS_FLOAT) {
    st = tsr_get(l->plain, t, 0, NULL, &real);
    out->kind = TSR__VALUE_REAL;
    out->real = (double)real;
  } else {
    st = tsr_get_i64(l->plain, t, 0, NULL, &out->whole);
    out->kind = class_ == TSR_CLASS_BOOL ? TSR__VALUE_BOOL : TSR__VALUE_INT;
  }
  return st;
}

/* ---- forms ---- */

/* What x < 3 is when the number stands on the left; the op itself where the order does not matter; NULL: it does. */
static const char *mirrored(const char *name) {
  static const char pairs[][2][12] = {{"lt", "gt"},
                                      {"gt", "lt"},
                                      {"le", "ge"},
                                      {"ge", "le"},
                                      {"eq", "eq"},
                                      {"ne", "ne"},
                                      {"add", "add"},
                                      {"mul", "mul"},
                                      {"maximum", "maximum"},
                                      {"minimum", "minimum"},
                                      {"bitwise_and", "bitwise_and"},
                                      {"bitwise_or", "bitwise_or"},
                                      {"bitwise_xor", "bitwise_xor"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (strcmp(pairs[i][0], name) == 0) return pairs[i][1];
  return NULL;
}

/* Whether it is lost on the way through a tsr_real. */
static bool needs_i64(const tsr__expr_value *number) {
  return number->kind == TSR__VALUE_INT && (int64_t)(tsr_real)number->whole != number->whole;
}

/* The op for a number on that side, NULL: none. */
static const tsr_op *find_form(const tsr_op *op, const tsr__expr_value *number, bool left) {
  if (number->kind == TSR__VALUE_COMPLEX) return NULL; /* they are tensors of rank 0 */
  const char *const tail = needs_i64(number) ? "_i64" : "", *name = op->name;
  char form[48];
  tsr__text text;
  if (left && mirrored(name) != NULL) {
    name = mirrored(name);
    left = false;
  }
  tsr__text_init(&text, form, sizeof form);
  tsr__text_format(&text, left ? "scalar_%s%s" : "%s_scalar%s", name, tail);
  return text.length < sizeof form ? tsr_op_find(form) : NULL;
}

static tsr_status call_form(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_op *form, const tsr_tensor *t,
                            const tsr__expr_value *number, tsr__expr_value *out) {
  const tsr_attr value = needs_i64(number) ? tsr_attr_int("value", number->whole)
                                           : tsr_attr_real("value", (tsr_real)tsr__value_real(number));
  tsr_tensor *outputs[] = {&out->tensor};
  const tsr_status st = tsr_op_call(l->ctx, form, 1, &t, 1, &value, 1, outputs);
  out->kind = TSR__VALUE_TENSOR;
  return st == TSR_OK ? TSR_OK : tsr__lower_failed(l, node, l->ctx, st);
}

/* ---- powers ---- */

static bool is_integer(const tsr_tensor *t) {
  const int class_ = tsr_dtype_describe(t->dtype)->class_;
  return class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT;
}

/* x**2 is a product. Integers to the power of an integer stay integers, where pow_scalar would make floats of them. */
static tsr_status lower_power(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr__expr_value *x,
                              const tsr__expr_value *y, tsr__expr_value *out, bool *done) {
  const bool left = x->kind != TSR__VALUE_TENSOR;
  const tsr__expr_value *const number = left ? x : y, *const tensor = left ? y : x;
  const bool whole = number->kind != TSR__VALUE_REAL, integers = is_integer(&tensor->tensor);
  *done = number->kind != TSR__VALUE_COMPLEX;
  if (!*done) return TSR_OK;
  if (!left && tsr__value_real(number) == 2 && (whole || !integers))
    return tsr__lower_inputs(l, node, tsr_op_find("square"), 1, &tensor, out);
  if (whole && integers && !left && number->whole < 0) {
    char quote[TSR__QUOTE];
    tsr__expr_quote(&l->source, tsr__lower_operand(l, node, 0)->span, quote);
    return TSR__EXPR_FAIL(&l->source, TSR_ERANGE, node->column, "integers to a negative power; write f64(%s)**%l",
                          quote, number->whole);
  }
  *done = whole && integers;
  const tsr__expr_value *const inputs[] = {x, y};
  return *done ? tsr__lower_inputs(l, node, tsr_op_find("pow"), 2, inputs, out) : TSR_OK;
}

/* ---- all ---- */

tsr_status tsr__lower_binary(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_op *op,
                             const tsr__expr_value *x, const tsr__expr_value *y, tsr__expr_value *out) {
  const tsr__expr_value *const inputs[] = {x, y};
  const bool left = x->kind != TSR__VALUE_TENSOR, right = y != NULL && y->kind != TSR__VALUE_TENSOR;
  if (y == NULL) return tsr__lower_inputs(l, node, op, 1, inputs, out);
  if (left == right) return tsr__lower_inputs(l, node, op, 2, inputs, out);
  const tsr__expr_value *const number = left ? x : y, *const tensor = left ? y : x;
  if (strcmp(op->name, "pow") == 0) {
    bool done;
    const tsr_status st = lower_power(l, node, x, y, out, &done);
    if (done) return st;
  }
  const tsr_op *const form = find_form(op, number, left);
  if (form != NULL) return call_form(l, node, form, &tensor->tensor, number, out);
  return tsr__lower_inputs(l, node, op, 2, inputs, out);
}

#endif
