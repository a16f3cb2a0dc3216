/* The shape that several tensors broadcast to. */
#include "ops/elementwise/elementwise.h"

#include <string.h>

static tsr_status refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *const *in, const char *const *names, int a,
                         int b, int axis, int ndim, tsr_index length) {
  return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "%s %S and %s %S do not broadcast: axis %d is %l against %l", names[a],
                   (int)in[a]->ndim, in[a]->shape, names[b], (int)in[b]->ndim, in[b]->shape, axis, (int64_t)length,
                   (int64_t)in[b]->shape[axis - (ndim - in[b]->ndim)]);
}

tsr_status tsr__broadcast_shape(tsr_ctx *ctx, const char *op, int inputs, const tsr_tensor *const *in,
                                const char *const *names, int *ndim, tsr_index *shape) {
  int from[TSR_MAX_DIMS]; /* the input that each length came from */
  int n = in[0]->ndim;
  for (int k = 1; k < inputs; k++)
    if (in[k]->ndim > n) n = in[k]->ndim;
  for (int axis = 0; axis < n; axis++) {
    shape[axis] = 1;
    from[axis] = 0;
    for (int k = 0; k < inputs; k++) {
      const int own = axis - (n - in[k]->ndim);
      const tsr_index length = own >= 0 ? in[k]->shape[own] : 1;
      if (length == 1 || length == shape[axis]) continue;
      if (shape[axis] != 1) return refuse(ctx, op, in, names, from[axis], k, axis, n, shape[axis]);
      shape[axis] = length;
      from[axis] = k;
    }
  }
  *ndim = n;
  return tsr__check_shape(ctx, op, names[0], n, shape, NULL); /* two outer factors can make too many elements */
}
