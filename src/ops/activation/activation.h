/* Activations as attributes of other ops, a row at a time. */
#ifndef TSR_OPS_ACTIVATION_H
#define TSR_OPS_ACTIVATION_H

#include <tessera/activation.h>
#include "core/check.h"
#include "ops/elementwise/kernels.h"

/* Kernels by dtype, as the unary ops have them; their argument is the activation's alpha and beta. */
struct tsr_activation_kind {
  const char *name;
  tsr_real alpha; /* what an alpha of 0 means */
  bool bounds;    /* alpha and beta are bounds */
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
};

/* An activation ready to run on one dtype. */
typedef struct tsr__activation {
  tsr__row_fn *row; /* NULL: none */
  tsr_real param[2];
} tsr__activation;

/* Prepares activation (NULL: none) for numbers of dtype, f32, f64 or an integer: TSR_EDTYPE when it has no kernel for
 * that, TSR_EARG when beta is less than alpha where they are bounds. */
tsr_status tsr__activation_init(tsr_ctx *ctx, const char *op, const tsr_activation *activation, int isa, int dtype,
                                tsr__activation *ready);

/* Applies it to n contiguous numbers of size item, in place. */
static inline void tsr__activate(const tsr__activation *activation, tsr_index n, void *x, size_t item) {
  char *const at[2] = {x, x};
  const ptrdiff_t step[2] = {(ptrdiff_t)item, (ptrdiff_t)item};
  const tsr__row_args one = tsr__one_row((void *)(uintptr_t)activation->param);
  if (activation->row != NULL) activation->row(&one, n, at, step);
}

#endif
