/* Sums over lanes: one half of them added to the other, until one is left. */
#ifndef TSR_NN_LANES_H
#define TSR_NN_LANES_H

#include <tessera/config.h>

/* Loops of fixed lengths, so that each is a few vector instructions. */
#define TSR__LANES_JOIN(suffix, C)                            \
  static inline C tsr__lanes_join16_##suffix(C *a) {          \
    for (int l = 0; l < 8; l++) a[l] += a[l + 8];             \
    for (int l = 0; l < 4; l++) a[l] += a[l + 4];             \
    a[0] += a[2];                                             \
    a[1] += a[3];                                             \
    return a[0] + a[1];                                       \
  }                                                           \
  static inline C tsr__lanes_join_##suffix(int lanes, C *a) { \
    if (lanes >= 64)                                          \
      for (int l = 0; l < 32; l++) a[l] += a[l + 32];         \
    if (lanes >= 32)                                          \
      for (int l = 0; l < 16; l++) a[l] += a[l + 16];         \
    return tsr__lanes_join16_##suffix(a);                     \
  }

TSR__LANES_JOIN(f32, float)
#if TSR_HAVE_F64
TSR__LANES_JOIN(f64, double)
#endif

#endif
