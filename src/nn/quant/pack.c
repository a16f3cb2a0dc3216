/* Layers made ready: weights in the order of the kernel, and the table of what follows a sum. */
#include "nn/quant/layer.h"

#include "core/normalise.h"
#include "core/table.h"
#include "core/tensor.h"
#include "nn/quant/panels.h"

#include <tessera/layout.h>

tsr_status tsr__q_filters_init(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_conv_options *options,
                               tsr__q_filters *f) {
  static const int8_t orders[3][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 0, 1}};
  *f = (tsr__q_filters){.groups = options->groups == 0 ? 1 : options->groups, .kh = 1, .kw = 1};
  f->contiguous_rows = f->groups == 1 && options->dilation[1] <= 1;
  if (w->ndim == 2) {
    f->o = w->shape[0];
    f->i = w->shape[1];
    f->stride[0] = w->stride[0];
    f->stride[1] = w->stride[1];
    return TSR_OK;
  }
  if (w->ndim != 4) return TSR__FAIL(ctx, TSR_ESHAPE, op, "w", "is %t, which is no set of filters", w);
  const int order = w->layout == TSR_OHWI ? 1 : w->layout == TSR_HWIO ? 2 : 0;
  if (order == 0 && w->layout != TSR_PLAIN && w->layout != TSR_OIHW)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "w", "is %t with layout %s: only OIHW, OHWI and HWIO", w,
                     tsr_layout_name(w->layout));
  tsr_index *const lengths[4] = {&f->o, &f->i, &f->kh, &f->kw};
  for (int k = 0; k < 4; k++) {
    *lengths[k] = w->shape[orders[order][k]];
    f->stride[k] = w->stride[orders[order][k]];
  }
  f->depthwise = f->i == 1 && f->groups > 1;
  if (f->groups < 0 || (f->groups > 1 && f->o % f->groups != 0))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "groups", "%l: the %l filters of w do not divide evenly", (int64_t)f->groups,
                     (int64_t)f->o);
  return TSR_OK;
}

/* ---- checks ---- */

static tsr_status check_scheme(tsr_ctx *ctx, const tsr__q_packing *p) {
  const tsr_qscheme *const s = p->scheme;
  int axis;
  if (s == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "scheme", "is NULL");
  tsr_status st = tsr__quant_check_whole(ctx, p->op, "scheme.x", &s->x, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check(ctx, p->op, "scheme.w", &s->w, TSR__Q_BYTES);
  if (st == TSR_OK) st = tsr__quant_check_whole(ctx, p->op, "scheme.out", &s->out, TSR__Q_SMALL);
  if (st != TSR_OK) return st;
  if (s->activation > TSR_Q_RELU6)
    return TSR__FAIL(ctx, TSR_EARG, p->op, "activation", "%d is none of a quantised layer", (int)s->activation);
  if (p->w->dtype != s->w.dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, p->op, "w", "is %t, its quantisation is for %y", p->w, (int)s->w.dtype);
  st = tsr__quant_axis(ctx, p->op, "scheme.w", &s->w, p->w, &axis);
  if (st != TSR_OK || axis < 0) return st;
  const int outputs = p->w->ndim == 4 && p->w->layout == TSR_HWIO ? 3 : 0;
  if (axis != outputs)
    return TSR__FAIL(ctx, TSR_EAXIS, p->op, "scheme.w", "has scales along axis %d of %t, outputs are axis %d", axis,
                     p->w, outputs);
  return TSR_OK;
}

static tsr_status check_rest(tsr_ctx *ctx, const tsr__q_packing *p) {
  const tsr_tensor *const bias = p->bias;
  if (p->options->activation.kind != NULL || p->options->algorithm != 0)
    return TSR__FAIL(ctx, TSR_EARG, p->op, "attrs",
                     "have an activation or an algorithm; the scheme has the activation");
  if (bias == NULL) return TSR_OK;
  const tsr_status st = tsr__check_input(ctx, p->op, "bias", bias);
  if (st != TSR_OK) return st;
  if (bias->dtype != TSR_I32) return TSR__FAIL(ctx, TSR_EDTYPE, p->op, "bias", "is %t; it is i32: tsr_qbias", bias);
  if (bias->ndim != 1 || bias->shape[0] != p->f.o)
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "bias", "is %t, there are %l outputs", bias, (int64_t)p->f.o);
  return TSR_OK;
}

