/* Products of matrices: by cuBLASLt where it takes them, else by a kernel of our own; then what follows a product, as lines. */
#ifndef TSR_CUDA_ENGINES_PRODUCT_H
#define TSR_CUDA_ENGINES_PRODUCT_H

#include "cuda/engines/elements.h"
#include "cuda/lines.h"

/* A matrix of each batch; strides in elements. */
typedef struct tsr__cuda_matrix {
  tsr__cuda_ref ref;
  uintptr_t address; /* for its alignment */
  int dtype;
  int64_t row, col, batch[TSR_MAX_DIMS];
} tsr__cuda_matrix;

/* out = a·b: (…, m, k) by (…, k, n). Batch axes are slowest first. */
typedef struct tsr__cuda_product {
  tsr__cuda_matrix a, b;
  int64_t m, n, k;
  int axes;
  int64_t length[TSR_MAX_DIMS];
} tsr__cuda_product;

/* The line of an activation over its input and so many numbers; NULL: it is not computed here. */
const tsr__cuda_line *tsr__cuda_activation_line(const char *name, int *numbers);

/* The dtype that products of a dtype are summed in. */
int tsr__cuda_sum_dtype(int dtype);

/* Plans it into out, row-major (…, m, n) of the sum's dtype. */
tsr_status tsr__cuda_plan_product(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                                  tsr__cuda_plan *plan);

/* The same by cuBLASLt, whose out may also be of the operands' dtype, with a bias (n) added where it is not NULL: contiguous, of
 * out's dtype, at a multiple of 16 bytes. *done: it was planned so; where there is no such library, or it does not take this one,
 * nothing is done. */
tsr_status tsr__cuda_plan_blas(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_product *p, const tsr__cuda_view *out,
                               const tsr__cuda_view *bias, bool *done, tsr__cuda_plan *plan);

/* x·wᵀ, with a bias where it is not NULL: a dense layer's, into out, which may lie over any of them. */
tsr_status tsr__cuda_plan_dense(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *x, const tsr__cuda_view *w,
                                const tsr__cuda_view *bias, const tsr__cuda_view *out, tsr__cuda_plan *plan);

#endif
