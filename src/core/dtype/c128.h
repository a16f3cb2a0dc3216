/* c128: a complex number of two f64; a real number gets imaginary part 0. */
#define DT c128
#define DT_ID TSR_C128
#define DT_WIDE c128
#define DT_TAKES_COMPLEX 1
#ifndef TSR_CORE_DTYPE_C128_H
#define TSR_CORE_DTYPE_C128_H

#include "core/dtype/wide.h"

typedef tsr__wide_c128 c128_mem;

static inline tsr__wide_c128 c128_load(c128_mem x) { return x; }

static inline c128_mem c128_from_i32(int32_t x) { return (c128_mem){(double)x, 0}; }
static inline c128_mem c128_from_i64(int64_t x) { return (c128_mem){(double)x, 0}; }
static inline c128_mem c128_from_u64(uint64_t x) { return (c128_mem){(double)x, 0}; }
static inline c128_mem c128_from_f32(float x) { return (c128_mem){(double)x, 0}; }
static inline c128_mem c128_from_f64(double x) { return (c128_mem){x, 0}; }
static inline c128_mem c128_from_c64(tsr__wide_c64 x) { return (c128_mem){(double)x.re, (double)x.im}; }
static inline c128_mem c128_from_c128(tsr__wide_c128 x) { return x; }

#endif
#include "core/dtype/instantiate.h"
