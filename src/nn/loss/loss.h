/* What losses share: elements as numbers, a walk through several tensors in row-major order, a sum, and checks. */
#ifndef TSR_NN_LOSS_H
#define TSR_NN_LOSS_H

#include "core/check.h"

#include <tessera/loss.h>

/* ---- elements; dtypes are checked ---- */

tsr_real tsr__loss_load(int dtype, const char *at);
void tsr__loss_store(int dtype, tsr_real value, char *at); /* rounded once */

/* A class; one that an int64_t does not hold is INT64_MAX, which no axis has. */
int64_t tsr__loss_class(int dtype, const char *at);

/* ---- walking ---- */

enum { TSR__LOSS_OPERANDS = 3 };

/* Up to three tensors side by side: one index, and the present element of each. */
typedef struct tsr__loss_walk {
  int ndim, operands;
  tsr_index left; /* elements, with the present one */
  tsr_index shape[TSR_MAX_DIMS], index[TSR_MAX_DIMS];
  char *data[TSR__LOSS_OPERANDS];
  ptrdiff_t at[TSR__LOSS_OPERANDS], step[TSR__LOSS_OPERANDS][TSR_MAX_DIMS]; /* bytes */
} tsr__loss_walk;

/* Begins at the first index of a shape of checked tensors; left is 0 when there is none. */
void tsr__loss_walk_init(tsr__loss_walk *walk, int ndim, const tsr_index *shape);

/* One more tensor; skip: an axis of it that the walk does not have, or -1. Returns its number. */
int tsr__loss_walk_add(tsr__loss_walk *walk, const tsr_tensor *t, int skip);
void tsr__loss_walk_next(tsr__loss_walk *walk);

static inline char *tsr__loss_at(const tsr__loss_walk *walk, int operand) {
  return walk->data[operand] + walk->at[operand];
}

/* ---- sums ---- */

/* A compensated sum. */
typedef struct tsr__loss_sum {
  tsr_real sum, rest;
  tsr_index count;
} tsr__loss_sum;

void tsr__loss_add(tsr__loss_sum *sum, tsr_real value);
tsr_real tsr__loss_total(const tsr__loss_sum *sum, tsr_reduction reduction);

/* ---- checks ---- */

tsr_status tsr__loss_check_reduction(tsr_ctx *ctx, const char *op, tsr_reduction reduction);
tsr_status tsr__loss_check_integers(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* Whether every class is in 0 ... count - 1, or is *ignored where that is given: TSR_EINDEX. Reads data. */
tsr_status tsr__loss_check_classes(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, tsr_index count,
                                   const int64_t *ignored);

#endif
