/* u32: unsigned, 32 bits. Integers wrap into it, floats saturate. */
#define DT u32
#define DT_ID TSR_U32
#define DT_WIDE i64
#ifndef TSR_CORE_DTYPE_U32_H
#define TSR_CORE_DTYPE_U32_H

#include "core/dtype/narrow.h"

typedef uint32_t u32_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(u32, i64)

static inline u32_mem u32_from_f32(float x) {
  const u32_mem in = (u32_mem)tsr__clamp_f32(x, 0.0f, TSR__F32_BELOW_2_32);
  return x >= 4294967296.0f ? UINT32_MAX : in;
}

#if TSR_HAVE_F64
static inline u32_mem u32_from_f64(double x) { return (u32_mem)tsr__clamp_f64(x, 0.0, 4294967295.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
