/* The table of ops. The build writes it from the ops.def of every family, as plain C (cmake/op_table.cmake): how each op is
 * called, its parameters, its row. The compiler holds a row to the prototype: a parameter of another type or in another place
 * does not compile. */
#include "registry/table.h"

#if TSR_HAVE_OPS

#include <math.h>
#include <string.h>
#include <tessera/tessera.h>

/* The dtypes of inputs, by the names that rows have for them. */
enum {
  TSR__TAKES_NOTHING = 0,
  TSR__TAKES_BOOL = 1 << TSR_CLASS_BOOL,
  TSR__TAKES_INTEGERS = 1 << TSR_CLASS_INT | 1 << TSR_CLASS_UINT,
  TSR__TAKES_FLOATS = 1 << TSR_CLASS_FLOAT,
  TSR__TAKES_COMPLEX = 1 << TSR_CLASS_COMPLEX,
  TSR__TAKES_MASKS = TSR__TAKES_BOOL | TSR__TAKES_FLOATS,
  TSR__TAKES_BITS = TSR__TAKES_BOOL | TSR__TAKES_INTEGERS,
  TSR__TAKES_NUMBERS = TSR__TAKES_INTEGERS | TSR__TAKES_FLOATS,
  TSR__TAKES_VALUES = TSR__TAKES_NUMBERS | TSR__TAKES_COMPLEX,
  TSR__TAKES_REALS = TSR__TAKES_BOOL | TSR__TAKES_NUMBERS,
  TSR__TAKES_ALL = TSR__TAKES_REALS | TSR__TAKES_COMPLEX
};

#include "tsr_op_briefs.h" /* written by the build: the beginning of every function's comment */
#include "tsr_op_table.c"  /* written by the build: tsr__op_words, tsr__op_kinds, tsr__op_table, briefs, brief_at */

const int tsr__op_table_count = sizeof tsr__op_table / sizeof tsr__op_table[0];
_Static_assert(sizeof tsr__op_table / sizeof tsr__op_table[0] <= 512, "find.c: half of its slots are free");

const char *tsr__op_brief(const tsr_op *op) { return (const char *)&briefs + brief_at[op - tsr__op_table]; }

#endif
