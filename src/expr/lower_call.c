/* Calls by name: which value is which parameter, and the call itself. */
#include "expr/lower.h"

#include <string.h>
#include <tessera/binary.h>
#include <tessera/ops.h>

#if TSR_HAVE_OPS

/* ---- inputs ---- */

/* The float that an op which gives floats makes of a dtype: asked of one. */
static int float_of(int dtype) {
  const tsr_tensor in = {.dtype = (uint8_t)dtype}, *const ins[] = {&in};
  tsr_tensor out = TSR_EMPTY, *const outs[] = {&out};
  return tsr_op_infer(NULL, tsr_op_find("sqrt"), 1, ins, 0, NULL, 1, outs, NULL) == TSR_OK ? out.dtype : dtype;
}

/* Of complex numbers beside a dtype: floats that f32 holds become c64. */
static int complex_beside(int dtype) {
  const int class_ = dtype == TSR_NONE ? TSR_CLASS_INT : tsr_dtype_describe(dtype)->class_;
  if (class_ == TSR_CLASS_COMPLEX) return dtype;
  return (class_ == TSR_CLASS_FLOAT && dtype != TSR_F64) || !TSR_HAVE_F64 ? TSR_C64 : TSR_C128;
}

/* The dtype for numbers among the inputs of a call: what its tensors promote to, those aside that have a rule of their own (the
 * condition of where); without any i64, or f64 where a number has a point. */
static int dtype_of_numbers(const tsr__expr_call *call) {
  int dtype = TSR_NONE;
  bool real = false, complex = false;
  for (int i = 0; i < call->inputs; i++) {
    const tsr_op_param *const param = tsr_op_param_at(call->op, TSR_OP_INPUT, i);
    const tsr__expr_value *const v = call->value[i];
    if (v == NULL || (param != NULL && param->takes != 0)) continue;
    if (v->kind == TSR__VALUE_TENSOR)
      dtype = dtype == TSR_NONE ? v->tensor.dtype : tsr_dtype_promote(dtype, v->tensor.dtype);
    else
      real = real || v->kind == TSR__VALUE_REAL;
    complex = complex || v->kind == TSR__VALUE_COMPLEX;
  }
  if (complex) return complex_beside(dtype);
  if (dtype == TSR_NONE) return real ? TSR_F64 : TSR_I64;
  const bool floats = call->op->gives == TSR_GIVES_FLOAT || call->op->gives == TSR_GIVES_REAL_FLOAT;
  return real && floats ? float_of(dtype) : dtype;
}

/* An input that takes bools whatever the others have: a condition. */
static bool is_condition(const tsr_op *op, int i) {
  const tsr_op_param *const param = tsr_op_param_at(op, TSR_OP_INPUT, i);
  return param != NULL && param->takes == 1 << TSR_CLASS_BOOL;
}

static bool is_truth(const tsr_op *op) { return strncmp(op->name, "logical_", 8) == 0; }

/* Numbers among the inputs become tensors. */
static tsr_status make_elements(tsr__expr_lowering *l, const tsr__expr_node *node, tsr__expr_call *call) {
  const int dtype = dtype_of_numbers(call), room = (int)(sizeof call->elements / sizeof call->elements[0]);
  for (int i = 0; i < call->inputs; i++) {
    const tsr__expr_value *const v = call->value[i];
    if (v == NULL || v->kind == TSR__VALUE_TENSOR) {
      call->in[i] = v != NULL ? &v->tensor : NULL;
      continue;
    }
    if (call->elements_used == room)
      return TSR__EXPR_FAIL(&l->source, TSR_ELIMIT, node->column, "more than %d numbers as inputs of %s", room,
                            call->op->name);
    tsr__expr_element *const element = &call->elements[call->elements_used++];
    tsr__expr_value truth = {.kind = TSR__VALUE_BOOL, .whole = tsr__value_truth(v)};
    const bool is_bool = is_condition(call->op, i) || is_truth(call->op);
    const tsr_status st = tsr__lower_element(l, node, is_bool ? &truth : v, is_bool ? TSR_BOOL : dtype, element);
    if (st != TSR_OK) return st;
    call->in[i] = &element->tensor;
  }
  return TSR_OK;
}

