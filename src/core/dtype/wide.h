/* Wide types: what an element becomes between its load and its store. Every value of a dtype is exact in its wide, so a
 * conversion rounds only in the store. The small integers have a wide of their own, 32 bits, because int32 -> float is
 * one instruction on every target and int64 -> float is not. */
#ifndef TSR_CORE_DTYPE_WIDE_H
#define TSR_CORE_DTYPE_WIDE_H

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

#define TSR_HAVE_C64 TSR_HAVE_COMPLEX
#define TSR_HAVE_C128 (TSR_HAVE_COMPLEX && TSR_HAVE_F64)

/* Types as they lie in tensors: memory may hold one dtype now and another after a cast in place. */
#define TSR__MAY_ALIAS __attribute__((may_alias))

typedef int32_t tsr__wide_i32; /* bool i8 i16 i32 u8 u16 */
typedef int64_t tsr__wide_i64; /* i64 u32 */
typedef uint64_t tsr__wide_u64;
typedef float tsr__wide_f32; /* f8 f16 bf16 f32 */
#if TSR_HAVE_F64
typedef double tsr__wide_f64;
#endif
#if TSR_HAVE_C64
typedef struct TSR__MAY_ALIAS tsr__wide_c64 {
  float re, im;
} tsr__wide_c64;
#endif
#if TSR_HAVE_C128
typedef struct TSR__MAY_ALIAS tsr__wide_c128 {
  double re, im;
} tsr__wide_c128;
#endif

/* What a dtype takes from C's conversions: it loads as it is, and integers wrap into it, or round. */
#define TSR__CONVERTS_AS_C(dt, wide)                                      \
  static inline tsr__wide_##wide dt##_load(dt##_mem x) { return x; }      \
  static inline dt##_mem dt##_from_i32(int32_t x) { return (dt##_mem)x; } \
  static inline dt##_mem dt##_from_i64(int64_t x) { return (dt##_mem)x; } \
  static inline dt##_mem dt##_from_u64(uint64_t x) { return (dt##_mem)x; }
#define TSR__FLOATS_AS_C(dt)                                            \
  static inline dt##_mem dt##_from_f32(float x) { return (dt##_mem)x; } \
  TSR__IF_F64(static inline dt##_mem dt##_from_f64(double x) { return (dt##_mem)x; })
/* A real number gets imaginary part 0. */
#define TSR__COMPLEX_AS_C(dt, part)                                                                    \
  static inline tsr__wide_##dt dt##_load(dt##_mem x) { return x; }                                     \
  static inline dt##_mem dt##_from_i32(int32_t x) { return (dt##_mem){(part)x, 0}; }                   \
  static inline dt##_mem dt##_from_i64(int64_t x) { return (dt##_mem){(part)x, 0}; }                   \
  static inline dt##_mem dt##_from_u64(uint64_t x) { return (dt##_mem){(part)x, 0}; }                  \
  static inline dt##_mem dt##_from_f32(float x) { return (dt##_mem){(part)x, 0}; }                     \
  static inline dt##_mem dt##_from_c64(tsr__wide_c64 x) { return (dt##_mem){(part)x.re, (part)x.im}; } \
  TSR__IF_F64(static inline dt##_mem dt##_from_f64(double x) { return (dt##_mem){(part)x, 0}; })       \
  TSR__IF_F64(static inline dt##_mem dt##_from_c128(tsr__wide_c128 x) { return (dt##_mem){(part)x.re, (part)x.im}; })
#if TSR_HAVE_F64
#define TSR__IF_F64(...) __VA_ARGS__
#else
#define TSR__IF_F64(...)
#endif

typedef enum tsr__wide {
  TSR__WIDE_i32,
  TSR__WIDE_i64,
  TSR__WIDE_u64,
  TSR__WIDE_f32,
#if TSR_HAVE_F64
  TSR__WIDE_f64,
#endif
#if TSR_HAVE_C64
  TSR__WIDE_c64,
#endif
#if TSR_HAVE_C128
  TSR__WIDE_c128,
#endif
  TSR__WIDE_COUNT
} tsr__wide;

#endif
