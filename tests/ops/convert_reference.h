/* What conversion should give, from the definitions and in integer arithmetic alone: a number is mag·2^exp, and
 * rounding searches all codes of the target for the nearest one. Slow, and nothing like the library. */
#ifndef TSR_TEST_CONVERT_REFERENCE_H
#define TSR_TEST_CONVERT_REFERENCE_H

#include <stdint.h>
#include <string.h>
#include <tessera/tessera.h>

typedef struct ref {
  int nan, inf, negative;
  uint64_t mag;
  int exp;
} ref;

typedef struct ref_format {
  int bits, mantissa, bias;
  uint64_t max; /* code of the largest finite number; the next code is infinity, or NaN in f8_e4m3 */
} ref_format;

static inline ref_format ref_format_of(int dtype) {
  switch (dtype) {
    case TSR_F16: return (ref_format){16, 10, 15, 0x7bff};
    case TSR_BF16: return (ref_format){16, 7, 127, 0x7f7f};
    case TSR_F8_E4M3: return (ref_format){8, 3, 7, 0x7e};
    case TSR_F8_E5M2: return (ref_format){8, 2, 15, 0x7b};
    case TSR_F64: return (ref_format){64, 52, 1023, 0x7fefffffffffffff};
    default: return (ref_format){32, 23, 127, 0x7f7fffff};
  }
}

static inline int ref_class(int dtype) { return tsr_dtype_describe(dtype)->class_; }
static inline int ref_bits(int dtype) { return 8 * (int)tsr_dtype_size(dtype); }
static inline uint64_t ref_mask(int bits) { return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1; }

/* ---- elements of 1 to 8 bytes as codes, whatever the byte order ---- */

static inline uint64_t ref_get(int bytes, const void *at) {
  uint8_t u8;
  uint16_t u16;
  uint32_t u32;
  uint64_t u64;
  switch (bytes) {
    case 1: return memcpy(&u8, at, 1), u8;
    case 2: return memcpy(&u16, at, 2), u16;
    case 4: return memcpy(&u32, at, 4), u32;
    default: return memcpy(&u64, at, 8), u64;
  }
}

static inline void ref_put(int bytes, uint64_t code, void *at) {
  const uint8_t u8 = (uint8_t)code;
  const uint16_t u16 = (uint16_t)code;
  const uint32_t u32 = (uint32_t)code;
  switch (bytes) {
    case 1: memcpy(at, &u8, 1); break;
    case 2: memcpy(at, &u16, 2); break;
    case 4: memcpy(at, &u32, 4); break;
    default: memcpy(at, &code, 8); break;
  }
}

/* ---- numbers ---- */

/* A code as if every exponent were an ordinary one. */
static inline ref ref_finite(ref_format f, uint64_t code) {
  const uint64_t mantissa = code & ref_mask(f.mantissa);
  const int exponent = (int)(code >> f.mantissa);
  if (exponent == 0) return (ref){.mag = mantissa, .exp = 1 - f.bias - f.mantissa};
  return (ref){.mag = mantissa | (uint64_t)1 << f.mantissa, .exp = exponent - f.bias - f.mantissa};
}

static inline ref ref_of(int dtype, uint64_t code) {
  const int class = ref_class(dtype), bits = ref_bits(dtype);
  const uint64_t sign = (uint64_t)1 << (bits - 1);
  if (class == TSR_CLASS_BOOL) return (ref){.mag = code != 0};
  if (class == TSR_CLASS_UINT) return (ref){.mag = code};
  if (class == TSR_CLASS_INT) {
    const int negative = (code & sign) != 0;
    return (ref){.negative = negative, .mag = negative ? (0 - code) & ref_mask(bits) : code};
  }
  const ref_format f = ref_format_of(dtype);
  const uint64_t abs = code & (sign - 1);
  ref x = ref_finite(f, abs);
  x.negative = (code & sign) != 0;
  x.inf = abs == f.max + 1 && dtype != TSR_F8_E4M3;
  x.nan = abs > f.max && !x.inf;
  return x;
}

/* -1, 0, 1: |a| below, equal to, above |b|; both finite. */
static inline int ref_compare(ref a, ref b) {
  if (a.mag == 0 || b.mag == 0) return (a.mag != 0) - (b.mag != 0);
  const int a_zeros = __builtin_clzll(a.mag), b_zeros = __builtin_clzll(b.mag);
  if (a.exp - a_zeros != b.exp - b_zeros) return a.exp - a_zeros < b.exp - b_zeros ? -1 : 1;
  const uint64_t a_top = a.mag << a_zeros, b_top = b.mag << b_zeros;
  return (a_top > b_top) - (a_top < b_top);
}

/* Halfway between a code and the next. */
static inline ref ref_middle(ref_format f, uint64_t code) {
  const ref low = ref_finite(f, code), high = ref_finite(f, code + 1);
  return (ref){.mag = low.mag + (high.mag << (high.exp - low.exp)), .exp = low.exp - 1};
}

/* ---- what each target makes of a number that is not NaN ---- */

static inline uint64_t ref_to_float(int dtype, ref x) {
  const ref_format f = ref_format_of(dtype);
  const uint64_t sign = x.negative ? (uint64_t)1 << (f.bits - 1) : 0;
  uint64_t low = 0, high = f.max + 2; /* low's number is not above x, high's is */
  if (x.inf) return sign | (f.max + 1);
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (ref_compare(ref_finite(f, middle), x) <= 0)
      low = middle;
    else
      high = middle;
  }
  if (low > f.max) return sign | (f.max + 1);
  const int side = ref_compare(x, ref_middle(f, low));
  return sign | (low + (side > 0 || (side == 0 && (low & 1) != 0)));
}

/* x is whole: from an integer. */
static inline uint64_t ref_wrap(int dtype, ref x) {
  return (x.negative ? 0 - x.mag : x.mag) & ref_mask(ref_bits(dtype));
}

/* Towards zero, then to the nearest end. */
static inline uint64_t ref_saturate(int dtype, ref x) {
  const int is_signed = ref_class(dtype) == TSR_CLASS_INT, bits = ref_bits(dtype);
  const uint64_t most = is_signed ? ref_mask(bits) >> 1 : ref_mask(bits);
  const uint64_t limit = !x.negative ? most : is_signed ? most + 1 : 0;
  const int beyond = x.inf || ref_compare(x, (ref){.mag = limit}) > 0;
  const int shift = x.exp < -63 ? 63 : -x.exp; /* a mag has at most 53 bits here */
  const uint64_t whole = beyond ? limit : x.exp >= 0 ? x.mag << x.exp : x.mag >> shift;
  return (x.negative ? 0 - whole : whole) & ref_mask(bits);
}

/* Whether got is what a real target should hold. NaN: quiet, its sign kept. */
static inline int ref_matches(int from, int to, uint64_t code, uint64_t got) {
  const ref x = ref_of(from, code);
  const int class = ref_class(to), from_class = ref_class(from);
  if (class == TSR_CLASS_BOOL) return got == (uint64_t)(x.nan || x.inf || x.mag != 0);
  if (class == TSR_CLASS_FLOAT && x.nan) {
    const ref y = ref_of(to, got);
    const uint64_t quiet = to == TSR_F8_E4M3 ? 0 : (uint64_t)1 << (ref_format_of(to).mantissa - 1);
    return y.nan && y.negative == x.negative && (got & quiet) == quiet;
  }
  if (class == TSR_CLASS_FLOAT) return got == ref_to_float(to, x);
  if (x.nan) return got == 0;
  return got == (from_class == TSR_CLASS_FLOAT ? ref_saturate(to, x) : ref_wrap(to, x));
}

#endif
