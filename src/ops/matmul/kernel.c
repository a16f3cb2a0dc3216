/* Which kernel multiplies. */
#include "ops/matmul/kernel.h"

#if TSR_HAVE_MALLOC

#define TABLE(type) static const tsr__gemm_kernel *const of_##type[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__gemm_##type);
TABLE(f32)
TABLE(i32)
TABLE(i64)
#if TSR_HAVE_F64
TABLE(f64)
#endif

const tsr__gemm_kernel *tsr__gemm_kernel_of(int isa, int sum) {
  switch (sum) {
    case TSR_F32: return of_f32[isa];
    case TSR_I32: return of_i32[isa];
    case TSR_I64: return of_i64[isa];
#if TSR_HAVE_F64
    case TSR_F64: return of_f64[isa];
#endif
    default: return NULL;
  }
}

#if defined(__x86_64__)
/* Whether every number of a dtype is an i16. */
static bool fits_i16(int dtype) { return dtype == TSR_I8 || dtype == TSR_U8 || dtype == TSR_I16; }

static const tsr__gemm_kernel *pairs_of(int isa) {
#if defined(TSR_WITH_avx2)
  if (isa != TSR__ISA_base) return &tsr__gemm_i16_avx2; /* machines with AVX-512 have AVX2 */
#endif
  (void)isa;
  return &tsr__gemm_i16_base;
}
#endif

const tsr__gemm_kernel *tsr__gemm_kernel_for(int isa, int a, int b, int sum) {
#if defined(TSR_WITH_avx512)
  if (isa >= TSR__ISA_avx512) { /* sets that come later need what it needs */
    if (a == TSR_BF16 && b == TSR_BF16 && sum == TSR_F32 && tsr__isa_has_bf16_dots()) return &tsr__gemm_bf16_avx512;
    if (a == TSR_I8 && b == TSR_I8 && sum == TSR_I32 && tsr__isa_has_byte_dots()) return &tsr__gemm_i8_avx512;
    if (a == TSR_U8 && b == TSR_I8 && sum == TSR_I32 && tsr__isa_has_byte_dots()) return &tsr__gemm_u8_avx512;
  }
#endif
#if defined(__x86_64__)
  if (fits_i16(a) && fits_i16(b) && sum == TSR_I32) return pairs_of(isa);
#endif
  (void)a;
  (void)b;
  return tsr__gemm_kernel_of(isa, sum);
}

#else

const tsr__gemm_kernel *tsr__gemm_kernel_of(int isa, int sum) {
  (void)isa;
  (void)sum;
  return NULL;
}

const tsr__gemm_kernel *tsr__gemm_kernel_for(int isa, int a, int b, int sum) {
  (void)a;
  (void)b;
  return tsr__gemm_kernel_of(isa, sum);
}

#endif
