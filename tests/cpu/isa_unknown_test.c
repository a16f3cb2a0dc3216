/* TSR_ISA with a name that is no instruction set: the best one is used, and tsr_context_isa says so. A test of its own,
 * because the choice is made once. */
#define _POSIX_C_SOURCE 200112L
#include "cpu/isa.h"

#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_MALLOC
#include <stdlib.h>
#endif

TEST(an_unknown_name_is_ignored) {
#if TSR_HAVE_MALLOC
  REQUIRE(setenv("TSR_ISA", "abacus", 1) == 0);
  const char *const used = tsr_context_isa(NULL);
  CHECK(strcmp(used, "abacus") != 0 && strcmp(used, tsr_isa_name(tsr__isa_best())) == 0);
  CHECK(tsr_error(NULL)[0] == '\0'); /* no call failed */
#else
  SKIP("no environment");
#endif
}

TEST_MAIN(RUN(an_unknown_name_is_ignored))
