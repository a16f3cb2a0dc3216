/* One complex type of the family: a kernel an op, which takes row batches. */
#if P_BITS == 32
#define V tsr__vf32
#else
#define V tsr__vf64
#endif
#define VECTOR(what) TSR__VEC(V, what)

/* ---- add, sub, mul: by vectors of pairs where rows are contiguous, or one of the two repeats ---- */

typedef V FN(vector_fn)(V, V);
typedef C FN(value_fn)(C, C);

static inline V FN(add_vector)(V a, V b) { return a + b; }
static inline V FN(sub_vector)(V a, V b) { return a - b; }
static inline V FN(mul_vector)(V a, V b) { /* signs are turned by their bits: a sum that nobody fuses */
  return a * VECTOR(_firsts)(b) + VECTOR(_firsts_negated)(VECTOR(_swapped)(a) * VECTOR(_seconds)(b));
}

static inline V FN(repeated)(const C *x) {
  C all[sizeof(V) / sizeof(C)] = {{0, 0}};
  for (size_t k = 0; k < sizeof(V) / sizeof(C); k++) all[k] = *x;
  return VECTOR(_load)(all);
}

TSR__ALWAYS_INLINE void FN(run)(bool stream, tsr_index n, C *z, const C *x, bool x_on, const C *y, bool y_on,
                                FN(vector_fn) * vector, FN(value_fn) * value) {
  enum { EACH = (int)(sizeof(V) / sizeof(C)) };
  if (n <= 0) return;
  const V all_x = FN(repeated)(x), all_y = FN(repeated)(y); /* where they repeat */
  const C one_x = *x, one_y = *y;
  tsr_index i = 0;
  (void)stream;
#if TSR__VEC_STREAMS
  for (; stream && i <= n - EACH; i += EACH)
    tsr__vu8_stream((char *)(z + i),
                    (tsr__vu8)vector(x_on ? VECTOR(_load)(x + i) : all_x, y_on ? VECTOR(_load)(y + i) : all_y));
#endif
  for (; i <= n - 2 * EACH; i += 2 * EACH) {
    const V first = vector(x_on ? VECTOR(_load)(x + i) : all_x, y_on ? VECTOR(_load)(y + i) : all_y);
    const V second = vector(x_on ? VECTOR(_load)(x + i + EACH) : all_x, y_on ? VECTOR(_load)(y + i + EACH) : all_y);
    VECTOR(_store)(z + i, first);
    VECTOR(_store)(z + i + EACH, second);
  }
  for (; i < n; i++) z[i] = value(x_on ? x[i] : one_x, y_on ? y[i] : one_y);
}

TSR__ALWAYS_INLINE void FN(steps)(tsr_index n, char *z, const char *x, const char *y, const ptrdiff_t *step,
                                  FN(value_fn) * value) {
  for (tsr_index i = 0; i < n; i++, z += step[0], x += step[1], y += step[2])
    *(C *)(void *)z = value(*(const C *)(const void *)x, *(const C *)(const void *)y);
}

TSR__ALWAYS_INLINE void FN(rows)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step,
                                 FN(vector_fn) * vector, FN(value_fn) * value) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  const bool dense = step[0] == item, x_on = step[1] == item, y_on = step[2] == item;
  for (tsr_index row = 0; row < args->count; row++) {
    char *const z = at[0] + args->next[0] * (ptrdiff_t)row;
    const char *const x = at[1] + args->next[1] * (ptrdiff_t)row, *const y = at[2] + args->next[2] * (ptrdiff_t)row;
    C *const to = (C *)(void *)z;
    const C *const a = (const C *)(const void *)x, *const b = (const C *)(const void *)y;
    if (dense && x_on && y_on)
      FN(run)(args->stream, n, to, a, true, b, true, vector, value);
    else if (dense && x_on && step[2] == 0)
      FN(run)(args->stream, n, to, a, true, b, false, vector, value);
    else if (dense && y_on && step[1] == 0)
      FN(run)(args->stream, n, to, a, false, b, true, vector, value);
    else
      FN(steps)(n, z, x, y, step, value);
  }
}

#define VECTOR_KERNEL(op)                                                                              \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    FN(rows)(args, n, at, step, FN(op##_vector), FN(tsr__##op));                                       \
  }
VECTOR_KERNEL(add)
VECTOR_KERNEL(sub)
VECTOR_KERNEL(mul)
#undef VECTOR_KERNEL

/* ---- div: blocks as if all quotients were finite, then those that are not ---- */

static void FN(div_run)(tsr_index n, const C *x, const C *y, C *z) {
  enum { BLOCK = 64 };
  C block[BLOCK];
  block[0] = (C){0, 0};
  for (tsr_index first = 0; first < n; first += BLOCK) {
    const tsr_index count = n - first < BLOCK ? n - first : BLOCK;
    int odd = 0;
    for (tsr_index i = 0; i < count; i++) block[i] = FN(tsr__divided)(x[first + i], y[first + i]);
    for (tsr_index i = 0; i < count; i++) odd |= block[i].re != block[i].re;
    for (tsr_index i = 0; i < count && odd; i++) block[i] = FN(tsr__mended)(x[first + i], y[first + i], block[i]);
    memcpy(z + first, block, (size_t)count * sizeof(C));
  }
}

static void FN(div)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  const bool dense = step[0] == item && step[1] == item && step[2] == item;
  for (tsr_index row = 0; row < args->count; row++) {
    char *const z = at[0] + args->next[0] * (ptrdiff_t)row;
    const char *const x = at[1] + args->next[1] * (ptrdiff_t)row, *const y = at[2] + args->next[2] * (ptrdiff_t)row;
    if (dense)
      FN(div_run)(n, (const C *)(const void *)x, (const C *)(const void *)y, (C *)(void *)z);
    else
      FN(steps)(n, z, x, y, step, FN(tsr__div));
  }
}

/* ---- comparisons ---- */

#define TEST_KERNEL(op, value)                                                                                         \
  static void FN(op##_run)(tsr_index n, uint8_t * z, const C *x, const C *y) {                                         \
    TSR__INDEPENDENT                                                                                                   \
    for (tsr_index i = 0; i < n; i++) {                                                                                \
      const C a = x[i], b = y[i];                                                                                      \
      z[i] = (uint8_t)(value);                                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  static void FN(op##_steps)(tsr_index n, char *z, const char *x, const char *y, const ptrdiff_t *step) {              \
    for (tsr_index i = 0; i < n; i++, z += step[0], x += step[1], y += step[2]) {                                      \
      const C a = *(const C *)(const void *)x, b = *(const C *)(const void *)y;                                        \
      *(uint8_t *)z = (uint8_t)(value);                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {                 \
    const bool dense = step[0] == 1 && step[1] == (ptrdiff_t)sizeof(C) && step[2] == step[1];                          \
    for (tsr_index row = 0; row < args->count; row++) {                                                                \
      char *const z = at[0] + args->next[0] * (ptrdiff_t)row;                                                          \
      const char *const x = at[1] + args->next[1] * (ptrdiff_t)row, *const y = at[2] + args->next[2] * (ptrdiff_t)row; \
      if (dense)                                                                                                       \
        FN(op##_run)(n, (uint8_t *)z, (const C *)(const void *)x, (const C *)(const void *)y);                         \
      else                                                                                                             \
        FN(op##_steps)(n, z, x, y, step);                                                                              \
    }                                                                                                                  \
  }
TEST_KERNEL(eq, FN(tsr__eq)(a, b))
TEST_KERNEL(ne, !FN(tsr__eq)(a, b))
#undef TEST_KERNEL
#undef V
#undef VECTOR
