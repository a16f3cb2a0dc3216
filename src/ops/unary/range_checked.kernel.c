/* Compiled once per instruction set: ops whose f32 numbers are in range nearly always, and then spare what infinities,
 * NaN, subnormal results and huge angles cost. A block is computed as if all of it were in range, and the largest key
 * of a number noted on the way; where that was beyond reach, those parts of the block that have such a number are
 * computed again, each number in its way. What a number gives does not depend on its neighbours. */
#include "cpu/math/activation_f32.h"
#include "cpu/math/erf_f32.h"
#include "cpu/math/gelu_f32.h"
#include "cpu/math/log_f32.h"
#include "cpu/math/log_f64.h"
#include "cpu/math/trig_f32.h"
#include "cpu/math/trig_f64.h"
#include "cpu/vec/vec.h"
#include "ops/unary/kernel.h"
#include "ops/unary/wide.h"

/* Elements of a block: in place, where it is kept on the stack, and otherwise. */
enum { RANGE_CHECKED_BLOCK = TSR_HAVE_MALLOC ? 512 : 16, RANGE_CHECKED_COPIED = TSR_HAVE_MALLOC ? 2048 : 16 };

/* And of a part, whose numbers out of range are gathered and computed side by side. Without vectors that do it, few numbers far
 * out, as normal ones have them, cost no more than their parts. */
enum { RANGE_CHECKED_PART = !TSR_HAVE_MALLOC ? 16 : TSR__VEC_SORTS ? 512 : 64 };

/* |x| of floats in the order of their bits: NaN is beyond everything. */
static inline uint32_t size_of_f32(float x) { return tsr__bits_of_f32(x) & 0x7fffffffu; }

#if TSR__VEC_SORTS
enum { LANES = TSR__VEC_BYTES / (int)sizeof(float) };

/* Numbers of a part that are out of range, and which they are. */
typedef struct far_numbers {
  float x[RANGE_CHECKED_PART + LANES];
  uint32_t at[RANGE_CHECKED_PART + LANES];
} far_numbers;

/* Adds those of a vector's numbers that are wanted, a bit each, behind count others; returns how many. */
TSR__ALWAYS_INLINE tsr_index add_far(uint32_t (*const key)(float), uint32_t reach, const float *x, tsr__vu32 at,
                                     unsigned wanted, tsr_index count, far_numbers *far) {
  uint32_t keys[LANES];
  tsr__vu32 all, v;
  for (int l = 0; l < LANES; l++) keys[l] = key(x[l]);
  memcpy(&all, keys, sizeof all);
  memcpy(&v, x, sizeof v);
  const unsigned bits = tsr__vu32_above(all, reach - (tsr__vu32){0}) & wanted;
  const tsr__vu32 numbers = tsr__vu32_compress(v, bits), places = tsr__vu32_compress(at, bits);
  memcpy(far->x + count, &numbers, sizeof numbers);
  memcpy(far->at + count, &places, sizeof places);
  return __builtin_popcount(bits);
}

TSR__ALWAYS_INLINE tsr_index gather_far(uint32_t (*const key)(float), uint32_t reach, tsr_index n, const float *xs,
                                        far_numbers *far) {
  float rest[LANES] = {0};
  tsr__vu32 at;
  tsr_index i = 0, count = 0;
  for (int l = 0; l < LANES; l++) at[l] = (uint32_t)l;
  for (; i <= n - LANES; i += LANES, at += LANES) count += add_far(key, reach, xs + i, at, 0xffffffffu, count, far);
  if (i < n) {
    memcpy(rest, xs + i, (size_t)(n - i) * sizeof(float));
    count += add_far(key, reach, rest, at, 0xffffffffu >> (32 - (n - i)), count, far);
  }
  const float beside =
      count > 0 ? far->x[0] : 0.0f; /* those that are computed beside the last ones are out of range, too */
  for (int l = 0; l < LANES; l++) far->x[count + l] = beside;
  return count;
}

/* Numbers that are their own result, where there may be such: their far_key is not their key. */
TSR__ALWAYS_INLINE void keep_far(uint32_t (*const key)(float), uint32_t reach, tsr_index n, const float *xs,
                                 float *zs) {
  TSR__INDEPENDENT
  for (tsr_index i = 0; i < n; i++) zs[i] = key(xs[i]) > reach ? xs[i] : zs[i];
}

/* zs has what numbers are in range. */
#define ANY_RUN(op, key, reach, far_key)                                                     \
  static void op##_any_run(tsr_index n, const float *xs, float *zs) {                        \
    far_numbers far;                                                                         \
    if (far_key != key) keep_far(key, reach, n, xs, zs);                                     \
    const tsr_index count = gather_far(far_key, reach, n, xs, &far);                         \
    const tsr_index whole = (count + LANES - 1) & -(tsr_index)LANES;                         \
    TSR__INDEPENDENT                                                                         \
    for (tsr_index i = 0; i < whole; i++) far.x[i] = tsr__##op##_out_of_range_f32(far.x[i]); \
    for (tsr_index i = 0; i < count; i++) zs[far.at[i]] = far.x[i];                          \
  }
