/* Filters in the order that an algorithm reads them. The bias follows, zeros where there is none. */
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR__CONV_FAST

const tsr__conv_tiles *tsr__conv_tiles_of(int isa) {
  static const tsr__conv_tiles *const all[] = TSR__AT_FOR_ISAS(tsr__conv_tiles);
  return all[isa];
}

bool tsr__conv_panels_of(const tsr__conv *c, tsr__conv_panels *size) {
  const tsr__conv_columns group = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), c->o / c->groups);
  tsr_index k = c->algorithm->taps, all;
  size->bias = c->o;
  if (c->algorithm->whole &&
      (!tsr__mul_index(group.vectors, group.lanes, &size->bias) || !tsr__mul_index(size->bias, c->groups, &size->bias)))
    return false;
  if (k == 0 && !tsr__mul_index(c->kh, c->kw, &k)) return false;
  if (!tsr__mul_index(k, c->i, &k) || !tsr__add_index(k, 1, &k) || !tsr__mul_index(k, size->bias, &all)) return false;
  size->count = (size_t)all;
  return true;
}

/* The filters as dense (o, i, kh, kw) f32: w itself, or a copy in room. */
static const float *dense_filters(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *w, float *room) {
  tsr_tensor copy;
  tsr__conv_filter_view(c, w, room, &copy);
  bool same = w->dtype == TSR_F32;
  for (int k = 0; k < w->ndim; k++) same = same && (w->shape[k] == 1 || w->stride[k] == copy.stride[k]);
  if (same) return w->data;
  tsr__copy_no_alias(ctx, w, &copy);
  return room;
}

static void pack_bias(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *bias, float *to, tsr_index columns) {
  const tsr_index each = c->o / c->groups, wide_each = columns / c->groups;
  memset(to, 0, (size_t)columns * sizeof *to);
  for (tsr_index g = 0; bias != NULL && g < c->groups; g++) {
    const tsr_tensor part = tsr__part(bias, 0, g * each, each);
    tsr_tensor target = part;
    target.dtype = TSR_F32;
    target.data = to + g * wide_each;
    target.stride[0] = 1;
    tsr__copy_no_alias(ctx, &part, &target);
  }
}

void tsr__conv_pack_filters(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_panels *size, const tsr_tensor *w,
                            const tsr_tensor *bias, float *room, float *panels) {
  const size_t filters = size->count - (size_t)size->bias;
  if (size->count == 0) return;
  pack_bias(ctx, c, bias, panels + filters, size->bias);
  if (filters > 0) c->algorithm->pack(c, dense_filters(ctx, c, w, room), panels);
}

#endif
