/* Expressions on a GPU: chains with the reduction or the softmax behind them are one kernel, in any layout, with the host's bits. */
#include "gpu_support.h"
#include "support/helpers.h"

#include <math.h>

enum { NAMES = 3 };

static long calls_of(const char *function) {
  emulator_calls_fn calls;
  return gpu_emulator("emulator_calls", &calls) ? calls(function) : -1;
}

/* Numbers around 0, some of them alike. */
static tsr_tensor make(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, uint64_t seed) {
  tsr_tensor wide = {0}, out = {0};
  test_rng rng = {seed};
  OK(ctx, tsr_empty(ctx, TSR_F64, ndim, shape, &wide));
  double *const at = wide.data;
  for (tsr_index i = 0; i < tsr_size(&wide); i++) at[i] = (double)(int32_t)test_random(&rng) / 1e9;
  OK(ctx, tsr_cast(ctx, &wide, dtype, &out));
  tsr_release(&wide);
  return out;
}

typedef enum layout { DENSE, TRANSPOSED, SPREAD, BACKWARDS, LAYOUTS } layout;

/* t on the device, with its elements elsewhere than in a row-major tensor. */
static tsr_tensor lay_out(tsr_ctx *ctx, const tsr_device *gpu, const tsr_tensor *t, layout how) {
  tsr_tensor there = {0}, room = {0};
  const tsr_index far = how == SPREAD ? 3 : 1;
  const tsr_index shape[] = {t->ndim > 1 ? t->shape[1] : 1, t->shape[0] * far};
  tsr_ctx on;
  OK(ctx, tsr_to_device(ctx, t, gpu, &there));
  if (how == DENSE || t->ndim != 2) return there;
  OK(NULL, tsr_context_init(&on, NULL));
  OK(NULL, tsr_context_set_device(&on, gpu));
  OK(ctx, tsr_zeros(&on, t->dtype, 2, shape, &room));
  room.stride[1] = room.stride[0];
  room.stride[0] = far;
  memcpy(room.shape, t->shape, sizeof room.shape);
  if (how == BACKWARDS) {
    room.data = (char *)room.data + (room.shape[0] - 1) * (tsr_index)tsr_dtype_size(t->dtype);
    room.stride[0] = -1;
  }
  OK(ctx, tsr_copy(&on, &there, &room));
  tsr_release(&there);
  return room;
}

typedef struct expression {
  const char *text;
  int dtype;
  int kernels; /* that a run launches */
  tsr_index rows, columns;
} expression;

/* a and b are (rows, columns), c is (columns). */
static const expression expressions[] = {
    {"2*a + 3*b", TSR_F32, 1, 7, 500},
    {"gelu(a*b + c)", TSR_F32, 1, 33, 260},
    {"gelu(a*b + c)", TSR_F16, 1, 33, 260},
    {"sin(a)**2 + cos(a)**2", TSR_F32, 1, 3, 1000},
    {"where(a > 0, a, 0.1*a)", TSR_BF16, 1, 40, 41},
    {"sum((a - b)**2)", TSR_F32, 2, 70, 1000},
    {"sum((a - b)**2)", TSR_F32, 2, 560, 1000},
    {"sum((a - b)**2, axis=1)", TSR_F32, 1, 520, 9000},
    {"sum(a*b + c, axis=1)", TSR_F16, 1, 513, 8200},
    {"sum((a - b)**2, axis=0)", TSR_F32, 1, 900, 64},
    {"sum((a - b)**2, axis=0)", TSR_F32, 2, 2100, 68},
    {"sum((a - b)**2, axis=1)", TSR_F32, 1, 40, 3000},
    {"sum((a - b)**2, axis=1)", TSR_F64, 1, 40, 300},
    {"sum(a*c, axis=-1, keepdims=True)", TSR_F16, 1, 50, 129},
    {"mean(abs(a - b))", TSR_F32, 1, 5, 200},
    {"std(a*b, axis=1)", TSR_F32, 1, 5, 2000},
    {"logsumexp(a + c, axis=1)", TSR_F32, 2, 5, 300},
    {"max(i32(a*3) % 5, axis=0)", TSR_F32, 1, 64, 40},
    {"any(a > 1.9, axis=1)", TSR_F32, 1, 64, 40},
    {"softmax(a*0.5 + c, axis=1)", TSR_F32, 1, 20, 256},
    {"softmax(a*0.5 + c, axis=1)", TSR_F32, 1, 3, 5000},
    {"softmax(a*b, axis=1)", TSR_F16, 1, 20, 31},
    {"log_softmax(a - b, axis=1)", TSR_F64, 1, 9, 130},
    {"clip((a - mean(a, axis=1, keepdims=True))/std(a, axis=1, keepdims=True), -3, 3)", TSR_F32, 3, 12, 1500},
    {"((((a + 1)*b - 0.25)*a + b)*2 - c)/(abs(b) + 1) + sqrt(abs(a))*c - a*b", TSR_F32, 1, 17, 64},
};

