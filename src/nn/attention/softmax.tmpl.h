/* Scores to weights for one compute type. The includer defines C, FN, V, IV (vectors of C and of integers of its size),
 * LANES, VF(name) for the vocabulary of cpu/vec, UNIT (what a scale is multiplied with), POWER(d): the power of d ≤
 * 0 as a vector, 0 below its least normal number, NaN for NaN. Two vectors are the lanes. */
#define LOAD(at) VF(_load)(at)
#define STORE(at, v) VF(_store)(at, v)
#define ALL(x) VF(_all)(x)

TSR__INLINE V FN(select)(IV which, V a, V b) { return (V)((which & (IV)a) | (~which & (IV)b)); }

static void FN(scale)(const tsr__attention_block *b) {
  C *const x = b->x;
  const C *const mask = b->mask, scale = (C)b->scale;
  const tsr_index n = b->keys * 2 * LANES;
  if (mask == NULL)
    for (tsr_index i = 0; i < n; i += LANES) STORE(x + i, LOAD(x + i) * ALL(scale));
  else if (!b->mask_bool)
    for (tsr_index i = 0; i < n; i += LANES) STORE(x + i, LOAD(x + i) * ALL(scale) + LOAD(mask + i));
  else
    for (tsr_index i = 0; i < n; i += LANES)
      STORE(x + i, FN(select)(LOAD(mask + i) != 0, LOAD(x + i) * ALL(scale), ALL(-(C)__builtin_inff())));
}

/* Key j not for lanes below j - first. */
static void FN(cut)(const tsr__attention_block *b) {
  C *const x = b->x;
  for (tsr_index j = b->first > 0 ? b->first + 1 : 0; j < b->keys; j++) {
    const tsr_index end = j - b->first < 2 * LANES ? j - b->first : 2 * LANES;
    for (tsr_index i = 0; i < end; i++) x[j * 2 * LANES + i] = -(C)__builtin_inff();
  }
}

/* The greatest score of each lane; NaN is passed over. */
static void FN(peaks)(tsr_index keys, const C *x, V *top) {
  V a0 = top[0], a1 = top[1], b0 = a0, b1 = a1;
  tsr_index j = 0;
  for (; j + 2 <= keys; j += 2, x += 4 * LANES) {
    a0 = VF(_max)(LOAD(x), a0);
    a1 = VF(_max)(LOAD(x + LANES), a1);
    b0 = VF(_max)(LOAD(x + 2 * LANES), b0);
    b1 = VF(_max)(LOAD(x + 3 * LANES), b1);
  }
  if (j < keys) {
    a0 = VF(_max)(LOAD(x), a0);
    a1 = VF(_max)(LOAD(x + LANES), a1);
  }
  top[0] = VF(_max)(a0, b0);
  top[1] = VF(_max)(a1, b1);
}

/* x = power(unit·x - less), added to sum. */
static void FN(powers)(tsr_index keys, C unit, const V *less, C *x, V *sum) {
  const V u = ALL(unit), l0 = -less[0], l1 = -less[1];
  V s0 = sum[0], s1 = sum[1];
  TSR__UNROLL(2)
  for (tsr_index j = 0; j < keys; j++, x += 2 * LANES) {
    const V p0 = POWER(VF(_madd)(LOAD(x), u, l0)), p1 = POWER(VF(_madd)(LOAD(x + LANES), u, l1));
    STORE(x, p0);
    STORE(x + LANES, p1);
    s0 += p0;
    s1 += p1;
  }
  sum[0] = s0;
  sum[1] = s1;
}

/* What is subtracted from scaled scores; 0 where there is no score yet, so that -inf stays -inf. */
TSR__INLINE V FN(less)(V top, C unit) {
  const V scaled = top * ALL(unit);
  return FN(select)(top == ALL(-(C)__builtin_inff()), (V){0}, scaled);
}

static bool FN(softmax_block)(const tsr__attention_block *b) {
  const bool scaled = b->mask != NULL || !(b->scale > 0);
  const C unit = (C)((scaled ? 1 : b->scale) * (tsr_real)UNIT);
  C *const top = b->top, *const sum = b->sum, *const factor = b->factor;
  V before[2], now[2], less[2], sums[2] = {{0}, {0}};
  if (scaled) FN(scale)(b);
  if (b->causal) FN(cut)(b);
  for (int k = 0; k < 2; k++) now[k] = before[k] = b->fresh ? ALL(-(C)__builtin_inff()) : LOAD(top + k * LANES);
  FN(peaks)(b->keys, b->x, now);
  const bool moved = !b->fresh && memcmp(now, before, sizeof now) != 0;
  for (int k = 0; k < 2; k++) {
    less[k] = FN(less)(now[k], unit);
    STORE(top + k * LANES, now[k]);
  }
  FN(powers)(b->keys, unit, less, b->x, sums);
  for (int k = 0; k < 2; k++) {
    V earlier = {0};
    if (!b->fresh) earlier = LOAD(sum + k * LANES);
    if (moved) {
      const V by = POWER(before[k] * ALL(unit) - less[k]);
      STORE(factor + k * LANES, by);
      earlier *= by;
    }
    STORE(sum + k * LANES, earlier + sums[k]);
  }
  return moved;
}

static void FN(multiply)(tsr_index rows, const void *factor, void *x) {
  const C *const by = factor;
  const V f0 = LOAD(by), f1 = LOAD(by + LANES);
  C *at = x;
  for (tsr_index i = 0; i < rows; i++, at += 2 * LANES) {
    STORE(at, LOAD(at) * f0);
    STORE(at + LANES, LOAD(at + LANES) * f1);
  }
}

static void FN(invert)(const void *sum, void *factor) {
  const C *const from = sum;
  C *const to = factor;
  for (int i = 0; i < 2 * LANES; i++) to[i] = from[i] == 0 ? 0 : 1 / from[i];
}

#undef LOAD
#undef STORE
#undef ALL
