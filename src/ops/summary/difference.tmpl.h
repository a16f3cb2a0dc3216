/* Pairs of floats of one compute type. Maxima are those of bits, as integers, and counts are integers: neither depends
 * on the order, so that the compiler makes vectors of plain loops. */
#if C_BITS == 32
#define BITS int32_t
#define UBITS uint32_t
#define BITS_OF(x) ((BITS)tsr__bits_of_f32(x))
#define OF_BITS(bits) tsr__f32_of_bits((uint32_t)(bits))
#define MAGNITUDE INT32_MAX
#define INFINITY_BITS 0x7f800000
#define ABSOLUTE __builtin_fabsf
#else
#define BITS int64_t
#define UBITS uint64_t
#define BITS_OF(x) ((BITS)tsr__bits_of_f64(x))
#define OF_BITS(bits) tsr__f64_of_bits((uint64_t)(bits))
#define MAGNITUDE INT64_MAX
#define INFINITY_BITS 0x7ff0000000000000
#define ABSOLUTE __builtin_fabs
#endif
#define REAL_MOST (TSR_REAL_BITS == 64 ? (tsr_real)0x1.fffffffffffffp1023 : (tsr_real)0x1.fffffep127f)
#if TSR_REAL_BITS == 64
#define REAL_ABSOLUTE __builtin_fabs
#else
#define REAL_ABSOLUTE __builtin_fabsf
#endif

/* Whether two numbers are not close; the difference is that of the wider type, as tsr_allclose has it. */
static inline bool FN(differ)(C x, C y, const tsr__tolerance *within) {
  const tsr_real d = (tsr_real)x - (tsr_real)y, away = REAL_ABSOLUTE(d);
  const tsr_real relative = within->relative * (tsr_real)ABSOLUTE(y), most = within->absolute + relative;
  return !((away <= most && away <= REAL_MOST) || x == y || (x != x && y != y));
}

/* A float ≥ 0 as bits, which grow with it; 0 for NaN. */
static inline BITS FN(size)(C x) {
  const BITS bits = BITS_OF(x);
  return bits > INFINITY_BITS ? 0 : bits;
}

static inline tsr_real FN(larger)(tsr_real than, BITS bits) {
  const tsr_real value = (tsr_real)OF_BITS(bits);
  return value > than ? value : than;
}

/* The greatest absolute and relative difference. Equal infinities and NaN give NaN, and 0 of 0 does. */
static void FN(add_errors)(tsr__difference_part *part, tsr_index n, const C *restrict x, const C *restrict y) {
  BITS most = 0, share = 0;
  for (tsr_index i = 0; i < n; i++) {
    const C away = ABSOLUTE(x[i] - y[i]), relative = away / ABSOLUTE(y[i]);
    const BITS a = FN(size)(away), r = FN(size)(relative);
    most = a > most ? a : most;
    share = r > share ? r : share;
  }
  part->max_abs = FN(larger)(part->max_abs, most);
  part->max_rel = FN(larger)(part->max_rel, share);
}

/* The greatest distance in numbers between: magnitudes with their signs count floats in order. And NaN on one side. */
static void FN(add_distances)(tsr__difference_part *part, tsr_index n, const C *restrict x, const C *restrict y) {
  UBITS most = 0;
  BITS odd = 0;
  for (tsr_index i = 0; i < n; i++) {
    const BITS a = BITS_OF(x[i]), b = BITS_OF(y[i]), size_a = a & MAGNITUDE, size_b = b & MAGNITUDE;
    const BITS nan_a = size_a > INFINITY_BITS ? -1 : 0, nan_b = size_b > INFINITY_BITS ? -1 : 0;
    const BITS sign_a = a < 0 ? -1 : 0, sign_b = b < 0 ? -1 : 0;
    const BITS rank_a = (size_a ^ sign_a) - sign_a, rank_b = (size_b ^ sign_b) - sign_b;
    const UBITS d = rank_a > rank_b ? (UBITS)rank_a - (UBITS)rank_b : (UBITS)rank_b - (UBITS)rank_a;
    const UBITS kept = d & ~(UBITS)(nan_a | nan_b);
    most = kept > most ? kept : most;
    odd -= nan_a ^ nan_b;
  }
  part->max_ulp = most > part->max_ulp ? most : part->max_ulp;
  part->nans += odd;
}

/* How many are not the same, NaN being the same as NaN. */
static int64_t FN(count_unequal)(tsr_index n, const C *restrict x, const C *restrict y) {
  BITS count = 0;
  for (tsr_index i = 0; i < n; i++) {
    const C a = x[i], b = y[i];
    count += ((a == b) | ((a != a) & (b != b))) ? 0 : 1;
  }
  return count;
}

/* How many are not close. */
static int64_t FN(count_apart)(const tsr__tolerance *within, tsr_index n, const C *restrict x, const C *restrict y) {
  const tsr_real relative = within->relative, absolute = within->absolute;
  wide count = 0;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_real a = (tsr_real)x[i], b = (tsr_real)y[i], d = a - b, away = REAL_ABSOLUTE(d), size = REAL_ABSOLUTE(b);
    const tsr_real part = relative * size, most = absolute + part, limit = most < REAL_MOST ? most : REAL_MOST;
    count += ((away <= limit) | (a == b) | ((a != a) & (b != b))) ? 0 : 1;
  }
  return count;
}

static void FN(add)(tsr__difference_part *part, const tsr__tolerance *within, tsr_index n, const void *a,
                    const void *b) {
  const bool exact = within->relative == 0 && within->absolute == 0;
  for (tsr_index i = 0; i < n; i += PIECE) {
    const tsr_index piece = n - i < PIECE ? n - i : PIECE;
    const C *const x = (const C *)a + i, *const y = (const C *)b + i;
    FN(add_errors)(part, piece, x, y);
    FN(add_distances)(part, piece, x, y);
    part->unequal += exact ? FN(count_unequal)(piece, x, y) : FN(count_apart)(within, piece, x, y);
  }
}

#include "ops/summary/first.tmpl.h"

#undef BITS
#undef UBITS
#undef BITS_OF
#undef OF_BITS
#undef MAGNITUDE
#undef INFINITY_BITS
#undef ABSOLUTE
#undef REAL_MOST
#undef REAL_ABSOLUTE
