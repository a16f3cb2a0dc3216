/* The language: what texts give, by Python and NumPy; and what is no text of it. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include "golden/expr.inc"

/* x, v, n, m and t of scripts/golden_expr.py. */
typedef struct operands {
  double x[12], v[4];
  int64_t n[12], m[4];
  bool t[12];
  tsr_tensor tensor[5];
} operands;

static void fill(tsr_ctx *ctx, operands *o) {
  static const double v[4] = {0.5, -2.0, 3.0, 1.25};
  static const int64_t m[4] = {1, 2, 3, 5};
  for (int i = 0; i < 12; i++) {
    o->x[i] = i * 0.75 - 4;
    o->n[i] = i * 5 % 7 - 2;
    o->t[i] = i % 3 == 0;
  }
  memcpy(o->v, v, sizeof v);
  memcpy(o->m, m, sizeof m);
  OK(ctx, tsr_from_memory(ctx, o->x, TSR_F64, TSR_SHAPE(3, 4), &o->tensor[0]));
  OK(ctx, tsr_from_memory(ctx, o->v, TSR_F64, TSR_SHAPE(4), &o->tensor[1]));
  OK(ctx, tsr_from_memory(ctx, o->n, TSR_I64, TSR_SHAPE(3, 4), &o->tensor[2]));
  OK(ctx, tsr_from_memory(ctx, o->m, TSR_I64, TSR_SHAPE(4), &o->tensor[3]));
  OK(ctx, tsr_from_memory(ctx, o->t, TSR_BOOL, TSR_SHAPE(3, 4), &o->tensor[4]));
}

#define NAMES(o)                                                                                            \
  TSR_NAMED({"x", &(o)->tensor[0]}, {"v", &(o)->tensor[1]}, {"n", &(o)->tensor[2]}, {"m", &(o)->tensor[3]}, \
            {"t", &(o)->tensor[4]})

/* Whether a result is that row's. */
static bool is_golden(tsr_ctx *ctx, const tsr_tensor *out, int row) {
  if (out->dtype != golden_rows[row].dtype || out->ndim != golden_rows[row].ndim) return false;
  for (int i = 0; i < out->ndim; i++)
    if (out->shape[i] != golden_rows[row].shape[i]) return false;
  for (tsr_index i = 0; i < tsr_size(out); i++) {
    const uint64_t want = golden_bits[golden_rows[row].first + i];
    tsr_real real = 0;
    int64_t whole = 0;
    uint64_t got;
    if (out->dtype == TSR_F64) {
      OK(ctx, tsr_get_flat(ctx, out, i, TSR_ROW_MAJOR, &real));
      memcpy(&got, &real, sizeof got);
    } else {
      tsr_index index[TSR_MAX_DIMS];
      test_nth_index(out->ndim, out->shape, TSR_ROW_MAJOR, i, index);
      OK(ctx, tsr_get_i64(ctx, out, out->ndim, index, &whole));
      got = (uint64_t)whole;
    }
    if (got != want) return false;
  }
  return true;
}

TEST(texts_give_what_python_and_numpy_give) {
  tsr_ctx *const ctx = test_context();
  operands o;
  fill(ctx, &o);
  for (int row = 0; row < COUNT_OF(golden_rows); row++) {
    tsr_tensor out = {0};
    const tsr_status st = tsr_eval(ctx, golden_rows[row].text, NAMES(&o), &out);
    if (st != TSR_OK || !is_golden(ctx, &out, row))
      printf("  %s: %s %s\n", golden_rows[row].text, tsr_status_name(st), st != TSR_OK ? tsr_error(ctx) : "");
    CHECK(st == TSR_OK && is_golden(ctx, &out, row));
    tsr_release(&out);
  }
  CHECK(test_live() == 0);
}

/* ---- what is refused, and where ---- */

typedef struct refusal {
  const char *text;
  tsr_status status;
  const char *message;
} refusal;

