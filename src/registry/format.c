/* An op as a line of text. */
#include "core/text.h"
#include "registry/table.h"

#include <tessera/reduce.h>
#include <tessera/view.h>

#if TSR_HAVE_OPS

static const char *const types[] = {
    [TSR_OP_BOOL] = "bool",   [TSR_OP_INT] = "int",       [TSR_OP_AXIS] = "axis", [TSR_OP_REAL] = "real",
    [TSR_OP_DTYPE] = "dtype", [TSR_OP_LAYOUT] = "layout", [TSR_OP_INTS] = "ints", [TSR_OP_AXES] = "axes",
    [TSR_OP_REALS] = "reals", [TSR_OP_TEXT] = "text",     [TSR_OP_RNG] = "rng",
};

const char *tsr__op_object_name(int object) {
  static const char *const names[] = {"of no type", "packed", "conv_packed", "qlayer"};
  return names[object > 0 && object <= TSR_OBJECT_QLAYER ? object : 0];
}

static void put_words(tsr__text *text, const tsr_op_param *param) {
  const char *word;
  for (int i = 0; (word = tsr_op_word(param, i)) != NULL; i++) tsr__text_format(text, i == 0 ? "%s" : "|%s", word);
}

/* "[2]", "[1..2]"; nothing where any number is right. */
static void put_count(tsr__text *text, const tsr_op_param *param) {
  if (param->type != TSR_OP_INTS && param->type != TSR_OP_REALS && param->type != TSR_OP_AXES) return;
  if (param->most == TSR_OP_RANK) tsr__text_string(text, "[rank]");
  if (param->most >= TSR_OP_AS_BEFORE || param->type == TSR_OP_AXES) return;
  if (param->least == param->most)
    tsr__text_format(text, "[%d]", (int)param->most);
  else
    tsr__text_format(text, "[%d..%d]", (int)param->least, (int)param->most);
}

/* Whether 0 stands for something that the field of the options explains. */
static bool is_default_of_options(const tsr_op_param *param) {
  return (param->flags & TSR_OP_FIELD) != 0 && param->takes == 0 &&
         (param->type == TSR_OP_INT || param->type == TSR_OP_REAL || param->type == TSR_OP_INTS ||
          param->type == TSR_OP_REALS);
}

static void put_default(tsr__text *text, const tsr_op_param *param) {
  const int64_t number = param->default_value.integer;
  if (is_default_of_options(param)) {
    tsr__text_string(text, "default");
    return;
  }
  switch (param->type) {
    case TSR_OP_BOOL: tsr__text_string(text, number != 0 ? "true" : "false"); break;
    case TSR_OP_REAL:
      if (param->default_value.real == param->default_value.real)
        tsr__text_real(text, param->default_value.real);
      else
        tsr__text_string(text, "none");
      break;
    case TSR_OP_WORD: tsr__text_string(text, tsr_op_word(param, (int)number)); break;
    case TSR_OP_DTYPE: tsr__text_string(text, tsr_dtype_name((int)number)); break;
    case TSR_OP_LAYOUT: tsr__text_string(text, number == TSR_AUTO ? "auto" : tsr_layout_name((int)number)); break;
    case TSR_OP_INT:
    case TSR_OP_AXIS:
      if (number == TSR_ALL_AXES && param->type == TSR_OP_AXIS)
        tsr__text_string(text, "all");
      else if (number == TSR_OMIT)
        tsr__text_string(text, "omit");
      else
        tsr__text_i64(text, number);
      break;
    case TSR_OP_AXES: tsr__text_string(text, "all"); break;
    default: tsr__text_string(text, "none"); break;
  }
}

static void put_param(tsr__text *text, const tsr_op_param *param) {
  tsr__text_string(text, param->name);
  if (param->role != TSR_OP_ATTRIBUTE) {
    if (param->type == TSR_OP_TENSORS) tsr__text_string(text, "...");
    if ((param->flags & TSR_OP_OPTIONAL) != 0) tsr__text_char(text, '?');
    return;
  }
  tsr__text_string(text, ": ");
  if (param->type == TSR_OP_WORD)
    put_words(text, param);
  else
    tsr__text_string(text, param->type == TSR_OP_OBJECT ? tsr__op_object_name(param->takes) : types[param->type]);
  put_count(text, param);
  if ((param->flags & TSR_OP_OPTIONAL) == 0) return;
  tsr__text_string(text, " = ");
  put_default(text, param);
}

static void put_role(tsr__text *text, const tsr_op *op, int role, bool first) {
  const tsr_op_param *param;
  for (int i = 0; (param = tsr_op_param_at(op, role, i)) != NULL; i++) {
    if (!first || i > 0) tsr__text_string(text, ", ");
    put_param(text, param);
  }
}

size_t tsr_op_format(const tsr_op *op, char *at, size_t capacity) {
  tsr__text text;
  tsr__text_init(&text, at, capacity);
  if (op == NULL) return 0;
  tsr__text_format(&text, "%s(", op->name);
  put_role(&text, op, TSR_OP_INPUT, true);
  put_role(&text, op, TSR_OP_ATTRIBUTE, tsr_op_param_at(op, TSR_OP_INPUT, 0) == NULL);
  tsr__text_string(&text, ") -> ");
  put_role(&text, op, TSR_OP_OUTPUT, true);
  return text.length;
}

/* ---- dtypes ---- */

enum { INTEGERS = 1 << TSR_CLASS_INT | 1 << TSR_CLASS_UINT };

static void put_classes(tsr__text *text, unsigned classes) {
  static const struct {
    unsigned bits;
    const char *name;
  } parts[] = {{1 << TSR_CLASS_BOOL, "bool"},
               {INTEGERS, "integers"},
               {1 << TSR_CLASS_FLOAT, "floats"},
               {1 << TSR_CLASS_COMPLEX, "complex"}};
  const size_t start = text->length;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if ((classes & parts[i].bits) != 0) tsr__text_format(text, text->length == start ? "%s" : ", %s", parts[i].name);
}

static const char *const gives[] = {
    [TSR_GIVES_SAME] = "the same", [TSR_GIVES_FLOAT] = "float", [TSR_GIVES_SUM] = "sum",
    [TSR_GIVES_BOOL] = "bool",     [TSR_GIVES_INDEX] = "index", [TSR_GIVES_DTYPE] = "dtype",
    [TSR_GIVES_OTHER] = "other",   [TSR_GIVES_REAL] = "real",   [TSR_GIVES_REAL_FLOAT] = "real float",
};

size_t tsr_op_format_dtypes(const tsr_op *op, char *at, size_t capacity) {
  tsr__text text;
  tsr__text_init(&text, at, capacity);
  const tsr_op_param *param;
  if (op == NULL) return 0;
  put_classes(&text, op->takes);
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_INPUT, i)) != NULL; i++) {
    if (param->takes == 0) continue;
    tsr__text_format(&text, text.length == 0 ? "%s " : "; %s ", param->name);
    put_classes(&text, param->takes);
  }
  if (text.length > 0) tsr__text_char(&text, ' ');
  tsr__text_string(&text, "-> ");
  for (int i = 0; (param = tsr_op_param_at(op, TSR_OP_OUTPUT, i)) != NULL; i++)
    tsr__text_format(&text, i == 0 ? "%s" : ", %s", gives[param->takes != 0 ? param->takes : op->gives]);
  return text.length;
}

#endif
