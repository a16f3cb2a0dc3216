/* i8: signed, 8 bits. Integers wrap into it, floats saturate. */
#define DT i8
#define DT_ID TSR_I8
#define DT_WIDE i32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_I8_H
#define TSR_CORE_DTYPE_I8_H

#include "core/dtype/narrow.h"

typedef int8_t i8_mem;

static inline tsr__wide_i32 i8_load(i8_mem x) { return x; }

static inline i8_mem i8_from_i32(int32_t x) { return (i8_mem)x; }
static inline i8_mem i8_from_i64(int64_t x) { return (i8_mem)x; }
static inline i8_mem i8_from_u64(uint64_t x) { return (i8_mem)x; }

static inline i8_mem i8_from_f32(float x) { return (i8_mem)(int32_t)tsr__clamp_f32(x, -128.0f, 127.0f); }

#if TSR_HAVE_F64
static inline i8_mem i8_from_f64(double x) { return (i8_mem)(int32_t)tsr__clamp_f64(x, -128.0, 127.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
