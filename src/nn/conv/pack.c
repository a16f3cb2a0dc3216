/* Filters in the order that the kernels read them. The bias follows, zeros where there is none.
 *   pixels     for each group and panel: (kh, kw, i, columns of the panel)
 *   filters    (o, i, kh, kw)
 *   winograd   for each panel: (36, i, columns of the panel)
 *   depthwise  channels last (kh, kw, o), else (o, kh, kw) */
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "nn/conv/winograd.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR__CONV_FAST

const tsr__conv_tiles *tsr__conv_tiles_of(int isa) {
#define X(name) &tsr__conv_tiles_##name,
  static const tsr__conv_tiles *const all[] = {TSR_ISA_LIST(X)};
#undef X
  return all[isa];
}

bool tsr__conv_panels_of(const tsr__conv *c, tsr__conv_panels *size) {
  const tsr__conv_columns group = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), c->o / c->groups);
  const bool whole = c->kernel == TSR__CONV_IGEMM_NHWC || c->kernel == TSR__CONV_WINOGRAD; /* vectors in each group */
  tsr_index k = 36, all;
  size->bias = c->o;
  if (whole &&
      (!tsr__mul_index(group.vectors, group.lanes, &size->bias) || !tsr__mul_index(size->bias, c->groups, &size->bias)))
    return false;
  if (c->kernel != TSR__CONV_WINOGRAD && !tsr__mul_index(c->kh, c->kw, &k)) return false;
  if (!tsr__mul_index(k, c->i, &k) || !tsr__add_index(k, 1, &k) || !tsr__mul_index(k, size->bias, &all)) return false;
  size->count = (size_t)all;
  return true;
}

/* ---- each kind: from is (o, i, kh, kw) ---- */

/* One panel of filters, taps by channels. */
static float *pack_panel(const tsr__conv *c, const float *from, const tsr__conv_panel *p, int lanes, float *to) {
  const tsr_index taps = c->kh * c->kw, k = c->i * taps, width = (tsr_index)p->vectors * lanes;
  for (tsr_index tap = 0; tap < taps; tap++)
    for (tsr_index i = 0; i < c->i; i++, to += width) {
      const float *const at = from + p->first * k + i * taps + tap;
      for (tsr_index j = 0; j < width; j++) to[j] = j < p->count ? at[j * k] : 0;
    }
  return to;
}

static void pack_pixels(const tsr__conv *c, const float *from, float *to) {
  const tsr_index each = c->o / c->groups;
  const tsr__conv_columns columns = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), each);
  for (tsr_index g = 0; g < c->groups; g++)
    for (tsr_index p = 0; p < columns.panels; p++) {
      const tsr__conv_panel panel = tsr__conv_panel_at(&columns, p);
      to = pack_panel(c, from + g * each * c->i * c->kh * c->kw, &panel, columns.lanes, to);
    }
}

static void pack_winograd(const tsr__conv *c, const float *from, float *to) {
  const tsr__conv_columns columns = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), c->o);
  for (tsr_index p = 0; p < columns.panels; p++) {
    const tsr__conv_panel panel = tsr__conv_panel_at(&columns, p);
    const tsr_index width = (tsr_index)panel.vectors * columns.lanes;
    tsr__winograd_of(c->isa)->filters(c->i, panel.count, width, from + panel.first * c->i * 9, to);
    to += 36 * c->i * width;
  }
}

static void pack_depthwise(const tsr__conv *c, const float *from, float *to) {
  const tsr_index taps = c->kh * c->kw;
  for (tsr_index o = 0; o < c->o; o++)
    for (tsr_index tap = 0; tap < taps; tap++) to[c->last ? tap * c->o + o : o * taps + tap] = from[o * taps + tap];
}

/* ---- all ---- */

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
  if (filters == 0) return;
  const float *const from = dense_filters(ctx, c, w, room);
  switch (c->kernel) {
    case TSR__CONV_IGEMM_NHWC: pack_pixels(c, from, panels); break;
    case TSR__CONV_WINOGRAD: pack_winograd(c, from, panels); break;
    case TSR__CONV_DEPTHWISE: pack_depthwise(c, from, panels); break;
    default: memcpy(panels, from, filters * sizeof *panels); break;
  }
}

#endif
