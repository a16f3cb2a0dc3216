/* c64: a complex number of two f32. */
#define DT c64
#define DT_ID TSR_C64
#define DT_WIDE c64
#define DT_TAKES_COMPLEX 1
#ifndef TSR_CORE_DTYPE_C64_H
#define TSR_CORE_DTYPE_C64_H

#include "core/dtype/wide.h"

typedef tsr__wide_c64 c64_mem;

TSR__COMPLEX_AS_C(c64, float)

#endif
#include "core/dtype/instantiate.h"
