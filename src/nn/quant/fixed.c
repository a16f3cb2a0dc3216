/* Ratios of scales as integers, by integers: the same on every machine. */
#include "nn/quant/quant.h"

#include <string.h>

/* x = mantissa · 2^exponent, mantissa of 24 bits; x is positive and finite. */
static uint32_t take_apart(float x, int *exponent) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  uint32_t mantissa = bits & 0x7fffff;
  int e = (int)(bits >> 23);
  if (e != 0) mantissa |= 0x800000;
  e += e == 0;
  for (; mantissa < 0x800000; e--) mantissa <<= 1;
  *exponent = e - 150;
  return mantissa;
}

/* n / d, n < 2^57 and d < 2^24. Where that is no instruction, 8 bits at a time by those of 32 bits: the C library's takes 700
 * bytes of flash. */
static uint64_t quotient(uint64_t n, uint32_t d) {
#if UINTPTR_MAX == UINT32_MAX
  const uint32_t low = (uint32_t)n, high = (uint32_t)(n >> 32);
  uint64_t q = high / d;
  uint32_t rest = high % d;
  for (int bit = 24; bit >= 0; bit -= 8) {
    const uint32_t part = rest << 8 | (low >> bit & 0xff);
    q = q << 8 | part / d;
    rest = part % d;
  }
  return q;
#else
  return n / d;
#endif
}

/* n / d rounded to 31 bits, halves to even (of two roundings: up); n / d is in [2^31, 2^35). *dropped: the power of two that went. */
static uint32_t divide(uint64_t n, uint32_t d, int *dropped) {
  const uint64_t q = quotient(n, d);
  const bool rest = q * d != n;
  int drop = 1;
  while (q >> drop >= (uint64_t)1 << 31) drop++;
  const uint64_t half = (uint64_t)1 << (drop - 1), low = q & (2 * half - 1);
  uint64_t r = q >> drop;
  if (low > half || (low == half && (rest || TSR__ROUND_TWICE || (r & 1) != 0))) r++;
  if (r == (uint64_t)1 << 31) {
    r >>= 1;
    drop++;
  }
  *dropped = drop;
  return (uint32_t)r;
}

bool tsr__fixed_ratio(float a, float b, float c, tsr__fixed *f) {
  int ea, eb, ec, dropped;
  const uint64_t n = (uint64_t)take_apart(a, &ea) * take_apart(b, &eb); /* [2^46, 2^48) */
  const uint32_t d = take_apart(c, &ec);                                /* [2^23, 2^24) */
  const uint32_t m = divide(n << 9, d, &dropped);
  const int shift = 9 - dropped - (ea + eb - ec);
  if (shift < 0) return false;
  /* past 62 every sum becomes 0 */
  *f = shift > 62 ? (tsr__fixed){0, TSR__FIXED_HIGH} : (tsr__fixed){(int32_t)m, shift};
  return true;
}

tsr_status tsr__fixed_check(tsr_ctx *ctx, const char *op, const char *arg, float a, float b, float c, tsr__fixed *f) {
  if (tsr__fixed_ratio(a, b, c, f)) return TSR_OK;
  const tsr_real scale = (tsr_real)c;
  return TSR__FAIL(ctx, TSR_ERANGE, op, arg, "has scales that are 2^31 times the result's %r or more", &scale);
}
