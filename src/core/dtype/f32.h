/* f32: IEEE 754 single precision. */
#define DT f32
#define DT_ID TSR_F32
#define DT_WIDE f32
#ifndef TSR_CORE_DTYPE_F32_H
#define TSR_CORE_DTYPE_F32_H

#include "core/dtype/wide.h"

typedef float f32_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(f32, f32)
TSR__FLOATS_AS_C(f32)

#endif
#include "core/dtype/instantiate.h"
