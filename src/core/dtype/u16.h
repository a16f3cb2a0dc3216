/* u16: unsigned, 16 bits. Integers wrap into it, floats saturate. */
#define DT u16
#define DT_ID TSR_U16
#define DT_WIDE i32
#ifndef TSR_CORE_DTYPE_U16_H
#define TSR_CORE_DTYPE_U16_H

#include "core/dtype/narrow.h"

typedef uint16_t u16_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(u16, i32)
TSR__SATURATES(u16, 0.0, 65535.0)

#endif
#include "core/dtype/instantiate.h"