/* A call whose inputs are numbers alone gives a number: it is made at once. */
static bool has_numbers_alone(const tsr__expr_call *call) {
  bool some = false;
  for (int i = 0; i < call->inputs; i++) {
    if (call->value[i] == NULL) continue;
    if (call->value[i]->kind == TSR__VALUE_TENSOR) return false;
    some = true;
  }
  return some;
}

/* ---- the call ---- */

/* A view of a number that became an input, reshape(0, 1), lies in the call's own memory: it gets memory that lasts. */
static tsr_status outlive_call(tsr__expr_lowering *l, const tsr__expr_call *call, tsr_tensor *t) {
  const uintptr_t at = (uintptr_t)t->data, first = (uintptr_t)call->elements;
  if (at < first || at >= first + sizeof call->elements) return TSR_OK;
  tsr_tensor lasting = TSR_EMPTY;
  const tsr_status st = tsr_clone(l->plain, t, &lasting);
  if (st == TSR_OK) *t = lasting;
  return st;
}

/* How many outputs have to be there: those that are asked for, and those that may not be left out. */
static int outputs_of(const tsr_op *op, int wanted) {
  const tsr_op_param *param;
  int outputs = wanted;
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_OUTPUT, i)) != NULL; i++)
    if ((param->flags & TSR_OP_OPTIONAL) == 0 && param->type != TSR_OP_TENSORS && i + 1 > outputs) outputs = i + 1;
  return outputs;
}

/* values: one for each of the wanted outputs. */
static tsr_status make_call(tsr__expr_lowering *l, const tsr__expr_node *node, tsr__expr_call *call, int wanted,
                            tsr__expr_value *values) {
  tsr_status st = make_elements(l, node, call);
  if (st != TSR_OK) return st;
  const bool numbers = has_numbers_alone(call);
  const int outputs = outputs_of(call->op, wanted);
  tsr_ctx *const ctx = numbers ? l->plain : l->ctx;
  tsr_tensor *out[TSR__CALL_RESULTS], rest[8] = {TSR_EMPTY};
  if (outputs > TSR__CALL_RESULTS || outputs - wanted > 8)
    return TSR__EXPR_FAIL(&l->source, TSR_ELIMIT, node->column, "more than %d outputs", (int)TSR__CALL_RESULTS);
  for (int k = 0; k < outputs; k++) out[k] = k < wanted ? &values[k].tensor : &rest[k - wanted];
  st = tsr_op_call(ctx, call->op, call->inputs, call->in, call->attributes, call->attrs, outputs, out);
  for (int k = wanted; k < outputs; k++) tsr_release(out[k]);
  if (st != TSR_OK) return tsr__lower_failed(l, node, ctx, st);
  const bool gives_its_dtype = call->op->gives == TSR_GIVES_DTYPE; /* f32(2) is a tensor: it has been given a dtype */
  for (int k = 0; k < wanted; k++) {
    values[k].kind = TSR__VALUE_TENSOR;
    if (!numbers || values[k].tensor.ndim > 0 || gives_its_dtype) {
      st = outlive_call(l, call, &values[k].tensor);
    } else {
      st = tsr__lower_number(l, &values[k].tensor, &values[k]);
      tsr_release(&values[k].tensor);
    }
    if (st != TSR_OK) return tsr__lower_failed(l, node, l->plain, st);
  }
  return TSR_OK;
}

static tsr__expr_call *begin_call(tsr__expr_lowering *l, const tsr_op *op) {
  tsr__expr_call *const call = l->call;
  call->op = op;
  call->inputs = call->attributes = call->listed = call->elements_used = 0;
  call->text_used = 0;
  return call;
}

tsr_status tsr__lower_inputs(tsr__expr_lowering *l, const tsr__expr_node *node, const tsr_op *op, int inputs,
                             const tsr__expr_value *const *values, tsr__expr_value *out) {
  tsr__expr_call *const call = begin_call(l, op);
  call->inputs = inputs;
  for (int i = 0; i < inputs; i++) call->value[i] = values[i];
  return make_call(l, node, call, 1, out);
}

/* ---- attributes ---- */

static tsr_status refuse_type(const tsr__expr_lowering *l, const tsr__expr_call *call, const tsr__expr_node *given,
                              const tsr_op_param *param) {
  char quote[TSR__QUOTE], form[160];
  tsr__expr_quote(&l->source, given->span, quote);
  (void)tsr_op_format(call->op, form, sizeof form);
  return TSR__EXPR_FAIL(&l->source, TSR_EARG, given->column, "%s cannot be '%s'; %s", param->name, quote, form);
}

