/* What the unary ops cost: 1 M f32 and f64 numbers into a given output, one thread, by instruction set. The least of
 * many rounds, in microseconds; the last column is nanoseconds an element of the best set. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { ELEMENTS = 1 << 20, ROUNDS = 40, ISAS = 4 };

typedef tsr_status op_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

static tsr_status leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_leaky_relu(ctx, x, (tsr_real)0.01, out);
}
static tsr_status celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) { return tsr_celu(ctx, x, 1, out); }
static tsr_status elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) { return tsr_elu(ctx, x, 1, out); }

typedef struct row {
  const char *name;
  op_fn *op;
  bool positive; /* numbers over 0, else of both signs */
  bool test;     /* gives bool */
} row;

static const row rows[] = {
    {"abs", tsr_abs, false, false},
    {"neg", tsr_neg, false, false},
    {"sign", tsr_sign, false, false},
    {"square", tsr_square, false, false},
    {"floor", tsr_floor, false, false},
    {"ceil", tsr_ceil, false, false},
    {"round", tsr_round, false, false},
    {"trunc", tsr_trunc, false, false},
    {"logical_not", tsr_logical_not, false, true},
    {"isnan", tsr_isnan, false, true},
    {"isinf", tsr_isinf, false, true},
    {"isfinite", tsr_isfinite, false, true},
    {"sqrt", tsr_sqrt, true, false},
    {"rsqrt", tsr_rsqrt, true, false},
    {"reciprocal", tsr_reciprocal, true, false},
    {"exp", tsr_exp, false, false},
    {"exp2", tsr_exp2, false, false},
    {"expm1", tsr_expm1, false, false},
    {"log", tsr_log, true, false},
    {"log2", tsr_log2, true, false},
    {"log10", tsr_log10, true, false},
    {"log1p", tsr_log1p, true, false},
    {"sin", tsr_sin, false, false},
    {"cos", tsr_cos, false, false},
    {"tan", tsr_tan, false, false},
    {"tanh", tsr_tanh, false, false},
    {"erf", tsr_erf, false, false},
    {"erfc", tsr_erfc, false, false},
    {"cbrt", tsr_cbrt, false, false},
    {"asin", tsr_asin, false, false},
    {"acos", tsr_acos, false, false},
    {"atan", tsr_atan, false, false},
    {"sinh", tsr_sinh, false, false},
    {"cosh", tsr_cosh, false, false},
    {"asinh", tsr_asinh, false, false},
    {"acosh", tsr_acosh, true, false},
    {"atanh", tsr_atanh, false, false},
    {"relu", tsr_relu, false, false},
    {"leaky_relu", leaky_relu, false, false},
    {"elu", elu, false, false},
    {"celu", celu, false, false},
    {"selu", tsr_selu, false, false},
    {"softsign", tsr_softsign, false, false},
    {"gelu", tsr_gelu, false, false},
    {"gelu_tanh", tsr_gelu_tanh, false, false},
    {"silu", tsr_silu, false, false},
    {"sigmoid", tsr_sigmoid, false, false},
    {"hard_sigmoid", tsr_hard_sigmoid, false, false},
    {"hard_swish", tsr_hard_swish, false, false},
    {"softplus", tsr_softplus, false, false},
    {"mish", tsr_mish, false, false},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static double now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double time_once(tsr_ctx *ctx, const row *r, const tsr_tensor *x, tsr_tensor *out) {
  const double start = now_ns();
  if (r->op(ctx, x, out) != TSR_OK) {
    printf("%s: %s\n", r->name, tsr_error(ctx));
    exit(1);
  }
  return now_ns() - start;
}

/* Evenly from -4 to 4, or from 0 to 8. */
static void fill(const tsr_tensor *x, float low) {
  float *const at = x->data;
  unsigned state = 1;
  for (int i = 0; i < ELEMENTS; i++) {
    state = state * 1664525u + 1013904223u;
    at[i] = low + 8.0f * (float)(state >> 8) / 16777216.0f;
  }
}

static void run_row(const row *r, int dtype, const tsr_tensor *x) {
  double best[ISAS];
  int isas = 0;
  tsr_tensor out = {0};
  while (isas < ISAS && tsr_isa_name(isas) != NULL) best[isas++] = 1e30;
  for (int round = 0; round < ROUNDS; round++)
    for (int isa = 0; isa < isas; isa++) {
      tsr_ctx ctx;
      if (tsr_context_init(&ctx, NULL) != TSR_OK || tsr_context_set_isa(&ctx, tsr_isa_name(isa)) != TSR_OK) exit(1);
      ctx.parallel = tsr_parallel_serial();
      const double ns = time_once(&ctx, r, x, &out);
      if (ns < best[isa]) best[isa] = ns;
    }
  printf("%-14s %-4s", r->name, tsr_dtype_name(dtype));
  for (int isa = 0; isa < isas; isa++) printf(" %10.1f", best[isa] / 1e3);
  printf(" %8.3f\n", best[isas - 1] / ELEMENTS);
  tsr_release(&out);
}

/* The cost of a call: four elements into a given output, the least of many rounds of a thousand. */
static void small_call(const row *r) {
  enum { CALLS = 1000 };
  float in[4] = {0.5f, 1, 2, 3}, made[4];
  double best = 1e30;
  tsr_tensor x = {0}, out = {0};
  if (tsr_from_memory(NULL, in, TSR_F32, TSR_SHAPE(4), &x) != TSR_OK) exit(1);
  if (tsr_from_memory(NULL, made, TSR_F32, TSR_SHAPE(4), &out) != TSR_OK) exit(1);
  for (int round = 0; round < 10 * ROUNDS; round++) {
    const double start = now_ns();
    for (int i = 0; i < CALLS; i++)
      if (r->op(NULL, &x, &out) != TSR_OK) exit(1);
    const double ns = (now_ns() - start) / CALLS;
    if (ns < best) best = ns;
  }
  printf("%-14s of 4 elements: %.1f ns\n", r->name, best);
}

/* Every row on one dtype, or the one with that name. */
static void run_rows(const char *name, const tsr_tensor *both, const tsr_tensor *above) {
  for (int i = 0; i < ROWS; i++)
    if (name == NULL || strcmp(name, rows[i].name) == 0)
      run_row(&rows[i], both->dtype, rows[i].positive ? above : both);
}

int main(int argc, char **argv) {
  tsr_tensor both = {0}, above = {0}, both_f64 = {0}, above_f64 = {0};
  if (tsr_empty(NULL, TSR_F32, TSR_SHAPE(ELEMENTS), &both) != TSR_OK) return 1;
  if (tsr_empty(NULL, TSR_F32, TSR_SHAPE(ELEMENTS), &above) != TSR_OK) return 1;
  fill(&both, -4);
  fill(&above, 0);
  printf("%-19s", "us");
  for (int isa = 0; isa < ISAS && tsr_isa_name(isa) != NULL; isa++) printf(" %10s", tsr_isa_name(isa));
  printf("  ns/elem\n");
  if (tsr_cast(NULL, &both, TSR_F64, &both_f64) != TSR_OK) return 1;
  if (tsr_cast(NULL, &above, TSR_F64, &above_f64) != TSR_OK) return 1;
  run_rows(argc < 2 ? NULL : argv[1], &both, &above);
  run_rows(argc < 2 ? NULL : argv[1], &both_f64, &above_f64);
  for (int i = 0; i < ROWS; i++)
    if (argc < 2 && (rows[i].op == tsr_exp || rows[i].op == tsr_relu || rows[i].op == tsr_sin)) small_call(&rows[i]);
  tsr_release(&both);
  tsr_release(&above);
  tsr_release(&both_f64);
  tsr_release(&above_f64);
  return 0;
}
