/* Layout tags on views. */
#include "core/layout.h"
#include "core/view.h"

#include <string.h>

int tsr__layout_block(int layout) {
  static const uint8_t blocks[TSR_LAYOUT_COUNT] = {
#define X(id, number, axes, block, name) [number] = block,
      TSR_LAYOUT_LIST(X)
#undef X
  };
  return layout >= 0 && layout < TSR_LAYOUT_COUNT ? blocks[layout] : 0;
}

int tsr__layout_auto(int ndim) {
  static const uint8_t by_rank[] = {TSR_PLAIN, TSR_N, TSR_NC, TSR_NCL, TSR_NCHW, TSR_NCDHW};
  return ndim < (int)sizeof by_rank ? by_rank[ndim] : TSR_PLAIN;
}

tsr_status tsr__check_layout(tsr_ctx *ctx, const char *op, const char *arg, int layout) {
  if (tsr_layout_rank(layout) >= 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ELAYOUT, op, arg, "%d is not a layout", layout);
}

tsr_status tsr__check_tag(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int layout) {
  const int rank = tsr_layout_rank(layout), block = tsr__layout_block(layout);
  if (layout != TSR_PLAIN && rank != t->ndim)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s has %d axes, %t has %d", tsr_layout_name(layout), rank, t,
                     (int)t->ndim);
  if (block > 0 && t->shape[rank - 1] != block)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s: the last axis of %t is not %d", tsr_layout_name(layout), t,
                     block);
  return TSR_OK;
}

tsr_status tsr_set_layout(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_tensor *out) {
  static const char op[] = "set_layout";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (layout == TSR_AUTO) layout = tsr__layout_auto(in->ndim);
  st = tsr__check_layout(ctx, op, "layout", layout);
  if (st == TSR_OK) st = tsr__check_tag(ctx, op, in, layout);
  if (st != TSR_OK) return st;
  const bool padded = tsr__view_bind(in, out);
  out->layout = (uint8_t)layout;
  return tsr__view_end(out, padded);
}

/* For each axis of to, the axis of from with the same letter: TSR_ELAYOUT when they are not the same letters. */
static tsr_status permutation_between(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int from, int to, int *axes) {
  static const char letters[] = "NCLDHWOIc";
  const int rank = tsr_layout_rank(to);
  for (int i = 0; i < in->ndim; i++) axes[i] = i;
  if (from == to) return TSR_OK;
  if (rank != tsr_layout_rank(from) || rank != in->ndim)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s is not another order of the axes of %t, which is %s",
                     tsr_layout_name(to), in, tsr_layout_name(from));
  for (const char *letter = letters; *letter != '\0'; letter++) {
    const int at = tsr_layout_axis(to, *letter), source = tsr_layout_axis(from, *letter);
    if ((at < 0) != (source < 0))
      return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s does not have the axes of %s", tsr_layout_name(to),
                       tsr_layout_name(from));
    if (at >= 0) axes[at] = source;
  }
  return TSR_OK;
}

int tsr__layout_of(const tsr_tensor *t) { return t->layout != TSR_PLAIN ? t->layout : tsr__layout_auto(t->ndim); }

tsr_status tsr_to_layout_view(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_tensor *out) {
  return tsr__layout_view(ctx, "to_layout_view", in, layout, out);
}

tsr_status tsr__layout_view(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_tensor *out) {
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (layout == TSR_AUTO) layout = tsr__layout_auto(in->ndim);
  st = tsr__check_layout(ctx, op, "layout", layout);
  if (st != TSR_OK) return st;
  const int from = tsr__layout_of(in);
  if (from != layout && (tsr__layout_block(from) > 0 || tsr__layout_block(layout) > 0))
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s to %s moves elements: tsr_to_layout copies",
                     tsr_layout_name(from), tsr_layout_name(layout));
  int axes[TSR_MAX_DIMS];
  st = permutation_between(ctx, op, in, from, layout, axes);
  if (st == TSR_OK) st = tsr_permute(ctx, in, axes, out);
  if (st == TSR_OK) out->layout = (uint8_t)layout;
  return st;
}
