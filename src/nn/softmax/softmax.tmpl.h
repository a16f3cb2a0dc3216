/* One compute type. */
#define LANES TSR__SOFTMAX_LANES
#define V TSR__VEC(tsr__v, C_NAME)
#define VF(name) TSR__VEC(V, name)
#define LOAD(at) VF(_load)(at)
#define MAX(a, b) VF(_max_nan)(a, b)
#define WIDTH ((int)(sizeof(V) / sizeof(C))) /* of a vector */
#define PARTS (LANES / WIDTH)                /* vectors that are the lanes */

/* The greatest element; NaN when there is one. */
static C FN(peak)(tsr_index n, const C *x) {
  C top = x[0];
  tsr_index i = 0;
  if (TSR_HAVE_MALLOC && n >= WIDTH) { /* where flash is small there are no vectors */
    V a = LOAD(x), b = a, c = a, d = a;
    for (; i + 4 * WIDTH <= n; i += 4 * WIDTH) {
      a = MAX(a, LOAD(x + i));
      b = MAX(b, LOAD(x + i + WIDTH));
      c = MAX(c, LOAD(x + i + 2 * WIDTH));
      d = MAX(d, LOAD(x + i + 3 * WIDTH));
    }
    for (; i + WIDTH <= n; i += WIDTH) a = MAX(a, LOAD(x + i));
    a = MAX(a, LOAD(x + (n - WIDTH))); /* the last ones, some of them again */
    return VF(_reduce_max)(MAX(MAX(a, b), MAX(c, d)));
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
      VF(_store)(out + i + k * WIDTH, add);
      a[k] = a[k] + add;
    }
  }
  for (int k = 0; k < PARTS; k++) VF(_store)(sums + k * WIDTH, a[k]);
}

/* The same without out. */
static void FN(sum_steps)(tsr_index n, const C *x, C top, C *sums) {
  V a[PARTS];
  C e[LANES];
  for (int k = 0; k < PARTS; k++) a[k] = LOAD(sums + k * WIDTH);
  for (tsr_index i = 0; i < n; i += LANES) {
    for (int l = 0; l < LANES; l++) e[l] = FN(part)(x[i + l] - top);
    for (int k = 0; k < PARTS; k++) a[k] = a[k] + LOAD(e + k * WIDTH);
  }
  for (int k = 0; k < PARTS; k++) VF(_store)(sums + k * WIDTH, a[k]);
}

/* The last elements of a row, -inf behind them. */
static inline void FN(tail)(tsr_index n, const C *x, C *step) {
  for (int l = 0; l < LANES; l++) step[l] = -(C)__builtin_inff();
  for (tsr_index l = 0; l < n; l++) step[l] = x[l];
}

/* out = e^(x - top) and its sum. */
static C FN(exponentials)(tsr_index n, const C *x, C top, C *out) {
  C sums[LANES], last[LANES];
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
  C sums[LANES], last[LANES];
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
  C y[LANES];
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
  C *const out = result;
  const C top = FN(peak)(n, x);
  widest sum = 0;
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
  C *const out = result;
  const C top = FN(peak)(n, x);
  widest sum = 0;
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

#if TSR__SOFTMAX_HAS_COLUMNS
#include "nn/softmax/columns.tmpl.h"
#endif

#undef LANES
#undef V
#undef VF
#undef LOAD
#undef MAX
#undef WIDTH
#undef PARTS
