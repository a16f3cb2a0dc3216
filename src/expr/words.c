/* Names that mean something by themselves: constants, dtypes, ops, and what NumPy calls them. */
#include "core/suggest.h"
#include "expr/expr.h"

#include <string.h>

#if TSR_HAVE_OPS

typedef struct alias {
  char numpy[16], ours[16];
} alias;

static const alias op_aliases[] = {
    {"absolute", "abs"},
    {"amax", "max"},
    {"amin", "min"},
    {"arccos", "acos"},
    {"arccosh", "acosh"},
    {"arcsin", "asin"},
    {"arcsinh", "asinh"},
    {"arctan", "atan"},
    {"arctan2", "atan2"},
    {"arctanh", "atanh"},
    {"astype", "cast"},
    {"clip", "clamp"},
    {"concatenate", "concat"},
    {"divide", "div"},
    {"equal", "eq"},
    {"expand_dims", "unsqueeze"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"invert", "bitwise_not"},
    {"left_shift", "shift_left"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"mod", "remainder"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"not_equal", "ne"},
    {"power", "pow"},
    {"ravel", "flatten"},
    {"right_shift", "shift_right"},
    {"rint", "round"},
    {"subtract", "sub"},
    {"swapaxes", "transpose"},
    {"true_divide", "div"},
};

static const alias dtype_aliases[] = {
    {"bool_", "bool"},  {"complex128", "c128"}, {"complex64", "c64"}, {"float16", "f16"},
    {"float32", "f32"}, {"float64", "f64"},     {"int16", "i16"},     {"int32", "i32"},
    {"int64", "i64"},   {"int8", "i8"},         {"uint16", "u16"},    {"uint32", "u32"},
    {"uint64", "u64"},  {"uint8", "u8"},        {"float", "f64"},     {"int", "i64"},
};

static const char *ours(const alias *aliases, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (aliases[i].numpy[0] == word[0] && strcmp(aliases[i].numpy, word) == 0) return aliases[i].ours;
  return word;
}

int tsr__expr_dtype(const char *word) {
  const int dtype = tsr_dtype_find(ours(dtype_aliases, sizeof dtype_aliases / sizeof dtype_aliases[0], word));
  return tsr_dtype_size(dtype) > 0 ? dtype : TSR_NONE;
}

const tsr_op *tsr__expr_op(const char *word) {
  const tsr_op *const op = tsr_op_find(word);
  return op != NULL ? op : tsr_op_find(ours(op_aliases, sizeof op_aliases / sizeof op_aliases[0], word));
}

bool tsr__expr_constant(const char *word, tsr__expr_node *node) {
  static const struct {
    char word[6];
    uint8_t kind;
    double value;
  } constants[] = {{"pi", TSR__NODE_REAL, 3.14159265358979323846},
                   {"inf", TSR__NODE_REAL, (double)__builtin_inff()},
                   {"nan", TSR__NODE_REAL, (double)__builtin_nanf("")},
                   {"True", TSR__NODE_BOOL, 1},
                   {"False", TSR__NODE_BOOL, 0},
                   {"None", TSR__NODE_NONE, 0}};
  for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
    if (constants[i].word[0] != word[0] || strcmp(constants[i].word, word) != 0) continue;
    node->kind = constants[i].kind;
    if (node->kind == TSR__NODE_REAL)
      node->real = constants[i].value;
    else
      node->whole = (int64_t)constants[i].value;
    return true;
  }
  const int dtype = tsr__expr_dtype(word);
  if (dtype == TSR_NONE) return false;
  node->kind = TSR__NODE_DTYPE;
  node->whole = dtype;
  return true;
}

tsr_status tsr__expr_no_op(const tsr__expr_source *s, tsr__expr_span span) {
  char word[TSR__EXPR_WORD];
  tsr__suggestion suggestion;
  tsr__expr_word(s, span, word);
  tsr__suggest_init(&suggestion, word);
  for (int i = 0; i < tsr_op_count(); i++) tsr__suggest_offer(&suggestion, tsr_op_at(i)->name);
  for (size_t i = 0; i < sizeof op_aliases / sizeof op_aliases[0]; i++)
    tsr__suggest_offer(&suggestion, op_aliases[i].numpy);
  if (suggestion.found == NULL) return TSR__EXPR_FAIL(s, TSR_ENAME, span.begin, "there is no op '%s'", word);
  return TSR__EXPR_FAIL(s, TSR_ENAME, span.begin, "there is no op '%s'; did you mean '%s'?", word, suggestion.found);
}

#endif
