/* Programs as C source: the files that other tests and examples compile, and what is refused. */
#include "nn/frozen_network.h"

#include <stdlib.h>
#include <tessera/tessera.h>

#include "../examples/mcu/data/digits_int8.h"

#if TSR_HAVE_OPS && TSR_HAVE_STDIO

/* ---- text ---- */

typedef struct text {
  char *at;
  size_t used, capacity, calls, fail_at; /* fail_at: 0 never, else the number of the write that fails */
} text;

static tsr_status append(void *self, const void *bytes, size_t n) {
  text *const t = self;
  if (++t->calls == t->fail_at) return TSR_EIO;
  if (t->used + n + 1 > t->capacity) {
    t->capacity = 2 * (t->used + n + 1);
    t->at = realloc(t->at, t->capacity);
  }
  memcpy(t->at + t->used, bytes, n);
  t->used += n;
  t->at[t->used] = '\0';
  return TSR_OK;
}

static tsr_sink sink_of(text *t) { return (tsr_sink){sizeof(tsr_sink), append, t}; }

/* Whether a file of the project is this text; with TSR_WRITE_FROZEN in the environment it becomes that. */
static bool is_file(const char *path, const text *t) {
  const bool writes = getenv("TSR_WRITE_FROZEN") != NULL;
  FILE *const file = fopen(path, writes ? "wb" : "rb");
  bool same = file != NULL;
  if (file == NULL) return false;
  if (writes) (void)fwrite(t->at, 1, t->used, file);
  for (size_t i = 0; i < t->used && same && !writes; i++) same = fgetc(file) == (unsigned char)t->at[i];
  if (!writes) same = same && fgetc(file) == EOF;
  (void)fclose(file);
  return same;
}

/* ---- programs ---- */

static void begin(tsr_ctx *ctx, tsr_program **program, int layout, const char *name, int dtype, int ndim,
                  const tsr_index *shape, tsr_tensor *x) {
  tsr_tensor like = {0};
  OK(ctx, tsr_desc_init(ctx, dtype, ndim, shape, &like));
  if (layout != TSR_PLAIN) OK(ctx, tsr_set_layout(ctx, &like, layout, &like));
  OK(ctx, tsr_program_new(ctx, program));
  OK(ctx, tsr_program_begin(ctx, *program));
  OK(ctx, tsr_program_input(ctx, *program, name, &like, x));
}

static tsr_program *record_layers(tsr_ctx *ctx, const frozen_network *n) {
  static const char *const names[] = {"out0", "out1", "out2", "out3", "out4"};
  tsr_program *program = NULL;
  tsr_tensor x = {0}, outputs[FROZEN_OUTPUTS] = {{0}};
  begin(ctx, &program, TSR_NHWC, "image", TSR_U8, TSR_SHAPE(1, 9, 7, 4), &x);
  frozen_calls(ctx, n, &x, outputs);
  for (int i = 0; i < FROZEN_OUTPUTS; i++) OK(ctx, tsr_program_output(ctx, program, names[i], &outputs[i]));
  OK(ctx, tsr_program_end(ctx, program));
  for (int i = 0; i < FROZEN_OUTPUTS; i++) tsr_release(&outputs[i]);
  tsr_release(&x);
  return program;
}

TEST(every_layer_is_written_as_the_file_that_is_tested_on_every_core) {
  tsr_ctx *const ctx = test_context();
  frozen_network n;
  text all = {0};
  tsr_freeze_report report = {0};
  const tsr_sink sink = sink_of(&all);
  frozen_make(ctx, &n);
  tsr_program *const program = record_layers(ctx, &n);
  OK(ctx, tsr_freeze_write(ctx, program, "layers", &sink, &report));
  CHECK(is_file(TSR_SOURCE_DIR "/tests/nn/data/frozen_layers.h", &all));
  CHECK(report.calls == 12 && report.memory >= report.scratch && report.scratch == 5 * 72);
  CHECK(report.weights ==
        8 * 36 + 8 * 9 + 16 * 4 + 6 * 4 + 5 * 36 + 12 * 8 + 7 * 160 + 16 * (8 + 8 + 16 + 6 + 5 + 12 + 7));
  tsr_program_free(program);
  frozen_release(&n);
  free(all.at);
  CHECK(test_live() == 0);
}

