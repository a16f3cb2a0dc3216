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
