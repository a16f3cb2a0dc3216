/* The kernels of a product's end. */
#ifndef TSR_OPS_MATMUL_FINISH_H
#define TSR_OPS_MATMUL_FINISH_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

/* v = alpha·v + beta·c + bias, n elements without gaps of the type that is summed in. c and bias have steps 0 or 1 and
 * may be NULL. */
typedef struct tsr__ending {
  void *v;
  tsr_real alpha, beta;
  const void *c, *bias;
  int c_step, bias_step;
} tsr__ending;
typedef void tsr__ending_fn(const tsr__ending *e, tsr_index n);

#define X(isa) extern tsr__ending_fn *const tsr__gemm_ending_##isa[TSR_DTYPE_COUNT];
TSR_ISA_LIST(X)
#undef X

#endif
