/* What floats leave in the flags of a core: that a NaN was compared, and on MVE that vectors took a subnormal number for 0. A loop that
 * is fast for all other numbers looks at them once, behind it, and what it wrote is then done again with care. Before that look,
 * results have to be in memory: nothing else keeps a compiler from computing them later. */
#ifndef TSR_CPU_FLOAT_FLAGS_H
#define TSR_CPU_FLOAT_FLAGS_H

#include "cpu/dsp.h"
#include <stdbool.h>
#include <stdint.h>

#if defined(TSR__MVE_FLOAT) || (defined(__thumb2__) && defined(__ARM_FP) && (__ARM_FP & 4) != 0)
#define TSR__FLOAT_FLAGS 1
enum { TSR__NAN_COMPARED = 0x01, TSR__SUBNORMAL_LOST = 0x88 }; /* IOC; IDC, UFC */
#define TSR__READ_FLAGS(flags) __asm__ volatile("vmrs %0, fpscr" : "=r"(flags) : : "memory")
#define TSR__WRITE_FLAGS(flags) __asm__ volatile("vmsr fpscr, %0" : : "r"(flags) : "memory")
#elif defined(__riscv_flen) && __riscv_flen >= 32
#define TSR__FLOAT_FLAGS 1
enum { TSR__NAN_COMPARED = 0x10 }; /* NV */
#define TSR__READ_FLAGS(flags) __asm__ volatile("frflags %0" : "=r"(flags) : : "memory")
#define TSR__WRITE_FLAGS(flags) __asm__ volatile("fsflags %0" : : "r"(flags) : "memory")
#endif

#if defined(TSR__FLOAT_FLAGS)
/* The flags of before, which are put back at the end: they are the caller's. */
static inline uint32_t tsr__flags_begin(uint32_t wanted) {
  uint32_t before;
  TSR__READ_FLAGS(before);
  TSR__WRITE_FLAGS(before & ~wanted);
  return before;
}

/* Whether a wanted one has been set since. */
static inline bool tsr__flags_end(uint32_t before, uint32_t wanted) {
  uint32_t now;
  TSR__READ_FLAGS(now);
  TSR__WRITE_FLAGS(now | before);
  return (now & wanted) != 0;
}
#endif

#endif
