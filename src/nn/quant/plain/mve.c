/* Dots of bytes by vectors: see mve.h. By hand where compilers neither keep a loop in one instruction nor sums in
 * the registers that can be added to. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/dot.h"

#if defined(TSR__MVE)

/* A patch with four filters, k > 0: 10 instructions for 64 products. Sums begin with what is at bias. */
static inline int32x4_t dots(const int8_t *p, const int8_t *w, ptrdiff_t next, tsr_index k, const int32_t *bias) {
  const int8_t *w1 = w + next, *w2 = w1 + next, *w3 = w2 + next;
  int32_t s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];
  int32x4_t sums;
  __asm__ volatile(
      "dlstp.8 lr, %[k]\n"
      "1: vldrb.8 q0, [%[p]], #16\n"
      "vldrb.8 q1, [%[w0]], #16\n vmladava.s8 %[s0], q0, q1\n"
      "vldrb.8 q1, [%[w1]], #16\n vmladava.s8 %[s1], q0, q1\n"
      "vldrb.8 q1, [%[w2]], #16\n vmladava.s8 %[s2], q0, q1\n"
      "vldrb.8 q1, [%[w3]], #16\n vmladava.s8 %[s3], q0, q1\n"
      "letp lr, 1b\n"
      "vmov %e[v], %[s0], %[s1]\n vmov %f[v], %[s2], %[s3]\n"
      : [v] "=&w"(sums), [p] "+r"(p), [w0] "+r"(w), [w1] "+r"(w1), [w2] "+r"(w2), [w3] "+r"(w3), [s0] "+Te"(s0),
        [s1] "+Te"(s1), [s2] "+Te"(s2), [s3] "+Te"(s3)
      : [k] "r"(k)
      : "lr", "q0", "q1", "memory");
  return sums;
}

void tsr__mve_dots(const int8_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums) {
  vstrwq_s32(sums, dots(patch, w, next, k, sums));
}

