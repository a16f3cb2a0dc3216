/* Which kernel multiplies. */
#include "ops/matmul/kernel.h"

#if TSR_HAVE_MALLOC

const tsr__gemm_kernel *tsr__gemm_kernel_of(int isa, int sum) {
#define X(name) &tsr__gemm_f32_##name,
  static const tsr__gemm_kernel *const f32[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
  return sum == TSR_F32 ? f32[isa] : NULL;
}

#endif
