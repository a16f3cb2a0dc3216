/* One op on one compute type. NEUTRAL changes no value; MERGE(a, b) is value a with the later b; ANY_ORDER tells that it may be
 * grouped in any way, and take a value twice: then BEATS(x, a) tells which; OP(name) is name_<op>_<type>. */
#if USED
#if ANY_ORDER
/* In two steps, the first of which is one instruction on most machines that have vectors. */
static inline C OP(taken)(C a, C x) {
#if !C_FLOAT
  return BEATS(x, a) ? x : a;
#elif TSR__CUMULATIVE_FAST
  const C best = BEATS(x, a) ? x : a;
  return x != x ? x : best;
#else
  return (BEATS(x, a)) | (x != x) ? x : a;
#endif
}
#endif

static void OP(start)(tsr_index n, void *values) {
  C *const v = values;
  for (tsr_index j = 0; j < n; j++) v[j] = NEUTRAL;
}

static void OP(merge)(tsr_index n, void *restrict earlier, const void *restrict later) {
  C *const a = earlier;
  const C *const b = later;
  for (tsr_index j = 0; j < n; j++) a[j] = MERGE(a[j], b[j]);
}

/* The total of n elements, at most a run. */
static inline C OP(run_total)(tsr_index n, const C *restrict x) {
  C run = NEUTRAL;
  for (tsr_index k = 0; k < n; k++) run = MERGE(run, x[k]);
  return run;
}

#if ANY_ORDER
/* One loop, because the grouping of values does not matter here: a tenth of the code. */
static void OP(row)(tsr_index n, const void *restrict row, const void *base, void *sum, void *restrict out) {
  const C *const x = row;
  C *const to = out;
  const C chunks = *(const C *)base;
  C runs = *(C *)sum;
  if (to == NULL) {
    runs = MERGE(runs, OP(run_total)(n, x));
  } else {
    C all = MERGE(chunks, runs);
    for (tsr_index i = 0; i < n; i++) to[i] = all = MERGE(all, x[i]);
    runs = n > 0 ? to[n - 1] : runs; /* with the chunks before, which changes nothing that follows */
  }
  *(C *)sum = runs;
}
#else
static inline C OP(run)(tsr_index n, const C *restrict x, C before, C *restrict out) {
  C run = NEUTRAL;
  for (tsr_index k = 0; k < n; k++) {
    run = MERGE(run, x[k]);
    out[k] = MERGE(before, run);
  }
  return run;
}

static void OP(row)(tsr_index n, const void *restrict row, const void *base, void *sum, void *restrict out) {
  const tsr_index length = TSR__CUMULATIVE_RUN;
  const C *const x = row;
  const C chunks = *(const C *)base;
  C runs = *(C *)sum;
  C *const to = out;
  tsr_index i = 0;
  if (to == NULL) {
    for (; i <= n - length; i += length) runs = MERGE(runs, OP(run_total)(TSR__CUMULATIVE_RUN, x + i));
    if (i < n) runs = MERGE(runs, OP(run_total)(n - i, x + i));
  } else {
    for (; i <= n - length; i += length) {
      const C run = OP(run)(TSR__CUMULATIVE_RUN, x + i, MERGE(chunks, runs), to + i);
      runs = MERGE(runs, run);
    }
    if (i < n) {
      const C run = OP(run)(n - i, x + i, MERGE(chunks, runs), to + i);
      runs = MERGE(runs, run);
    }
  }
  *(C *)sum = runs;
}
#endif

#if TSR__CUMULATIVE_FAST
static void OP(four)(tsr_index width, const C *restrict x0, const C *restrict x1, const C *restrict x2,
                     const C *restrict x3, C *restrict run, const C *restrict before, C *restrict y0, C *restrict y1,
                     C *restrict y2, C *restrict y3) {
  for (tsr_index j = 0; j < width; j++) {
    const C s = before[j], r0 = MERGE(run[j], x0[j]), r1 = MERGE(r0, x1[j]), r2 = MERGE(r1, x2[j]),
            r3 = MERGE(r2, x3[j]);
    y0[j] = MERGE(s, r0);
    y1[j] = MERGE(s, r1);
    y2[j] = MERGE(s, r2);
    y3[j] = MERGE(s, r3);
    run[j] = r3;
  }
}

static void OP(one)(tsr_index width, const C *restrict x, C *restrict run, const C *restrict before, C *restrict y) {
  for (tsr_index j = 0; j < width; j++) {
    const C now = MERGE(run[j], x[j]);
    y[j] = MERGE(before[j], now);
    run[j] = now;
  }
}

static void OP(rows)(tsr_index width, int count, const char *const *x, void *run, const void *before,
                     char *const *out) {
#define IN(k) ((const C *)(const void *)x[k])
#define TO(k) ((C *)(void *)out[k])
  if (count == TSR__CUMULATIVE_FUSED)
    OP(four)(width, IN(0), IN(1), IN(2), IN(3), run, before, TO(0), TO(1), TO(2), TO(3));
  else
    for (int k = 0; k < count; k++) OP(one)(width, IN(k), run, before, TO(k));
#undef IN
#undef TO
}
#define FAST(name) OP(name)
#else
#define FAST(name) NULL
#endif

static const tsr__cumulative_kernel OP(kernel) = {OP(start), OP(merge), OP(row), FAST(rows)};
#undef FAST
#endif
