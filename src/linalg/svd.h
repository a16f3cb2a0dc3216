/* What is made of singular values. */
#ifndef TSR_LINALG_SVD_H
#define TSR_LINALG_SVD_H

#include "linalg/stack.h"

/* s->kind. s->number: what is small against the largest, below 0: n·ε. */
typedef enum tsr__svd_kind {
  TSR__SVD_ALL,    /* U, Σ, Vᵀ; s->flag: square U and Vᵀ */
  TSR__SVD_VALUES, /* Σ */
  TSR__SVD_PINV,
  TSR__SVD_LSTSQ,
  TSR__SVD_RANK,
  TSR__SVD_COND, /* largest by smallest; s->flag: the other way */
  TSR__SVD_MOST,
  TSR__SVD_LEAST,
  TSR__SVD_SUM
} tsr__svd_kind;

static inline bool tsr__svd_vectors(const tsr__stack *s) {
  if (s->kind == TSR__SVD_ALL) return !s->out[0].none || !s->out[2].none;
  return s->kind == TSR__SVD_PINV || s->kind == TSR__SVD_LSTSQ;
}

/* The kernels of singular values and the inputs of a call, the first of which has matrices. */
tsr_status tsr__singular_inputs(tsr__call *call, tsr__stack *s);

#endif
