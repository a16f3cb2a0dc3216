/* Division that floors and what it leaves, one compute type: floored_quotient, floored_rest, cut_rest. */
#if C_FLOAT

/* fmod is exact; what it leaves has the sign of a, and Python's rest has the sign of b. */
static inline C FN(with_sign_of_b)(C rest, C b) {
  const C moved = (b < 0) != (rest < 0) ? rest + b : rest;
  return rest == 0 ? MATH(copysign)(0, b) : moved;
}

static inline C FN(floored_rest)(C a, C b) {
  const C rest = MATH(fmod)(a, b);
  return b == 0 ? rest : FN(with_sign_of_b)(rest, b);
}

static inline C FN(cut_rest)(C a, C b) { return MATH(fmod)(a, b); }

static inline C FN(floored_quotient)(C a, C b) {
  if (b == 0) return a / b;
  const C rest = MATH(fmod)(a, b);
  C quotient = (a - rest) / b; /* near a whole number, off by rounding at most */
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return MATH(copysign)(0, a / b);
  const C below = MATH(floor)(quotient);
  return quotient - below > (C)0.5 ? below + 1 : below;
}

#if QUOTIENTS_BY_FMA
/* The same without calls where the quotient is small enough to be a whole number exactly, with what rounding may do to
 * it mended: |a| - quotient·|b| is exact then, and so is everything here. The bound is where floored_quotient is exact
 * as well: both give the same bits. */
#define MOST ((C)(C_BITS == 32 ? 0x1p21 : 0x1p50))

static inline int FN(is_out_of_range)(C a, C b) {
  const C x = MATH(fabs)(a), y = MATH(fabs)(b);
  return (x / y >= MOST) & (x < (C)INFINITY) & (y > 0);
}

typedef struct FN(division) {
  C quotient, rest; /* of |a| by |b|; rest is NaN where there is none */
} FN(division);

static inline FN(division) FN(divided)(C a, C b) {
  const C x = MATH(fabs)(a), y = MATH(fabs)(b);
  const C first = MATH(trunc)(x / y), left = MATH(fma)(-first, y, x);
  const C rest = left < 0 ? left + y : left;
  const int none = (y == (C)INFINITY) & (x < (C)INFINITY);
  return (FN(division)){left < 0 ? first - 1 : first, none ? x : rest};
}

static inline C FN(cut_rest_in_range)(C a, C b) { return MATH(copysign)(FN(divided)(a, b).rest, a); }
static inline C FN(floored_rest_in_range)(C a, C b) { return FN(with_sign_of_b)(FN(cut_rest_in_range)(a, b), b); }
static inline C FN(floored_quotient_in_range)(C a, C b) {
  const FN(division) d = FN(divided)(a, b);
  const C below = d.quotient + (d.rest != 0 ? (C)1 : (C)0);
  const int signs_differ = (MATH(copysign)(1, a) < 0) != (MATH(copysign)(1, b) < 0);
  const C quotient = signs_differ ? -below : d.quotient;
  const C real = d.rest == d.rest ? quotient : d.rest;
  return b == 0 ? a / b : real;
}
#undef MOST
#endif

#elif QUOTIENTS_BY_FLOAT && C_BITS <= 32

/* A float that holds C exactly divides faster than C does, and many at once. The quotient is cut (or rounded, with 32
 * bits) to a whole number that is exact or one off, and rest is what it leaves; both wrap. b of 0 counts as 1 here. */
typedef struct FN(division) {
  int32_t quotient, rest;
} FN(division);

#if C_BITS <= 16
static inline FN(division) FN(divided)(C a, C b) {
  const int32_t x = a, y = b == 0 ? 1 : b, quotient = (int32_t)((float)x / (float)y);
  return (FN(division)){quotient, x - quotient * y};
}
#else
static inline FN(division) FN(divided)(C a, C b) {
  const C y = b == 0 ? 1 : b;
#if C_SIGNED
  const double ratio = (double)a / (double)y;
#else
  const double ratio = (tsr__f64_of_bits(UINT64_C(0x4330000000000000) | a) - 0x1p52) /
                       (tsr__f64_of_bits(UINT64_C(0x4330000000000000) | y) - 0x1p52);
#endif
  const uint32_t quotient = (uint32_t)tsr__bits_of_f64(ratio + 0x1.8p52); /* the low bits are the number */
  return (FN(division)){(int32_t)quotient, (int32_t)((uint32_t)a - quotient * (uint32_t)y)};
}
#endif

/* Whether the quotient is one too large for what is left: the rest has another sign than b (unsigned: any). */
#if C_SIGNED
static inline int FN(is_over)(int32_t rest, C b) { return (rest != 0) & ((rest ^ (int32_t)b) < 0); }
#else
static inline int FN(is_over)(int32_t rest, C b) {
  (void)b;
  return rest < 0;
}
#endif

static inline C FN(floored_quotient)(C a, C b) {
  const FN(division) d = FN(divided)(a, b);
  const C floored = (C)(d.quotient - FN(is_over)(d.rest, b));
  return b == 0 ? 0 : floored;
}

static inline C FN(floored_rest)(C a, C b) {
  const FN(division) d = FN(divided)(a, b);
  return (C)(FN(is_over)(d.rest, b) ? d.rest + (int32_t)b : d.rest);
}

/* With the sign of a. */
static inline C FN(cut_rest)(C a, C b) {
#if C_SIGNED
  const FN(division) d = FN(divided)(a, b);
  const int32_t along = ((int32_t)a ^ (int32_t)b) < 0 ? -(int32_t)b : (int32_t)b;
  return (C)((d.rest != 0) & ((d.rest ^ (int32_t)a) < 0) ? d.rest + along : d.rest);
#else
  return FN(floored_rest)(a, b);
#endif
}

#else

/* b is neither 0 nor -1 where they divide: 0 is defined here, and MIN / -1 traps on some machines. */
static inline C FN(floored_rest)(C a, C b) {
#if C_SIGNED
  if (b == 0 || b == -1) return 0;
  const C rest = (C)(a % b);
  return (C)(rest != 0 && (rest ^ b) < 0 ? rest + b : rest);
#else
  return (C)(b == 0 ? 0 : a % b);
#endif
}

/* With the sign of a. */
static inline C FN(cut_rest)(C a, C b) {
#if C_SIGNED
  if (b == -1) return 0;
#endif
  return (C)(b == 0 ? 0 : a % b);
}

static inline C FN(floored_quotient)(C a, C b) {
#if C_SIGNED
  if (b == 0) return 0;
  if (b == -1) return (C)-a;
  const C quotient = (C)(a / b);
  return (C)(a % b != 0 && (a ^ b) < 0 ? quotient - 1 : quotient);
#else
  return (C)(b == 0 ? 0 : a / b);
#endif
}

#endif
