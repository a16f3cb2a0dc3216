/* One complex type of the family. */

/* a·b + c by two fused operations for each part: what they round does not depend on the instruction set. */
static inline C FN(fma_value)(C a, C b, C c, P p) {
  (void)p;
  return (C){PART(product_and_sum)(a.re, b.re, PART(product_and_sum)(-a.im, b.im, c.re)),
             PART(product_and_sum)(a.im, b.re, PART(product_and_sum)(a.re, b.im, c.im))};
}

/* Each step rounded, as for real numbers. */
static inline C FN(addcmul_value)(C x, C a, C b, P p) {
  return FN(tsr__add)(x, FN(tsr__mul)((C){p * a.re, p * a.im}, b));
}

#if P_BITS == 32
#define V tsr__vf32
#else
#define V tsr__vf64
#endif
#define VECTOR(what) TSR__VEC(V, what)
typedef V FN(vector_fn)(V, V, V, V);
typedef C FN(value_fn)(C, C, C, P);

#if TSR__VEC_FUSED
static inline V FN(fma_vector)(V a, V b, V c, V p) {
  (void)p;
  const V crossed = VECTOR(_firsts_negated)(VECTOR(_swapped)(a));
  return VECTOR(_madd)(a, VECTOR(_firsts)(b), VECTOR(_madd)(crossed, VECTOR(_seconds)(b), c));
}
#endif
static inline V FN(addcmul_vector)(V x, V a, V b, V p) {
  const V pa = p * a;
  return x + (pa * VECTOR(_firsts)(b) + VECTOR(_firsts_negated)(VECTOR(_swapped)(pa) * VECTOR(_seconds)(b)));
}

/* The part of a row that fills vectors, where all is contiguous, or the last input repeats. */
TSR__ALWAYS_INLINE tsr_index FN(run)(tsr_index n, char *const *at, bool w_on, P p, FN(vector_fn) * vector) {
  enum { EACH = (int)(sizeof(V) / sizeof(C)) };
  C all[EACH] = {{0, 0}};
  for (int k = 0; k < EACH; k++) all[k] = *(const C *)(const void *)at[3];
  const V repeated = VECTOR(_load)(all), parameter = VECTOR(_all)(p);
  tsr_index i = 0;
  for (; i <= n - EACH; i += EACH) {
    const ptrdiff_t place = (ptrdiff_t)i * (ptrdiff_t)sizeof(C);
    const V w = w_on ? VECTOR(_load)(at[3] + place) : repeated;
    VECTOR(_store)(at[0] + place, vector(VECTOR(_load)(at[1] + place), VECTOR(_load)(at[2] + place), w, parameter));
  }
  return i;
}

TSR__ALWAYS_INLINE void FN(rows)(tsr_index first, tsr_index n, char *const *at, const ptrdiff_t *step, P p,
                                 FN(value_fn) * value) {
  for (tsr_index i = first; i < n; i++)
    *(C *)(void *)(at[0] + (ptrdiff_t)i * step[0]) =
        value(*(const C *)(const void *)(at[1] + (ptrdiff_t)i * step[1]),
              *(const C *)(const void *)(at[2] + (ptrdiff_t)i * step[2]),
              *(const C *)(const void *)(at[3] + (ptrdiff_t)i * step[3]), p);
}

/* first: how many elements vectors have done. */
#define KERNEL(op, first)                                                                              \
  static void FN(op)(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    const P p = args->param != NULL ? ((const C *)args->param)->re : (P)0;                             \
    FN(rows)(first, n, at, step, p, FN(op##_value));                                                   \
  }
#define BY_VECTORS(op) FN(is_dense)(n, step) ? FN(run)(n, at, step[3] != 0, p, FN(op##_vector)) : 0
static inline bool FN(is_dense)(tsr_index n, const ptrdiff_t *step) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(C);
  return n > 0 && step[0] == item && step[1] == item && step[2] == item && (step[3] == item || step[3] == 0);
}

#if TSR__VEC_FUSED
KERNEL(fma, BY_VECTORS(fma))
#else
KERNEL(fma, 0)
#endif
KERNEL(addcmul, BY_VECTORS(addcmul))
#undef BY_VECTORS
#undef KERNEL
#undef V
#undef VECTOR
