/* bool: one byte, 0 or 1; any byte but 0 reads as 1. Everything that is not 0 is true, NaN too. */
#define DT bool8 /* bool itself is a macro of <stdbool.h> */
#define DT_ID TSR_BOOL
#define DT_WIDE i32
#define DT_TAKES_COMPLEX 1
#ifndef TSR_CORE_DTYPE_BOOL_H
#define TSR_CORE_DTYPE_BOOL_H

#include "core/dtype/wide.h"

typedef uint8_t bool8_mem;

static inline tsr__wide_i32 bool8_load(bool8_mem x) { return x != 0; }

static inline bool8_mem bool8_from_i32(int32_t x) { return x != 0; }
static inline bool8_mem bool8_from_i64(int64_t x) { return x != 0; }
static inline bool8_mem bool8_from_u64(uint64_t x) { return x != 0; }
static inline bool8_mem bool8_from_f32(float x) { return x != 0; }
#if TSR_HAVE_F64
static inline bool8_mem bool8_from_f64(double x) { return x != 0; }
#endif
#if TSR_HAVE_C64
static inline bool8_mem bool8_from_c64(tsr__wide_c64 x) { return (x.re != 0) | (x.im != 0); }
#endif
#if TSR_HAVE_C128
static inline bool8_mem bool8_from_c128(tsr__wide_c128 x) { return (x.re != 0) | (x.im != 0); }
#endif

#endif
#include "core/dtype/instantiate.h"
