/* Every op of the registry, called by its name in a text: what the call itself gives. And every operator with every dtype. */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* ---- a case as text ---- */

enum { ROOM = 8192 };
typedef struct writer {
  char text[ROOM];
  size_t n;
} writer;

static void put(writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  w->n += (size_t)vsnprintf(w->text + w->n, ROOM - w->n, format, args);
  va_end(args);
}

static void put_real(writer *w, double value) {
  if (isnan(value))
    put(w, "nan");
  else if (isinf(value))
    put(w, value < 0 ? "-inf" : "inf");
  else
    put(w, value == 0 ? "%.1f" : "%.17g", value); /* -0 would be a whole number */
}

static void put_attr(writer *w, const tsr_attr *a) {
  put(w, "%s=", a->name);
  switch (a->type) {
    case TSR_OP_BOOL: put(w, a->value.boolean ? "True" : "False"); break;
    case TSR_OP_INT: put(w, "%lld", (long long)a->value.integer); break;
    case TSR_OP_REAL: put_real(w, (double)a->value.real); break;
    case TSR_OP_TEXT: put(w, "'%s'", a->value.text); break;
    default:
      put(w, "[");
      for (int i = 0; i < a->count; i++) {
        if (a->type == TSR_OP_INTS)
          put(w, "%lld", (long long)a->value.ints[i]);
        else
          put_real(w, (double)a->value.reals[i]);
        put(w, ", ");
      }
      put(w, "]");
  }
  put(w, ", ");
}

/* f(x=t0, index=t1, axis=1) */
static void put_call(writer *w, const op_case *c) {
  const tsr_op_param *param;
  put(w, "%s(", c->op->name);
  for (int i = 0; i < c->inputs; i++) {
    param = tsr_op_param_at(c->op, TSR_OP_INPUT, i);
    const bool many = param != NULL && param->type == TSR_OP_TENSORS;
    if (param != NULL) put(w, many ? "%s=[" : "%s=", param->name);
    put(w, c->in[i].dtype == TSR_NONE ? "None, " : "t%d, ", i);
    if ((many || param == NULL) && i + 1 == c->inputs) put(w, "], ");
  }
  for (int i = 0; i < c->attrs; i++) put_attr(w, &c->attr[i]);
  put(w, ")");
}

static void put_text(writer *w, const op_case *c, int output) {
  w->n = 0;
  w->text[0] = '\0';
  for (int k = 0; k < c->outputs && c->outputs > 1; k++) put(w, k + 1 < c->outputs ? "o%d, " : "o%d = ", k);
  put_call(w, c);
  if (c->outputs > 1) put(w, "; o%d", output);
}

/* A generator, packed weights and outputs that must be given have no text. */
static bool has_text(const op_case *c) {
  for (int i = 0; i < c->attrs; i++)
    if (c->attr[i].type == TSR_OP_RNG || c->attr[i].type == TSR_OP_OBJECT) return false;
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) return false;
  return true;
}

/* ---- comparing ---- */

static int calls, refused;

static bool same_result(const op_case *c, const tsr_tensor *a, const tsr_tensor *b) {
  if (a->dtype != b->dtype || !tsr_same_shape(a, b)) return false;
  return (c->flags & OP_UNSET) != 0 || test_same_elements(a, b);
}

static void compare(const op_case *c, int output) {
  static writer w;
  static const char names[OP_INPUTS][4] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "t9", "t10", "t11"};
  op_run r;
  tsr_ctx *const ctx = test_context();
  tsr_tensor out = {0};
  tsr_named named[OP_INPUTS];
  int bound = 0;
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&r, NULL, i, OP_DENSE);
  for (int i = 0; i < c->inputs; i++)
    if (r.in[i].dtype != TSR_NONE) named[bound++] = (tsr_named){names[i], &r.in[i]};
  put_text(&w, c, output);
  ctx->parallel = tsr_parallel_serial();
  const tsr_status st = tsr_eval(ctx, w.text, bound, named, &out);
  op_run_call(&r);
  const bool nothing =
      st == TSR_OK && tsr_size(&out) == 0; /* a program leaves out calls for no elements, and their checks of data */
  const bool ok =
      r.status == TSR_OK ? st == TSR_OK && same_result(c, &out, &r.result[output]) : st != TSR_OK || nothing;
  if (!ok)
    printf("  %s\n  text: %s, call: %s\n", w.text, st != TSR_OK ? tsr_error(ctx) : "ok",
           r.status != TSR_OK ? r.error : "ok");
  CHECK(ok);
  calls += r.status == TSR_OK;
  refused += r.status != TSR_OK;
  tsr_release(&out);
  op_run_release(&r);
  CHECK(test_live() == 0);
}

