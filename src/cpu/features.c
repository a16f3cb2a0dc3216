/* What the processor has. */
#include "cpu/isa_table.h"

#if defined(TSR_WITH_avx2) || defined(TSR_WITH_avx512)

#include <cpuid.h>

/* Clang 14 does not know f16c by name. Whether the system saves the registers, avx2 says. */
static bool has_f16c(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0 && __builtin_cpu_supports("avx2");
}

static uint32_t detect(void) {
  uint32_t found = has_f16c() ? TSR__CPU_F16C : 0;
  if (__builtin_cpu_supports("avx2")) found |= TSR__CPU_AVX2;
  if (__builtin_cpu_supports("fma")) found |= TSR__CPU_FMA;
  if (__builtin_cpu_supports("avx512f")) found |= TSR__CPU_AVX512F;
  if (__builtin_cpu_supports("avx512bw")) found |= TSR__CPU_AVX512BW;
  if (__builtin_cpu_supports("avx512vl")) found |= TSR__CPU_AVX512VL;
  if (__builtin_cpu_supports("avx512dq")) found |= TSR__CPU_AVX512DQ;
  if (__builtin_cpu_supports("avx512bf16")) found |= TSR__CPU_AVX512_BF16;
  if (__builtin_cpu_supports("avx512vnni")) found |= TSR__CPU_AVX512_VNNI;
  return found;
}

#elif defined(__aarch64__) && TSR_HAVE_MALLOC

#if defined(__linux__)
#include <sys/auxv.h>

/* The kernel's bits, which older headers do not name. */
enum { DOTPROD_1 = 1 << 20, I8MM_2 = 1 << 13, BF16_2 = 1 << 14 };

static uint32_t ask(void) {
  const unsigned long one = getauxval(AT_HWCAP), two = getauxval(AT_HWCAP2);
  return ((one & DOTPROD_1) != 0 ? TSR__CPU_ARM_DOTPROD : 0) | ((two & I8MM_2) != 0 ? TSR__CPU_ARM_I8MM : 0) |
         ((two & BF16_2) != 0 ? TSR__CPU_ARM_BF16 : 0);
}
#else
static uint32_t ask(void) { return 0; }
#endif

/* What every object is compiled for, the machine has. */
static uint32_t detect(void) {
  uint32_t found = ask();
#if defined(__ARM_FEATURE_DOTPROD)
  found |= TSR__CPU_ARM_DOTPROD;
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8)
  found |= TSR__CPU_ARM_I8MM;
#endif
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
  found |= TSR__CPU_ARM_BF16;
#endif
  return found;
}

#endif

#if defined(TSR_WITH_avx2) || defined(TSR_WITH_avx512) || (defined(__aarch64__) && TSR_HAVE_MALLOC)

uint32_t tsr__cpu_features(void) {
  static const uint32_t known = UINT32_C(1) << 31;
  static uint32_t features; /* threads that race here find the same ones */
  uint32_t found = __atomic_load_n(&features, __ATOMIC_RELAXED);
  if (found == 0) {
    found = detect() | known;
    __atomic_store_n(&features, found, __ATOMIC_RELAXED);
  }
  return found & ~known;
}

#else

uint32_t tsr__cpu_features(void) { return 0; }

#endif
