/* Rows that are normalised together: softmax, log_softmax, layer_norm, rms_norm, group_norm, in the orders that nn/softmax/softmax.h and
 * nn/norm/norm.h state: element i is in block i / 4096 and there in lane i % LANES; lanes are joined by halves, blocks one after another in
 * f64. Short rows are in rows_short.cuh, those that lie side by side in rows_across.cuh; of others a block of threads is a row, or has a piece of one (PHASE). STAGED: the row stays in shared memory, all threads do its
 * elements, few its chains of sums; else it is read as often as it is needed. COPIED: it is brought there by copies that need no register.
 *
 * Set before: T the type in memory, C the compute type, LOADED(t), STORED(c); LANES; THREADS; RESIDENT, how many blocks of threads a
 * multiprocessor should hold, at least; CONTIGUOUS where a row is, in x, out, scale and bias, aligned packs (of 4; of short rows, see
 * there); SOFTMAX, LOG_SOFTMAX, LAYER, RMS, GROUPS as KIND; SCALED and BIASED; MADE 1 where the elements of x are not in memory, but made of
 * operands (kernels/made.cuh). */
#define SOFTMAX 0
#define LOG_SOFTMAX 1
#define LAYER 2
#define RMS 3
#define GROUPS 4

/* What is done with a row: all of it, or one of the steps that rows in pieces take. */
#define WHOLE_ROW 0
#define FIND_TOPS 1
#define FIND_SUMS 2
#define JOIN_SUMS 3
#define WRITE_ROW 4
enum { BLOCK = 4096, APART = BLOCK + 16 };

struct found;
struct row_args {
  const T *x;
  T *out;
  const C *scale, *bias;
  int64_t n, rows, run, channels, groups;
  int64_t length[8], step_x[8], step_out[8];
  int64_t kept[8], kept_x[8], kept_out[8];
  int rank, kept_rank;
  double eps;
  C *tops, *sums; /* of rows in pieces, for each piece and for each block of elements */
  struct found *found;
  int64_t pieces, round;
#if MADE
  made_args made;
#endif
};

extern __shared__ __align__(16) unsigned char memory[];

static __device__ inline int64_t placed(int64_t i, int rank, const int64_t *length, const int64_t *step) {
  int64_t at = 0;
  if (rank <= 1) return rank == 1 ? i * step[0] : 0;
  TSR__UNROLL_BY(1) for (int d = 0; d < rank; d++) {
    const int64_t q = d + 1 < rank ? (((uint64_t)i | (uint64_t)length[d]) >> 32 ? i / length[d] : (int64_t)((uint32_t)i / (uint32_t)length[d])) : 0;
    at += (i - q * length[d]) * step[d];
    i = q;
  }
  return at;
}

#if MADE
typedef made_at place_of;
#else
typedef const T *place_of;
#endif

/* Where row number begins. */
static __device__ inline place_of begin(const row_args &s, int64_t number) {
#if MADE
  return made_from(s.made, number, s.kept_rank, s.kept);
#else
  return s.x + placed(number, s.kept_rank, s.kept, s.kept_x);
#endif
}

static __device__ inline C exchanged(C v, int by) {
  union {
    C value;
    uint32_t word[sizeof(C) / 4];
  } u;
  u.value = v;
  TSR__UNROLL(2) for (unsigned i = 0; i < sizeof(C) / 4; i++) u.word[i] = __shfl_xor_sync(~0u, u.word[i], by);
  return u.value;
}

static __device__ inline double greater(double a, double x) { return (x > a) | (x != x) ? x : a; }
static __device__ inline float greater(float a, float x) { return tsr__greater_f32(a, x); }

/* A norm's mean, or what is near it, and what elements are multiplied by and get added; of a softmax the factor, or what is subtracted. */
struct normal {
  C pivot, factor, add;
};

/* What is known of a row in pieces; again: but for its sums, which are taken once more, around another pivot. */
struct found {
  normal y;
  int again;
};

#if KIND == LAYER || KIND == GROUPS
static __device__ inline normal normal_of(const row_args &s, C pivot, double rest, double variance) {
  const double scale = 1 / __builtin_sqrt((variance < 0 ? 0 : variance) + s.eps);
  normal y;
  y.pivot = pivot;
  y.factor = (C)scale;
  y.add = (C)(-rest * scale);
  return y;
}
#endif

#if KIND == GROUPS
static __device__ inline int64_t channel_of(const row_args &s, int64_t i, int64_t number) {
  const int64_t first = number % s.groups * s.channels;
  if (s.channels == 1) return first;
  return first + (((uint64_t)i | (uint64_t)s.run) >> 32 ? i / s.run : (int64_t)((uint32_t)i / (uint32_t)s.run));
}
#endif

/* N elements of row number from element i on, as they are stored. EVEN: they are of one channel. */
template <int N> static __device__ inline void normalised(const row_args &s, const normal &y, int64_t i, C *v, int64_t number) {
#if KIND == GROUPS
  enum { TOGETHER = EVEN ? N : 1 };
  TSR__UNROLL(4) for (int f = 0; f < N; f += TOGETHER) {
    const int64_t channel = channel_of(s, i + f, number);
    const C by = y.factor * (SCALED ? s.scale[channel] : (C)1);
    const C plus = FN(tsr__fma)(y.add, SCALED ? s.scale[channel] : (C)1, BIASED ? s.bias[channel] : (C)0);
    TSR__UNROLL(4) for (int l = 0; l < TOGETHER; l++) v[f + l] = FN(tsr__fma)(v[f + l] - y.pivot, by, plus);
  }
#elif KIND == LAYER || KIND == RMS
  pack<C, N> scale, bias;
  if (SCALED) scale.load(s.scale + i);
  if (BIASED) bias.load(s.bias + i);
  TSR__UNROLL(4) for (int l = 0; l < N; l++) {
#if KIND == RMS
    const C value = v[l] * y.factor;
#else
    const C value = FN(tsr__fma)(v[l] - y.pivot, y.factor, y.add);
#endif
    v[l] = SCALED && BIASED ? FN(tsr__fma)(value, scale.v[l], bias.v[l]) : SCALED ? value * scale.v[l] : BIASED ? value + bias.v[l] : value;
  }
  (void)number;
#endif
}

#if ACROSS
#include "cuda/kernels/rows_across.cuh"
#elif SHORT
#include "cuda/kernels/rows_short.cuh"
#else
#include "cuda/kernels/rows_long.cuh"
#endif
