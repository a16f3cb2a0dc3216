/* Small floats to f32 and back, narrowing that rounds once, saturation. Data flow with selects instead of branches, so
 * that loops over it vectorise. */
#ifndef TSR_CORE_DTYPE_NARROW_H
#define TSR_CORE_DTYPE_NARROW_H

#include "core/dtype/wide.h"
#include "core/float_bits.h"

/* yes where condition is 1, no where it is 0. Unlike ?: it lets no compiler move one side's work behind a branch. */
static inline uint32_t tsr__select_u32(int condition, uint32_t yes, uint32_t no) {
  const uint32_t mask = 0u - (uint32_t)condition;
  return (yes & mask) | (no & ~mask);
}

/* ---- small floats ---- */

/* A format of 16 bits or less: sign, exponent, mantissa. */
typedef struct tsr__float_layout {
  int mantissa;       /* bits */
  int bias;           /* of the exponent */
  uint32_t max;       /* the code of the largest finite number */
  uint32_t overflow;  /* the code of what is beyond */
  uint32_t quiet_nan; /* its code; payload bits are or-ed to it */
} tsr__float_layout;

/* The least normal number of a format, as an f32. */
static inline uint32_t tsr__min_normal_bits(tsr__float_layout f) { return (uint32_t)(127 - f.bias + 1) << 23; }

/* The f32 of a code without its sign, exact; NaN becomes quiet. from is a constant, so all of it folds. */
static inline uint32_t tsr__widen_abs(uint32_t code, tsr__float_layout from) {
  const int cut = 23 - from.mantissa;
  const uint32_t min_normal = tsr__min_normal_bits(from);
  const uint32_t abs = code << cut;

  const uint32_t normal = abs + (min_normal - (1u << 23));
  /* A subnormal becomes the mantissa above the least normal number, which is then taken away again. */
  const uint32_t subnormal = tsr__bits_of_f32(tsr__f32_of_bits(abs + min_normal) - tsr__f32_of_bits(min_normal));
  const int infinite = code == from.overflow && from.overflow != from.quiet_nan;
  const uint32_t special = 0x7f800000u | (abs & 0x007fffffu) | (uint32_t)!infinite << 22;

  const uint32_t finite = tsr__select_u32(abs < (1u << 23), subnormal, normal);
  return tsr__select_u32(code > from.max, special, finite);
}

/* The code of |x| without the sign; abs are its bits. Rounds to nearest even. */
static inline uint32_t tsr__narrow_abs(uint32_t abs, tsr__float_layout to) {
  const int cut = 23 - to.mantissa;
  const uint32_t min_normal = tsr__min_normal_bits(to);
  /* Adding this number leaves a subnormal's mantissa, rounded by the hardware, in the low bits of the sum. */
  const uint32_t magic = min_normal + ((uint32_t)cut << 23);

  const uint32_t half = (1u << (cut - 1)) - 1u + ((abs >> cut) & 1u);
  const uint32_t normal = (abs - (min_normal - (1u << 23)) + half) >> cut;
  const uint32_t subnormal = tsr__bits_of_f32(tsr__f32_of_bits(abs) + tsr__f32_of_bits(magic)) - magic;
  const uint32_t payload = (abs >> cut) & ((1u << to.mantissa) - 1u);

  uint32_t code = tsr__select_u32(abs < min_normal, subnormal, normal);
  code = tsr__select_u32(code > to.max, to.overflow, code);
  return tsr__select_u32(abs > 0x7f800000u, to.quiet_nan | payload, code);
}

/* Load and store from f32 of a dtype with so many bits, the first of which is the sign. */
#define TSR__SMALL_FLOAT(dt, format, bits)                                                               \
  static inline tsr__wide_f32 dt##_load(dt##_mem x) {                                                    \
    const uint32_t sign = x & 1u << (bits - 1);                                                          \
    return tsr__f32_of_bits(sign << (32 - bits) | tsr__widen_abs(x & ((1u << (bits - 1)) - 1), format)); \
  }                                                                                                      \
  static inline dt##_mem dt##_from_f32(float x) {                                                        \
    const uint32_t code = tsr__bits_of_f32(x), sign = code >> (32 - bits) & 1u << (bits - 1);            \
    return (dt##_mem)(sign | tsr__narrow_abs(code & 0x7fffffffu, format));                               \
  }

/* ---- round to odd: towards zero, the last bit set when something was cut off. A second rounding, to a format at least
 *      two bits shorter, then gives what one rounding would have given. ---- */

/* The next three keep 13 bits or more of a large integer: enough for bf16, whose exponents reach that far; f16 and f8
 * overflow long before a bit is cut. */

/* kept·2^cut, kept < 2^24, with a sign. */
static inline float tsr__scaled_f32(uint32_t kept, uint32_t cut, uint32_t negative) {
  return tsr__f32_of_bits((tsr__bits_of_f32((float)(int32_t)kept) + (cut << 23)) | negative << 31);
}

