/* The kernels of tsr_compare. */
#include "ops/summary/difference.h"

#include "core/float_bits.h"

/* Pairs that stay in the first cache while each loop goes over them. */
enum { PIECE = 1024 };

/* As wide as a tsr_real. */
#if TSR_REAL_BITS == 64
typedef int64_t wide;
#else
typedef int32_t wide;
#endif

#define TEMPLATE "ops/summary/difference.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#define C int64_t
#define FN(name) name##_i64
#include "ops/summary/difference_integer.tmpl.h"
#undef C
#undef FN
#define C uint64_t
#define FN(name) name##_u64
#include "ops/summary/difference_integer.tmpl.h"
#undef C
#undef FN

tsr__difference_table TSR__ISA_NAME(tsr__compare) = {
    [TSR_F32] = &kernel_f32,
#if TSR_HAVE_F64
    [TSR_F64] = &kernel_f64,
#endif
    [TSR_I64] = &kernel_i64,
    [TSR_U64] = &kernel_u64,
};

/* ---- small floats: sign and magnitude as a number that grows with the float ---- */

static inline int32_t rank_of(uint32_t bits, uint32_t sign) {
  const int32_t magnitude = (int32_t)(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

static inline uint32_t ulps_between(uint32_t a, uint32_t b, uint32_t sign, uint32_t infinity) {
  const int32_t d = rank_of(a, sign) - rank_of(b, sign);
  const bool nan = (a & (sign - 1)) > infinity || (b & (sign - 1)) > infinity;
  return nan ? 0 : (uint32_t)(d < 0 ? -d : d);
}

#define DISTANCE(bits)                                                                                        \
  uint64_t TSR__ISA_NAME(tsr__distance##bits)(tsr_index n, const void *a, const void *b, uint32_t infinity) { \
    const uint##bits##_t *const x = a, *const y = b;                                                          \
    uint32_t most = 0;                                                                                        \
    for (tsr_index i = 0; i < n; i++) {                                                                       \
      const uint32_t d = ulps_between(x[i], y[i], (uint32_t)1 << (bits - 1), infinity);                       \
      most = d > most ? d : most;                                                                             \
    }                                                                                                         \
    return most;                                                                                              \
  }
DISTANCE(8)
DISTANCE(16)
