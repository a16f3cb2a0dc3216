/* Queues: order by memory, events, pinned memory and copies that return early, faults, a context that is somebody else's. The emulated
 * driver runs work late here, only when something waits for it: what is not ordered shows. */
#include "gpu_support.h"

#include "cuda/emulated.h"

#include <pthread.h>

/* Whether work waits until somebody does. */
static bool run_late(bool late) {
  emulator_set_late_fn set;
  if (!gpu_emulator("emulator_set_late", &set)) return false;
  set(late);
  return true;
}

typedef struct two {
  tsr_ctx a, b;
  tsr_queue *qa, *qb;
} two;

static void open_two(const tsr_device *gpu, two *t) {
  OK(NULL, tsr_context_init(&t->a, NULL));
  OK(NULL, tsr_context_init(&t->b, NULL));
  OK(&t->a, tsr_queue_new(&t->a, gpu, &t->qa));
  OK(&t->b, tsr_queue_new(&t->b, gpu, &t->qb));
  OK(&t->a, tsr_context_set_queue(&t->a, t->qa));
  OK(&t->b, tsr_context_set_queue(&t->b, t->qb));
}

static void close_two(two *t) {
  tsr_queue_release(t->qa);
  tsr_queue_release(t->qb);
}

TEST(work_of_another_queue_waits_for_the_writer) {
  GPU_OR_SKIP(gpu);
  two t;
  open_two(gpu, &t);
  (void)run_late(true);
  for (int i = 0; i < 10; i++) {
    tsr_tensor x = gpu_numbers(&t.a, gpu, 1000), y = {0}, z = {0};
    OK(&t.a, tsr_neg(&t.a, &x, &y));
    OK(&t.b, tsr_add(&t.b, &y, &y, &z)); /* reads what qa writes */
    CHECK(gpu_element(&t.b, &z, 999) == -1998);
    OK(&t.a, tsr_neg(&t.a, &y, &y)); /* writes what qb read */
    OK(&t.b, tsr_add(&t.b, &y, &x, &z));
    CHECK(gpu_element(&t.b, &z, 999) == 1998);
    tsr_release(&x);
    tsr_release(&y);
    tsr_release(&z);
  }
  (void)run_late(false);
  close_two(&t);
}

TEST(memory_that_another_queue_reads_is_not_given_out_again_before) {
  GPU_OR_SKIP(gpu);
  two t;
  open_two(gpu, &t);
  (void)run_late(true);
  tsr_tensor x = gpu_numbers(&t.a, gpu, 5000), y = {0}, z = {0};
  OK(&t.b, tsr_neg(&t.b, &x, &y)); /* qb reads memory whose home is qa */
  const void *const address = x.data;
  tsr_release(&x);
  OK(&t.a, tsr_zeros(&t.a, TSR_F32, TSR_SHAPE(1), &z)); /* of the host: nothing */
  tsr_release(&z);
  z = gpu_numbers(&t.a, gpu, 5000);
  if (run_late(true)) CHECK(z.data != address); /* qb is not done */
  CHECK(gpu_element(&t.b, &y, 4999) == -4999);
  tsr_release(&z);
  z = gpu_numbers(&t.a, gpu, 5000);
  tsr_tensor w = gpu_numbers(&t.a, gpu, 5000);
  CHECK(z.data == address || w.data == address); /* it is now */
  tsr_release(&y);
  tsr_release(&z);
  tsr_release(&w);
  (void)run_late(false);
  close_two(&t);
}

TEST(memory_is_used_again_at_once_in_the_order_of_its_queue) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  (void)run_late(true);
  tsr_tensor x = gpu_numbers(&ctx, gpu, 3000), y = {0}, z = {0};
  OK(&ctx, tsr_neg(&ctx, &x, &y));
  OK(&ctx, tsr_neg(&ctx, &y, &z));
  const void *const address = y.data;
  tsr_release(&y);
  OK(&ctx, tsr_add(&ctx, &z, &z, &y));
  CHECK(y.data == address && gpu_element(&ctx, &y, 2999) == 5998);
  (void)run_late(false);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
}