/* A string in the call's own memory; NULL: there is no more of it. */
static const char *keep_text(const tsr__expr_lowering *l, tsr__expr_call *call, tsr__expr_span span) {
  const size_t length = span.end - span.begin;
  if (length >= TSR__CALL_TEXT - call->text_used) return NULL;
  char *const text = call->text + call->text_used;
  memcpy(text, l->source.text + span.begin, length);
  text[length] = '\0';
  call->text_used += length + 1;
  return text;
}

static bool put_list_number(tsr__expr_call *call, const tsr__expr_value *v, bool reals) {
  if (call->listed == TSR__CALL_LIST || !tsr__value_is_number(v) || v->kind == TSR__VALUE_BOOL) return false;
  if ((v->kind == TSR__VALUE_REAL && !reals) || v->kind == TSR__VALUE_COMPLEX) return false;
  call->reals[call->listed] = (tsr_real)tsr__value_real(v);
  if (!reals) call->ints[call->listed] = (tsr_index)v->whole;
  if (!reals && (int64_t)call->ints[call->listed] != v->whole) return false;
  call->listed++;
  return true;
}

/* A list of numbers, one number, or the shape of a tensor. */
static bool put_list(const tsr__expr_lowering *l, tsr__expr_call *call, const tsr__expr_node *given, bool reals,
                     tsr_attr *attr) {
  const tsr__expr_value *const v = tsr__lower_value(l, given);
  const int first = call->listed;
  bool fits = true;
  if (v->kind == TSR__VALUE_SHAPE)
    for (int i = 0; i < v->tensor.ndim && fits; i++) {
      const tsr__expr_value length = {.kind = TSR__VALUE_INT, .whole = (int64_t)v->tensor.shape[i]};
      fits = put_list_number(call, &length, reals);
    }
  else if (given->kind == TSR__NODE_LIST)
    for (uint32_t k = 0; k < given->count && fits; k++)
      fits = put_list_number(call, tsr__lower_value(l, tsr__lower_operand(l, given, k)), reals);
  else
    fits = put_list_number(call, v, reals);
  *attr = reals ? tsr_attr_reals(NULL, call->listed - first, call->reals + first)
                : tsr_attr_ints(NULL, call->listed - first, call->ints + first);
  return fits;
}

static bool put_number(const tsr__expr_value *v, const tsr_op_param *param, tsr_attr *attr) {
  if (!tsr__value_is_number(v) || v->kind == TSR__VALUE_COMPLEX) return false;
  if (param->type == TSR_OP_BOOL) {
    *attr = tsr_attr_bool(NULL, v->whole != 0);
    return v->kind == TSR__VALUE_BOOL || (v->kind == TSR__VALUE_INT && (v->whole == 0 || v->whole == 1));
  }
  *attr = v->kind == TSR__VALUE_REAL ? tsr_attr_real(NULL, (tsr_real)v->real) : tsr_attr_int(NULL, v->whole);
  return v->kind == TSR__VALUE_INT || param->type == TSR_OP_REAL;
}

/* A dtype in quotes, as NumPy calls it or as it is called here; the op says which there are where it is neither. */
static bool put_dtype_text(const tsr__expr_lowering *l, const tsr__expr_node *given, tsr_attr *attr) {
  char word[TSR__EXPR_WORD];
  tsr__expr_word(&l->source, given->span, word);
  const int dtype = tsr__expr_dtype(word);
  if (dtype != TSR_NONE) *attr = tsr_attr_int(NULL, dtype);
  return dtype != TSR_NONE;
}

static bool put_value(const tsr__expr_lowering *l, tsr__expr_call *call, const tsr_op_param *param,
                      const tsr__expr_node *given, tsr_attr *attr) {
  switch (param->type) {
    case TSR_OP_INTS:
    case TSR_OP_AXES: return put_list(l, call, given, false, attr);
    case TSR_OP_REALS: return put_list(l, call, given, true, attr);
    case TSR_OP_RNG:
    case TSR_OP_OBJECT: return false;
    default: break;
  }
  if (given->kind == TSR__NODE_TEXT) {
    if (param->type == TSR_OP_DTYPE && put_dtype_text(l, given, attr)) return true;
    const char *const text = keep_text(l, call, given->span);
    *attr = tsr_attr_text(NULL, text);
    return text != NULL && param->type >= TSR_OP_WORD;
  }
  if (given->kind == TSR__NODE_DTYPE) {
    *attr = tsr_attr_int(NULL, given->whole);
    return param->type == TSR_OP_DTYPE;
  }
  return put_number(tsr__lower_value(l, given), param, attr);
}

