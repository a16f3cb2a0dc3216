/* Every op that the device has, by its name, against the host: dtypes, layouts, attributes, outputs that are empty, given, or over
 * an input. Classes A and B give the same bits, class C what rounding allows. Nothing is written beside the outputs.
 *
 *   TSR_TEST_DEVICE=cuda:0       a real device instead of the emulated one
 *   TSR_DIFFERENTIAL=softmax     that op alone; "full": every dtype in every layout instead of some
 *   TSR_DIFFERENTIAL_PART=1/2    of the ops each second one, from number 1 on, so that several processes share them
 *   TSR_TORTURE_SEED=7           other cases */
#include "gpu_support.h"
#include "support/op_case.h"
#include "support/op_make.h"

#if TSR_HAVE_OPS

typedef struct op_tally {
  int called, agreed, both_failed, refused; /* refused: the device lacks this form of an op that it has */
  unsigned dtypes;                          /* that agreed */
} op_tally;

static op_tally tally[1024];
static const tsr_device *device;
static long failures;
static bool lost; /* a kernel did something that a device does not recover from: there is nothing more to try */

/* ---- one case, once on each side ---- */

typedef enum output_place { OUTPUT_FRESH, OUTPUT_GIVEN, OUTPUT_OVER } output_place;

static void lay_inputs(op_run *r, uint64_t seed, op_layout layout) {
  test_rng rng = {seed};
  for (int i = 0; i < r->c->inputs; i++) op_run_lay(r, &rng, i, layout);
  for (int i = 0; i < r->c->outputs; i++)
    if (r->c->given[i].dtype != TSR_NONE) op_run_lay_out(r, &rng, i, &r->c->given[i], layout);
}

static bool repeats(const tsr_tensor *t) {
  for (int i = 0; i < t->ndim; i++)
    if (t->stride[i] == 0 && t->shape[i] > 1) return true;
  return false;
}

/* An output as the host's was: in a place of its own with gaps, or where the first input of its dtype and shape lies. */
static void lay_output(op_run *r, uint64_t seed, const tsr_tensor *like, output_place place) {
  test_rng rng = {seed + 1};
  for (int i = 0; place == OUTPUT_OVER && i < r->c->inputs; i++) {
    const tsr_tensor *const in = &r->in[i];
    if (r->in_at[i] < 0 || in->dtype != like->dtype || in->data == NULL || !tsr_same_shape(in, like)) continue;
    if (repeats(in)) continue;
    r->out[0] = *in;
    r->out_at[0] = r->in_at[i];
    return;
  }
  op_run_lay_out(r, &rng, 0, like, OP_MIXED);
}

static void run_on(op_run *r, const op_case *c, op_layout layout, const tsr_device *where, const tsr_tensor *like,
                   output_place place) {
  op_run_init(r, c, tsr_context_isa(NULL), 1);
  r->device = where;
  lay_inputs(r, c->seed, layout);
  if (place != OUTPUT_FRESH) lay_output(r, c->seed, like, place);
  op_run_call(r);
}

static void say_element(const char *whose, const unsigned char *at, size_t item) {
  printf(" %s", whose);
  for (size_t i = 0; i < item; i++) printf("%s%02x", i == 0 ? " 0x" : "", at[item - 1 - i]);
}

/* The first elements that differ, by their bytes. */
static void say_elements(int output, const tsr_tensor *want, const tsr_tensor *got) {
  const size_t item = tsr_dtype_size(want->dtype);
  const unsigned char *const a = want->data, *const b = got->data;
  int told = 0;
  if (want->dtype != got->dtype || !tsr_same_shape(want, got)) return;
  for (tsr_index i = 0; i < tsr_size(want) && told < 4; i++) {
    const size_t at = (size_t)i * item;
    if (memcmp(a + at, b + at, item) == 0) continue;
    printf("    output %d, %s, element %lld of %lld:", output, tsr_dtype_name(want->dtype), (long long)i,
           (long long)tsr_size(want));
    say_element("host", a + at, item);
    say_element("device", b + at, item);
    printf("\n");
    told++;
  }
}

static void say(const op_case *c, op_layout layout, output_place place, const char *what, const op_run *want,
                const op_run *got) {
  static const char *const places[] = {"empty", "given", "over an input"};
  (void)test_check(false, __FILE__, __LINE__, what);
  if (failures++ >= 40) return;
  printf("  %s of %s, seed %llu, layout %d, output %s: %s; host: %s; device: %s\n", c->op->name,
         tsr_dtype_name(c->inputs > 0 ? c->in[0].dtype : TSR_NONE), (unsigned long long)c->seed, (int)layout,
         places[place], what, want->status != TSR_OK ? want->error : "ok", got->status != TSR_OK ? got->error : "ok");
  for (int i = 0; i < c->outputs && want->status == TSR_OK && got->status == TSR_OK; i++)
    say_elements(i, &want->result[i], &got->result[i]);
}

