/* f32: IEEE 754 single precision. */
#define DT f32
#define DT_ID TSR_F32
#define DT_WIDE f32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_F32_H
#define TSR_CORE_DTYPE_F32_H

#include "core/dtype/wide.h"

typedef float f32_mem TSR__MAY_ALIAS;

static inline tsr__wide_f32 f32_load(f32_mem x) { return x; }

static inline f32_mem f32_from_i32(int32_t x) { return (float)x; }
static inline f32_mem f32_from_i64(int64_t x) { return (float)x; }
static inline f32_mem f32_from_u64(uint64_t x) { return (float)x; }
static inline f32_mem f32_from_f32(float x) { return x; }
#if TSR_HAVE_F64
static inline f32_mem f32_from_f64(double x) { return (float)x; }
#endif

#endif
#include "core/dtype/instantiate.h"
