/* Values of three numbers, one compute type. */
/* NaN in any of the three gives NaN: a comparison with it is false, and keeps x; a bound that is NaN is asked for. */
static inline C FN(clamped)(C x, C lo, C hi) {
  const C above = lo > x ? lo : x;
  C inside = hi < above ? hi : above;
#if C_FLOAT
  inside = lo != lo ? lo : inside;
  inside = hi != hi ? hi : inside;
#endif
  return inside;
}

#if C_FLOAT
#if C_BITS == 32
static inline C FN(product_and_sum)(C a, C b, C c) { return fmaf(a, b, c); }
#else
static inline C FN(product_and_sum)(C a, C b, C c) { return fma(a, b, c); }
#endif

/* Each step rounded, as PyTorch does it. */
static inline C FN(with_product)(C x, C a, C b, C value) { return x + value * a * b; }

/* From the nearer end, so that both ends are exact. */
static inline C FN(between)(C a, C b, C weight) {
  const C from_a = a + weight * (b - a), from_b = b - (1 - weight) * (b - a);
  return weight < (C)0.5 ? from_a : from_b;
}
#elif !C_SIGNED
static inline C FN(product_and_sum)(C a, C b, C c) { return (C)(a * b + c); }
static inline C FN(with_product)(C x, C a, C b, C value) { return (C)(x + value * a * b); }
#endif
