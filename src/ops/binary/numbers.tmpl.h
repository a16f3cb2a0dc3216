/* What C's operators do not give: powers, steps, shifts of any count. One compute type. */
static inline bool FN(is_nan)(C x) {
#if C_FLOAT
  return x != x;
#else
  (void)x;
  return false;
#endif
}

#if C_FLOAT

/* Those of src/cpu/math; f64 the C library's. */
#if C_BITS == 32
static inline C FN(power)(C a, C b) { return tsr__pow_f32(a, b); }
static inline C FN(angle)(C a, C b) { return tsr__atan2_f32(a, b); }
static inline C FN(length)(C a, C b) { return tsr__hypot_f32(a, b); }
#else
static inline C FN(power)(C a, C b) { return tsr__pow_f64(a, b); }
static inline C FN(angle)(C a, C b) { return tsr__atan2_f64(a, b); }
static inline C FN(length)(C a, C b) { return hypot(a, b); }
#endif

#else

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
