/* Running expressions: outputs, overlaps, what is kept between runs, threads. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <tessera/expr.h>

/* count numbers from start on, as a vector. */
static tsr_tensor numbers(tsr_ctx *ctx, int dtype, tsr_real start, tsr_index count) {
  tsr_tensor t = {0};
  OK(ctx, tsr_arange(ctx, dtype, start, start + (tsr_real)count, 1, &t));
  return t;
}

static bool is_list(const tsr_tensor *t, int count, const double *want) {
  if (tsr_size(t) != count) return false;
  for (int i = 0; i < count; i++) {
    tsr_real value = 0;
    if (tsr_get_flat(NULL, t, i, TSR_ROW_MAJOR, &value) != TSR_OK || (double)value != want[i]) return false;
  }
  return true;
}
#define IS(t, ...) is_list(t, COUNT_OF(((double[]){__VA_ARGS__})), (double[]){__VA_ARGS__})

/* ---- outputs ---- */

TEST(an_empty_output_is_allocated_and_a_given_one_written) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), out = {0}, wide = {0},
             described = {.dtype = TSR_F32, .ndim = 1, .shape = {4}};
  OK(ctx, tsr_eval(ctx, "2*x + 1", TSR_NAMED({"x", &x}), &out));
  CHECK(out.dtype == TSR_F32 && out.ndim == 1 && IS(&out, 1, 3, 5, 7));
  const void *const data = out.data;
  OK(ctx, tsr_eval(ctx, "x - 1", TSR_NAMED({"x", &x}), &out));
  CHECK(out.data == data && IS(&out, -1, 0, 1, 2));
  OK(ctx, tsr_eval(ctx, "x*x", TSR_NAMED({"x", &x}), &described));
  CHECK(IS(&described, 0, 1, 4, 9));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(8), &wide));
  tsr_tensor gaps = {0};
  OK(ctx, tsr_slice(ctx, &wide, 0, TSR_OMIT, TSR_OMIT, -2, &gaps));
  OK(ctx, tsr_eval(ctx, "x + 1", TSR_NAMED({"x", &x}), &gaps));
  CHECK(IS(&wide, 0, 4, 0, 3, 0, 2, 0, 1));
  tsr_release(&x);
  tsr_release(&out);
  tsr_release(&wide);
  tsr_release(&described);
  CHECK(test_live() == 0);
}

TEST(a_failure_leaves_the_output) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), y = numbers(ctx, TSR_F32, 0, 3), out = numbers(ctx, TSR_F32, 7, 4),
             empty = {0};
  const tsr_tensor before = out;
  FAILS(ctx, TSR_ESHAPE, tsr_eval(ctx, "x*2 + y", TSR_NAMED({"x", &x}, {"y", &y}), &out));
  FAILS(ctx, TSR_ESHAPE, tsr_eval(ctx, "x[1:] + y", TSR_NAMED({"x", &x}, {"y", &y}), &out));
  MESSAGE_HAS(ctx, "eval: out");
  FAILS(ctx, TSR_EDTYPE, tsr_eval(ctx, "x > 1", TSR_NAMED({"x", &x}), &out));
  FAILS(ctx, TSR_EDTYPE, tsr_eval(ctx, "3", 0, NULL, &out));
  FAILS(ctx, TSR_EDTYPE, tsr_eval(ctx, "x[x > 1] > 1", TSR_NAMED({"x", &x}), &out));
  FAILS(ctx, TSR_EINDEX, tsr_eval(ctx, "x*2 + x[[9]]", TSR_NAMED({"x", &x}), &out));
  CHECK(memcmp(&before, &out, sizeof out) == 0 && IS(&out, 7, 8, 9, 10));
  FAILS(ctx, TSR_EINDEX, tsr_eval(ctx, "x*2 + x[[9]]", TSR_NAMED({"x", &x}), &empty));
  CHECK(tsr_is_none(&empty));
  FAILS(ctx, TSR_ESTATE, tsr_eval(ctx, "x", TSR_NAMED({"x", &empty}), &out));
  MESSAGE_HAS(ctx, "eval: x");
  tsr_release(&x);
  tsr_release(&y);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(names_are_the_values_before_the_call_wherever_the_output_lies) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 6), head = {0}, tail = {0}, back = {0};
  OK(ctx, tsr_slice(ctx, &x, 0, 0, 5, 1, &head));
  OK(ctx, tsr_slice(ctx, &x, 0, 1, 6, 1, &tail));
  OK(ctx, tsr_flip(ctx, &x, 0, &back));
  OK(ctx, tsr_eval(ctx, "h + 10", TSR_NAMED({"h", &head}), &tail));
  CHECK(IS(&x, 0, 10, 11, 12, 13, 14));
  OK(ctx, tsr_eval(ctx, "x + x*b - x", TSR_NAMED({"x", &x}, {"b", &back}), &x));
  CHECK(IS(&x, 0, 130, 132, 132, 130, 0));
  OK(ctx, tsr_eval(ctx, "b*1", TSR_NAMED({"b", &back}), &x));
  CHECK(IS(&x, 0, 130, 132, 132, 130, 0));
  OK(ctx, tsr_eval(ctx, "x", TSR_NAMED({"x", &head}), &tail));
  CHECK(IS(&x, 0, 0, 130, 132, 132, 130));
  OK(ctx, tsr_eval(ctx, "x[:6] + x[x >= 0]", TSR_NAMED({"x", &x}), &x)); /* the size of the second depends on data */
  CHECK(IS(&x, 0, 0, 260, 264, 264, 260));
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(a_result_is_never_a_view_of_an_input) {
  tsr_ctx *const ctx = test_context();
  static const char *const texts[] = {"x",  "x.T",           "x[1:]",    "x[None]",
                                      "+x", "x if 1 else 0", "y = x; y", "x.reshape(-1)"};
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4);
  for (int i = 0; i < COUNT_OF(texts); i++) {
    tsr_tensor out = {0};
    OK(ctx, tsr_eval(ctx, texts[i], TSR_NAMED({"x", &x}), &out));
    CHECK(out.storage != x.storage && (out.flags & TSR_OWNS) != 0);
    tsr_release(&out);
  }
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* ---- numbers ---- */

