/* What goes wrong on a GPU is a status, and nothing stays behind: each call of the driver fails once, a device is lost, and
 * what a call was given is gone when it runs. Bad data: index_fault_test.c. */
#include "gpu_support.h"

#include <tessera/queue.h>

/* ---- each call of the driver fails once ---- */

static size_t in_use(const tsr_device *gpu) {
  tsr_device_details d = {.size = sizeof d};
  OK(NULL, tsr_device_info(NULL, gpu, &d));
  return d.memory.in_use;
}

/* A bit of everything: memory, copies both ways, kernels, scratch memory, a queue, an event. The first status that is not
 * TSR_OK; everything is released. */
static tsr_status scenario(tsr_ctx *ctx, const tsr_device *gpu, float *result) {
  tsr_tensor host = {0}, x = {0}, y = {0}, sums = {0}, back = {0};
  tsr_queue *queue = NULL;
  tsr_event *event = NULL;
  tsr_status st;
  TSR_TRY(st, tsr_queue_new(ctx, gpu, &queue), done);
  TSR_TRY(st, tsr_event_new(ctx, gpu, &event), done);
  TSR_TRY(st, tsr_context_set_queue(ctx, queue), done);
  TSR_TRY(st, tsr_arange(NULL, TSR_F32, 0, 600, 1, &host), done);
  TSR_TRY(st, tsr_reshape(NULL, &host, TSR_SHAPE(20, 30), &host), done);
  TSR_TRY(st, tsr_to_device(ctx, &host, gpu, &x), done);
  TSR_TRY(st, tsr_transpose(ctx, &x, 0, 1, &y), done);
  TSR_TRY(st, tsr_contiguous(ctx, &y, &y), done);
  TSR_TRY(st, tsr_sum(ctx, &y, TSR_AXES(1), false, &sums), done);
  TSR_TRY(st, tsr_event_record(ctx, event, queue), done);
  TSR_TRY(st, tsr_queue_wait(ctx, NULL, event), done);
  TSR_TRY(st, tsr_mul(ctx, &sums, &sums, &sums), done);
  TSR_TRY(st, tsr_to_device(ctx, &sums, NULL, &back), done);
  *result = ((const float *)back.data)[29];
  TSR_TRY(st, tsr_queue_sync(ctx, queue), done);
done:
  TSR_IGNORE(tsr_context_set_queue(ctx, NULL));
  tsr_release(&back);
  tsr_release(&sums);
  tsr_release(&y);
  tsr_release(&x);
  tsr_release(&host);
  tsr_event_release(event);
  tsr_queue_release(queue);
  return st;
}

static const float wanted = 6280.0f * 6280.0f; /* column 29: 20 · (29 + 30 · 9.5) */

static void every_call_fails(int error, tsr_status other) {
  const char *const why = gpu_missing();
  emulator_fail_fn fail;
  emulator_calls_fn calls;
  if (why != NULL) SKIP(why);
  const tsr_device *const gpu = gpu_tested();
  REQUIRE(gpu != NULL);
  if (!gpu_emulator("emulator_fail", &fail) || !gpu_emulator("emulator_calls", &calls))
    SKIP("a real driver fails when it likes");
  tsr_ctx ctx;
  float got = 0;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, scenario(&ctx, gpu, &got)); /* kernels are compiled now */
  CHECK(got == wanted && in_use(gpu) == 0);
  long before = calls(NULL), failed = 0;
  OK(&ctx, scenario(&ctx, gpu, &got));
  const long count = calls(NULL) - before;
  CHECK(count > 20);
  for (long n = 0; n < count; n++) {
    got = 0;
    fail(NULL, n, error);
    const tsr_status st = scenario(&ctx, gpu, &got);
    fail(NULL, 0, 0);
    CHECK(st == TSR_OK || st == TSR_EDEVICE || st == other);
    CHECK(st != TSR_OK || got == wanted); /* one that does not matter: an end, a question */
    CHECK(st == TSR_OK || tsr_error(&ctx)[0] != 0);
    failed += st != TSR_OK;
    OK(&ctx, tsr_device_sync(&ctx, gpu));
    CHECK(in_use(gpu) == 0);
    OK(&ctx, scenario(&ctx, gpu, &got));
    CHECK(got == wanted);
  }
  CHECK(failed > count / 3);
  printf("%ld calls of the driver in a scenario; %ld of them end it when they fail with %d\n", count, failed, error);
}

TEST(each_call_of_the_driver_may_fail) { every_call_fails(1, TSR_EDEVICE); }
TEST(each_call_of_the_driver_may_have_no_memory) { every_call_fails(2, TSR_ENOMEM); }

/* ---- what was given is gone ---- */

static __attribute__((noinline)) void poison_stack(void) {
  volatile char room[32768];
  for (size_t i = 0; i < sizeof room; i++) room[i] = (char)0xa5;
}

/* Works that run when somebody waits: inputs are released and structs overwritten long before. */
TEST(released_before_the_queue_ran) {
  GPU_OR_SKIP(gpu);
  emulator_set_late_fn late = NULL;
  if (gpu_emulator("emulator_set_late", &late)) late(true);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor y = gpu_numbers(&ctx, gpu, 1000);
  for (int i = 0; i < 20; i++) {
    tsr_tensor x = gpu_numbers(&ctx, gpu, 1000), next = {0};
    OK(&ctx, tsr_add(&ctx, &y, &x, &next));
    tsr_release(&x);
    tsr_release(&y);
    y = next;
    memset(&x, 0xa5, sizeof x);
    memset(&next, 0xa5, sizeof next);
    poison_stack();
  }
  CHECK(gpu_element(&ctx, &y, 999) == 21 * 999);
  if (late != NULL) late(false);
  tsr_release(&y);
  CHECK(in_use(gpu) == 0);
}

/* ---- a device that is lost; the last test of device 1 ---- */

TEST(a_lost_device_fails_and_the_other_goes_on) {
  GPU_OR_SKIP(gpu);
  emulator_lose_fn lose;
  if (!gpu_emulator("emulator_lose", &lose)) SKIP("a real device is not lost on demand");
  GPU_SECOND_OR_SKIP(other);
  tsr_ctx ctx;
  tsr_queue *queue = NULL;
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_tensor x = gpu_numbers(&ctx, other, 10), y = {0}, host = {0};
  OK(&ctx, tsr_neg(&ctx, &x, &y));
  lose(1);
  tsr_tensor z = {0};
  FAILS(&ctx, TSR_EDEVICE, tsr_neg(&ctx, &x, &z));
  CHECK(tsr_is_none(&z));
  FAILS(&ctx, TSR_EDEVICE, tsr_to_device(&ctx, &y, NULL, &host));
  MESSAGE_HAS(&ctx, "cuda:1");
  FAILS(&ctx, TSR_EDEVICE, tsr_queue_new(&ctx, other, &queue));
  FAILS(&ctx, TSR_EDEVICE, tsr_device_sync(&ctx, other));
  MESSAGE_HAS(&ctx, "lost");
  CHECK(tsr_is_none(&host) && queue == NULL);
  tsr_release(&x);
  tsr_release(&y);
  (void)tsr_device_trim(other);
  x = gpu_numbers(&ctx, gpu, 10);
  CHECK(gpu_element(&ctx, &x, 9) == 9);
  tsr_release(&x);
}

TEST_MAIN(RUN(each_call_of_the_driver_may_fail), RUN(each_call_of_the_driver_may_have_no_memory),
          RUN(released_before_the_queue_ran), RUN(a_lost_device_fails_and_the_other_goes_on))
