/* f64: IEEE 754 double precision. */
#define DT f64
#define DT_ID TSR_F64
#define DT_WIDE f64
#ifndef TSR_CORE_DTYPE_F64_H
#define TSR_CORE_DTYPE_F64_H

#include "core/dtype/wide.h"

typedef double f64_mem TSR__MAY_ALIAS;

TSR__CONVERTS_AS_C(f64, f64)
TSR__FLOATS_AS_C(f64)

#endif
#include "core/dtype/instantiate.h"
