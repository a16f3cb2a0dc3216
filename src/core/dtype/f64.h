/* f64: IEEE 754 double precision. */
#define DT f64
#define DT_ID TSR_F64
#define DT_WIDE f64
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_F64_H
#define TSR_CORE_DTYPE_F64_H

#include "core/dtype/wide.h"

typedef double f64_mem TSR__MAY_ALIAS;

static inline tsr__wide_f64 f64_load(f64_mem x) { return x; }

static inline f64_mem f64_from_i32(int32_t x) { return (double)x; }
static inline f64_mem f64_from_i64(int64_t x) { return (double)x; }
static inline f64_mem f64_from_u64(uint64_t x) { return (double)x; }
static inline f64_mem f64_from_f32(float x) { return (double)x; }
static inline f64_mem f64_from_f64(double x) { return x; }

#endif
#include "core/dtype/instantiate.h"
