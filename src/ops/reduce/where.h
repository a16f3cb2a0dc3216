/* Reductions over some of the elements: a copy in which the others change nothing, and then the reduction of it. */
#ifndef TSR_OPS_REDUCE_WHERE_H
#define TSR_OPS_REDUCE_WHERE_H

#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

typedef struct tsr__where {
  const tsr_tensor *x;
  tsr_tensor mask;         /* over x's shape */
  bool masked;             /* there is one */
  bool skip_nan;           /* and x may have some */
  tsr_selection selection; /* its where is not to be read: the mask is an operand */
  /* By tsr__where_begin: the element for what does not count, and the initial one as a value of the kernel. */
  _Alignas(16) unsigned char fill[16], initial[16];
} tsr__where;

/* Whether the selection fits x: the operands of the call are x and the mask. */
tsr_status tsr__where_check(tsr__call *call, const tsr_selection *selection, tsr__where *where);

/* Whether some elements may not count, so that there is a copy. */
static inline bool tsr__where_filters(const tsr__where *where) { return where->masked || where->skip_nan; }

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
tsr_status tsr__where_room(tsr__call *call, const tsr__where *where, int dtype, tsr_tensor *copy);

/* The reduction that counts: of bools, a copy of x as bool that TSR__TAKE_ONE fills, into numbers of dtype (real or
 * i64). */
tsr__reduce tsr__where_counting(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *bools, int dtype);

/* In a frame: an op without attributes of its own, whose info has that of the op over all elements as its kernels. */
tsr_status tsr__selected(tsr__call *call);

/* Its checks, and what follows them. */
tsr_status tsr__where_begin(tsr__call *call, tsr__reduce *r, tsr__where *where);
tsr_status tsr__where_call(tsr__call *call, const tsr__where *where, const tsr__reduce *r);

/* The least or greatest number of a compute dtype, in element. */
void tsr__where_limit(int dtype, bool max, void *element);

/* The op over some elements of an op, and its public function. */
#define TSR__WHERE_FUNCTION(name, run)                                                                              \
  TSR__OP_ROW(name##_where, selected, run, &tsr__op_##name, 0)                                                      \
  tsr_status tsr_##name##_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int naxes,       \
                                const int *axes, bool keepdims, tsr_tensor *out) {                                  \
    return TSR__CALL(name##_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection, \
                     .axes = axes, .axes_count = naxes, .keepdims = keepdims);                                      \
  }
#define TSR__WHERE_INPUTS(x, selection) TSR__INPUTS(x, (selection) != NULL ? (selection)->where : NULL)

#endif