/* ---- the weights ---- */

int32_t tsr__q_weight(const tsr__q_packing *p, tsr_index o, tsr_index i, tsr_index ky, tsr_index kx) {
  const tsr_index *const s = p->f.stride;
  const char *const at = (const char *)p->w->data + (ptrdiff_t)(o * s[0] + i * s[1] + ky * s[2] + kx * s[3]);
  return p->w->dtype == TSR_U8 ? (int32_t) * (const uint8_t *)at - 128 : *(const int8_t *)at;
}

/* Zero point of what tsr__q_weight gives. */
static int32_t weight_zero(const tsr__q_packing *p, tsr_index o) {
  return tsr__quant_zero(&p->scheme->w, o) - (p->w->dtype == TSR_U8 ? 128 : 0);
}

static bool is_stride(tsr_index length, tsr_index stride, tsr_index want) { return length <= 1 || stride == want; }

bool tsr__q_layout_is_plain(const tsr__q_filters *f, int dtype) {
  if (dtype != TSR_I8) return false;
  if (f->depthwise)
    return is_stride(f->o, f->stride[0], 1) && is_stride(f->kw, f->stride[3], f->o) &&
           is_stride(f->kh, f->stride[2], f->o * f->kw);
  return is_stride(f->i, f->stride[1], 1) && is_stride(f->kw, f->stride[3], f->i) &&
         is_stride(f->kh, f->stride[2], f->i * f->kw) && is_stride(f->o, f->stride[0], f->i * f->kw * f->kh);
}

static bool is_asymmetric(const tsr__q_packing *p) {
  for (tsr_index o = 0; o < p->f.o; o++)
    if (weight_zero(p, o) != 0) return true;
  return false;
}

size_t tsr__q_weight_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f) {
  tsr__q_panels panels;
  if (kernel == TSR__Q_KERNEL_PLAIN) return (size_t)f->o * (size_t)f->i * (size_t)f->kh * (size_t)f->kw;
  tsr__q_panels_init(kernel, isa, f, &panels);
  return panels.bytes;
}

tsr_status tsr__q_plan(tsr_ctx *ctx, tsr__q_packing *p) {
  static const tsr_conv_options none = {0};
  tsr_index count;
  if (p->options == NULL) p->options = &none;
  tsr_status st = tsr__check_reserved(ctx, p->op, TSR__ROOM(p->options));
  if (st == TSR_OK) st = tsr__check_input(ctx, p->op, "w", p->w);
  if (st == TSR_OK) st = tsr__q_filters_init(ctx, p->op, p->w, p->options, &p->f);
  if (st == TSR_OK) st = check_scheme(ctx, p);
  if (st == TSR_OK) st = check_rest(ctx, p);
  if (st != TSR_OK) return st;
  const tsr__q_filters *const f = &p->f;
  p->isa = tsr__isa_of(ctx);
  p->asymmetric = is_asymmetric(p);
  p->kernel = tsr__q_panels_kernel(p->isa, f, p->scheme->x.dtype, p->asymmetric);
  if (tsr__mul_index(f->o, f->i, &count) && tsr__mul_index(count, f->kh, &count) &&
      tsr__mul_index(count, f->kw, &count) && count <= TSR_INDEX_MAX / 256) {
    p->bytes = tsr__q_weight_bytes(p->kernel, p->isa, f);
    if (p->kernel == TSR__Q_KERNEL_PLAIN && tsr__q_layout_is_plain(f, p->w->dtype)) p->bytes = 0;
    return TSR_OK;
  }
  return TSR__FAIL(ctx, TSR_EOVERFLOW, p->op, "w", "is too large to pack: %t", p->w);
}

/* ---- the table ---- */

