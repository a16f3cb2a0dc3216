/* What the kernels of attention share. Set before: T, the type of q, k and v in memory, TO of the output, TM of the mask, C, the type that is
 * computed in; LOADED(T) and MASKED(TM), which give a C, STORED(C); MASK. Steps are in elements. */
enum { NO_MASK, OF_BOOL, ADDED, SCALED }; /* scaled: none, and a scale that is not positive */

struct attention_args {
  const T *q, *k, *v;
  const TM *mask;
  TO *out;
  C *tops, *sums; /* of keys in parts: (rows, parts, 2) and (rows, parts, columns) */
  int64_t h, heads, group, t, s, d, dv, columns; /* heads of k and v; columns of out, dv those of v that are read */
  int64_t q_step[4], k_step[4], v_step[4], mask_step[4], out_step[4];
  int64_t offset; /* key j takes part for query i where j ≤ i + offset */
  int64_t blocks, slices, parts, part;
  C unit; /* what a score is multiplied with to be a power of 2 */
};

#define minus_infinity (-(C)__builtin_inff())
#define log2_e ((C)1.4426950408889634074)

#ifdef TSR_CUDA_EMULATED
static inline float power(float x) { return exp2f(x); }
#else
static inline float power(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif
static inline double power(double x) { return exp2(x); }
static inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float greater(float a, float b) { return fmaxf(a, b); }
static inline double greater(double a, double b) { return fmax(a, b); }

/* What scores are lessened by: the greatest, or 0 where there is none yet, so that -inf stays -inf. */
static inline C less_than(C top) { return top == minus_infinity ? 0 : top; }

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* How many keys take part for a query, from the first on. */
static inline int64_t keys_of(const attention_args &s, int64_t query) {
  const int64_t keys = query + s.offset + 1;
  return keys < 0 ? 0 : least(keys, s.s);
}

template <class P> static inline P *row_at(P *x, const int64_t *step, int64_t b, int64_t h, int64_t row) {
  return x + b * step[0] + h * step[1] + row * step[2];
}

/* A score in its unit, with the mask of its key. */
static inline C masked(const attention_args &s, const TM *mask, int64_t key, C score) {
  const C x = score * s.unit;
#if MASK == 1
  return mask[key * s.mask_step[3]] ? x : minus_infinity;
#elif MASK == 2
  return fused(MASKED(mask[key * s.mask_step[3]]), log2_e, x);
#else
  return x;
#endif
}
