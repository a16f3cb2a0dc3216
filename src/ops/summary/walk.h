/* Tensors of one shape, element after element in row-major order, in runs that are as long as their strides allow. */
#ifndef TSR_OPS_SUMMARY_WALK_H
#define TSR_OPS_SUMMARY_WALK_H

#include <tessera/tensor.h>

enum { TSR__WALK_OPERANDS = 2 };

typedef struct tsr__walk {
  int isa, ndim;
  tsr_index size;
  tsr_index length[TSR_MAX_DIMS];
  struct {
    const char *data;
    int dtype;
    ptrdiff_t item;
    ptrdiff_t step[TSR_MAX_DIMS]; /* bytes */
  } of[TSR__WALK_OPERANDS];
} tsr__walk;

/* n checked tensors of one shape. Axes that are mergeable in all of them are merged, their order stays. */
void tsr__walk_init(tsr__walk *walk, const tsr_ctx *ctx, int n, const tsr_tensor *const *tensors);

/* n elements from number r on where they lie; NULL when they are not contiguous there, as that dtype. */
const void *tsr__walk_direct(const tsr__walk *walk, int operand, int dtype, tsr_index r, tsr_index n);

/* The same converted to dtype, in room. */
const void *tsr__walk_read(const tsr__walk *walk, int operand, int dtype, tsr_index r, tsr_index n, void *room);

#endif
