/* Decimal to binary. The product of the mantissa and 128 bits of a power of five is known to a few units of its last place:
 * where these cannot change how it rounds, that is the result (after an idea of Clinger's, Eisel's and Lemire's); else,
 * and for numbers below the normal ones, the C library is handed the digits. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/float_bits.h"
#include "core/text.h"
#include "io/bytes/product.h"
#include "io/csv/decimal.h"

#include <stdlib.h>
#include <string.h>

const double tsr__exact_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- powers of five ---- */

enum { STEP = 27, MIN_STEP = -13, MIN_POWER = -342, MAX_POWER = 308 };

/* The first 128 bits of 5^(27 i), cut off. Written by: v = 5**n, or 2**k // 5**-n, of 128 bits. */
static const tsr__wide_product steps[] = {{0x8049a4ac0c5811ae, 0x205b896d777d6278}, /* 5^-351 */
                                          {0xcf42894a5dce35ea, 0x52064cac828675b9}, /* 5^-324 */
                                          {0xa76c582338ed2621, 0xaf2af2b80af6f24e}, /* 5^-297 */
                                          {0x873e4f75e2224e68, 0x5a7744a6e804a291}, /* 5^-270 */
                                          {0xda7f5bf590966848, 0xaf39a475506a899e}, /* 5^-243 */
                                          {0xb080392cc4349dec, 0xbd8d794d96aacfb3}, /* 5^-216 */
                                          {0x8e938662882af53e, 0x547eb47b7282ee9c}, /* 5^-189 */
                                          {0xe65829b3046b0afa, 0x0cb4a5a3112a5112}, /* 5^-162 */
                                          {0xba121a4650e4ddeb, 0x92f34d62616ce413}, /* 5^-135 */
                                          {0x964e858c91ba2655, 0x3a6a07f8d510f86f}, /* 5^-108 */
                                          {0xf2d56790ab41c2a2, 0xfae27299423fb9c3}, /* 5^-81 */
                                          {0xc428d05aa4751e4c, 0xaa97e14c3c26b886}, /* 5^-54 */
                                          {0x9e74d1b791e07e48, 0x775ea264cf55347d}, /* 5^-27 */
                                          {0x8000000000000000, 0x0000000000000000}, /* 5^0 */
                                          {0xcecb8f27f4200f3a, 0x0000000000000000}, /* 5^27 */
                                          {0xa70c3c40a64e6c51, 0x999090b65f67d924}, /* 5^54 */
                                          {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3}, /* 5^81 */
                                          {0xda01ee641a708de9, 0xe80e6f4820cc9495}, /* 5^108 */
                                          {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f}, /* 5^135 */
                                          {0x8e41ade9fbebc27d, 0x14588f13be847307}, /* 5^162 */
                                          {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa}, /* 5^189 */
                                          {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692}, /* 5^216 */
                                          {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e}, /* 5^243 */
                                          {0xf24a01a73cf2dccf, 0xbc633b39673c8cec}, /* 5^270 */
                                          {0xc3b8358109e84f07, 0x0a862f80ec4700c8},
                                          /* 5^297 */};

/* 5^0 to 5^26 are exact. */
static const uint64_t small_powers[STEP] = {1u,
                                            5u,
                                            25u,
                                            125u,
                                            625u,
                                            3125u,
                                            15625u,
                                            78125u,
                                            390625u,
                                            1953125u,
                                            9765625u,
                                            48828125u,
                                            244140625u,
                                            1220703125u,
                                            6103515625u,
                                            30517578125u,
                                            152587890625u,
                                            762939453125u,
                                            3814697265625u,
                                            19073486328125u,
                                            95367431640625u,
                                            476837158203125u,
                                            2384185791015625u,
                                            11920928955078125u,
                                            59604644775390625u,
                                            298023223876953125u,
                                            1490116119384765625u};

static int log2_of_power5(int n) { return (152170 * n) >> 16; } /* rounded down */

/* 5^n as high.low · 2^(log2 - 127): too small by less than four units of low. */
static tsr__wide_product power_of_five(int n) {
  const int step = (n + STEP * -MIN_STEP) / STEP, rest = n - (step + MIN_STEP) * STEP;
  if (rest == 0) return steps[step];
  const int zeros = __builtin_clzll(small_powers[rest]);
  const uint64_t factor = small_powers[rest] << zeros;
  const tsr__wide_product a = tsr__multiply_wide(steps[step].high, factor),
                          b = tsr__multiply_wide(steps[step].low, factor);
  const uint64_t low = a.low + b.high, high = a.high + (low < a.low);
  if (high >> 63 != 0) return (tsr__wide_product){.high = high, .low = low};
  return (tsr__wide_product){.high = high << 1 | low >> 63, .low = low << 1 | b.low >> 63};
}

/* ---- rounding ---- */

enum { UNSURE = 8 }; /* units of the last place of a product by which it may be too small */