static tsr_status bind_attribute(tsr__expr_lowering *l, tsr__expr_call *call, const tsr_op_param *param,
                                 const tsr__expr_node *given) {
  tsr_attr attr;
  if (given->kind == TSR__NODE_NONE) return TSR_OK; /* left out */
  if (call->attributes == TSR__CALL_ATTRS || !put_value(l, call, param, given, &attr))
    return refuse_type(l, call, given, param);
  attr.name = param->name;
  call->attrs[call->attributes++] = attr;
  return TSR_OK;
}

/* ---- inputs ---- */

static tsr_status bind_input(tsr__expr_lowering *l, tsr__expr_call *call, const tsr_op_param *param, int place,
                             const tsr__expr_node *given) {
  const tsr__expr_value *const v = tsr__lower_value(l, given);
  const bool none = given->kind == TSR__NODE_NONE;
  if (place >= TSR__CALL_INPUTS)
    return TSR__EXPR_FAIL(&l->source, TSR_ELIMIT, given->column, "more than %d inputs", (int)TSR__CALL_INPUTS);
  if (!none && v->kind != TSR__VALUE_TENSOR && !tsr__value_is_number(v)) return refuse_type(l, call, given, param);
  while (call->inputs <= place) call->value[call->inputs++] = NULL;
  if (call->value[place] != NULL)
    return TSR__EXPR_FAIL(&l->source, TSR_EARG, given->column, "%s is given twice", param->name);
  call->value[place] = none ? NULL : v;
  return TSR_OK;
}

static int place_of(const tsr_op *op, const tsr_op_param *param) {
  int place = 0;
  while (tsr_op_param_at(op, TSR_OP_INPUT, place) != param) place++;
  return place;
}

/* One parameter; a list for any number of tensors. */
static tsr_status bind_param(tsr__expr_lowering *l, tsr__expr_call *call, const tsr_op_param *param,
                             const tsr__expr_node *given) {
  if (param->role == TSR_OP_ATTRIBUTE) return bind_attribute(l, call, param, given);
  const int place = place_of(call->op, param);
  if (param->type != TSR_OP_TENSORS) return bind_input(l, call, param, place, given);
  const int next = call->inputs > place ? call->inputs : place;
  if (given->kind != TSR__NODE_LIST) return bind_input(l, call, param, next, given);
  tsr_status st = TSR_OK;
  for (uint32_t k = 0; k < given->count && st == TSR_OK; k++)
    st = bind_input(l, call, param, next + (int)k, tsr__lower_operand(l, given, k));
  return st;
}

/* ---- arguments ---- */

/* Arguments of a call, in order, and the parameter that is next. */
typedef struct arguments {
  const tsr__expr_node *node;
  uint32_t next;
  int param;
} arguments;

static const tsr__expr_node *argument(const tsr__expr_lowering *l, const arguments *a) {
  return a->next < a->node->count ? tsr__lower_operand(l, a->node, a->next) : NULL;
}

/* The next parameter for a value: outputs are none, and a dtype that has a default is stepped over by what is no dtype, so that
 * zeros((2, 3)) is what it is in NumPy. */
static const tsr_op_param *next_param(const tsr_op *op, arguments *a, const tsr__expr_node *given) {
  const tsr_op_param *param;
  const bool is_dtype = given->kind == TSR__NODE_DTYPE || given->kind == TSR__NODE_TEXT;
  for (; (param = tsr_op_param_at(op, -1, a->param)) != NULL; a->param++) {
    const bool skipped = param->type == TSR_OP_DTYPE && (param->flags & TSR_OP_OPTIONAL) != 0 && !is_dtype;
    if (param->role != TSR_OP_OUTPUT && !skipped) break;
  }
  return param;
}

static bool is_whole(const tsr__expr_lowering *l, const tsr__expr_node *given) {
  return given != NULL && tsr__lower_value(l, given)->kind == TSR__VALUE_INT && given->kind != TSR__NODE_KEYWORD;
}

