/* The heavy binary ops over random bit patterns and all pairs of special values: f32 functions against f64 ones,
 * floats' divisions against fmod bit by bit, integers' against C's operators. TSR_TEST_ALL in the environment: 10^7. */
#include "cpu/isa.h"
#include "support/machine.h"
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_F64 && TSR_HAVE_STDIO
#include "ops/binary_reference.h"

#include <float.h>
#include <stdlib.h>

enum { BATCH = 1 << 14, ISAS = TSR__ISA_COUNT };

static int sample(void) { return getenv("TSR_TEST_ALL") != NULL ? 10000000 : test_brief() ? 1 << 16 : 1 << 20; }

static _Alignas(64) unsigned char x[BATCH * 8], y[BATCH * 8], z[ISAS][BATCH * 8];

static int run(int op, int dtype, int n) {
  tsr_ctx *const ctx = test_context();
  int isas = 0;
  for (; isas < ISAS && tsr_isa_name(isas) != NULL; isas++) {
    tsr_tensor a = {0}, b = {0}, out = {0};
    ctx->isa = (uint8_t)(isas + 1);
    OK(ctx, tsr_from_memory(ctx, x, dtype, TSR_SHAPE(n), &a));
    OK(ctx, tsr_from_memory(ctx, y, dtype, TSR_SHAPE(n), &b));
    OK(ctx, tsr_from_memory(ctx, z[isas], dtype, TSR_SHAPE(n), &out));
    OK(ctx, ref_ops[op].call(ctx, &a, &b, &out));
  }
  return isas;
}

/* ---- which numbers ---- */

static const float special[] = {0.0f,
                                -0.0f,
                                1.0f,
                                -1.0f,
                                2.0f,
                                -2.0f,
                                3.0f,
                                -3.0f,
                                0.5f,
                                -0.5f,
                                1.5f,
                                -2.5f,
                                1e10f,
                                -1e10f,
                                16777216,
                                -16777215,
                                INFINITY,
                                -INFINITY,
                                NAN,
                                0x1p-149f,
                                -0x1p-149f,
                                0x1p-126f,
                                33554432,
                                8388609,
                                -8388607,
                                0x1.fffffep127f,
                                -0x1.fffffep127f,
                                0x1.000002p0f,
                                0x1.fffffep-1f};

/* A third of the batches anything; a third numbers near each other, and beside each a base near 1 with a large
 * exponent; the first all pairs of special ones. */
static int fill(test_rng *rng, int dtype, int batch) {
  const int wide = dtype == TSR_F64, pairs = COUNT_OF(special) * COUNT_OF(special);
  for (int i = 0; i < BATCH; i++) {
    const size_t at = (size_t)i * (wide ? 8 : 4);
    float a = batch == 0 ? special[i / COUNT_OF(special) % COUNT_OF(special)] : 0;
    float b = batch == 0 ? special[i % COUNT_OF(special)] : 0;
    uint32_t bits[4];
    for (int k = 0; k < 4; k++) bits[k] = test_random(rng);
    if (batch == 0) bits[3] = 0;
    if (batch % 3 == 1) {
      a = ldexpf((float)bits[0], (int)(bits[1] % 40) - 52);
      b = ((float)bits[2] - 2147483648.0f) * (i % 2 ? 0x1p-20f : 0x1p-27f);
      if (i % 2) a = 1 + ((float)bits[0] - 2147483648.0f) * 0x1p-35f;
    }
    const double a_wide = (double)a * (1 + bits[3] * 0x1p-57), b_wide = (double)b * (i % 4 == 3 ? 8 : 1);
    memcpy(x + at, batch % 3 == 2 ? (const void *)bits : wide ? (const void *)&a_wide : (const void *)&a, wide ? 8 : 4);
    memcpy(y + at,
           batch % 3 == 2 ? (const void *)(bits + 2)
           : wide         ? (const void *)&b_wide
                          : (const void *)&b,
           wide ? 8 : 4);
  }
  return batch == 0 ? pairs : BATCH;
}

/* ---- f32 functions ---- */

