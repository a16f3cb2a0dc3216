/* u8: unsigned, 8 bits. Integers wrap into it, floats saturate. */
#define DT u8
#define DT_ID TSR_U8
#define DT_WIDE i32
#ifndef TSR_CORE_DTYPE_U8_H
#define TSR_CORE_DTYPE_U8_H

#include "core/dtype/narrow.h"

typedef uint8_t u8_mem;

TSR__CONVERTS_AS_C(u8, i32)
TSR__SATURATES(u8, 0.0, 255.0)

#endif
#include "core/dtype/instantiate.h"