TEST(one_queue_pays_for_no_other) {
  GPU_OR_SKIP(gpu);
  emulator_calls_fn calls;
  if (!gpu_emulator("emulator_calls", &calls)) SKIP("a real driver does not count");
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), y = {0};
  OK(NULL, tsr_add(NULL, &x, &x, &y));
  const long launches = calls("cuLaunchKernel"), events = calls("cuEventRecord"), waits = calls("cuStreamWaitEvent");
  const long memory = calls("cuMemAlloc_v2");
  for (int i = 0; i < 50; i++) {
    tsr_tensor z = {0};
    OK(NULL, tsr_add(NULL, &x, &x, &y));
    OK(NULL, tsr_neg(NULL, &y, &z));
    tsr_release(&z);
  }
  CHECK(calls("cuLaunchKernel") == launches + 100);
  CHECK(calls("cuEventRecord") == events && calls("cuStreamWaitEvent") == waits);
  CHECK(calls("cuMemAlloc_v2") <= memory + 1);
  tsr_release(&x);
  tsr_release(&y);
}

TEST(many_queues_read_one_tensor) {
  GPU_OR_SKIP(gpu);
  enum { N = 12 };
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), y[N] = {{0}};
  tsr_queue *q[N];
  tsr_ctx ctx[N];
  (void)run_late(true);
  for (int i = 0; i < N; i++) {
    OK(NULL, tsr_context_init(&ctx[i], NULL));
    OK(&ctx[i], tsr_queue_new(&ctx[i], gpu, &q[i]));
    OK(&ctx[i], tsr_context_set_queue(&ctx[i], q[i]));
    OK(&ctx[i], tsr_neg(&ctx[i], &x, &y[i]));
  }
  OK(NULL, tsr_fill(NULL, 7, &x)); /* after all of them */
  for (int i = 0; i < N; i++) {
    CHECK(gpu_element(&ctx[i], &y[i], 99) == -99);
    tsr_release(&y[i]);
    tsr_queue_release(q[i]);
  }
  CHECK(gpu_element(NULL, &x, 5) == 7);
  tsr_release(&x);
  (void)run_late(false);
}

TEST(a_released_queue_still_does_its_work) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_queue *queue = NULL;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_queue_new(&ctx, gpu, &queue));
  OK(&ctx, tsr_context_set_queue(&ctx, queue));
  tsr_tensor x = gpu_numbers(&ctx, gpu, 100), y = {0};
  OK(&ctx, tsr_neg(&ctx, &x, &y));
  OK(&ctx, tsr_context_set_queue(&ctx, NULL));
  tsr_queue_release(queue);
  CHECK(gpu_element(&ctx, &y, 42) == -42);
  tsr_release(&x);
  tsr_release(&y);
}

TEST(events_mark_and_order_and_measure) {
  GPU_OR_SKIP(gpu);
  two t;
  tsr_event *first = NULL, *last = NULL;
  bool done = false;
  double seconds = -1;
  open_two(gpu, &t);
  const bool late = run_late(true);
  OK(NULL, tsr_event_new(NULL, gpu, &first));
  OK(NULL, tsr_event_new(NULL, gpu, &last));
  FAILS(NULL, TSR_ESTATE, tsr_event_elapsed(NULL, first, last, &seconds));
  OK(NULL, tsr_event_query(NULL, first, &done));
  CHECK(done); /* never recorded: nothing to wait for */
  OK(&t.a, tsr_event_record(&t.a, first, t.qa));
  tsr_tensor x = gpu_numbers(&t.a, gpu, 100), y = {0};
  OK(&t.a, tsr_neg(&t.a, &x, &y));
  OK(&t.a, tsr_event_record(&t.a, last, t.qa));
  OK(&t.b, tsr_queue_wait(&t.b, t.qb, last));
  OK(NULL, tsr_event_query(NULL, last, &done));
  if (late) CHECK(!done);
  OK(&t.b, tsr_queue_sync(&t.b, t.qb)); /* which waits for qa by the event */
  OK(NULL, tsr_event_query(NULL, last, &done));
  CHECK(done);
  OK(NULL, tsr_event_sync(NULL, last));
  OK(NULL, tsr_event_elapsed(NULL, first, last, &seconds));
  CHECK(seconds >= 0);
  tsr_event_release(first);
  tsr_event_release(last);
  tsr_release(&x);
  tsr_release(&y);
  (void)run_late(false);
  close_two(&t);
}

