/* What C's operators do not give: division that floors and knows 0, powers, shifts of any count. One compute type. */
static inline bool FN(is_nan)(C x) {
#if C_FLOAT
  return x != x;
#else
  (void)x;
  return false;
#endif
}

#if C_FLOAT

/* fmod is exact; what it leaves has the sign of a, and Python's rest has the sign of b. */
static inline C FN(floored_rest)(C a, C b) {
  const C rest = MATH(fmod)(a, b);
  if (b == 0) return rest;
  if (rest == 0) return MATH(copysign)(0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
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

/* Some C libraries make 1 of -1 to the power NaN. */
static inline C FN(power)(C a, C b) { return FN(is_nan)(b) && a != 1 ? b : MATH(pow)(a, b); }

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

/* By squaring, wrapping. */
static inline C FN(power)(C a, C b) {
#if C_SIGNED
  if (b < 0) return (C)(a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1) : 0);
#endif
  C result = 1;
  for (; b != 0; b = (C)(b >> 1), a = (C)(a * a))
    if ((b & 1) != 0) result = (C)(result * a);
  return result;
}

/* The float after a towards b, both as bits of sign and size; sizes over largest are NaN. The next number is the next
 * pattern, through subnormal ones and to infinity. */
#if !C_SIGNED
static inline C FN(stepped)(C a, C b, C largest) {
  const C sign = (C)((C)1 << (C_BITS - 1)), a_size = (C)(a & ~sign), b_size = (C)(b & ~sign);
  const C outwards = (C)(a + 1), inwards = (C)(a - 1);
  const bool grows = (((a ^ b) & sign) == 0) & (b_size > a_size);
  C next = grows ? outwards : inwards;
  next = a_size == 0 ? (C)((b & sign) | 1) : next;
  next = (a == b) | ((a_size | b_size) == 0) ? b : next;
  next = b_size > largest ? b : next;
  return a_size > largest ? a : next;
}
#endif

/* A negative count is a large one: all bits go. */
#if C_SIGNED
static inline C FN(shifted_down)(C a, C b) { return (C)(a >> (b < 0 || b >= C_BITS ? C_BITS - 1 : b)); }
#else
static inline C FN(shifted_up)(C a, C b) { return (C)(b < C_BITS ? a << (b & (C_BITS - 1)) : 0); }
static inline C FN(shifted_down)(C a, C b) { return (C)(b < C_BITS ? a >> (b & (C_BITS - 1)) : 0); }
#endif

#endif
