/* Arithmetic of numbers that stand in the text: 64-bit integers and double, as Python has it; what overflows is refused. */
#include "expr/lower.h"

#include <math.h>

#if TSR_HAVE_OPS

static tsr_status refuse_overflow(const tsr__expr_source *s, const tsr__expr_node *node) {
  return TSR__EXPR_FAIL(s, TSR_ERANGE, node->column,
                        "the whole number does not fit 64 bits; with a point (2.0) it is a double");
}

static void put_int(tsr__expr_value *out, int64_t whole) {
  out->kind = TSR__VALUE_INT;
  out->whole = whole;
}
static void put_bool(tsr__expr_value *out, bool truth) {
  out->kind = TSR__VALUE_BOOL;
  out->whole = truth;
}
static void put_real(tsr__expr_value *out, double real) {
  out->kind = TSR__VALUE_REAL;
  out->real = real;
}

static bool truth_of(const tsr__expr_value *v) { return v->kind == TSR__VALUE_REAL ? v->real != 0 : v->whole != 0; }

/* ---- whole numbers ---- */

static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

/* base to the power exponent ≥ 0; false: too large. */
static bool int_power(int64_t base, int64_t exponent, int64_t *power) {
  *power = 1;
  for (;;) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(*power, base, power)) return false;
    exponent >>= 1;
    if (exponent == 0) return true;
    if (__builtin_mul_overflow(base, base, &base)) return false;
  }
}

static tsr_status fold_division(const tsr__expr_source *s, const tsr__expr_node *node, int64_t a, int64_t b,
                                tsr__expr_value *out) {
  if (b == 0) return TSR__EXPR_FAIL(s, TSR_ERANGE, node->column, "a whole number divided by 0");
  if (b == -1) { /* where the least number would overflow */
    int64_t negated;
    if (node->which == TSR__FLOOR_DIVIDE && __builtin_sub_overflow((int64_t)0, a, &negated))
      return refuse_overflow(s, node);
    put_int(out, node->which == TSR__FLOOR_DIVIDE ? negated : 0);
    return TSR_OK;
  }
  const int64_t quotient = floor_quotient(a, b);
  put_int(out, node->which == TSR__FLOOR_DIVIDE ? quotient : a - quotient * b);
  return TSR_OK;
}

static tsr_status fold_shift(const tsr__expr_source *s, const tsr__expr_node *node, int64_t a, int64_t b,
                             tsr__expr_value *out) {
  if (b < 0 || b > 63) return TSR__EXPR_FAIL(s, TSR_ERANGE, node->column, "a shift by %l; it can be 0 ... 63", b);
  if (node->which == TSR__SHIFT_RIGHT) {
    put_int(out, a >> b);
    return TSR_OK;
  }
  const int64_t shifted = (int64_t)((uint64_t)a << b);
  if (shifted >> b != a) return refuse_overflow(s, node);
  put_int(out, shifted);
  return TSR_OK;
}

static tsr_status fold_ints(const tsr__expr_source *s, const tsr__expr_node *node, const tsr__expr_value *x,
                            const tsr__expr_value *y, tsr__expr_value *out) {
  const int64_t a = x->whole, b = y->whole;
  int64_t result = 0;
  bool fits = true;
  switch (node->which) {
    case TSR__ADD: fits = !__builtin_add_overflow(a, b, &result); break;
    case TSR__SUB: fits = !__builtin_sub_overflow(a, b, &result); break;
    case TSR__MUL: fits = !__builtin_mul_overflow(a, b, &result); break;
    case TSR__BIT_OR: result = a | b; break;
    case TSR__BIT_XOR: result = a ^ b; break;
    case TSR__BIT_AND: result = a & b; break;
    case TSR__SHIFT_LEFT:
    case TSR__SHIFT_RIGHT: return fold_shift(s, node, a, b, out);
    case TSR__FLOOR_DIVIDE:
    case TSR__REMAINDER: return fold_division(s, node, a, b, out);
    case TSR__DIV: put_real(out, (double)a / (double)b); return TSR_OK;
    case TSR__POW:
      if (b < 0) {
        put_real(out, pow((double)a, (double)b));
        return TSR_OK;
      }
      fits = int_power(a, b, &result);
      break;
    default: return TSR__EXPR_FAIL(s, TSR_EUNSUPPORTED, node->column, "numbers alone do not have this operator");
  }
  if (!fits) return refuse_overflow(s, node);
  put_int(out, result);
  const bool bits = node->which >= TSR__BIT_OR && node->which <= TSR__BIT_AND;
  if (bits && x->kind == TSR__VALUE_BOOL && y->kind == TSR__VALUE_BOOL) out->kind = TSR__VALUE_BOOL;
  return TSR_OK;
}

