/* Single elements from numbers, and numbers from single elements. Nothing here refers to the row kernels, so that
 * filling a tensor links no conversion. */
#include "core/float_to_int.h"
#include "core/dtypes.h"
#include "ops/cast/convert.h"

#if TSR_REAL_BITS == 64 && !TSR_HAVE_F64
#error "scalars of 64 bits need f64: set TSR_REAL_BITS to 32, or TSR_HAVE_F64 to 1"
#endif

/* The widest float of the build: it holds every float dtype exactly. */
#if TSR_HAVE_F64
typedef double widest;
#else
typedef float widest;
#endif

#define ELEMENT_BYTES 16

/* ---- elements as numbers ---- */

typedef struct number {
  enum { SIGNED, UNSIGNED, FLOAT } kind;
  int64_t i;
  uint64_t u;
  widest f;
  widest imaginary;
} number;

static inline number number_of_i32(int32_t x) { return (number){.kind = SIGNED, .i = x}; }
static inline number number_of_i64(int64_t x) { return (number){.kind = SIGNED, .i = x}; }
static inline number number_of_u64(uint64_t x) { return (number){.kind = UNSIGNED, .u = x}; }
static inline number number_of_f32(float x) { return (number){.kind = FLOAT, .f = x}; }
#if TSR_HAVE_F64
static inline number number_of_f64(double x) { return (number){.kind = FLOAT, .f = x}; }
#endif
#if TSR_HAVE_C64
static inline number number_of_c64(tsr__wide_c64 x) { return (number){.kind = FLOAT, .f = x.re, .imaginary = x.im}; }
#endif
#if TSR_HAVE_C128
static inline number number_of_c128(tsr__wide_c128 x) { return (number){.kind = FLOAT, .f = x.re, .imaginary = x.im}; }
#endif

#define NUMBER_OF_(wide) number_of_##wide
#define NUMBER_OF(wide) NUMBER_OF_(wide)

/* The dtype is supported. */
static number number_of(int dtype, const void *element) {
  switch (dtype) {
#define TEMPLATE "ops/cast/scalar_to.tmpl.h"
#include "core/each_dtype.h"
    default: return number_of_i32(0);
  }
}

static bool is_finite(widest x) { return x - x == 0; }
static bool is_nan(widest x) { return x != x; }

/* Whether x is a whole number; from 2^53 on every float is. */
static bool is_whole(widest x) {
  const widest all_whole = (widest)((int64_t)1 << 53);
  if (is_nan(x)) return false;
  if (x >= all_whole || x <= -all_whole) return true;
  return (widest)TSR__I64_OF_WIDEST(x) == x;
}

/* ---- what fits ---- */

static int class_of(int dtype) { return tsr_dtype_describe(dtype)->class_; }

static bool holds_integers(int dtype) {
  const int class = class_of(dtype);
  return class == TSR_CLASS_BOOL || class == TSR_CLASS_INT || class == TSR_CLASS_UINT;
}

/* Bits of magnitude of an integer dtype: below 2^bits, and not below -2^bits where it has a sign. */
static int magnitude_bits(int dtype) {
  const int class = class_of(dtype);
  const int bits = 8 * (int)tsr_dtype_size(dtype);
  return class == TSR_CLASS_BOOL ? 1 : class == TSR_CLASS_INT ? bits - 1 : bits;
}

/* x is whole. */
static bool integer_takes_float(int dtype, widest x) {
  const widest end = (widest)((uint64_t)1 << (magnitude_bits(dtype) - 1)) * 2;
  return x < end && x >= (class_of(dtype) == TSR_CLASS_INT ? -end : 0);
}

static bool integer_takes_i64(int dtype, int64_t x) {
  const int bits = magnitude_bits(dtype);
  if (x >= 0) return bits >= 63 || x < (int64_t)1 << bits;
  return class_of(dtype) == TSR_CLASS_INT && (bits == 63 || x >= -((int64_t)1 << bits));
}

/* Whether a float dtype took x without losing more than rounding does: result is what it made of it. */
static bool float_took(widest x, widest result) {
  return is_finite(result) || is_nan(x) || (!is_finite(x) && result == x);
}

static const char *range_of(int dtype) {
  switch (dtype) {
    case TSR_BOOL: return "0 or 1";
    case TSR_I8: return "-128 ... 127";
    case TSR_I16: return "-32768 ... 32767";
    case TSR_I32: return "-2147483648 ... 2147483647";
    case TSR_I64: return "-9223372036854775808 ... 9223372036854775807";
    case TSR_U8: return "0 ... 255";
    case TSR_U16: return "0 ... 65535";
    case TSR_U32: return "0 ... 4294967295";
    case TSR_U64: return "0 ... 18446744073709551615";
    case TSR_F16: return "-65504 ... 65504";
    case TSR_F8_E4M3: return "-448 ... 448";
    case TSR_F8_E5M2: return "-57344 ... 57344";
    case TSR_F64:
    case TSR_C128: return "-1.79769e308 ... 1.79769e308";
    case TSR_BF16: return "-3.38953e38 ... 3.38953e38";
    default: return "-3.40282e38 ... 3.40282e38";
  }
}

