/* Instruction sets: names, choice by context, choice by environment. */
#define _POSIX_C_SOURCE 200112L
#include "cpu/isa.h"

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

TEST_MAIN(RUN(environment_chooses_the_default), RUN(names_end_with_the_best), RUN(context_chooses),
          RUN(every_instruction_set_computes_the_same))
