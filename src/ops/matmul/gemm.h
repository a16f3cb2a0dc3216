/* Products of tensors: from the operands of a call to a tsr__product, and to its result. */
#ifndef TSR_OPS_MATMUL_GEMM_H
#define TSR_OPS_MATMUL_GEMM_H

#include "core/call.h"
#include "ops/matmul/product.h"

/* What is multiplied, and what the checks make of it. */
typedef struct tsr__gemm {
  const tsr_tensor *a, *b;            /* b: of packed weights a description */
  const tsr_tensor *c, *bias, *scale; /* NULL: none; c is read where beta is not 0 */
  tsr_real alpha, beta;
  const tsr_gemm_options *options; /* NULL: all zero. Its own tensors are not looked at */
  const tsr_packed *packed;        /* the weights that b describes; NULL: b is no description */
  const char *panels;              /* their bytes */
  bool drops_column;               /* b has one column, which is no axis of the result */
  tsr_index shape[TSR_MAX_DIMS];
  tsr__result result;
} tsr__gemm;

/* The plain product of a and b; what else there is, the caller adds. Not an initialiser, which would fill the shape
 * too: that is felt in small calls. */
static inline void tsr__gemm_init(tsr__gemm *g, const tsr_tensor *a, const tsr_tensor *b) {
  g->a = a;
  g->b = b;
  g->c = g->bias = g->scale = NULL;
  g->alpha = 1;
  g->beta = 0;
  g->options = NULL;
  g->packed = NULL;
  g->panels = NULL;
  g->drops_column = false;
}

/* The tensors of options (NULL: none) that are operands of the call. */
static inline const tsr_tensor *tsr__gemm_bias(const tsr_gemm_options *options) {
  return options != NULL ? options->bias : NULL;
}
static inline const tsr_tensor *tsr__gemm_scale(const tsr_gemm_options *options) {
  return options != NULL ? options->scale : NULL;
}

/* Checks what is multiplied, all of it given and normalised; fills shape and result, and of *p what is known of it
 * without addresses and strides. */
tsr_status tsr__gemm_check(tsr_ctx *ctx, const char *op, tsr__gemm *g, tsr__product *p);

/* Fills the matrices of a checked product but for its output. */
void tsr__gemm_bind(const tsr__gemm *g, tsr__product *p);

/* In a frame: the whole of a call whose operands are in *g. */
tsr_status tsr__gemm_call(tsr__call *call, tsr__gemm *g);

#endif
