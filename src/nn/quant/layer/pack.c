/* Layers made ready: weights in the order of the kernel, and the table of what follows a sum. */
#include "nn/quant/layer/layer.h"

#include "core/normalise.h"
#include "core/table.h"
#include "core/tensor.h"

/* ---- checks ---- */

static tsr_status check_scheme(tsr_ctx *ctx, const tsr__q_packing *p) {
  const tsr_qscheme *const s = p->scheme;
  int axis = -1;
  tsr_status st = tsr__q_scheme_check(ctx, p->op, s);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, p->op, "scheme.out", &s->out, TSR__Q_SMALL);
  if (st != TSR_OK) return st;
  if (s->activation > TSR_Q_RELU6)
    return TSR__FAIL(ctx, TSR_EARG, p->op, "activation", "%d is none of a quantised layer", (int)s->activation);
  st = tsr__quant_check_dtype(ctx, p->op, "w", p->w, "scheme.w", &s->w);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, p->op, "scheme.w", &s->w, p->w, &axis);
  if (st != TSR_OK || axis < 0) return st;
  const int outputs = p->w->ndim == 4 && p->w->layout == TSR_HWIO ? 3 : 0;
  if (axis != outputs)
    return TSR__FAIL(ctx, TSR_EAXIS, p->op, "scheme.w", "has scales along axis %d of %t, outputs are axis %d", axis,
                     p->w, outputs);
  return TSR_OK;
}

static tsr_status check_bias(tsr_ctx *ctx, const tsr__q_packing *p) {
  const tsr_tensor *const bias = p->bias;
  if (bias == NULL) return TSR_OK;
  const tsr_status st = tsr__check_input(ctx, p->op, "bias", bias);
  if (st != TSR_OK) return st;
  if (bias->dtype != TSR_I32) return TSR__FAIL(ctx, TSR_EDTYPE, p->op, "bias", "is %t; it is i32: tsr_qbias", bias);
  if (bias->ndim != 1 || bias->shape[0] != p->f.o)
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "bias", "is %t, there are %l outputs", bias, (int64_t)p->f.o);
  return TSR_OK;
}

static tsr_status check_options(tsr_ctx *ctx, const char *op, const tsr_conv_options *options) {
  if (options == NULL) return TSR_OK;
  const tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(options));
  if (st != TSR_OK || (options->activation.kind == NULL && options->algorithm == 0)) return st;
  return TSR__FAIL(ctx, TSR_EARG, op, "attrs", "have an activation or an algorithm; the scheme has the activation");
}

/* Everything of a layer whose weights have so many axes. */
static tsr_status plan_layer(tsr_ctx *ctx, tsr__q_packing *p, int ndim) {
  tsr_status st = tsr__check_input(ctx, p->op, "w", p->w);
  if (st == TSR_OK && p->w->ndim != ndim)
    st = TSR__FAIL(ctx, TSR_ESHAPE, p->op, "w", "is %t: it takes %s", p->w, ndim == 2 ? "[O,F]" : "[O,C/groups,KH,KW]");
  if (st == TSR_OK) st = check_options(ctx, p->op, p->options);
  if (st == TSR_OK) st = check_scheme(ctx, p);
  if (st == TSR_OK) st = tsr__q_packing_plan(ctx, p);
  if (st == TSR_OK && p->plan != NULL) st = p->plan(ctx, p);
  return st == TSR_OK ? check_bias(ctx, p) : st;
}

static tsr_status check_memory(tsr_ctx *ctx, const tsr__q_packing *p, const tsr__result *table,
                               const tsr__result *panels, const tsr_qlayer *layer) {
  const tsr_tensor *const parts[2] = {&layer->table, &layer->panels};
  const tsr_tensor *const in[2] = {p->w, p->bias};
  tsr_status st = tsr__output_check(ctx, p->op, table, parts[0]);
  if (st == TSR_OK && p->bytes > 0) st = tsr__output_check(ctx, p->op, panels, parts[1]);
  if (st != TSR_OK) return st;
  for (int k = 0; k < 2; k++) {
    if (parts[k]->data == NULL) continue;
    if (!tsr_is_contiguous(parts[k], TSR_ROW_MAJOR) || (k == 1 && (uintptr_t)parts[k]->data % TSR_DATA_ALIGN != 0))
      return TSR__FAIL(ctx, TSR_EALIGN, p->op, k == 0 ? "table" : "panels", "has gaps, or is not aligned to %d bytes",
                       k == 0 ? 4 : TSR_DATA_ALIGN);
    for (int i = 0; i < 2; i++)
      if (in[i] != NULL && in[i]->data != NULL && tsr__overlap(in[i], parts[k]))
        return TSR__FAIL(ctx, TSR_EOVERLAP, p->op, k == 0 ? "table" : "panels", "overlaps an input");
  }
  return TSR_OK;
}

