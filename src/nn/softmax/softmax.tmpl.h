/* One compute type. */
#define LANES TSR__SOFTMAX_LANES
#define V FN(tsr__vec)
#define LOAD(at) FN(tsr__vec_load)(at)
#define MAX(a, b) FN(tsr__vec_max)(a, b)
#define WIDTH ((int)(sizeof(V) / sizeof(C))) /* of a vector */
#define PARTS (LANES / WIDTH)               /* vectors that are the lanes */

/* The greatest element; NaN when there is one. */
static C FN(peak)(tsr_index n, const C *x) {
  C         top = x[0];
  tsr_index i = 0;
  if (n >= WIDTH) {
    V a = LOAD(x), b = a, c = a, d = a;
    for (; i + 4 * WIDTH <= n; i += 4 * WIDTH) {
      a = MAX(a, LOAD(x + i));
      b = MAX(b, LOAD(x + i + WIDTH));
      c = MAX(c, LOAD(x + i + 2 * WIDTH));
      d = MAX(d, LOAD(x + i + 3 * WIDTH));
    }
    for (; i + WIDTH <= n; i += WIDTH) a = MAX(a, LOAD(x + i));
    a = MAX(a, LOAD(x + (n - WIDTH))); /* the last ones, some of them again */
    return FN(tsr__vec_top)(MAX(MAX(a, b), MAX(c, d)));
  }
  for (; i < n; i++) top = (x[i] > top) | (x[i] != x[i]) ? x[i] : top;
  return top;
}

/* n elements, a multiple of LANES: out = e^(x - top), and lane l of sums grows by those of its elements. All of a step
 * is read before any is written: out may be x. */
static void FN(steps)(tsr_index n, const C *x, C top, C *sums, C *out) {
  V a[PARTS];
  C e[LANES];
  for (int k = 0; k < PARTS; k++) a[k] = LOAD(sums + k * WIDTH);
  for (tsr_index i = 0; i < n; i += LANES) {
    for (int l = 0; l < LANES; l++) e[l] = FN(part)(x[i + l] - top);
    for (int k = 0; k < PARTS; k++) {
      const V add = LOAD(e + k * WIDTH);
      FN(tsr__vec_store)(out + i + k * WIDTH, add);
      a[k] = FN(tsr__vec_add)(a[k], add);
    }
  }
  for (int k = 0; k < PARTS; k++) FN(tsr__vec_store)(sums + k * WIDTH, a[k]);
}

/* The same without out. */
static void FN(sum_steps)(tsr_index n, const C *x, C top, C *sums) {
  V a[PARTS];
  C e[LANES];
  for (int k = 0; k < PARTS; k++) a[k] = LOAD(sums + k * WIDTH);
  for (tsr_index i = 0; i < n; i += LANES) {
    for (int l = 0; l < LANES; l++) e[l] = FN(part)(x[i + l] - top);
    for (int k = 0; k < PARTS; k++) a[k] = FN(tsr__vec_add)(a[k], LOAD(e + k * WIDTH));
  }
  for (int k = 0; k < PARTS; k++) FN(tsr__vec_store)(sums + k * WIDTH, a[k]);
}

/* The last elements of a row, -inf behind them. */
static inline void FN(tail)(tsr_index n, const C *x, C *step) {
  for (int l = 0; l < LANES; l++) step[l] = -(C)__builtin_inff();
  for (tsr_index l = 0; l < n; l++) step[l] = x[l];
}

/* out = e^(x - top) and its sum. */
static C FN(exponentials)(tsr_index n, const C *x, C top, C *out) {
  C               sums[LANES], last[LANES];
  const tsr_index whole = n / LANES * LANES;
  for (int l = 0; l < LANES; l++) sums[l] = 0;
  FN(steps)(whole, x, top, sums, out);
  if (whole < n) {
    FN(tail)(n - whole, x + whole, last);
    FN(steps)(LANES, last, top, sums, last);
    for (tsr_index l = 0; l < n - whole; l++) out[whole + l] = last[l];
  }
  return FN(tsr__lanes_join16)(sums);
}