TEST(pinned_memory_is_copied_early_and_kept_until_then) {
  GPU_OR_SKIP(gpu);
  const bool late = run_late(true);
  tsr_ctx pinned, ctx;
  tsr_queue *queue = NULL;
  REQUIRE(tsr_device_host_allocator(gpu) != NULL && tsr_device_host_allocator(tsr_device_cpu()) == NULL);
  OK(NULL, tsr_context_init(&pinned, tsr_device_host_allocator(gpu)));
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_queue_new(&ctx, gpu, &queue));
  OK(&ctx, tsr_context_set_queue(&ctx, queue));
  tsr_tensor host = {0}, again = {0}, there = gpu_numbers(&ctx, gpu, 4000), back = {0};
  OK(&pinned, tsr_full(&pinned, TSR_F32, TSR_SHAPE(4000), 3, &host));
  OK(&pinned, tsr_zeros(&pinned, TSR_F32, TSR_SHAPE(4000), &back));
  OK(&ctx, tsr_copy_async(&ctx, &host, &there));
  OK(&ctx, tsr_add(&ctx, &there, &there, &there));
  OK(&ctx, tsr_copy_async(&ctx, &there, &back));
  if (late) CHECK(((const float *)back.data)[17] == 0); /* not yet */
  const void *const address = host.storage;
  tsr_release(&host); /* the copy reads it still */
  OK(&pinned, tsr_full(&pinned, TSR_F32, TSR_SHAPE(4000), 9, &again));
  if (late) CHECK((const void *)again.storage != address);
  OK(&ctx, tsr_queue_sync(&ctx, queue));
  CHECK(((const float *)back.data)[17] == 6);
  tsr_release(&again);
  tsr_release(&there);
  tsr_release(&back);
  tsr_queue_release(queue);
  (void)run_late(false);
}

/* There and back, with so many threads. */
static tsr_status copy_largely(const tsr_device *gpu, int count) {
  enum { N = 5 * 1000 * 1000 + 3 }; /* 20 MB: ten pieces */
  tsr_ctx ctx;
  tsr_tensor host = {0}, there = {0}, back = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  tsr_threads *const threads = test_with_threads(&ctx, count);
  OK(&ctx, tsr_arange(&ctx, TSR_F32, 0, N, 1, &host));
  tsr_status st = tsr_to_device(&ctx, &host, gpu, &there);
  if (st == TSR_OK) st = tsr_to_device(&ctx, &there, NULL, &back);
  CHECK(st != TSR_OK || memcmp(host.data, back.data, tsr_nbytes(&host)) == 0);
  tsr_release(&host);
  tsr_release(&there);
  tsr_release(&back);
  tsr_threads_release(threads);
  return st;
}

TEST(large_copies_go_through_pinned_buffers) {
  GPU_OR_SKIP(gpu);
  static const int threads[] = {1, 2, 5, 12};
  for (int i = 0; i < COUNT_OF(threads); i++) OK(NULL, copy_largely(gpu, threads[i]));
  (void)run_late(true);
  OK(NULL, copy_largely(gpu, 3));
  (void)run_late(false);
}