/* einsum('ij,jk', a, b): a text where a tensor comes is the parameter that takes one. */
static const tsr_op_param *text_param(const tsr_op *op, const tsr_op_param *param, const tsr__expr_node *given) {
  if (param->role != TSR_OP_INPUT || given->kind != TSR__NODE_TEXT) return NULL;
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i)) != NULL; i++)
    if (param->type == TSR_OP_TEXT) return param;
  return NULL;
}

/* reshape(x, 2, 3): the numbers of a list without its brackets. */
static void take_rest_of_list(tsr__expr_lowering *l, tsr__expr_call *call, arguments *a) {
  tsr_attr *const attr = &call->attrs[call->attributes - 1];
  const tsr__expr_node *given;
  while (is_whole(l, given = argument(l, a)) && put_list_number(call, tsr__lower_value(l, given), false)) {
    attr->count++;
    a->next++;
  }
}

/* A tensor among many, while more of them come. */
static bool takes_more(const tsr__expr_lowering *l, const tsr_op_param *param, const tsr__expr_node *next) {
  if (param->role != TSR_OP_INPUT || param->type != TSR_OP_TENSORS || next == NULL) return false;
  return next->kind != TSR__NODE_KEYWORD && tsr__lower_value(l, next)->kind == TSR__VALUE_TENSOR;
}

static tsr_status refuse_count(const tsr__expr_lowering *l, const tsr__expr_call *call, const tsr__expr_node *given) {
  char form[160];
  (void)tsr_op_format(call->op, form, sizeof form);
  return TSR__EXPR_FAIL(&l->source, TSR_EARG, given->column, "%s takes no more; it is %s", call->op->name, form);
}

static tsr_status bind_positional(tsr__expr_lowering *l, tsr__expr_call *call, arguments *a) {
  const tsr__expr_node *const given = argument(l, a);
  const tsr_op_param *const param = next_param(call->op, a, given);
  if (param == NULL) return refuse_count(l, call, given);
  const tsr_op_param *const text = text_param(call->op, param, given);
  if (text != NULL) {
    a->next++;
    return bind_attribute(l, call, text, given);
  }
  const bool is_list = param->type == TSR_OP_INTS || param->type == TSR_OP_AXES;
  const tsr_status st = bind_param(l, call, param, given);
  a->next++;
  if (st == TSR_OK && is_list && is_whole(l, given)) take_rest_of_list(l, call, a);
  if (!takes_more(l, param, argument(l, a))) a->param++;
  return st;
}

/* The parameter that a keyword names; NumPy says axis where an op takes several. */
static const tsr_op_param *find_param(const tsr_op *op, const char *name) {
  const tsr_op_param *param;
  for (int i = 0; (param = tsr_op_param_at(op, -1, i)) != NULL; i++)
    if (param->role != TSR_OP_OUTPUT && strcmp(param->name, name) == 0) return param;
  if (strcmp(name, "axis") == 0) return tsr_op_attribute(op, "axes");
  return strcmp(name, "axes") == 0 ? tsr_op_attribute(op, "axis") : NULL;
}

/* A name that the op does not have is given to it all the same: it says which ones there are. */
static tsr_status bind_keyword(tsr__expr_lowering *l, tsr__expr_call *call, const tsr__expr_node *keyword) {
  const char *const name = keep_text(l, call, keyword->span);
  if (name == NULL || call->attributes == TSR__CALL_ATTRS) return tsr__lower_refuse(l, keyword, "parameter");
  const tsr_op_param *const param = find_param(call->op, name);
  if (param != NULL) return bind_param(l, call, param, tsr__lower_operand(l, keyword, 0));
  call->attrs[call->attributes++] = tsr_attr_int(name, 0);
  return TSR_OK;
}

/* ---- what NumPy writes otherwise ---- */

/* clip(x, low, high) with tensors is another op; arange(n) has one number, which is its end. */
static const tsr_op *choose_op(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  if (strcmp(node->op->name, "clamp") != 0) return node->op;
  for (uint32_t k = 1; k < node->count; k++) {
    const tsr__expr_node *given = tsr__lower_operand(l, node, k);
    if (given->kind == TSR__NODE_KEYWORD) given = tsr__lower_operand(l, given, 0);
    if (tsr__lower_value(l, given)->kind == TSR__VALUE_TENSOR) return tsr_op_find("clamp_tensor");
  }
  return node->op;
}

