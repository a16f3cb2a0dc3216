/* Compiled once per instruction set; exports a table for each op. */
#include "cpu/math/basic.h"
#include "cpu/math/complex.h"
#include "cpu/math/erf_f32.h"
#include "cpu/math/erf_f64.h"
#include "cpu/math/log_f32.h"
#include "cpu/math/round.h"
#include "ops/unary/kernel.h"
#include "ops/unary/wide.h"

#define TEMPLATE "ops/unary/unary.tmpl.h"
#include "core/each_compute.h"

#define TEMPLATE "ops/unary/complex.tmpl.h"
#include "core/each_complex.h"

/* Integers of either sign by a kernel that looks at the bits alone, and unsigned ones by such a kernel. */
#define BY_BITS(op) [TSR_I8] = op##_u8, [TSR_I16] = op##_u16, [TSR_I32] = op##_u32, [TSR_I64] = op##_u64, UNSIGNED(op)
#define UNSIGNED(op) [TSR_U8] = op##_u8, [TSR_U16] = op##_u16, [TSR_U32] = op##_u32, [TSR_U64] = op##_u64
#define SIGNED(op) [TSR_I8] = op##_i8, [TSR_I16] = op##_i16, [TSR_I32] = op##_i32, [TSR_I64] = op##_i64

TSR__KERNELS(abs) = {TSR__UNARY_FLOAT_SLOTS(abs), SIGNED(abs), UNSIGNED(same) TSR__OF_COMPLEX(abs)};
TSR__KERNELS(relu) = {TSR__UNARY_FLOAT_SLOTS(relu), SIGNED(relu), UNSIGNED(same)};
TSR__KERNELS(sign) = {TSR__UNARY_FLOAT_SLOTS(sign), SIGNED(sign), UNSIGNED(sign) TSR__OF_COMPLEX(sign)};
TSR__KERNELS(neg) = {TSR__UNARY_FLOAT_SLOTS(neg), BY_BITS(neg) TSR__OF_COMPLEX(neg)};
TSR__KERNELS(square) = {TSR__UNARY_FLOAT_SLOTS(square), BY_BITS(square) TSR__OF_COMPLEX(square)};
TSR__KERNELS(conj) = {TSR__UNARY_FLOAT_SLOTS(conj), BY_BITS(same) TSR__OF_COMPLEX(conj)};
TSR__UNARY_TABLE(angle, ANGLE)
TSR__KERNELS(bitwise_not) = {[TSR_BOOL] = logical_not_u8, BY_BITS(bitwise_not)};
TSR__KERNELS(logical_not) = {[TSR_BOOL] = logical_not_u8,
                             TSR__UNARY_FLOAT_SLOTS(logical_not),
                             BY_BITS(logical_not) TSR__OF_COMPLEX(logical_not)};
#define UNARY_ROUNDING(op, kind, ...) \
  TSR__KERNELS(op) = {TSR__UNARY_FLOAT_SLOTS(op), BY_BITS(same) TSR__UNARY_COMPLEX_##kind(op)};
#define UNARY_PREDICATES(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#define UNARY_ROOTS(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#define UNARY_SMOOTH(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#include "ops/unary/rows.def"
