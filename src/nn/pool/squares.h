/* Windows of 2 x 2 numbers of f32 where flash is small, channels side by side, as fast as a core can: a is row 0, column 0, b row 1, column 0,
 * c and d are column 1. Each gives how many channels it has done, none where numbers were found that it does not know. */
#ifndef TSR_NN_POOL_SQUARES_H
#define TSR_NN_POOL_SQUARES_H

#include "cpu/float_flags.h"
#include <tessera/config.h>
#include <tessera/dtype.h>

typedef struct tsr__square {
  const float *a, *b, *c, *d;
  float *out;
} tsr__square;

static inline tsr__square tsr__square_at(const char *x, ptrdiff_t row_step, ptrdiff_t column_step, void *out) {
  const char *const c = x + column_step;
#define TSR__FLOATS(at) ((const float *)(const void *)(at))
  return (tsr__square){TSR__FLOATS(x), TSR__FLOATS(x + row_step), TSR__FLOATS(c), TSR__FLOATS(c + row_step), out};
#undef TSR__FLOATS
}

static inline tsr__square tsr__square_next(tsr__square s) {
  return (tsr__square){s.a + 4, s.b + 4, s.c + 4, s.d + 4, s.out + 4};
}

#if defined(TSR__MVE_FLOAT)

/* By vectors, the last one of fewer. */
#define TSR__SQUARES(what, ...)                                                                  \
  __asm__ volatile(                                                                              \
      "dlstp.32 lr, %[n]\n"                                                                      \
      "1: vldrw.32 q0, [%[a]], #16\n vldrw.32 q1, [%[b]], #16\n vldrw.32 q2, [%[c]], #16\n" what \
      "vstrw.32 q0, [%[out]], #16\n letp lr, 1b\n"                                               \
      : [a] "+r"(s.a), [b] "+r"(s.b), [c] "+r"(s.c), [d] "+r"(s.d), [out] "+r"(s.out)            \
      : [n] "r"(n), __VA_ARGS__                                                                  \
      : "lr", "q0", "q1", "q2", "p0", "cc", "memory")

/* The greatest: of numbers that are equal the first. */
static inline tsr_index tsr__square_max(tsr_index n, tsr__square s) {
  const uint32_t odd = TSR__NAN_COMPARED | TSR__SUBNORMAL_LOST, before = tsr__flags_begin(odd);
#define TSR__TAKE(v) "vcmp.f32 gt, " v ", q0\n vpsel q0, " v ", q0\n"
  TSR__SQUARES(TSR__TAKE("q1") "vldrw.32 q1, [%[d]], #16\n" TSR__TAKE("q2") TSR__TAKE("q1"), [none] "i"(0));
#undef TSR__TAKE
  return tsr__flags_end(before, odd) ? 0 : n;
}

/* ((a + b) + (c + d)) / 4 */
static inline tsr_index tsr__square_mean(tsr_index n, tsr__square s) {
  const uint32_t before = tsr__flags_begin(TSR__SUBNORMAL_LOST);
  TSR__SQUARES(
      "vadd.f32 q0, q0, q1\n vldrw.32 q1, [%[d]], #16\n vadd.f32 q1, q2, q1\n vadd.f32 q0, q0, q1\n"
      "vmul.f32 q0, q0, %[by]\n",
      [by] "r"(0x3e800000));
  return tsr__flags_end(before, TSR__SUBNORMAL_LOST) ? 0 : n;
}

#undef TSR__SQUARES
#elif defined(TSR__FLOAT_FLAGS) && defined(__ARM_FP)

