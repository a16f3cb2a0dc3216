/* How far f32 functions are from the truth: units in the last place against f64, for a sample of all floats and
 * everything around the edges; with TSR_TEST_ALL in the environment for every float there is (TSR_TEST_PART=2/16:
 * for a part of them, TSR_TEST_ONLY=exp: of one function). The bounds are those of <tessera/unary.h>. */
#include "support/helpers.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#if TSR_HAVE_F64

typedef tsr_status op_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- references ---- */

static double ref_rsqrt(double x) { return 1 / sqrt(x); }
static double ref_reciprocal(double x) { return 1 / x; }
static double ref_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double ref_silu(double x) { return x / (1 + exp(-x)); }
static double ref_softplus(double x) { return x > 100 ? x : log1p(exp(x)); }
static double ref_gelu(double x) { return x / 2 * erfc(-x * 0.70710678118654752440); }
static double ref_gelu_tanh(double x) {
  return x / (1 + exp(-1.59576912160573071176 * (x + 0.044715 * x * x * x)));
}
static double ref_mish(double x) { return x > 100 ? x : x * tanh(log1p(exp(x))); }
static double ref_elu(double x) { return x > 0 ? x : (double)0.7f * expm1(x); }

static tsr_status elu_07(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_elu(ctx, x, (tsr_real)0.7f, out);
}

typedef struct function {
  const char *name;
  op_fn      *op;
  double (*reference)(double);
  double bound;          /* ULP */
  bool   vanishes;       /* -0 at -inf, where the reference has no number */
  float  edges[6];       /* where something changes; both signs are tried */
} function;

static const function functions[] = {
    {"sqrt", tsr_sqrt, sqrt, 0.5, false, {0}},
    {"reciprocal", tsr_reciprocal, ref_reciprocal, 0.5, false, {0x1p-126f, 0x1p-128f, 0x1p126f}},
    {"rsqrt", tsr_rsqrt, ref_rsqrt, 1.5, false, {0x1p-126f}},
    {"exp", tsr_exp, exp, 2, false, {86, 88.72283f, 104, 103.97208f, 0.34657f, 87.336544f}},
    {"exp2", tsr_exp2, exp2, 2, false, {124, 126, 128, 149, 150, 0.5f}},
    {"expm1", tsr_expm1, expm1, 2, false, {0.34657f, 1.0397f, 88.72283f, 20, 17.3287f}},
    {"log", tsr_log, log, 2, false, {0.70710678f, 1.41421356f, 1, 0x1p-126f}},
    {"log2", tsr_log2, log2, 2, false, {0.70710678f, 1.41421356f, 1, 0x1p-126f}},
    {"log10", tsr_log10, log10, 2, false, {0.70710678f, 1.41421356f, 1, 0x1p-126f}},
    {"log1p", tsr_log1p, log1p, 2, false, {0.29289322f, 0.41421356f, 1, 0x1p30f}},
    {"sin", tsr_sin, sin, 2, false, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}},
    {"cos", tsr_cos, cos, 2, false, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}},
    {"tan", tsr_tan, tan, 2, false, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}},
    {"tanh", tsr_tanh, tanh, 2, false, {0.17329f, 0.51986f, 9.02f, 9.0109f}},
    {"erf", tsr_erf, erf, 2, false, {1, 3.92f, 3.8325f}},
    {"elu", elu_07, ref_elu, 3, false, {0.34657f, 1.0397f, 20}},
    {"gelu", tsr_gelu, ref_gelu, 8, true, {8, 12, 14.5f, 14.2f, 0.5f}},
    {"gelu_tanh", tsr_gelu_tanh, ref_gelu_tanh, 5, true, {9, 11, 10}},
    {"silu", tsr_silu, ref_silu, 3, true, {86, 110, 104, 108.5f}},
    {"sigmoid", tsr_sigmoid, ref_sigmoid, 4, false, {12, 86, 110, 104, 16.6355f}},
    {"softplus", tsr_softplus, ref_softplus, 2, false, {86, 110, 104, 0.8813736f, 16.6355f}},
    {"mish", tsr_mish, ref_mish, 4, true, {86, 110, 104, 108.5f}},
};

/* ---- measuring ---- */

enum { BATCH = 1 << 14, ISAS = 4 };

