/* What binary ops should give, one element at a time, from the definitions: integers as numbers modulo a power of
 * two, floats by the C library, smaller floats by way of f32. Slow, and written apart from the library's kernels. */
#ifndef TSR_TEST_BINARY_REFERENCE_H
#define TSR_TEST_BINARY_REFERENCE_H

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tessera/tessera.h>

/* Name, and which dtypes it takes: any real, all with complex ones, numbers (no bool), values (complex ones too), floats (integers
 * become floats), floating (and complex), tests (any real to bool), equal (complex ones too), truth (any at all to bool), bits (integers and bool), shift (integers). */
/* clang-format off */
#define REF_OPS(X)                                                                                              \
  X(add, ALL) X(sub, VALUES) X(mul, ALL) X(div, FLOATING) X(floor_divide, NUMBERS) X(remainder, NUMBERS)        \
  X(fmod, NUMBERS)                                                                                              \
  X(pow, VALUES) X(maximum, ANY) X(minimum, ANY) X(fmax, ANY) X(fmin, ANY) X(atan2, FLOATS) X(hypot, FLOATS)   \
  X(copysign, FLOATS) X(nextafter, FLOATS) X(eq, EQUAL) X(ne, EQUAL) X(lt, TESTS) X(le, TESTS) X(gt, TESTS)     \
  X(ge, TESTS)                                                                                                  \
  X(logical_and, TRUTH) X(logical_or, TRUTH) X(logical_xor, TRUTH) X(bitwise_and, BITS) X(bitwise_or, BITS)     \
  X(bitwise_xor, BITS) X(shift_left, SHIFT) X(shift_right, SHIFT)
/* clang-format on */

enum {
  TAKES_ANY,
  TAKES_ALL,
  TAKES_NUMBERS,
  TAKES_VALUES,
  TAKES_FLOATS,
  TAKES_FLOATING,
  TAKES_TESTS,
  TAKES_EQUAL,
  TAKES_TRUTH,
  TAKES_BITS,
  TAKES_SHIFT
};
enum {
#define X(op, takes) OP_##op,
  REF_OPS(X)
#undef X
      OP_COUNT
};

typedef tsr_status ref_binary_fn(tsr_ctx *, const tsr_tensor *, const tsr_tensor *, tsr_tensor *);
typedef struct ref_op {
  const char *name;
  int takes;
  ref_binary_fn *call;
} ref_op;

static const ref_op ref_ops[OP_COUNT] = {
#define X(op, takes) {#op, TAKES_##takes, tsr_##op},
    REF_OPS(X)
#undef X
};

static inline int ref_kind(int dtype) { return tsr_dtype_describe(dtype)->class_; }

static inline bool ref_accepts(int op, int dtype) {
  const int takes = ref_ops[op].takes, kind = ref_kind(dtype);
  if (!tsr_dtype_supported(dtype)) return false;
  if (kind == TSR_CLASS_COMPLEX)
    return takes == TAKES_TRUTH || takes == TAKES_ALL || takes == TAKES_VALUES || takes == TAKES_FLOATING ||
           takes == TAKES_EQUAL;
  if (kind == TSR_CLASS_BOOL) return takes != TAKES_NUMBERS && takes != TAKES_VALUES && takes != TAKES_SHIFT;
  return kind != TSR_CLASS_FLOAT || (takes != TAKES_BITS && takes != TAKES_SHIFT);
}

static inline bool ref_is_test(int op) { return ref_ops[op].takes == TAKES_TESTS || ref_ops[op].takes == TAKES_EQUAL; }
static inline bool ref_gives_floats(int op) {
  return ref_ops[op].takes == TAKES_FLOATS || ref_ops[op].takes == TAKES_FLOATING;
}

/* The dtype of the result of two inputs of dtype. */
static inline int ref_result(int op, int dtype) {
  if (ref_is_test(op) || ref_ops[op].takes == TAKES_TRUTH) return TSR_BOOL;
  if (!ref_gives_floats(op) || ref_kind(dtype) == TSR_CLASS_FLOAT || ref_kind(dtype) == TSR_CLASS_COMPLEX) return dtype;
  return tsr_dtype_size(dtype) <= 2 || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64;
}

