/* Contexts: allocator, scratch memory, error record. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_THREADS
#include <pthread.h>
#endif

TEST(fresh_context_is_clean) {
  tsr_ctx ctx;
  memset(&ctx, 0x5a, sizeof ctx);
  CHECK(tsr_context_init(&ctx, tsr_allocator_system()) == TSR_OK);
  CHECK(ctx.allocator == tsr_allocator_system());
  CHECK(ctx.scratch == NULL && ctx.scratch_bytes == 0 && ctx.isa == 0);
  CHECK(strcmp(tsr_error(&ctx), "") == 0);
  CHECK(tsr_error_details(&ctx)->status == TSR_OK);
  CHECK(tsr_context_init(NULL, NULL) == TSR_EARG);
  MESSAGE_HAS(NULL, "context_init: ctx is NULL");
}

TEST(failure_leaves_a_record) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t = {0}, v = {0};
  float x[6] = {0};
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2, 3), &t));
  FAILS(ctx, TSR_EAXIS, tsr_flip(ctx, &t, 2, &v));
  const tsr_error_record *const record = tsr_error_details(ctx);
  CHECK(record->status == TSR_EAXIS);
#if TSR_HAVE_TEXT
  CHECK(record->op != NULL && strcmp(record->op, "flip") == 0);
  CHECK(record->arg != NULL && strcmp(record->arg, "axis") == 0);
  CHECK(strcmp(tsr_error(ctx), "flip: axis 2 is out of range for rank 2") == 0);
#else
  CHECK(strcmp(tsr_error(ctx), tsr_status_text(TSR_EAXIS)) == 0);
#endif
  OK(ctx, tsr_flip(ctx, &t, 1, &v));
  CHECK(tsr_error_details(ctx)->status == TSR_EAXIS); /* "the last failure" */
  tsr_error_clear(ctx);
  CHECK(strcmp(tsr_error(ctx), "") == 0);
  CHECK(record->status == TSR_OK && record->op == NULL && record->arg == NULL);
}

TEST(contexts_do_not_share_records) {
  tsr_ctx a, b;
  CHECK(tsr_context_init(&a, NULL) == TSR_OK && tsr_context_init(&b, NULL) == TSR_OK);
  tsr_error_clear(NULL);
  FAILS(&a, TSR_EARG, tsr_share(&a, NULL, NULL));
  CHECK(strcmp(tsr_error(&b), "") == 0);
  CHECK(strcmp(tsr_error(NULL), "") == 0);
  FAILS(NULL, TSR_EARG, tsr_storage_new(NULL, NULL, 4, 0, NULL));
  CHECK(tsr_error_details(NULL)->status == TSR_EARG);
  MESSAGE_HAS(NULL, "storage_new: out is NULL");
  MESSAGE_HAS(&a, "share: in is NULL");
}

/* What a newcomer reads after a typical mistake: the function, the argument, what it is, what it should be. */
TEST(messages_help) {
#if TSR_HAVE_TEXT
  tsr_ctx *const ctx = test_context();
  static float x[24];
  tsr_tensor cube = {0}, matrix = {0}, constant = {0}, bytes = {0}, repeated = {0}, described = {0}, out = {0};
  tsr_real value;
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(2, 3, 4), &cube));
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(3, 4), &matrix));
  OK(ctx, tsr_from_const_memory(ctx, x, TSR_F32, TSR_SHAPE(3, 4), &constant));
  OK(ctx, tsr_from_memory(ctx, x, TSR_U8, TSR_SHAPE(3), &bytes));
  OK(ctx, tsr_broadcast_to(ctx, &matrix, TSR_SHAPE(2, 3, 4), &repeated));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(3, 4), &described));