/* Which bound of clip an argument is: 0 x, 1 the lower, 2 the upper; -1: none of them. */
static int place_in_clip(const tsr__expr_lowering *l, const tsr__expr_node *given, uint32_t k) {
  static const char names[][6] = {"x", "lo", "hi", "a_min", "a_max", "min", "max"};
  static const int8_t places[] = {0, 1, 2, 1, 2, 1, 2};
  if (given->kind != TSR__NODE_KEYWORD) return k < 3 ? (int)k : -1;
  for (size_t i = 0; i < sizeof places; i++)
    if (tsr__expr_is(&l->source, given->span, names[i])) return places[i];
  return -1;
}

/* clip(x, 0, None) has one bound: maximum(x, 0). *done false: it is another call. */
static tsr_status lower_half_clip(tsr__expr_lowering *l, const tsr__expr_node *node, bool *done) {
  const tsr__expr_value *at[3] = {NULL};
  *done = false;
  if (strcmp(node->op->name, "clamp") != 0 || node->outputs > 0) return TSR_OK;
  for (uint32_t k = 0; k < node->count; k++) {
    const tsr__expr_node *given = tsr__lower_operand(l, node, k);
    const int place = place_in_clip(l, given, k);
    if (place < 0 || at[place] != NULL) return TSR_OK;
    if (given->kind == TSR__NODE_KEYWORD) given = tsr__lower_operand(l, given, 0);
    if (given->kind == TSR__NODE_NONE) continue;
    at[place] = tsr__lower_value(l, given);
    if (at[place]->kind != TSR__VALUE_TENSOR && !tsr__value_is_number(at[place])) return TSR_OK;
  }
  if (at[0] == NULL || at[0]->kind != TSR__VALUE_TENSOR || (at[1] == NULL) == (at[2] == NULL)) return TSR_OK;
  *done = true;
  const tsr_op *const op = tsr_op_find(at[1] != NULL ? "maximum" : "minimum");
  return tsr__lower_binary(l, node, op, at[0], at[at[1] != NULL ? 1 : 2], tsr__lower_value(l, node));
}

static bool is_end_alone(const tsr__expr_lowering *l, const tsr__expr_node *node) {
  if (strcmp(node->op->name, "arange") != 0 && strcmp(node->op->name, "arange_i64") != 0) return false;
  int numbers = 0;
  for (uint32_t k = 0; k < node->count; k++) {
    const tsr__expr_node *const given = tsr__lower_operand(l, node, k);
    if (given->kind == TSR__NODE_KEYWORD && !tsr__expr_is(&l->source, given->span, "dtype")) return false;
    numbers += given->kind != TSR__NODE_KEYWORD && given->kind != TSR__NODE_DTYPE && given->kind != TSR__NODE_TEXT;
  }
  return numbers == 1;
}

/* An op with two inputs and a number: its form for numbers, where it has one. */
static bool is_binary(const tsr_op *op, const tsr__expr_call *call) {
  return call->inputs == 2 && call->attributes == 0 && tsr_op_param_at(op, -1, 3) == NULL && call->value[0] != NULL &&
         call->value[1] != NULL &&
         (call->value[0]->kind == TSR__VALUE_TENSOR) != (call->value[1]->kind == TSR__VALUE_TENSOR);
}

tsr_status tsr__lower_call(tsr__expr_lowering *l, const tsr__expr_node *node) {
  bool done;
  tsr_status st = lower_half_clip(l, node, &done);
  if (done) return st;
  tsr__expr_call *const call = begin_call(l, choose_op(l, node));
  tsr__expr_value *const out = tsr__lower_value(l, node);
  arguments a = {node, 0, is_end_alone(l, node) ? 2 : 0};
  if (a.param > 0 && argument(l, &a) != NULL && argument(l, &a)->kind == TSR__NODE_DTYPE) a.param = 0;
  while (st == TSR_OK && argument(l, &a) != NULL) {
    const tsr__expr_node *const given = argument(l, &a);
    if (given->kind == TSR__NODE_KEYWORD) {
      st = bind_keyword(l, call, given);
      a.next++;
    } else {
      st = bind_positional(l, call, &a);
    }
  }
  if (st != TSR_OK) return st;
  if (node->outputs == 0 && is_binary(call->op, call)) {
    const tsr__expr_value *const x = call->value[0], *const y = call->value[1];
    return tsr__lower_binary(l, node, call->op, x, y, out);
  }
  return node->outputs == 0 ? make_call(l, node, call, 1, out) : make_call(l, node, call, node->outputs, out + 1);
}

#endif
