/* Copies that are seldom made, in few bytes of code. */
#include "ops/copy/copy.h"

#if !TSR_HAVE_MALLOC

#include "core/tensor.h"

#include <string.h>

static void move_axis(const tsr_tensor *src, const tsr_tensor *dst, int axis, const char *from, char *to) {
  const ptrdiff_t item = tsr__item(src);
  if (axis == src->ndim) {
    memcpy(to, from, (size_t)item);
    return;
  }
  for (tsr_index i = 0; i < src->shape[axis]; i++)
    move_axis(src, dst, axis + 1, from + i * src->stride[axis] * item, to + i * dst->stride[axis] * item);
}

void tsr__move_seldom(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst) {
  (void)ctx;
  move_axis(src, dst, 0, src->data, dst->data);
}

#endif
