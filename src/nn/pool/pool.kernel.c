#include "cpu/fast_when_small.h"

#include "nn/pool/pool.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"
#define KERNELS "nn/pool/pool.tmpl.h"
#else
#include "cpu/vec/vec.h"
#include "nn/pool/squares.h"
#define KERNELS "nn/pool/pool_plain.tmpl.h"
#endif

/* NaN when either is. */
static inline float greater_f32(float a, float v) {
  const float most = v > a ? v : a;
  return v != v ? v : most;
}
#if TSR_HAVE_F64
static inline double greater_f64(double a, double v) {
  const double most = v > a ? v : a;
  return v != v ? v : most;
}
#endif

#define OP(name) FN(name##_max)
#define JOIN(a, v) FN(greater)(a, v)
#define VJOIN(a, v) VF(_max_nan)(a, v)
#define JOIN_NUMBERS(a, v) (!((v) <= (a)) ? (v) : (a))
/* By hand: compilers take predicates out of their register and put them back. */
#define VJOIN_NUMBERS(a, v) \
  __asm__("vcmp.f32 gt, %q[x], %q[most]\n vpsel %q[most], %q[x], %q[most]" : [most] "+w"(a) : [x] "w"(v) : "p0")
#define SQUARE(n, square) tsr__square_max(n, square)
#define WATCHES 1
#define NEUTRAL (-(C)__builtin_inff())
#define HAS_DIVIDE 0
#define TEMPLATE KERNELS
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
#undef OP
#undef JOIN
#undef VJOIN
#undef JOIN_NUMBERS
#undef VJOIN_NUMBERS
#undef SQUARE
#undef WATCHES
#undef NEUTRAL
#undef HAS_DIVIDE

#define OP(name) FN(name##_sum)
#define JOIN(a, v) ((a) + (v))
#define VJOIN(a, v) ((a) + (v))
#define JOIN_NUMBERS(a, v) ((a) + (v))
#define VJOIN_NUMBERS(a, v) (a) = vaddq_f32(a, v)
#define SQUARE(n, square) tsr__square_mean(n, square)
#define WATCHES 0
#define NEUTRAL ((C)0)
#define HAS_DIVIDE 1
#define TEMPLATE KERNELS
#define TSR__NO_INTEGERS
#include "core/each_compute.h"

tsr__pool_table TSR__ISA_NAME(tsr__max_pool) = {
    [TSR_F32] = &kernel_max_f32,
#if TSR_HAVE_F64
    [TSR_F64] = &kernel_max_f64,
#endif
};

tsr__pool_table TSR__ISA_NAME(tsr__avg_pool) = {
    [TSR_F32] = &kernel_sum_f32,
#if TSR_HAVE_F64
    [TSR_F64] = &kernel_sum_f64,
#endif
};
