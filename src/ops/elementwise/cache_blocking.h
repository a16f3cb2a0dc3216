/* Loops over more than the first cache holds. */
#ifndef TSR_OPS_ELEMENTWISE_CACHE_BLOCKING_H
#define TSR_OPS_ELEMENTWISE_CACHE_BLOCKING_H

#include "ops/elementwise/elementwise.h"

/* What is done with a row, and with what operands; their dtypes are the row function's. */
typedef struct tsr__row_loop {
  tsr__row_fn *row;
  void *param; /* its args->param */
  int operands;
  size_t item[TSR__MAX_OPERANDS]; /* bytes of an element */
  tsr_index grain;                /* elements worth a thread */
  bool row_batches;               /* as tsr__elementwise says */
  bool no_alias;                  /* the output is not an input's memory */
} tsr__row_loop;

/* Runs it over the loop on the context's threads. The loop's axes may change their places. */
void tsr__run_cache_blocked(const tsr_ctx *ctx, const tsr__row_loop *rows, tsr__loop *loop);

/* The same for n elements of each operand, step[k] bytes apart. */
void tsr__run_flat(const tsr_ctx *ctx, const tsr__row_loop *rows, tsr_index n, char *const *at, const ptrdiff_t *step);

#endif
