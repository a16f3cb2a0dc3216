/* What a machine computes with: an emulator may have less than the hardware it stands for. valgrind has no long double
 * longer than double, and rounds a whole number of 64 bits twice on its way to f32. */
#ifndef TSR_TEST_MACHINE_H
#define TSR_TEST_MACHINE_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether a long double that is longer than double is. */
static inline bool test_has_long_double(void) {
#if LDBL_MANT_DIG > 60
  volatile long double x = 1;
  x += 0x1p-60L;
  return x != 1;
#else
  return false;
#endif
}

static inline bool test_rounds_once(void) {
  volatile int64_t whole = INT64_C(0x0020f45aa0000001);
  volatile float rounded = (float)whole;
  return rounded == 0x1.07a2d6p+53f;
}

#endif