/* Roots of complex numbers are the C library's on the host: class A is of real ones. */
static bool is_complex_root(const op_case *c) {
  return c->inputs > 0 && tsr_dtype_describe(c->in[0].dtype)->class_ == TSR_CLASS_COMPLEX &&
         (strcmp(c->op->name, "sqrt") == 0 || strcmp(c->op->name, "rsqrt") == 0);
}

/* Exponentials and logarithms in f64 within them: class C on a device (docs/gpu.md). */
static bool is_of_logarithms(const char *op) {
  static const char *const names[] = {"bce_loss", "bce_logits_loss", "kl_loss", "nll_loss", "cross_entropy", "norm",
                                      "lrn"};
  for (int i = 0; i < COUNT_OF(names); i++)
    if (strcmp(names[i], op) == 0) return true;
  return false;
}

/* A function of one element or two that is computed in f64: where the host's vectors have no polynomial for it, or for arguments like these, it is
 * the C library's there and the device's here. An emulated device has the host's. */
static bool is_of_c_library(const op_case *c) {
  const op_row *const row = op_row_of(c->op->name);
  if (is_complex_root(c)) return true;
  if (row == NULL || c->class_ != 'B') return false;
  if (row->make != make_any && !(gpu_is_real() && is_of_logarithms(c->op->name))) return false;
  for (int i = 0; i < c->inputs; i++) {
    const tsr_dtype_info *const d = tsr_dtype_describe(c->in[i].dtype);
    if (d->class_ == TSR_CLASS_COMPLEX) return true; /* the device has its own */
    if (!gpu_is_real()) continue;
    if (c->in[i].dtype == TSR_F64 || (d->class_ != TSR_CLASS_FLOAT && tsr_dtype_size(c->in[i].dtype) >= 4)) return true;
  }
  return false;
}

static void compare(int op, const op_case *c, op_layout layout, output_place place, const op_run *plain) {
  op_run want, got;
  run_on(&want, c, layout, NULL, &plain->result[0], place);
  run_on(&got, c, layout, device, &plain->result[0], place);
  op_tally *const t = &tally[op];
  t->called++;
  const char *const difference = op_difference(&want, &got, is_of_c_library(c), true);
  if (got.status == TSR_EDEVICE && tsr_device_sync(NULL, device) != TSR_OK) {
    lost = true;
    say(c, layout, place, "the device is lost", &want, &got);
  } else if (got.status == TSR_EDEVICE && want.status == TSR_OK) {
    t->refused++;
  } else if (difference != NULL) {
    say(c, layout, place, difference, &want, &got);
  } else if (want.status != TSR_OK) {
    t->both_failed++;
  } else {
    if (!op_run_is_tidy(&got)) say(c, layout, place, "bytes beside the outputs were written", &want, &got);
    t->agreed++;
    if (c->inputs > 0) t->dtypes |= 1u << c->in[0].dtype;
  }
  op_run_release(&want);
  op_run_release(&got);
}

/* A given output must be one: of ops with views, several outputs or an output that is given anyway it is the empty one. */
static bool takes_output(const op_case *c, const op_run *plain) {
  return plain->status == TSR_OK && c->outputs == 1 && c->given[0].dtype == TSR_NONE &&
         plain->result[0].dtype != TSR_NONE && (c->flags & (OP_VIEWS | OP_UNSET)) == 0;
}

static void try_case(int op, uint64_t seed, int size, int dtype, op_layout layout, output_place place) {
  op_case c;
  op_run plain;
  if (lost) return;
  op_case_init_of(&c, op, seed, size, dtype);
  if (is_complex_root(&c)) c.class_ = 'B';
  if (gpu_is_real() && is_of_logarithms(c.op->name)) c.class_ = 'B'; /* two C libraries */
  if ((c.flags & OP_BY_STRIDES) != 0) layout = OP_DENSE;
  run_on(&plain, &c, OP_DENSE, NULL, NULL, OUTPUT_FRESH);
  if (place == OUTPUT_OVER && (c.flags & OP_REFUSES) != 0) place = OUTPUT_GIVEN;
  compare(op, &c, layout, takes_output(&c, &plain) ? place : OUTPUT_FRESH, &plain);
  op_run_release(&plain);
  op_case_release(&c);
}

/* ---- all of them ---- */

