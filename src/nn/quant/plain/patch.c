/* Patches: see patch.h. */
#include "cpu/dsp.h"

#if !defined(TSR__SMLAD) /* whose loops are by hand */
#include "cpu/fast_when_small.h"
#endif

#include "nn/quant/plain/patch.h"

/* n numbers of x, or its zero point (x NULL), from number at of a patch on. */
typedef void gather_fn(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at);

/* One row of a filter whose taps do not lie side by side. */
static tsr_index gather_taps(const tsr__q_run *q, const char *from, tsr_index column, gather_fn *gather, char *patch,
                             tsr_index at) {
  const tsr__conv *const c = &q->c;
  for (tsr_index kx = c->kw; kx > 0; kx--, at += c->i, column += c->dw, from += (ptrdiff_t)c->dw * q->xs[3])
    gather(q, c->i, column >= 0 && column < c->w ? from : NULL, patch, at);
  return at;
}

/* The patch of an output, of the group whose channels begin skip bytes on. What lies side by side is one run. */
__attribute__((noinline)) static void gather_all(const tsr__q_run *q, const tsr__q_place *p, ptrdiff_t skip,
                                                 gather_fn *gather, char *patch) {
  const tsr__conv *const c = &q->c;
  const tsr_index ix = p->x * c->sw - c->left, i = c->i, h = c->h, dh = c->dh, across = i * c->kw;
  const bool beside = c->kw == 1 || (c->dw == 1 && c->groups == 1 && q->xs[3] == q->xs[1] * (ptrdiff_t)c->c);
  const tsr_index before = ix >= 0 ? 0 : -ix < c->kw ? -ix * i : across;
  const tsr_index most = ix >= c->w ? 0 : (c->w - ix) * i, past = most < across ? most : across;
  const ptrdiff_t down = (ptrdiff_t)dh * q->xs[2], inner = ix >= 0 ? skip : skip - (ptrdiff_t)ix * q->xs[3];
  const char *row = p->at;
  tsr_index iy = p->y * c->sh - c->top, at = 0;
  for (tsr_index ky = c->kh; ky > 0; ky--, iy += dh, row += down) {
    if (iy < 0 || iy >= h || (beside && before >= past)) {
      gather(q, across, NULL, patch, at);
    } else if (!beside) {
      at = gather_taps(q, row + skip, ix, gather, patch, at);
      continue;
    } else {
      if (before > 0) gather(q, before, NULL, patch, at);
      gather(q, past - before, row + inner, patch, at + before);
      if (past < across) gather(q, across - past, NULL, patch, at + past);
    }
    at += across;
  }
}

/* ---- numbers as they come ---- */

#if defined(__riscv)
/* Whole fours of bytes side by side, which GCC does one at a time; how many. */
static tsr_index widen_fours(tsr_index n, const int8_t *x, int16_t *to) {
  const tsr_index whole = n / 4 * 4;
  for (const int8_t *const end = x + whole; x != end; x += 4, to += 4) {
    const int8_t second = x[1], third = x[2], fourth = x[3];
    to[0] = x[0];
    to[1] = second;
    to[2] = third;
    to[3] = fourth;
  }
  return whole;
}
#endif

static void gather_i16(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at) {
  const int dtype = q->layer->x_dtype;
  const ptrdiff_t next = q->xs[1];
  int16_t *to = (int16_t *)(void *)patch + at;
#if defined(__riscv)
  if (x != NULL && dtype == TSR_I8 && next == 1) {
    const tsr_index whole = widen_fours(n, (const int8_t *)x, to);
    n -= whole;
    x += whole;
    to += whole;
  }
#endif
  if (x == NULL)
    for (tsr_index i = 0; i < n; i++) to[i] = (int16_t)q->layer->x_zero;
#if defined(TSR__MVE)
  else if (dtype == TSR_I16 && next == 2)
    tsr__mve_copy(2 * n, x, (char *)to);
#endif
  else if (dtype == TSR_I8)
    for (tsr_index i = 0; i < n; i++, x += next) to[i] = *(const int8_t *)x;
  else if (dtype == TSR_U8)
    for (tsr_index i = 0; i < n; i++, x += next) to[i] = *(const uint8_t *)x;
  else
    for (tsr_index i = 0; i < n; i++, x += next) to[i] = *(const int16_t *)(const void *)x;
}

