/* i8: signed, 8 bits. Integers wrap into it, floats saturate. */
#define DT i8
#define DT_ID TSR_I8
#define DT_WIDE i32
#ifndef TSR_CORE_DTYPE_I8_H
#define TSR_CORE_DTYPE_I8_H

#include "core/dtype/narrow.h"

typedef int8_t i8_mem;

TSR__CONVERTS_AS_C(i8, i32)
TSR__SATURATES(i8, -128.0, 127.0)

#endif
#include "core/dtype/instantiate.h"