/* ---- any ---- */

static double floor_remainder(double a, double b) {
  const double rest = fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

static tsr_status fold_reals(const tsr__expr_source *s, const tsr__expr_node *node, double a, double b,
                             tsr__expr_value *out) {
  switch (node->which) {
    case TSR__ADD: put_real(out, a + b); return TSR_OK;
    case TSR__SUB: put_real(out, a - b); return TSR_OK;
    case TSR__MUL: put_real(out, a * b); return TSR_OK;
    case TSR__DIV: put_real(out, a / b); return TSR_OK;
    case TSR__FLOOR_DIVIDE: put_real(out, floor(a / b)); return TSR_OK;
    case TSR__REMAINDER: put_real(out, floor_remainder(a, b)); return TSR_OK;
    case TSR__POW: put_real(out, pow(a, b)); return TSR_OK;
    default: return TSR__EXPR_FAIL(s, TSR_EDTYPE, node->column, "numbers with a point do not have this operator");
  }
}

/* -1, 0, 1; 2 where one is NaN. Whole numbers are compared as such: 2**53 + 1 is not 2**53. */
static int order_of(const tsr__expr_value *x, const tsr__expr_value *y) {
  if (x->kind != TSR__VALUE_REAL && y->kind != TSR__VALUE_REAL) return (x->whole > y->whole) - (x->whole < y->whole);
  const double a = tsr__value_real(x), b = tsr__value_real(y);
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}

static bool fold_comparison(int op, int order) {
  switch (op) {
    case TSR__EQ: return order == 0;
    case TSR__NE: return order != 0;
    case TSR__LT: return order == -1;
    case TSR__LE: return order == -1 || order == 0;
    case TSR__GT: return order == 1;
    default: return order == 1 || order == 0;
  }
}

static tsr_status fold_one(const tsr__expr_source *s, const tsr__expr_node *node, const tsr__expr_value *a,
                           tsr__expr_value *out) {
  if (node->which == TSR__NOT) {
    put_bool(out, !truth_of(a));
  } else if (a->kind == TSR__VALUE_REAL) {
    if (node->which == TSR__BIT_NOT) return TSR__EXPR_FAIL(s, TSR_EDTYPE, node->column, "~ of a number with a point");
    put_real(out, node->which == TSR__NEGATE ? -a->real : a->real);
  } else {
    int64_t result = node->which == TSR__BIT_NOT ? ~a->whole : a->whole;
    if (node->which == TSR__NEGATE && __builtin_sub_overflow((int64_t)0, a->whole, &result))
      return refuse_overflow(s, node);
    put_int(out, result);
  }
  return TSR_OK;
}

tsr_status tsr__expr_fold(const tsr__expr_source *s, const tsr__expr_node *node, const tsr__expr_value *a,
                          const tsr__expr_value *b, tsr__expr_value *out) {
  if (b == NULL) return fold_one(s, node, a, out);
  if (tsr__is_comparison(node->which)) {
    put_bool(out, fold_comparison(node->which, order_of(a, b)));
    return TSR_OK;
  }
  if (node->which == TSR__AND || node->which == TSR__OR) {
    put_bool(out, node->which == TSR__AND ? truth_of(a) && truth_of(b) : truth_of(a) || truth_of(b));
    return TSR_OK;
  }
  if (a->kind != TSR__VALUE_REAL && b->kind != TSR__VALUE_REAL) return fold_ints(s, node, a, b, out);
  return fold_reals(s, node, tsr__value_real(a), tsr__value_real(b), out);
}

#endif
