/* Reductions over some of the elements: a copy in which the others change nothing, and then the reduction of it. */
#ifndef TSR_OPS_REDUCE_WHERE_H
#define TSR_OPS_REDUCE_WHERE_H

#include "ops/reduce/real.h"

#include <tessera/reduce_where.h>

typedef struct tsr__where {
  const char      *op;
  const tsr_tensor *x;
  tsr_tensor        mask;   /* over x's shape */
  bool              masked; /* there is one */
  bool              skip_nan; /* and x may have some */
  tsr_selection     selection;
} tsr__where;

/* Whether the selection fits x, which is checked. */
tsr_status tsr__where_check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_selection *selection,
                            tsr__where *where);

/* What goes into the copy for an element that is chosen, or for any. */
typedef enum tsr__where_take {
  TSR__TAKE_ELEMENT,  /* it, converted */
  TSR__TAKE_ONE,      /* 1; the copy is bool */
  TSR__TAKE_DEVIATION /* its difference from a mean; the copy is real */
} tsr__where_take;

/* Fills copy, which has x's shape and no gaps: what is taken where an element is chosen, else fill, one element of
 * copy's dtype. mean is NULL, or real and over x's shape. */
void tsr__where_fill(const tsr_ctx *ctx, const tsr__where *where, tsr__where_take take, const tsr_tensor *mean,
                     const void *fill, const tsr_tensor *copy);

/* Temporary memory for a copy of x in dtype. */
tsr_status tsr__where_room(tsr_ctx *ctx, const tsr__where *where, int dtype, tsr__scratch *scratch, tsr_tensor *copy);

/* Runs r, whose x and dtypes are set, over a copy of x with fill; with initial where the selection has one and the op
 * takes it. */
tsr_status tsr__where_run(tsr_ctx *ctx, const tsr__where *where, const tsr__reduce *r, const void *fill, bool initial,
                          tsr_tensor *out);

/* How many elements are chosen for every result, as dtype (real or i64), into numbers in temporary memory that has the
 * result's shape. bools is room for a copy of x as bool. */
tsr_status tsr__where_count(tsr_ctx *ctx, const tsr__where *where, const tsr__reduce *r, tsr_tensor bools,
                            const tsr_tensor *numbers);

/* The least or greatest number of a compute dtype, in element. */
void tsr__where_limit(int dtype, bool greatest, void *element);

#endif