/* On every instruction set: layers that were packed for its kernels have the same weights in C. */
TEST(kernels_of_the_host_do_not_show) {
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    frozen_network n;
    text all = {0};
    const tsr_sink sink = sink_of(&all);
    OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
    frozen_make(ctx, &n);
    tsr_program *const program = record_layers(ctx, &n);
    OK(ctx, tsr_freeze_write(ctx, program, "layers", &sink, NULL));
    CHECK(is_file(TSR_SOURCE_DIR "/tests/nn/data/frozen_layers.h", &all));
    tsr_program_free(program);
    frozen_release(&n);
    free(all.at);
  }
}

/* The network of examples/freeze_digits.c. */
static tsr_program *record_digits(tsr_ctx *ctx, const char *input, const char *output) {
  tsr_program *program = NULL;
  tsr_tensor x = {0}, a = {0}, b = {0}, c = {0}, flat = {0}, scores = {0};
  begin(ctx, &program, TSR_NHWC, input, TSR_U8, TSR_SHAPE(1, 8, 8, 1), &x);
  OK(ctx, tsr_qconv2d(ctx, &x, &digits_int8_conv1, &a));
  OK(ctx, tsr_qconv2d(ctx, &a, &digits_int8_conv2, &b));
  OK(ctx, tsr_qmax_pool(ctx, &b, TSR_SHAPE(2, 2), NULL, &c));
  OK(ctx, tsr_reshape_view(ctx, &c, TSR_SHAPE(1, 256), &flat));
  OK(ctx, tsr_qdense(ctx, &flat, &digits_int8_dense, &scores));
  OK(ctx, tsr_program_output(ctx, program, output, &scores));
  OK(ctx, tsr_program_end(ctx, program));
  tsr_tensor *const made[] = {&x, &a, &b, &c, &scores};
  for (int i = 0; i < 5; i++) tsr_release(made[i]);
  return program;
}

TEST(the_example_is_written_as_the_file_that_is_compiled) {
  tsr_ctx *const ctx = test_context();
  text all = {0};
  const tsr_sink sink = sink_of(&all);
  tsr_program *const program = record_digits(ctx, "image", "scores");
  OK(ctx, tsr_freeze_write(ctx, program, "digits", &sink, NULL));
  CHECK(is_file(TSR_SOURCE_DIR "/examples/mcu/data/digits_frozen.h", &all));
  tsr_program_free(program);
  free(all.at);
}