TEST(numbers_are_bound_as_if_they_stood_in_the_text) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), n = numbers(ctx, TSR_I32, 0, 4), out = {0};
  OK(ctx, tsr_eval(ctx, "k*x + h", TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(3)}, {"h", TSR_NUMBER(0.5)}), &out));
  CHECK(out.dtype == TSR_F32 && IS(&out, 0.5, 3.5, 6.5, 9.5));
  tsr_release(&out);
  OK(ctx, tsr_eval(ctx, "x[k:]", TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(2)}), &out));
  CHECK(IS(&out, 2, 3));
  tsr_release(&out);
  OK(ctx, tsr_eval(ctx, "n*k", TSR_NAMED({"n", &n}, {"k", TSR_NUMBER((int64_t)3)}), &out));
  CHECK(out.dtype == TSR_I32 && IS(&out, 0, 3, 6, 9));
  tsr_release(&out);
  FAILS(ctx, TSR_ERANGE, tsr_eval(ctx, "n*k", TSR_NAMED({"n", &n}, {"k", TSR_NUMBER(0.5f)}), &out));
  MESSAGE_HAS(ctx, "write f64(n) * k");
  OK(ctx, tsr_eval(ctx, "k", TSR_NAMED({"k", TSR_NUMBER(7)}), &out));
  CHECK(out.dtype == TSR_I64 && out.ndim == 0 && IS(&out, 7));
  tsr_release(&out);
  OK(ctx,
     tsr_eval(ctx, "sqrt(2)*x[1] + f64(0)", TSR_NAMED({"x", &x}), &out)); /* a dtype is given to a number by a cast */
  CHECK(out.dtype == TSR_F64);
  tsr_release(&out);
  tsr_release(&x);
  tsr_release(&n);
  CHECK(test_live() == 0);
}

TEST(a_square_has_the_bits_of_pow_scalar) {
  tsr_ctx *const ctx = test_context();
  static const int dtypes[] = {TSR_F16, TSR_BF16, TSR_F32, TSR_F64, TSR_F8_E4M3, TSR_F8_E5M2};
  for (int i = 0; i < COUNT_OF(dtypes); i++) {
    tsr_rng rng = tsr_rng_seed((uint64_t)i);
    tsr_tensor x = {0}, wide = {0}, a = {0}, b = {0}, c = {0};
    OK(ctx, tsr_rand_normal_scaled(ctx, &rng, TSR_F32, TSR_SHAPE(20000), 0, 30, &wide));
    OK(ctx, tsr_cast(ctx, &wide, dtypes[i], &x));
    OK(ctx, tsr_eval(ctx, "x**2", TSR_NAMED({"x", &x}), &a));
    OK(ctx, tsr_square(ctx, &x, &b));
    OK(ctx, tsr_pow_scalar(ctx, &x, 2, &c));
    CHECK(test_same_elements(&a, &b) && test_same_elements(&a, &c));
    tsr_release(&x), tsr_release(&wide), tsr_release(&a), tsr_release(&b), tsr_release(&c);
  }
  CHECK(test_live() == 0);
}