/* What follows the sums of output o: TSR_EOVERFLOW where one could leave i32. */
static tsr_status row_of(tsr_ctx *ctx, const tsr__q_packing *p, tsr_index o, int32_t *row) {
  const tsr_quant *const x = &p->scheme->x;
  const int32_t zero = weight_zero(p, o), below = x->zero - tsr__quant_low(x->dtype);
  const int32_t above = tsr__quant_high(x->dtype) - x->zero, reach = above > below ? above : below;
  int64_t sum = 0, sizes = 0;
  for (tsr_index ky = 0; ky < p->f.kh; ky++)
    for (tsr_index kx = 0; kx < p->f.kw; kx++)
      for (tsr_index i = 0; i < p->f.i; i++) {
        const int32_t v = tsr__q_weight(p, o, i, ky, kx) - zero;
        sum += v;
        sizes += v < 0 ? -v : v;
      }
  const int64_t bias = p->bias == NULL
                           ? 0
                           : *(const int32_t *)(const void *)((const char *)p->bias->data +
                                                              (ptrdiff_t)o * 4 * (ptrdiff_t)p->bias->stride[0]);
  if (sizes > (int64_t)1 << 32 || (bias < 0 ? -bias : bias) + sizes * reach > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, p->op, "w", "%t: sums of output %l can leave 32 bits", p->w, (int64_t)o);
  tsr__fixed f;
  const tsr_status st =
      tsr__fixed_check(ctx, p->op, "scheme", x->scale, tsr__quant_scale(&p->scheme->w, o), p->scheme->out.scale, &f);
  if (st != TSR_OK) return st;
  row[TSR__Q_BIAS] = (int32_t)(bias - x->zero * sum);
  row[TSR__Q_MULTIPLIER] = f.multiplier;
  row[TSR__Q_SHIFT] = f.shift;
  row[TSR__Q_W_ZERO] = zero;
  return TSR_OK;
}

tsr_status tsr__q_table(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table) {
  tsr_status st = TSR_OK;
  for (tsr_index o = 0; o < p->f.o && st == TSR_OK; o++) {
    int32_t row[TSR__Q_TABLE_ROWS];
    st = row_of(ctx, p, o, row);
    for (int k = 0; k < TSR__Q_TABLE_ROWS && table != NULL; k++) table[k * p->f.o + o] = row[k];
  }
  return st;
}

static void pack_plain(const tsr__q_packing *p, int8_t *to) {
  const tsr__q_filters *const f = &p->f;
  for (tsr_index o = 0; o < f->o; o++)
    for (tsr_index ky = 0; ky < f->kh; ky++)
      for (tsr_index kx = 0; kx < f->kw; kx++)
        for (tsr_index i = 0; i < f->i; i++)
          to[f->depthwise ? (ky * f->kw + kx) * f->o + o : ((o * f->kh + ky) * f->kw + kx) * f->i + i] =
              (int8_t)tsr__q_weight(p, o, i, ky, kx);
}

void tsr__q_weights(const tsr__q_packing *p, const int32_t *table, void *panels) {
  if (p->kernel == TSR__Q_KERNEL_PLAIN)
    pack_plain(p, panels);
  else
    tsr__q_panels_pack(p, table, panels);
}

/* ---- the layer ---- */

/* The q of 0 … 6. The nearest, halves to even; what is past the range ends there. */
static int32_t six_of(const tsr_quant *out) {
  const volatile float magic = 0x1.8p23f;
  const float steps = 6 / out->scale, most = 0x1p20f, sum = (steps < most ? steps : most) + magic;
  return (int32_t)(sum - magic) + out->zero;
}

