/* Rounding to integers in a float type. */
static inline C FN(tsr__round)(C x) {
  const C a = FN(tsr__abs)(x), shift = (C)((uint64_t)1 << (C_BITS == 32 ? 23 : 52));
  const C near = (a + shift) - shift;
  return FN(tsr__copysign)(a < shift ? near : x, x);
}

static inline C FN(tsr__floor)(C x) {
  const C near = FN(tsr__round)(x);
  return FN(tsr__copysign)(near > x ? near - 1 : near, x);
}

static inline C FN(tsr__ceil)(C x) {
  const C near = FN(tsr__round)(x);
  return FN(tsr__copysign)(near < x ? near + 1 : near, x);
}

static inline C FN(tsr__trunc)(C x) { return FN(tsr__copysign)(FN(tsr__floor)(FN(tsr__abs)(x)), x); }
