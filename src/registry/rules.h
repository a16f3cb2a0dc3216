/* What the rules of the elementwise families (ops/promote.h, ops/unary/unary.h) mean in the table of ops. */
#ifndef TSR_REGISTRY_RULES_H
#define TSR_REGISTRY_RULES_H

#include "ops/binary/binary.h"
#include "ops/promote.h"
#include "ops/ternary/ternary.h"
#include "ops/unary/unary.h"
#include "registry/rows.h"

/* rule, takes, gives */
#define TSR__OP_RULES(X)           \
  X(ANY, REALS, SAME)              \
  X(NUMBERS, NUMBERS, SAME)        \
  X(FLOATS, REALS, FLOAT)          \
  X(FORMAT, REALS, FLOAT)          \
  X(COMPARE, REALS, BOOL)          \
  X(TRUTH, ALL, BOOL)              \
  X(BITS, BITS, SAME)              \
  X(SHIFT, INTEGERS, SAME)         \
  X(MOVE, ALL, SAME)               \
  X(UNARY_OWN, NUMBERS, SAME)      \
  X(UNARY_FLOAT, REALS, FLOAT)     \
  X(UNARY_BITWISE, BITS, SAME)     \
  X(UNARY_FLOAT_TEST, REALS, BOOL) \
  X(UNARY_TEST, REALS, BOOL)

/* As columns of a row: LIKE(add, binary, RULE_ANY, RULE_ANY). */
enum {
#define X(rule, takes, gives) TSR__TAKES_RULE_##rule = TSR__TAKES_##takes, TSR__GIVES_RULE_##rule = TSR__GIVES_##gives,
  TSR__OP_RULES(X)
#undef X
};

/* The rule of an op with two or three inputs, and of its form with a number: OF_add, WITH_add. */
enum {
#define OF_ROW(op, rule, ...) TSR__TAKES_OF_##op = TSR__TAKES_RULE_##rule, TSR__GIVES_OF_##op = TSR__GIVES_RULE_##rule,
#define BINARY_EACH OF_ROW
#define TERNARY_EACH OF_ROW
#include "ops/binary/rows.def"
#include "ops/ternary/rows.def"
#undef OF_ROW
#define FLOATS_OR(op, rule, kind) (TSR__RULE_##rule == TSR__RULE_FLOATS ? (int)kind##_RULE_FLOATS : (int)kind##_OF_##op)
#define SCALAR(op, rule) \
  TSR__TAKES_WITH_##op = FLOATS_OR(op, rule, TSR__TAKES), TSR__GIVES_WITH_##op = FLOATS_OR(op, rule, TSR__GIVES),
#include "ops/binary/numbers.def"
#undef FLOATS_OR
};

#endif
