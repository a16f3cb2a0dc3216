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

/* A negative count is a large one: all bits go. */
#if C_SIGNED
static inline C FN(shifted_down)(C a, C b) { return (C)(a >> (b < 0 || b >= C_BITS ? C_BITS - 1 : b)); }
#else
static inline C FN(shifted_up)(C a, C b) { return (C)(b < C_BITS ? a << (b & (C_BITS - 1)) : 0); }
static inline C FN(shifted_down)(C a, C b) { return (C)(b < C_BITS ? a >> (b & (C_BITS - 1)) : 0); }
#endif

#endif
