/* Functions that are one or two operations, in a float type. */
#if C_BITS == 32
#define ROOT __builtin_sqrtf
#else
#define ROOT __builtin_sqrt
#endif

static inline C FN(tsr__neg)(C x) { return -x; }
static inline C FN(tsr__square)(C x) { return x * x; }
static inline C FN(tsr__sqrt)(C x) { return ROOT(x); }
static inline C FN(tsr__rsqrt)(C x) { return 1 / ROOT(x); }
static inline C FN(tsr__reciprocal)(C x) { return 1 / x; }
static inline C FN(tsr__relu)(C x) { return x < 0 ? 0 : x; }

/* NaN for NaN; 0 for -0. */
static inline C FN(tsr__sign)(C x) {
  const C positive = x > 0 ? (C)1 : (C)0, other = x < 0 ? -1 : positive;
  return x == x ? other : x;
}
#undef ROOT
