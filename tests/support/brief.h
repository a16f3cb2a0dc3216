/* Whether tests that go through very many cases take a part of them: under sanitizers and emulators, and where
 * TSR_TEST_BRIEF is set in the environment, as under valgrind. Every path is still taken. */
#ifndef TSR_TEST_BRIEF_H
#define TSR_TEST_BRIEF_H

#include <stdlib.h>

#include "memory/sanitizers.h"

static inline int test_brief(void) {
#if TEST_ASAN || TEST_TSAN || TEST_MSAN || defined(TSR_EMULATED)
  return 1;
#else
  return getenv("TSR_TEST_BRIEF") != NULL;
#endif
}

/* One of how many is taken: all, or every nth where tests are brief. */
static inline int test_every(int nth) { return test_brief() ? nth : 1; }

#endif