/* ---- compiled ---- */

TEST(a_compiled_expression_is_typed_for_what_it_is_given) {
  tsr_ctx *const ctx = test_context();
  tsr_expr *expr = NULL;
  OK(ctx, tsr_expr_new(ctx, "a*b + 1", &expr));
  CHECK(strcmp(tsr_expr_name_at(expr, 0), "a") == 0 && strcmp(tsr_expr_name_at(expr, 1), "b") == 0);
  CHECK(tsr_expr_name_at(expr, 2) == NULL && tsr_expr_name_at(expr, -1) == NULL && tsr_expr_program(expr) == NULL);
  static const int dtypes[] = {TSR_F32, TSR_I32, TSR_F64, TSR_U8, TSR_I16, TSR_F16, TSR_F32, TSR_I64};
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < COUNT_OF(dtypes); i++)
      for (tsr_index count = 1; count <= 4; count += 3) {
        tsr_tensor a = numbers(ctx, dtypes[i], 0, 4), b = numbers(ctx, dtypes[i], 2, count), out = {0};
        OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"b", &b}, {"a", &a}), &out));
        CHECK(out.dtype == dtypes[i] && (count == 1 ? IS(&out, 1, 3, 5, 7) : IS(&out, 1, 4, 9, 16)));
        tsr_release(&a), tsr_release(&b), tsr_release(&out);
      }
  CHECK(tsr_expr_program(expr) != NULL && tsr_program_inputs(tsr_expr_program(expr)) == 2);
  tsr_expr_release(expr);
  tsr_expr_release(NULL);
  CHECK(test_live() == 0);
}

TEST(a_number_is_no_tensor_of_rank_0) {
  tsr_ctx *const ctx = test_context();
  double two = 2;
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), k = {.dtype = TSR_F64, .data = &two}, narrow = {0}, wide = {0};
  tsr_expr *expr = NULL;
  OK(ctx, tsr_expr_new(ctx, "x*k", &expr));
  for (int i = 0; i < 3; i++) {
    OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}, {"k", &k}), &wide));
    OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(2.0)}), &narrow));
    CHECK(wide.dtype == TSR_F64 && narrow.dtype == TSR_F32 && IS(&wide, 0, 2, 4, 6) && IS(&narrow, 0, 2, 4, 6));
    FAILS(ctx, TSR_EDTYPE, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(2.0)}), &wide));
  }
  OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}, {"k", TSR_NUMBER(3.0)}), &narrow));
  CHECK(IS(&narrow, 0, 3, 6, 9));
  tsr_expr_release(expr);
  tsr_release(&x), tsr_release(&narrow), tsr_release(&wide);
  CHECK(test_live() == 0);
}

TEST(runs_with_the_same_types_allocate_nothing_but_the_output) {
  tsr_counting counting;
  tsr_ctx ctx;
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  ctx.parallel = tsr_parallel_serial();
  static unsigned char scratch[1 << 16];
  tsr_tensor a = numbers(&ctx, TSR_F32, 0, 100), b = numbers(&ctx, TSR_F32, 5, 100), out = {0};
  tsr_expr *expr = NULL;
  OK(&ctx, tsr_expr_new(&ctx, "gelu(a*b + 1) * (a > b)", &expr));
  OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"a", &a}, {"b", &b}), &out));
  OK(&ctx, tsr_context_set_scratch(&ctx, scratch, sizeof scratch));
  const size_t before = counting.stats.calls;
  for (int i = 0; i < 5; i++) OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"a", &a}, {"b", &b}), &out));
  CHECK(counting.stats.calls == before);
  tsr_expr_release(expr);
  tsr_release(&a), tsr_release(&b), tsr_release(&out);
  CHECK(counting.stats.in_use == 0);
}

