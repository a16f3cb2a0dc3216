/* Copies of images for tiles: see stage.h. */
#include "nn/quant/fast/stage.h"

#include "cpu/parallel.h"
#include "nn/quant/fast/panels.h"
#include "nn/quant/fast/tile.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR__Q_FAST

/* Whether x is bytes whose signs are flipped. */
static bool flips(const tsr__q_stage *s) {
  return s->item == 1 && s->run->layer->x_dtype != tsr__q_panels_x_dtype(TSR__Q_KERNEL_BYTES, s->run->isa);
}

/* n numbers that are the zero point of x. */
static void fill(const tsr__q_stage *s, tsr_index n, char *to) {
  const tsr_qlayer *const l = s->run->layer;
  const int32_t zero = l->x_zero + (flips(s) ? 128 : 0); /* or 128 less: the same byte */
  if (s->item == 1)
    memset(to, zero, (size_t)n);
  else
    for (tsr_index i = 0; i < n; i++) ((int16_t *)(void *)to)[i] = (int16_t)zero;
}

static void convert(const tsr__q_stage *s, tsr_index n, const char *from, char *to) {
#define X(isa) {tsr__q_flip_##isa, tsr__q_widen_i8_##isa, tsr__q_widen_u8_##isa},
  static tsr__q_convert_fn *const all[TSR__ISA_COUNT][3] = {TSR_ISA_LIST(X)};
#undef X
  const tsr_qlayer *const l = s->run->layer;
  if (l->x_dtype == TSR_I16)
    memcpy(to, from, (size_t)n * 2);
  else if (s->item == 2)
    all[s->run->isa][l->x_dtype == TSR_U8 ? 2 : 1](n, from, to);
  else if (flips(s))
    all[s->run->isa][0](n, from, to);
  else
    memcpy(to, from, (size_t)n);
}

/* Rows of the copy: padding, x, padding. Channels lie side by side in x, or have been copied here already. */
static void stage_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__q_stage *const s = arg;
  const tsr__conv *const c = &s->run->c;
  const tsr_index left = c->left < c->pw ? c->left : c->pw, room = c->pw - left, n = c->w < room ? c->w : room;
  (void)worker;
  for (tsr_index y = begin; y < end; y++) {
    char *const to = s->to + (ptrdiff_t)y * s->row;
    const tsr_index iy = y - c->top;
    if (iy < 0 || iy >= c->h) {
      fill(s, c->pw * c->c, to);
      continue;
    }
    fill(s, left * c->c, to);
    fill(s, (room - n) * c->c, to + (ptrdiff_t)(left + n) * s->pixel);
    if (s->from == NULL) continue;
    const char *const from = s->from + (ptrdiff_t)iy * s->run->xs[2];
    if (s->run->xs[3] * s->item == s->pixel * tsr__quant_item(s->run->layer->x_dtype))
      convert(s, n * c->c, from, to + (ptrdiff_t)left * s->pixel);
    else
      for (tsr_index x = 0; x < n; x++)
        convert(s, c->c, from + (ptrdiff_t)x * s->run->xs[3], to + (ptrdiff_t)(left + x) * s->pixel);
  }
}

/* Numbers whose channels do not lie side by side: the part of x that is read, transposed. */
static void transpose(const tsr_ctx *ctx, const tsr__q_stage *s, const char *from) {
  const tsr__conv *const c = &s->run->c;
  const tsr_qlayer *const l = s->run->layer;
  const ptrdiff_t item = tsr__quant_item(l->x_dtype), *const xs = s->run->xs;
  const tsr_index rows = c->ph - c->top < c->h ? c->ph - c->top : c->h,
                  columns = c->pw - c->left < c->w ? c->pw - c->left : c->w;
  if (rows <= 0 || columns <= 0) return;
  char *const first = s->to + (ptrdiff_t)c->top * s->row + (ptrdiff_t)c->left * s->pixel;
  tsr_tensor src = {.dtype = l->x_dtype, .ndim = 3, .shape = {rows, columns, c->c}, .data = (void *)(uintptr_t)from};
  tsr_tensor dst = {
      .dtype = s->item == 1 ? l->x_dtype : TSR_I16, .ndim = 3, .shape = {rows, columns, c->c}, .data = first};
  src.stride[0] = (tsr_index)(xs[2] / item);
  src.stride[1] = (tsr_index)(xs[3] / item);
  src.stride[2] = (tsr_index)(xs[1] / item);
  dst.stride[0] = (tsr_index)(s->row / s->item);
  dst.stride[1] = (tsr_index)(s->pixel / s->item);
  dst.stride[2] = 1;
  tsr__copy_no_alias(ctx, &src, &dst);
  if (flips(s))
    for (tsr_index y = 0; y < rows; y++)
      convert(s, columns * c->c, first + (ptrdiff_t)y * s->row, first + (ptrdiff_t)y * s->row);
}

void tsr__q_stage_image(const tsr_ctx *ctx, tsr__q_stage *s, const char *from) {
  const tsr__conv *const c = &s->run->c;
  const bool beside = s->run->xs[1] == tsr__quant_item(s->run->layer->x_dtype) || c->c == 1;
  s->from = beside ? from : NULL;
  tsr__parallel_for(ctx, c->ph, (1 << 14) / (c->pw * c->c + 1) + 1, stage_rows, s);
  if (!beside) transpose(ctx, s, from);
  memset(s->to + (ptrdiff_t)c->ph * s->row, 0, TSR__Q_STAGE_PAST);
}

#endif