/* The sum alone. */
static C FN(exponential_sum)(tsr_index n, const C *x, C top) {
  C               sums[LANES], last[LANES];
  const tsr_index whole = n / LANES * LANES;
  for (int l = 0; l < LANES; l++) sums[l] = 0;
  FN(sum_steps)(whole, x, top, sums);
  if (whole < n) {
    FN(tail)(n - whole, x + whole, last);
    FN(sum_steps)(LANES, last, top, sums);
  }
  return FN(tsr__lanes_join16)(sums);
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

/* ---- rows side by side: vectors run across them. Each row's additions are those of softmax above ---- */

/* The value for row j to to[j], in steps that read before they write. */
#define ACROSS(value, to)                                                   \
  do {                                                                      \
    tsr_index at = 0;                                                       \
    for (; at + LANES <= width; at += LANES) {                              \
      C y[LANES];                                                           \
      for (int lane = 0; lane < LANES; lane++) {                            \
        const tsr_index j = at + lane;                                      \
        y[lane] = (value);                                                  \
      }                                                                     \
      for (int lane = 0; lane < LANES; lane++) (to)[at + lane] = y[lane];   \
    }                                                                       \
    for (tsr_index j = at; j < width; j++) (to)[j] = (value);               \
  } while (0)

static inline C FN(greater)(C a, C v) {
  const C most = v > a ? v : a;
  return v != v ? v : most;
}

/* The lanes of each row joined into total. */
static void FN(join_columns)(tsr_index width, C *sums, widest *total) {
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int l = 0; l < half; l++) {
      C *const       a = sums + l * width;
      const C *const b = sums + (l + half) * width;
      ACROSS(a[j] + b[j], a);
    }
  for (tsr_index j = 0; j < width; j++) total[j] += (widest)sums[j];
}

/* A block: out = e^(x - top), and total grows by their sum. */
static void FN(exponential_columns)(tsr_index n, tsr_index width, const C *x, tsr_index x_step, const C *top, C *sums,
                                    widest *total, C *out, tsr_index out_step) {
  for (tsr_index j = 0; j < LANES * width; j++) sums[j] = 0;
  for (tsr_index i = 0; i < n; i++, x += x_step, out += out_step) {
    C *const sum = sums + i % LANES * width;
    ACROSS(FN(part)(x[j] - top[j]), out);
    ACROSS(sum[j] + out[j], sum);
  }
  FN(join_columns)(width, sums, total);
}

static void FN(softmax_columns)(tsr_index n, tsr_index width, const void *first, tsr_index x_step, void *result,
                                tsr_index out_step, void *memory) {
  const C *const x = first;
  widest *const  total = memory;
  C *const       top = (C *)(total + width), *const sums = top + width, *const scale = sums;
  C             *out = result;
  for (tsr_index j = 0; j < width; j++) top[j] = x[j];
  for (tsr_index i = 1; i < n; i++) ACROSS(FN(greater)(top[j], x[i * x_step + j]), top);
  for (tsr_index j = 0; j < width; j++) total[j] = 0;
  for (tsr_index i = 0, end; i < n; i = end) {
    end = FN(block_end)(i, n);
    FN(exponential_columns)(end - i, width, x + i * x_step, x_step, top, sums, total, out + i * out_step, out_step);
  }
  for (tsr_index j = 0; j < width; j++) scale[j] = (C)(1 / total[j]);
  for (tsr_index j = 0; j < width; j++) top[j] -= top[j]; /* not 0: all of the row is that */
  for (tsr_index i = 0; i < n; i++, out += out_step) ACROSS(top[j] == 0 ? out[j] * scale[j] : top[j], out);
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
#undef V
#undef LOAD
#undef MAX
#undef WIDTH
#undef PARTS
#undef ACROSS