/* Ops that no text can call. */
static bool is_without_text(const char *name) {
  static const char *const without[] = {
      "fill",        "fill_i64",           "fill_complex",  "dropout",        "kv_append",        "rand_uniform",
      "rand_normal", "rand_normal_scaled", "rand_integers", "rand_bernoulli", "rand_permutation", "qconv2d",
      "qdense",      "matmul_packed",      "gemm_packed",   "conv2d_packed",  "conv1d_packed",    "qconv2d_i4",
      "qdense_i4",   "qconv_transpose2d",  "qsvdf",         "qlstm"};
  for (int i = 0; i < COUNT_OF(without); i++)
    if (strcmp(without[i], name) == 0) return true;
  return false;
}

TEST(every_op_is_called_by_its_name) {
  int ops = 0;
  for (int i = 0; i < tsr_op_count(); i++) {
    const int before = calls;
    int written = 0;
    for (uint64_t round = 0; round < 6 || (round < 40 && written > 0 && calls == before); round++) {
      op_case c;
      op_case_init(&c, i, 1000 * round + (uint64_t)i, 0);
      if (has_text(&c)) {
        compare(&c, c.outputs > 0 ? (int)(round % (uint64_t)c.outputs) : 0);
        written++;
      }
      op_case_release(&c);
    }
    const bool called = calls > before;
    if (called == is_without_text(tsr_op_at(i)->name))
      printf("  %s: %s\n", tsr_op_at(i)->name, called ? "called" : "never called");
    CHECK(called != is_without_text(tsr_op_at(i)->name));
    ops += called;
  }
  printf("  %d ops, %d calls with the same bits, %d refused by both\n", ops, calls, refused);
}

/* ---- operators ---- */

static const struct {
  const char *sign, *op;
} operators[] = {
    {"+", "add"},        {"-", "sub"},         {"*", "mul"},         {"/", "div"},          {"//", "floor_divide"},
    {"%", "remainder"},  {"**", "pow"},        {"@", "matmul"},      {"==", "eq"},          {"!=", "ne"},
    {"<", "lt"},         {"<=", "le"},         {">", "gt"},          {">=", "ge"},          {"&", "bitwise_and"},
    {"|", "bitwise_or"}, {"^", "bitwise_xor"}, {"<<", "shift_left"}, {">>", "shift_right"}, {"and", "logical_and"},
    {"or", "logical_or"}};

/* Two matrices of 4 × 4 with numbers 0 … 5. */
static tsr_tensor matrix(tsr_ctx *ctx, int dtype, int start) {
  tsr_tensor whole = {0}, t = {0};
  OK(ctx, tsr_arange(ctx, TSR_I32, (tsr_real)start, (tsr_real)(start + 16), 1, &whole));
  OK(ctx, tsr_remainder_scalar(ctx, &whole, 6, &whole));
  OK(ctx, tsr_reshape(ctx, &whole, TSR_SHAPE(4, 4), &whole));
  OK(ctx, tsr_cast(ctx, &whole, dtype, &t));
  tsr_release(&whole);
  return t;
}

static int equal, alike_refused;

static void compare_operator(tsr_ctx *ctx, int k, const tsr_tensor *a, const tsr_tensor *b) {
  const tsr_tensor *in[] = {a, b};
  tsr_tensor want = {0}, got = {0}, *outs[] = {&want};
  char text[32];
  sprintf(text, "a %s b", operators[k].sign);
  const tsr_status direct = tsr_op_call(ctx, tsr_op_find(operators[k].op), 2, in, 0, NULL, 1, outs);
  const tsr_status st = tsr_eval(ctx, text, TSR_NAMED({"a", a}, {"b", b}), &got);
  if (st != direct)
    printf("  %s of %s and %s: %s\n", text, tsr_dtype_name(a->dtype), tsr_dtype_name(b->dtype), tsr_error(ctx));
  CHECK(st == direct);
  if (st == TSR_OK) CHECK(got.dtype == want.dtype && tsr_same_shape(&got, &want) && test_same_elements(&got, &want));
  equal += st == TSR_OK;
  alike_refused += st != TSR_OK;
  tsr_release(&want);
  tsr_release(&got);
}

TEST(every_operator_has_the_dtypes_and_bits_of_its_op) {
  tsr_ctx *const ctx = test_context();
  for (int i = 1; i < TSR_DTYPE_COUNT; i++)
    for (int j = 1; j < TSR_DTYPE_COUNT; j++) {
      tsr_tensor a = matrix(ctx, i, 0), b = matrix(ctx, j, 3);
      for (int k = 0; k < COUNT_OF(operators); k++) compare_operator(ctx, k, &a, &b);
      tsr_release(&a);
      tsr_release(&b);
    }
  printf("  %d operators on two dtypes with the same bits, %d refused by both\n", equal, alike_refused);
  CHECK(equal > 2000 && alike_refused > 500 && test_live() == 0);
}

TEST_MAIN(RUN(every_op_is_called_by_its_name), RUN(every_operator_has_the_dtypes_and_bits_of_its_op))

#else

TEST(absent) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(absent))

#endif
