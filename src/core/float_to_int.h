/* Floats to 64-bit integers, towards zero. The value is in the integer's range. */
#ifndef TSR_CORE_FLOAT_TO_INT_H
#define TSR_CORE_FLOAT_TO_INT_H

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

/* Compilers for machines without double call a function for this that computes in double, and that drags all of soft-double
 * along: there the mantissa is shifted by hand. Elsewhere it is an instruction. */
static inline uint64_t tsr__u64_of_f32(float x) {
#if TSR_HAVE_F64
  return (uint64_t)x;
#else
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> 23 & 0xffu) - 150; /* of the mantissa's last bit */
  const uint64_t mantissa = (bits & 0x7fffffu) | 0x800000u;
  if (exponent >= 0) return mantissa << exponent;
  return exponent > -24 ? mantissa >> -exponent : 0;
#endif
}

static inline int64_t tsr__i64_of_f32(float x) {
#if TSR_HAVE_F64
  return (int64_t)x;
#else
  return x < 0 ? (int64_t)(0 - tsr__u64_of_f32(-x)) : (int64_t)tsr__u64_of_f32(x);
#endif
}

/* The same for a tsr_real, and for the widest float that there is. */
#if TSR_REAL_BITS == 64
#define TSR__I64_OF_REAL(x) ((int64_t)(x))
#else
#define TSR__I64_OF_REAL(x) tsr__i64_of_f32(x)
#endif
#if TSR_HAVE_F64
#define TSR__I64_OF_WIDEST(x) ((int64_t)(x))
#define TSR__U64_OF_WIDEST(x) ((uint64_t)(x))
#else
#define TSR__I64_OF_WIDEST(x) tsr__i64_of_f32(x)
#define TSR__U64_OF_WIDEST(x) tsr__u64_of_f32(x)
#endif

#endif
