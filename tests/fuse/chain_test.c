/* Chains in registers against kernels: a text over a whole tensor gives, element by element, what it gives over pieces so small that
 * nothing of it runs in registers. Rows that are not a whole number of blocks, operands that repeat, outputs over inputs. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC && TSR_HAVE_F64 && TSR_HAVE_SMALL_FLOATS

#include "cpu/isa.h"
#include "cpu/move.h"
#include "fuse/group.h"

/* Every place that operands can be in: memory, one for all, one a row, one a column, both registers, and more than they hold. */
static const char *const texts[] = {
    "2*a + 3*b",
    "a*b + c",
    "c - a*b",
    "(a - b)**2",
    "3 - (2 - a)",
    "(a + b)*(a - b)",
    "(a*b + c)/(b*c - a)",
    "((a + b)*(b + c) - (c + a)*(a - b))*((a - c)*(b - c) + (a + c)*(b*c))",
    "where(a > 0, a, a*c)",
    "where(a > b, a*b, c)",
    "where(a*b > b*c, a + b, b + c)",
    "where(a + b <= c, c*(a - b), a*b - c)",
    "where(2 < a, 1, b)",
    "clip((a - m)/s, -3, 3)",
    "clip(a, b - 1, b*c)",
    "maximum(a, m)*v + s",
    "where(a > m, v, a)",
    "m - a*v",
    "(m + s)*a",
    "abs(neg(a)) + sqrt(square(b)) + floor(c)",
    "copysign(a, b) + fmin(a, c)*fmax(b, c)",
    "lerp(a, b, c) + 1",
    "sin(a*b + c) + (a - b)*2",
    "exp(a - m)*v",
    "where(a >= b, sin(a), cos(b)) + a*b",
    "f32(f16(a*b) + 1)*c",
    "f16(a*b)*f16(c)",
    "bf16(a - b)*bf16(c) + bf16(v)",
    "(d*b + c)*d - d*d",
};

/* ---- inputs ---- */

enum { A, B, C, M, S, V, INPUTS };
static const char *const names[INPUTS] = {"a", "b", "c", "m", "s", "v"};

static bool is_row(int i) { return i == V; }
static bool is_column(int i) { return i == M || i == S; }

static void make_inputs(tsr_ctx *ctx, int dtype, tsr_index rows, tsr_index columns, tsr_tensor *in) {
  test_rng rng = {(uint64_t)(rows * 100003 + columns)};
  for (int i = 0; i < INPUTS; i++) {
    const tsr_index shape[2] = {is_row(i) ? 1 : rows, is_column(i) ? 1 : columns};
    tsr_tensor wide = {0};
    OK(ctx, tsr_empty(ctx, TSR_F64, 2, shape, &wide));
    for (tsr_index k = 0; k < tsr_size(&wide); k++)
      ((double *)wide.data)[k] = (double)(int32_t)test_random(&rng) / 5e8 + (i == S ? 6 : 0);
    OK(ctx, tsr_cast(ctx, &wide, dtype, &in[i]));
    tsr_release(&wide);
  }
}

/* The text with those of the inputs that it names: what it does not name is an error. */
static void evaluate(tsr_ctx *ctx, const char *text, const tsr_tensor *in, tsr_tensor *out) {
  tsr_named named[INPUTS + 1];
  char line[256];
  int count = 0;
  (void)snprintf(line, sizeof line, "d = a - b*c; %s", text);
  for (int i = 0; i < INPUTS; i++) {
    bool used = i <= C;
    for (const char *at = text; *at != '\0'; at++) {
      const bool alone =
          (at == text || at[-1] < 'a' || at[-1] > 'z') && (at[1] < 'a' || at[1] > 'z') && (at[1] < '0' || at[1] > '9');
      used = used || (*at == names[i][0] && alone);
    }
    if (used) named[count++] = (tsr_named){names[i], &in[i]};
  }
  OK(ctx, tsr_eval(ctx, strchr(text, 'd') != NULL && strstr(text, "d*d") != NULL ? line : text, count, named, out));
}

