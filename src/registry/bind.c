/* Binding attributes. */
#include "core/suggest.h"
#include "registry/call.h"

#include <string.h>

#if TSR_HAVE_OPS

/* What a value of a type is called in messages. */
static const char *type_name(int type) {
  static const char names[][12] = {"a tensor", "tensors",  "a bool", "an int", "an int",  "a number", "a word",
                                   "a dtype",  "a layout", "ints",   "ints",   "numbers", "a text",   "a generator"};
  return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "of no type";
}

static const char *type_of_param(const tsr_op_param *param) {
  return param->type == TSR_OP_OBJECT ? tsr__op_object_name(param->takes) : type_name(param->type);
}

tsr_status tsr__op_refuse_type(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr) {
  return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, param->name, "is given as %s, not as %s",
                   attr->type == TSR_OP_OBJECT ? tsr__op_object_name(attr->count) : type_name(attr->type),
                   type_of_param(param));
}

/* ---- words ---- */

/* Word number i of a parameter: of its list, or the name of a dtype or layout; NULL past the last. */
static const char *word_at(const tsr_op_param *param, int i) {
  if (param->type == TSR_OP_DTYPE) return i + 1 < TSR_DTYPE_COUNT ? tsr_dtype_name(i + 1) : NULL;
  if (param->type == TSR_OP_LAYOUT) return i < TSR_LAYOUT_COUNT ? tsr_layout_name(i) : NULL;
  return tsr_op_word(param, i);
}

/* The number that a word stands for; -1 when it is none, and then perhaps the nearest one. */
static int word_number(const tsr_op_param *param, const char *word, tsr__suggestion *suggestion) {
  const char *name;
  if (param->type == TSR_OP_LAYOUT && strcmp(word, "auto") == 0) return TSR_AUTO;
  for (int i = 0; (name = word_at(param, i)) != NULL; i++) {
    if (strcmp(name, word) == 0) return param->type == TSR_OP_DTYPE ? i + 1 : i;
    tsr__suggest_offer(suggestion, name);
  }
  return -1;
}

static tsr_status bind_word(tsr__op_call *call, const tsr_op_param *param, const char *word, int64_t *number) {
  const char *const op = call->op->name;
  tsr__suggestion suggestion;
  if (word == NULL) return TSR__FAIL(call->ctx, TSR_EARG, op, param->name, "is NULL");
  tsr__suggest_init(&suggestion, word);
  *number = word_number(param, word, &suggestion);
  if (*number >= 0) return TSR_OK;
  if (suggestion.found == NULL) return TSR__FAIL(call->ctx, TSR_ENAME, op, param->name, "'%s' is unknown", word);
  return TSR__FAIL(call->ctx, TSR_ENAME, op, param->name, "'%s' is unknown; did you mean '%s'?", word,
                   suggestion.found);
}

/* ---- numbers ---- */

/* param->most is the bytes of the C type. */
static bool fits(const tsr_op_param *param, int64_t number) {
  if (param->type == TSR_OP_WORD) return number >= 0 && number < 256 && tsr_op_word(param, (int)number) != NULL;
  if (param->most == 1) return number >= 0 && number <= UINT8_MAX;
  return param->most == 8 || (number >= INT32_MIN && number <= INT32_MAX);
}

static tsr_status bind_integer(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, int64_t *number) {
  if (attr->type == TSR_OP_TEXT && param->type >= TSR_OP_WORD) return bind_word(call, param, attr->value.text, number);
  if (attr->type != (param->type == TSR_OP_BOOL ? TSR_OP_BOOL : TSR_OP_INT))
    return tsr__op_refuse_type(call, param, attr);
  *number = attr->type == TSR_OP_BOOL ? attr->value.boolean : attr->value.integer;
  if (fits(param, *number)) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_ERANGE, call->op->name, param->name, "%l is out of range", *number);
}

static tsr_status bind_real(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot) {
  if (attr->type != TSR_OP_REAL && attr->type != TSR_OP_INT) return tsr__op_refuse_type(call, param, attr);
  slot->real = attr->type == TSR_OP_REAL ? attr->value.real : (tsr_real)attr->value.integer;
  slot->count = 1;
  return TSR_OK;
}

/* ---- one attribute ---- */

static tsr_status bind_value(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot) {
  switch (param->type) {
    case TSR_OP_REAL: return bind_real(call, param, attr, slot);
    case TSR_OP_INTS:
    case TSR_OP_AXES:
    case TSR_OP_REALS: return tsr__op_bind_list(call, param, attr, slot);
    case TSR_OP_TEXT:
    case TSR_OP_OBJECT:
    case TSR_OP_RNG: break;
    default: return bind_integer(call, param, attr, &slot->integer);
  }
  if (attr->type != param->type || (param->type == TSR_OP_OBJECT && attr->count != param->takes))
    return tsr__op_refuse_type(call, param, attr);
  if (param->type == TSR_OP_TEXT)
    slot->text = attr->value.text;
  else if (param->type == TSR_OP_OBJECT)
    slot->object = attr->value.object;
  else
    slot->rng = attr->value.rng;
  return TSR_OK;
}

tsr_status tsr__op_bind_attribute(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot) {
  for (int i = 0; i < call->attributes; i++)
    if (strcmp(call->attrs[i].name, param->name) == 0) return bind_value(call, param, &call->attrs[i], slot);
  if ((param->flags & TSR_OP_OPTIONAL) == 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, param->name, "is missing; it is %s", type_of_param(param));
  if (param->type == TSR_OP_REAL)
    slot->real = param->default_value.real;
  else if (param->type < TSR_OP_INTS)
    slot->integer = param->default_value.integer;
  else
    call->list = 0; /* an empty list */
  return TSR_OK;
}

const tsr_activation_kind *tsr__op_activation(const tsr__op_slot *slot) {
  static const tsr_activation_kind *const kinds[] = {
      NULL,        TSR_RELU,         TSR_LEAKY_RELU, TSR_ELU,      TSR_GELU, TSR_GELU_TANH, TSR_SILU,
      TSR_SIGMOID, TSR_HARD_SIGMOID, TSR_HARD_SWISH, TSR_SOFTPLUS, TSR_MISH, TSR_TANH,      TSR_CLIP};
  return kinds[slot->integer];
}

#endif