typedef struct measure {
  const function *f;
  double          worst[ISAS];
  float           worst_at[ISAS];
  unsigned long   wrong, split, count; /* NaN or sign of 0 wrong; FMA sets that differ; numbers tried */
} measure;

static float inputs[BATCH], outputs[ISAS][BATCH];
static int   pending;

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* One over the weight of the last bit of an f32 of that size. */
static double units_in(double exact) {
  uint64_t bits;
  memcpy(&bits, &exact, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < -126) exponent = -126;
  if (exponent > 127) exponent = 127;
  bits = (uint64_t)(1023 + 23 - exponent) << 52;
  memcpy(&exact, &bits, sizeof exact);
  return exact;
}

static double distance(float got, double exact) {
  const double reached = isinf(got) ? copysign(0x1p128, got) : (double)got;
  const double aimed = fabs(exact) > 0x1p128 ? copysign(0x1p128, exact) : exact;
  return fabs(reached - aimed) * units_in(aimed);
}

static void compare_one(measure *m, int isa, float x, double exact, float got) {
  if (isnan(exact) || isnan(got)) {
    m->wrong += !(isnan(exact) && isnan(got));
    return;
  }
  if (exact == 0) {
    m->wrong += got != 0 || !signbit(got) != !signbit(exact);
    return;
  }
  const double d = distance(got, exact);
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
    const double exact = m->f->vanishes && isinf(x) && x < 0 ? -0.0 : m->f->reference((double)x);
    for (int isa = 0; isa < isas; isa++) compare_one(m, isa, x, exact, outputs[isa][i]);
    for (int isa = 2; isa < isas; isa++) /* those after base have fused products */
      m->split += bits_of(outputs[isa][i]) != bits_of(outputs[1][i]) && !isnan(exact);
  }
  m->count += (unsigned long)pending;
  pending = 0;
}

static void try(measure *m, uint32_t bits) {
  inputs[pending++] = float_of(bits);
  if (pending == BATCH) flush(m);
}

/* ---- which numbers ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SAMPLE = 1 << 16, AROUND = 300 };
#else
enum { SAMPLE = 1 << 20, AROUND = 3000 };
#endif

static void try_around(measure *m, float x) {
  for (uint32_t k = 0; k < 2 * AROUND; k++) {
    try(m, bits_of(x) + k - AROUND);
    try(m, (bits_of(x) + k - AROUND) ^ 0x80000000u);
  }
}

static void try_sample(measure *m) {
  static const float always[] = {0,   1,   2,       0x1p-126f, 0x1p-149f, INFINITY,
                                 NAN, 0x1.fffffep127f, 0x1p23f, 0x1p24f,   0x1p31f};
  for (int i = 0; i < COUNT_OF(always); i++) try_around(m, always[i]);
  for (int i = 0; i < COUNT_OF(m->f->edges); i++) try_around(m, m->f->edges[i]);
  for (uint32_t i = 0; i < SAMPLE; i++) try(m, i * 2654435769u); /* evenly over all patterns */
  for (uint32_t i = 0; i < SAMPLE; i++) {                        /* and where functions bend: 2^-12 to 2^7 */
    const uint32_t from = 0x39800000u, span = 0x43000000u - from;
    const uint32_t bits = from + (uint32_t)((uint64_t)(i * 2654435769u) * span >> 32);
    try(m, bits | (i & 1) << 31);
  }
}

static void try_all(measure *m, const char *part) {
  unsigned long long index = 0, parts = 1;
  if (part != NULL) {
    char *end;
    index = strtoull(part, &end, 10);
    parts = strtoull(end + 1, NULL, 10);
  }
  const uint64_t first = ((uint64_t)index << 32) / parts, last = ((uint64_t)(index + 1) << 32) / parts;
  for (uint64_t bits = first; bits < last; bits++) try(m, (uint32_t)bits);
}

static void measure_function(const function *f) {
  measure m = {.f = f};
  if (getenv("TSR_TEST_ALL") != NULL)
    try_all(&m, getenv("TSR_TEST_PART"));
  else
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
  const char *const only = getenv("TSR_TEST_ONLY");
  for (int i = 0; i < COUNT_OF(functions); i++)
    if (only == NULL || strcmp(only, functions[i].name) == 0) measure_function(&functions[i]);
}

#else

TEST(f32_functions_are_within_their_bounds) { SKIP("no f64 to compare with in this configuration"); }

#endif

TEST_MAIN(RUN(f32_functions_are_within_their_bounds))
