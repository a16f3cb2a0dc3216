/* What kernels of lanes share, for one compute type. */
TSR__INLINE bool FN(any)(I lanes) {
  bool any = false;
  for (int l = 0; l < LANES; l++) any |= lanes[l] != 0;
  return any;
}

TSR__INLINE V FN(root)(V v) {
  V r = v;
  for (int l = 0; l < LANES; l++) r[l] = TSR__TYPE_SQRT(v[l]);
  return r;
}

/* What a division by d is made with: 1/d, and whether that is out of range in some lane. */
typedef struct FN(divisor) {
  V d, inverse;
  I tiny;
  bool any_tiny;
} FN(divisor);

TSR__INLINE FN(divisor) FN(divisor_of)(V d) {
  const I tiny = (I)(SIZE(d) < ALL(TINY));
  return (FN(divisor)){d, ALL(1) / d, tiny, FN(any)(tiny)};
}

/* The same bits in a lane whatever the others hold. */
TSR__INLINE V FN(over)(V x, const FN(divisor) * by) {
  const V product = x * by->inverse;
  return by->any_tiny ? PICK(by->tiny, x / by->d, product) : product;
}

static inline void FN(tell_fault)(V fault, tsr_index *to) {
  for (int l = 0; l < LANES; l++) to[l] = (tsr_index)fault[l];
}
