/* Which instruction set to use. */
#include "cpu/isa.h"

#include "core/fail.h"

#include <string.h>

#if TSR_HAVE_MALLOC /* a hosted C library, with an environment */
#include <stdlib.h>
static const char *asked_for(void) { return getenv("TSR_ISA"); }
#else
static const char *asked_for(void) { return NULL; }
#endif

static const char *const names[TSR__ISA_COUNT] = {
#define X(isa) #isa,
    TSR_ISA_LIST(X)
#undef X
};

int tsr__isa_best(void) {
#if defined(TSR_WITH_avx512)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("fma"))
    return TSR__ISA_avx512;
#endif
#if defined(TSR_WITH_avx2)
  /* Clang 14 does not know f16c by name; every processor with AVX2 has it. */
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return TSR__ISA_avx2;
#endif
  return TSR__ISA_base;
}

#if defined(TSR_WITH_avx512)
bool tsr__isa_has_bf16_dots(void) { return __builtin_cpu_supports("avx512bf16") != 0; }
bool tsr__isa_has_byte_dots(void) { return __builtin_cpu_supports("avx512vnni") != 0; }
#else
bool tsr__isa_has_bf16_dots(void) { return false; }
bool tsr__isa_has_byte_dots(void) { return false; }
#endif

const char *tsr_isa_name(int isa) { return isa >= 0 && isa <= tsr__isa_best() ? names[isa] : NULL; }

/* The number of a name that this machine can run, or -1. */
static int find_isa(const char *name) {
  for (int isa = 0; isa <= tsr__isa_best(); isa++)
    if (strcmp(names[isa], name) == 0) return isa;
  return -1;
}

int tsr__isa_default(void) {
  static int chosen = -1; /* threads that race here find the same number */
  int isa = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (isa >= 0) return isa;
  const char *const name = asked_for();
  isa = name != NULL ? find_isa(name) : -1;
  if (isa < 0) isa = tsr__isa_best();
  __atomic_store_n(&chosen, isa, __ATOMIC_RELAXED);
  return isa;
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
