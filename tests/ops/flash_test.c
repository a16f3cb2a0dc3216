/* Tensors that the program was compiled with (examples/flash.c): the same on a server and on a microcontroller, where
 * they lie in flash. */
#include <tessera/tensor.h>
#include "support/test.h"

#define main example_flash
#include "../../examples/flash.c"
#undef main

TEST(the_example_runs) { CHECK(example_flash() == 0); }

TEST(constants_are_tensors) {
  float result[3] = {0};
  const float pixel[3] = {0.485f, 0.456f, 1.406f};
  CHECK(normalise(pixel, result) == TSR_OK);
  CHECK(result[0] == 0 && result[1] == 0 && result[2] > 4.44f && result[2] < 4.45f);
  CHECK((uintptr_t)flash_gain.data % 16 == 0 && flash_edges.ndim == 2 && flash_edges.stride[0] == 3);
}

TEST(they_cannot_be_outputs) {
  tsr_tensor out = flash_gain;
  FAILS(NULL, TSR_EREADONLY, tsr_sub(NULL, &flash_gain, &flash_offset, &out));
}

TEST(they_lie_in_flash) {
#if defined(__arm__) && !defined(__linux__)
  CHECK((uintptr_t)flash_gain.data < 0x20000000u && (uintptr_t)&flash_gain < 0x20000000u);
#else
  SKIP("no flash here");
#endif
}

TEST_MAIN(RUN(the_example_runs), RUN(constants_are_tensors), RUN(they_cannot_be_outputs), RUN(they_lie_in_flash))