#else
#define ANY_RUN(op, key, reach, far_key)                                                                 \
  static void op##_any_run(tsr_index n, const float *xs, float *zs) {                                    \
    const uint32_t most = reach;                                                                         \
    uint32_t here = 0;                                                                                   \
    TSR__INDEPENDENT                                                                                     \
    for (tsr_index i = 0; i < n; i++) here = key(xs[i]) > here ? key(xs[i]) : here;                      \
    if (here <= most) return;                                                                            \
    TSR__INDEPENDENT                                                                                     \
    for (tsr_index i = 0; i < n; i++)                                                                    \
      zs[i] = key(xs[i]) > most ? tsr__##op##_out_of_range_f32(xs[i]) : tsr__##op##_in_range_f32(xs[i]); \
  }
#endif

/* Numbers whose key is over reach are out of range; those whose far_key is not are their own result. */
#define RANGE_CHECKED_KERNEL_OF(op, key, reach, far_key)                                                 \
  static uint32_t op##_in_range_run(tsr_index n, const float *xs, float *zs) {                           \
    uint32_t most = 0;                                                                                   \
    TSR__INDEPENDENT                                                                                     \
    for (tsr_index i = 0; i < n; i++) {                                                                  \
      const uint32_t this = key(xs[i]);                                                                  \
      most = this > most ? this : most;                                                                  \
      zs[i] = tsr__##op##_in_range_f32(xs[i]);                                                           \
    }                                                                                                    \
    return most;                                                                                         \
  }                                                                                                      \
  ANY_RUN(op, key, reach, far_key)                                                                       \
  static void op##_run_f32(const tsr_real *attribute, tsr_index n, const float *xs, float *zs) {         \
    (void)attribute;                                                                                     \
    run_range_checked(op##_in_range_run, op##_any_run, reach, n, xs, zs);                                \
  }                                                                                                      \
  static void op##_f32(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) { \
    run_rows_f32(op##_run_f32, args, n, at, step);                                                       \
  }

#define RANGE_CHECKED_KERNEL_BY(op, key, reach) RANGE_CHECKED_KERNEL_OF(op, key, reach, key)
#define RANGE_CHECKED_KERNEL(op) RANGE_CHECKED_KERNEL_BY(op, size_of_f32, tsr__bits_of_f32(tsr__##op##_reach_f32()))

typedef uint32_t in_range_fn(tsr_index n, const float *xs, float *zs);
typedef void any_fn(tsr_index n, const float *xs, float *zs);

/* The parts of a block that has a number out of range. */
static inline void run_parts(any_fn *any, tsr_index n, const float *xs, float *zs) {
  for (tsr_index first = 0; first < n; first += RANGE_CHECKED_PART)
    any(n - first < RANGE_CHECKED_PART ? n - first : RANGE_CHECKED_PART, xs + first, zs + first);
}

/* In place, a block is kept: it may have to be read twice. */
static inline void run_in_place(in_range_fn *in_range, any_fn *any, uint32_t reach, tsr_index n, float *zs) {
  float kept[RANGE_CHECKED_BLOCK];
  for (tsr_index first = 0; first < n; first += RANGE_CHECKED_BLOCK) {
    const tsr_index count = n - first < RANGE_CHECKED_BLOCK ? n - first : RANGE_CHECKED_BLOCK;
    memcpy(kept, zs + first, (size_t)count * sizeof(float));
    if (in_range(count, kept, zs + first) > reach) run_parts(any, count, kept, zs + first);
  }
}

static inline void run_range_checked(in_range_fn *in_range, any_fn *any, uint32_t reach, tsr_index n, const float *xs,
                                     float *zs) {
  if (xs == zs) {
    run_in_place(in_range, any, reach, n, zs);
    return;
  }
  for (tsr_index first = 0; first < n; first += RANGE_CHECKED_COPIED) {
    const tsr_index count = n - first < RANGE_CHECKED_COPIED ? n - first : RANGE_CHECKED_COPIED;
    if (in_range(count, xs + first, zs + first) > reach) run_parts(any, count, xs + first, zs + first);
  }
}

#define TSR__NO_INTEGERS
#define TEMPLATE "ops/unary/range_checked.tmpl.h"
#include "core/each_compute.h"

#define UNARY_RANGE_CHECKED(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#define UNARY_KEYED(op, kind, ...) TSR__UNARY_TABLE(op, kind)
#include "ops/unary/rows.def"