/* The host's result, and the device's: the same bits. Returns how many kernels were launched for it the second time. */
static long compare(const expression *e, tsr_ctx *ctx, const tsr_device *gpu, layout how) {
  const tsr_index shape[] = {e->rows, e->columns};
  tsr_tensor host[NAMES], there[NAMES], want = {0}, got = {0}, back = {0};
  tsr_expr *expr = NULL;
  for (int i = 0; i < NAMES; i++) {
    host[i] = make(ctx, e->dtype, i < 2 ? 2 : 1, i < 2 ? shape : shape + 1, 40 + (uint64_t)i);
    there[i] = lay_out(ctx, gpu, &host[i], i == 0 ? how : DENSE);
  }
  const tsr_named on_host[] = {{"a", &host[0]}, {"b", &host[1]}, {"c", &host[2]}},
                  on_gpu[] = {{"a", &there[0]}, {"b", &there[1]}, {"c", &there[2]}};
  OK(ctx, tsr_expr_new(ctx, e->text, &expr));
  OK(ctx, tsr_expr_run(ctx, expr, NAMES, on_host, &want));
  OK(ctx, tsr_expr_run(ctx, expr, NAMES, on_gpu, &got));
  tsr_release(&got);
  const long before = calls_of("cuLaunchKernel");
  OK(ctx, tsr_expr_run(ctx, expr, NAMES, on_gpu, &got));
  const long launched = calls_of("cuLaunchKernel") - before;
  CHECK(tsr_device_of(&got) == gpu);
  OK(ctx, tsr_to_device(ctx, &got, NULL, &back));
  const bool same = test_same_numbers(&back, &want);
  CHECK(same);
  if (!same) printf("  %s of %s, layout %d\n", e->text, tsr_dtype_name(e->dtype), (int)how);
  tsr_expr_release(expr);
  for (int i = 0; i < NAMES; i++) tsr_release(&host[i]), tsr_release(&there[i]);
  tsr_release(&want);
  tsr_release(&got);
  tsr_release(&back);
  return launched;
}

TEST(expressions_have_the_bits_of_the_host) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  for (int i = 0; i < COUNT_OF(expressions); i++) {
    const long launched = compare(&expressions[i], NULL, gpu, DENSE);
    const bool as_said = launched == expressions[i].kernels || calls_of("cuLaunchKernel") < 0;
    CHECK(as_said);
    if (!as_said) printf("  %s: %ld kernels\n", expressions[i].text, launched);
  }
}

TEST(expressions_take_any_layout) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  for (int i = 0; i < COUNT_OF(expressions); i++)
    (void)compare(&expressions[i], NULL, gpu, (layout)(1 + i % (LAYOUTS - 1)));
}

/* Rows that stay in registers, those that are too long or made by too much for that, and those that are not packs. */
TEST(rows_of_any_length) {
  GPU_OR_SKIP(gpu);
  HOST_FUSES_OR_SKIP();
  static const char *const texts[] = {"softmax(a*0.5 + c, axis=1)", "log_softmax(a*b, axis=1)",
                                      "softmax((((a + 1)*b - 0.25)*a + b)*2 - c, axis=1)", "max(a*b, axis=1)"};
  static const tsr_index lengths[] = {1, 2, 7, 16, 17, 64, 130, 333, 512, 1025};
  for (int t = 0; t < COUNT_OF(texts); t++)
    for (int i = 0; i < COUNT_OF(lengths); i++) {
      const expression e = {texts[t], i % 3 == 2 ? TSR_F64 : i % 3 == 1 ? TSR_BF16 : TSR_F32, 1, 9, lengths[i]};
      (void)compare(&e, NULL, gpu, i % 2 == 0 ? DENSE : SPREAD);
    }
}

/* ---- small and odd ---- */

static double number_of(tsr_ctx *ctx, const tsr_tensor *t) {
  static const tsr_index first[TSR_MAX_DIMS];
  tsr_tensor back = {0};
  tsr_real value = NAN;
  OK(ctx, tsr_to_device(ctx, t, NULL, &back));
  if (tsr_size(&back) > 0) OK(ctx, tsr_get(ctx, &back, back.ndim, first, &value));
  tsr_release(&back);
  return value;
}

