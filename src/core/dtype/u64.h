/* u64: unsigned, 64 bits. Integers wrap into it, floats saturate. */
#define DT u64
#define DT_ID TSR_U64
#define DT_WIDE u64
#ifndef TSR_CORE_DTYPE_U64_H
#define TSR_CORE_DTYPE_U64_H

#include "core/dtype/narrow.h"
#include "core/float_to_int.h"

typedef uint64_t u64_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(u64, u64)

static inline u64_mem u64_from_f32(float x) {
  const u64_mem in = (u64_mem)tsr__u64_of_f32(tsr__clamp_f32(x, 0.0f, TSR__F32_BELOW_2_64));
  return x >= 18446744073709551616.0f ? UINT64_MAX : in;
}

#if TSR_HAVE_F64
static inline u64_mem u64_from_f64(double x) {
  const u64_mem in = (u64_mem)tsr__clamp_f64(x, 0.0, TSR__F64_BELOW_2_64);
  return x >= 18446744073709551616.0 ? UINT64_MAX : in;
}
#endif

#endif
#include "core/dtype/instantiate.h"
