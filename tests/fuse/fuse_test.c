/* What is fused and what is not, how much memory it takes, and outputs that lie over inputs. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC && TSR_HAVE_F64

#include <stdlib.h>
#include <string.h>

/* ---- programs of three inputs ---- */

typedef tsr_status calls_fn(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out);
enum { INPUTS = 3 };

static tsr_status gelu_of_sum(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_tensor product = {0}, sum = {0};
  tsr_status st;
  TSR_TRY(st, tsr_mul(ctx, &in[0], &in[1], &product), done);
  TSR_TRY(st, tsr_add(ctx, &product, &in[2], &sum), done);
  TSR_TRY(st, tsr_gelu(ctx, &sum, out), done);
done:
  tsr_release(&product);
  tsr_release(&sum);
  return st;
}

static tsr_status squares(tsr_ctx *ctx, const tsr_tensor *in, int naxes, const int *axes, tsr_tensor *out) {
  tsr_tensor less = {0}, square = {0};
  tsr_status st;
  TSR_TRY(st, tsr_sub(ctx, &in[0], &in[1], &less), done);
  TSR_TRY(st, tsr_square(ctx, &less, &square), done);
  TSR_TRY(st, tsr_sum(ctx, &square, naxes, axes, false, out), done);
done:
  tsr_release(&less);
  tsr_release(&square);
  return st;
}

static tsr_status sum_all(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  return squares(ctx, in, 0, NULL, out);
}
static tsr_status sum_rows(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  return squares(ctx, in, 1, (const int[]){1}, out);
}
static tsr_status sum_columns(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  return squares(ctx, in, 1, (const int[]){0}, out);
}

static tsr_status soft(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_tensor scaled = {0}, sum = {0};
  tsr_status st;
  TSR_TRY(st, tsr_mul_scalar(ctx, &in[0], 0.125, &scaled), done);
  TSR_TRY(st, tsr_add(ctx, &scaled, &in[1], &sum), done);
  TSR_TRY(st, tsr_softmax(ctx, &sum, 1, out), done);
done:
  tsr_release(&scaled);
  tsr_release(&sum);
  return st;
}

/* a + b·aᵀ where the shape is a square's. */
static tsr_status with_transposed(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_tensor turned = {0}, product = {0};
  tsr_status st;
  TSR_TRY(st, tsr_transpose(ctx, &in[0], 0, 1, &turned), done);
  TSR_TRY(st, tsr_mul(ctx, &in[1], &turned, &product), done);
  TSR_TRY(st, tsr_add(ctx, &in[0], &product, out), done);
done:
  tsr_release(&product);
  return st;
}

static calls_fn *const all_calls[] = {gelu_of_sum, sum_all, sum_rows, sum_columns, soft, with_transposed};

static tsr_status record(tsr_ctx *ctx, calls_fn *calls, const tsr_tensor *in, const tsr_fuse_options *options,
                         tsr_program **program) {
  tsr_tensor v[INPUTS] = {{0}}, out = {0};
  tsr_status st;
  TSR_TRY(st, tsr_program_new(ctx, program), done);
  TSR_TRY(st, tsr_program_begin(ctx, *program), done);
  for (int i = 0; i < INPUTS; i++) {
    tsr_tensor like = {.dtype = in[i].dtype, .ndim = in[i].ndim};
    memcpy(like.shape, in[i].shape, sizeof like.shape);
    TSR_TRY(st, tsr_program_input(ctx, *program, "x", &like, &v[i]), done);
  }
  TSR_TRY(st, calls(ctx, v, &out), done);
  TSR_TRY(st, tsr_program_output(ctx, *program, "y", &out), done);
  TSR_TRY(st, tsr_program_end_fused(ctx, *program, options), done);
done:
  for (int i = 0; i < INPUTS; i++) tsr_release(&v[i]);
  tsr_release(&out);
  if (ctx->device != NULL) OK(ctx, tsr_context_set_device(ctx, NULL));
  return st;
}

static tsr_status run(tsr_ctx *ctx, tsr_program *program, const tsr_tensor *in, tsr_tensor *out) {
  return tsr_program_run(ctx, program, INPUTS, (const tsr_tensor *[]){&in[0], &in[1], &in[2]}, 1, &out);
}

static void make_inputs(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index columns, tsr_tensor *in) {
  tsr_rng rng = tsr_rng_seed(7);
  for (int i = 0; i < INPUTS; i++) {
    tsr_tensor t = {0};
    OK(ctx, tsr_rand_normal(ctx, &rng, TSR_F32, TSR_SHAPE(rows, columns), &t));
    OK(ctx, tsr_cast(ctx, &t, dtype, &in[i]));
    tsr_release(&t);
  }
}

