/* The kernels of a matrix by a vector. */
#ifndef TSR_OPS_MATMUL_GEMV_H
#define TSR_OPS_MATMUL_GEMV_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

/* y (rows) = M (rows, k) · x (k). Steps in elements. */
typedef struct tsr__gemv {
  tsr_index rows, k;
  const void *matrix;
  tsr_index step; /* of the axis that is not contiguous */
  const void *x;  /* contiguous */
  void *y;
  tsr_index y_step;
  bool add;
} tsr__gemv;
typedef void tsr__gemv_fn(const tsr__gemv *g);

typedef struct tsr__gemv_kernels {
  tsr__gemv_fn *dots; /* rows of the matrix are contiguous; step goes from row to row */
  tsr__gemv_fn *sums; /* columns are; step goes from one k to the next; y is contiguous */
} tsr__gemv_kernels;

TSR__DECLARE_FOR_ISAS(const tsr__gemv_kernels, tsr__gemv_f32)
TSR__DECLARE_FOR_ISAS(const tsr__gemv_kernels, tsr__gemv_f64)

/* A narrower matrix by f32, in f32. */
TSR__DECLARE_FOR_ISAS(const tsr__gemv_kernels, tsr__gemv_bf16)
TSR__DECLARE_FOR_ISAS(const tsr__gemv_kernels, tsr__gemv_f16)
TSR__DECLARE_FOR_ISAS(const tsr__gemv_kernels, tsr__gemv_i8)

#endif
