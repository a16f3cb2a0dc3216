/* The table of a layer: what follows the sum of each output. */
#include "nn/quant/layer/layer.h"

int32_t tsr__q_weight_zero(const tsr__q_packing *p, tsr_index o) {
  return tsr__quant_zero(&p->scheme->w, o) - (p->w->dtype == TSR_U8 ? 128 : 0);
}

/* What follows the sums of output o: TSR_EOVERFLOW where one could leave i32. */
static tsr_status row_of(tsr_ctx *ctx, const tsr__q_packing *p, tsr_index o, int32_t *row) {
  const tsr_quant *const x = &p->scheme->x;
  const int32_t zero = tsr__q_weight_zero(p, o), below = x->zero - tsr__quant_low(x->dtype);
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
  if (sizes > (int64_t)1 << 32 || (bias < 0 ? -bias : bias) + sizes * reach > TSR__QUANT_SUM_MAX)
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
    int32_t row[TSR__Q_TABLE_ROWS] = {0};
    st = row_of(ctx, p, o, row);
    for (int k = 0; k < TSR__Q_TABLE_ROWS && table != NULL; k++) table[k * p->f.o + o] = row[k];
  }
  return st;
}
