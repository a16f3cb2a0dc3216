#include "nn/pool/global.h"

#include "nn/check.h"

tsr_status tsr__global_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int *naxes, int *axes) {
  int        channel = 0;
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_channel_axis(ctx, op, x, &channel);
  *naxes = 0;
  for (int i = 1; st == TSR_OK && i < x->ndim; i++)
    if (i != channel) axes[(*naxes)++] = i;
  return st;
}
