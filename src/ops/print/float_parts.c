#include "ops/print/float_parts.h"
#include "ops/print/big.h"
#include <string.h>

/* A float dtype by its fields; the bias is 2^(exponent_bits - 1) - 1 for all of them. */
typedef struct float_layout {
  uint8_t bytes;
  uint8_t mantissa_bits; /* without the hidden one */
  uint8_t exponent_bits;
  bool has_infinity; /* else the topmost exponent is an ordinary one, and all ones is the only NaN */
} float_layout;

static float_layout layout_of(int dtype) {
  switch (dtype) {
    case TSR_F16: return (float_layout){2, 10, 5, true};
    case TSR_BF16: return (float_layout){2, 7, 8, true};
    case TSR_F8_E4M3: return (float_layout){1, 3, 4, false};
    case TSR_F8_E5M2: return (float_layout){1, 2, 5, true};
    case TSR_F64:
    case TSR_C128: return (float_layout){8, 52, 11, true};
    default: return (float_layout){4, 23, 8, true}; /* f32, c64 */
  }
}

/* Through an integer of the element's own size, so that the order of bytes does not matter. */
static uint64_t load_bits(const unsigned char *at, int bytes) {
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (bytes) {
    case 1: return at[0];
    case 2: memcpy(&two, at, 2); return two;
    case 4: memcpy(&four, at, 4); return four;
    default: memcpy(&eight, at, 8); return eight;
  }
}

static tsr__float_kind kind_of(const float_layout *layout, uint64_t fraction, int biased) {
  const int top = (1 << layout->exponent_bits) - 1;
  const uint64_t all_ones = (UINT64_C(1) << layout->mantissa_bits) - 1;
  if (biased < top) return TSR__FINITE;
  if (!layout->has_infinity) return fraction == all_ones ? TSR__NAN : TSR__FINITE;
  return fraction == 0 ? TSR__INFINITE : TSR__NAN;
}

void tsr__float_load(int dtype, int part, const void *element, tsr__float *value) {
  const float_layout layout = layout_of(dtype);
  const uint64_t bits = load_bits((const unsigned char *)element + part * layout.bytes, layout.bytes);
  const int bias = (1 << (layout.exponent_bits - 1)) - 1;
  const int biased = (int)(bits >> layout.mantissa_bits) & ((1 << layout.exponent_bits) - 1);
  const uint64_t hidden = UINT64_C(1) << layout.mantissa_bits;
  const uint64_t fraction = bits & (hidden - 1);
  const bool subnormal = biased == 0;
  value->negative = (bits >> (8 * layout.bytes - 1)) != 0;
  value->kind = (uint8_t)kind_of(&layout, fraction, biased);
  value->mantissa = subnormal ? fraction : fraction | hidden;
  value->exponent = (int16_t)((subnormal ? 1 : biased) - bias - layout.mantissa_bits);
  value->closer_below = fraction == 0 && biased > 1;
}

int tsr__float_division_bits(int dtype) {
  switch (dtype) {
    case TSR_F16: return 11;
    case TSR_F64:
    case TSR_C128: return 53;
    default: return 24;
  }
}

/* The position of the highest bit; the number is not 0. */
static int top_bit(const tsr__float *a) { return a->exponent + 63 - __builtin_clzll(a->mantissa); }

int tsr__float_compare(const tsr__float *a, const tsr__float *b) {
  if (a->mantissa == 0 || b->mantissa == 0) return (a->mantissa != 0) - (b->mantissa != 0);
  const int difference = top_bit(a) - top_bit(b);
  if (difference != 0) return difference;
  const uint64_t x = a->mantissa << __builtin_clzll(a->mantissa);
  const uint64_t y = b->mantissa << __builtin_clzll(b->mantissa);
  return (x > y) - (x < y);
}

/* A quotient rounds to more than 1000 when it is past the middle between 1000 and the next number of that precision;
 * the middle itself goes to 1000, which is even. 2^9 < 1000 < 2^10, so that middle is 1000 + 2^(9 - bits), and the
 * question is large·2^(bits - 9) > small·(1000·2^(bits - 9) + 1). */
bool tsr__float_spread(const tsr__float *large, const tsr__float *small, int bits) {
  const int apart = top_bit(large) - top_bit(small);
  if (apart != 9 && apart != 10) return apart > 10;
  const int shift = large->exponent - small->exponent;
  tsr__big left, right, one;
  tsr__big_set(&left, large->mantissa);
  tsr__big_set(&right, small->mantissa);
  tsr__big_set(&one, small->mantissa);
  tsr__big_multiply(&right, 1000);
  tsr__big_shift_left(&left, bits - 9 + (shift > 0 ? shift : 0));
  tsr__big_shift_left(&right, bits - 9 + (shift < 0 ? -shift : 0));
  tsr__big_shift_left(&one, shift < 0 ? -shift : 0);
  return tsr__big_compare_sum(&right, &one, 1, &left) < 0;
}
