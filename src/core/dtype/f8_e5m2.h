/* f8_e5m2: 8-bit float with infinity, as its bits: 1 sign, 5 exponent, 2 mantissa; the largest is 57344. */
#define DT f8_e5m2
#define DT_ID TSR_F8_E5M2
#define DT_WIDE f32
#ifndef TSR_CORE_DTYPE_F8_E5M2_H
#define TSR_CORE_DTYPE_F8_E5M2_H

#include "core/dtype/narrow.h"

typedef uint8_t f8_e5m2_mem;

#define TSR__F8_E5M2 ((tsr__float_layout){.mantissa = 2, .bias = 15, .max = 0x7b, .overflow = 0x7c, .quiet_nan = 0x7e})

TSR__SMALL_FLOAT(f8_e5m2, TSR__F8_E5M2, 8)
TSR__ROUNDS_ONCE(f8_e5m2)

#endif
#include "core/dtype/instantiate.h"
