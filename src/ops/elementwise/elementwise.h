/* What every elementwise op does around its kernel: broadcasting, the output, overlap, conversion, threads. */
#ifndef TSR_OPS_ELEMENTWISE_H
#define TSR_OPS_ELEMENTWISE_H

#include "core/call.h"
#include "cpu/iterate.h"

/* An op that is about to run. The kernel is a tsr__row_fn: at[0] is the output, at[1] and on the inputs; every input
 * has dtype compute, the output has dtype result. Rows of the output are the same addresses as an input's, or apart
 * from it. */
typedef struct tsr__elementwise {
  const char *op;
  int inputs; /* 1 … 3 */
  const tsr_tensor *in[TSR__MAX_OPERANDS - 1];
  int compute;   /* the dtype that the kernel reads */
  int result;    /* the dtype that the kernel writes */
  int out_dtype; /* the dtype of the output: result, or a narrower one of its kind (f16 of f32) */
  tsr__row_fn *kernel;
  void *param; /* the kernel's args->param */
#if TSR_HAVE_OPS
  tsr__row_fn *const *const
      *tables; /* by instruction set and compute, of which the kernel is one; NULL: it cannot be told */
#endif
  size_t param_bytes; /* of what param points to; 0: nobody may copy it */
  tsr_index grain;    /* elements worth a thread; 0: TSR__GRAIN_LIGHT */
  bool row_batches;   /* the kernel takes many rows at once, and can write by non-temporal stores: tsr__row_args */
  int first;          /* the dtype that the kernel reads from input 0, where that is another one; 0: compute */
} tsr__elementwise;

/* The flags of such an op. */
#define TSR__OP_ELEMENTWISE (TSR__OP_SCALARS | TSR__OP_TELLS | TSR__OP_PREPARES)

/* What one thread should at least do: for ops that only move memory, and for those that compute. */
#define TSR__GRAIN_LIGHT 32768
#define TSR__GRAIN_HEAVY 4096

/* Sets the kernel, one of some tables, and its parameter, for who runs it and for who is told of it. */
static inline void tsr__elementwise_choose(tsr__elementwise *e, int isa, tsr__row_fn *const *const *tables) {
  e->kernel = tables[isa][e->compute];
#if TSR_HAVE_OPS
  e->tables = tables;
#endif
}
static inline void tsr__elementwise_param(tsr__elementwise *e, void *param, size_t bytes) {
  e->param = param;
  e->param_bytes = bytes;
}

/* The dtype that the kernel reads from input k. */
static inline int tsr__kernel_dtype(const tsr__elementwise *e, int k) {
  return k == 0 && e->first != 0 ? e->first : e->compute;
}

/* The tag of the result: the first that an input of its rank has. */
static inline int tsr__common_layout(const tsr__elementwise *e, int ndim) {
  for (int k = 0; k < e->inputs; k++)
    if (e->in[k]->ndim == ndim && e->in[k]->layout != TSR_PLAIN) return e->in[k]->layout;
  return TSR_PLAIN;
}

/* The shape that inputs broadcast to: TSR_ESHAPE, and the message names the axis and both lengths. names are the
 * arguments'. */
tsr_status tsr__broadcast_shape(tsr_ctx *ctx, const char *op, int inputs, const tsr_tensor *const *in,
                                const char *const *names, int *ndim, tsr_index *shape);

/* An input with the output's shape, which counts nothing: its strides, 0 where it repeats. */
void tsr__broadcast_view(const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *view);

/* The fast path for small calls, where the checks cost more than the work: inputs of one shape, contiguous in
 * row-major order (but for the first, an input may be of rank 0), of the kernel's dtypes, on the host; the output
 * empty, or given in the same way. It makes every check that this needs, so inputs may be unchecked and even NULL.
 * False: nothing was done and nothing is said; go the long way, which says what is wrong. True: *status is the op's. */
bool tsr__elementwise_contiguous(tsr_ctx *ctx, const tsr__elementwise *e, tsr_tensor *out, tsr_status *status);

/* Runs the op into the call's output: empty, described or given, in place or overlapping. names are the inputs' arguments;
 * inputs are the call's, or made of its attributes. */
tsr_status tsr__elementwise_call(tsr__call *call, const tsr__elementwise *e, const char *const *names);
/* The same where operands have the dtypes of the kernel. */
tsr_status tsr__elementwise_call_as_is(tsr__call *call, const tsr__elementwise *e, const char *const *names);

/* The same in a frame of its own, for what other ops are made of: inputs are checked, and are no operands of that frame. */
tsr_status tsr__elementwise_run(tsr_ctx *ctx, const tsr__elementwise *e, const char *const *names, tsr_tensor *out);

#endif
