/* Programs recorded for a GPU: replayed as one graph, in memory of their own, with the bits of the calls themselves. */
#include "gpu_support.h"

static long launches(void) {
  emulator_calls_fn calls;
  return gpu_emulator("emulator_calls", &calls) ? calls("cuLaunchKernel") : -1;
}

typedef struct recorded {
  tsr_ctx ctx;
  tsr_program *program;
  tsr_tensor weights; /* on the device: a constant */
} recorded;

/* y = -(x + w) + w, then y * x: values that live and end. */
static void record(const tsr_device *gpu, recorded *r) {
  tsr_tensor like = {0}, x = {0}, a = {0}, b = {0}, y = {0};
  OK(NULL, tsr_context_init(&r->ctx, NULL));
  r->weights = gpu_numbers(&r->ctx, gpu, 100);
  OK(&r->ctx, tsr_context_set_device(&r->ctx, gpu));
  OK(&r->ctx, tsr_program_new(&r->ctx, &r->program));
  OK(&r->ctx, tsr_program_begin(&r->ctx, r->program));
  OK(&r->ctx, tsr_desc_init(&r->ctx, TSR_F32, TSR_SHAPE(100), &like));
  OK(&r->ctx, tsr_program_input(&r->ctx, r->program, "x", &like, &x));
  OK(&r->ctx, tsr_add(&r->ctx, &x, &r->weights, &a));
  OK(&r->ctx, tsr_neg(&r->ctx, &a, &b));
  OK(&r->ctx, tsr_add(&r->ctx, &b, &r->weights, &a));
  OK(&r->ctx, tsr_mul(&r->ctx, &a, &x, &y));
  OK(&r->ctx, tsr_program_output(&r->ctx, r->program, "y", &y));
  tsr_release(&x);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&y);
  OK(&r->ctx, tsr_program_end(&r->ctx, r->program));
  CHECK(r->ctx.device == gpu && tsr_program_calls(r->program) == 4);
}

static void end(recorded *r) {
  tsr_program_free(r->program);
  tsr_release(&r->weights);
}

/* y[i] = (-(x + i) + i) x = -x x, whatever i. */
static float run_once(recorded *r, const tsr_tensor *x, tsr_tensor *y, tsr_index i) {
  const tsr_tensor *const in[] = {x};
  tsr_tensor *const out[] = {y};
  OK(&r->ctx, tsr_program_run(&r->ctx, r->program, 1, in, 1, out));
  return gpu_element(&r->ctx, y, i);
}

TEST(a_replay_is_one_launch_of_a_graph) {
  GPU_OR_SKIP(gpu);
  recorded r;
  record(gpu, &r);
  tsr_tensor x = gpu_numbers(&r.ctx, gpu, 100), y = {0};
  CHECK(run_once(&r, &x, &y, 7) == -49);
  const long before = launches();
  CHECK(run_once(&r, &x, &y, 9) == -81);
  OK(&r.ctx, tsr_fill(&r.ctx, 3, &x)); /* the same memory, other numbers */
  const long filled = launches();
  CHECK(run_once(&r, &x, &y, 9) == -9);
  CHECK(before == -1 || (launches() == filled && filled <= before + 1));
  tsr_release(&x);
  tsr_release(&y);
  end(&r);
}

TEST(operands_that_moved_are_found) {
  GPU_OR_SKIP(gpu);
  recorded r;
  record(gpu, &r);
  tsr_tensor x[3] = {{0}}, y[3] = {{0}};
  for (int i = 0; i < 3; i++) {
    x[i] = gpu_numbers(&r.ctx, gpu, 100);
    OK(&r.ctx, tsr_fill(&r.ctx, i + 1, &x[i]));
  }
  for (int k = 0; k < 6; k++) CHECK(run_once(&r, &x[k % 3], &y[k % 3], 50) == -(float)((k % 3 + 1) * (k % 3 + 1)));
  for (int i = 0; i < 3; i++) {
    CHECK(gpu_element(&r.ctx, &y[i], 99) == -(float)((i + 1) * (i + 1)));
    tsr_release(&x[i]);
    tsr_release(&y[i]);
  }
  (void)tsr_device_trim(gpu); /* what the graph remembers of them is gone */
  tsr_tensor again = gpu_numbers(&r.ctx, gpu, 100), out = {0};
  CHECK(run_once(&r, &again, &out, 5) == -25);
  tsr_release(&again);
  tsr_release(&out);
  end(&r);
}

TEST(a_replay_is_ordered_with_other_queues) {
  GPU_OR_SKIP(gpu);
  emulator_set_late_fn late = NULL;
  recorded r;
  tsr_queue *queue = NULL;
  record(gpu, &r);
  if (gpu_emulator("emulator_set_late", &late)) late(true);
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), y = gpu_numbers(NULL, gpu, 100), z = {0};
  const tsr_tensor *const in[] = {&x};
  tsr_tensor *const out[] = {&y};
  OK(&r.ctx, tsr_queue_new(&r.ctx, gpu, &queue));
  OK(&r.ctx, tsr_context_set_queue(&r.ctx, queue));
  OK(NULL, tsr_fill(NULL, 5, &x)); /* the default queue writes */
  OK(&r.ctx, tsr_program_run(&r.ctx, r.program, 1, in, 1, out));
  OK(NULL, tsr_fill(NULL, 0, &x)); /* after the graph has read */
  OK(NULL, tsr_neg(NULL, &y, &z)); /* after it has written */
  CHECK(gpu_element(NULL, &z, 3) == 25);
  if (late != NULL) late(false);
  OK(&r.ctx, tsr_context_set_queue(&r.ctx, NULL));
  tsr_queue_release(queue);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
  end(&r);
}

TEST(operands_elsewhere_are_refused) {
  GPU_OR_SKIP(gpu);
  recorded r;
  record(gpu, &r);
  tsr_tensor host = {0}, y = {0};
  const tsr_tensor *const in[] = {&host};
  tsr_tensor *const out[] = {&y};
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 100, 1, &host));
  FAILS(&r.ctx, TSR_EDEVICE, tsr_program_run(&r.ctx, r.program, 1, in, 1, out));
  MESSAGE_HAS(&r.ctx, "x is on cpu, the program was recorded for cuda:0");
  CHECK(tsr_is_none(&y));
  tsr_release(&host);
  end(&r);
}

TEST(memory_of_a_recording_belongs_to_the_program) {
  GPU_OR_SKIP(gpu);
  tsr_device_details before = {.size = sizeof before}, after = before;
  OK(NULL, tsr_device_sync(NULL, gpu));
  OK(NULL, tsr_device_info(NULL, gpu, &before));
  recorded r;
  record(gpu, &r);
  CHECK(tsr_program_memory(r.program).planned > 0);
  tsr_tensor x = gpu_numbers(&r.ctx, gpu, 100), y = {0};
  CHECK(run_once(&r, &x, &y, 7) == -49);
  tsr_release(&x);
  tsr_release(&y);
  end(&r);
  OK(NULL, tsr_device_info(NULL, gpu, &after));
  CHECK(after.memory.in_use == before.memory.in_use);
}

TEST_MAIN(RUN(a_replay_is_one_launch_of_a_graph), RUN(operands_that_moved_are_found),
          RUN(a_replay_is_ordered_with_other_queues), RUN(operands_elsewhere_are_refused),
          RUN(memory_of_a_recording_belongs_to_the_program))