void tsr__q_set_layer(const tsr__q_packing *p, tsr_qlayer *layer) {
  const tsr_qscheme *const s = p->scheme;
  const int32_t most = tsr__quant_high(s->out.dtype);
  layer->w = *p->w;
  layer->w.flags = TSR_READONLY;
  layer->w.name = NULL;
  layer->options = *p->options;
  layer->x_zero = s->x.zero;
  layer->out_zero = s->out.zero;
  layer->low = s->activation == TSR_Q_NONE ? tsr__quant_low(s->out.dtype) : s->out.zero;
  layer->high = most;
  if (s->activation == TSR_Q_RELU6 && six_of(&s->out) < most) layer->high = six_of(&s->out);
  layer->x_dtype = s->x.dtype;
  layer->out_dtype = s->out.dtype;
  const bool plain = !TSR__Q_FAST || p->kernel == TSR__Q_KERNEL_PLAIN; /* weights that every machine reads */
  layer->kernel = plain ? 0 : tsr__q_panels_number(p->kernel, p->isa);
  layer->isa = plain ? TSR_ISA_NONE : tsr__isa_rows[p->isa].id;
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

static tsr_status pack(tsr_ctx *ctx, tsr__q_packing *p, tsr_qlayer *layer) {
  if (layer == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "layer", "is NULL");
  tsr_status st = tsr__q_plan(ctx, p);
  if (st == TSR_OK) st = tsr__q_table(ctx, p, NULL);
  if (st != TSR_OK) return st;
  const tsr_index rows[2] = {TSR__Q_TABLE_ROWS, p->f.o}, count[1] = {(tsr_index)p->bytes};
  const tsr__result table = {TSR_I32, TSR_PLAIN, 2, rows, NULL}, panels = {TSR_U8, TSR_PLAIN, 1, count, NULL};
  const bool fresh = layer->table.data == NULL;
  st = check_memory(ctx, p, &table, &panels, layer);
  if (st == TSR_OK) st = tsr__output(ctx, p->op, &table, &layer->table);
  if (st == TSR_OK && p->bytes > 0) st = tsr__output(ctx, p->op, &panels, &layer->panels);
  if (st != TSR_OK) {
    if (fresh) tsr_release(&layer->table);
    return st;
  }
  (void)tsr__q_table(ctx, p, layer->table.data);
  tsr__q_set_layer(p, layer);
  if (p->bytes > 0) tsr__q_weights(p, layer->table.data, layer->panels.data);
  return TSR_OK;
}

static tsr_status check_matrix(tsr_ctx *ctx, const tsr__q_packing *p) {
  if (p->w == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "w", "is NULL");
  if (p->w->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "w", "is %t: it takes [O,F]", p->w);
  return TSR_OK;
}

static tsr_status check_four(tsr_ctx *ctx, const tsr__q_packing *p) {
  if (p->w == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "w", "is NULL");
  if (p->w->ndim != 4) return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "w", "is %t: it takes [O,C/groups,KH,KW]", p->w);
  return TSR_OK;
}

tsr_status tsr_qconv_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_conv_options *options,
                          const tsr_qscheme *scheme, tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {.op = "qconv_pack", .w = w, .bias = bias, .options = options, .scheme = scheme};
  const tsr_status st = check_four(ctx, &p);
  return st == TSR_OK ? pack(ctx, &p, layer) : st;
}

tsr_status tsr_qdense_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias, const tsr_qscheme *scheme,
                           tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  tsr__q_packing p = {.op = "qdense_pack", .w = w, .bias = bias, .scheme = scheme};
  const tsr_status st = check_matrix(ctx, &p);
  return st == TSR_OK ? pack(ctx, &p, layer) : st;
}

static tsr_status size_of(tsr_ctx *ctx, tsr__q_packing *p, size_t *bytes) {
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, p->op, "bytes", "is NULL");
  const tsr_status st = tsr__q_plan(ctx, p);
  if (st == TSR_OK) *bytes = p->bytes;
  return st;
}

tsr_status tsr_qconv_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_conv_options *options,
                               const tsr_qscheme *scheme, size_t *bytes) {
  TSR__NORMALISE_ALL(w);
  tsr__q_packing p = {.op = "qconv_pack_size", .w = w, .options = options, .scheme = scheme};
  const tsr_status st = check_four(ctx, &p);
  return st == TSR_OK ? size_of(ctx, &p, bytes) : st;
}

tsr_status tsr_qdense_pack_size(tsr_ctx *ctx, const tsr_tensor *w, const tsr_qscheme *scheme, size_t *bytes) {
  TSR__NORMALISE_ALL(w);
  tsr__q_packing p = {.op = "qdense_pack_size", .w = w, .scheme = scheme};
  const tsr_status st = check_matrix(ctx, &p);
  return st == TSR_OK ? size_of(ctx, &p, bytes) : st;
}

void tsr_qlayer_release(tsr_qlayer *layer) {
  if (layer == NULL) return;
  tsr_release(&layer->table);
  tsr_release(&layer->panels);
  *layer = (tsr_qlayer){0};
}
