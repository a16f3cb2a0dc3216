/* The kernels of the epilogue of a product. */
#ifndef TSR_OPS_MATMUL_EPILOGUE_H
#define TSR_OPS_MATMUL_EPILOGUE_H

#include <tessera/tensor.h>
#include "cpu/isa.h"

/* v = scale·alpha·v + beta·c + bias, n contiguous elements of the type that is summed in. c, bias and scale (of floats) have steps 0
 * or 1 and may be NULL. */
typedef struct tsr__epilogue {
  void *v;
  tsr_real alpha, beta;
  const void *c, *bias;
  int c_step, bias_step;
#if TSR_HAVE_MALLOC
  const void *scale;
  int scale_step;
#endif
} tsr__epilogue;
typedef void tsr__epilogue_fn(const tsr__epilogue *e, tsr_index n);

typedef tsr__epilogue_fn *const tsr__epilogue_table[TSR_DTYPE_COUNT];
TSR__DECLARE_FOR_ISAS(tsr__epilogue_table, tsr__gemm_epilogue)

#endif