static void release_inputs(tsr_tensor *in) {
  for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
}

/* ---- memory ---- */

/* Blocks and books of one worker: of tiles, and of the reductions' rows. */
enum { WORKER_BYTES = 512 * 1024 };

static void check_peak(calls_fn *calls, int threads) {
  tsr_ctx ctx;
  tsr_counting counting;
  tsr_program *program = NULL;
  tsr_tensor in[INPUTS] = {{0}}, want = {0};
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  make_inputs(&ctx, TSR_F32, 1024, 2048, in); /* 8 MB each */
  if (calls == with_transposed)
    for (int i = 0; i < INPUTS; i++) in[i].shape[1] = 1024;
  OK(&ctx, calls(&ctx, in, &want));
  OK(&ctx, record(&ctx, calls, in, NULL, &program));
  CHECK(tsr_program_calls(program) == 1);
  CHECK(tsr_program_memory(program).planned == 0); /* nothing between the calls */
#if TSR_HAVE_THREADS
  tsr_threads *const pool = test_with_threads(&ctx, threads);
#endif
  memset(want.data, 0, tsr_nbytes(&want));
  const size_t before = counting.stats.in_use;
  counting.stats.peak = before;
  OK(&ctx, run(&ctx, program, in, &want));
  CHECK(counting.stats.peak - before <= (size_t)threads * WORKER_BYTES);
  tsr_program_free(program);
  tsr_release(&want);
  release_inputs(in);
#if TSR_HAVE_THREADS
  tsr_threads_release(pool);
#endif
}

TEST(a_run_takes_no_more_than_blocks_for_every_thread) {
  for (int i = 0; i < COUNT_OF(all_calls); i++) {
    check_peak(all_calls[i], 1);
    check_peak(all_calls[i], 3);
  }
}

/* Every other element of a larger tensor, read and written where it lies: no copy is made of it. */
TEST(inputs_and_outputs_with_gaps_are_not_copied) {
  tsr_ctx ctx;
  tsr_counting counting;
  tsr_program *program = NULL;
  tsr_tensor in[INPUTS] = {{0}}, wide[INPUTS + 1] = {{0}}, out = {0}, want = {0};
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  ctx.parallel = tsr_parallel_serial();
  for (int i = 0; i < INPUTS + 1; i++) {
    tsr_rng rng = tsr_rng_seed((uint64_t)i);
    OK(&ctx, tsr_rand_normal(&ctx, &rng, TSR_F32, TSR_SHAPE(1024, 2048), &wide[i]));
    tsr_tensor *const view = i < INPUTS ? &in[i] : &out;
    OK(&ctx, tsr_slice(&ctx, &wide[i], 1, 0, 2048, 2, view));
  }
  OK(&ctx, gelu_of_sum(&ctx, in, &want));
  OK(&ctx, record(&ctx, gelu_of_sum, in, NULL, &program));
  const size_t before = counting.stats.in_use;
  counting.stats.peak = before;
  OK(&ctx, run(&ctx, program, in, &out));
  CHECK(counting.stats.peak - before <= WORKER_BYTES);
  CHECK(test_same_elements(&out, &want));
  for (int i = 0; i < INPUTS; i++) OK(&ctx, tsr_clone(&ctx, &in[i], &in[i])); /* and dense again */
  tsr_tensor fresh = {0};
  OK(&ctx, run(&ctx, program, in, &fresh));
  CHECK(test_same_elements(&fresh, &want));
  tsr_release(&fresh);
  tsr_release(&want);
  release_inputs(in);
  for (int i = 0; i < INPUTS + 1; i++) tsr_release(&wide[i]);
  tsr_program_free(program);
}

TEST(every_refused_block_is_a_status_and_leaves_nothing) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in[INPUTS] = {{0}};
  ctx->parallel = tsr_parallel_serial();
  make_inputs(ctx, TSR_F32, 40, 40, in);
  const size_t live = test_live();
  for (int i = 0; i < COUNT_OF(all_calls); i++) {
    tsr_status st = TSR_ENOMEM;
    for (size_t k = 0; st != TSR_OK && k < 200; k++) {
      tsr_program *program = NULL;
      tsr_tensor out = {0};
      test_failing()->fail_at = test_failing()->calls + k;
      st = record(ctx, all_calls[i], in, NULL, &program);
      if (st == TSR_OK) st = run(ctx, program, in, &out);
      test_failing()->fail_at = SIZE_MAX;
      CHECK(st == TSR_OK || st == TSR_ENOMEM);
      CHECK(st == TSR_OK || tsr_is_none(&out));
      tsr_release(&out);
      tsr_program_free(program);
      CHECK(test_live() == live);
    }
    CHECK(st == TSR_OK);
  }
  release_inputs(in);
}

