/* i32: signed, 32 bits. Integers wrap into it, floats saturate. */
#define DT i32
#define DT_ID TSR_I32
#define DT_WIDE i32
#ifndef TSR_CORE_DTYPE_I32_H
#define TSR_CORE_DTYPE_I32_H

#include "core/dtype/narrow.h"

typedef int32_t i32_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(i32, i32)

static inline i32_mem i32_from_f32(float x) {
  const i32_mem in = (i32_mem)tsr__clamp_f32(x, -2147483648.0f, TSR__F32_BELOW_2_31);
  return x >= 2147483648.0f ? INT32_MAX : in;
}

#if TSR_HAVE_F64
static inline i32_mem i32_from_f64(double x) { return (i32_mem)tsr__clamp_f64(x, -2147483648.0, 2147483647.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
