/* What kernels find in data: an index out of range is told by the call that waits, with the op, the argument and the first place; the
 * call that enqueued it and those after it are not blamed. */
#include "gpu_support.h"

static tsr_tensor indices(tsr_ctx *ctx, const tsr_device *gpu, tsr_index n, tsr_index bad, int64_t value) {
  tsr_tensor host = {0}, there = {0};
  OK(ctx, tsr_zeros(NULL, TSR_I64, TSR_SHAPE(n), &host));
  if (bad >= 0) ((int64_t *)host.data)[bad] = value;
  OK(ctx, tsr_to_device(ctx, &host, gpu, &there));
  tsr_release(&host);
  return there;
}

TEST(an_index_out_of_range_is_told_by_who_waits) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor x = gpu_numbers(&ctx, gpu, 10), bad = indices(&ctx, gpu, 5000, 1234, 10),
             good = indices(&ctx, gpu, 8, 2, 9);
  tsr_tensor y = {0}, z = {0}, host = {0};
  OK(&ctx, tsr_take(&ctx, &x, &bad, 0, &y)); /* enqueued: nothing is known yet */
  OK(&ctx, tsr_take(&ctx, &x, &good, 0, &z));
  OK(&ctx, tsr_neg(&ctx, &z, &z)); /* an enqueue never reports what another call found */
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "take: index has an element out of range, number 1234");
  OK(&ctx, tsr_device_sync(&ctx, gpu)); /* told once */
  CHECK(gpu_element(&ctx, &z, 2) == -9);
  tsr_release(&y);
  OK(&ctx, tsr_take(&ctx, &x, &bad, 0, &y));
  FAILS(&ctx, TSR_EINDEX, tsr_to_device(&ctx, &z, NULL, &host)); /* a copy to the host waits too */
  CHECK(tsr_is_none(&host));
  OK(&ctx, tsr_to_device(&ctx, &z, NULL, &host));
  tsr_release(&host);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
  tsr_release(&bad);
  tsr_release(&good);
}

/* Classes and probabilities are checked as indices are. */
TEST(what_is_no_class_or_no_probability_is_told) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor at = indices(&ctx, gpu, 40, 17, 5), hot = {0}, loss = {0}, x = gpu_numbers(&ctx, gpu, 4);
  OK(&ctx, tsr_one_hot(&ctx, &at, 6, 1, 0, TSR_F32, &hot));
  OK(&ctx, tsr_device_sync(&ctx, gpu));
  CHECK(gpu_element(&ctx, &hot, 17 * 6 + 5) == 1 && gpu_element(&ctx, &hot, 17 * 6) == 0);
  tsr_release(&hot);
  OK(&ctx, tsr_one_hot(&ctx, &at, 5, 1, 0, TSR_F32, &hot));
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "one_hot: index has an element out of range, number 17");
  OK(&ctx, tsr_bce_loss(&ctx, &x, &x, TSR_REDUCE_MEAN, &loss)); /* 0, 1, 2, 3 */
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "bce_loss: x has an element out of range, number 2");
  tsr_tensor *const all[] = {&at, &hot, &loss, &x};
  for (int i = 0; i < COUNT_OF(all); i++) tsr_release(all[i]);
}

TEST(the_first_of_several_is_told) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor x = gpu_numbers(&ctx, gpu, 10), y[3] = {{0}}, bad[3];
  for (int i = 0; i < 3; i++) bad[i] = indices(&ctx, gpu, 100, 10 * (i + 1), -11);
  for (int i = 0; i < 3; i++) OK(&ctx, tsr_take(&ctx, &x, &bad[i], 0, &y[i]));
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "number 10 of them");
  OK(&ctx, tsr_device_sync(&ctx, gpu));
  for (int i = 0; i < 3; i++) tsr_release(&y[i]), tsr_release(&bad[i]);
  tsr_release(&x);
}

