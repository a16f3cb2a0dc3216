/* f16: IEEE 754 half precision, as its bits: 1 sign, 5 exponent, 10 mantissa. */
#define DT f16
#define DT_ID TSR_F16
#define DT_WIDE f32
#ifndef TSR_CORE_DTYPE_F16_H
#define TSR_CORE_DTYPE_F16_H

#include "core/dtype/narrow.h"

typedef uint16_t f16_mem TSR__MAY_ALIAS;

#define TSR__F16 \
  ((tsr__float_layout){.mantissa = 10, .bias = 15, .max = 0x7bff, .overflow = 0x7c00, .quiet_nan = 0x7e00})

TSR__SMALL_FLOAT(f16, TSR__F16, 16)
TSR__ROUNDS_ONCE(f16)

#endif
#include "core/dtype/instantiate.h"