TEST(names_are_those_of_c) {
  tsr_ctx *const ctx = test_context();
  static const char *const bad[] = {"", "1a", "_a", "a b", "tsr_a", "TSR_A", "a-b", "\xc3\xa4"};
  text all = {0};
  const tsr_sink sink = sink_of(&all);
  tsr_program *program = record_digits(ctx, "image", "scores");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    FAILS(ctx, TSR_ENAME, tsr_freeze_write(ctx, program, bad[i], &sink, NULL));
  FAILS(ctx, TSR_EARG, tsr_freeze_write(ctx, program, NULL, &sink, NULL));
  FAILS(ctx, TSR_EARG, tsr_freeze_write(ctx, program, "a", NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_freeze_write(ctx, NULL, "a", &sink, NULL));
  tsr_program_free(program);
  program = record_digits(ctx, "same", "same");
  FAILS(ctx, TSR_ENAME, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  MESSAGE_HAS(ctx, "same twice");
  tsr_program_free(program);
  program = record_digits(ctx, "x y", "scores");
  FAILS(ctx, TSR_ENAME, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  tsr_program_free(program);
  CHECK(all.used == 0);
}

/* ---- what cannot be frozen ---- */

static void refused(tsr_ctx *ctx, tsr_program *program, tsr_tensor *x, tsr_tensor *out, tsr_status status,
                    const char *message) {
  text all = {0};
  const tsr_sink sink = sink_of(&all);
  OK(ctx, tsr_program_output(ctx, program, "y", out));
  OK(ctx, tsr_program_end(ctx, program));
  FAILS(ctx, status, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  MESSAGE_HAS(ctx, message);
  CHECK(all.used == 0);
  tsr_release(x);
  tsr_release(out);
  tsr_program_free(program);
}

TEST(other_calls_are_refused_by_name) {
  tsr_ctx *const ctx = test_context();
  const tsr_quant q = {.dtype = TSR_I8, .scale = 0.5f};
  static int8_t numbers[8];
  tsr_program *program;
  tsr_tensor x = {0}, y = {0}, constant = {0}, row = {0};
  begin(ctx, &program, TSR_PLAIN, "x", TSR_F32, TSR_SHAPE(2, 3), &x);
  OK(ctx, tsr_relu(ctx, &x, &y));
  refused(ctx, program, &x, &y, TSR_EUNSUPPORTED, "relu: cannot be frozen");
  begin(ctx, &program, TSR_PLAIN, "x", TSR_F32, TSR_SHAPE(2, 3), &x);
  OK(ctx, tsr_sum(ctx, &x, 0, NULL, false, &y));
  refused(ctx, program, &x, &y, TSR_EUNSUPPORTED, "sum: cannot be frozen");
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_I8, TSR_SHAPE(8), &constant));
  begin(ctx, &program, TSR_PLAIN, "x", TSR_I8, TSR_SHAPE(8), &x);
  OK(ctx, tsr_qadd(ctx, &x, &q, &constant, &q, &q, &y));
  refused(ctx, program, &x, &y, TSR_EUNSUPPORTED, "qadd: cannot be frozen: an operand is no value");
  begin(ctx, &program, TSR_PLAIN, "x", TSR_I8, TSR_SHAPE(8), &x);
  OK(ctx, tsr_slice(ctx, &x, 0, 0, 1, 1, &row));
  OK(ctx, tsr_qadd(ctx, &x, &q, &row, &q, &q, &y));
  refused(ctx, program, &x, &y, TSR_EUNSUPPORTED, "not contiguous and of one shape");
}

TEST(a_program_that_has_not_ended_is_refused) {
  tsr_ctx *const ctx = test_context();
  text all = {0};
  const tsr_sink sink = sink_of(&all);
  tsr_program *program = NULL;
  OK(ctx, tsr_program_new(ctx, &program));
  FAILS(ctx, TSR_ESTATE, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  OK(ctx, tsr_program_begin(ctx, program));
  FAILS(ctx, TSR_ESTATE, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  OK(ctx, tsr_program_end(ctx, program));
  CHECK(all.used == 0);
  OK(ctx, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  CHECK(strstr(all.at, "{0, 0}};") != NULL);
  tsr_program_free(program);
  free(all.at);
}

TEST(a_program_that_was_fused_is_refused) {
  tsr_ctx *const ctx = test_context();
  text all = {0};
  const tsr_sink sink = sink_of(&all);
  tsr_program *program;
  tsr_tensor x = {0}, y = {0}, z = {0};
  begin(ctx, &program, TSR_PLAIN, "x", TSR_F32, TSR_SHAPE(2, 3), &x);
  OK(ctx, tsr_relu(ctx, &x, &y));
  OK(ctx, tsr_exp(ctx, &y, &z));
  OK(ctx, tsr_program_output(ctx, program, "z", &z));
  OK(ctx, tsr_program_end_fused(ctx, program, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_freeze_write(ctx, program, "a", &sink, NULL));
  MESSAGE_HAS(ctx, "end it by tsr_program_end");
  CHECK(all.used == 0);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&z);
  tsr_program_free(program);
}

TEST(a_sink_that_fails_and_memory_that_runs_out_are_reported) {
  tsr_ctx *const ctx = test_context();
  frozen_network n;
  frozen_make(ctx, &n);
  tsr_program *const program = record_layers(ctx, &n);
  for (size_t fail = 1; fail < 40; fail += 13) {
    text all = {.fail_at = fail};
    const tsr_sink sink = sink_of(&all);
    FAILS(ctx, TSR_EIO, tsr_freeze_write(ctx, program, "layers", &sink, NULL));
    free(all.at);
  }
  int failures = 0;
  for (int number = 0; number < 1000; number++) {
    text all = {0};
    const tsr_sink sink = sink_of(&all);
    tsr_failing failing;
    tsr_ctx small;
    OK(NULL, tsr_failing_init(tsr_allocator_default(), (size_t)number, true, &failing));
    OK(NULL, tsr_context_init(&small, &failing.allocator));
    const tsr_status st = tsr_freeze_write(&small, program, "layers", &sink, NULL);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && all.used == 0));
    free(all.at);
    if (st == TSR_OK) break;
    failures++;
  }
  CHECK(failures > 2);
  tsr_program_free(program);
  frozen_release(&n);
}

TEST_MAIN(RUN(every_layer_is_written_as_the_file_that_is_tested_on_every_core), RUN(kernels_of_the_host_do_not_show),
          RUN(the_example_is_written_as_the_file_that_is_compiled), RUN(names_are_those_of_c),
          RUN(other_calls_are_refused_by_name), RUN(a_program_that_has_not_ended_is_refused),
          RUN(a_program_that_was_fused_is_refused), RUN(a_sink_that_fails_and_memory_that_runs_out_are_reported))

#else

TEST(nothing) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(nothing))

#endif
