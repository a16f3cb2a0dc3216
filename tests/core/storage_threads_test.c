/* Several threads share and release the same storage: for the thread sanitizer. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_THREADS

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 2000 };

static int release_calls; /* __atomic */

static void note_release(void *user, void *data, size_t bytes) {
  (void)user;
  (void)bytes;
  ((int32_t *)data)[0] = -1; /* a write that must come after every other thread's reads and writes */
  __atomic_fetch_add(&release_calls, 1, __ATOMIC_RELAXED);
}

static void *share_and_release(void *arg) {
  tsr_tensor *const mine = arg; /* a handle of this thread */
  tsr_ctx ctx;
  int wrong = tsr_context_init(&ctx, tsr_allocator_system()) != TSR_OK;
  for (int i = 0; i < ROUNDS; i++) {
    tsr_tensor view = {0}, second = {0}, third = {0};
    tsr_storage *sub = NULL;
    wrong += tsr_slice(&ctx, mine, 0, 1, TSR_OMIT, 1, &view) != TSR_OK;
    wrong += tsr_share(&ctx, &view, &second) != TSR_OK;
    wrong += tsr_storage_sub(&ctx, second.storage, 4, 8, &sub) != TSR_OK;
    wrong += tsr_from_storage(&ctx, sub, 0, TSR_I32, TSR_SHAPE(2), NULL, &third) != TSR_OK;
    wrong += TSR_AT(int32_t, &third, 0) != 1;
    tsr_storage_release(sub);
    tsr_release(&second);
    tsr_release(&third);
  }
  tsr_release(mine); /* the last thread here frees */
  return wrong == 0 ? NULL : (void *)&release_calls;
}

static bool run_threads(tsr_tensor *handles) {
  pthread_t threads[THREADS];
  bool ok = true;
  for (int i = 0; i < THREADS; i++) ok = ok && pthread_create(&threads[i], NULL, share_and_release, &handles[i]) == 0;
  for (int i = 0; i < THREADS && ok; i++) {
    void *result = NULL;
    ok = pthread_join(threads[i], &result) == 0 && result == NULL && ok;
  }
  return ok;
}

TEST(wrapped_memory_is_released_once) {
  static int32_t values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  tsr_storage *s = NULL;
  tsr_tensor handles[THREADS] = {{0}};
  release_calls = 0;
  OK(NULL, tsr_storage_wrap(NULL, NULL, values, sizeof values, note_release, NULL, &s));
  for (int i = 0; i < THREADS; i++) OK(NULL, tsr_from_storage(NULL, s, 0, TSR_I32, TSR_SHAPE(8), NULL, &handles[i]));
  tsr_storage_release(s);
  CHECK(run_threads(handles));
  CHECK(__atomic_load_n(&release_calls, __ATOMIC_RELAXED) == 1);
  CHECK(values[0] == -1);
}

TEST(own_memory_is_freed_once) {
  tsr_tensor first = {0}, handles[THREADS] = {{0}};
  OK(NULL, tsr_arange_i64(NULL, TSR_I32, 0, 8, 1, &first));
  for (int i = 0; i < THREADS; i++) OK(NULL, tsr_share(NULL, &first, &handles[i]));
  CHECK(tsr_refcount(&first) == THREADS + 1);
  tsr_release(&first);
  CHECK(run_threads(handles));
}

/* ---- what a thread wrote before its release is there when the memory is given back, whichever thread does that ---- */

static int32_t slots[THREADS + 1]; /* one for each thread, and the sum; plain writes and reads */

static void add_slots(void *user, void *data, size_t bytes) {
  int32_t *const values = data;
  (void)user;
  (void)bytes;
  for (int i = 0; i < THREADS; i++) values[THREADS] += values[i];
}

static void *write_and_release(void *arg) {
  tsr_tensor *const mine = arg;
  *(int32_t *)mine->data += 1;
  tsr_release(mine);
  return NULL;
}

TEST(writes_come_before_the_release) {
  for (int round = 1; round <= 200; round++) {
    tsr_storage *s = NULL;
    tsr_tensor handles[THREADS] = {{0}};
    pthread_t threads[THREADS];
    slots[THREADS] = 0;
    OK(NULL, tsr_storage_wrap(NULL, NULL, slots, sizeof slots, add_slots, NULL, &s));
    for (int i = 0; i < THREADS; i++)
      OK(NULL, tsr_from_storage(NULL, s, (size_t)i * sizeof *slots, TSR_I32, TSR_SHAPE(1), NULL, &handles[i]));
    tsr_storage_release(s);
    for (int i = 0; i < THREADS; i++) REQUIRE(pthread_create(&threads[i], NULL, write_and_release, &handles[i]) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(slots[THREADS] == THREADS * round);
  }
}

TEST_MAIN(RUN(writes_come_before_the_release), RUN(wrapped_memory_is_released_once), RUN(own_memory_is_freed_once))

#else

TEST(threads) { SKIP("no threads"); }
TEST_MAIN(RUN(threads))

#endif
