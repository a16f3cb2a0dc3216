/* A float as its bits, and back. */
#ifndef TSR_CORE_FLOAT_BITS_H
#define TSR_CORE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

static inline uint32_t tsr__bits_of_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float tsr__f32_of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#if TSR_HAVE_F64
static inline uint64_t tsr__bits_of_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double tsr__f64_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
#endif

#endif