/* ---- elements ---- */

/* One element converted by tsr_cast, which has its own tests. */
static inline void ref_cast(int from, const void *element, int to, void *result) {
  _Alignas(16) char in[16], out[16];
  tsr_tensor x = {.dtype = (uint8_t)from, .data = in}, y = {.dtype = (uint8_t)to, .data = out};
  memcpy(in, element, tsr_dtype_size(from));
  if (tsr_copy(NULL, &x, &y) == TSR_OK) memcpy(result, out, tsr_dtype_size(to));
}

static inline int64_t ref_i64(int dtype, const void *at) {
  int8_t a;
  int16_t b;
  int32_t c;
  int64_t d;
  switch (tsr_dtype_size(dtype)) {
    case 1: memcpy(&a, at, 1); return a;
    case 2: memcpy(&b, at, 2); return b;
    case 4: memcpy(&c, at, 4); return c;
    default: memcpy(&d, at, 8); return d;
  }
}

static inline uint64_t ref_u64(int dtype, const void *at) {
  const int bits = 8 * (int)tsr_dtype_size(dtype);
  return (uint64_t)ref_i64(dtype, at) & (bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1);
}

static inline void ref_put_integer(int dtype, uint64_t value, void *at) {
  const uint8_t a = (uint8_t)value;
  const uint16_t b = (uint16_t)value;
  const uint32_t c = (uint32_t)value;
  switch (tsr_dtype_size(dtype)) {
    case 1: memcpy(at, &a, 1); break;
    case 2: memcpy(at, &b, 2); break;
    case 4: memcpy(at, &c, 4); break;
    default: memcpy(at, &value, 8); break;
  }
}

/* ---- integers ---- */

/* a to the power b modulo 2^64, from the exponent's highest bit down. */
static inline uint64_t ref_power(uint64_t a, uint64_t b) {
  uint64_t result = 1;
  for (int bit = 63; bit >= 0; bit--) {
    result *= result;
    if ((b >> bit & 1) != 0) result *= a;
  }
  return result;
}

static inline uint64_t ref_signed(int op, int bits, int64_t a, int64_t b) {
  const uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (op) {
    case OP_floor_divide:
    case OP_remainder: {
      if (b == 0) return 0;
      if (b == -1) return op == OP_remainder ? 0 : 0 - ua;
      int64_t quotient = a / b, rest = a % b;
      while (rest != 0 && (rest < 0) != (b < 0)) {
        quotient--;
        rest += b;
      }
      return (uint64_t)(op == OP_remainder ? rest : quotient);
    }
    case OP_fmod: return b == 0 || b == -1 ? 0 : (uint64_t)(a - a / b * b);
    case OP_pow: return b >= 0 ? ref_power(ua, ub) : a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? ua : 1) : 0;
    case OP_maximum:
    case OP_fmax: return a > b ? ua : ub;
    case OP_minimum:
    case OP_fmin: return a < b ? ua : ub;
    case OP_lt: return a < b;
    case OP_le: return a <= b;
    case OP_gt: return a > b;
    case OP_ge: return a >= b;
    default: { /* shift_right: halve, rounding down */
      for (int64_t i = 0; i < bits && (b < 0 || i < b); i++)
        a = a < 0 ? -(int64_t)(((uint64_t) - (a + 1) >> 1) + 1) : a / 2;
      return (uint64_t)a;
    }
  }
}

static inline uint64_t ref_unsigned(int op, int bits, uint64_t a, uint64_t b) {
  switch (op) {
    case OP_floor_divide: return b == 0 ? 0 : a / b;
    case OP_remainder:
    case OP_fmod: return b == 0 ? 0 : a - a / b * b;
    case OP_pow: return ref_power(a, b);
    case OP_maximum:
    case OP_fmax: return a > b ? a : b;
    case OP_minimum:
    case OP_fmin: return a < b ? a : b;
    case OP_lt: return a < b;
    case OP_le: return a <= b;
    case OP_gt: return a > b;
    case OP_ge: return a >= b;
    default: return b >= (uint64_t)bits ? 0 : a >> b;
  }
}

