/* The bits of unary ops: special values as NumPy has them; the same on every instruction set and for any threads. */
#include "ops/unary_table.h"

/* ---- NumPy ---- */

typedef struct golden_row {
  const char *name;
  op_fn *op;
  int exact;
  uint32_t bits[43];
} golden_row;

#include "golden/unary.inc"

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Exactly, or for functions that are not exact two units away at most; NaN is NaN. */
static bool is_golden(uint32_t got, uint32_t want, int exact) {
  if (isnan(float_of(want))) return isnan(float_of(got));
  if (got == want || exact) return got == want;
  const bool finite = isfinite(float_of(got)) && isfinite(float_of(want));
  return finite && got >> 31 == want >> 31 && (got > want ? got - want : want - got) <= 2;
}

static void check_golden(tsr_ctx *ctx, const golden_row *g) {
  enum { COUNT = COUNT_OF(golden_inputs) };
  float in[COUNT];
  tsr_tensor x = {0}, z = {0}, as_float = {0};
  memcpy(in, golden_inputs, sizeof in);
  OK(ctx, tsr_from_memory(ctx, in, TSR_F32, TSR_SHAPE(COUNT), &x));
  OK(ctx, g->op(ctx, &x, &z));
  OK(ctx, tsr_cast(ctx, &z, TSR_F32, &as_float));
  for (tsr_index i = 0; i < COUNT; i++) {
    const uint32_t got = (uint32_t)bits_at(&as_float, i);
    CHECK(is_golden(got, g->bits[i], g->exact));
    if (!is_golden(got, g->bits[i], g->exact))
      printf("  %s(%g) is %08x, NumPy has %08x\n", g->name, (double)in[i], (unsigned)got, (unsigned)g->bits[i]);
  }
  tsr_release(&as_float);
  tsr_release(&z);
}

TEST(special_values_as_in_numpy) {
  CHECK(COUNT_OF(golden_inputs) == COUNT_OF(golden_rows[0].bits));
  for (int i = 0; i < COUNT_OF(golden_rows); i++) {
    tsr_ctx *const ctx = test_context();
    for (int isa = 0; use_isa(ctx, isa); isa++) check_golden(ctx, &golden_rows[i]);
  }
}

/* ---- reproducibility ---- */

#if TSR_HAVE_MALLOC
enum { MANY = 20000 };

static double many_in[MANY], many_first[MANY], many_out[MANY];

static void fill_many(int dtype, test_rng *rng) {
  for (int i = 0; i < MANY; i++) {
    const uint32_t bits = test_random(rng);
    float plain = (float)(int32_t)bits / 1e8f; /* half of the numbers are of a usual size */
    if (i % 2 == 0) memcpy(&plain, &bits, sizeof plain);
    if (dtype == TSR_F32)
      memcpy((float *)(void *)many_in + i, &plain, sizeof plain);
    else
      many_in[i] = (double)plain;
  }
}

static void run_many(tsr_ctx *ctx, const row *r, int dtype, void *out) {
  tsr_tensor x = {0}, z = {0};
  OK(ctx, tsr_from_memory(ctx, many_in, dtype, TSR_SHAPE(MANY), &x));
  OK(ctx, tsr_from_memory(ctx, out, result_dtype(r, dtype), TSR_SHAPE(MANY), &z));
  OK(ctx, r->op(ctx, &x, &z));
}

/* Bits are compared where there is a number: NaN has many. */
static int differences(int dtype) {
  int count = 0;
  for (int i = 0; i < MANY; i++) {
    if (dtype == TSR_F32) {
      const float a = ((const float *)(const void *)many_first)[i], b = ((const float *)(const void *)many_out)[i];
      count += !(isnan(a) && isnan(b)) && memcmp(&a, &b, sizeof a) != 0;
    } else if (dtype == TSR_F64) {
      count += !(isnan(many_first[i]) && isnan(many_out[i])) && memcmp(&many_first[i], &many_out[i], 8) != 0;
    } else {
      count += ((const uint8_t *)many_first)[i] != ((const uint8_t *)many_out)[i];
    }
  }
  return count;
}

TEST(exact_ops_have_the_same_bits_on_every_instruction_set) {
  test_rng rng = {5};
  for (int dtype = TSR_F32; dtype <= TSR_F64; dtype++) {
    fill_many(dtype, &rng);
    for (int i = 0; i < COUNT_OF(rows); i++) {
      const int result = result_dtype(&rows[i], dtype);
      if ((rows[i].kind & EXACT) == 0 || result == TSR_NONE) continue;
      tsr_ctx *const ctx = test_context();
      for (int isa = 0; use_isa(ctx, isa); isa++) {
        run_many(ctx, &rows[i], dtype, isa == 0 ? many_first : many_out);
        if (isa > 0) CHECK(differences(result) == 0);
      }
    }
  }
}

TEST(any_number_of_threads_gives_the_same_bits) {
  test_rng rng = {6};
  fill_many(TSR_F32, &rng);
  for (int count = 2; count <= 8; count++) {
    tsr_threads *threads = NULL;
    if (tsr_threads_new(count, &threads) != TSR_OK) SKIP("no threads in this configuration");
    for (int i = count % 2; i < COUNT_OF(rows); i += 2) {
      const int result = result_dtype(&rows[i], TSR_F32);
      tsr_ctx *const ctx = test_context();
      if (result == TSR_NONE) continue;
      ctx->parallel = tsr_parallel_serial();
      run_many(ctx, &rows[i], TSR_F32, many_first);
      ctx->parallel = tsr_threads_parallel(threads);
      run_many(ctx, &rows[i], TSR_F32, many_out);
      CHECK(differences(result) == 0);
    }
    tsr_threads_release(threads);
  }
}
#else
TEST(exact_ops_have_the_same_bits_on_every_instruction_set) { SKIP("one instruction set"); }
TEST(any_number_of_threads_gives_the_same_bits) { SKIP("no threads in this configuration"); }
#endif

TEST_MAIN(RUN(special_values_as_in_numpy), RUN(exact_ops_have_the_same_bits_on_every_instruction_set),
          RUN(any_number_of_threads_gives_the_same_bits))
