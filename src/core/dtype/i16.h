/* i16: signed, 16 bits. Integers wrap into it, floats saturate. */
#define DT i16
#define DT_ID TSR_I16
#define DT_WIDE i32
#ifndef TSR_CORE_DTYPE_I16_H
#define TSR_CORE_DTYPE_I16_H

#include "core/dtype/narrow.h"

typedef int16_t i16_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(i16, i32)
TSR__SATURATES(i16, -32768.0, 32767.0)

#endif
#include "core/dtype/instantiate.h"
