/* Layers that are about to be made: the kernel that will read the weights, and what it reads. */
#include "nn/quant/layer/layer.h"

#include "nn/quant/fast/panels.h"

size_t tsr__q_weight_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f) {
  if (TSR__Q_FAST && kernel != TSR__Q_KERNEL_PLAIN) return tsr__q_panels_bytes(kernel, isa, f);
  return (size_t)f->o * (size_t)f->i * (size_t)f->kh * (size_t)f->kw;
}

static bool is_asymmetric(const tsr__q_packing *p) {
  for (tsr_index o = 0; o < p->f.o; o++)
    if (tsr__q_weight_zero(p, o) != 0) return true;
  return false;
}

tsr_status tsr__q_packing_plan(tsr_ctx *ctx, tsr__q_packing *p) {
  static const tsr_conv_options none = {0};
  const tsr__q_filters *const f = &p->f;
  tsr_index count;
  if (p->options == NULL) p->options = &none;
  const tsr_status st = tsr__q_filters_init(ctx, p->op, p->w, p->options, &p->f);
  if (st != TSR_OK) return st;
  if (!tsr__mul_index(f->o, f->i, &count) || !tsr__mul_index(count, f->kh, &count) ||
      !tsr__mul_index(count, f->kw, &count) || count > TSR_INDEX_MAX / 256)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, p->op, "w", "is too large to pack: %t", p->w);
  p->isa = tsr__isa_of(ctx);
  p->asymmetric = is_asymmetric(p);
  p->kernel = TSR__Q_FAST ? tsr__q_panels_kernel(p->isa, f, p->scheme->x.dtype, p->asymmetric) : TSR__Q_KERNEL_PLAIN;
  const bool there = p->kernel == TSR__Q_KERNEL_PLAIN && tsr__q_filters_are_plain(f, p->w->dtype);
  p->bytes = there ? 0 : tsr__q_weight_bytes(p->kernel, p->isa, f);
  return TSR_OK;
}

void tsr__q_pack_plain(const tsr__q_packing *p, int8_t *to) {
  const tsr__q_filters *const f = &p->f;
  for (tsr_index o = 0; o < f->o; o++)
    for (tsr_index ky = 0; ky < f->kh; ky++)
      for (tsr_index kx = 0; kx < f->kw; kx++)
        for (tsr_index i = 0; i < f->i; i++)
          to[f->depthwise ? (ky * f->kw + kx) * f->o + o : ((o * f->kh + ky) * f->kw + kx) * f->i + i] =
              (int8_t)tsr__q_weight(p, o, i, ky, kx);
}

void tsr__q_packing_weights(const tsr__q_packing *p, const int32_t *table, void *panels) {
  if (TSR__Q_FAST && p->kernel != TSR__Q_KERNEL_PLAIN)
    tsr__q_panels_pack(p, table, panels);
  else
    tsr__q_pack_plain(p, panels);
}

/* The q of 0 … 6. The nearest, halves to even; what is past the range ends there. */
static int32_t six_of(const tsr_quant *out) {
  const float steps = 6 / out->scale, most = 0x1p20f;
  return tsr__quant_round(steps < most ? steps : most) + out->zero;
}

void tsr__q_packing_layer(const tsr__q_packing *p, tsr_qlayer *layer) {
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
  layer->kernel = TSR__Q_KERNEL_PLAIN; /* weights that every machine reads */
  layer->isa = TSR_ISA_NONE;
#if TSR__Q_FAST
  if (p->kernel == TSR__Q_KERNEL_PLAIN) return;
  layer->kernel = tsr__q_panels_number(p->kernel, p->isa);
  layer->isa = tsr__isa_rows[p->isa].id;
#endif
}
