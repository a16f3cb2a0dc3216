/* c128: a complex number of two f64. */
#define DT c128
#define DT_ID TSR_C128
#define DT_WIDE c128
#define DT_TAKES_COMPLEX 1
#ifndef TSR_CORE_DTYPE_C128_H
#define TSR_CORE_DTYPE_C128_H

#include "core/dtype/wide.h"

typedef tsr__wide_c128 c128_mem;

TSR__COMPLEX_AS_C(c128, double)

#endif
#include "core/dtype/instantiate.h"