static const refusal refusals[] = {
    {"", TSR_EFORMAT, "eval: column 1: there is no expression"},
    {"  # nothing", TSR_EFORMAT, "there is no expression"},
    {"x +", TSR_EFORMAT, "eval: column 4: an operand is expected, the text ends"},
    {"x + * v", TSR_EFORMAT, "column 5: an operand is expected, not '*'"},
    {"x v", TSR_EFORMAT, "column 3: an operator or the end is expected, not 'v'"},
    {"(x", TSR_EFORMAT, "column 1: this bracket is not closed"},
    {"x)", TSR_EFORMAT, "column 2: an operator or the end is expected, not ')'"},
    {"sum(x", TSR_EFORMAT, "column 1: this bracket is not closed"},
    {"sum(x]", TSR_EFORMAT, "column 6: ')' is expected, not ']'"},
    {"x[1)", TSR_EFORMAT, "column 4: ']' is expected, not ')'"},
    {"x[]", TSR_EFORMAT, "column 3: an operand is expected, not ']'"},
    {"x[1:2:3:4]", TSR_EFORMAT, "column 8: ',' or a bracket is expected, not ':'"},
    {"sum(x:1)", TSR_EFORMAT, "column 6: ',' or a bracket is expected"},
    {"x if x > 0", TSR_EFORMAT, "column 3: an if without its else"},
    {"x else 1", TSR_EFORMAT, "column 3: else without an if before it"},
    {"sum(x if 1)", TSR_EFORMAT, "column 7: an if without its else"},
    {"x, v", TSR_EFORMAT, "column 2: an operator or the end is expected, not ','"},
    {"d = x", TSR_EFORMAT, "column 1: the last line assigns"},
    {"d = 1\ne =", TSR_EFORMAT, "line 2, column 4: an operand is expected"},
    {"x = x + 1\nx ? v", TSR_EFORMAT, "line 2, column 3: '?' means nothing here"},
    {"pi = 3; pi", TSR_ENAME, "column 1: 'pi' has a meaning already"},
    {"a, b = x; a", TSR_EFORMAT, "column 1: 2 names on the left, and no call on the right"},
    {"x = = v", TSR_EFORMAT, "column 5: an operand is expected, not '='"},
    {"1x", TSR_EFORMAT, "column 2: a letter right behind a number"},
    {"0x", TSR_EFORMAT, "column 3: no digit of a number of base 16"},
    {"'abc", TSR_EFORMAT, "column 1: no closing '"},
    {"2jx * x", TSR_EFORMAT, "column 2: a letter right behind a number"},
    {"x < 2j", TSR_EDTYPE, "complex numbers have no order"},
    {"x[2j]", TSR_EARG, "column 3: '2j' is no index"},
    {"sum(x, 1j)", TSR_EARG, "column 8: axes cannot be '1j'"},
    {"99999999999999999999", TSR_ERANGE, "column 1: a whole number that does not fit 64 bits"},
    {"2**63", TSR_ERANGE, "column 2: the whole number does not fit 64 bits"},
    {"9223372036854775807 + 1", TSR_ERANGE, "column 21: the whole number does not fit 64 bits"},
    {"1 // 0", TSR_ERANGE, "column 3: a whole number divided by 0"},
    {"1 << 64", TSR_ERANGE, "column 3: a shift by 64"},
    {"0.5 & 1", TSR_EDTYPE, "column 5: numbers with a point do not have this operator"},
    {"1 @ 2", TSR_EUNSUPPORTED, "column 3: numbers alone do not have this operator"},
    {"suum(x)", TSR_ENAME, "eval: column 1: there is no op 'suum'; did you mean 'sum'?"},
    {"x.summ()", TSR_ENAME, "column 3: there is no op 'summ'; did you mean 'sum'?"},
    {"x + clipp(x, 0, 1)", TSR_ENAME, "column 5: there is no op 'clipp'; did you mean 'clip'?"},
    {"x.foo", TSR_ENAME, "column 3: a tensor has .T"},
    {"x.", TSR_EFORMAT, "column 3: a name is expected"},
    {"x + y", TSR_ENAME, "eval: column 5: 'y' is not bound"},
    {"x + wide", TSR_ENAME, "column 5: 'wide' is not bound"},
    {"x + vv", TSR_ENAME, "column 5: 'vv' is not bound; did you mean 'v'?"},
    {"x + sqrt", TSR_ENAME, "column 5: 'sqrt' is not bound; it is an op, which is called"},
    {"x + v[:3]", TSR_ESHAPE, "eval: column 3: v[:3] [3] does not broadcast with x [3,4]"},
    {"2*(x*2 - v[:3])", TSR_ESHAPE, "column 8: v[:3] [3] does not broadcast with x*2 [3,4]"},
    {"n * 0.5", TSR_ERANGE,
     "eval: column 3: mul_scalar: value 0.5 is not a whole number, i64 holds only those; write f64(n) * 0.5"},
    {"0.5 - n", TSR_ERANGE, "write 0.5 - f64(n)"},
    {"t + 2", TSR_ERANGE, "write i64(t) + 2"},
    {"x + maximum(n, 0.5)", TSR_ERANGE,
     "column 5: maximum_scalar: value 0.5 is not a whole number, i64 holds only those; in maximum(n, 0.5); write "
     "f64(n)"},
    {"clip(n, 0, hi=1.5)", TSR_ERANGE,
     "column 1: clamp: hi 1.5 is not a whole number, i64 holds only those; in clip(n, 0, hi=1.5); write f64(n)"},
    {"n if t else 0.5", TSR_ERANGE, "in n if t else 0.5; write f64(n)"},
    {"clip(x, None, None)", TSR_EARG, "column 1: clamp: lo is missing"},
    {"x.astype('float23')", TSR_ENAME, "column 3: cast: dtype 'float23' is unknown"},
    {"1 + np.sin(x)", TSR_ENAME, "column 5: 'np' is not bound; ops and dtypes stand alone: sin(x), f32(x)"},
    {"m**-1", TSR_ERANGE, "column 2: integers to a negative power; write f64(m)**-1"},
    {"x[3]", TSR_EINDEX, "column 2: select: index 3 is out of range for axis 0 of f64 [3,4]; in x[3]"},
    {"x[0, 0, 0]", TSR_EAXIS, "column 2: 3 indices for 2 axes"},
    {"x[..., ...]", TSR_EFORMAT, "column 2: there can be one ... only"},
    {"x[::0]", TSR_EARG, "column 2: slice: step is 0"},
    {"x[0.5]", TSR_EARG, "column 3: '0.5' is no index"},
    {"x[1:v]", TSR_EARG, "column 5: 'v' is no whole number"},
    {"x[[0], [1]]", TSR_EUNSUPPORTED, "column 2: an index with two tensors in it"},
    {"x.shape[2]", TSR_EAXIS, "column 9: axis 2 is out of range for rank 2"},
    {"sum(x, axis=2)", TSR_EAXIS, "column 1: sum: axis 2 is out of range for rank 2; in sum(x, axis=2)"},
    {"sum(x, axs=1)", TSR_ENAME, "there is no attribute 'axs'; did you mean 'axes'?"},
    {"sum(x, axis='a')", TSR_EARG, "column 14: axes cannot be 'a'; sum(x, axes: axes = all"},
    {"sum(x, 0, True, 3)", TSR_EARG, "column 17: sum takes no more; it is sum(x"},
    {"sqrt()", TSR_EARG, "column 1: sqrt: takes 1 input (x), has 0"},
    {"sqrt(x, x=v)", TSR_EARG, "column 11: x is given twice"},
    {"clamp(x, lo=0, lo=1, hi=2)", TSR_EARG, "lo is given twice"},
    {"sort(x, descending=2)", TSR_EARG, "column 20: descending cannot be '2'"},
    {"pad(x, mode='refect')", TSR_ENAME, "did you mean 'reflect'?"},
    {"(1, 2)", TSR_EARG, "column 1: '(1, 2)' is no tensor or number"},
    {"(1, 2) + x", TSR_EARG, "column 1: '(1, 2)' is no tensor or number"},
    {"'abc'", TSR_EARG, "column 2: 'abc' is no tensor or number"},
    {"f32", TSR_EARG, "'f32' is no tensor or number"},
    {"f32 + x", TSR_EARG, "'f32' is no tensor or number"},
    {"None", TSR_EARG, "'None' is no tensor or number"},
    {"sum(None)", TSR_EARG, ""},
    {"rand_uniform(shape=(3,))", TSR_EARG, "rng is missing; it is a generator"},
    {"\x01", TSR_EFORMAT, "column 1: byte 1 means nothing here"},
    {"x \xc3\x97 v", TSR_EFORMAT, "column 3: byte 195 means nothing here"},
};