static inline uint64_t ref_integer(int op, int dtype, const void *x, const void *y) {
  const uint64_t a = ref_u64(dtype, x), b = ref_u64(dtype, y);
  const int bits = 8 * (int)tsr_dtype_size(dtype);
  const bool is_bool = dtype == TSR_BOOL;
  switch (op) {
    case OP_add: return is_bool ? (a | b) : a + b;
    case OP_sub: return a - b;
    case OP_mul: return a * b;
    case OP_eq: return a == b;
    case OP_ne: return a != b;
    case OP_bitwise_and: return a & b;
    case OP_bitwise_or: return a | b;
    case OP_bitwise_xor: return a ^ b;
    case OP_shift_left: return b >= (uint64_t)bits ? 0 : a << b;
    default: break;
  }
  if (ref_kind(dtype) == TSR_CLASS_INT) return ref_signed(op, bits, ref_i64(dtype, x), ref_i64(dtype, y));
  return ref_unsigned(op, bits, a, b);
}

/* ---- floats ---- */

#define REF_FLOAT(T, NAME, SUFFIX)                                       \
  static inline bool ref_test_##NAME(int op, T a, T b) {                 \
    switch (op) {                                                        \
      case OP_eq: return a == b;                                         \
      case OP_ne: return !(a == b);                                      \
      case OP_lt: return a < b;                                          \
      case OP_le: return a < b || a == b;                                \
      case OP_gt: return b < a;                                          \
      default: return b < a || a == b;                                   \
    }                                                                    \
  }                                                                      \
  static inline T ref_rest_##NAME(T a, T b) {                            \
    T rest = fmod##SUFFIX(a, b);                                         \
    if (isnan(rest) || b == 0) return rest;                              \
    if (rest == 0) return signbit(b) ? -(T)0 : (T)0;                     \
    return signbit(rest) != signbit(b) ? rest + b : rest;                \
  }                                                                      \
  static inline T ref_quotient_##NAME(T a, T b) {                        \
    if (b == 0) return a / b;                                            \
    const T first = fmod##SUFFIX(a, b);                                  \
    T whole = (a - first) / b;                                           \
    if (first != 0 && signbit(first) != signbit(b)) whole -= 1;          \
    if (whole == 0) return copysign##SUFFIX(0, a / b);                   \
    const T low = floor##SUFFIX(whole);                                  \
    return whole - low > (T)0.5 ? low + 1 : low;                         \
  }                                                                      \
  static inline T ref_value_##NAME(int op, T a, T b) {                   \
    switch (op) {                                                        \
      case OP_add: return a + b;                                         \
      case OP_sub: return a - b;                                         \
      case OP_mul: return a * b;                                         \
      case OP_div: return a / b;                                         \
      case OP_floor_divide: return ref_quotient_##NAME(a, b);            \
      case OP_remainder: return ref_rest_##NAME(a, b);                   \
      case OP_fmod: return fmod##SUFFIX(a, b);                           \
      case OP_pow: return isnan(b) && a != 1 ? b : pow##SUFFIX(a, b);    \
      case OP_maximum: return isnan(a) ? a : isnan(b) || b >= a ? b : a; \
      case OP_minimum: return isnan(a) ? a : isnan(b) || b <= a ? b : a; \
      case OP_fmax: return isnan(b) ? a : isnan(a) || b > a ? b : a;     \
      case OP_fmin: return isnan(b) ? a : isnan(a) || b < a ? b : a;     \
      case OP_atan2: return atan2##SUFFIX(a, b);                         \
      case OP_hypot: return hypot##SUFFIX(a, b);                         \
      case OP_nextafter: return nextafter##SUFFIX(a, b);                 \
      default: return copysign##SUFFIX(a, b);                            \
    }                                                                    \
  }
REF_FLOAT(float, f32, f)
#if TSR_HAVE_F64
REF_FLOAT(double, f64, )
#endif

/* ---- complex numbers ---- */

