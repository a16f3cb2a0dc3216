/* Pairs of 64-bit integers: their differences are exact, and become floats at the end. */
static inline uint64_t FN(away)(C x, C y) { return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x; }

static inline tsr_real FN(size)(C y) { return (tsr_real)FN(away)(y, 0); }

static inline bool FN(differ)(C x, C y, const tsr__tolerance *within) {
  const tsr_real relative = within->relative * FN(size)(y), most = within->absolute + relative;
  return x != y && !((tsr_real)FN(away)(x, y) <= most);
}

static void FN(add)(tsr__difference_part *part, const tsr__tolerance *within, tsr_index n, const void *a,
                    const void *b) {
  const C *const x = a, *const y = b;
  for (tsr_index i = 0; i < n; i++) {
    if (x[i] == y[i]) continue;
    const tsr_real d = (tsr_real)FN(away)(x[i], y[i]), relative = d / FN(size)(y[i]);
    part->max_abs = d > part->max_abs ? d : part->max_abs;
    part->max_rel = relative > part->max_rel ? relative : part->max_rel;
    part->unequal += FN(differ)(x[i], y[i], within);
  }
}

#include "ops/summary/first.tmpl.h"
