/* Rows of numbers, of one compute type: what reflections and rotations are made of. The including template forgets EPSILON. */
#define EPSILON (C_BITS == 32 ? (C)0x1p-23 : (C)0x1p-52)

static inline C FN(dot)(tsr_index n, const C *x, const C *y) {
  V sum[4] = {ALL(0), ALL(0), ALL(0), ALL(0)};
  tsr_index k = 0;
  C all = 0;
  for (; k + 4 * LANES <= n; k += 4 * LANES) {
    TSR__UNROLL(4)
    for (int v = 0; v < 4; v++) sum[v] = MADD(LOAD(x + k + v * LANES), LOAD(y + k + v * LANES), sum[v]);
  }
  for (; k + LANES <= n; k += LANES) sum[0] = MADD(LOAD(x + k), LOAD(y + k), sum[0]);
  if (k < n) sum[1] = MADD(LOAD_PART(x + k, (int)(n - k)), LOAD_PART(y + k, (int)(n - k)), sum[1]);
  sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  for (int l = 0; l < LANES; l++) all += sum[0][l];
  return all;
}

/* y += f · x. */
static inline void FN(add)(tsr_index n, C f, const C *x, C *y) {
  tsr_index k = 0;
  for (; k + LANES <= n; k += LANES) STORE(y + k, MADD(ALL(f), LOAD(x + k), LOAD(y + k)));
  if (k < n)
    STORE_PART(y + k, MADD(ALL(f), LOAD_PART(x + k, (int)(n - k)), LOAD_PART(y + k, (int)(n - k))), (int)(n - k));
}

/* y += f · x + g · z. */
static inline void FN(add_two)(tsr_index n, C f, const C *x, C g, const C *z, C *y) {
  tsr_index k = 0;
  for (; k + LANES <= n; k += LANES) STORE(y + k, MADD(ALL(g), LOAD(z + k), MADD(ALL(f), LOAD(x + k), LOAD(y + k))));
  for (; k < n; k++) y[k] += f * x[k] + g * z[k];
}

/* x, y = c·x - s·y, s·x + c·y. */
static inline void FN(rotate_rows)(tsr_index n, C c, C s, C *x, C *y) {
  const V vc = ALL(c), vs = ALL(s);
  tsr_index k = 0;
  for (; k + LANES <= n; k += LANES) {
    const V p = LOAD(x + k), q = LOAD(y + k);
    STORE(x + k, MADD(-vs, q, vc * p));
    STORE(y + k, MADD(vs, p, vc * q));
  }
  for (; k < n; k++) {
    const C p = x[k], q = y[k];
    x[k] = c * p - s * q;
    y[k] = s * p + c * q;
  }
}
