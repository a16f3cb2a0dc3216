/* Compiled once per instruction set; exports a table an op. */
#include "ops/binary/binary.h"

#include "cpu/vector.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TEMPLATE "ops/binary/binary.tmpl.h"
#include "core/each_compute.h"

/* Bool: bytes that are 0 or 1. */
#define BOOL_KERNEL(op, expression)                                                               \
  static inline uint8_t op##_bool_value(uint8_t a, uint8_t b) { return (uint8_t)(expression); }   \
  static void op##_bool(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {         \
    rows_u8(arg, n, at, step, op##_bool_value);                                                   \
  }
#define X(op, rule, weight, value, for_bool) BOOL_KERNEL(op, for_bool)
TSR__BINARY_WRAP(X)
#undef X
#define X(op, rule, weight, value) BOOL_KERNEL(op, value)
TSR__BINARY_TRUTH(X)
#undef X

/* ---- the tables ---- */

#define INTEGERS(op)                                                                      \
  [TSR_I8] = op##_i8, [TSR_I16] = op##_i16, [TSR_I32] = op##_i32, [TSR_I64] = op##_i64,   \
  [TSR_U8] = op##_u8, [TSR_U16] = op##_u16, [TSR_U32] = op##_u32, [TSR_U64] = op##_u64
#define SHARED_INTEGERS(op)                                                               \
  [TSR_I8] = op##_u8, [TSR_I16] = op##_u16, [TSR_I32] = op##_u32, [TSR_I64] = op##_u64,   \
  [TSR_U8] = op##_u8, [TSR_U16] = op##_u16, [TSR_U32] = op##_u32, [TSR_U64] = op##_u64
#if TSR_HAVE_F64
#define FLOATS(op) [TSR_F32] = op##_f32, [TSR_F64] = op##_f64
#else
#define FLOATS(op) [TSR_F32] = op##_f32
#endif

#define X(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_bool, SHARED_INTEGERS(op), FLOATS(op)};
TSR__BINARY_WRAP(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, INTEGERS(op), FLOATS(op)};
TSR__BINARY_ORDER(X)
TSR__BINARY_LESS(X)
#undef X
#define X(op, rule, weight, value, integers) \
  TSR__KERNELS(op) = {[TSR_BOOL] = integers##_u8, INTEGERS(integers), FLOATS(op)};
TSR__BINARY_ORDER_FLOATS(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {INTEGERS(op), FLOATS(op)};
TSR__BINARY_NUMBERS(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {FLOATS(op)};
TSR__BINARY_FLOATS(X)
TSR__BINARY_LIBM(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, SHARED_INTEGERS(op), FLOATS(op)};
TSR__BINARY_SAME(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, SHARED_INTEGERS(op)};
TSR__BINARY_BITS(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {SHARED_INTEGERS(op)};
TSR__BINARY_SHIFT_UP(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {INTEGERS(op)};
TSR__BINARY_SHIFT_DOWN(X)
#undef X
#define X(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_bool};
TSR__BINARY_TRUTH(X)
#undef X
