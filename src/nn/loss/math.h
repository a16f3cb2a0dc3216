/* Functions of tsr_real. */
#ifndef TSR_NN_LOSS_MATH_H
#define TSR_NN_LOSS_MATH_H

#include "cpu/math/libm_f64.h"
#include "cpu/math/log_f32.h"

#include <tessera/tensor.h>

#if TSR_REAL_BITS == 64
static inline tsr_real tsr__loss_exp(tsr_real x) { return tsr__exp_f64(x); }
static inline tsr_real tsr__loss_log(tsr_real x) { return tsr__log_f64(x); }
static inline tsr_real tsr__loss_log1p(tsr_real x) { return tsr__log1p_f64(x); }
static inline tsr_real tsr__loss_abs(tsr_real x) { return tsr__abs_f64(x); }
#else
static inline tsr_real tsr__loss_exp(tsr_real x) { return tsr__exp_out_of_range_f32(x); }
static inline tsr_real tsr__loss_log(tsr_real x) { return tsr__log_out_of_range_f32(x); }
static inline tsr_real tsr__loss_log1p(tsr_real x) { return tsr__log1p_f32(x); }
static inline tsr_real tsr__loss_abs(tsr_real x) { return tsr__abs_f32(x); }
#endif

#endif
