/* TSR__VEC4_REVERSE(a): the lanes from the last to the first (VEC8: of 8 bytes). Beside the vocabulary, for the kernels that need it. */
#ifndef TSR_CPU_VEC_REVERSE_H
#define TSR_CPU_VEC_REVERSE_H

#include "cpu/vec/vec.h"

#if TSR__VEC_BYTES == 64
#define TSR__VEC4_REVERSE(a) __builtin_shufflevector(a, a, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TSR__VEC8_REVERSE(a) __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#elif TSR__VEC_BYTES == 32
#define TSR__VEC4_REVERSE(a) __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0)
#define TSR__VEC8_REVERSE(a) __builtin_shufflevector(a, a, 3, 2, 1, 0)
#else
#define TSR__VEC4_REVERSE(a) __builtin_shufflevector(a, a, 3, 2, 1, 0)
#define TSR__VEC8_REVERSE(a) __builtin_shufflevector(a, a, 1, 0)
#endif

#endif
