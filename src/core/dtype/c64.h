/* c64: a complex number of two f32; a real number gets imaginary part 0. */
#define DT c64
#define DT_ID TSR_C64
#define DT_WIDE c64
#define DT_TAKES_COMPLEX 1
#ifndef TSR_CORE_DTYPE_C64_H
#define TSR_CORE_DTYPE_C64_H

#include "core/dtype/wide.h"

typedef tsr__wide_c64 c64_mem;

static inline tsr__wide_c64 c64_load(c64_mem x) { return x; }

static inline c64_mem c64_from_i32(int32_t x) { return (c64_mem){(float)x, 0}; }
static inline c64_mem c64_from_i64(int64_t x) { return (c64_mem){(float)x, 0}; }
static inline c64_mem c64_from_u64(uint64_t x) { return (c64_mem){(float)x, 0}; }
static inline c64_mem c64_from_f32(float x) { return (c64_mem){x, 0}; }
#if TSR_HAVE_F64
static inline c64_mem c64_from_f64(double x) { return (c64_mem){(float)x, 0}; }
#endif
static inline c64_mem c64_from_c64(tsr__wide_c64 x) { return x; }
#if TSR_HAVE_C128
static inline c64_mem c64_from_c128(tsr__wide_c128 x) { return (c64_mem){(float)x.re, (float)x.im}; }
#endif

#endif
#include "core/dtype/instantiate.h"
