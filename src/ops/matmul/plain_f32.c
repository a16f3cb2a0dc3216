/* Tiles of f32 (plain_f32.h). Where a product and a sum are one instruction they are fused; by hand where compilers do not load
 * several registers at once, or keep no loop in one instruction. */
#include "cpu/fast_when_small.h"

#include "ops/matmul/plain_f32.h"

#include "cpu/dsp.h"
#include "cpu/math/bits.h"

#if !TSR_HAVE_MALLOC

enum { ROWS = TSR__TILE_ROWS, COLUMNS = TSR__TILE_COLUMNS, ITEM = sizeof(float) };

#define NUMBER(at) (*(const float *)(const void *)(at))

#if defined(TSR__MVE_FLOAT)

/* ---- vectors of four columns, or of four numbers of k ---- */

/* Two numbers of k a step, 17 instructions for 32 products; what is left, and rows that do not lie side by side, one by one. */
void tsr__tile_four(const tsr__tile *t) {
  const char *a0 = t->a, *a1 = a0 + t->a_row, *a2 = a1 + t->a_row, *a3 = a2 + t->a_row, *b = t->b;
  const ptrdiff_t a_step = t->a_step, b_step = t->b_step;
  float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
  tsr_index k = t->k;
  if (a_step == sizeof(float) && k > 1) {
    uint32_t even, odd;
    __asm__ volatile(
        "dls lr, %[pairs]\n"
        "1: vldrw.32 q0, [%[b]]\n add %[b], %[b], %[b_step]\n vldrw.32 q1, [%[b]]\n add %[b], %[b], %[b_step]\n"
        "ldrd %[even], %[odd], [%[a0]], #8\n vfma.f32 %q[s0], q0, %[even]\n vfma.f32 %q[s0], q1, %[odd]\n"
        "ldrd %[even], %[odd], [%[a1]], #8\n vfma.f32 %q[s1], q0, %[even]\n vfma.f32 %q[s1], q1, %[odd]\n"
        "ldrd %[even], %[odd], [%[a2]], #8\n vfma.f32 %q[s2], q0, %[even]\n vfma.f32 %q[s2], q1, %[odd]\n"
        "ldrd %[even], %[odd], [%[a3]], #8\n vfma.f32 %q[s3], q0, %[even]\n vfma.f32 %q[s3], q1, %[odd]\n"
        "le lr, 1b\n"
        : [a0] "+r"(a0), [a1] "+r"(a1), [a2] "+r"(a2), [a3] "+r"(a3), [b] "+r"(b), [even] "=&r"(even), [odd] "=&r"(odd),
          [s0] "+w"(s0), [s1] "+w"(s1), [s2] "+w"(s2), [s3] "+w"(s3)
        : [pairs] "r"(k / 2), [b_step] "r"(b_step)
        : "lr", "q0", "q1", "memory");
    k %= 2;
  }
  for (; k > 0; k--, a0 += a_step, a1 += a_step, a2 += a_step, a3 += a_step, b += b_step) {
    const float32x4_t v = vldrwq_f32((const float *)(const void *)b);
    s0 = vfmaq_n_f32(s0, v, NUMBER(a0));
    s1 = vfmaq_n_f32(s1, v, NUMBER(a1));
    s2 = vfmaq_n_f32(s2, v, NUMBER(a2));
    s3 = vfmaq_n_f32(s3, v, NUMBER(a3));
  }
  vstrwq_f32((float *)(void *)t->out, s0);
  vstrwq_f32((float *)(void *)(t->out + t->out_row), s1);
  vstrwq_f32((float *)(void *)(t->out + 2 * t->out_row), s2);
  vstrwq_f32((float *)(void *)(t->out + 3 * t->out_row), s3);
}

void tsr__tile_one(const tsr__tile *t) {
  const char *a = t->a, *b = t->b;
  const ptrdiff_t a_step = t->a_step, b_step = t->b_step;
  float32x4_t sum = vdupq_n_f32(0);
  for (tsr_index k = t->k; k > 0; k--) {
    sum = vfmaq_n_f32(sum, vldrwq_f32((const float *)(const void *)b), NUMBER(a));
    a += a_step;
    b += b_step;
  }
  vstrwq_f32((float *)(void *)t->out, sum);
}

static inline float joined(float32x4_t v) {
  return (vgetq_lane_f32(v, 0) + vgetq_lane_f32(v, 1)) + (vgetq_lane_f32(v, 2) + vgetq_lane_f32(v, 3));
}