TEST(what_is_wrong_is_said_with_its_column) {
  tsr_ctx *const ctx = test_context();
  operands o;
  fill(ctx, &o);
  for (int i = 0; i < COUNT_OF(refusals); i++) {
    const refusal *const r = &refusals[i];
    tsr_tensor out = {0};
    const tsr_status st = tsr_eval(ctx, r->text, NAMES(&o), &out);
    if (st != r->status) printf("  %s: %s %s\n", r->text, tsr_status_name(st), tsr_error(ctx));
    CHECK(st == r->status && tsr_is_none(&out));
    MESSAGE_HAS(ctx, r->message);
    tsr_release(&out);
  }
  CHECK(test_live() == 0);
}

/* A text of count times part, between two ends. */
static const char *repeated(const char *first, const char *part, size_t count, const char *last) {
  static char text[4 * TSR_EXPR_BYTES];
  size_t n = 0, length = strlen(part);
  memcpy(text, first, strlen(first));
  n = strlen(first);
  for (size_t i = 0; i < count; i++, n += length) memcpy(text + n, part, length);
  memcpy(text + n, last, strlen(last) + 1);
  return text;
}

TEST(what_is_too_long_or_too_deep_is_refused) {
  tsr_ctx *const ctx = test_context();
  operands o;
  fill(ctx, &o);
  tsr_tensor out = {0};
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("x", " ", TSR_EXPR_BYTES, ""), NAMES(&o), &out));
  MESSAGE_HAS(ctx, "eval: text has 65536 bytes, more than 65535");
  OK(ctx, tsr_eval(ctx, repeated("x", " ", TSR_EXPR_BYTES - 1, ""), NAMES(&o), &out));
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("", "(", TSR_EXPR_DEPTH + 1, "x"), NAMES(&o), &out));
  MESSAGE_HAS(ctx, "column 201: more than 200 brackets and operators within each other");
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("", "-", TSR_EXPR_DEPTH + 1, "x"), NAMES(&o), &out));
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("", "x[", TSR_EXPR_DEPTH + 1, "0"), NAMES(&o), &out));
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("x", "**x", TSR_EXPR_DEPTH + 1, ""), NAMES(&o), &out));
  OK(ctx, tsr_eval(ctx, repeated("", "-", TSR_EXPR_DEPTH, "x"), NAMES(&o), &out));
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("x", "+x", TSR_EXPR_STEPS / 2 + 1, ""), NAMES(&o), &out));
  MESSAGE_HAS(ctx, "more than 8192 operands and operators");
  tsr_tensor again = {0};
  OK(ctx, tsr_eval(ctx, repeated("x", "+x", 3000, ""), NAMES(&o), &again));
  tsr_release(&again);
  FAILS(ctx, TSR_EFORMAT, tsr_eval(ctx, repeated("x", " x", 100, ""), NAMES(&o), &out));
  FAILS(ctx, TSR_ELIMIT, tsr_eval(ctx, repeated("0.", "1", 500, ""), NAMES(&o), &out));
  MESSAGE_HAS(ctx, "a number of more than 400 digits");
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(names_are_64_at_most) {
  tsr_ctx *const ctx = test_context();
  char text[1024] = "0";
  tsr_expr *expr = NULL;
  for (int i = 0; i < TSR_EXPR_NAMES; i++) sprintf(text + strlen(text), "+n%d", i);
  OK(ctx, tsr_expr_new(ctx, text, &expr));
  CHECK(strcmp(tsr_expr_name_at(expr, 63), "n63") == 0 && tsr_expr_name_at(expr, 64) == NULL);
  tsr_expr_release(expr);
  strcat(text, "+more");
  FAILS(ctx, TSR_ELIMIT, tsr_expr_new(ctx, text, &expr));
  MESSAGE_HAS(ctx, "expr_new: column 249: more than 64 names");
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(texts_give_what_python_and_numpy_give), RUN(what_is_wrong_is_said_with_its_column),
          RUN(what_is_too_long_or_too_deep_is_refused), RUN(names_are_64_at_most))

#else

TEST(absent) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(absent))

#endif
