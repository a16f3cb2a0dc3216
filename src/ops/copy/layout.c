/* Real memory in another layout. */
#include "core/operand.h"
#include "core/layout.h"

#include "ops/copy/blocked.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

/* One order of axes to another. */
static tsr_status permute_copy(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_tensor *out) {
  tsr_tensor view = {0};
  tsr_status st = tsr__layout_view(ctx, op, in, layout, &view);
  if (st != TSR_OK) return st;
  const tsr__result result = {view.dtype, layout, view.ndim, view.shape, NULL};
  st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) st = tsr__copy_host(ctx, op, &view, out);
  if (st == TSR_OK) out->layout = (uint8_t)layout;
  return st;
}

static tsr_status convert_regular(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                                  tsr_tensor *out) {
  const int from = tsr__layout_of(in);
  if (from == layout || (tsr__layout_block(from) == 0 && tsr__layout_block(layout) == 0))
    return permute_copy(ctx, op, in, layout, out);
  return tsr__layout_blocked(ctx, op, in, layout, channels, out);
}

/* The layout is the one thing that is written to a given output's struct. */
static tsr_status convert(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                          tsr_tensor *out) {
  tsr_tensor room, *const operand = tsr__operand(out, &room);
  const tsr_status st = convert_regular(ctx, op, in, layout, channels, operand);
  out->layout = operand->layout;
  return st;
}

tsr_status tsr_to_layout(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_index channels, tsr_tensor *out) {
  TSR__OPERANDS(in);
  static const char op[] = "to_layout";
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st != TSR_OK) return st;
  if (layout == TSR_AUTO) layout = tsr__layout_auto(in->ndim);
  st = tsr__check_layout(ctx, op, "layout", layout);
  if (st != TSR_OK) return st;
  if (in->layout != TSR_PLAIN && tsr_layout_rank(in->layout) != in->ndim)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "in", "%t is tagged %s, which has %d axes", in, tsr_layout_name(in->layout),
                     tsr_layout_rank(in->layout));
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out->data != NULL) st = tsr__check_given(ctx, op, "out", out);
  if (st != TSR_OK) return st;
  if (out->data == NULL || !tsr__overlap(in, out))
    return convert(ctx, op, in, layout, channels, out);
  tsr__scratch scratch;
  tsr_tensor copy;
  st = tsr__copy_to_scratch(ctx, op, in, &scratch, &copy);
  if (st != TSR_OK) return st;
  st = convert(ctx, op, &copy, layout, channels, out);
  tsr__scratch_put(&scratch);
  return st;
}