#if defined(TSR__MVE)

static void gather_i8(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at) {
  if (x == NULL)
    tsr__mve_fill(n, (int8_t)q->layer->x_zero, patch + at);
  else if (q->xs[1] == 1)
    tsr__mve_copy(n, x, patch + at);
  else
    for (tsr_index i = 0; i < n; i++, x += q->xs[1]) patch[at + i] = *x;
}

#elif defined(TSR__SMLAD)

static void gather_pairs(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at) {
  if (x == NULL)
    tsr__smlad_pairs_fill(n, q->layer->x_zero, patch + 2 * at, 8);
  else
    tsr__smlad_pairs_of(n, x, q->layer->x_dtype == TSR_I8, patch + 2 * at);
}

/* As one of four patches. */
static void gather_interleaved(const tsr__q_run *q, tsr_index n, const char *x, char *patch, tsr_index at) {
  if (x == NULL)
    tsr__smlad_pairs_fill(n, q->layer->x_zero, patch + 8 * at, 32);
  else
    tsr__smlad_pairs_interleaved(n, x, q->layer->x_dtype == TSR_I8, patch + 8 * at);
}

/* Numbers in order, as groups of pairs step numbers apart; what is left over afterwards, one in every step / 4. from
 * may be to, with step 4. */
static void order_pairs(tsr_index n, const int16_t *from, int16_t *to, int step) {
  for (; n >= 4; n -= 4, from += 4, to += step) {
    const int16_t second = from[1], third = from[2];
    to[0] = from[0];
    to[3] = from[3];
    to[1] = third;
    to[2] = second;
  }
  for (; n > 0; n--, to += step / 4) *to = *from++;
}

/* Patch number of four, which lie as tsr__smlad_four wants them. */
void tsr__q_patch_of_four(const tsr__q_run *q, const tsr__q_place *p, ptrdiff_t skip, int number, char *patches) {
  const tsr_index k = tsr__q_patch_length(q);
  if (tsr__q_patch_in_pairs(q)) {
    gather_all(q, p, skip, gather_interleaved, patches + 8 * number);
    return;
  }
  char *const room = patches + (size_t)k * 8; /* past the four */
  int16_t *const to = (int16_t *)(void *)patches;
  gather_all(q, p, skip, gather_i16, room);
  order_pairs(k / 4 * 4, (const int16_t *)(const void *)room, to + 4 * number, 16);
  order_pairs(k % 4, (const int16_t *)(const void *)room + k / 4 * 4, to + k / 4 * 16 + number, 16);
}

#endif

/* One patch: in room, or where it lies. */
const char *tsr__q_patch_of(const tsr__q_run *q, const tsr__q_place *p, ptrdiff_t skip, char *room) {
#if defined(TSR__MVE)
  if (tsr__q_patch_narrow(q)) {
    if (q->xs[1] == 1 && tsr__q_patch_is_point(q)) return p->at + skip;
    gather_all(q, p, skip, gather_i8, room);
    return room;
  }
#elif defined(TSR__SMLAD)
  if (tsr__q_patch_in_pairs(q)) {
    gather_all(q, p, skip, gather_pairs, room);
    return room;
  }
#endif
  gather_all(q, p, skip, gather_i16, room);
#if defined(TSR__SMLAD)
  order_pairs(tsr__q_patch_length(q), (const int16_t *)(const void *)room, (int16_t *)(void *)room, 4);
#endif
  return room;
}