/* 10 instructions for 16 products. */
void tsr__tile_along(const float *a, const float *b, ptrdiff_t next, tsr_index k, float *sums) {
  const char *b0 = (const char *)b, *b1 = b0 + next, *b2 = b1 + next, *b3 = b2 + next;
  float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
  __asm__ volatile(
      "wlstp.32 lr, %[k], 2f\n"
      "1: vldrw.32 q0, [%[a]], #16\n"
      "vldrw.32 q1, [%[b0]], #16\n vfma.f32 %q[s0], q0, q1\n"
      "vldrw.32 q1, [%[b1]], #16\n vfma.f32 %q[s1], q0, q1\n"
      "vldrw.32 q1, [%[b2]], #16\n vfma.f32 %q[s2], q0, q1\n"
      "vldrw.32 q1, [%[b3]], #16\n vfma.f32 %q[s3], q0, q1\n"
      "letp lr, 1b\n 2:"
      : [a] "+r"(a), [b0] "+r"(b0), [b1] "+r"(b1), [b2] "+r"(b2), [b3] "+r"(b3), [s0] "+w"(s0), [s1] "+w"(s1),
        [s2] "+w"(s2), [s3] "+w"(s3)
      : [k] "r"(k)
      : "lr", "q0", "q1", "memory");
  sums[0] = joined(s0);
  sums[1] = joined(s1);
  sums[2] = joined(s2);
  sums[3] = joined(s3);
}

static float contiguous_dot(const char *a, const char *b, tsr_index k) {
  float32x4_t sum = vdupq_n_f32(0);
  __asm__ volatile(
      "wlstp.32 lr, %[k], 2f\n"
      "1: vldrw.32 q0, [%[a]], #16\n vldrw.32 q1, [%[b]], #16\n vfma.f32 %q[sum], q0, q1\n letp lr, 1b\n 2:"
      : [a] "+r"(a), [b] "+r"(b), [sum] "+w"(sum)
      : [k] "r"(k)
      : "lr", "q0", "q1", "memory");
  return joined(sum);
}

#else

static inline __attribute__((always_inline)) void tile(const tsr__tile *t, const int rows, const ptrdiff_t a_step) {
  const char *a[ROWS], *b = t->b;
  const ptrdiff_t b_step = t->b_step;
  float sum[ROWS][COLUMNS];
#pragma GCC unroll 4
  for (int r = 0; r < rows; r++) {
    a[r] = t->a + r * t->a_row;
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; c++) sum[r][c] = 0;
  }
  for (tsr_index k = t->k; k > 0; k--) {
    float v[COLUMNS];
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; c++) v[c] = ((const float *)(const void *)b)[c];
    b += b_step;
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
      const float x = NUMBER(a[r]);
      a[r] += a_step;
#pragma GCC unroll 4
      for (int c = 0; c < COLUMNS; c++) sum[r][c] = tsr__fma_f32(x, v[c], sum[r][c]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
    for (int c = 0; c < COLUMNS; c++) ((float *)(void *)(t->out + r * t->out_row))[c] = sum[r][c];
}

void tsr__tile_four(const tsr__tile *t) {
  if (t->a_step == sizeof(float)) /* the loads advance by themselves */
    tile(t, ROWS, sizeof(float));
  else
    tile(t, ROWS, t->a_step);
}

void tsr__tile_one(const tsr__tile *t) { tile(t, 1, t->a_step); }

#if defined(TSR__SMLAD) && defined(__ARM_FEATURE_FMA) && defined(__ARM_FP)
#define BY_FOURS 1
#else
#define BY_FOURS 0
#endif
#if defined(__riscv_flen)
#define BY_FOUR_LOADS 1 /* loads reach that far: one step of the pointers for four numbers */
#else
#define BY_FOUR_LOADS 0
#endif

