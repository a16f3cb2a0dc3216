/* Functions whose formula depends on where x lies, as the host's kernels choose it: x in range by a short polynomial, the others by
 * another one, or in f64 by the library of the device. */
#include "cpu/math/bits.h"

static inline uint32_t tsr__size_of_f32(float x) { return tsr__bits_of_f32(x) & 0x7fffffffu; }

/* _near: of x in range, without a branch; far becomes true where it is not, and the result means nothing. Of several numbers together
 * that is half the work. small: whether x may be tiny and the last bits of the result count. */
#define RANGE_CHECKED_BY(op, key, reach)                                                   \
  static inline float tsr__##op##_f32(float x) {                                           \
    return key(x) > reach ? tsr__##op##_out_of_range_f32(x) : tsr__##op##_in_range_f32(x); \
  }                                                                                        \
  static inline float tsr__##op##_near_f32(float x, bool &far, bool small) {               \
    (void)small;                                                                           \
    far = far || key(x) > reach;                                                           \
    return tsr__##op##_in_range_f32(x);                                                    \
  }
#define RANGE_CHECKED(op) RANGE_CHECKED_BY(op, tsr__size_of_f32, tsr__bits_of_f32(tsr__##op##_reach_f32()))
#define LOGARITHM(op) RANGE_CHECKED_BY(op, tsr__log_key_f32, TSR__LOG_KEYS_F32)

#define RANGE_CHECKED_WIDE(op, low, high)                                                          \
  static inline double tsr__##op##_f64(double x) {                                                 \
    return x >= low && x <= high ? tsr__##op##_in_range_vf64(x).lane : tsr__##op##_libm_f64(x);    \
  }

/* Of two numbers. */
#define RANGE_CHECKED_PAIR(op)                                                \
  static inline double tsr__##op##_f64(double a, double b) {                  \
    tsr__vi64 in_range;                                                       \
    const tsr__vf64 y = tsr__##op##_in_range_vf64(a, b, &in_range);           \
    return in_range.lane != 0 ? y.lane : tsr__##op##_libm_f64(a, b);          \
  }
