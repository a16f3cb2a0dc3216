/* Compiled once per instruction set; exports a table an op. */
#include "ops/binary/binary.h"

#include "ops/binary/power.h"
#include "ops/binary/wide.h"
#include "ops/binary/complex.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/vectors.h"

#include "cpu/math/arc_f32.h"
#include "cpu/math/complex.h"
#include "cpu/math/two_f32.h"
#include "cpu/vec/pairs.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* loops that call the C library do not become vectors */
#endif

/* Bytes of each operand's block on the stack; there are four at most. */
enum { RUN_BYTES = TSR_HAVE_MALLOC ? 1024 : 64 };

/* Which divisions are made of others that the machine does many of at once. */
#if (defined(__FMA__) || defined(__aarch64__)) && TSR_HAVE_F64
#define QUOTIENTS_BY_FMA 1
#else
#define QUOTIENTS_BY_FMA 0
#endif
#if (defined(__SSE2__) || defined(__aarch64__)) && TSR_HAVE_F64
#define QUOTIENTS_BY_FLOAT 1
#else
#define QUOTIENTS_BY_FLOAT 0
#endif

/* Loops that do next to nothing but load and store are no faster with vectors of 64 bytes, and where rows do not begin
 * at a line they are slower, because each such vector touches two: 1720 rows of 585 f32 took 150 us on Zen 4, with 32
 * bytes 132. */
enum { PART_BYTES = 32 };
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define LIGHT_VECTORS __attribute__((target("prefer-vector-width=256")))
#else
#define LIGHT_VECTORS
#endif

/* a > b is b < a: the kernel of the other op with its inputs in swapped order. */
static void swapped(tsr__row_fn *kernel, const tsr__row_args *args, tsr_index n, char *const *at,
                    const ptrdiff_t *step) {
  const ptrdiff_t next[3] = {args->next[0], args->next[2], args->next[1]}, steps[3] = {step[0], step[2], step[1]};
  const tsr__row_args other = {.count = args->count, .next = next, .stream = args->stream};
  kernel(&other, n, (char *const[3]){at[0], at[2], at[1]}, steps);
}

#define TEMPLATE "ops/binary/binary.tmpl.h"
#include "core/each_compute.h"

#define TEMPLATE "ops/binary/complex.tmpl.h"
#include "core/each_complex.h"

/* Bool: bytes that are 0 or 1. */
#define BOOL_KERNEL(op, expression)                                                                       \
  static inline uint8_t op##_bool_value(uint8_t a, uint8_t b) { return (uint8_t)(expression); }           \
  LIGHT_VECTORS                                                                                           \
  static void op##_bool(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    rows_u8(true, args, n, at, step, op##_bool_value);                                                    \
  }
#define BINARY_WRAP(op, rule, weight, value, for_bool) BOOL_KERNEL(op, for_bool)
#define BINARY_TRUTH(op, rule, weight, value) BOOL_KERNEL(op, value)
#include "ops/binary/rows.def"

/* Floats by their bits: a kernel a format. */
#define FORMAT_KERNEL(op, format, bits, largest)                                                              \
  static inline uint##bits##_t op##_##format##_value(uint##bits##_t a, uint##bits##_t b) {                    \
    return op##_bits_u##bits(a, b, largest);                                                                  \
  }                                                                                                           \
  static void op##_##format(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    rows_plain_u##bits(args, n, at, step, op##_##format##_value);                                             \
  }
#define BINARY_FORMAT(op, ...)        \
  FORMAT_KERNEL(op, f8_e4m3, 8, 0x7e) \
  FORMAT_KERNEL(op, f8_e5m2, 8, 0x7c) \
  FORMAT_KERNEL(op, f16, 16, 0x7c00)  \
  FORMAT_KERNEL(op, bf16, 16, 0x7f80) \
  FORMAT_KERNEL(op, f32, 32, 0x7f800000)
#include "ops/binary/rows.def"
#if TSR_HAVE_F64
#define BINARY_FORMAT(op, ...) FORMAT_KERNEL(op, f64, 64, 0x7ff0000000000000)
#include "ops/binary/rows.def"
#endif

/* ---- the tables ---- */

#define OWN_INTEGERS(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, TSR__OF_INTEGERS(op), TSR__OF_FLOATS(op)};
#define NUMBERS_ALONE(op, ...) TSR__KERNELS(op) = {TSR__OF_INTEGERS(op), TSR__OF_FLOATS(op)};
#define FLOATS_ALONE(op, rule, ...) TSR__KERNELS(op) = {TSR__OF_FLOATS(op) TSR__COMPLEX_OF_##rule(op)};
#define BINARY_WRAP(op, ...) \
  TSR__KERNELS(op) = {[TSR_BOOL] = op##_bool, TSR__OF_SHARED_INTEGERS(op), TSR__OF_FLOATS(op) TSR__OF_COMPLEX(op)};
#define BINARY_ORDER OWN_INTEGERS
#define BINARY_LESS OWN_INTEGERS
#define BINARY_GREATER OWN_INTEGERS
#define BINARY_ORDER_FLOATS(op, rule, weight, value, integers) \
  TSR__KERNELS(op) = {[TSR_BOOL] = integers##_u8, TSR__OF_INTEGERS(integers), TSR__OF_FLOATS(op)};
#define BINARY_NUMBERS(op, ...) \
  TSR__KERNELS(op) = {TSR__OF_INTEGERS(op), TSR__OF_FLOATS(op) TSR__OF_COMPLEX(tsr__row_##op)};
#define BINARY_DIVISIONS NUMBERS_ALONE
#define BINARY_FLOATS FLOATS_ALONE
#define BINARY_HEAVY_FLOATS FLOATS_ALONE
#define BINARY_WIDE_FLOATS FLOATS_ALONE
#define BINARY_FORMAT(op, ...)                      \
  TSR__KERNELS(op) = {[TSR_F8_E4M3] = op##_f8_e4m3, \
                      [TSR_F8_E5M2] = op##_f8_e5m2, \
                      [TSR_F16] = op##_f16,         \
                      [TSR_BF16] = op##_bf16,       \
                      TSR__OF_FLOATS(op)};
#define BINARY_SAME(op, ...) \
  TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, TSR__OF_SHARED_INTEGERS(op), TSR__OF_FLOATS(op) TSR__OF_COMPLEX(op)};
#define BINARY_BITS(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_u8, TSR__OF_SHARED_INTEGERS(op)};
#define BINARY_SHIFT_UP(op, ...) TSR__KERNELS(op) = {TSR__OF_SHARED_INTEGERS(op)};
#define BINARY_SHIFT_DOWN(op, ...) TSR__KERNELS(op) = {TSR__OF_INTEGERS(op)};
#define BINARY_TRUTH(op, ...) TSR__KERNELS(op) = {[TSR_BOOL] = op##_bool};
#include "ops/binary/rows.def"
