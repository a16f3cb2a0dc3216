/* i16: signed, 16 bits. Integers wrap into it, floats saturate. */
#define DT i16
#define DT_ID TSR_I16
#define DT_WIDE i32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_I16_H
#define TSR_CORE_DTYPE_I16_H

#include "core/dtype/narrow.h"

typedef int16_t i16_mem TSR__MAY_ALIAS;

static inline tsr__wide_i32 i16_load(i16_mem x) { return x; }

static inline i16_mem i16_from_i32(int32_t x) { return (i16_mem)x; }
static inline i16_mem i16_from_i64(int64_t x) { return (i16_mem)x; }
static inline i16_mem i16_from_u64(uint64_t x) { return (i16_mem)x; }

static inline i16_mem i16_from_f32(float x) { return (i16_mem)(int32_t)tsr__clamp_f32(x, -32768.0f, 32767.0f); }

#if TSR_HAVE_F64
static inline i16_mem i16_from_f64(double x) { return (i16_mem)(int32_t)tsr__clamp_f64(x, -32768.0, 32767.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
