/* u16: unsigned, 16 bits. Integers wrap into it, floats saturate. */
#define DT u16
#define DT_ID TSR_U16
#define DT_WIDE i32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_U16_H
#define TSR_CORE_DTYPE_U16_H

#include "core/dtype/narrow.h"

typedef uint16_t u16_mem TSR__MAY_ALIAS;

static inline tsr__wide_i32 u16_load(u16_mem x) { return x; }

static inline u16_mem u16_from_i32(int32_t x) { return (u16_mem)x; }
static inline u16_mem u16_from_i64(int64_t x) { return (u16_mem)x; }
static inline u16_mem u16_from_u64(uint64_t x) { return (u16_mem)x; }

static inline u16_mem u16_from_f32(float x) { return (u16_mem)(int32_t)tsr__clamp_f32(x, 0.0f, 65535.0f); }

#if TSR_HAVE_F64
static inline u16_mem u16_from_f64(double x) { return (u16_mem)(int32_t)tsr__clamp_f64(x, 0.0, 65535.0); }
#endif

#endif
#include "core/dtype/instantiate.h"