void tsr__tile_along(const float *a, const float *b, ptrdiff_t next, tsr_index k, float *sums) {
  const char *b0 = (const char *)b, *b1 = b0 + next, *b2 = b1 + next, *b3 = b2 + next;
  const float *x = a;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#if BY_FOURS
  for (; k >= 4; k -= 4) /* 23 instructions for 16 products */
    __asm__ volatile(
        "vldmia %[x]!, {s0-s3}\n vldmia %[b0]!, {s4-s7}\n vldmia %[b1]!, {s8-s11}\n"
        "vldmia %[b2]!, {s12-s15}\n vldmia %[b3]!, {s16-s19}\n"
        "vfma.f32 %[s0], s0, s4\n vfma.f32 %[s1], s0, s8\n vfma.f32 %[s2], s0, s12\n vfma.f32 %[s3], s0, s16\n"
        "vfma.f32 %[s0], s1, s5\n vfma.f32 %[s1], s1, s9\n vfma.f32 %[s2], s1, s13\n vfma.f32 %[s3], s1, s17\n"
        "vfma.f32 %[s0], s2, s6\n vfma.f32 %[s1], s2, s10\n vfma.f32 %[s2], s2, s14\n vfma.f32 %[s3], s2, s18\n"
        "vfma.f32 %[s0], s3, s7\n vfma.f32 %[s1], s3, s11\n vfma.f32 %[s2], s3, s15\n vfma.f32 %[s3], s3, s19\n"
        : [x] "+r"(x), [b0] "+r"(b0), [b1] "+r"(b1), [b2] "+r"(b2), [b3] "+r"(b3), [s0] "+t"(s0), [s1] "+t"(s1),
          [s2] "+t"(s2), [s3] "+t"(s3)
        :
        : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", "s16",
          "s17", "s18", "s19", "memory");
#elif BY_FOUR_LOADS
#define STEP(i)                                                      \
  s0 = tsr__fma_f32(x[i], ((const float *)(const void *)b0)[i], s0); \
  s1 = tsr__fma_f32(x[i], ((const float *)(const void *)b1)[i], s1); \
  s2 = tsr__fma_f32(x[i], ((const float *)(const void *)b2)[i], s2); \
  s3 = tsr__fma_f32(x[i], ((const float *)(const void *)b3)[i], s3)
  for (; k >= 4; k -= 4, x += 4, b0 += 4 * ITEM, b1 += 4 * ITEM, b2 += 4 * ITEM, b3 += 4 * ITEM) {
    STEP(0);
    STEP(1);
    STEP(2);
    STEP(3);
  }
#undef STEP
#endif
  for (; k > 0; k--, x++, b0 += sizeof(float), b1 += sizeof(float), b2 += sizeof(float), b3 += sizeof(float)) {
    s0 = tsr__fma_f32(*x, NUMBER(b0), s0);
    s1 = tsr__fma_f32(*x, NUMBER(b1), s1);
    s2 = tsr__fma_f32(*x, NUMBER(b2), s2);
    s3 = tsr__fma_f32(*x, NUMBER(b3), s3);
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

#endif

#if defined(TSR__MVE_FLOAT)
#define HAS_CONTIGUOUS_DOT 1
#elif BY_FOURS
#define HAS_CONTIGUOUS_DOT 1
/* Eight at a time, 12 instructions; what is left is added after them. */
static float contiguous_dot(const char *a, const char *b, tsr_index k) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (; k >= 8; k -= 8)
    __asm__ volatile(
        "vldmia %[a]!, {s0-s7}\n vldmia %[b]!, {s8-s15}\n"
        "vfma.f32 %[s0], s0, s8\n vfma.f32 %[s1], s1, s9\n vfma.f32 %[s2], s2, s10\n vfma.f32 %[s3], s3, s11\n"
        "vfma.f32 %[s0], s4, s12\n vfma.f32 %[s1], s5, s13\n vfma.f32 %[s2], s6, s14\n vfma.f32 %[s3], s7, s15\n"
        : [a] "+r"(a), [b] "+r"(b), [s0] "+t"(s0), [s1] "+t"(s1), [s2] "+t"(s2), [s3] "+t"(s3)
        :
        : "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15",
          "memory");
  float sum = (s0 + s1) + (s2 + s3);
  for (; k > 0; k--, a += sizeof(float), b += sizeof(float)) sum = tsr__fma_f32(NUMBER(a), NUMBER(b), sum);
  return sum;
}
#elif BY_FOUR_LOADS
#define HAS_CONTIGUOUS_DOT 1
/* The same sums, in C. */
static float contiguous_dot(const char *a, const char *b, tsr_index k) {
  const float *x = (const float *)(const void *)a, *y = (const float *)(const void *)b;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (; k >= 8; k -= 8, x += 8, y += 8) {
    s0 = tsr__fma_f32(x[4], y[4], tsr__fma_f32(x[0], y[0], s0));
    s1 = tsr__fma_f32(x[5], y[5], tsr__fma_f32(x[1], y[1], s1));
    s2 = tsr__fma_f32(x[6], y[6], tsr__fma_f32(x[2], y[2], s2));
    s3 = tsr__fma_f32(x[7], y[7], tsr__fma_f32(x[3], y[3], s3));
  }
  float sum = (s0 + s1) + (s2 + s3);
  for (; k > 0; k--, x++, y++) sum = tsr__fma_f32(*x, *y, sum);
  return sum;
}
#else
#define HAS_CONTIGUOUS_DOT 0
#endif

float tsr__tile_dot(const char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step, tsr_index k) {
#if HAS_CONTIGUOUS_DOT
  if (a_step == sizeof(float) && b_step == sizeof(float)) return contiguous_dot(a, b, k);
#endif
  float sum = 0;
  for (; k > 0; k--, a += a_step, b += b_step) sum = tsr__fma_f32(NUMBER(a), NUMBER(b), sum);
  return sum;
}

#endif