TEST(one_element_and_none) {
  GPU_OR_SKIP(gpu);
  tsr_ctx ctx;
  tsr_tensor one = {0}, none = {0}, out = {0};
  const tsr_index shape[] = {0, 4};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(NULL, tsr_context_set_device(&ctx, gpu));
  OK(&ctx, tsr_full(&ctx, TSR_F32, 0, NULL, 3, &one));
  OK(&ctx, tsr_empty(&ctx, TSR_F32, 2, shape, &none));
  OK(&ctx, tsr_eval(&ctx, "(x + 1)*x - 2", TSR_NAMED({"x", &one}), &out));
  CHECK(out.ndim == 0 && number_of(&ctx, &out) == 10);
  tsr_release(&out);
  OK(&ctx, tsr_eval(&ctx, "sum(x*x + 1)", TSR_NAMED({"x", &one}), &out));
  CHECK(out.ndim == 0 && number_of(&ctx, &out) == 10);
  tsr_release(&out);
  OK(&ctx, tsr_eval(&ctx, "sqrt(x*2 + 1)", TSR_NAMED({"x", &none}), &out));
  CHECK(out.ndim == 2 && tsr_size(&out) == 0);
  tsr_release(&out);
  OK(&ctx, tsr_eval(&ctx, "sum(x*2 + 1)", TSR_NAMED({"x", &none}), &out));
  CHECK(number_of(&ctx, &out) == 0);
  tsr_release(&out);
  tsr_release(&one);
  tsr_release(&none);
}

/* Numbers are arguments: another one needs no other kernel. */
TEST(numbers_are_no_part_of_a_kernel) {
  GPU_OR_SKIP(gpu);
  tsr_tensor x = gpu_numbers(NULL, gpu, 100), out = {0};
  OK(NULL, tsr_eval(NULL, "sqrt(x*2 + 3)", TSR_NAMED({"x", &x}), &out));
  const long before = calls_of("cuModuleLoadDataEx");
  for (int i = 0; i < 5; i++) {
    OK(NULL,
       tsr_eval(NULL, "sqrt(x*k + n)", TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(i + 0.5)}, {"n", TSR_NUMBER(i)}), &out));
    CHECK(fabsf(gpu_element(NULL, &out, 8) - sqrtf((float)(8 * (i + 0.5) + i))) < 1e-6f);
  }
  CHECK(calls_of("cuModuleLoadDataEx") == before);
  tsr_release(&x);
  tsr_release(&out);
}

/* An output over an input: names are the values before the call. */
TEST(outputs_may_lie_over_inputs) {
  GPU_OR_SKIP(gpu);
  tsr_tensor x = gpu_numbers(NULL, gpu, 1000), back = {0};
  OK(NULL, tsr_eval(NULL, "x*2 + 1", TSR_NAMED({"x", &x}), &x));
  CHECK(gpu_element(NULL, &x, 999) == 1999);
  back = x;
  back.flags &= (uint8_t)~TSR_OWNS;
  back.data = (float *)x.data + 999;
  back.stride[0] = -1;
  OK(NULL, tsr_eval(NULL, "y*1 + x*0.5", TSR_NAMED({"y", &back}, {"x", &x}), &x));
  CHECK(gpu_element(NULL, &x, 0) == 1999.5f && gpu_element(NULL, &x, 999) == 1000.5f);
  tsr_release(&x);
}

/* Groups of the same form and operands, one right after another: neither is the other's plan. */
TEST(groups_alike_are_not_one_another) {
  GPU_OR_SKIP(gpu);
  static const char *const texts[] = {
      "x*2 + 1", "x*3 + 1", "x*2 - 1", "(x + 1)*2", "softmax(x*2 + 1, axis=0)", "softmax(x*0 + 1, axis=0)"};
  static const float wants[] = {11, 16, 9, 12, -1, 0.125f};
  tsr_tensor x = gpu_numbers(NULL, gpu, 8), out = gpu_numbers(NULL, gpu, 8);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < COUNT_OF(texts); i++) {
      OK(NULL, tsr_eval(NULL, texts[i], TSR_NAMED({"x", &x}), &out));
      const float got = gpu_element(NULL, &out, 5);
      CHECK(wants[i] < 0 ? got > 0 && got < 0.1f : got == wants[i]);
    }
  tsr_release(&x);
  tsr_release(&out);
}

