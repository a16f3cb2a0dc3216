/* Random programs recorded for a GPU and fused: one kernel a group, and the bits of the host's calls one by one. */
#include "gpu_support.h"
#include "program/program.h"
#include "support/random_program.h"

/* ---- a program on the device ---- */

/* Inputs as the host has them, laid out otherwise. */
static void move_inputs(tsr_ctx *ctx, const tsr_device *gpu, const random_program *p, tsr_tensor *in) {
  test_rng rng = {p->seed * 131 + 3};
  for (int i = 0; i < INPUTS; i++) {
    OK(ctx, tsr_to_device(ctx, &p->in[i], gpu, &in[i]));
    random_layout(ctx, &rng, &in[i]);
  }
}

static tsr_program *record_on(tsr_ctx *ctx, const random_program *p, const tsr_tensor *given, bool fused, made *m) {
  tsr_program *program = NULL;
  tsr_tensor in[INPUTS] = {{0}};
  OK(ctx, tsr_program_new(ctx, &program));
  OK(ctx, tsr_program_begin(ctx, program));
  for (int i = 0; i < INPUTS; i++) OK(ctx, tsr__program_input_as(ctx, program, "in", &given[i], &in[i]));
  random_calls(ctx, p, in, m);
  for (int i = 0; i < m->outputs; i++) OK(ctx, tsr_program_output(ctx, program, "out", &m->t[m->output[i]]));
  if (fused)
    OK(ctx, tsr_program_end_fused(ctx, program, NULL));
  else
    OK(ctx, tsr_program_end(ctx, program));
  for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
  random_release(m);
  return program;
}

static void say(const random_program *p, const tsr_program *program, int output) {
  static char text[8000];
  (void)tsr_program_format(program, text, sizeof text);
  printf("seed %llu, op %s, output %d\n%s", (unsigned long long)p->seed, p->op >= 0 ? random_ops[p->op].name : "any",
         output, text);
}

/* How many calls the program has less than there were; -1: the device and the host did not make the same calls. */
static int try_program(tsr_ctx *ctx, const tsr_device *gpu, uint64_t seed, int op) {
  static made want, there;
  random_program p;
  tsr_ctx host;
  tsr_tensor in[INPUTS] = {{0}}, got[MOST_OUTPUTS] = {{0}}, *out[MOST_OUTPUTS];
  const tsr_tensor *pointers[INPUTS];
  OK(NULL, tsr_context_init(&host, NULL));
  random_program_make(&host, &p, seed, op);
  move_inputs(ctx, gpu, &p, in);
  tsr_program *const plain = record_on(ctx, &p, in, false, &there), *const program =
                                                                        record_on(ctx, &p, in, true, &there);
  random_calls(&host, &p, p.in, &want);
  const int less = want.count != there.count ? -1 : tsr_program_calls(plain) - tsr_program_calls(program);
  for (int i = 0; i < INPUTS; i++) pointers[i] = &in[i];
  for (int i = 0; i < MOST_OUTPUTS; i++) out[i] = &got[i];
  if (less >= 0 && want.outputs > 0) OK(ctx, tsr_program_run(ctx, program, INPUTS, pointers, want.outputs, out));
  for (int i = 0; i < want.outputs && less >= 0; i++) {
    tsr_tensor back = {0};
    if (got[i].dtype != TSR_NONE) OK(ctx, tsr_to_device(ctx, &got[i], NULL, &back));
    const bool same = test_same_numbers(&back, &want.t[want.output[i]]);
    CHECK(same);
    if (!same) say(&p, program, i);
    tsr_release(&back);
    tsr_release(&got[i]);
  }
  random_release(&want);
  tsr_program_free(plain);
  tsr_program_free(program);
  for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
  for (int i = 0; i < INPUTS; i++) tsr_release(&p.in[i]);
  return less;
}

static int count_of(const char *name, int otherwise) {
  const char *const text = getenv(name);
  return text != NULL ? atoi(text) : otherwise;
}

#define WITH_GPU(gpu, ctx)                \
  GPU_OR_SKIP(gpu);                       \
  tsr_ctx ctx;                            \
  HOST_FUSES_OR_SKIP();                   \
  OK(NULL, tsr_context_init(&ctx, NULL)); \
  OK(NULL, tsr_context_set_device(&ctx, gpu))

/* TSR_FUSE_PROGRAMS=1000 TSR_FUSE_SEED=1: more of them. */
TEST(random_programs_give_the_bits_of_the_host) {
  WITH_GPU(gpu, ctx);
  const int count = count_of("TSR_FUSE_PROGRAMS", 24), first = count_of("TSR_FUSE_SEED", 1);
  int less = 0, alike = 0;
  for (int i = 0; i < count; i++) {
    const int saved = try_program(&ctx, gpu, (uint64_t)(first + i), -1);
    if (saved >= 0) alike++, less += saved;
  }
  printf("%d programs, %d with the same calls on both, %d calls less\n", count, alike, less);
  CHECK(alike >= count / 2);
  CHECK(less >= alike);
}

/* Each is the first four calls of a program: TSR_FUSE_OPS=7 for one in seven. */
TEST(every_elementwise_op_and_reduction_is_fused) {
  WITH_GPU(gpu, ctx);
  const int every = count_of("TSR_FUSE_OPS", 8), first = count_of("TSR_FUSE_SEED", 1);
  for (int op = first % every; op < COUNT_OF(random_ops); op += every) {
    int less = 0;
    for (int i = 0; i < 60 && less <= 0; i++) less = try_program(&ctx, gpu, (uint64_t)(5000 + i), op);
    CHECK(less > 0);
    if (less <= 0) printf("%s is never fused\n", random_ops[op].name);
  }
}

TEST_MAIN(RUN(random_programs_give_the_bits_of_the_host), RUN(every_elementwise_op_and_reduction_is_fused))