/* ---- outputs over inputs ---- */

/* One program, its output over the first input in some way: as if the input had been copied first. */
static void check_over(tsr_ctx *ctx, calls_fn *calls, int dtype, int shift, bool turned) {
  tsr_tensor in[INPUTS] = {{0}}, room = {0}, want = {0}, out = {0}, first = {0};
  tsr_program *program = NULL;
  make_inputs(ctx, dtype, 48, 48, in);
  OK(ctx, tsr_zeros(ctx, dtype, TSR_SHAPE(48 * 48 + 64), &room));
  first = in[0];
  in[0].data = room.data;
  in[0].storage = room.storage;
  in[0].flags = 0;
  OK(ctx, tsr_copy(ctx, &first, &in[0]));
  tsr_release(&first);
  OK(ctx, record(ctx, calls, in, NULL, &program));
  OK(ctx, run(ctx, program, in, &want));
  out = want;
  out.flags = 0;
  out.storage = room.storage;
  out.data = (char *)room.data + (size_t)shift * tsr_dtype_size(dtype);
  if (turned) OK(ctx, tsr_transpose(ctx, &out, 0, 1, &out));
  OK(ctx, run(ctx, program, in, &out));
  CHECK(test_same_elements(&out, &want));
  tsr_program_free(program);
  tsr_release(&want);
  tsr_release(&room);
  release_inputs(in);
}

TEST(an_output_over_an_input_is_as_if_that_had_been_copied) {
  static const int dtypes[] = {TSR_F32, TSR_F16, TSR_F64};
  tsr_ctx *const ctx = test_context();
  ctx->parallel = tsr_parallel_serial();
  for (int i = 0; i < COUNT_OF(all_calls); i++)
    for (int d = 0; d < COUNT_OF(dtypes); d++)
      for (int shift = 0; shift < 3; shift++) check_over(ctx, all_calls[i], dtypes[d], shift * 5, false);
  check_over(ctx, gelu_of_sum, TSR_F32, 0, true);
  check_over(ctx, soft, TSR_F32, 0, true);
  check_over(ctx, with_transposed, TSR_F32, 0, true);
  CHECK(test_live() == 0);
}

TEST(in_place_takes_no_memory) {
  tsr_ctx ctx;
  tsr_counting counting;
  tsr_program *program = NULL;
  tsr_tensor in[INPUTS] = {{0}}, want = {0};
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  ctx.parallel = tsr_parallel_serial();
  make_inputs(&ctx, TSR_F32, 512, 512, in);
  OK(&ctx, gelu_of_sum(&ctx, in, &want));
  OK(&ctx, record(&ctx, gelu_of_sum, in, NULL, &program));
  const size_t before = counting.stats.in_use;
  counting.stats.peak = before;
  OK(&ctx, run(&ctx, program, in, &in[0]));
  CHECK(counting.stats.peak - before <= WORKER_BYTES);
  CHECK(test_same_elements(&in[0], &want));
  tsr_program_free(program);
  tsr_release(&want);
  release_inputs(in);
}

/* ---- small floats ---- */

/* a·b + c in f32, rounded once. */
TEST(kept_wide_results_are_rounded_once) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in[INPUTS] = {{0}}, wide[INPUTS] = {{0}}, y = {0}, once = {0}, each = {0}, got = {0};
  tsr_program *program = NULL;
  make_inputs(ctx, TSR_BF16, 30, 50, in);
  for (int i = 0; i < INPUTS; i++) OK(ctx, tsr_cast(ctx, &in[i], TSR_F32, &wide[i]));
  OK(ctx, gelu_of_sum(ctx, wide, &y));
  OK(ctx, tsr_cast(ctx, &y, TSR_BF16, &once));
  OK(ctx, gelu_of_sum(ctx, in, &each));
  OK(ctx, record(ctx, gelu_of_sum, in, &(tsr_fuse_options){.keep_wide = true}, &program));
  OK(ctx, run(ctx, program, in, &got));
  CHECK(test_same_elements(&got, &once));
  CHECK(!test_same_elements(&got, &each));
  tsr_program_free(program);
  tsr_release(&y);
  tsr_release(&once);
  tsr_release(&each);
  tsr_release(&got);
  release_inputs(in);
  release_inputs(wide);
  CHECK(test_live() == 0);
}