#define SAYS(status, text, call)                                                      \
  do {                                                                                \
    FAILS(ctx, status, call);                                                         \
    CHECK(strcmp(tsr_error(ctx), text) == 0);                                         \
    if (strcmp(tsr_error(ctx), text) != 0) printf("  it says: %s\n", tsr_error(ctx)); \
  } while (0)
  SAYS(TSR_ESHAPE, "copy: out is f32 [3,4], the result is f32 [2,3,4]", tsr_copy(ctx, &cube, &matrix));
  SAYS(TSR_EDTYPE, "cast: out is f32 [3,4], the result is i8 [3,4]", tsr_cast(ctx, &matrix, TSR_I8, &constant));
  SAYS(TSR_EREADONLY, "fill: out f32 [3,4] is read-only", tsr_fill(ctx, 1, &constant));
  SAYS(TSR_ESTATE, "copy: in f32 [3,4] is described but has no data", tsr_copy(ctx, &described, &out));
  SAYS(TSR_ESTATE, "copy: in is empty", tsr_copy(ctx, &out, &out));
  SAYS(TSR_ESHAPE, "broadcast_to: in f32 [3,4] does not broadcast to [2,3,5]: axis 2 is 4 against 5",
       tsr_broadcast_to(ctx, &matrix, TSR_SHAPE(2, 3, 5), &out));
  SAYS(TSR_EINDEX, "select: index 7 is out of range for axis 0 of f32 [3,4]", tsr_select(ctx, &matrix, 0, 7, &out));
  SAYS(TSR_EAXIS, "flip: axis 2 is out of range for rank 2", tsr_flip(ctx, &matrix, 2, &out));
  SAYS(TSR_ESHAPE, "squeeze: axis 0 of f32 [3,4] is not of length 1", tsr_squeeze(ctx, &matrix, 0, &out));
  SAYS(TSR_EAXIS, "permute: axis 2 is out of range for rank 2", tsr_permute(ctx, &matrix, (const int[]){0, 2}, &out));
  SAYS(TSR_EAXIS, "permute: axes names axis 0 twice", tsr_permute(ctx, &matrix, (const int[]){0, 0}, &out));
  SAYS(TSR_ERANGE, "full: value 300 does not fit u8 (0 ... 255)", tsr_full(ctx, TSR_U8, TSR_SHAPE(3), 300, &out));
  SAYS(TSR_EINDEX, "set: index 5 is out of range for axis 0 of u8 [3]", tsr_set(ctx, &bytes, TSR_INDEX(5), 1));
  SAYS(TSR_EINDEX, "get: index -4 is out of range for axis 0 of f32 [3,4]",
       tsr_get(ctx, &matrix, TSR_INDEX(-4, 0), &value));
  SAYS(TSR_EOVERLAP, "copy: out f32 [2,3,4]: its strides [0,4,1] put two indices on one address",
       tsr_copy(ctx, &cube, &repeated));
  SAYS(TSR_ELAYOUT, "set_layout: layout NCHW has 4 axes, f32 [2,3,4] has 3",
       tsr_set_layout(ctx, &cube, TSR_NCHW, &out));
  SAYS(TSR_ESHAPE, "zeros: shape [3,-1]: axis 1 is negative", tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, -1), &out));
  SAYS(TSR_EDTYPE, "zeros: dtype 42 is not a dtype", tsr_zeros(ctx, 42, TSR_SHAPE(3), &out));
#else
  SKIP("messages are configured off");
#endif
}

TEST(long_messages_are_cut_and_closed) {
#if TSR_HAVE_TEXT
  tsr_ctx *const ctx = test_context();
  char name[TSR_TEXT_BYTES * 2];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_context_set_isa(ctx, name));
  CHECK(strlen(tsr_error(ctx)) == TSR_TEXT_BYTES - 1);
#else
  SKIP("messages are configured off");
#endif
}

TEST(default_context_allocates_or_says_why_not) {
  tsr_tensor t = {0};
#if TSR_HAVE_MALLOC
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3), &t));
  CHECK(((float *)t.data)[2] == 0 && tsr_refcount(&t) == 1);
#else
  FAILS(NULL, TSR_ENOMEM, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(3), &t));
  CHECK(tsr_is_none(&t));
#endif
  tsr_release(&t);
}

/* ---- scratch ---- */

static _Alignas(64) unsigned char scratch[1024];

/* Shifts a vector by one in its own memory: needs n·4 bytes of temporary memory. */
static tsr_status shift(tsr_ctx *ctx, int32_t *values, tsr_index n) {
  tsr_tensor from = {0}, to = {0};
  tsr_status st = tsr_from_memory(ctx, values, TSR_I32, TSR_SHAPE(n), &from);
  if (st == TSR_OK) st = tsr_from_memory(ctx, values + 1, TSR_I32, TSR_SHAPE(n), &to);
  return st == TSR_OK ? tsr_copy(ctx, &from, &to) : st;
}

TEST(scratch_takes_the_place_of_the_allocator) {
  tsr_ctx *const ctx = test_context();
  int32_t values[17];
  for (int i = 0; i < 17; i++) values[i] = i;
  test_failing()->fail_at = 0;
  FAILS(ctx, TSR_ENOMEM, shift(ctx, values, 16));
  CHECK(values[16] == 16);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, sizeof scratch));
  OK(ctx, shift(ctx, values, 16));
  for (int i = 1; i < 17; i++) CHECK(values[i] == i - 1);
  CHECK(test_failing()->calls == 1);
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  OK(ctx, shift(ctx, values, 16));
  CHECK(test_failing()->calls == 2 && test_live() == 0);
}