/* The same from pieces of one row that are too short for registers. */
static void check_pieces(tsr_ctx *ctx, const char *text, const tsr_tensor *in, const tsr_tensor *whole) {
  const tsr_index rows = whole->shape[0], columns = whole->shape[1], most = TSR__CHAIN_ELEMENTS - 1;
  for (tsr_index row = 0; row < rows; row++) {
    for (tsr_index first = 0; first < columns; first += most) {
      const tsr_index end = columns - first < most ? columns : first + most;
      tsr_tensor part[INPUTS] = {{0}}, got = {0}, want = {0};
      for (int i = 0; i < INPUTS; i++) {
        part[i] = in[i];
        if (!is_row(i)) OK(ctx, tsr_slice(ctx, &part[i], 0, row, row + 1, 1, &part[i]));
        if (!is_column(i)) OK(ctx, tsr_slice(ctx, &part[i], 1, first, end, 1, &part[i]));
      }
      OK(ctx, tsr_slice(ctx, whole, 0, row, row + 1, 1, &got));
      OK(ctx, tsr_slice(ctx, &got, 1, first, end, 1, &got));
      evaluate(ctx, text, part, &want);
      const bool same = test_same_numbers(&got, &want);
      CHECK(same);
      if (!same) printf("%s: row %d, from %d on\n", text, (int)row, (int)first);
      tsr_release(&want);
      if (!same) return;
    }
  }
}

static const tsr_index shapes[][2] = {{1, 64}, {1, 65}, {1, 127}, {1, 1000}, {3, 40},
                                      {3, 64}, {4, 77}, {5, 130}, {3, 500},  {2, 9000}};

static void check_texts(tsr_ctx *ctx, int dtype) {
  for (int shape = 0; shape < COUNT_OF(shapes); shape++) {
    tsr_tensor in[INPUTS] = {{0}};
    make_inputs(ctx, dtype, shapes[shape][0], shapes[shape][1], in);
    for (int t = 0; t < COUNT_OF(texts); t++) {
      tsr_tensor whole = {0};
      evaluate(ctx, texts[t], in, &whole);
      check_pieces(ctx, texts[t], in, &whole);
      tsr_release(&whole);
    }
    for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
  }
}

TEST(chains_give_what_kernels_give) {
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; isa <= tsr__isa_best(); isa++) {
    ctx->isa = (uint8_t)(isa + 1);
    check_texts(ctx, TSR_F32);
    check_texts(ctx, TSR_F64);
  }
  ctx->isa = 0;
  check_texts(ctx, TSR_F16);
  CHECK(test_live() == 0);
}

TEST(outputs_by_non_temporal_stores_are_the_same) {
  tsr_ctx *const ctx = test_context();
  const size_t before = tsr__stream_bytes;
  tsr__stream_bytes = 64;
  for (int isa = 0; isa <= tsr__isa_best(); isa++) {
    ctx->isa = (uint8_t)(isa + 1);
    check_texts(ctx, TSR_F32);
  }
  tsr__stream_bytes = before;
  ctx->isa = 0;
  CHECK(test_live() == 0);
}

/* An output that is an input, of every length around whole blocks. */
TEST(an_output_over_an_input_is_written_after_it_was_read) {
  static const char *const in_place[] = {"a*b + c", "(a - b)*(a + b)", "where(a > 0, a, a*c)"};
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; isa <= tsr__isa_best(); isa++) {
    ctx->isa = (uint8_t)(isa + 1);
    for (int t = 0; t < COUNT_OF(in_place); t++) {
      for (tsr_index n = 60; n < 400; n++) {
        tsr_tensor in[INPUTS] = {{0}}, want = {0};
        make_inputs(ctx, TSR_F32, 1, n, in);
        evaluate(ctx, in_place[t], in, &want);
        evaluate(ctx, in_place[t], in, &in[A]);
        CHECK(test_same_numbers(&want, &in[A]));
        tsr_release(&want);
        for (int i = 0; i < INPUTS; i++) tsr_release(&in[i]);
      }
    }
  }
  ctx->isa = 0;
  CHECK(test_live() == 0);
}

/* ---- sums ---- */

static void check_sum(tsr_ctx *ctx, const char *text, int naxes, const int *axes, const char *sum,
                      const tsr_tensor *in) {
  tsr_tensor elements = {0}, want = {0}, got = {0};
  evaluate(ctx, text, in, &elements);
  OK(ctx, tsr_sum(ctx, &elements, naxes, axes, false, &want));
  evaluate(ctx, sum, in, &got);
  CHECK(test_same_numbers(&got, &want));
  tsr_release(&elements);
  tsr_release(&want);
  tsr_release(&got);
}