/* Four channels at a time. */
#define TSR__SQUARES(what, ...)                                                                                     \
  __asm__ volatile(                                                                                                 \
      "1: vldmia %[a]!, {s0-s3}\n vldmia %[b]!, {s4-s7}\n vldmia %[c]!, {s8-s11}\n vldmia %[d]!, {s12-s15}\n" what  \
      "subs %[fours], #1\n vstmia %[out]!, {s0-s3}\n bne 1b\n"                                                      \
      : [a] "+r"(s.a), [b] "+r"(s.b), [c] "+r"(s.c), [d] "+r"(s.d), [out] "+r"(s.out), [fours] "+r"(fours)          \
      : __VA_ARGS__                                                                                                 \
      : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", "cc", \
        "memory")

static inline tsr_index tsr__square_max(tsr_index n, tsr__square s) {
  tsr_index fours = n / 4;
  if (fours == 0) return 0;
  const uint32_t before = tsr__flags_begin(TSR__NAN_COMPARED);
#define TSR__TAKE(v, a) "vcmpe.f32 " v ", " a "\n vmrs APSR_nzcv, fpscr\n it gt\n vmovgt.f32 " a ", " v "\n"
#define TSR__TAKE_FOUR(p, q, r, s) TSR__TAKE(p, "s0") TSR__TAKE(q, "s1") TSR__TAKE(r, "s2") TSR__TAKE(s, "s3")
  TSR__SQUARES(TSR__TAKE_FOUR("s4", "s5", "s6", "s7") TSR__TAKE_FOUR("s8", "s9", "s10", "s11")
                   TSR__TAKE_FOUR("s12", "s13", "s14", "s15"),
               [none] "i"(0));
#undef TSR__TAKE_FOUR
#undef TSR__TAKE
  return tsr__flags_end(before, TSR__NAN_COMPARED) ? 0 : n & ~(tsr_index)3;
}

static inline tsr_index tsr__square_mean(tsr_index n, tsr__square s) {
  tsr_index fours = n / 4;
  if (fours == 0) return 0;
#define TSR__ADD(a, v) "vadd.f32 " a ", " a ", " v "\n"
#define TSR__END(a, v) TSR__ADD(a, v) "vmul.f32 " a ", " a ", %[by]\n"
  TSR__SQUARES(TSR__ADD("s0", "s4") TSR__ADD("s1", "s5") TSR__ADD("s2", "s6") TSR__ADD("s3", "s7") TSR__ADD("s8", "s12")
                   TSR__ADD("s9", "s13") TSR__ADD("s10", "s14") TSR__ADD("s11", "s15") TSR__END("s0", "s8")
                       TSR__END("s1", "s9") TSR__END("s2", "s10") TSR__END("s3", "s11"),
               [by] "t"(0.25F));
#undef TSR__END
#undef TSR__ADD
  return n & ~(tsr_index)3;
}

#undef TSR__SQUARES
#else

#if !defined(TSR__FLOAT_FLAGS)
/* Floats are functions: what integers can do is done by them. */
typedef union tsr__float_as_integer {
  float number;
  int32_t bits;
} tsr__float_as_integer;

/* v / 4: two less in the exponent, where it stays one of a normal number. */
static inline float tsr__quarter(float v) {
  tsr__float_as_integer as = {v};
  if (((uint32_t)as.bits << 1) - (3U << 24) >= 252U << 24) return v * 0.25F;
  as.bits -= 2 << 23;
  return as.number;
}

/* In the order of floats, both zeros alike. */
static inline int32_t tsr__order_of(int32_t bits) {
  const int32_t sign = bits < 0 ? -1 : 0;
  return ((bits & INT32_MAX) ^ sign) - sign;
}

static inline tsr_index tsr__square_max(tsr_index n, tsr__square s) {
  for (tsr_index i = 0; i < n; i++) {
    const float *const at[4] = {s.a + i, s.b + i, s.c + i, s.d + i};
    int32_t first = 0, most = INT32_MIN;
    TSR__UNROLL(4)
    for (int k = 0; k < 4; k++) {
      const int32_t bits = ((const tsr__float_as_integer *)(const void *)at[k])->bits, order = tsr__order_of(bits);
      if ((uint32_t)bits << 1 > 0xff000000U) return i; /* NaN */
      if (order > most) {
        most = order;
        first = bits;
      }
    }
    ((tsr__float_as_integer *)(void *)(s.out + i))->bits = first;
  }
  return n;
}
#else
static inline float tsr__quarter(float v) { return v * 0.25F; }

static inline float tsr__larger(float a, float v) {
  int greater;
  __asm__("flt.s %0, %1, %2" : "=r"(greater) : "f"(a), "f"(v));
  return greater != 0 ? v : a;
}

static inline tsr_index tsr__square_max(tsr_index n, tsr__square s) {
  const uint32_t before = tsr__flags_begin(TSR__NAN_COMPARED);
  for (tsr_index i = 0; i + 4 <= n; i += 4) {
    TSR__UNROLL(4)
    for (int k = 0; k < 4; k++) s.out[k] = tsr__larger(tsr__larger(tsr__larger(s.a[k], s.b[k]), s.c[k]), s.d[k]);
    s = tsr__square_next(s);
  }
  return tsr__flags_end(before, TSR__NAN_COMPARED) ? 0 : n & ~(tsr_index)3;
}
#endif

static inline tsr_index tsr__square_mean(tsr_index n, tsr__square s) {
  for (tsr_index i = 0; i + 4 <= n; i += 4) {
    TSR__UNROLL(4)
    for (int k = 0; k < 4; k++) s.out[k] = tsr__quarter((s.a[k] + s.b[k]) + (s.c[k] + s.d[k]));
    s = tsr__square_next(s);
  }
  return n & ~(tsr_index)3;
}
#endif

#endif