TEST(more_calls_than_the_record_has_places) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor x = gpu_numbers(&ctx, gpu, 10), good = indices(&ctx, gpu, 4, 1, 3), bad = indices(&ctx, gpu, 4, 2, 99);
  for (int i = 0; i < 700; i++) {
    tsr_tensor y = {0};
    OK(&ctx, tsr_take(&ctx, &x, i % 2 == 1 ? &bad : &good, 0, &y));
    tsr_release(&y);
  }
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "number 2 of them");
  OK(&ctx, tsr_device_sync(&ctx, gpu));
  tsr_release(&x);
  tsr_release(&good);
  tsr_release(&bad);
}

TEST(a_replay_tells_too) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_program *program = NULL;
  tsr_tensor like = {0}, at = {0}, y = {0}, out = {0}, x;
  OK(NULL, tsr_context_init(&ctx, NULL));
  x = gpu_numbers(&ctx, gpu, 10);
  OK(&ctx, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_program_new(&ctx, &program));
  OK(&ctx, tsr_program_begin(&ctx, program));
  OK(&ctx, tsr_desc_init(&ctx, TSR_I64, TSR_SHAPE(20), &like));
  OK(&ctx, tsr_program_input(&ctx, program, "at", &like, &at));
  OK(&ctx, tsr_take(&ctx, &x, &at, 0, &y));
  OK(&ctx, tsr_program_output(&ctx, program, "y", &y));
  tsr_release(&at);
  tsr_release(&y);
  OK(&ctx, tsr_program_end(&ctx, program));
  tsr_tensor good = indices(&ctx, gpu, 20, 3, 7), bad = indices(&ctx, gpu, 20, 13, 10);
  const tsr_tensor *in[] = {&good};
  tsr_tensor *const outs[] = {&out};
  OK(&ctx, tsr_program_run(&ctx, program, 1, in, 1, outs));
  CHECK(gpu_element(&ctx, &out, 3) == 7);
  in[0] = &bad;
  OK(&ctx, tsr_program_run(&ctx, program, 1, in, 1, outs));
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  MESSAGE_HAS(&ctx, "take: index has an element out of range, number 13");
  OK(&ctx, tsr_program_run(&ctx, program, 1, in, 1, outs)); /* and again in the same graph */
  FAILS(&ctx, TSR_EINDEX, tsr_device_sync(&ctx, gpu));
  OK(&ctx, tsr_device_sync(&ctx, gpu));
  tsr_program_free(program);
  tsr_release(&x);
  tsr_release(&good);
  tsr_release(&bad);
  tsr_release(&out);
}

TEST(after_a_lost_device_every_call_fails_and_frees_do_nothing) {
  GPU_OR_SKIP(gpu);
  emulator_lose_fn lose;
  if (!gpu_emulator("emulator_lose", &lose)) SKIP("a real GPU is not to be lost");
  tsr_tensor x = gpu_numbers(NULL, gpu, 10), y = {0}, host = {0};
  tsr_queue *queue = NULL;
  OK(NULL, tsr_queue_new(NULL, gpu, &queue));
  lose(0);
  FAILS(NULL, TSR_EDEVICE, tsr_device_sync(NULL, gpu));
  FAILS(NULL, TSR_EDEVICE, tsr_neg(NULL, &x, &y));
  MESSAGE_HAS(NULL, "cuda:0 is lost since an earlier call");
  FAILS(NULL, TSR_EDEVICE, tsr_to_device(NULL, &x, NULL, &host));
  CHECK(tsr_is_none(&y) && tsr_is_none(&host));
  tsr_queue_release(queue);
  tsr_release(&x);
  const tsr_device *const other = gpu_named("cuda:1"); /* is not */
  x = gpu_numbers(NULL, other, 10);
  CHECK(gpu_element(NULL, &x, 3) == 3);
  tsr_release(&x);
}

TEST_MAIN(RUN(an_index_out_of_range_is_told_by_who_waits), RUN(what_is_no_class_or_no_probability_is_told),
          RUN(the_first_of_several_is_told), RUN(more_calls_than_the_record_has_places), RUN(a_replay_tells_too),
          RUN(after_a_lost_device_every_call_fails_and_frees_do_nothing))
