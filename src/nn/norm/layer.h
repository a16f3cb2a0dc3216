/* layer_norm and rms_norm: rows of trailing axes, scale and bias element by element. */
#ifndef TSR_NN_NORM_LAYER_H
#define TSR_NN_NORM_LAYER_H

#include "nn/norm/norm.h"

typedef struct tsr__layer_norm {
  const tsr_tensor *x, *scale, *bias;
  int axis;
  tsr_real eps;
} tsr__layer_norm;

/* table: the op's kernels of the instruction set in use. */
tsr_status tsr__layer_norm_call(tsr__call *call, const tsr__layer_norm *l, const tsr__norm_layer *table);

#endif
