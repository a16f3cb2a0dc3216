/* f8_e4m3: 8-bit float without infinity, as its bits: 1 sign, 4 exponent, 3 mantissa; the largest is 448, then NaN. */
#define DT f8_e4m3
#define DT_ID TSR_F8_E4M3
#define DT_WIDE f32
#ifndef TSR_CORE_DTYPE_F8_E4M3_H
#define TSR_CORE_DTYPE_F8_E4M3_H

#include "core/dtype/narrow.h"

typedef uint8_t f8_e4m3_mem;

#define TSR__F8_E4M3 ((tsr__float_layout){.mantissa = 3, .bias = 7, .max = 0x7e, .overflow = 0x7f, .quiet_nan = 0x7f})

TSR__SMALL_FLOAT(f8_e4m3, TSR__F8_E4M3, 8)
TSR__ROUNDS_ONCE(f8_e4m3)

#endif
#include "core/dtype/instantiate.h"
