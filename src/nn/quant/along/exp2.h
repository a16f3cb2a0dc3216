/* 2^-t by integers: see softmax.h. */
#ifndef TSR_NN_QUANT_ALONG_EXP2_H
#define TSR_NN_QUANT_ALONG_EXP2_H

#include "cpu/dsp.h"

#include <stdbool.h>

/* 2^-u = 1 - u · (C1 - u · (C2 - …)), in 2^-32. */
#define TSR__EXP2_C1 0xb171e827u
#define TSR__EXP2_C2 0x3d7cd161u
#define TSR__EXP2_C3 0x0e290f03u
#define TSR__EXP2_C4 0x025c94e9u
#define TSR__EXP2_C5 0x003e7012u

/* Constants that stay in registers, or are loaded: building them takes up to four instructions at every use. */
typedef struct tsr__exp2 {
  uint32_t c[5];
  uint32_t unit; /* of d, in 2^-26 */
  uint32_t most; /* d from here on has no 2^-t */
} tsr__exp2;

static inline tsr__exp2 tsr__exp2_of(uint32_t unit) {
  tsr__exp2 e = {{TSR__EXP2_C1, TSR__EXP2_C2, TSR__EXP2_C3, TSR__EXP2_C4, TSR__EXP2_C5}, unit, UINT32_MAX / unit};
#if defined(TSR__SMLAD)
  for (int i = 0; i < 5; i++) __asm__("" : "+r"(e.c[i]));
#endif
  return e;
}

static inline uint32_t tsr__high_u32(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }

/* a / 2^n, n ≤ 63. */
static inline uint32_t tsr__down_u32(uint32_t a, uint32_t n) {
#if defined(TSR__SMLAD)
  __asm__("lsr %0, %0, %1" : "+r"(a) : "r"(n)); /* of 32 and more: 0 */
  return a;
#else
  return n > 31 ? 0 : a >> n;
#endif
}

/* 2^-(d · unit / 2^26) in 2^-31. */
static inline uint32_t tsr__exp2_down(const tsr__exp2 *e, uint32_t d) {
  const uint32_t t = (d < e->most ? d : e->most) * e->unit, u = t << 6;
  uint32_t v = e->c[3] - tsr__high_u32(u, e->c[4]);
  v = e->c[2] - tsr__high_u32(u, v);
  v = e->c[1] - tsr__high_u32(u, v);
  v = tsr__high_u32(u, e->c[0] - tsr__high_u32(u, v));
  return tsr__down_u32(0x80000000u - (v >> 1), t >> 26);
}

#endif