/* Cuts bits off where x has more than limit of them; constant shifts, because SSE2 has no others. */
static inline uint64_t tsr__odd_cut_u64(uint64_t x, int limit, int bits, uint64_t *cut) {
  const uint64_t large = 0 - (uint64_t)(x >> limit != 0);
  const uint64_t lost = x & (((uint64_t)1 << bits) - 1);
  *cut += large & (uint64_t)bits;
  return (((x >> bits) | (lost != 0)) & large) | (x & ~large);
}

static inline float tsr__odd_f32_of_u64(uint64_t magnitude, uint32_t negative) {
  uint64_t cut = 0;
  uint64_t kept = tsr__odd_cut_u64(magnitude, 44, 20, &cut);
  kept = tsr__odd_cut_u64(kept, 34, 10, &cut);
  kept = tsr__odd_cut_u64(kept, 24, 10, &cut);
  return tsr__scaled_f32((uint32_t)kept, (uint32_t)cut, negative);
}

static inline float tsr__odd_f32_of_i64(int64_t x) {
  return tsr__odd_f32_of_u64(x < 0 ? 0 - (uint64_t)x : (uint64_t)x, (uint32_t)(x < 0));
}

static inline float tsr__odd_f32_of_i32(int32_t x) {
  const uint32_t magnitude = x < 0 ? 0 - (uint32_t)x : (uint32_t)x;
  const int large = magnitude >> 24 != 0;
  const uint32_t kept = tsr__select_u32(large, (magnitude >> 8) | ((magnitude & 0xffu) != 0), magnitude);
  return tsr__scaled_f32(kept, tsr__select_u32(large, 8, 0), (uint32_t)(x < 0));
}

#if TSR_HAVE_F64
/* Infinity and NaN stay; what is beyond f32 becomes its largest number, whose last bit is odd. */
static inline float tsr__odd_f32_of_f64(double x) {
  const float nearest = (float)x;
  const double back = (double)nearest;
  const int away = (back < 0 ? -back : back) > (x < 0 ? -x : x); /* rounded away from zero */
  const int inexact = back != x;
  return tsr__f32_of_bits((tsr__bits_of_f32(nearest) - (uint32_t)away) | (uint32_t)inexact);
}
#endif

/* The stores of a small float that have more bits to start from than f32 has, by its store from f32. */
#define TSR__ROUNDS_ONCE(dt)                                                                            \
  static inline dt##_mem dt##_from_i32(int32_t x) { return dt##_from_f32(tsr__odd_f32_of_i32(x)); }     \
  static inline dt##_mem dt##_from_i64(int64_t x) { return dt##_from_f32(tsr__odd_f32_of_i64(x)); }     \
  static inline dt##_mem dt##_from_u64(uint64_t x) { return dt##_from_f32(tsr__odd_f32_of_u64(x, 0)); } \
  TSR__IF_F64(static inline dt##_mem dt##_from_f64(double x) { return dt##_from_f32(tsr__odd_f32_of_f64(x)); })

/* ---- float to integer: x between low and high, which the integer holds; NaN gives 0 ---- */

/* Comparisons with NaN are false: where low is 0, that alone makes 0 of it. Written as maximum and minimum are defined, so that
 * each is one instruction. */
static inline float tsr__clamp_f32(float x, float low, float high) {
  float in = low == 0.0f || x == x ? x : 0.0f;
  in = in > low ? in : low;
  return in < high ? in : high;
}

#if TSR_HAVE_F64
static inline double tsr__clamp_f64(double x, double low, double high) {
  double in = low == 0.0 || x == x ? x : 0.0;
  in = in > low ? in : low;
  return in < high ? in : high;
}
#endif

/* The stores of an integer that i32 and both floats hold exactly. */
#define TSR__SATURATES(dt, low, high)                                                                             \
  static inline dt##_mem dt##_from_f32(float x) { return (dt##_mem)(int32_t)tsr__clamp_f32(x, low##f, high##f); } \
  TSR__IF_F64(                                                                                                    \
      static inline dt##_mem dt##_from_f64(double x) { return (dt##_mem)(int32_t)tsr__clamp_f64(x, low, high); })

/* The float below 2^31, 2^32, 2^63, 2^64: where an integer's largest number is no float, high is this one. */
#define TSR__F32_BELOW_2_31 2147483520.0f
#define TSR__F32_BELOW_2_32 4294967040.0f
#define TSR__F32_BELOW_2_63 9223371487098961920.0f
#define TSR__F32_BELOW_2_64 18446742974197923840.0f
#define TSR__F64_BELOW_2_63 9223372036854774784.0
#define TSR__F64_BELOW_2_64 18446744073709549568.0

#endif