/* What an expression keeps is its own: the context of a run, and its allocator, may go before it. */
TEST(an_expression_outlives_the_contexts_that_ran_it) {
  static const char *const texts[] = {"gelu(a*b + 1) * (a > 2.5)", "sum((a - b)**2, axis=0) + a[::2][:3]",
                                      "matmul(a.reshape(10, 10), b.reshape(10, 10)) + 0.5"};
  for (int t = 0; t < COUNT_OF(texts); t++) {
    tsr_expr *expr = NULL;
    OK(NULL, tsr_expr_new(NULL, texts[t], &expr));
    for (int run = 0; run < 2; run++) {
      tsr_counting counting;
      tsr_ctx ctx;
      OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
      OK(NULL, tsr_context_init(&ctx, &counting.allocator));
      tsr_tensor a = numbers(&ctx, TSR_F32, 0, 100), b = numbers(&ctx, run == 0 ? TSR_F32 : TSR_I16, 5, 100), out = {0};
      OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"a", &a}, {"b", &b}), &out));
      CHECK(tsr_size(&out) > 0);
      tsr_release(&a), tsr_release(&b), tsr_release(&out);
      CHECK(counting.stats.in_use == 0);
      memset(&counting, 0x5a, sizeof counting); /* the allocator is gone */
    }
    tsr_expr_release(expr);
  }
}

/* A program from its text form: how often an op is in it. */
static int count_op(const tsr_expr *expr, const char *op) {
  char text[4096];
  int count = 0;
  (void)tsr_program_format(tsr_expr_program(expr), text, sizeof text);
  for (const char *at = text; (at = strstr(at, op)) != NULL; at++) count++;
  return count;
}

TEST(equal_parts_are_computed_once_and_numbers_before) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), out = {0};
  tsr_expr *expr = NULL;
  OK(ctx, tsr_expr_new(ctx, "exp(sort(x)*(2*3)) + exp(sort(x)*6.0) + exp(6*sort(x)) + sort(x)[0] + 0*sort(x + 1)[0]",
                       &expr));
  OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}), &out));
  CHECK(count_op(expr, "sort(") == 2);
  tsr_expr_release(expr);
  OK(ctx, tsr_expr_new(ctx, "unused = sort(x); x + 1", &expr));
  OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &x}), &out));
  CHECK(count_op(expr, "sort(") == 0);
  tsr_expr_release(expr);
  tsr_release(&x), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(strided_and_broadcast_inputs_are_read_where_they_lie) {
  tsr_counting counting;
  tsr_ctx ctx;
  OK(NULL, tsr_counting_init(NULL, 0, 0, &counting));
  OK(NULL, tsr_context_init(&ctx, &counting.allocator));
  ctx.parallel = tsr_parallel_serial();
  tsr_tensor x = numbers(&ctx, TSR_F32, 0, 1 << 16), out = {0}, want = {0}, a = {0}, b = {0};
  OK(&ctx, tsr_reshape(&ctx, &x, TSR_SHAPE(256, 256), &x));
  OK(&ctx, tsr_slice(&ctx, &x, 1, TSR_OMIT, TSR_OMIT, -2, &a)); /* (256, 128) */
  OK(&ctx, tsr_slice(&ctx, &x, 1, 7, 8, 1, &b));
  OK(&ctx, tsr_broadcast_to(&ctx, &b, TSR_SHAPE(256, 128), &b));
  OK(&ctx, tsr_empty(&ctx, TSR_F32, TSR_SHAPE(256, 128), &out));
  tsr_expr *expr = NULL;
  OK(&ctx, tsr_expr_new(&ctx, "a - b", &expr));
  OK(&ctx, tsr_expr_run(&ctx, expr, TSR_NAMED({"a", &a}, {"b", &b}), &out));
  const size_t peak = counting.stats.peak, live = counting.stats.in_use;
  CHECK(peak < live + 65536); /* no copy of an input, which has 128 KB */
  OK(&ctx, tsr_sub(&ctx, &a, &b, &want));
  CHECK(test_same_elements(&want, &out));
  tsr_expr_release(expr);
  tsr_release(&x), tsr_release(&out), tsr_release(&want);
  CHECK(counting.stats.in_use == 0);
}

TEST(wrong_arguments_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = numbers(ctx, TSR_F32, 0, 4), out = {0};
  tsr_expr *expr = NULL;
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, NULL, 0, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "1", 0, NULL, NULL));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "x", 1, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "x", -1, NULL, &out));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "x", TSR_NAMED({"x", NULL}), &out));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "x", TSR_NAMED({NULL, &x}), &out));
  FAILS(ctx, TSR_EARG, tsr_eval(ctx, "x", TSR_NAMED({"x", &x}, {"x", &x}), &out));
  MESSAGE_HAS(ctx, "'x' is there twice");
  FAILS(ctx, TSR_ENAME, tsr_eval(ctx, "x", TSR_NAMED({"x", &x}, {"pi", &x}), &out));
  MESSAGE_HAS(ctx, "'pi' has a meaning already");
  FAILS(ctx, TSR_EARG, tsr_expr_new(ctx, NULL, &expr));
  FAILS(ctx, TSR_EARG, tsr_expr_new(ctx, "x", NULL));
  FAILS(ctx, TSR_EARG, tsr_expr_run(ctx, NULL, 0, NULL, &out));
  OK(ctx, tsr_eval(ctx, "x", TSR_NAMED({"more", &x}, {"x", &x}), &out));
  tsr_release(&x), tsr_release(&out);
  CHECK(test_live() == 0);
}

