/* One float type. */
#define OF(name) TSR__C_CAT(name##_, C_NAME)
#define BITS OF(TSR__BITS)
#define MANTISSA OF(TSR__MANTISSA)
#define BIAS OF(TSR__BIAS)

static inline BITS FN(tsr__elementary_bits)(C x) {
  BITS bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline C FN(tsr__elementary_of)(BITS bits) {
  C x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* log x for x ≥ 0; -inf for 0. x = 2^k·m with m around 1, and log m = 2·artanh(s), s = (m - 1) / (m + 1): Σ
 * 2·s^(2n+1)/(2n+1). */
static inline C FN(tsr__log)(C x) {
  const C lift = (C)((BITS)1 << (MANTISSA / 2)) * (C)((BITS)1 << (MANTISSA - MANTISSA / 2)); /* 2^MANTISSA */
  const int small = x < FN(tsr__elementary_of)((BITS)1 << MANTISSA);
  const BITS bits = FN(tsr__elementary_bits)(small ? x * lift : x);
  const BITS root_half = FN(tsr__elementary_bits)((C)0.70710678118654752440);
  const BITS one = (BITS)BIAS << MANTISSA, mask = ((BITS)1 << MANTISSA) - 1;
  const BITS moved = bits - root_half + one; /* its exponent is that of x over √½, so that m is between √½ and √2 */
  const C k = (C)(int32_t)((int32_t)(moved >> MANTISSA) - BIAS - (small ? MANTISSA : 0));
  const C m = FN(tsr__elementary_of)((moved & mask) + root_half);
  const C s = (m - 1) / (m + 1), z = s * s;
  C sum = 0;
  for (int n = OF(TSR__LOG_TERMS) - 1; n > 0; n--) sum = (sum + (C)2 / (C)(2 * n + 1)) * z;
  const C small_part = s * sum + k * OF(TSR__LN2_LOW);
  const C result = k * OF(TSR__LN2_HIGH) + (2 * s + small_part);
  const C infinity = FN(tsr__elementary_of)((BITS)(2 * BIAS + 1) << MANTISSA);
  const C ends = x == 0 ? -infinity : x;
  return ((x == 0) | !(x < infinity)) != 0 ? ends : result;
}

/* exp x; 0 below the range of normal numbers. x = k·log 2 + r: Σ r^n/n! times 2^k. */
static inline C FN(tsr__exp)(C x) {
  const C low = OF(TSR__EXP_LOW), high = OF(TSR__EXP_HIGH);
  const C round = (C)((BITS)3 << (MANTISSA - 1)); /* adding it leaves a whole number in the low bits */
  const C above = x < low ? low : x, inside = above > high ? high : above;
  const C shifted = inside * (C)1.44269504088896340736 + round, k = shifted - round;
  const C r = (inside - k * OF(TSR__LN2_HIGH)) - k * OF(TSR__LN2_LOW);
  const BITS power = (FN(tsr__elementary_bits)(shifted) << MANTISSA) + ((BITS)BIAS << MANTISSA);
  C sum = 0;
  for (int n = OF(TSR__EXP_TERMS) - 1; n > 0; n--) sum = (sum + 1) * r * ((C)1 / (C)n);
  const C result = (sum + 1) * FN(tsr__elementary_of)(power);
  const C infinity = FN(tsr__elementary_of)((BITS)(2 * BIAS + 1) << MANTISSA);
  const C bounded = x > high ? infinity : result;
  return x < low ? 0 : bounded;
}

/* Cosine and sine of part quarter turns, |part| ≤ ½: Σ ±a^n/n! with a = part·π/2. */
static inline void FN(tsr__sincos_quarter)(C part, C *cosine, C *sine) {
  const C a = part * (C)1.57079632679489661923, z = a * a;
  C even = 0, odd = 0;
  for (int n = OF(TSR__SINCOS_TERMS) - 1; n > 0; n--) {
    even = (even + 1) * z * ((C)-1 / (C)((2 * n - 1) * (2 * n)));
    odd = (odd + 1) * z * ((C)-1 / (C)((2 * n) * (2 * n + 1)));
  }
  *cosine = even + 1;
  *sine = a + a * odd;
}

#undef OF
#undef BITS
#undef MANTISSA
#undef BIAS
