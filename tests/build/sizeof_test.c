/* The size of a tensor: a promise. */
#include "support/test.h"
#include <tessera/tessera.h>

#if TSR_MAX_DIMS == 4 && TSR_INDEX_BITS == 32 && UINTPTR_MAX == UINT32_MAX
#define LIMIT 48
#else
#define LIMIT 160
#endif
_Static_assert(sizeof(tsr_tensor) <= LIMIT, "tsr_tensor has grown");
_Static_assert(sizeof(tsr_status) == sizeof(int), "a status is an int on every target");

TEST(a_tensor_is_small) {
  printf("sizeof(tsr_tensor) is %u bytes, at most %d\n", (unsigned)sizeof(tsr_tensor), LIMIT);
  CHECK(sizeof(tsr_tensor) <= LIMIT);
}

TEST_MAIN(RUN(a_tensor_is_small))