/* A softmax over its input, in registers and staged. */
TEST(rows_may_lie_over_inputs) {
  GPU_OR_SKIP(gpu);
  static const tsr_index lengths[] = {5, 300, 4000};
  for (int i = 0; i < COUNT_OF(lengths); i++) {
    tsr_tensor host = make(NULL, TSR_F32, 2, (const tsr_index[]){3, lengths[i]}, 5), x = {0}, want = {0}, back = {0};
    OK(NULL, tsr_to_device(NULL, &host, gpu, &x));
    OK(NULL, tsr_eval(NULL, "softmax(x*2 + 1, axis=1)", TSR_NAMED({"x", &x}), &want));
    OK(NULL, tsr_eval(NULL, "softmax(x*2 + 1, axis=1)", TSR_NAMED({"x", &x}), &x));
    tsr_tensor first = {0};
    OK(NULL, tsr_to_device(NULL, &want, NULL, &first));
    OK(NULL, tsr_to_device(NULL, &x, NULL, &back));
    CHECK(test_same_numbers(&back, &first));
    tsr_release(&host), tsr_release(&x), tsr_release(&want), tsr_release(&back), tsr_release(&first);
  }
}

/* Without a kernel, or memory, the output is as it was. */
TEST(a_failure_leaves_the_output) {
  GPU_OR_SKIP(gpu);
  emulator_fail_fn fail;
  if (!gpu_emulator("emulator_fail", &fail)) SKIP("a real driver does not fail on demand");
  static const char *const functions[] = {"cuModuleLoadDataEx", "cuLaunchKernel"};
  static const char *const texts[] = {"x*3 + 1 - x*x", "x*4 - 1 + x*x*x"};
  tsr_tensor x = gpu_numbers(NULL, gpu, 64), out = gpu_numbers(NULL, gpu, 64);
  for (int i = 0; i < 2; i++) {
    fail(functions[i], 0, 2); /* CUDA_ERROR_OUT_OF_MEMORY */
    CHECK(tsr_eval(NULL, texts[i], TSR_NAMED({"x", &x}), &out) != TSR_OK);
    fail(functions[i], 0, 0);
    CHECK(gpu_element(NULL, &out, 63) == 63);
  }
  OK(NULL, tsr_eval(NULL, texts[0], TSR_NAMED({"x", &x}), &out));
  CHECK(gpu_element(NULL, &out, 2) == 3);
  tsr_release(&x);
  tsr_release(&out);
}

/* What fuses, what does not, and a value that both want. */
TEST(steps_between_groups) {
  GPU_OR_SKIP(gpu);
  tsr_tensor x = gpu_numbers(NULL, gpu, 12), y = {0}, out = {0};
  tsr_expr *expr = NULL;
  static char text[2000];
  const tsr_index shape[] = {3, 4};
  OK(NULL, tsr_reshape(NULL, &x, 2, shape, &y));
  OK(NULL, tsr_expr_new(NULL, "d = y*2 + 1; e = d @ d.T; (e - 1)*0.5 + sum(d*d, axis=1)", &expr));
  OK(NULL, tsr_expr_run(NULL, expr, TSR_NAMED({"y", &y}), &out));
  REQUIRE(tsr_expr_program(expr) != NULL);
  (void)tsr_program_format(tsr_expr_program(expr), text, sizeof text);
  CHECK(tsr_program_calls(tsr_expr_program(expr)) == 4);
  if (tsr_program_calls(tsr_expr_program(expr)) != 4) printf("%s", text);
  CHECK(number_of(NULL, &out) == ((1 + 9 + 25 + 49) - 1) * 0.5 + (1 + 9 + 25 + 49));
  tsr_expr_release(expr);
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&out);
}

/* The same operands twice are a graph; others in between are not. */
TEST(runs_with_other_operands) {
  GPU_OR_SKIP(gpu);
  tsr_tensor x[2] = {gpu_numbers(NULL, gpu, 50), gpu_numbers(NULL, gpu, 50)}, out[2] = {{0}, {0}};
  tsr_expr *expr = NULL;
  OK(NULL, tsr_fill(NULL, 7, &x[1]));
  OK(NULL, tsr_expr_new(NULL, "roll(x*2 + 1, 1, 0) - 1", &expr));
  for (int i = 0; i < 8; i++) {
    const int k = i / 2 % 2;
    OK(NULL, tsr_expr_run(NULL, expr, TSR_NAMED({"x", &x[k]}), &out[k]));
    CHECK(gpu_element(NULL, &out[k], 2) == (k == 0 ? 2 : 14));
  }
  tsr_expr_release(expr);
  for (int k = 0; k < 2; k++) tsr_release(&x[k]), tsr_release(&out[k]);
}

TEST_MAIN(RUN(expressions_have_the_bits_of_the_host), RUN(expressions_take_any_layout), RUN(rows_of_any_length),
          RUN(one_element_and_none), RUN(numbers_are_no_part_of_a_kernel), RUN(outputs_may_lie_over_inputs),
          RUN(groups_alike_are_not_one_another), RUN(rows_may_lie_over_inputs), RUN(a_failure_leaves_the_output),
          RUN(steps_between_groups), RUN(runs_with_other_operands))
