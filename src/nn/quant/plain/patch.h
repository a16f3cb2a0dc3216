/* Patches: the numbers of x that one output meets, in the order of a filter (see dot.h). */
#ifndef TSR_NN_QUANT_PLAIN_PATCH_H
#define TSR_NN_QUANT_PLAIN_PATCH_H

#include "nn/quant/plain/dot.h"
#include "nn/quant/run.h"

static inline tsr_index tsr__q_patch_length(const tsr__q_run *q) { return q->c.i * q->c.kh * q->c.kw; }

/* Whether patches are bytes as they lie in x. */
static inline bool tsr__q_patch_narrow(const tsr__q_run *q) {
#if defined(TSR__MVE)
  return q->layer->x_dtype == TSR_I8;
#else
  (void)q;
  return false;
#endif
}

/* Whether patches are written as pairs at once: bytes side by side, in whole groups. */
static inline bool tsr__q_patch_in_pairs(const tsr__q_run *q) {
#if defined(TSR__SMLAD)
  return q->layer->x_dtype != TSR_I16 && q->xs[1] == 1 && q->c.i % 4 == 0;
#else
  (void)q;
  return false;
#endif
}

/* Bytes of a patch in room. */
static inline bool tsr__q_patch_bytes(const tsr__q_run *q, size_t *bytes) {
  if (!tsr__mul_size((size_t)tsr__q_patch_length(q), tsr__q_patch_narrow(q) ? 1 : 2, bytes) || *bytes > SIZE_MAX / 2)
    return false;
  *bytes = tsr__align_up(*bytes, 8);
  return true;
}

/* One output of x: its place, the address of what its first tap meets (which may lie outside), and where results go. */
typedef struct tsr__q_place {
  tsr_index n, y, x;
  const char *at;
  char *out;
} tsr__q_place;

/* Whether filters have one tap, which is never outside. */
static inline bool tsr__q_patch_is_point(const tsr__q_run *q) {
  const tsr__conv *const c = &q->c;
  return c->kh == 1 && c->kw == 1 && c->top == 0 && c->left == 0 && c->ph <= c->h && c->pw <= c->w;
}

/* One patch, of the group whose channels begin skip bytes on: in room, or where it lies. */
const char *tsr__q_patch_of(const tsr__q_run *q, const tsr__q_place *p, ptrdiff_t skip, char *room);

#if defined(TSR__SMLAD)
/* Patch number of four, which lie as tsr__smlad_four wants them. */
void tsr__q_patch_of_four(const tsr__q_run *q, const tsr__q_place *p, ptrdiff_t skip, int number, char *patches);
#endif

#endif
