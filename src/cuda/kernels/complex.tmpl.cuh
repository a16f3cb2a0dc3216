/* Complex numbers of a compute type C, once: the host's arithmetic. P is the type of a part, and of real numbers with it. */
#if C_BITS == 64 && !defined(HAS_C64)
#define HAS_C64
#define P float
#define P_BITS 32
#elif C_BITS == 128 && !defined(HAS_C128)
#define HAS_C128
#define P double
#define P_BITS 64
#endif
#ifdef P
#include "cuda/kernels/complex.cuh"
#include "cpu/math/complex.tmpl.h"

static inline C FN(rounded)(C x) { return (C){rounded_part(x.re), rounded_part(x.im)}; }

/* a·b + c by two fused operations for each part. */
static inline C FN(product_and_sum)(C a, C b, C c) {
  return (C){fused_parts(a.re, b.re, fused_parts(-a.im, b.im, c.re)), fused_parts(a.im, b.re, fused_parts(a.re, b.im, c.im))};
}
static inline C FN(with_product)(C x, C a, C b, P p) { return FN(tsr__add)(x, FN(tsr__mul)((C){p * a.re, p * a.im}, b)); }
#undef P
#undef P_BITS
#endif
