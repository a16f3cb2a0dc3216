/* Instruction sets: names, choice by context, choice by environment. */
#define _POSIX_C_SOURCE 200112L
#include "cpu/isa_table.h"

#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_MALLOC
#include <stdlib.h>
#endif

/* First: the default is chosen once. */
TEST(environment_chooses_the_default) {
#if TSR_HAVE_MALLOC
  REQUIRE(setenv("TSR_ISA", "base", 1) == 0);
  CHECK(tsr__isa_default() == TSR__ISA_base);
  REQUIRE(setenv("TSR_ISA", "avx512", 1) == 0);
  CHECK(tsr__isa_default() == TSR__ISA_base); /* it stays */
  CHECK(tsr__isa_of(NULL) == TSR__ISA_base && strcmp(tsr_context_isa(NULL), "base") == 0);
#else
  CHECK(tsr__isa_default() == tsr__isa_best());
#endif
}

TEST(names_end_with_the_best) {
  CHECK(strcmp(tsr_isa_name(0), "base") == 0);
  CHECK(tsr_isa_name(-1) == NULL);
  int last = 0;
  while (tsr_isa_name(last) != NULL) last++;
  CHECK(last == tsr__isa_best() + 1 && last <= TSR__ISA_COUNT);
  CHECK(tsr_isa_name(last + 1) == NULL && tsr_isa_name(1000) == NULL);
}

/* Stored weights hold the ids: 0 is none, and each means one instruction set. */
TEST(ids_are_unique_and_lead_back) {
  for (int isa = 0; isa < TSR__ISA_COUNT; isa++) {
    const tsr__isa_row *const row = &tsr__isa_rows[isa];
    CHECK(row->id != TSR_ISA_NONE && tsr__isa_with_id(row->id) == (tsr__isa_runs(isa) ? isa : -1));
    for (int other = 0; other < isa; other++) CHECK(row->id != tsr__isa_rows[other].id);
  }
  int found = 0;
  for (int id = -1; id <= 256; id++) {
    const int isa = tsr__isa_with_id(id);
    CHECK(isa >= -1 && isa <= tsr__isa_best() && (isa < 0 || tsr__isa_rows[isa].id == id));
    found += isa >= 0;
  }
  CHECK(found == tsr__isa_best() + 1 && tsr__isa_with_id(TSR_ISA_NONE) == -1);
}

/* As bytes have them that were stored by any version. */
TEST(ids_never_change) {
  static const int ids[] = {TSR_ISA_X86_64_BASE,  TSR_ISA_X86_64_AVX2,  TSR_ISA_X86_64_AVX512, TSR_ISA_X86_32_BASE,
                            TSR_ISA_AARCH64_BASE, TSR_ISA_ARM_BASE,     TSR_ISA_ARM_MVE,       TSR_ISA_RISCV_BASE,
                            TSR_ISA_S390X_BASE,   TSR_ISA_OTHER_LITTLE, TSR_ISA_OTHER_BIG};
  static const int want[] = {16, 17, 18, 24, 32, 48, 49, 64, 80, 112, 113};
  for (int i = 0; i < COUNT_OF(ids); i++) CHECK(ids[i] == want[i]);
#if defined(__x86_64__)
  CHECK(tsr__isa_rows[0].id == 16);
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  CHECK(tsr__isa_rows[0].id == 32);
#elif defined(__s390x__)
  CHECK(tsr__isa_rows[0].id == 80);
#endif
}

