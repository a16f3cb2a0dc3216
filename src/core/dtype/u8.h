/* u8: unsigned, 8 bits. Integers wrap into it, floats saturate. */
#define DT u8
#define DT_ID TSR_U8
#define DT_WIDE i32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_U8_H
#define TSR_CORE_DTYPE_U8_H

#include "core/dtype/narrow.h"

typedef uint8_t u8_mem;

static inline tsr__wide_i32 u8_load(u8_mem x) { return x; }

static inline u8_mem u8_from_i32(int32_t x) { return (u8_mem)x; }
static inline u8_mem u8_from_i64(int64_t x) { return (u8_mem)x; }
static inline u8_mem u8_from_u64(uint64_t x) { return (u8_mem)x; }

static inline u8_mem u8_from_f32(float x) { return (u8_mem)(int32_t)tsr__clamp_f32(x, 0.0f, 255.0f); }

#if TSR_HAVE_F64
static inline u8_mem u8_from_f64(double x) { return (u8_mem)(int32_t)tsr__clamp_f64(x, 0.0, 255.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