/* 10 instructions for 32 products. */
void tsr__mve_dots_wide(const int16_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums) {
  const int8_t *w1 = w + next, *w2 = w1 + next, *w3 = w2 + next;
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  __asm__ volatile(
      "dlstp.16 lr, %[k]\n"
      "1: vldrh.16 q0, [%[p]], #16\n"
      "vldrb.s16 q1, [%[w0]], #8\n vmladava.s16 %[s0], q0, q1\n"
      "vldrb.s16 q1, [%[w1]], #8\n vmladava.s16 %[s1], q0, q1\n"
      "vldrb.s16 q1, [%[w2]], #8\n vmladava.s16 %[s2], q0, q1\n"
      "vldrb.s16 q1, [%[w3]], #8\n vmladava.s16 %[s3], q0, q1\n"
      "letp lr, 1b\n"
      : [p] "+r"(patch), [w0] "+l"(w), [w1] "+l"(w1), [w2] "+l"(w2), [w3] "+l"(w3), [s0] "+Te"(s0), [s1] "+Te"(s1),
        [s2] "+Te"(s2), [s3] "+Te"(s3)
      : [k] "r"(k)
      : "lr", "q0", "q1", "memory");
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

void tsr__mve_end_wide(const tsr__mve_filters *f, tsr_index n, const int32_t *sums, int16_t *out) {
  const int32x4_t low = vdupq_n_s32(f->low), high = vdupq_n_s32(f->high);
  for (tsr_index o = 0; o < n; o += 4) {
    const mve_pred16_t some = vctp32q((uint32_t)(n - o));
    const int32x4_t y = vaddq_n_s32(tsr__mve_scaled(vldrwq_z_s32(sums + o, some), vldrwq_z_s32(f->multiplier + o, some),
                                                    vldrwq_z_s32(f->shift + o, some)),
                                    f->zero);
    vstrhq_p_s32(out + o, vminq_s32(vmaxq_s32(y, low), high), some);
  }
}

void tsr__mve_run(const tsr__mve_filters *f, const int8_t *patch, char *out) {
  const tsr_index k = f->k, last = f->count - 4;
  const int32x4_t low = vdupq_n_s32(f->low), high = vdupq_n_s32(f->high);
  const int32_t zero = f->zero, *bias = f->bias, *multiplier = f->multiplier, *shift = f->shift;
  const int8_t *w = f->w;
  tsr_index left = last;
  for (;;) {
    const int32x4_t y =
        vaddq_n_s32(tsr__mve_scaled(dots(patch, w, k, k, bias), vldrwq_s32(multiplier), vldrwq_s32(shift)), zero);
    vstrbq_s32((int8_t *)out, vminq_s32(vmaxq_s32(y, low), high));
    if (left == 0) return;
    const tsr_index step = left < 4 ? left : 4; /* some are done twice */
    left -= step;
    out += step;
    bias += step;
    multiplier += step;
    shift += step;
    w += step * k;
  }
}

void tsr__mve_end(const tsr__mve_filters *f, const int32_t *sums, char *out) {
  const int32x4_t low = vdupq_n_s32(f->low), high = vdupq_n_s32(f->high);
  const int32_t zero = f->zero, *const multiplier = f->multiplier, *const shift = f->shift;
  const tsr_index count = f->count;
  for (tsr_index o = 0; o < count; o += 4) {
    const int32x4_t y =
        vaddq_n_s32(tsr__mve_scaled(vldrwq_s32(sums + o), vldrwq_s32(multiplier + o), vldrwq_s32(shift + o)), zero);
    vstrbq_s32((int8_t *)out + o, vminq_s32(vmaxq_s32(y, low), high));
  }
}

#if TSR__ROUND_TWICE
#define HIGH_WORDS "vqrdmulh.s32 q0, q0, %q[multiplier]\n vshr.s32 q1, q0, #31\n vadd.i32 q0, q0, q1\n"
#else
#define HIGH_WORDS "vqdmulh.s32 q0, q0, %q[multiplier]\n"
#endif

/* The filters stay in registers. */
void tsr__mve_points(const tsr__mve_filters *f, const char *x, ptrdiff_t step, char *out, ptrdiff_t out_step,
                     tsr_index count) {
  const tsr_index last = f->count - 4, k = f->k;
  const mve_pred16_t some = vctp8q((uint32_t)k);
  int32x4_t bounds[2] = {vdupq_n_s32(f->low), vdupq_n_s32(f->high)};
  for (tsr_index o = 0;; o = o + 4 < last ? o + 4 : last) {
    const int8_t *const w = f->w + o * k;
    const char *from = x;
    char *to = out + o;
    const int32x4_t bias = vldrwq_s32(f->bias + o), multiplier = vldrwq_s32(f->multiplier + o);
    const int32x4_t down = vsubq_s32(vdupq_n_s32(31), vldrwq_s32(f->shift + o));
    const int8x16_t w0 = vldrbq_z_s8(w, some), w1 = vldrbq_z_s8(w + k, some), w2 = vldrbq_z_s8(w + 2 * k, some);
    int32_t s0 = (int32_t)k, s1, s2, s3;
    __asm__ volatile(
        "vctp.8 %[s0]\n dls lr, %[count]\n"
        "1: vpstt\n vldrbt.8 q0, [%[x]]\n vldrbt.8 q1, [%[w3]]\n add %[x], %[step]\n"
        "vmladav.s8 %[s0], q0, %q[w0]\n vmladav.s8 %[s1], q0, %q[w1]\n"
        "vmladav.s8 %[s2], q0, %q[w2]\n vmladav.s8 %[s3], q0, q1\n"
        "vmov d0, %[s0], %[s1]\n vmov d1, %[s2], %[s3]\n"
        "vadd.i32 q0, q0, %q[bias]\n" HIGH_WORDS
        "vrshl.s32 q0, q0, %q[down]\n"
        "vldrw.32 q1, [%[bounds]]\n vadd.i32 q0, q0, %[zero]\n vmax.s32 q0, q0, q1\n"
        "vldrw.32 q1, [%[bounds], #16]\n vmin.s32 q0, q0, q1\n vstrb.32 q0, [%[to]]\n add %[to], %[out_step]\n"
        "le lr, 1b\n"
        : [x] "+r"(from), [to] "+r"(to), [s0] "+Te"(s0), [s1] "=&Te"(s1), [s2] "=&Te"(s2), [s3] "=&Te"(s3)
        : [count] "r"(count), [w3] "r"(w + 3 * k), [step] "r"(step), [out_step] "r"(out_step), [zero] "r"(f->zero),
          [bounds] "r"(bounds), [w0] "w"(w0), [w1] "w"(w1), [w2] "w"(w2), [bias] "w"(bias),
          [multiplier] "w"(multiplier), [down] "w"(down)
        : "lr", "q0", "q1", "p0", "memory");
    if (o == last) return;
  }
}

#endif
