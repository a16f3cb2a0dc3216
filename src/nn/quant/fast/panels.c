#include "nn/quant/fast/panels.h"

#include <string.h>

#if TSR__Q_FAST

#define X(isa) {&tsr__q_bytes_##isa, &tsr__q_pairs_##isa},
static const tsr__q_tiles *const tiles[TSR__ISA_COUNT][2] = {TSR_ISA_LIST(X)};
#undef X

static const tsr__q_tiles *tiles_of(tsr__q_kernel kernel, int isa) { return tiles[isa][kernel == TSR__Q_KERNEL_PAIRS]; }

bool tsr__q_panels_have_bytes(int isa) {
  return tiles_of(TSR__Q_KERNEL_BYTES, isa)->run != NULL && tsr__isa_has_byte_dots();
}

int tsr__q_panels_x_dtype(tsr__q_kernel kernel, int isa) { return tiles_of(kernel, isa)->x_dtype; }

uint8_t tsr__q_panels_number(tsr__q_kernel kernel, int isa) {
  return tsr__layout_number((int)kernel, tiles_of(kernel, isa)->lanes);
}

tsr__q_kernel tsr__q_panels_kernel(int isa, const tsr__q_filters *f, int x_dtype, bool asymmetric) {
  if (f->depthwise) return TSR__Q_KERNEL_PLAIN;
  return x_dtype != TSR_I16 && !asymmetric && tsr__q_panels_have_bytes(isa) ? TSR__Q_KERNEL_BYTES : TSR__Q_KERNEL_PAIRS;
}

/* Numbers in a group of four bytes. */
static tsr_index group_of(tsr__q_kernel kernel) { return kernel == TSR__Q_KERNEL_BYTES ? 4 : 2; }

void tsr__q_panels_init(tsr__q_kernel kernel, int isa, const tsr__q_filters *f, tsr__q_panels *p) {
  const tsr_index group = group_of(kernel);
  *p = (tsr__q_panels){.tiles = tiles_of(kernel, isa), .columns = f->groups > 0 ? f->o / f->groups : 0};
  p->taps = f->contiguous_rows ? f->kh : f->kh * f->kw;
  p->run = f->contiguous_rows ? f->kw * f->i : f->i;
  p->steps = (p->run + group - 1) / group;
  p->vectors = (p->columns + p->tiles->lanes - 1) / p->tiles->lanes;
  p->panels = (p->vectors + p->tiles->vectors - 1) / p->tiles->vectors;
  const size_t columns = (size_t)f->groups * (size_t)p->vectors * p->tiles->lanes;
  p->table = columns * (size_t)p->taps * (size_t)p->steps * 4;
  p->bytes = p->table + columns * 3 * sizeof(int32_t);
}

size_t tsr__q_panels_bytes(tsr__q_kernel kernel, int isa, const tsr__q_filters *f) {
  tsr__q_panels p;
  tsr__q_panels_init(kernel, isa, f, &p);
  return p.bytes;
}

/* One group of four bytes: numbers from first on of a tap of filter o. */
static int32_t take_group(const tsr__q_packing *k, const tsr__q_panels *p, tsr_index o, tsr_index tap, tsr_index first,
                          int32_t zero) {
  int8_t bytes[4] = {0};
  int16_t pairs[2] = {0};
  int32_t group;
  for (tsr_index e = 0; e < group_of(k->kernel) && first + e < p->run; e++) {
    const tsr_index at = tap * p->run + first + e, pixel = at / k->f.i;
    const int32_t w = tsr__q_weight(k, o, at % k->f.i, pixel / k->f.kw, pixel % k->f.kw);
    if (k->kernel == TSR__Q_KERNEL_BYTES)
      bytes[e] = (int8_t)w;
    else
      pairs[e] = (int16_t)(w - zero);
  }
  memcpy(&group, k->kernel == TSR__Q_KERNEL_BYTES ? (const void *)bytes : (const void *)pairs, sizeof group);
  return group;
}

/* Bytes of x whose signs are flipped count 128 more in byte dots, or less, which the biases take back. */
static int32_t bias_of(const tsr__q_packing *k, tsr_index o, int32_t bias) {
  uint32_t sum = 0;
  if (k->kernel != TSR__Q_KERNEL_BYTES || k->scheme->x.dtype == tsr__q_panels_x_dtype(k->kernel, k->isa)) return bias;
  for (tsr_index ky = 0; ky < k->f.kh; ky++)
    for (tsr_index kx = 0; kx < k->f.kw; kx++)
      for (tsr_index i = 0; i < k->f.i; i++) sum += (uint32_t)tsr__q_weight(k, o, i, ky, kx);
  return (int32_t)(k->scheme->x.dtype == TSR_I8 ? (uint32_t)bias - 128 * sum : (uint32_t)bias + 128 * sum);
}

static void pack_columns(const tsr__q_packing *k, const tsr__q_panels *p, const int32_t *table, int32_t *ends) {
  const tsr_index lanes = p->tiles->lanes, all = k->f.groups * p->vectors * lanes;
  for (tsr_index at = 0; at < all; at++) {
    const tsr_index group = at / (p->vectors * lanes), column = at % (p->vectors * lanes);
    const tsr_index o = group * p->columns + column;
    const bool real = column < p->columns;
    ends[at] = real ? bias_of(k, o, table[TSR__Q_BIAS * k->f.o + o]) : 0;
    ends[all + at] = real ? table[TSR__Q_MULTIPLIER * k->f.o + o] : 0;
    ends[2 * all + at] = real ? table[TSR__Q_SHIFT * k->f.o + o] : TSR__FIXED_HIGH;
  }
}

/* Columns first … first + count of a group of channels, count of whole vectors. */
static int32_t *pack_panel(const tsr__q_packing *k, const tsr__q_panels *p, const int32_t *table, tsr_index group,
                           tsr_index first, tsr_index count, int32_t *to) {
  for (tsr_index tap = 0; tap < p->taps; tap++)
    for (tsr_index step = 0; step < p->steps; step++)
      for (tsr_index j = first; j < first + count; j++) {
        const tsr_index o = group * p->columns + j;
        *to++ = j < p->columns ? take_group(k, p, o, tap, step * group_of(k->kernel), table[TSR__Q_W_ZERO * k->f.o + o])
                               : 0;
      }
  return to;
}

void tsr__q_panels_pack(const tsr__q_packing *k, const int32_t *table, void *panels) {
  tsr__q_panels p;
  int32_t *to = panels;
  tsr__q_panels_init(k->kernel, k->isa, &k->f, &p);
  for (tsr_index g = 0; g < k->f.groups; g++)
    for (tsr_index panel = 0; panel < p.panels; panel++) {
      const tsr_index first = tsr__q_panel_vector(&p, panel), next = tsr__q_panel_vector(&p, panel + 1);
      to = pack_panel(k, &p, table, g, first * p.tiles->lanes, (next - first) * p.tiles->lanes, to);
    }
  pack_columns(k, &p, table, to);
}

#endif