/* Loops over tsr_isa_name end at the first that is not there, and kernels of one call those of the sets before it. */
TEST(each_needs_what_the_one_before_needs) {
  CHECK(tsr__isa_rows[0].needs == 0);
  for (int isa = 1; isa < TSR__ISA_COUNT; isa++) CHECK((tsr__isa_rows[isa - 1].needs & ~tsr__isa_rows[isa].needs) == 0);
  const uint32_t features = tsr__cpu_features();
  CHECK(features == tsr__cpu_features());
  for (int isa = 0; isa < TSR__ISA_COUNT; isa++)
    CHECK(tsr__isa_runs(isa) == ((features & tsr__isa_rows[isa].needs) == tsr__isa_rows[isa].needs) &&
          tsr__isa_runs(isa) == (isa <= tsr__isa_best()));
  CHECK(tsr__isa_has_bf16_dots() == ((features & (TSR__CPU_AVX512_BF16 | TSR__CPU_ARM_BF16)) != 0));
  CHECK(tsr__isa_has_byte_dots() == ((features & (TSR__CPU_AVX512_VNNI | TSR__CPU_ARM_DOTPROD)) != 0));
  CHECK(tsr__isa_has_byte_tiles() == ((features & TSR__CPU_ARM_I8MM) != 0));
}

TEST(weights_of_an_id_that_is_not_here_are_refused_by_name) {
  tsr_ctx *const ctx = test_context();
  int isa = 7;
  OK(ctx, tsr__isa_find(ctx, "op", "b", tsr__isa_rows[0].id, &isa));
  CHECK(isa == 0);
  FAILS(ctx, TSR_EUNSUPPORTED, tsr__isa_find(ctx, "op", "b", 0, &isa));
  MESSAGE_HAS(ctx, "op: b was packed for instruction set 0, which is none; this machine has ");
  FAILS(ctx, TSR_EUNSUPPORTED, tsr__isa_find(ctx, "op", "b", 200, &isa));
  MESSAGE_HAS(ctx, "instruction set 200, which is none");
  const bool arm = tsr__isa_rows[0].id == TSR_ISA_AARCH64_BASE;
  FAILS(ctx, TSR_EUNSUPPORTED, tsr__isa_find(ctx, "op", "b", arm ? TSR_ISA_X86_64_AVX512 : TSR_ISA_AARCH64_BASE, &isa));
  MESSAGE_HAS(ctx, arm ? "was packed for avx512, this build has aarch64 base; pack it again"
                       : "was packed for aarch64 base, this build has ");
#if defined(TSR_WITH_avx512)
  if (!tsr__isa_runs(TSR__ISA_avx512)) {
    FAILS(ctx, TSR_EUNSUPPORTED, tsr__isa_find(ctx, "op", "b", TSR_ISA_X86_64_AVX512, &isa));
    MESSAGE_HAS(ctx, "was packed for avx512, this machine has ");
  }
#endif
}

TEST(context_chooses) {
  tsr_ctx *const ctx = test_context();
  CHECK(tsr__isa_of(ctx) == tsr__isa_default());
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    CHECK(tsr__isa_of(ctx) == isa && strcmp(tsr_context_isa(ctx), tsr_isa_name(isa)) == 0);
  }
  const uint8_t before = ctx->isa;
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_context_set_isa(ctx, "abacus"));
  MESSAGE_HAS(ctx, "context_set_isa: name abacus is not an instruction set of this build and machine");
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_context_set_isa(ctx, ""));
  FAILS(ctx, TSR_EARG, tsr_context_set_isa(ctx, NULL));
  FAILS(NULL, TSR_EARG, tsr_context_set_isa(NULL, "base"));
  CHECK(ctx->isa == before);
}

TEST(every_instruction_set_computes_the_same) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, want = {0}, same = {0};
  OK(ctx, tsr_linspace(ctx, TSR_F32, -70, 70, 203, &x));
  OK(ctx, tsr_context_set_isa(ctx, "base"));
  OK(ctx, tsr_cast(ctx, &x, TSR_I16, &want));
  for (int isa = 1; tsr_isa_name(isa) != NULL; isa++) {
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    OK(ctx, tsr_cast(ctx, &x, TSR_I16, &same));
    CHECK(test_same_elements(&want, &same));
    tsr_release(&same);
  }
  tsr_release(&x);
  tsr_release(&want);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(environment_chooses_the_default), RUN(names_end_with_the_best), RUN(ids_are_unique_and_lead_back),
          RUN(ids_never_change), RUN(each_needs_what_the_one_before_needs),
          RUN(weights_of_an_id_that_is_not_here_are_refused_by_name), RUN(context_chooses),
          RUN(every_instruction_set_computes_the_same))