/* A copy that fails in one thread fails; pinned memory that is short is made do with. */
TEST(large_copies_that_meet_failures) {
  GPU_OR_SKIP(gpu);
  enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2 };
  void (*fail)(const char *, long, int) = NULL;
  if (!gpu_emulator("emulator_fail", &fail)) SKIP("the emulated device alone fails on demand");
  for (int nth = 1; nth < 10; nth += 4) {
    fail("cuMemcpyHtoDAsync_v2", nth, INVALID_VALUE);
    CHECK(copy_largely(gpu, 4) == TSR_EDEVICE);
    fail("cuMemcpyDtoHAsync_v2", nth, INVALID_VALUE);
    CHECK(copy_largely(gpu, 4) == TSR_EDEVICE);
  }
  (void)tsr_device_trim(gpu);
  fail("cuMemHostAlloc", 4, OUT_OF_MEMORY);
  OK(NULL, copy_largely(gpu, 4));
  fail(NULL, 0, 0);
  OK(NULL, copy_largely(gpu, 4));
}

TEST(strided_tensors_are_brought_together_on_the_device) {
  GPU_OR_SKIP(gpu);
  static const tsr_index stride[] = {1, 8};
  tsr_tensor host = {0}, there = {0}, view = {0}, back = {0};
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 24, 1, &host));
  OK(NULL, tsr_to_device(NULL, &host, gpu, &there));
  OK(NULL, tsr_as_strided(NULL, &there, TSR_SHAPE(4, 3), stride, 2, &view));
  OK(NULL, tsr_to_device(NULL, &view, NULL, &back)); /* (4, 3) of columns that are 8 apart */
  tsr_real value = 0;
  OK(NULL, tsr_get(NULL, &back, TSR_INDEX(1, 2), &value));
  CHECK(value == 2 + 1 + 16);
  OK(NULL, tsr_fill(NULL, 5, &back));
  OK(NULL, tsr_copy(NULL, &back, &view)); /* back into the columns */
  CHECK(gpu_element(NULL, &there, 2) == 5 && gpu_element(NULL, &there, 6) == 6 && gpu_element(NULL, &there, 21) == 5);
  tsr_release(&host);
  tsr_release(&there);
  tsr_release(&back);
}

TEST(two_gpus_copy_to_each_other) {
  GPU_OR_SKIP(gpu);
  GPU_SECOND_OR_SKIP(other);
  tsr_tensor a = gpu_numbers(NULL, gpu, 1000), b = {0}, c = {0};
  (void)run_late(true);
  OK(NULL, tsr_neg(NULL, &a, &a));
  OK(NULL, tsr_to_device(NULL, &a, other, &b)); /* after the writer on cuda:0 */
  OK(NULL, tsr_fill(NULL, 1, &a));              /* after the reader on cuda:1 */
  OK(NULL, tsr_add(NULL, &b, &b, &c));
  CHECK(tsr_device_of(&c) == other && gpu_element(NULL, &c, 500) == -1000 && gpu_element(NULL, &a, 500) == 1);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
  (void)run_late(false);
}

TEST(a_queue_of_another_device_is_refused) {
  GPU_OR_SKIP(gpu);
  GPU_SECOND_OR_SKIP(other);
  tsr_ctx ctx;
  tsr_queue *queue = NULL;
  tsr_event *event = NULL;
  tsr_tensor a = gpu_numbers(NULL, gpu, 10), b = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  FAILS(&ctx, TSR_EUNSUPPORTED, tsr_queue_new(&ctx, tsr_device_cpu(), &queue));
  MESSAGE_HAS(&ctx, "cpu, which has no queues");
  OK(&ctx, tsr_queue_new(&ctx, other, &queue));
  OK(&ctx, tsr_context_set_queue(&ctx, queue));
  FAILS(&ctx, TSR_EDEVICE, tsr_neg(&ctx, &a, &b));
  MESSAGE_HAS(&ctx, "neg: is a call on cuda:0, the context has a queue of cuda:1");
  CHECK(tsr_is_none(&b));
  OK(&ctx, tsr_event_new(&ctx, gpu, &event));
  FAILS(&ctx, TSR_EDEVICE, tsr_event_record(&ctx, event, queue));
  MESSAGE_HAS(&ctx, "queue is of cuda:1, the event of cuda:0");
  tsr_event_release(event);
  tsr_queue_release(queue);
  tsr_release(&a);
}