static const char *chosen(void) {
  const char *const text = getenv("TSR_DIFFERENTIAL");
  return text != NULL && text[0] != 0 ? text : "";
}

/* In the brief form dtypes, layouts and outputs take turns, so that neighbours in the table, which share their engine, have
 * different ones. */
static void try_op(int op) {
  const bool full = strcmp(chosen(), "full") == 0 || strcmp(chosen(), tsr_op_at(op)->name) == 0;
  const uint64_t first = op_seed() * 1000003u + (uint64_t)op * 7919u;
  const int brief_cases = 3;
  int turn = 0;
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT && full; dtype++)
    for (int layout = 0; layout < OP_LAYOUTS && tsr_dtype_supported(dtype); layout++, turn++)
      try_case(op, first + (uint64_t)turn * 104729u, turn % 5 == 4 ? 0 : 1, dtype, (op_layout)layout,
               (output_place)(turn % 3));
  for (int i = 0; i < brief_cases || (full && i < 24); i++, turn++) {
    const int place = op + i;
    try_case(op, first + (uint64_t)turn * 104729u, i % 2, TSR_NONE, (op_layout)(place % OP_LAYOUTS),
             (output_place)(place / 2 % 3));
  }
  /* Some makers fail often: until one call succeeds. */
  for (int i = 0; i < 40 && tally[op].agreed == 0 && failures == 0; i++, turn++)
    try_case(op, first + (uint64_t)turn * 104729u, 1, TSR_F32, OP_DENSE, OUTPUT_FRESH);
}

static bool is_mine(int op) {
  const char *const part = getenv("TSR_DIFFERENTIAL_PART");
  int number = 0, parts = 1;
  if (part != NULL && sscanf(part, "%d/%d", &number, &parts) != 2) parts = 1;
  return parts <= 1 || op % parts == number % parts;
}

static bool is_chosen(int op) {
  const char *const only = chosen();
  return only[0] == 0 || strcmp(only, "full") == 0 || strcmp(only, tsr_op_at(op)->name) == 0;
}

static void print_op(int op) {
  const op_tally *const t = &tally[op];
  int dtypes = 0;
  for (int i = 0; i < TSR_DTYPE_COUNT; i++) dtypes += (t->dtypes >> i & 1) != 0;
  printf("%-28s %3d called, %3d agree in %2d dtypes, %2d fail on both, %2d refused\n", tsr_op_at(op)->name, t->called,
         t->agreed, dtypes, t->both_failed, t->refused);
}

/* Every tensor has given its memory back, but for the workspace of products, which is a queue's; what is kept for the next ones goes too, so that a checker of leaks sees the others. */
static void nothing_is_left(void) {
  enum { WORKSPACE = 32 << 20 }; /* src/cuda/cuda.h */
  tsr_device_details d = {.size = sizeof d};
  OK(NULL, tsr_device_sync(NULL, device));
  OK(NULL, tsr_device_info(NULL, device, &d));
  CHECK(d.memory.in_use == 0 || d.memory.in_use == WORKSPACE);
  (void)tsr_device_trim(device);
}

TEST(every_op_agrees_with_the_host) {
  long ops = 0, called = 0, agreed = 0, refused = 0;
  (void)setenv("TSR_EMULATOR_QUEUE", "late", 0); /* what is not waited for is not there */
  (void)setenv("TSR_EMULATOR_SEED", "1", 0);
  (void)setenv("TSR_EMULATOR_QUIET", "0", 0); /* a kernel that does something wrong is told with its line */
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  HOST_FUSES_OR_SKIP();
  device = gpu_tested();
  REQUIRE(device != NULL);
  REQUIRE(tsr_op_count() <= COUNT_OF(tally));
  for (int op = 0; op < tsr_op_count(); op++) {
    if (!is_mine(op) || !is_chosen(op) || !tsr_op_on(tsr_op_at(op), device)) continue;
    try_op(op);
    print_op(op);
    ops++;
    called += tally[op].called;
    agreed += tally[op].agreed;
    refused += tally[op].refused;
    CHECK(tally[op].agreed > 0); /* an op that the device has was called with success */
  }
  printf("%s: %ld ops of %d, %ld calls, %ld agree, %ld forms refused by the device\n", device->name, ops,
         tsr_op_count(), called, agreed, refused);
  CHECK(ops > 0);
  nothing_is_left();
}

TEST_MAIN(RUN(every_op_agrees_with_the_host))

#else

TEST(every_op_agrees_with_the_host) { SKIP("not configured"); }
TEST_MAIN(RUN(every_op_agrees_with_the_host))

#endif
