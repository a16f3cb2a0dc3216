/* What every elementwise op does around its kernel: broadcasting, the output, overlap, conversion, threads. */
#ifndef TSR_OPS_ELEMENTWISE_H
#define TSR_OPS_ELEMENTWISE_H

#include "core/check.h"
#include "cpu/iterate.h"

/* An op that is about to run. Inputs are checked (tsr__check_input). The kernel is a tsr__row_fn: at[0] is the output, at[1]
 * and on the inputs; every input has dtype compute, the output has dtype result. */
typedef struct tsr__elementwise {
  const char       *op;
  int               inputs; /* 1 … 3 */
  const tsr_tensor *in[TSR__MAX_OPERANDS - 1];
  int               compute;   /* the dtype that the kernel reads */
  int               result;    /* the dtype that the kernel writes */
  int               out_dtype; /* the dtype of the output: result, or a narrower one of its kind (f16 of f32) */
  tsr__row_fn      *kernel;
  void             *arg;   /* the kernel's first argument */
  tsr_index         grain; /* elements worth a thread; 0: TSR__GRAIN_LIGHT */
} tsr__elementwise;

/* What one thread should at least do: for ops that only move memory, and for those that compute. */
#define TSR__GRAIN_LIGHT 32768
#define TSR__GRAIN_HEAVY 4096

/* The shape that inputs broadcast to: TSR_ESHAPE, and the message names the axis and both lengths. names are the arguments'. */
tsr_status tsr__broadcast_shape(tsr_ctx *ctx, const char *op, int inputs, const tsr_tensor *const *in,
                                const char *const *names, int *ndim, tsr_index *shape);

/* Runs the op into *out: empty, described or given, in place or overlapping. names are the inputs' arguments. */
tsr_status tsr__elementwise_run(tsr_ctx *ctx, const tsr__elementwise *e, const char *const *names, tsr_tensor *out);

#endif