static double units(double got, double exact) {
  if (isnan(exact) || isnan(got)) return isnan(exact) && isnan(got) ? 0 : INFINITY;
  if (exact == 0) return got == 0 && !signbit(got) == !signbit(exact) ? 0 : INFINITY;
  const double most = 0x1p128, size = fabs(exact) > most ? most : fabs(exact);
  const double reached = isinf(got) ? most : fabs(got);
  int exponent;
  (void)frexp(size < most ? size : most / 2, &exponent);
  if (!signbit(got) != !signbit(exact)) return INFINITY;
  return fabs(reached - size) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double exact_of(int op, double a, double b) {
  return op == OP_pow ? (isnan(b) && a != 1 ? b : pow(a, b)) : op == OP_atan2 ? atan2(a, b) : hypot(a, b);
}

TEST(f32_functions_are_within_their_bounds_and_alike_with_fused_products) {
  static const int ops[] = {OP_pow, OP_atan2, OP_hypot};
  static const double bounds[] = {1, 2, 1};
  for (int o = 0; o < COUNT_OF(ops); o++) {
    test_rng rng = {77};
    double worst[ISAS] = {0};
    long split = 0;
    int isas = 0;
    for (int batch = 0; batch * BATCH < sample(); batch++) {
      const int n = fill(&rng, TSR_F32, batch);
      isas = run(ops[o], TSR_F32, n);
      for (int i = 0; i < n; i++) {
        float a, b, got[ISAS];
        memcpy(&a, x + 4 * i, 4), memcpy(&b, y + 4 * i, 4);
        const double exact = exact_of(ops[o], (double)a, (double)b);
        for (int isa = 0; isa < isas; isa++) {
          memcpy(&got[isa], z[isa] + 4 * i, 4);
          const double off = units((double)got[isa], exact);
          if (off > worst[isa]) worst[isa] = off;
          if (isa > 1) split += memcmp(&got[isa], &got[1], 4) != 0 && !isnan(exact);
        }
      }
    }
    printf("%-6s", ref_ops[ops[o]].name);
    for (int isa = 0; isa < isas; isa++) printf("  %s %.4f ULP", tsr_isa_name(isa), worst[isa]);
    printf("\n");
    for (int isa = 0; isa < isas; isa++) CHECK(worst[isa] <= bounds[o]);
    CHECK(split == 0);
  }
}

/* ---- f64 functions ---- */

#if LDBL_MANT_DIG >= 64
static double wide_units(double got, long double exact) {
  if (isnan(exact) || isnan(got)) return isnan(exact) && isnan(got) ? 0 : INFINITY;
  if (!signbit(got) != !signbit(exact)) return INFINITY;
  if (exact == 0 || isinf(exact)) return (long double)got == exact ? 0 : INFINITY;
  if (fabsl(exact) >= 0x1p1024L) return isinf(got) ? 0 : INFINITY;
  int exponent;
  (void)frexpl(exact, &exponent);
  const long double reached = isinf(got) ? 0x1p1024L : fabsl((long double)got);
  return (double)ldexpl(fabsl(reached - fabsl(exact)), 53 - (exponent < -1021 ? -1021 : exponent));
}

static long double wide_exact_of(int op, long double a, long double b) {
  return op == OP_pow ? (isnan(b) && a != 1 ? b : powl(a, b)) : op == OP_atan2 ? atan2l(a, b) : hypotl(a, b);
}

/* Where an exact result is below the least long double, its sign and 0 are what a double has of it. */
TEST(f64_functions_are_within_their_bounds_and_alike_with_fused_products) {
  if (!test_has_long_double()) SKIP("long double is no longer than double here");
  static const int ops[] = {OP_pow, OP_atan2, OP_hypot};
  for (int o = 0; o < COUNT_OF(ops); o++) {
    test_rng rng = {78};
    double worst[ISAS] = {0};
    long split = 0;
    int isas = 0;
    for (int batch = 0; batch * BATCH < sample() / 8; batch++) {
      const int n = fill(&rng, TSR_F64, batch);
      isas = run(ops[o], TSR_F64, n);
      for (int i = 0; i < n; i++) {
        double a, b, got[ISAS];
        memcpy(&a, x + 8 * i, 8), memcpy(&b, y + 8 * i, 8);
        const long double exact = wide_exact_of(ops[o], (long double)a, (long double)b);
        for (int isa = 0; isa < isas && isa < ISAS; isa++) {
          memcpy(&got[isa], z[isa] + 8 * i, 8);
          const double off = wide_units(got[isa], exact);
          if (off > worst[isa]) worst[isa] = off;
          if (isa > 1) split += memcmp(&got[isa], &got[1], 8) != 0 && !isnan(exact);
        }
      }
    }
    printf("%-6s", ref_ops[ops[o]].name);
    for (int isa = 0; isa < isas; isa++) printf("  %s %.4f ULP", tsr_isa_name(isa), worst[isa]);
    printf("  f64\n");
    for (int isa = 0; isa < isas; isa++) CHECK(worst[isa] <= 2);
    CHECK(split == 0);
  }
}
#else
TEST(f64_functions_are_within_their_bounds_and_alike_with_fused_products) { SKIP("nothing wider to compare with"); }
#endif

/* ---- divisions ---- */

static void check_divisions(int dtype, int batches, int (*make)(test_rng *, int, int)) {
  static const int ops[] = {OP_floor_divide, OP_remainder, OP_fmod};
  const size_t item = tsr_dtype_size(dtype);
  for (int o = 0; o < COUNT_OF(ops); o++) {
    test_rng rng = {99};
    long wrong = 0;
    for (int batch = 0; batch < batches; batch++) {
      const int n = make(&rng, dtype, batch), isas = run(ops[o], dtype, n);
      for (int i = 0; i < n; i++) {
        _Alignas(16) unsigned char want[16];
        ref_binary(ops[o], dtype, x + (size_t)i * item, y + (size_t)i * item, want);
        for (int isa = 0; isa < isas; isa++) wrong += !ref_same(dtype, want, z[isa] + (size_t)i * item);
      }
    }
    if (wrong != 0) printf("%s of %s: %ld wrong\n", ref_ops[ops[o]].name, tsr_dtype_name(dtype), wrong);
    CHECK(wrong == 0);
  }
}

TEST(divisions_of_floats_are_those_of_fmod_bit_by_bit) {
  check_divisions(TSR_F32, sample() / BATCH, fill);
  check_divisions(TSR_F64, sample() / BATCH, fill);
}

/* All pairs of one byte; else numbers of every size. */
static int fill_integers(test_rng *rng, int dtype, int batch) {
  const size_t item = tsr_dtype_size(dtype);
  for (int i = 0; i < BATCH; i++) {
    const int pair = batch * BATCH + i;
    const uint32_t a = test_random(rng), b = test_random(rng);
    const int a_cut = (int)(test_random(rng) % 32), b_cut = (int)(test_random(rng) % 32);
    const uint64_t ends[] = {0, 1, (uint64_t)-1, (uint64_t)1 << (8 * item - 1), ((uint64_t)1 << (8 * item - 1)) - 1};
    ref_put_integer(dtype,
                    item == 1 ? (uint64_t)pair >> 8
                    : i < 25  ? ends[i / 5]
                              : (uint64_t)a >> a_cut,
                    x + (size_t)i * item);
    ref_put_integer(dtype,
                    item == 1 ? (uint64_t)pair
                    : i < 25  ? ends[i % 5]
                              : (uint64_t)((int32_t)b >> b_cut),
                    y + (size_t)i * item);
  }
  return BATCH;
}

TEST(divisions_of_integers_are_exact) {
  static const int dtypes[] = {TSR_I8, TSR_U8, TSR_I16, TSR_U16, TSR_I32, TSR_U32, TSR_I64};
  for (int d = 0; d < COUNT_OF(dtypes); d++)
    check_divisions(dtypes[d], tsr_dtype_size(dtypes[d]) == 1 ? 65536 / BATCH : sample() / BATCH, fill_integers);
}

#else

TEST(f32_functions_are_within_their_bounds_and_alike_with_fused_products) { SKIP("no f64 to compare with"); }
TEST(f64_functions_are_within_their_bounds_and_alike_with_fused_products) { SKIP("no f64 to compare with"); }
TEST(divisions_of_floats_are_those_of_fmod_bit_by_bit) { SKIP("no f64 to compare with"); }
TEST(divisions_of_integers_are_exact) { SKIP("no f64 to compare with"); }

#endif

TEST_MAIN(RUN(f32_functions_are_within_their_bounds_and_alike_with_fused_products),
          RUN(f64_functions_are_within_their_bounds_and_alike_with_fused_products),
          RUN(divisions_of_floats_are_those_of_fmod_bit_by_bit), RUN(divisions_of_integers_are_exact))
