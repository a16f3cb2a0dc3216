/* Arithmetic of one complex type, C of two P. */
static inline C FN(tsr__neg)(C a) { return (C){-a.re, -a.im}; }
static inline C FN(tsr__conj)(C a) { return (C){a.re, -a.im}; }
static inline C FN(tsr__add)(C a, C b) { return (C){a.re + b.re, a.im + b.im}; }
static inline C FN(tsr__sub)(C a, C b) { return (C){a.re - b.re, a.im - b.im}; }
static inline C FN(tsr__mul)(C a, C b) {
  return (C){TSR__ROUNDED(a.re * b.re) - TSR__ROUNDED(a.im * b.im),
             TSR__ROUNDED(a.im * b.re) + TSR__ROUNDED(a.re * b.im)};
}
static inline C FN(tsr__square)(C a) { return FN(tsr__mul)(a, a); }
static inline uint8_t FN(tsr__eq)(C a, C b) { return (a.re == b.re) & (a.im == b.im); }
static inline bool FN(tsr__is_nan)(C a) { return (a.re != a.re) | (a.im != a.im); }
static inline bool FN(tsr__is_inf)(C a) {
  return ((a.re - a.re != 0) & (a.re == a.re)) | ((a.im - a.im != 0) & (a.im == a.im));
}
static inline bool FN(tsr__is_finite)(C a) { return (a.re - a.re == 0) & (a.im - a.im == 0); }

/* ---- a number and a power of two ---- */

#if P_BITS == 32
#define U uint32_t
#define MANTISSA 23
#define LARGEST 253 /* exponents from 1 to this one, and what takes them to 0, are of normal numbers */
#define BITS tsr__bits_of_f32
#define OF_BITS tsr__f32_of_bits
#define SPLIT 4097.0f
#define FUSED __builtin_fmaf
#define ROOT __builtin_sqrtf
#else
#define U uint64_t
#define MANTISSA 52
#define LARGEST 2045
#define BITS tsr__bits_of_f64
#define OF_BITS tsr__f64_of_bits
#define SPLIT 134217729.0
#define FUSED __builtin_fma
#define ROOT __builtin_sqrt
#endif

#if P_BITS == 64 || !TSR_HAVE_F64
/* The exponent of the larger part, as its bits have it, but within what has an inverse. */
static inline U FN(exponent)(C a) {
  const U re = BITS(a.re) & ((U)-1 >> 1), im = BITS(a.im) & ((U)-1 >> 1);
  const U e = (re > im ? re : im) >> MANTISSA, low = e < 1 ? 1 : e;
  return low > LARGEST ? LARGEST : low;
}
static inline P FN(two_to)(U exponent) { return OF_BITS(exponent << MANTISSA); }

/* a·b - product, exactly: by a fused operation or by halves. */
static inline P FN(error_of)(P a, P b, P product) {
#if defined(__FMA__) || defined(__aarch64__)
  return FUSED(a, b, -product);
#else
  const P ta = SPLIT * a, ha = ta - (ta - a), la = a - ha, tb = SPLIT * b, hb = tb - (tb - b), lb = b - hb;
  return la * lb - (((product - ha * hb) - la * hb) - ha * lb);
#endif
}

/* a·b + c·d of numbers around 1, with little more than one rounding, whatever cancels. */
static inline P FN(sum_of_products)(P a, P b, P c, P d) {
  const P p = TSR__ROUNDED(a * b), q = TSR__ROUNDED(c * d), sum = p + q, of_q = sum - p;
  const P lost = (p - (sum - of_q)) + (q - of_q);
  return sum + ((lost + FN(error_of)(a, b, p)) + FN(error_of)(c, d, q));
}
#endif

/* ---- what is not polynomial ---- */