TEST(another_current_context_is_left_alone) {
  GPU_OR_SKIP(gpu);
  GPU_SECOND_OR_SKIP(other);
  CUresult (*retain)(CUcontext *, CUdevice), (*push)(CUcontext), (*pop)(CUcontext *), (*current)(CUcontext *);
  CUcontext theirs = NULL, now = NULL;
  if (!gpu_emulator("cuDevicePrimaryCtxRetain", &retain) || !gpu_emulator("cuCtxPushCurrent_v2", &push) ||
      !gpu_emulator("cuCtxPopCurrent_v2", &pop) || !gpu_emulator("cuCtxGetCurrent", &current))
    SKIP("the emulated driver is not there");
  CHECK(retain(&theirs, 1) == 0 && push(theirs) == 0);
  tsr_tensor a = gpu_numbers(NULL, gpu, 10), b = gpu_numbers(NULL, other, 10), c = {0};
  OK(NULL, tsr_neg(NULL, &a, &c));
  CHECK(gpu_element(NULL, &c, 3) == -3);
  CHECK(current(&now) == 0 && now == theirs);
  CHECK(pop(&now) == 0 && now == theirs);
  CHECK(current(&now) == 0 && now == NULL);
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
}

static void *work_of_a_thread(void *arg) {
  const tsr_device *const gpu = arg;
  intptr_t bad = 0;
  for (int i = 0; i < 20; i++) {
    tsr_tensor host = {0}, x = {0}, y = {0};
    tsr_status st = tsr_arange(NULL, TSR_F32, 0, 500 + i, 1, &host);
    if (st == TSR_OK) st = tsr_to_device(NULL, &host, gpu, &x);
    if (st == TSR_OK) st = tsr_add(NULL, &x, &x, &y);
    tsr_release(&host);
    if (st == TSR_OK) st = tsr_to_device(NULL, &y, NULL, &host);
    bad += st != TSR_OK || ((const float *)host.data)[400] != 800;
    tsr_release(&host);
    tsr_release(&x);
    tsr_release(&y);
  }
  return (void *)bad;
}

TEST(threads_share_the_default_queue) {
  GPU_OR_SKIP(gpu);
  enum { N = 4 };
  pthread_t threads[N];
  for (int i = 0; i < N; i++) CHECK(pthread_create(&threads[i], NULL, work_of_a_thread, (void *)(uintptr_t)gpu) == 0);
  for (int i = 0; i < N; i++) {
    void *bad = NULL;
    CHECK(pthread_join(threads[i], &bad) == 0 && bad == NULL);
  }
}

TEST_MAIN(RUN(work_of_another_queue_waits_for_the_writer),
          RUN(memory_that_another_queue_reads_is_not_given_out_again_before),
          RUN(memory_is_used_again_at_once_in_the_order_of_its_queue), RUN(one_queue_pays_for_no_other),
          RUN(many_queues_read_one_tensor), RUN(a_released_queue_still_does_its_work),
          RUN(events_mark_and_order_and_measure), RUN(pinned_memory_is_copied_early_and_kept_until_then),
          RUN(large_copies_go_through_pinned_buffers), RUN(large_copies_that_meet_failures),
          RUN(strided_tensors_are_brought_together_on_the_device), RUN(two_gpus_copy_to_each_other),
          RUN(a_queue_of_another_device_is_refused), RUN(another_current_context_is_left_alone),
          RUN(threads_share_the_default_queue))
