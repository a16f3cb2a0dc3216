/* Which instruction set to use. */
#include "cpu/isa_table.h"

#include "core/fail.h"

#include <string.h>

#if TSR_HAVE_MALLOC /* a hosted C library, with an environment */
#include <stdlib.h>
static const char *asked_for(void) { return getenv("TSR_ISA"); }
#else
static const char *asked_for(void) { return NULL; }
#endif

/* The id of base is the architecture's: what base is compiled for is what every object is. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && !defined(__s390x__)
#define ID_base TSR_ISA_OTHER_BIG
#elif defined(__x86_64__)
#define ID_base TSR_ISA_X86_64_BASE
#elif defined(__i386__)
#define ID_base TSR_ISA_X86_32_BASE
#elif defined(__aarch64__)
#define ID_base TSR_ISA_AARCH64_BASE
#elif defined(__arm__) && defined(__ARM_FEATURE_MVE)
#define ID_base TSR_ISA_ARM_MVE
#elif defined(__arm__)
#define ID_base TSR_ISA_ARM_BASE
#elif defined(__riscv)
#define ID_base TSR_ISA_RISCV_BASE
#elif defined(__s390x__)
#define ID_base TSR_ISA_S390X_BASE
#else
#define ID_base TSR_ISA_OTHER_LITTLE
#endif
#define ID_avx2 TSR_ISA_X86_64_AVX2
#define ID_avx512 TSR_ISA_X86_64_AVX512

/* What the flags in cmake/isa.cmake let a compiler use. */
#define NEEDS_base 0
#define NEEDS_avx2 (TSR__CPU_AVX2 | TSR__CPU_FMA | TSR__CPU_F16C)
#define NEEDS_avx512 (NEEDS_avx2 | TSR__CPU_AVX512F | TSR__CPU_AVX512BW | TSR__CPU_AVX512VL | TSR__CPU_AVX512DQ)

const tsr__isa_row tsr__isa_rows[TSR__ISA_COUNT] = {
#define X(isa) {#isa, ID_##isa, NEEDS_##isa},
    TSR_ISA_LIST(X)
#undef X
};

bool tsr__isa_runs(int isa) { return (tsr__isa_rows[isa].needs & ~tsr__cpu_features()) == 0; }

int tsr__isa_best(void) {
  int isa = TSR__ISA_COUNT - 1;
  while (isa > 0 && !tsr__isa_runs(isa)) isa--;
  return isa;
}

int tsr__isa_with_id(int id) {
  for (int isa = 0; isa < TSR__ISA_COUNT; isa++)
    if (tsr__isa_rows[isa].id == id) return tsr__isa_runs(isa) ? isa : -1;
  return -1;
}

static bool has(uint32_t any) { return (tsr__cpu_features() & any) != 0; }
bool tsr__isa_has_bf16_dots(void) { return has(TSR__CPU_AVX512_BF16 | TSR__CPU_ARM_BF16); }
bool tsr__isa_has_byte_dots(void) { return has(TSR__CPU_AVX512_VNNI | TSR__CPU_ARM_DOTPROD); }
bool tsr__isa_has_byte_tiles(void) { return has(TSR__CPU_ARM_I8MM); }

const char *tsr_isa_name(int isa) { return isa >= 0 && isa <= tsr__isa_best() ? tsr__isa_rows[isa].name : NULL; }

const char *tsr_context_isa(const tsr_ctx *ctx) { return tsr__isa_rows[tsr__isa_of(ctx)].name; }

/* The number of a name that this machine can run, or -1. */
static int find_isa(const char *name) {
  for (int isa = 0; isa <= tsr__isa_best(); isa++)
    if (strcmp(tsr__isa_rows[isa].name, name) == 0) return isa;
  return -1;
}

static int chosen = -1; /* threads that race for it find the same number */

static TSR__COLD int choose(void) {
  const char *const name = asked_for();
  int isa = name != NULL ? find_isa(name) : -1;
  if (isa < 0) isa = tsr__isa_best();
  __atomic_store_n(&chosen, isa, __ATOMIC_RELAXED);
  return isa;
}

/* Every small call comes by: the rest is apart. */
int tsr__isa_default(void) {
  const int isa = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  return isa >= 0 ? isa : choose();
}

tsr_status tsr_context_set_isa(tsr_ctx *ctx, const char *name) {
  static const char op[] = "context_set_isa";
  if (ctx == NULL) return TSR__FAIL(NULL, TSR_EARG, op, "ctx", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  const int isa = find_isa(name);
  if (isa < 0)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "name", "%s is not an instruction set of this build and machine", name);
  ctx->isa = (uint8_t)(isa + 1);
  return TSR_OK;
}
