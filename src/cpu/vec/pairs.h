/* TSR__VEC4_PAIRS(a): lane i is lane i ^ 1, so that the parts of complex numbers change places (VEC8: of 8 bytes). Beside the
 * vocabulary, for the kernels that need it. */
#ifndef TSR_CPU_VEC_PAIRS_H
#define TSR_CPU_VEC_PAIRS_H

#include "cpu/vec/vec.h"

#if TSR__VEC_BYTES == 64
#define TSR__VEC4_PAIRS(a) __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define TSR__VEC8_PAIRS(a) __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6)
#elif TSR__VEC_BYTES == 32
#define TSR__VEC4_PAIRS(a) __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6)
#define TSR__VEC8_PAIRS(a) __builtin_shufflevector(a, a, 1, 0, 3, 2)
#else
#define TSR__VEC4_PAIRS(a) __builtin_shufflevector(a, a, 1, 0, 3, 2)
#define TSR__VEC8_PAIRS(a) __builtin_shufflevector(a, a, 1, 0)
#endif

#endif
