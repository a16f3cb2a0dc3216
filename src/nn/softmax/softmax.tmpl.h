/* One compute type. */
#define LANES TSR__SOFTMAX_LANES
#define WIDE (TSR_HAVE_MALLOC ? 4 * LANES : LANES) /* elements of a step where the order does not matter */

/* The greatest element; NaN when there is one. */
static C FN(peak)(tsr_index n, const C *x) {
  C         top[WIDE];
  C         odd[WIDE]; /* becomes NaN and stays so */
  tsr_index i = 0;
  for (int l = 0; l < WIDE; l++) top[l] = -(C)__builtin_inff();
  for (int l = 0; l < WIDE; l++) odd[l] = 0;
  for (; i + WIDE <= n; i += WIDE)
    for (int l = 0; l < WIDE; l++) {
      const C v = x[i + l];
      top[l] = v > top[l] ? v : top[l];
      odd[l] = v != v ? v : odd[l];
    }
  for (int l = 0; i < n; i++, l++) {
    top[l] = x[i] > top[l] ? x[i] : top[l];
    odd[l] = x[i] != x[i] ? x[i] : odd[l];
  }
  C greatest = top[0], sick = 0;
  for (int l = 1; l < WIDE; l++) greatest = top[l] > greatest ? top[l] : greatest;
  for (int l = 0; l < WIDE; l++) sick = sick + odd[l];
  return greatest + sick;
}

static inline C FN(joined)(C *a) {
  for (int width = LANES / 2; width > 0; width /= 2)
    for (int l = 0; l < width; l++) a[l] = a[2 * l] + a[2 * l + 1];
  return a[0];
}

/* out = e^(x - top) and its sum. All of a step is read before any is written: out may be x. */
static C FN(exponentials)(tsr_index n, const C *x, C top, C *out) {
  C         a[LANES], e[LANES];
  tsr_index i = 0;
  for (int l = 0; l < LANES; l++) a[l] = 0;
  for (; i + LANES <= n; i += LANES) {
    for (int l = 0; l < LANES; l++) e[l] = FN(part)(x[i + l] - top);
    for (int l = 0; l < LANES; l++) a[l] += e[l];
    for (int l = 0; l < LANES; l++) out[i + l] = e[l];
  }
  for (int l = 0; i < n; i++, l++) a[l] += out[i] = FN(part)(x[i] - top);
  return FN(joined)(a);
}

/* The sum alone. */
static C FN(exponential_sum)(tsr_index n, const C *x, C top) {
  C         a[LANES];
  tsr_index i = 0;
  for (int l = 0; l < LANES; l++) a[l] = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++) a[l] += FN(part)(x[i + l] - top);
  for (int l = 0; i < n; i++, l++) a[l] += FN(part)(x[i] - top);
  return FN(joined)(a);
}

static void FN(fill)(tsr_index n, C value, C *out) {
  for (tsr_index i = 0; i < n; i++) out[i] = value;
}

/* out = (x - top) - less, in steps like exponentials. */
static void FN(lower)(tsr_index n, const C *x, C top, C less, C *out) {
  C         y[LANES];
  tsr_index i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (int l = 0; l < LANES; l++) y[l] = (x[i + l] - top) - less;
    for (int l = 0; l < LANES; l++) out[i + l] = y[l];
  }
  for (; i < n; i++) out[i] = (x[i] - top) - less;
}

static inline tsr_index FN(block_end)(tsr_index from, tsr_index n) {
  return n - from < TSR__SOFTMAX_BLOCK ? n : from + TSR__SOFTMAX_BLOCK;
}

static void FN(softmax)(tsr_index n, const void *row, void *result) {
  const C *const x = row;
  C *const       out = result;
  const C        top = FN(peak)(n, x);
  widest         sum = 0;
  if (top - top != 0) {
    FN(fill)(n, top - top, out);
    return;
  }
  for (tsr_index i = 0, end; i < n; i = end) {
    end = FN(block_end)(i, n);
    sum += (widest)FN(exponentials)(end - i, x + i, top, out + i);
  }
  const C scale = (C)(1 / sum);
  for (tsr_index i = 0; i < n; i++) out[i] *= scale;
}

static void FN(log_softmax)(tsr_index n, const void *row, void *result) {
  const C *const x = row;
  C *const       out = result;
  const C        top = FN(peak)(n, x);
  widest         sum = 0;
  if (top - top != 0) {
    FN(fill)(n, top - top, out);
    return;
  }
  for (tsr_index i = 0, end; i < n; i = end) {
    end = FN(block_end)(i, n);
    sum += (widest)FN(exponential_sum)(end - i, x + i, top);
  }
  const C less = FN(tsr__log)((C)sum);
  FN(lower)(n, x, top, less, out);
}

#undef LANES
#undef WIDE
