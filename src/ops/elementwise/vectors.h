/* Rows of f32 by vectors that take subnormal numbers for 0 (MVE), with the bits of loops that do not: where the flags tell that there was
 * one, or a NaN where that matters, a part of the row is done again, element by element. */
#ifndef TSR_OPS_ELEMENTWISE_VECTORS_H
#define TSR_OPS_ELEMENTWISE_VECTORS_H

#include "cpu/float_flags.h"
#include "ops/elementwise/kernels.h"

#if defined(TSR__MVE_FLOAT)
#define TSR__ROWS_IN_VECTORS 1

/* What four numbers of x and y, in q0 and q1, become in q2. */
#define TSR__VECTORS_add "vadd.f32 q2, q0, q1\n"
#define TSR__VECTORS_sub "vsub.f32 q2, q0, q1\n"
#define TSR__VECTORS_mul "vmul.f32 q2, q0, q1\n"
#define TSR__VECTORS_maximum "vcmp.f32 gt, q0, q1\n vpsel q2, q0, q1\n"
#define TSR__VECTORS_minimum "vcmp.f32 lt, q0, q1\n vpsel q2, q0, q1\n"
#define TSR__VECTORS_fmax "vcmp.f32 ge, q0, q1\n vpsel q2, q0, q1\n"
#define TSR__VECTORS_fmin "vcmp.f32 le, q0, q1\n vpsel q2, q0, q1\n"
#define TSR__VECTORS_abs "vabs.f32 q2, q0\n"
#define TSR__VECTORS_neg "vneg.f32 q2, q0\n"
#define TSR__VECTORS_square "vmul.f32 q2, q0, q0\n"
#define TSR__VECTORS_relu "vcmp.f32 lt, q0, zr\n vpsel q2, q1, q0\n" /* y is 0 */
#define TSR__VECTORS_sign                                        \
  "vmov.f32 q2, #1.0\n vcmp.f32 gt, q0, zr\n vpsel q2, q2, q1\n" \
  "vcmp.f32 lt, q0, zr\n vmov.f32 q0, #-1.0\n vpsel q2, q0, q2\n" /* so */

/* Which inputs go on; the others repeat their first element. */
enum { TSR__X_ON = 1, TSR__Y_ON = 2 };

typedef void tsr__vector_loop(int on, tsr_index n, float *z, const float *x, const float *y);

#define TSR__VECTORS_LOAD(q, at) "vldrw.32 " q ", [%[" at "]], #16\n"
#define TSR__VECTORS_STORE "vstrw.32 q2, [%[z]], #16\n"

/* Eight at a time, then what is left. */
#define TSR__VECTORS_RUN(loads, what)                                                        \
  __asm__ volatile(                                                                          \
      "vdup.32 q0, %[x0]\n vdup.32 q1, %[y0]\n wls lr, %[eights], 2f\n"                      \
      "1: " loads what TSR__VECTORS_STORE loads what TSR__VECTORS_STORE                      \
      "le lr, 1b\n"                                                                          \
      "2: wlstp.32 lr, %[rest], 4f\n 3: " loads what TSR__VECTORS_STORE "letp lr, 3b\n4:\n"  \
      : [x] "+r"(x), [y] "+r"(y), [z] "+r"(z)                                                \
      : [eights] "r"(n / 8), [rest] "r"(n % 8), [x0] "r"(*(const int32_t *)(const void *)x), \
        [y0] "r"(*(const int32_t *)(const void *)y)                                          \
      : "lr", "q0", "q1", "q2", "p0", "cc", "memory")

#define TSR__VECTORS_LOOP(name, what)                                                    \
  static void name(int on, tsr_index n, float *z, const float *x, const float *y) {      \
    if (on == TSR__X_ON)                                                                 \
      TSR__VECTORS_RUN(TSR__VECTORS_LOAD("q0", "x"), what);                              \
    else if (on == TSR__Y_ON)                                                            \
      TSR__VECTORS_RUN(TSR__VECTORS_LOAD("q1", "y"), what);                              \
    else                                                                                 \
      TSR__VECTORS_RUN(TSR__VECTORS_LOAD("q0", "x") TSR__VECTORS_LOAD("q1", "y"), what); \
  }

/* An input that is the output is still to be read when its part has to be done again: vectors write to the stack then. */
enum { TSR__VECTORS_PART = 1024, TSR__VECTORS_BLOCK = 32 };

static inline void tsr__in_vectors(tsr__vector_loop *vectors, tsr__vector_loop *singles, int on, tsr_index n, float *z,
                                   const float *x, const float *y) {
  const uint32_t odd = TSR__SUBNORMAL_LOST | TSR__NAN_COMPARED;
  float block[TSR__VECTORS_BLOCK];
  const bool in_place = z == x || z == y;
  const tsr_index most = in_place ? TSR__VECTORS_BLOCK : TSR__VECTORS_PART;
  while (n > 0) {
    const tsr_index part = n < most ? n : most;
    const uint32_t before = tsr__flags_begin(odd);
    vectors(on, part, in_place ? block : z, x, y);
    if (tsr__flags_end(before, odd)) {
      singles(on, part, z, x, y);
    } else if (in_place) {
      for (tsr_index i = 0; i < part; i += 4) {
        const mve_pred16_t there = vctp32q((uint32_t)(part - i));
        vstrwq_p_f32(z + i, vldrwq_f32(block + i), there);
      }
    }
    n -= part;
    z += part;
    if ((on & TSR__X_ON) != 0) x += part;
    if ((on & TSR__Y_ON) != 0) y += part;
  }
}
#endif

#endif
