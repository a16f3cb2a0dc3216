/* exp, log, sin and cos of one number, from + − × ÷ alone and the series that everyone knows: the same bits on every
 * machine, with no C library in it, and loops over them vectorise. tsr__exp_f32, tsr__log_f64 … Within 2 ULP where
 * stated. */
#ifndef TSR_OPS_RANDOM_ELEMENTARY_H
#define TSR_OPS_RANDOM_ELEMENTARY_H

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>
#include <tessera/dtype.h>

/* Per type: the integer of its bits, its mantissa's bits, its exponent's bias. */
#define TSR__BITS_f32 uint32_t
#define TSR__MANTISSA_f32 23
#define TSR__BIAS_f32 127
#define TSR__BITS_f64 uint64_t
#define TSR__MANTISSA_f64 52
#define TSR__BIAS_f64 1023

/* How many terms of a series reach the type's precision: of log, exp, sin and cos. */
#define TSR__LOG_TERMS_f32 6
#define TSR__LOG_TERMS_f64 12
#define TSR__EXP_TERMS_f32 8
#define TSR__EXP_TERMS_f64 14
#define TSR__SINCOS_TERMS_f32 6
#define TSR__SINCOS_TERMS_f64 10

/* Where exp gives 0 and where infinity. */
#define TSR__EXP_LOW_f32 (-87.0f)
#define TSR__EXP_HIGH_f32 88.0f
#define TSR__EXP_LOW_f64 (-708.0)
#define TSR__EXP_HIGH_f64 709.0

/* log 2 in two parts, the first with so few bits that its products with exponents are exact. */
#define TSR__LN2_HIGH_f32 0x1.62ep-1f
#define TSR__LN2_LOW_f32 0x1.0bfbe8e7bcd5ep-15f
#define TSR__LN2_HIGH_f64 0x1.62e42fefap-1
#define TSR__LN2_LOW_f64 0x1.cf79abc9e3b3ap-40

#define TEMPLATE "ops/random/elementary.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

#endif