TEST(sums_that_end_in_registers_keep_their_order) {
  static const tsr_index sizes[][2] = {{1, 4095}, {1, 4096}, {1, 4097},  {1, 8192}, {1, 12345}, {3, 4096},
                                       {4, 8192}, {2, 5000}, {40, 1024}, {9, 500},  {70, 70},   {16384, 1}};
  tsr_ctx *const ctx = test_context();
  for (int isa = 0; isa <= tsr__isa_best(); isa++) {
    ctx->isa = (uint8_t)(isa + 1);
    for (int i = 0; i < 2 * COUNT_OF(sizes); i++) {
      tsr_tensor in[INPUTS] = {{0}};
      make_inputs(ctx, i % 2 == 0 ? TSR_F32 : TSR_F64, sizes[i / 2][0], sizes[i / 2][1], in);
      check_sum(ctx, "(a - b)**2", 0, NULL, "sum((a - b)**2)", in);
      check_sum(ctx, "(a - b)**2", 1, (const int[]){0}, "sum((a - b)**2, axis=0)", in);
      check_sum(ctx, "(a - b)**2", 1, (const int[]){1}, "sum((a - b)**2, axis=1)", in);
      check_sum(ctx, "(a - m)*v", 0, NULL, "sum((a - m)*v)", in);
      check_sum(ctx, "(a - m)*v", 1, (const int[]){1}, "sum((a - m)*v, axis=1)", in);
      for (int k = 0; k < INPUTS; k++) tsr_release(&in[k]);
    }
  }
  ctx->isa = 0;
  CHECK(test_live() == 0);
}

/* Inputs of more than 4 MB come from memory, and go another way: what parts of them give. */
TEST(inputs_from_memory_give_what_those_from_caches_give) {
  static const char *const far_texts[] = {"((a + b)*(b + c) - (c + a)*(a - b))*((a - c)*(b - c) + (a + c)*(b*c))",
                                          "clip((a - m)/s, -3, 3)*v + abs(b)"};
  enum { ROWS = 600, COLUMNS = 1031, PART = 150 };
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < 2; i++) {
    tsr_tensor in[INPUTS] = {{0}};
    make_inputs(ctx, i == 0 ? TSR_F32 : TSR_F64, ROWS, COLUMNS, in);
    for (int t = 0; t < COUNT_OF(far_texts); t++) {
      tsr_tensor whole = {0};
      evaluate(ctx, far_texts[t], in, &whole);
      for (tsr_index row = 0; row < ROWS; row += PART) {
        tsr_tensor part[INPUTS] = {{0}}, got = {0}, want = {0};
        for (int k = 0; k < INPUTS; k++) {
          part[k] = in[k];
          if (!is_row(k)) OK(ctx, tsr_slice(ctx, &part[k], 0, row, row + PART, 1, &part[k]));
        }
        OK(ctx, tsr_slice(ctx, &whole, 0, row, row + PART, 1, &got));
        evaluate(ctx, far_texts[t], part, &want);
        CHECK(test_same_numbers(&got, &want));
        tsr_release(&want);
      }
      tsr_release(&whole);
    }
    check_sum(ctx, "(a - b)**2", 0, NULL, "sum((a - b)**2)", in);
    check_sum(ctx, "(a - b)**2", 1, (const int[]){0}, "sum((a - b)**2, axis=0)", in);
    check_sum(ctx, "(a - m)*v", 1, (const int[]){1}, "sum((a - m)*v, axis=1)", in);
    for (int k = 0; k < INPUTS; k++) tsr_release(&in[k]);
  }
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(inputs_from_memory_give_what_those_from_caches_give), RUN(chains_give_what_kernels_give),
          RUN(outputs_by_non_temporal_stores_are_the_same), RUN(an_output_over_an_input_is_written_after_it_was_read),
          RUN(sums_that_end_in_registers_keep_their_order))

#else

TEST(chains) { SKIP("needs programs, malloc, f64 and small floats"); }
TEST_MAIN(RUN(chains))

#endif