/* Sums and products from their definitions; quotients and powers by the C library's complex arithmetic in long double. */
#define REF_COMPLEX(T, NAME)                                                                               \
  static inline bool ref_complex_##NAME(int op, const T *a, const T *b, T *out) {                          \
    const long double _Complex x = ref_complex((long double)a[0], (long double)a[1]);                      \
    const long double _Complex y = ref_complex((long double)b[0], (long double)b[1]);                      \
    const T products[] = {a[0] * b[0], a[1] * b[1], a[0] * b[1], a[1] * b[0]};                             \
    const bool is_zero = a[0] == 0 && a[1] == 0;                                                           \
    long double _Complex z = ref_complex(1, 0);                                                            \
    switch (op) {                                                                                          \
      case OP_eq: return a[0] == b[0] && a[1] == b[1];                                                     \
      case OP_ne: return !(a[0] == b[0] && a[1] == b[1]);                                                  \
      case OP_add: out[0] = a[0] + b[0], out[1] = a[1] + b[1]; return false;                               \
      case OP_sub: out[0] = a[0] - b[0], out[1] = a[1] - b[1]; return false;                               \
      case OP_mul: out[0] = products[0] - products[1], out[1] = products[3] + products[2]; return false;   \
      case OP_div: z = x / y; break;                                                                       \
      default:                                                                                             \
        if (is_zero && (b[0] != 0 || b[1] != 0)) z = b[0] > 0 ? ref_complex(0, 0) : ref_complex(NAN, NAN); \
        if (!is_zero && (b[0] != 0 || b[1] != 0)) z = cpowl(x, y);                                         \
        if (b[1] == 0 && (T)(int)b[0] == b[0] && b[0] > 0 && b[0] <= 64 && !is_zero)                       \
          for (int i = (int)b[0], first = 1; i > 0; i--, first = 0) z = first ? x : z * x;                 \
    }                                                                                                      \
    out[0] = (T)creall(z), out[1] = (T)cimagl(z);                                                          \
    return false;                                                                                          \
  }
static inline long double _Complex ref_complex(long double re, long double im) {
  const long double parts[2] = {re, im};
  long double _Complex z;
  memcpy(&z, parts, sizeof z);
  return z;
}
REF_COMPLEX(float, c64)
#if TSR_HAVE_F64
REF_COMPLEX(double, c128)
#endif

static inline void ref_of_complex(int op, int dtype, const void *a, const void *b, void *out) {
  _Alignas(16) char x[16], y[16], z[16] = {0};
  bool answer = false;
  memcpy(x, a, tsr_dtype_size(dtype)), memcpy(y, b, tsr_dtype_size(dtype));
  if (dtype == TSR_C64)
    answer = ref_complex_c64(op, (const float *)(void *)x, (const float *)(void *)y, (float *)(void *)z);
#if TSR_HAVE_F64
  if (dtype == TSR_C128)
    answer = ref_complex_c128(op, (const double *)(void *)x, (const double *)(void *)y, (double *)(void *)z);
#endif
  if (ref_is_test(op))
    memcpy(out, &answer, 1);
  else
    memcpy(out, z, tsr_dtype_size(dtype));
}

/* ---- an element ---- */

static inline bool ref_truth(int dtype, const void *at) {
  uint8_t truth = 0;
  ref_cast(dtype, at, TSR_BOOL, &truth);
  return dtype == TSR_BOOL ? *(const uint8_t *)at != 0 : truth != 0;
}

/* The small floats' next number: of the patterns beside a and the smallest numbers the one that is nearest to a on b's
 * side. */
static inline void ref_nextafter(int dtype, const void *a, const void *b, void *out) {
  const uint64_t own = ref_u64(dtype, a), sign = (uint64_t)1 << (8 * tsr_dtype_size(dtype) - 1);
  const uint64_t candidates[] = {own + 1, own - 1, 1, sign | 1};
  float x = 0, y = 0, best = 0;
  bool found = false;
  ref_cast(dtype, a, TSR_F32, &x), ref_cast(dtype, b, TSR_F32, &y);
  memcpy(out, isnan(x) ? a : b, tsr_dtype_size(dtype));
  for (int i = 0; i < 4 && !isnan(x) && !isnan(y) && x != y; i++) {
    unsigned char candidate[8];
    float value = 0;
    ref_put_integer(dtype, candidates[i], candidate);
    ref_cast(dtype, candidate, TSR_F32, &value);
    if (isnan(value) || !(x < y ? value > x : value < x)) continue;
    if (found && !(x < y ? value < best : value > best)) continue;
    found = true;
    best = value;
    memcpy(out, candidate, tsr_dtype_size(dtype));
  }
}