/* ---- layers ---- */

static tsr_status fill_plain(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table, void *panels) {
  const tsr_status st = tsr__q_table(ctx, p, table);
  if (st == TSR_OK && panels != NULL) tsr__q_packing_weights(p, table, panels);
  return st;
}

tsr_status tsr__q_pack(tsr_ctx *ctx, tsr__q_packing *p, int ndim, tsr_qlayer *layer) {
  if (layer == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "layer", "is NULL");
  p->tables = 1;
  tsr_status st = plan_layer(ctx, p, ndim);
  tsr_status (*const fill)(tsr_ctx *, const tsr__q_packing *, int32_t *, void *) =
      p->plan != NULL ? p->fill : fill_plain;
  if (st == TSR_OK) st = fill(ctx, p, NULL, NULL);
  if (st != TSR_OK) return st;
  const tsr_index rows[2] = {TSR__Q_TABLE_ROWS * p->tables, p->f.o}, count[1] = {(tsr_index)p->bytes};
  const tsr__result table = {TSR_I32, TSR_PLAIN, 2, rows, NULL}, panels = {TSR_U8, TSR_PLAIN, 1, count, NULL};
  const tsr_tensor before = layer->table;
  st = check_memory(ctx, p, &table, &panels, layer);
  if (st == TSR_OK) st = tsr__output(ctx, p->op, &table, &layer->table);
  if (st == TSR_OK && p->bytes > 0) st = tsr__output(ctx, p->op, &panels, &layer->panels);
  if (st != TSR_OK) {
    if (before.data == NULL) tsr_release(&layer->table);
    layer->table = before;
    return st;
  }
  tsr__q_packing_layer(p, layer);
  if (p->plan != NULL) layer->kernel = p->number;
  return fill(ctx, p, layer->table.data, p->bytes > 0 ? layer->panels.data : NULL);
}

tsr_status tsr_qconv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_conv_options *options,
                          const tsr_qscheme *scheme, tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {.op = "qconv_pack", .w = w, .bias = bias, .options = options, .scheme = scheme};
  return tsr__q_pack(ctx, &p, 4, layer);
}

tsr_status tsr_qdense_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_qscheme *scheme,
                           tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {.op = "qdense_pack", .w = w, .bias = bias, .scheme = scheme};
  return tsr__q_pack(ctx, &p, 2, layer);
}

static tsr_status size_of(tsr_ctx *ctx, tsr__q_packing *p, int ndim, size_t *bytes) {
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "bytes", "is NULL");
  const tsr_status st = plan_layer(ctx, p, ndim);
  if (st == TSR_OK) *bytes = p->bytes;
  return st;
}

tsr_status tsr_qconv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_options *options,
                               const tsr_qscheme *scheme, size_t *bytes) {
  TSR__NORMALISE_ALL(w);
  tsr__q_packing p = {.op = "qconv_pack_size", .w = w, .options = options, .scheme = scheme};
  return size_of(ctx, &p, 4, bytes);
}

tsr_status tsr_qdense_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_qscheme *scheme, size_t *bytes) {
  TSR__NORMALISE_ALL(w);
  tsr__q_packing p = {.op = "qdense_pack_size", .w = w, .scheme = scheme};
  return size_of(ctx, &p, 2, bytes);
}

void tsr_qlayer_release(tsr_qlayer *layer) {
  if (layer == NULL) return;
  tsr_release(&layer->table);
  tsr_release(&layer->panels);
  *layer = (tsr_qlayer){0};
}
