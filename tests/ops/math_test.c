/* How far f32 functions are from the truth: units in the last place against f64, for a sample of all floats and
 * everything around the edges. The bounds are those of <tessera/unary.h>. tests/ops/math_all.c tries every float. */
#include "cpu/isa.h"
#include "ops/math_functions.h"
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_F64

#define R double
#define REF(name) ref_##name
#define LIBM(name) name
#include "ops/math_reference.tmpl.h"

typedef struct function {
  const char *name;
  math_fn *op;
  double (*reference)(double);
  double bound;   /* ULP */
  float edges[6]; /* where something changes; both signs are tried */
} function;

#define ROW(name, call, f32, f64, ...) {#name, call, ref_##name, f32, __VA_ARGS__},
static const function functions[] = {MATH_FUNCTIONS(ROW)};

/* ---- measuring ---- */

enum { BATCH = 1 << 14, ISAS = TSR__ISA_COUNT };

typedef struct measure {
  const function *f;
  double worst[ISAS];
  float worst_at[ISAS];
  unsigned long wrong, split, count; /* NaN or sign of 0 wrong; FMA sets that differ; numbers tried */
} measure;

static float inputs[BATCH], outputs[ISAS][BATCH];
static int pending;

static void compare_one(measure *m, int isa, float x, double exact, float got) {
  m->wrong += (unsigned long)math_differs((double)got, exact);
  const double d = math_distance((double)got, exact);
  if (d > m->worst[isa]) {
    m->worst[isa] = d;
    m->worst_at[isa] = x;
  }
}

static void flush(measure *m) {
  int isas = 0;
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  ctx.parallel = tsr_parallel_serial();
  for (; isas < ISAS && tsr_isa_name(isas) != NULL; isas++) {
    tsr_tensor x = {0}, z = {0};
    OK(&ctx, tsr_context_set_isa(&ctx, tsr_isa_name(isas)));
    OK(&ctx, tsr_from_memory(&ctx, inputs, TSR_F32, TSR_SHAPE(pending), &x));
    OK(&ctx, tsr_from_memory(&ctx, outputs[isas], TSR_F32, TSR_SHAPE(pending), &z));
    OK(&ctx, m->f->op(&ctx, &x, &z));
  }
  for (int i = 0; i < pending; i++) {
    const float x = inputs[i];
    const double exact = m->f->reference((double)x);
    for (int isa = 0; isa < isas; isa++) compare_one(m, isa, x, exact, outputs[isa][i]);
    for (int isa = 2; isa < isas; isa++) /* those after base have fused products: each as the one before it */
      m->split += tsr__bits_of_f32(outputs[isa][i]) != tsr__bits_of_f32(outputs[isa - 1][i]) && !isnan(exact);
  }
  m->count += (unsigned long)pending;
  pending = 0;
}

static void try(measure *m, uint32_t bits) {
  inputs[pending++] = tsr__f32_of_bits(bits);
  if (pending == BATCH) flush(m);
}

/* ---- which numbers ---- */

static uint32_t sample(void) { return test_brief() ? 1 << 13 : 1 << 19; }
static uint32_t around(void) { return test_brief() ? 100 : 2000; }

static void try_around(measure *m, float x) {
  const uint32_t each_side = around();
  for (uint32_t k = 0; k < 2 * each_side; k++) {
    try(m, tsr__bits_of_f32(x) + k - each_side);
    try(m, (tsr__bits_of_f32(x) + k - each_side) ^ 0x80000000u);
  }
}

static void try_sample(measure *m) {
  const uint32_t count = sample();
  static const float always[] = {0,       1,       2,      0x1p-126f, 0x1p-149f, INFINITY, NAN, 0x1.fffffep127f,
                                 0x1p23f, 0x1p24f, 0x1p31f};
  for (int i = 0; i < COUNT_OF(always); i++) try_around(m, always[i]);
  for (int i = 0; i < COUNT_OF(m->f->edges); i++) try_around(m, m->f->edges[i]);
  for (uint32_t i = 0; i < count; i++) try(m, i * 2654435769u); /* evenly over all patterns */
  for (uint32_t i = 0; i < count; i++) {                        /* and where functions bend: 2^-12 to 2^7 */
    const uint32_t from = 0x39800000u, span = 0x43000000u - from;
    const uint32_t bits = from + (uint32_t)((uint64_t)(i * 2654435769u) * span >> 32);
    try(m, bits | (i & 1) << 31);
  }
}

static void measure_function(const function *f) {
  measure m = {.f = f};
  try_sample(&m);
  flush(&m);
  printf("%-12s %10lu numbers:", f->name, m.count);
  for (int isa = 0; isa < ISAS && tsr_isa_name(isa) != NULL; isa++) {
    printf("  %s %.3f ULP at %a", tsr_isa_name(isa), m.worst[isa], (double)m.worst_at[isa]);
    CHECK(m.worst[isa] <= f->bound);
  }
  printf("%s%s\n", m.wrong != 0 ? "  WRONG KIND" : "", m.split != 0 ? "  FMA SETS DIFFER" : "");
  CHECK(m.wrong == 0);
  CHECK(m.split == 0);
}

TEST(f32_functions_are_within_their_bounds) {
  for (int i = 0; i < COUNT_OF(functions); i++) measure_function(&functions[i]);
}

#else

TEST(f32_functions_are_within_their_bounds) { SKIP("no f64 to compare with in this configuration"); }

#endif

TEST_MAIN(RUN(f32_functions_are_within_their_bounds))
