/* What a microcontroller's core multiplies with besides single numbers. TSR__SMLAD: pairs of i16, of Cortex-M4, M7 and M33.
 * TSR__MVE: vectors of integers, of Cortex-M55 and its like; TSR__MVE_FLOAT: of floats too, which take subnormal numbers for 0
 * (cpu/float_flags.h). */
#ifndef TSR_CPU_DSP_H
#define TSR_CPU_DSP_H

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)
#define TSR__MVE 1
#include <arm_mve.h>
#if (__ARM_FEATURE_MVE & 2) != 0
#define TSR__MVE_FLOAT 1
#endif
#elif defined(__ARM_FEATURE_SIMD32) && defined(__ARM_FEATURE_UNALIGNED) && defined(__thumb2__) && \
    !defined(__ARM_BIG_ENDIAN) && !defined(__aarch64__)
#define TSR__SMLAD 1
#endif

#include <stdint.h>

/* The number of 8 bits that is nearest to y. */
static inline int32_t tsr__saturate_i8(int32_t y) {
#if defined(TSR__SMLAD)
  int32_t byte;
  __asm__("ssat %0, #8, %1" : "=r"(byte) : "r"(y));
  return byte;
#else
  const int32_t above = y < -128 ? -128 : y;
  return above > 127 ? 127 : above;
#endif
}

#endif