typedef struct rounded {
  uint64_t mantissa; /* of digits bits; 2^digits where it was rounded up to that */
  int exponent;      /* of its last bit */
} rounded;

/* mantissa · 10^exponent to so many bits; false where the product does not tell. */
static bool round_product(uint64_t mantissa, int exponent, int digits, rounded *out) {
  const int zeros = __builtin_clzll(mantissa);
  const tsr__wide_product power = power_of_five(exponent);
  const tsr__wide_product a = tsr__multiply_wide(mantissa << zeros, power.high);
  const tsr__wide_product b = tsr__multiply_wide(mantissa << zeros, power.low);
  const uint64_t low = a.low + b.high, high = a.high + (low < a.low);
  const int top = (int)(high >> 63), drop = 63 + top - digits; /* bits of high that do not count */
  const uint64_t kept = high >> drop, rest = high & (((uint64_t)1 << drop) - 1), half = (uint64_t)1 << (drop - 1);
  /* In [half - UNSURE, half] of 128 bits it may be below the middle, on it, or above. */
  if ((rest == half && low == 0) || (rest == half - 1 && low >= (uint64_t)0 - UNSURE)) return false;
  out->mantissa = kept + (rest >= half);
  out->exponent = drop + 128 + log2_of_power5(exponent) - 127 - zeros + exponent;
  return true;
}

/* ---- the C library ---- */

enum { MOST_DIGITS = 800 }; /* more than any double has: what follows only says that it is not exactly these */

/* Digits without marks, and an exponent: there is nothing in it that a locale changes. */
static void write_digits(const tsr__decimal *d, char text[MOST_DIGITS + 32]) {
  tsr__text to;
  size_t n = 0;
  int64_t exponent = d->exponent;
  bool more = false;
  if (!d->cut) {
    tsr__text_init(&to, text, MOST_DIGITS + 32);
    tsr__text_u64(&to, d->mantissa);
    tsr__text_format(&to, "e%l", exponent);
    return;
  }
  for (size_t i = 0; i < d->length; i++) {
    const char c = d->digits[i];
    if (c < '0' || c > '9' || (n == 0 && c == '0')) continue;
    if (n < MOST_DIGITS)
      text[n++] = c;
    else
      more = more || c != '0';
  }
  if (more) text[n - 1] = text[n - 1] == '0' ? '1' : text[n - 1]; /* any digit but 0 says that more follow */
  exponent -= (int64_t)n - 19;                                    /* it is that of the first 19 */
  tsr__text_init(&to, text + n, 32);
  tsr__text_format(&to, "e%l", exponent);
}

/* ---- floats ---- */

static double ask_f64(const tsr__decimal *d) {
  char text[MOST_DIGITS + 32];
  write_digits(d, text);
  return strtod(text, NULL);
}

static float ask_f32(const tsr__decimal *d) {
  char text[MOST_DIGITS + 32];
  write_digits(d, text);
  return strtof(text, NULL);
}

/* Of digits that were cut, mantissa and mantissa + 1 are below and above; they must agree. */
static bool round_both(const tsr__decimal *d, int digits, rounded *out) {
  rounded above;
  if (d->exponent < MIN_POWER || d->exponent > MAX_POWER) return false;
  if (!round_product(d->mantissa, (int)d->exponent, digits, out)) return false;
  if (!d->cut) return true;
  if (!round_product(d->mantissa + 1, (int)d->exponent, digits, &above)) return false;
  return above.mantissa == out->mantissa && above.exponent == out->exponent;
}

double tsr__decimal_to_f64(const tsr__decimal *d) {
  rounded r;
  if (d->mantissa == 0) return 0;
  if (!d->cut && tsr__decimal_is_short(d->mantissa, d->exponent)) return tsr__decimal_short(d->mantissa, d->exponent);
  if (!d->cut && d->exponent == 0) return (double)d->mantissa;
  if (!round_both(d, 53, &r)) return ask_f64(d);
  const int biased = r.exponent + 52 + 1023;
  if (biased <= 0) return ask_f64(d);
  if (biased >= 2047) return (double)__builtin_inff();
  /* 2^53 carries into the exponent, from the largest one to infinity. */
  return tsr__f64_of_bits(((uint64_t)biased << 52) + (r.mantissa - ((uint64_t)1 << 52)));
}

float tsr__decimal_to_f32(const tsr__decimal *d) {
  rounded r;
  if (d->mantissa == 0) return 0;
  if (!d->cut && d->exponent == 0) return (float)d->mantissa;
  if (!round_both(d, 24, &r)) return ask_f32(d);
  const int biased = r.exponent + 23 + 127;
  if (biased <= 0) return ask_f32(d);
  if (biased >= 255) return __builtin_inff();
  return tsr__f32_of_bits(((uint32_t)biased << 23) + ((uint32_t)r.mantissa - ((uint32_t)1 << 23)));
}

#endif