/* a / b, but NaN where something is not finite, or b is 0. */
static inline C FN(tsr__divided)(C a, C b) {
#if P_BITS == 32 && TSR_HAVE_F64
  /* f64 holds the products exactly, and their sums are neither too large nor too small for it. */
  const double ar = a.re, ai = a.im, br = b.re, bi = b.im, size = br * br + bi * bi;
  return (C){(P)((TSR__ROUNDED(ar * br) + TSR__ROUNDED(ai * bi)) / size),
             (P)((TSR__ROUNDED(ai * br) - TSR__ROUNDED(ar * bi)) / size)};
#else
  const U ea = FN(exponent)(a), eb = FN(exponent)(b), bias = ((U)1 << (P_BITS - MANTISSA - 2)) - 1;
  const P by_a = FN(two_to)(2 * bias - ea), by_b = FN(two_to)(2 * bias - eb);
  const P ar = a.re * by_a, ai = a.im * by_a, br = b.re * by_b, bi = b.im * by_b, size = br * br + bi * bi;
  const P re = FN(sum_of_products)(ar, br, ai, bi) / size, im = FN(sum_of_products)(ai, br, -ar, bi) / size;
  /* 2^(ea - eb) in two steps, of which the first is exact */
  const U apart = ea + 2 * bias - eb, half = apart / 2;
  const P first = FN(two_to)(half), second = FN(two_to)(apart - half);
  return (C){re * first * second, im * first * second};
#endif
}

/* 1 for what is infinite, else 0, with its sign. */
static inline P FN(unit_of)(P x) {
  const float unit = ((x - x != 0) & (x == x)) != 0 ? 1.0f : 0.0f;
  return (P)(__builtin_signbit(x) ? -unit : unit);
}

/* What a quotient is where both its parts came out as NaN: as Annex G of C has it. */
static inline C FN(tsr__mended)(C a, C b, C quotient) {
  const P infinity = (P)__builtin_inff();
  if (quotient.re == quotient.re || quotient.im == quotient.im) return quotient;
  if (b.re == 0 && b.im == 0 && (a.re == a.re || a.im == a.im)) {
    const P large = __builtin_signbit(b.re) ? -infinity : infinity;
    return (C){large * a.re, large * a.im};
  }
  if (FN(tsr__is_inf)(a) && FN(tsr__is_finite)(b)) {
    const C s = {FN(unit_of)(a.re), FN(unit_of)(a.im)};
    return (C){infinity * (s.re * b.re + s.im * b.im), infinity * (s.im * b.re - s.re * b.im)};
  }
  if (FN(tsr__is_inf)(b) && FN(tsr__is_finite)(a)) {
    const C s = {FN(unit_of)(b.re), FN(unit_of)(b.im)};
    return (C){0 * (a.re * s.re + a.im * s.im), 0 * (a.im * s.re - a.re * s.im)};
  }
  return quotient;
}
static inline C FN(tsr__div)(C a, C b) { return FN(tsr__mended)(a, b, FN(tsr__divided)(a, b)); }

/* |a|: infinite where a part is, even beside NaN. */
static inline P FN(tsr__abs)(C a) {
#if P_BITS == 32 && TSR_HAVE_F64
  const double re = a.re, im = a.im;
  const P length = (P)__builtin_sqrt(re * re + im * im);
#else
  const U e = FN(exponent)(a), bias = ((U)1 << (P_BITS - MANTISSA - 2)) - 1;
  const P by = FN(two_to)(2 * bias - e), re = a.re * by, im = a.im * by;
  const P length = ROOT(FN(sum_of_products)(re, re, im, im)) * FN(two_to)(e);
#endif
  return FN(tsr__is_inf)(a) ? (P)__builtin_inff() : length;
}

/* a / |a|, and 0 for 0. */
static inline C FN(tsr__sign)(C a) {
#if P_BITS == 32 && TSR_HAVE_F64
  const double re = a.re, im = a.im, length = __builtin_sqrt(re * re + im * im);
#else
  const P by = FN(two_to)(2 * (((U)1 << (P_BITS - MANTISSA - 2)) - 1) - FN(exponent)(a)), re = a.re * by,
          im = a.im * by;
  const P length = ROOT(FN(sum_of_products)(re, re, im, im));
#endif
  const bool none = (a.re == 0) & (a.im == 0);
  return (C){none ? 0 : (P)(re / length), none ? 0 : (P)(im / length)};
}

#undef U
#undef MANTISSA
#undef LARGEST
#undef BITS
#undef OF_BITS
#undef SPLIT
#undef FUSED
#undef ROOT
