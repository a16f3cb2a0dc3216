/* A power of two that brings the largest of n numbers of each lane near 1, so that squares stay in range; what takes it back. Lanes
 * without a number but 0 stay as they are, and so do those with infinities or NaN, for which what takes it back is NaN. */
static V FN(scale_down)(tsr_index n, V *a) {
  const int fraction = C_BITS == 32 ? 23 : 52;
  const I one = ALL_I((C_BITS == 32 ? 127 : (int64_t)1023) << fraction), least = ALL_I((int64_t)1 << fraction);
  const I most_exponent = ALL_I((C_BITS == 32 ? 255 : (int64_t)2047) << fraction);
  V most = ALL(0);
  for (tsr_index i = 0; i < n; i++) {
    const V x = SIZE(a[i]);
    most = PICK((I)(x > most) | (I)(x != x), x, most); /* NaN stays */
  }
  I exponent = (I)most & most_exponent;
  const I odd = (I)(exponent == most_exponent) | (I)(most == ALL(0)) | (I)(most != most);
  exponent = (I)PICK((I)(exponent < least), (V)least, (V)exponent); /* of subnormal numbers */
  exponent = (I)PICK((I)(exponent > 2 * one - least), (V)(2 * one - least), (V)exponent);
  exponent = (I)PICK(odd, (V)one, (V)exponent);
  const V down = (V)(2 * one - exponent);
  for (tsr_index i = 0; i < n; i++) a[i] = a[i] * down;
  return (V)exponent + (most - most);
}
