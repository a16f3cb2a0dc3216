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
TABLE(bf16)
TABLE(u8)
TABLE(i8)
TABLE(i16)
TABLE(bf16_tiles)
TABLE(u8_tiles)
TABLE(i8_tiles)
TABLE(f32_bf16)
TABLE(f32_f16)
TABLE(f32_i8)

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

/* Whether every number of a dtype is an i16. */
static bool fits_i16(int dtype) { return dtype == TSR_I8 || dtype == TSR_U8 || dtype == TSR_I16; }

/* The kernel of pairs of a set or of the nearest one below it, which its machines have too. NULL: none. */
static const tsr__gemm_kernel *pairs_of(int isa) {
  while (isa >= 0 && of_i16[isa]->micro == NULL) isa--;
  return isa >= 0 ? of_i16[isa] : NULL;
}

/* The same by tiles. */
static const tsr__gemm_kernel *tiles_of(int isa, int a, int b, int sum) {
  const tsr__gemm_kernel *const kernel = a == TSR_BF16 && b == TSR_BF16 && sum == TSR_F32 ? of_bf16_tiles[isa]
                                         : a == TSR_I8 && b == TSR_I8 && sum == TSR_I32   ? of_i8_tiles[isa]
                                         : a == TSR_U8 && b == TSR_I8 && sum == TSR_I32   ? of_u8_tiles[isa]
                                                                                          : NULL;
  if (kernel == NULL || kernel->micro == NULL) return NULL;
  return (sum == TSR_F32 ? tsr__isa_has_bf16_dots() : tsr__isa_has_byte_tiles()) ? kernel : NULL;
}

/* The kernel of operands of these dtypes, where the machine has dots of them. NULL: none. */
static const tsr__gemm_kernel *dots_of(int isa, int a, int b, int sum) {
  const tsr__gemm_kernel *const kernel = a == TSR_BF16 && b == TSR_BF16 && sum == TSR_F32 ? of_bf16[isa]
                                         : a == TSR_I8 && b == TSR_I8 && sum == TSR_I32   ? of_i8[isa]
                                         : a == TSR_U8 && b == TSR_I8 && sum == TSR_I32   ? of_u8[isa]
                                                                                          : NULL;
  if (kernel == NULL || kernel->micro == NULL) return NULL;
  return (sum == TSR_F32 ? tsr__isa_has_bf16_dots() : tsr__isa_has_byte_dots()) ? kernel : NULL;
}

/* The kernel of f32 by narrower weights. NULL: they are not that. */
static const tsr__gemm_kernel *mixed_of(int isa, int a, int b, int sum) {
  if (a != TSR_F32 || sum != TSR_F32) return NULL;
  return b == TSR_BF16 ? of_f32_bf16[isa] : b == TSR_F16 ? of_f32_f16[isa] : b == TSR_I8 ? of_f32_i8[isa] : NULL;
}

const tsr__gemm_kernel *tsr__gemm_kernel_for(int isa, int a, int b, int sum) {
  const tsr__gemm_kernel *kernel = tiles_of(isa, a, b, sum);
  if (kernel == NULL) kernel = dots_of(isa, a, b, sum);
  if (kernel == NULL) kernel = mixed_of(isa, a, b, sum);
  if (kernel == NULL && fits_i16(a) && fits_i16(b) && sum == TSR_I32) kernel = pairs_of(isa);
  return kernel != NULL ? kernel : tsr__gemm_kernel_of(isa, sum);
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