TEST(scratch_too_small_names_the_bytes) {
  tsr_ctx *const ctx = test_context();
  int32_t values[17] = {0, 1, 2, 3};
  OK(ctx, tsr_context_set_scratch(ctx, scratch + 1, 64));
  FAILS(ctx, TSR_ESCRATCH, shift(ctx, values, 16));
  CHECK(values[1] == 1 && values[2] == 2);
  MESSAGE_HAS(ctx, "copy: scratch has 64 bytes, the call needs");
  OK(ctx, tsr_context_set_scratch(ctx, scratch + 1, 3)); /* not even the alignment fits */
  FAILS(ctx, TSR_ESCRATCH, shift(ctx, values, 16));
}

/* What a message asks for is enough, wherever the scratch begins. */
TEST(named_bytes_are_enough) {
  const size_t needed = 16 * sizeof(int32_t) + TSR_DATA_ALIGN - 1;
  for (size_t skew = 0; skew < TSR_DATA_ALIGN; skew++) {
    tsr_ctx *const ctx = test_context();
    int32_t values[17] = {0, 1, 2, 3};
    OK(ctx, tsr_context_set_scratch(ctx, scratch + skew, needed));
    OK(ctx, shift(ctx, values, 16));
    CHECK(values[1] == 0 && values[2] == 1 && values[4] == 3);
  }
}

TEST(scratch_arguments_are_checked) {
  tsr_ctx *const ctx = test_context();
  FAILS(NULL, TSR_EARG, tsr_context_set_scratch(NULL, scratch, 8));
  FAILS(ctx, TSR_EARG, tsr_context_set_scratch(ctx, NULL, 8));
  FAILS(ctx, TSR_EARG, tsr_context_set_scratch(ctx, scratch, 0));
  CHECK(ctx->scratch == NULL && ctx->scratch_bytes == 0);
}

/* ---- threads ---- */

#if TSR_HAVE_THREADS
static void *fail_in_thread(void *arg) {
  const int number = *(int *)arg;
  char want[64];
  snprintf(want, sizeof want, "desc_init: dtype %d is not a dtype", 1000 + number);
  int wrong = 0;
  for (int i = 0; i < 200; i++) {
    tsr_tensor t = {0};
    wrong += tsr_desc_init(NULL, 1000 + number, 0, NULL, &t) != TSR_EDTYPE;
    wrong += TSR_HAVE_TEXT && strcmp(tsr_error(NULL), want) != 0;
  }
  return wrong == 0 ? NULL : arg;
}
#endif

TEST(other_libraries_record_their_failures_here) {
  tsr_ctx ctx;
  char text[] = "is 3: there are 2 ranks";
  REQUIRE(tsr_context_init(&ctx, NULL) == TSR_OK);
  CHECK(tsr_error_set(&ctx, TSR_EARG, "comm_send", "to", text) == TSR_EARG);
  text[0] = 'x'; /* it was copied */
  CHECK(tsr_error_details(&ctx)->status == TSR_EARG);
  MESSAGE_HAS(&ctx, "comm_send: to is 3: there are 2 ranks");
  CHECK(tsr_error_set(NULL, TSR_EIO, "comm_new", NULL, "MPI says: no 100%") == TSR_EIO);
  MESSAGE_HAS(NULL, "comm_new: MPI says: no 100%");
  tsr_error_clear(NULL);
}

TEST(each_thread_has_its_record) {
#if TSR_HAVE_THREADS
  pthread_t threads[4];
  int numbers[4];
  for (int i = 0; i < 4; i++) {
    numbers[i] = i;
    REQUIRE(pthread_create(&threads[i], NULL, fail_in_thread, &numbers[i]) == 0);
  }
  for (int i = 0; i < 4; i++) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0 && result == NULL);
  }
#else
  SKIP("no threads");
#endif
}

TEST_MAIN(RUN(fresh_context_is_clean), RUN(failure_leaves_a_record), RUN(contexts_do_not_share_records),
          RUN(messages_help), RUN(long_messages_are_cut_and_closed), RUN(default_context_allocates_or_says_why_not),
          RUN(scratch_takes_the_place_of_the_allocator), RUN(scratch_too_small_names_the_bytes),
          RUN(named_bytes_are_enough), RUN(scratch_arguments_are_checked),
          RUN(other_libraries_record_their_failures_here), RUN(each_thread_has_its_record))
