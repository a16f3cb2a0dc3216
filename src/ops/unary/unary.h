/* The unary ops: which there are, their kernels, and what they do around them. */
#ifndef TSR_OPS_UNARY_H
#define TSR_OPS_UNARY_H

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"

/* Kernels by the dtype that they read; NULL: none. Their argument is NULL or the attribute, a tsr_real. */
#define UNARY_EACH(op, ...) TSR__DECLARE_KERNELS(op)
#include "ops/unary/rows.def"
TSR__DECLARE_KERNELS(leaky_relu)
TSR__DECLARE_KERNELS(elu)
TSR__DECLARE_KERNELS(celu)

/* What an op takes and gives. */
typedef enum tsr__unary_kind {
  TSR__UNARY_OWN,        /* numbers, in their own dtype */
  TSR__UNARY_VALUE,      /* the same, and complex numbers */
  TSR__UNARY_SIZE,       /* the same; of complex numbers a real one */
  TSR__UNARY_FLOAT,      /* a float of a float; integers become one */
  TSR__UNARY_FLOATING,   /* the same, and complex numbers */
  TSR__UNARY_ANGLE,      /* the same; of complex numbers a real one */
  TSR__UNARY_BITWISE,    /* integers and bool, in their own dtype */
  TSR__UNARY_FLOAT_TEST, /* anything; bool of how it looks as a float */
  TSR__UNARY_TEST        /* anything; bool of it in its own dtype */
} tsr__unary_kind;

/* What the info of an op has as its kernels. */
typedef struct tsr__unary_op {
  const tsr__op_info *info;
  tsr__unary_kind kind;
  tsr_index grain; /* elements worth a thread */
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
} tsr__unary_op;

/* The fast path of small calls, or the frame. attrs: the op's; attribute: the one among them, or NULL. */
tsr_status tsr__unary_run(tsr_ctx *ctx, const tsr__unary_op *op, const tsr_tensor *x, const void *attrs,
                          const tsr_real *attribute, tsr_tensor *out);

/* In a frame: the op without an attribute, and with one. */
tsr_status tsr__unary(tsr__call *call);
tsr_status tsr__unary_with(tsr__call *call, tsr_real attribute);

#endif
