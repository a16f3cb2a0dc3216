/* The vector vocabulary of cpu/vec/vec.h for a thread: vectors of one lane. Comparisons give all bits or none, casts between vectors
 * keep the bits, and a number beside a vector is that number in its lane. */
#define TSR__VEC_FUSED 1

struct tsr__vu32;
struct tsr__vu64;

struct tsr__vi32 {
  int32_t lane;
  tsr__vi32() = default;
  tsr__vi32(int32_t x) : lane(x) {}
  explicit inline tsr__vi32(tsr__vu32 x);
};
struct tsr__vi64 {
  int64_t lane;
  tsr__vi64() = default;
  tsr__vi64(int64_t x) : lane(x) {}
  explicit inline tsr__vi64(tsr__vu64 x);
  explicit inline tsr__vi64(struct tsr__vf64 x);
};
struct tsr__vf32 {
  float lane;
  tsr__vf32() = default;
  tsr__vf32(float x) : lane(x) {}
  explicit inline tsr__vf32(tsr__vu32 x);
  explicit tsr__vf32(tsr__vi32 x) : lane(tsr__f32_of_bits((uint32_t)x.lane)) {}
};
struct tsr__vf64 {
  double lane;
  tsr__vf64() = default;
  tsr__vf64(double x) : lane(x) {}
  explicit inline tsr__vf64(tsr__vu64 x);
};
struct tsr__vu32 {
  uint32_t lane;
  tsr__vu32() = default;
  tsr__vu32(uint32_t x) : lane(x) {}
  explicit tsr__vu32(tsr__vi32 x) : lane((uint32_t)x.lane) {}
  explicit tsr__vu32(tsr__vf32 x) : lane(tsr__bits_of_f32(x.lane)) {}
};
struct tsr__vu64 {
  uint64_t lane;
  tsr__vu64() = default;
  tsr__vu64(uint64_t x) : lane(x) {}
  explicit tsr__vu64(tsr__vi64 x) : lane((uint64_t)x.lane) {}
  explicit tsr__vu64(tsr__vf64 x) : lane(tsr__bits_of_f64(x.lane)) {}
};
inline tsr__vi32::tsr__vi32(tsr__vu32 x) : lane((int32_t)x.lane) {}
inline tsr__vi64::tsr__vi64(tsr__vu64 x) : lane((int64_t)x.lane) {}
inline tsr__vi64::tsr__vi64(tsr__vf64 x) : lane((int64_t)tsr__bits_of_f64(x.lane)) {}
inline tsr__vf32::tsr__vf32(tsr__vu32 x) : lane(tsr__f32_of_bits(x.lane)) {}
inline tsr__vf64::tsr__vf64(tsr__vu64 x) : lane(tsr__f64_of_bits(x.lane)) {}

#define LANE_BINARY(V, op) \
  static inline V operator op(V a, V b) { return V(a.lane op b.lane); }
#define LANE_ARITHMETIC(V) LANE_BINARY(V, +) LANE_BINARY(V, -) LANE_BINARY(V, *)
#define LANE_BITS(V)                                          \
  LANE_BINARY(V, &) LANE_BINARY(V, |) LANE_BINARY(V, ^)       \
  static inline V operator~(V a) { return V(~a.lane); }       \
  static inline V operator<<(V a, int n) { return V(a.lane << n); } \
  static inline V operator>>(V a, int n) { return V(a.lane >> n); }
#define LANE_COMPARE(V, M, op) \
  static inline M operator op(V a, V b) { return M(a.lane op b.lane ? -1 : 0); }
#define LANE_ORDER(V, M) \
  LANE_COMPARE(V, M, <) LANE_COMPARE(V, M, <=) LANE_COMPARE(V, M, >) LANE_COMPARE(V, M, >=) LANE_COMPARE(V, M, ==)
LANE_ARITHMETIC(tsr__vf32)
LANE_BINARY(tsr__vf32, /)
LANE_ORDER(tsr__vf32, tsr__vi32)
static inline tsr__vf32 operator-(tsr__vf32 a) { return tsr__vf32(-a.lane); }
static inline tsr__vf32 &operator+=(tsr__vf32 &a, tsr__vf32 b) { return a = a + b; }
LANE_ARITHMETIC(tsr__vf64)
LANE_BINARY(tsr__vf64, /)
LANE_ORDER(tsr__vf64, tsr__vi64)
static inline tsr__vf64 operator-(tsr__vf64 a) { return tsr__vf64(-a.lane); }
LANE_ARITHMETIC(tsr__vu32)
LANE_BITS(tsr__vu32)
LANE_ORDER(tsr__vu32, tsr__vi32)
LANE_ARITHMETIC(tsr__vi32)
LANE_BITS(tsr__vi32)
LANE_ARITHMETIC(tsr__vu64)
LANE_BITS(tsr__vu64)
static inline tsr__vu64 operator-(tsr__vu64 a) { return tsr__vu64(0 - a.lane); }
LANE_ARITHMETIC(tsr__vi64)
LANE_BITS(tsr__vi64)

static inline tsr__vf32 tsr__vf32_all(float x) { return tsr__vf32(x); }
static inline tsr__vf64 tsr__vf64_all(double x) { return tsr__vf64(x); }
static inline tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) {
  return __builtin_fmaf(a.lane, b.lane, c.lane);
}
static inline tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) {
  return __builtin_fma(a.lane, b.lane, c.lane);
}

typedef tsr__vi32 tsr__lanes;
static inline tsr__lanes tsr__vf32_less(tsr__vf32 a, tsr__vf32 b) { return a < b; }
static inline tsr__lanes tsr__vf32_equal(tsr__vf32 a, tsr__vf32 b) { return a == b; }
static inline tsr__lanes tsr__vu32_less(tsr__vu32 a, tsr__vu32 b) { return a < b; }
static inline bool tsr__lanes_all(tsr__lanes lanes) { return lanes.lane != 0; }
static inline tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) { return lanes.lane ? yes : no; }
static inline tsr__vf64 tsr__vf64_pick(tsr__vi64 mask, tsr__vf64 yes, tsr__vf64 no) { return mask.lane ? yes : no; }
static inline tsr__vf64 tsr__vf64_if_less(tsr__vf64 a, tsr__vf64 b, tsr__vf64 yes, tsr__vf64 no) {
  return a.lane < b.lane ? yes : no;
}
static inline tsr__vf32 tsr__vf32_of_16(const float *table, tsr__vu32 index) { return table[index.lane & 15]; }
static inline tsr__vf64 tsr__vf64_of_16(const double *table, tsr__vu64 index) { return table[index.lane & 15]; }

/* __builtin_convertvector(x, tsr__vf32): a number of the other kind. */
#define __builtin_convertvector(x, V) V((x).lane)
