/* Places of several tensors by the number of an index, counted row-major: for ops that work on a vector at each index,
 * and for those whose elements have numbers. */
#ifndef TSR_NN_LINES_H
#define TSR_NN_LINES_H

#include "core/check.h"

enum { TSR__LINES_OPERANDS = 3 };

typedef struct tsr__lines {
  int ndim, operands;
  tsr_index count; /* of indices */
  tsr_index length[TSR_MAX_DIMS];
  char *base[TSR__LINES_OPERANDS];
  ptrdiff_t step[TSR__LINES_OPERANDS][TSR_MAX_DIMS]; /* bytes */
} tsr__lines;

/* The indices of a shape of checked tensors. */
void tsr__lines_init(tsr__lines *lines, int ndim, const tsr_index *shape);

/* One more tensor, whose first axis is axis first of the shape; it does not move along the others. */
void tsr__lines_add(tsr__lines *lines, const tsr_tensor *t, int first);

/* Makes one axis of those that are mergeable in every tensor. At least one axis is left. */
void tsr__lines_merge(tsr__lines *lines);

/* The element of a tensor at an index. */
char *tsr__lines_at(const tsr__lines *lines, int operand, tsr_index number);

#endif