/* a op b, both of dtype, into an element of ref_result(op, dtype). */
static inline void ref_binary(int op, int dtype, const void *a, const void *b, void *out) {
  const int takes = ref_ops[op].takes, result = ref_result(op, dtype);
  const bool tests = ref_is_test(op);
  uint8_t answer;
  if (takes == TAKES_TRUTH) {
    const bool x = ref_truth(dtype, a), y = ref_truth(dtype, b);
    answer = op == OP_logical_and ? x && y : op == OP_logical_or ? x || y : x != y;
    memcpy(out, &answer, 1);
    return;
  }
  if (ref_kind(dtype) == TSR_CLASS_COMPLEX) {
    ref_of_complex(op, dtype, a, b, out);
    return;
  }
  if (ref_kind(dtype) != TSR_CLASS_FLOAT && !ref_gives_floats(op)) {
    ref_put_integer(result, ref_integer(op, dtype, a, b), out);
    return;
  }
  if (op == OP_nextafter && tsr_dtype_size(dtype) <= 2 && ref_kind(dtype) == TSR_CLASS_FLOAT) {
    ref_nextafter(dtype, a, b, out);
    return;
  }
  float x = 0, y = 0, value;
#if TSR_HAVE_F64
  if ((tests ? dtype : result) == TSR_F64) {
    double p = 0, q = 0;
    if (dtype == TSR_F64)
      memcpy(&p, a, 8), memcpy(&q, b, 8);
    else
      ref_cast(dtype, a, TSR_F64, &p), ref_cast(dtype, b, TSR_F64, &q);
    answer = ref_test_f64(op, p, q);
    const double wide = tests ? 0 : ref_value_f64(op, p, q);
    memcpy(out, tests ? (const void *)&answer : (const void *)&wide, tests ? 1 : 8);
    return;
  }
#endif
  if (dtype == TSR_F32)
    memcpy(&x, a, 4), memcpy(&y, b, 4);
  else
    ref_cast(dtype, a, TSR_F32, &x), ref_cast(dtype, b, TSR_F32, &y);
  answer = ref_test_f32(op, x, y);
  value = tests ? 0 : ref_value_f32(op, x, y);
  if (tests)
    memcpy(out, &answer, 1);
  else if (result == TSR_F32)
    memcpy(out, &value, 4);
  else
    ref_cast(TSR_F32, &value, result, out);
}

/* ---- comparing ---- */

static inline bool ref_is_nan(int dtype, const void *at) {
  double wide = 0;
  if (ref_kind(dtype) != TSR_CLASS_FLOAT) return false;
  float narrow = 0;
  if (dtype == TSR_F64) return memcpy(&wide, at, 8), isnan(wide);
  if (dtype == TSR_F32) return memcpy(&narrow, at, 4), isnan(narrow);
  return ref_cast(dtype, at, TSR_F32, &narrow), isnan(narrow);
}

static inline int ref_part(int dtype) { return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype; }

/* The same bits, or both NaN; of complex numbers part by part. */
static inline bool ref_same(int dtype, const void *a, const void *b) {
  const int part = ref_part(dtype);
  const size_t second = tsr_dtype_size(part);
  if (part != dtype)
    return (memcmp(a, b, second) == 0 || (ref_is_nan(part, a) && ref_is_nan(part, b))) &&
           ref_same(part, (const char *)a + second, (const char *)b + second);
  return memcmp(a, b, tsr_dtype_size(dtype)) == 0 || (ref_is_nan(dtype, a) && ref_is_nan(dtype, b));
}

#endif