/* ---- what is fused ---- */

static tsr_status mixed(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_tensor a = {0}, b = {0}, c = {0}, d = {0}, e = {0};
  tsr_status st;
  TSR_TRY(st, tsr_mul(ctx, &in[0], &in[1], &a), done);
  TSR_TRY(st, tsr_abs(ctx, &a, &b), done);
  TSR_TRY(st, tsr_matmul(ctx, &b, &in[2], &c), done); /* a call of its own */
  TSR_TRY(st, tsr_exp(ctx, &a, &d), done);            /* nobody wants it */
  TSR_TRY(st, tsr_relu(ctx, &c, &e), done);
  TSR_TRY(st, tsr_add_scalar(ctx, &e, 1, &e), done); /* in place: stays as it is */
  TSR_TRY(st, tsr_neg(ctx, &e, out), done);
done:
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
  tsr_release(&d);
  tsr_release(&e);
  return st;
}

TEST(other_ops_and_what_is_written_in_place_stay_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in[INPUTS] = {{0}}, want = {0}, got = {0};
  tsr_program *program = NULL;
  char text[2000];
  make_inputs(ctx, TSR_F32, 20, 20, in);
  OK(ctx, mixed(ctx, in, &want));
  OK(ctx, record(ctx, mixed, in, NULL, &program));
  CHECK(tsr_program_calls(program) == 5); /* fused, matmul, relu, add_scalar, neg */
  (void)tsr_program_format(program, text, sizeof text);
  CHECK(strstr(text, "fused(") != NULL && strstr(text, "matmul(") != NULL && strstr(text, "exp(") == NULL);
  OK(ctx, run(ctx, program, in, &got));
  CHECK(test_same_elements(&got, &want));
  tsr_program_free(program);
  tsr_release(&want);
  tsr_release(&got);
  release_inputs(in);
  CHECK(test_live() == 0);
}

static void count_event(void *user, const tsr_trace_event *event) {
  int *const counts = user;
  counts[strcmp(event->op, "fused") == 0]++;
}

TEST(a_trace_sees_one_call) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor in[INPUTS] = {{0}}, got = {0};
  tsr_program *program = NULL;
  int counts[2] = {0};
  make_inputs(ctx, TSR_F32, 4, 4, in);
  OK(ctx, record(ctx, gelu_of_sum, in, NULL, &program));
  OK(ctx, tsr_context_set_trace(ctx, count_event, counts));
  OK(ctx, run(ctx, program, in, &got));
  OK(ctx, tsr_context_set_trace(ctx, NULL, NULL));
  CHECK(counts[0] == 0 && counts[1] == 1);
  tsr_program_free(program);
  tsr_release(&got);
  release_inputs(in);
}

TEST(what_is_wrong_is_told) {
  tsr_ctx *const ctx = test_context();
  tsr_program *program = NULL;
  FAILS(ctx, TSR_EARG, tsr_program_end_fused(ctx, NULL, NULL));
  OK(ctx, tsr_program_new(ctx, &program));
  FAILS(ctx, TSR_ESTATE, tsr_program_end_fused(ctx, program, NULL));
  OK(ctx, tsr_program_begin(ctx, program));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_program_end_fused(ctx, program, &(tsr_fuse_options){.reserved = {1}}));
  OK(ctx, tsr_program_end_fused(ctx, program, NULL)); /* of no calls */
  OK(ctx, tsr_program_run(ctx, program, 0, NULL, 0, NULL));
  tsr_program_free(program);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(a_run_takes_no_more_than_blocks_for_every_thread), RUN(inputs_and_outputs_with_gaps_are_not_copied),
          RUN(every_refused_block_is_a_status_and_leaves_nothing),
          RUN(an_output_over_an_input_is_as_if_that_had_been_copied), RUN(in_place_takes_no_memory),
          RUN(kept_wide_results_are_rounded_once), RUN(other_ops_and_what_is_written_in_place_stay_calls),
          RUN(a_trace_sees_one_call), RUN(what_is_wrong_is_told))

#else

TEST(fused_programs) { SKIP("needs programs, malloc and f64"); }
TEST_MAIN(RUN(fused_programs))

#endif
