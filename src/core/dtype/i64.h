/* i64: signed, 64 bits. Integers wrap into it, floats saturate. */
#define DT i64
#define DT_ID TSR_I64
#define DT_WIDE i64
#ifndef TSR_CORE_DTYPE_I64_H
#define TSR_CORE_DTYPE_I64_H

#include "core/dtype/narrow.h"
#include "core/float_to_int.h"

typedef int64_t i64_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(i64, i64)

static inline i64_mem i64_from_f32(float x) {
  const i64_mem in = (i64_mem)tsr__i64_of_f32(tsr__clamp_f32(x, -9223372036854775808.0f, TSR__F32_BELOW_2_63));
  return x >= 9223372036854775808.0f ? INT64_MAX : in;
}

#if TSR_HAVE_F64
static inline i64_mem i64_from_f64(double x) {
  const i64_mem in = (i64_mem)tsr__clamp_f64(x, -9223372036854775808.0, TSR__F64_BELOW_2_63);
  return x >= 9223372036854775808.0 ? INT64_MAX : in;
}
#endif

#endif
#include "core/dtype/instantiate.h"
