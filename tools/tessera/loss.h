/* What a conversion takes away from numbers, beyond the digits that a narrower float has not. */
#ifndef TESSERA_COMMAND_LOSS_H
#define TESSERA_COMMAND_LOSS_H

#include "source.h"

typedef struct loss {
  int64_t count;   /* numbers */
  int64_t rounded; /* to a whole one; of integers: to one that a float has */
  int64_t beyond;  /* they do not fit: integers wrap, floats saturate or become infinite */
  int64_t nans;    /* NaN where there is none */
  int64_t zeros;   /* of all these: they become 0 */
} loss;

static inline int64_t loss_changed(const loss *l) { return l->rounded + l->beyond + l->nans; }

/* Counts what becomes of a target's numbers as dtype: nothing where that holds all of them, or has fewer digits only.
 * In blocks: memory does not grow with the tensor. */
tsr_status loss_count(tsr_ctx *ctx, target *t, int dtype, loss *out);

/* "f32 to i8 changes 5 of 6 numbers: 4 rounded, 1 out of range; 2 become 0". */
enum { LOSS_TEXT = 256 };
const char *loss_text(const loss *l, int from, int to, char text[LOSS_TEXT]);

#endif
