/* Frozen programs: on every core the bytes of the calls that they were made of, and what is refused. */
#include "nn/data/frozen_layers.h"
#include "nn/frozen_network.h"

static _Alignas(8) unsigned char memory[layers_bytes];
static unsigned char image[layers_bytes_image];
static _Alignas(8) unsigned char out[FROZEN_OUTPUTS][layers_bytes_out2];

static void *const outputs[] = {out[0], out[1], out[2], out[3], out[4]};
static const void *const inputs[] = {image};

#if TSR_QUANT_ROUNDING != 2

TEST(frozen_layers_give_the_bytes_of_the_calls) {
  tsr_ctx *const ctx = test_context();
  frozen_network n;
  tsr_tensor x = {0}, want[FROZEN_OUTPUTS] = {{0}};
  OK(ctx, tsr_from_memory(ctx, image, TSR_U8, TSR_SHAPE(1, 9, 7, 4), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_NHWC, &x));
  frozen_make(ctx, &n);
  for (int step = 53; step < 60; step += 2) {
    frozen_fill(&x, step);
    frozen_calls(ctx, &n, &x, want);
    memset(memory, step, sizeof memory); /* what is in it does not count */
    CHECK(tsr_frozen_run(&layers, memory, inputs, outputs) == TSR_OK);
    for (int i = 0; i < FROZEN_OUTPUTS; i++) {
      CHECK(tsr_nbytes(&want[i]) <= sizeof out[i]);
      CHECK(memcmp(out[i], want[i].data, tsr_nbytes(&want[i])) == 0);
    }
  }
  for (int i = 0; i < FROZEN_OUTPUTS; i++) tsr_release(&want[i]);
  frozen_release(&n);
  CHECK(test_live() == 0);
}

TEST(memory_and_outputs_are_used_no_further_than_they_are_said_to_be) {
  static _Alignas(8) unsigned char wide[layers_bytes + 64], behind[layers_bytes_out2 + 64];
  const size_t bytes[] = {layers_bytes_out0, layers_bytes_out1, layers_bytes_out2, layers_bytes_out3,
                          layers_bytes_out4};
  memset(wide, 0x55, sizeof wide);
  for (int i = 0; i < FROZEN_OUTPUTS; i++) {
    void *some[] = {out[0], out[1], out[2], out[3], out[4]};
    memset(behind, 0x55, sizeof behind);
    some[i] = behind + 32;
    CHECK(tsr_frozen_run(&layers, wide + 32, inputs, some) == TSR_OK);
    for (size_t k = 0; k < 32; k++) CHECK(behind[k] == 0x55 && behind[32 + bytes[i] + k] == 0x55);
  }
  for (size_t k = 0; k < 32; k++) CHECK(wide[k] == 0x55 && wide[32 + layers_bytes + k] == 0x55);
}

TEST(a_frozen_program_refuses_what_it_cannot_run) {
  const void *const nothing[] = {NULL};
  void *const some[] = {out[0], out[1], out[2], out[3], NULL};
  tsr_frozen other = layers;
  CHECK(tsr_frozen_run(NULL, memory, inputs, outputs) == TSR_EARG);
  CHECK(tsr_frozen_run(&layers, NULL, inputs, outputs) == TSR_EARG);
  CHECK(tsr_frozen_run(&layers, memory, NULL, outputs) == TSR_EARG);
  CHECK(tsr_frozen_run(&layers, memory, nothing, outputs) == TSR_EARG);
  CHECK(tsr_frozen_run(&layers, memory, inputs, some) == TSR_EARG);
  CHECK(tsr_frozen_run(&layers, memory + 4, inputs, outputs) == TSR_EALIGN);
  other.form++;
  CHECK(tsr_frozen_run(&other, memory, inputs, outputs) == TSR_EUNSUPPORTED);
  other = layers;
  other.inputs = TSR_FROZEN_PORTS;
  CHECK(tsr_frozen_run(&other, memory, inputs, outputs) == TSR_EUNSUPPORTED);
}

TEST(too_little_scratch_is_seen) {
  tsr_frozen_layer conv = layers_0, depthwise = layers_1, dense = layers_11;
  const tsr_frozen_step steps[] = {
      {tsr_frozen_qconv2d, &conv}, {tsr_frozen_qdepthwise, &depthwise}, {tsr_frozen_qdense, &dense}};
  tsr_frozen other = layers;
  other.steps = 1;
  conv.scratch_bytes = depthwise.scratch_bytes = dense.scratch_bytes = 4;
  for (int i = 0; i < 3; i++) {
    other.step = steps + i;
    CHECK(tsr_frozen_run(&other, memory, inputs, outputs) == TSR_ESCRATCH);
  }
}

TEST_MAIN(RUN(frozen_layers_give_the_bytes_of_the_calls),
          RUN(memory_and_outputs_are_used_no_further_than_they_are_said_to_be),
          RUN(a_frozen_program_refuses_what_it_cannot_run), RUN(too_little_scratch_is_seen))

#else

TEST(one_that_was_rounded_otherwise_is_refused) {
  CHECK(tsr_frozen_run(&layers, memory, inputs, outputs) == TSR_EUNSUPPORTED);
}

TEST_MAIN(RUN(one_that_was_rounded_otherwise_is_refused))

#endif
