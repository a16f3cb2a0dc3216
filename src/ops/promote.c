/* Type promotion: the array-API table, and "an integer with a float gives the float". */
#include "ops/promote.h"

#include <tessera/binary.h>

static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }
static bool is_integer(int dtype) { return class_of(dtype) == TSR_CLASS_INT || class_of(dtype) == TSR_CLASS_UINT; }
static int widest_float(void) { return TSR_HAVE_F64 ? TSR_F64 : TSR_F32; }

/* ---- two dtypes ---- */

/* The smallest signed integer that holds both; no integer holds u64 and a sign. */
static int promote_signs(int with_sign, int without) {
  const size_t room = 2 * tsr_dtype_size(without), own = tsr_dtype_size(with_sign);
  switch (room > own ? room : own) {
    case 2: return TSR_I16;
    case 4: return TSR_I32;
    case 8: return TSR_I64;
    default: return widest_float();
  }
}

static int promote_integers(int a, int b) {
  if (class_of(a) == class_of(b)) return tsr_dtype_size(a) >= tsr_dtype_size(b) ? a : b;
  return class_of(a) == TSR_CLASS_INT ? promote_signs(a, b) : promote_signs(b, a);
}

/* Two different floats: the larger one, which holds the other exactly; of two that are equally large, neither does. */
static int promote_floats(int a, int b) {
  if (tsr_dtype_size(a) == tsr_dtype_size(b)) return TSR_F32;
  return tsr_dtype_size(a) > tsr_dtype_size(b) ? a : b;
}

static int promote_complex(int a, int b) {
  const bool wide = a == TSR_C128 || b == TSR_C128 || a == TSR_F64 || b == TSR_F64;
  return wide ? TSR_C128 : TSR_C64;
}

static int promote_two(int a, int b) {
  if (tsr_dtype_size(a) == 0 || tsr_dtype_size(b) == 0) return TSR_NONE;
  if (a == b || b == TSR_BOOL) return a;
  if (a == TSR_BOOL) return b;
  if (class_of(a) == TSR_CLASS_COMPLEX || class_of(b) == TSR_CLASS_COMPLEX) return promote_complex(a, b);
  if (is_integer(a)) return is_integer(b) ? promote_integers(a, b) : b;
  return is_integer(b) ? a : promote_floats(a, b);
}

int tsr_dtype_promote(int a, int b) { return promote_two(a, b); }

/* ---- one op ---- */

int tsr__float_of(int dtype) {
  if (class_of(dtype) == TSR_CLASS_FLOAT || class_of(dtype) == TSR_CLASS_COMPLEX) return dtype;
  return tsr_dtype_size(dtype) <= 2 ? TSR_F32 : widest_float();
}

int tsr__compute_of(int dtype) { return class_of(dtype) == TSR_CLASS_FLOAT && dtype != TSR_F64 ? TSR_F32 : dtype; }

/* Why a rule refuses complex numbers. */
static const char *complex_objection(tsr__rule rule) {
  switch (rule) {
    case TSR__RULE_BITS:
    case TSR__RULE_SHIFT: return "complex numbers have no bits here";
    case TSR__RULE_ANY:
    case TSR__RULE_EQUAL:
    case TSR__RULE_COMPARE: return "complex numbers have no order; take their parts or abs";
    default: return "only for real numbers; see tsr_complex_part";
  }
}

/* Why a rule refuses a dtype; NULL when it takes it. */
static const char *objection(tsr__rule rule, int dtype) {
  const int class = class_of(dtype);
  if (rule == TSR__RULE_MOVE || rule == TSR__RULE_TRUTH) return NULL;
  if (class == TSR_CLASS_COMPLEX) return tsr__rule_has_complex(rule) ? NULL : complex_objection(rule);
  if (class == TSR_CLASS_BOOL && (rule == TSR__RULE_NUMBERS || rule == TSR__RULE_VALUES || rule == TSR__RULE_SHIFT))
    return "bool is no number here; cast it, or use a logical op";
  if (class == TSR_CLASS_FLOAT && (rule == TSR__RULE_BITS || rule == TSR__RULE_SHIFT))
    return "floats have no bits here";
  return NULL;
}

static tsr_status refuse(tsr_ctx *ctx, const char *op, int inputs, const tsr_tensor *const *in,
                         const char *const *names, const char *why) {
  if (inputs == 1) return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%s is %y: %s", names[0], (int)in[0]->dtype, why);
  if (inputs == 2)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%s is %y, %s is %y: %s", names[0], (int)in[0]->dtype, names[1],
                     (int)in[1]->dtype, why);
  return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "%s is %y, %s is %y, %s is %y: %s", names[0], (int)in[0]->dtype, names[1],
                   (int)in[1]->dtype, names[2], (int)in[2]->dtype, why);
}

static tsr__dtypes apply(tsr__rule rule, int dtype) {
  switch (rule) {
    case TSR__RULE_TRUTH: return (tsr__dtypes){TSR_BOOL, TSR_BOOL, TSR_BOOL};
    case TSR__RULE_MOVE: return (tsr__dtypes){dtype, dtype, dtype};
    case TSR__RULE_FORMAT: dtype = tsr__float_of(dtype); return (tsr__dtypes){dtype, dtype, dtype};
    case TSR__RULE_EQUAL:
    case TSR__RULE_COMPARE: return (tsr__dtypes){tsr__compute_of(dtype), TSR_BOOL, TSR_BOOL};
    default: break;
  }
  const bool floats = rule == TSR__RULE_FLOATS || rule == TSR__RULE_FLOATING;
  const int out = floats ? tsr__float_of(dtype) : dtype;
  return (tsr__dtypes){tsr__compute_of(out), tsr__compute_of(out), out};
}

tsr_status tsr__promote(tsr_ctx *ctx, const char *op, tsr__rule rule, int inputs, const tsr_tensor *const *in,
                        const char *const *names, tsr__dtypes *dtypes) {
  int dtype = in[0]->dtype;
  bool converts = false;
  for (int k = 0; k < inputs; k++) {
    dtype = promote_two(dtype, in[k]->dtype);
    converts = converts || in[k]->dtype != in[0]->dtype;
  }
  const char *why = objection(rule, dtype);
  for (int k = 0; k < inputs && why == NULL; k++)
    if ((rule != TSR__RULE_MOVE || converts) && !tsr_dtype_supported(in[k]->dtype))
      why = "this build does not compute with one of them";
  if (why != NULL) return refuse(ctx, op, inputs, in, names, why);
  *dtypes = apply(rule, dtype);
  return TSR_OK;
}
