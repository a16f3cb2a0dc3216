/* Random programs: fused they give the bits of the calls one by one, for every number of threads and instruction set. */
#include "cpu/isa.h"
#include "cpu/move.h"
#include "support/brief.h"
#include "support/helpers.h"
#include "support/random_program.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC && TSR_HAVE_F64

#include <math.h>
#include <stdlib.h>

/* ---- recording ---- */

static tsr_program *record(tsr_ctx *ctx, const random_program *p, bool fused) {
  static made m;
  tsr_program *program = NULL;
  tsr_tensor in[INPUTS] = {{0}};
  OK(ctx, tsr_program_new(ctx, &program));
  OK(ctx, tsr_program_begin(ctx, program));
  for (int i = 0; i < INPUTS; i++) {
    tsr_tensor like = {.dtype = p->in[i].dtype, .ndim = p->in[i].ndim};
    memcpy(like.shape, p->in[i].shape, sizeof like.shape);
    OK(ctx, tsr_program_input(ctx, program, "in", &like, &in[i]));
  }
  random_calls(ctx, p, in, &m);
  for (int i = 0; i < m.outputs; i++) OK(ctx, tsr_program_output(ctx, program, "out", &m.t[m.output[i]]));
  if (fused)
    OK(ctx, tsr_program_end_fused(ctx, program, NULL));
  else
    OK(ctx, tsr_program_end(ctx, program));
  for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
  random_release(&m);
  return program;
}

/* ---- comparing ---- */

static void describe_failure(const random_program *p, tsr_program *program, int isa, int threads, int output) {
  static char text[8000];
  (void)tsr_program_format(program, text, sizeof text);
  printf("seed %llu, op %s, isa %d, %d threads, output %d\n%s", (unsigned long long)p->seed,
         p->op >= 0 ? random_ops[p->op].name : "any", isa, threads, output, text);
}

typedef struct machine {
  tsr_ctx *ctx;
  tsr_threads *pool[4];
} machine;

static const int thread_counts[] = {1, 2, 3, 8};

static void run_and_compare(machine *m, const random_program *p, tsr_program *program, const made *want, int isa,
                            int threads) {
  const tsr_tensor *in[INPUTS];
  tsr_tensor got[MOST_OUTPUTS] = {{0}}, *out[MOST_OUTPUTS];
  for (int i = 0; i < INPUTS; i++) in[i] = &p->in[i];
  for (int i = 0; i < MOST_OUTPUTS; i++) out[i] = &got[i];
  m->ctx->parallel = m->pool[threads] != NULL ? tsr_threads_parallel(m->pool[threads]) : tsr_parallel_serial();
  OK(m->ctx, tsr_program_run(m->ctx, program, INPUTS, in, want->outputs, out));
  for (int i = 0; i < want->outputs; i++) {
    const bool same = test_same_numbers(&got[i], &want->t[want->output[i]]);
    CHECK(same);
    if (!same) describe_failure(p, program, isa, thread_counts[threads], i);
    tsr_release(&got[i]);
  }
  m->ctx->parallel = tsr_parallel_serial();
}

/* Returns how many calls the program has less than there were. */
static int try_program(machine *m, uint64_t seed, int op) {
  static made want;
  random_program p;
  random_program_make(m->ctx, &p, seed, op);
  tsr_program *const plain = record(m->ctx, &p, false), *const program = record(m->ctx, &p, true);
  const int less = tsr_program_calls(plain) - tsr_program_calls(program);
  for (int isa = 0; isa <= tsr__isa_best(); isa++) {
    m->ctx->isa = (uint8_t)(isa + 1);
    random_calls(m->ctx, &p, p.in, &want);
    for (int t = 0; t < 4 && want.outputs > 0; t++)
      if (t == 0 || isa == tsr__isa_best()) run_and_compare(m, &p, program, &want, isa, t);
    random_release(&want);
  }
  m->ctx->isa = 0;
  tsr_program_free(plain);
  tsr_program_free(program);
  for (int i = 0; i < INPUTS; i++) tsr_release(&p.in[i]);
  return less;
}

static void start(machine *m) {
  m->ctx = test_context();
  for (int i = 0; i < 4; i++) m->pool[i] = NULL;
#if TSR_HAVE_THREADS
  for (int i = 1; i < 4; i++) m->pool[i] = test_with_threads(m->ctx, thread_counts[i]);
#endif
  m->ctx->parallel = tsr_parallel_serial();
}

static void stop(machine *m) {
  for (int i = 0; i < 4; i++)
    if (m->pool[i] != NULL) tsr_threads_release(m->pool[i]);
  CHECK(test_live() == 0);
}

static int count_of(const char *name, int otherwise) {
  const char *const text = getenv(name);
  return text != NULL ? atoi(text) : otherwise;
}

TEST(random_programs_give_the_bits_of_their_calls) {
  machine m;
  int less = 0;
  const int count = count_of("TSR_FUSE_PROGRAMS", 600 / test_every(4)), first = count_of("TSR_FUSE_SEED", 1);
  start(&m);
  for (int i = 0; i < count; i++) less += try_program(&m, (uint64_t)(first + i), -1);
  CHECK(less > count);
  stop(&m);
}

/* Programs that were wrong once: tiles shorter than a block of registers, beside operands of a wider dtype. */
TEST(programs_that_were_wrong_once) {
  static const int seeds[] = {72189, 72380};
  machine m;
  start(&m);
  for (int i = 0; i < COUNT_OF(seeds); i++) (void)try_program(&m, (uint64_t)seeds[i], -1);
  stop(&m);
}

/* Outputs that are larger than caches are written past them: here all are. */
TEST(outputs_by_non_temporal_stores_are_the_same) {
  machine m;
  const size_t before = tsr__stream_bytes;
  start(&m);
  tsr__stream_bytes = 64;
  for (int i = 0; i < 60; i++) (void)try_program(&m, (uint64_t)(900000 + i), -1);
  tsr__stream_bytes = before;
  stop(&m);
}

TEST(every_elementwise_op_and_reduction_is_fused) {
  machine m;
  start(&m);
  for (int op = 0; op < COUNT_OF(random_ops); op++) {
    int less = 0;
    for (int i = 0; i < 60 && less == 0; i++) less = try_program(&m, (uint64_t)(5000 + i), op);
    CHECK(less > 0);
    if (less == 0) printf("%s is never fused\n", random_ops[op].name);
  }
  stop(&m);
}

TEST_MAIN(RUN(random_programs_give_the_bits_of_their_calls), RUN(programs_that_were_wrong_once),
          RUN(outputs_by_non_temporal_stores_are_the_same), RUN(every_elementwise_op_and_reduction_is_fused))

#else

TEST(random_programs) { SKIP("needs programs, malloc and f64"); }
TEST_MAIN(RUN(random_programs))

#endif
