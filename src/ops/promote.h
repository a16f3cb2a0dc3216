/* Which dtype several inputs become, and which one an op computes in. */
#ifndef TSR_OPS_PROMOTE_H
#define TSR_OPS_PROMOTE_H

#include "core/check.h"

/* What an op takes and gives, by the dtype that its inputs promote to. */
typedef enum tsr__rule {
  TSR__RULE_ANY,      /* bool, integers, floats; the result is of that dtype */
  TSR__RULE_ALL,      /* the same, and complex numbers */
  TSR__RULE_NUMBERS,  /* integers and floats */
  TSR__RULE_VALUES,   /* the same, and complex numbers */
  TSR__RULE_FLOATS,   /* bool and integers become floats */
  TSR__RULE_FLOATING, /* the same, and complex numbers */
  TSR__RULE_FORMAT,   /* as FLOATS, but the kernels are those of each float's own bits: nothing is computed in f32 */
  TSR__RULE_COMPARE,  /* bool, integers, floats; the result is bool */
  TSR__RULE_EQUAL,    /* the same, and complex numbers */
  TSR__RULE_TRUTH,    /* every dtype, read as "not 0"; the result is bool */
  TSR__RULE_BITS,     /* bool and integers */
  TSR__RULE_SHIFT,    /* integers */
  TSR__RULE_MOVE      /* every dtype: elements are moved, not computed */
} tsr__rule;

/* Whether a rule computes with complex numbers. */
static inline bool tsr__rule_has_complex(tsr__rule rule) {
  return rule == TSR__RULE_ALL || rule == TSR__RULE_VALUES || rule == TSR__RULE_FLOATING || rule == TSR__RULE_EQUAL;
}

/* The dtypes of one call. */
typedef struct tsr__dtypes {
  int compute; /* what the kernel reads */
  int result;  /* what the kernel writes */
  int out;     /* what the output holds */
} tsr__dtypes;

/* The float dtype of an op that gives floats: a float itself, and a complex dtype; f32 for bool and integers to 16 bits, else
 * f64 (f32 where there is no f64). */
int tsr__float_of(int dtype);

/* The dtype that arithmetic of a dtype is done in: f32 for the smaller floats, else itself. */
int tsr__compute_of(int dtype);

/* Promotes the inputs, from left to right, and applies the rule: TSR_EDTYPE, and the message names the inputs. */
tsr_status tsr__promote(tsr_ctx *ctx, const char *op, tsr__rule rule, int inputs, const tsr_tensor *const *in,
                        const char *const *names, tsr__dtypes *dtypes);

/* The dtype that inputs promote to, complex ones too: TSR_EDTYPE for bool and what the build does not compute with.
 * floats: bool and integers become floats. */
tsr_status tsr__promote_numbers(tsr_ctx *ctx, const char *op, bool floats, int inputs, const tsr_tensor *const *in,
                                const char *const *names, int *dtype);

#endif