/* ---- memory and threads ---- */

TEST(every_allocation_may_fail) {
  static const char *const texts[] = {"d = x - y; sqrt(sum(d*d, axis=-1)) + x[::2][:3]", "x[x > 2] + 1", "3*4 + k",
                                      "v, i = topk(x, 2); v + i", "sort(x)[[0, 2]] + sqrt(2)"};
  for (int t = 0; t < COUNT_OF(texts); t++)
    for (size_t nth = 1;; nth++) {
      tsr_ctx *const ctx = test_context();
      tsr_tensor x = numbers(ctx, TSR_F32, 0, 6), y = numbers(ctx, TSR_F32, 1, 1), out = {0};
      test_failing()->fail_at = test_failing()->calls + nth;
      const tsr_status st = tsr_eval(ctx, texts[t], TSR_NAMED({"x", &x}, {"y", &y}, {"k", TSR_NUMBER(2)}), &out);
      test_failing()->fail_at = 0;
      CHECK(st == TSR_OK || st == TSR_ENOMEM);
      if (st != TSR_OK) CHECK(tsr_is_none(&out) && strncmp(tsr_error(ctx), "eval: ", 6) == 0);
      tsr_release(&x), tsr_release(&y), tsr_release(&out);
      CHECK(test_live() == 0);
      if (st == TSR_OK) {
        CHECK(nth > 2);
        break;
      }
    }
}

typedef struct job {
  tsr_tensor x, out[64];
} job;

static void evaluate(void *user, tsr_index begin, tsr_index end, int worker) {
  job *const j = user;
  (void)worker;
  for (tsr_index i = begin; i < end; i++)
    if (tsr_eval(NULL, "d = x - 1; sum(d*d) + sin(d)", TSR_NAMED({"x", &j->x}), &j->out[i]) != TSR_OK) abort();
}

TEST(threads_evaluate_at_once) {
  tsr_ctx *const ctx = test_context();
  static job j;
  tsr_threads *const threads = test_with_threads(ctx, 4);
  j.x = numbers(ctx, TSR_F32, 0, 1000);
  ctx->parallel->parallel_for(ctx->parallel->self, 64, 1, evaluate, &j);
  for (int i = 1; i < 64; i++) CHECK(test_same_elements(&j.out[0], &j.out[i]));
  for (int i = 0; i < 64; i++) tsr_release(&j.out[i]);
  tsr_release(&j.x);
  tsr_threads_release(threads);
}

TEST(tensors_of_a_device_are_computed_there) {
  tsr_ctx *const ctx = test_context();
  tsr_ctx dry;
  tsr_tensor x = {0}, out = {0};
  OK(ctx, tsr_context_init_dry(ctx, &dry));
  OK(&dry, tsr_empty(&dry, TSR_F16, TSR_SHAPE(5, 3), &x));
  OK(&dry, tsr_eval(&dry, "sum(x*2, axis=1) > 0.5", TSR_NAMED({"x", &x}), &out));
  CHECK(out.dtype == TSR_BOOL && out.ndim == 1 && out.shape[0] == 5 && tsr_device_of(&out) == tsr_device_dry());
  tsr_release(&x), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(an_empty_output_is_allocated_and_a_given_one_written), RUN(a_failure_leaves_the_output),
          RUN(names_are_the_values_before_the_call_wherever_the_output_lies), RUN(a_result_is_never_a_view_of_an_input),
          RUN(numbers_are_bound_as_if_they_stood_in_the_text), RUN(a_square_has_the_bits_of_pow_scalar),
          RUN(a_compiled_expression_is_typed_for_what_it_is_given), RUN(a_number_is_no_tensor_of_rank_0),
          RUN(runs_with_the_same_types_allocate_nothing_but_the_output),
          RUN(an_expression_outlives_the_contexts_that_ran_it), RUN(equal_parts_are_computed_once_and_numbers_before),
          RUN(strided_and_broadcast_inputs_are_read_where_they_lie), RUN(wrong_arguments_are_refused),
          RUN(every_allocation_may_fail), RUN(threads_evaluate_at_once), RUN(tensors_of_a_device_are_computed_there))

#else

TEST(absent) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(absent))

#endif