static tsr_status check_supported(tsr_ctx *ctx, const char *op, int dtype) {
  if (tsr_dtype_supported(dtype)) return TSR_OK;
  if (tsr_dtype_size(dtype) == 0) return TSR__FAIL(ctx, TSR_EDTYPE, op, "dtype", "%d is not a dtype", dtype);
  return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "this build does not convert %y", dtype);
}

/* ---- numbers to elements ---- */

#if TSR_REAL_BITS == 64
#define REAL f64
#else
#define REAL f32
#endif

static void element_from_real(int dtype, tsr_real value, void *element) {
  switch (dtype) {
#define SCALAR REAL
#define TEMPLATE "ops/cast/scalar_from.tmpl.h"
#include "core/each_dtype.h"
#undef SCALAR
    default: break;
  }
}

static void element_from_i64(int dtype, int64_t value, void *element) {
  switch (dtype) {
#define SCALAR i64
#define TEMPLATE "ops/cast/scalar_from.tmpl.h"
#include "core/each_dtype.h"
#undef SCALAR
    default: break;
  }
}

tsr_status tsr__scalar_from_real(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_real value,
                                 void *element) {
  const tsr_status st = check_supported(ctx, op, dtype);
  if (st != TSR_OK) return st;
  const bool integer = holds_integers(dtype);
  if (integer && dtype != TSR_BOOL && !is_whole(value))
    return TSR__FAIL(ctx, TSR_ERANGE, op, arg, "%r is not a whole number, %y holds only those", &value, dtype);

  char made[ELEMENT_BYTES];
  element_from_real(dtype, value, made);
  const bool fits =
      integer ? is_whole(value) && integer_takes_float(dtype, value) : float_took(value, number_of(dtype, made).f);
  if (!fits) return TSR__FAIL(ctx, TSR_ERANGE, op, arg, "%r does not fit %y (%s)", &value, dtype, range_of(dtype));
  memcpy(element, made, tsr_dtype_size(dtype));
  return TSR_OK;
}

tsr_status tsr__scalar_from_i64(tsr_ctx *ctx, const char *op, const char *arg, int dtype, int64_t value,
                                void *element) {
  const tsr_status st = check_supported(ctx, op, dtype);
  if (st != TSR_OK) return st;

  char made[ELEMENT_BYTES];
  element_from_i64(dtype, value, made);
  const bool fits = holds_integers(dtype) ? integer_takes_i64(dtype, value) : is_finite(number_of(dtype, made).f);
  if (!fits) return TSR__FAIL(ctx, TSR_ERANGE, op, arg, "%l does not fit %y (%s)", value, dtype, range_of(dtype));
  memcpy(element, made, tsr_dtype_size(dtype));
  return TSR_OK;
}

tsr_status tsr__scalar_from_complex(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_complex value,
                                    void *element) {
  const bool pair = dtype == TSR_C64 || dtype == TSR_C128;
  char parts[2][ELEMENT_BYTES];
  const int part = dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype;
  if (!pair && value.im != 0)
    return TSR__FAIL(ctx, TSR_ERANGE, op, arg, "has an imaginary part, %r, and %y has none", &value.im, dtype);
  tsr_status st = check_supported(ctx, op, dtype);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, arg, part, value.re, parts[0]);
  if (st == TSR_OK && pair) st = tsr__scalar_from_real(ctx, op, arg, part, value.im, parts[1]);
  if (st != TSR_OK) return st;
  const size_t bytes = tsr_dtype_size(part);
  memcpy(element, parts[0], bytes);
  if (pair) memcpy((char *)element + bytes, parts[1], bytes);
  return TSR_OK;
}

/* ---- elements to numbers ---- */

tsr_status tsr__scalar_to_real(tsr_ctx *ctx, const char *op, int dtype, const void *element, tsr_real *value) {
  const tsr_status st = check_supported(ctx, op, dtype);
  if (st != TSR_OK) return st;
  const number x = number_of(dtype, element);
  *value = x.kind == SIGNED ? (tsr_real)x.i : x.kind == UNSIGNED ? (tsr_real)x.u : (tsr_real)x.f;
  return TSR_OK;
}

tsr_status tsr__scalar_to_i64(tsr_ctx *ctx, const char *op, int dtype, const void *element, int64_t *value) {
  const tsr_status st = check_supported(ctx, op, dtype);
  if (st != TSR_OK) return st;
  const number x = number_of(dtype, element);
  if (x.kind == SIGNED) {
    *value = x.i;
    return TSR_OK;
  }
  if (x.kind == UNSIGNED && x.u <= (uint64_t)INT64_MAX) {
    *value = (int64_t)x.u;
    return TSR_OK;
  }
  if (x.kind == FLOAT && x.imaginary == 0 && is_whole(x.f) && integer_takes_float(TSR_I64, x.f)) {
    *value = TSR__I64_OF_WIDEST(x.f);
    return TSR_OK;
  }
  const tsr_real shown = x.kind == UNSIGNED ? (tsr_real)x.u : (tsr_real)x.f;
  const bool whole = x.kind == UNSIGNED || (x.imaginary == 0 && is_whole(x.f));
  return TSR__FAIL(ctx, TSR_ERANGE, op, NULL, whole ? "%r does not fit an int64" : "%r (%y) is not a whole number",
                   &shown, dtype);
}
