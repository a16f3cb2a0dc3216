/* Random expressions: the text, and the same calls made one by one, give the same bits. */
#include "support/helpers.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <tessera/expr.h>

enum { TREES = 100000, NODES = 24, NAMES = 4, TEXT = 4096 };

/* A node is a tensor with its text, or a number. Children are read by both ways: by the text, which puts brackets only where Python
 * needs none, and by plain calls, made when the node is. */
typedef struct node {
  tsr_tensor value; /* released with all; of no dtype: a number */
  double number;
  bool whole;
  int precedence; /* of its text: an operator's, or 20 */
  char text[TEXT];
} node;

typedef struct world {
  tsr_ctx *ctx;
  test_rng rng;
  tsr_tensor bound[NAMES];
  node nodes[NODES];
  int count;
  bool large; /* shapes of more than a block of what is computed together */
} world;

static bool is_number(const node *n) { return n->value.dtype == TSR_NONE; }
static int pick(world *w, int n) { return (int)(test_random(&w->rng) % (uint32_t)n); }
static node *any(world *w) { return &w->nodes[pick(w, w->count)]; }

/* ---- leaves ---- */

static const int dtypes[] = {TSR_F32, TSR_F32, TSR_F64, TSR_F16,  TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2,
                             TSR_I32, TSR_I64, TSR_U8,  TSR_BOOL, TSR_I8,   TSR_U32};

/* Shapes that broadcast with each other, or not: (3, 5), (5), (3, 1), (1, 5), (), (4). */
static void any_shape(world *w, int *ndim, tsr_index *shape) {
  static const tsr_index shapes[][3] = {{2, 3, 5}, {2, 3, 5}, {1, 5}, {2, 3, 1}, {2, 1, 5}, {0}, {1, 4}, {2, 0, 5}};
  const tsr_index *const s = shapes[pick(w, 20) == 0 ? 6 + pick(w, 2) : pick(w, 6)];
  *ndim = (int)s[0];
  for (int i = 0; i < *ndim; i++) shape[i] = w->large && s[i + 1] > 1 ? s[i + 1] * (i == 0 ? 13 : 331) : s[i + 1];
}

static void any_bound(world *w, int i) {
  tsr_tensor wide = {0};
  tsr_index shape[3];
  int ndim;
  tsr_rng rng = tsr_rng_seed(test_random(&w->rng));
  any_shape(w, &ndim, shape);
  tsr_release(&w->bound[i]);
  OK(w->ctx, tsr_rand_normal_scaled(w->ctx, &rng, TSR_F32, ndim, shape, 1, 3, &wide));
  const int dtype = dtypes[pick(w, COUNT_OF(dtypes))];
  if (dtype == TSR_U8 || dtype == TSR_U32) OK(w->ctx, tsr_abs(w->ctx, &wide, &wide));
  OK(w->ctx, tsr_cast(w->ctx, &wide, dtype, &w->bound[i]));
  tsr_release(&wide);
  if (ndim == 2 && pick(w, 3) == 0) OK(w->ctx, tsr_flip(w->ctx, &w->bound[i], 1, &w->bound[i])); /* still the owner */
}

static void add_leaf(world *w) {
  node *const n = &w->nodes[w->count];
  const int kind = pick(w, 8);
  n->value = (tsr_tensor){0};
  n->precedence = 20;
  if (kind < 6) {
    const int i = pick(w, NAMES);
    OK(w->ctx, tsr_view(w->ctx, &w->bound[i], &n->value));
    sprintf(n->text, "%c", "abcd"[i]);
  } else {
    n->whole = kind == 6;
    n->number = n->whole ? pick(w, 5) : 0.25 * pick(w, 12);
    sprintf(n->text, n->whole ? "%.0f" : "%.2f", n->number);
  }
  w->count++;
}

/* ---- texts ---- */

static bool put(char *to, const char *before, const node *n, bool brackets, const char *behind) {
  const size_t length = strlen(to);
  if (length + strlen(n->text) + strlen(before) + strlen(behind) + 3 > TEXT) return false;
  sprintf(to + length, "%s%s%s%s%s", before, brackets ? "(" : "", n->text, brackets ? ")" : "", behind);
  return true;
}

/* ---- operators ---- */

typedef tsr_status binary_fn(tsr_ctx *, const tsr_tensor *, const tsr_tensor *, tsr_tensor *);
typedef tsr_status scalar_fn(tsr_ctx *, const tsr_tensor *, tsr_real, tsr_tensor *);
typedef tsr_status reversed_fn(tsr_ctx *, tsr_real, const tsr_tensor *, tsr_tensor *);

typedef struct operator_row {
  const char *sign;
  int precedence;
  binary_fn *both;
  scalar_fn *right, *left_as_right; /* the number on the right; on the left, where that is the same */
  reversed_fn *left;
} operator_row;

#define ROW(sign, precedence, op, mirror, reversed) \
  { sign, precedence, tsr_##op, tsr_##op##_scalar, mirror, reversed }
static const operator_row operators[] = {
    ROW(" + ", 10, add, tsr_add_scalar, NULL),
    ROW(" * ", 11, mul, tsr_mul_scalar, NULL),
    ROW(" - ", 10, sub, NULL, tsr_scalar_sub),
    ROW(" / ", 11, div, NULL, tsr_scalar_div),
    ROW(" // ", 11, floor_divide, NULL, tsr_scalar_floor_divide),
    ROW(" % ", 11, remainder, NULL, tsr_scalar_remainder),
    ROW(" < ", 5, lt, tsr_gt_scalar, NULL),
    ROW(" >= ", 5, ge, tsr_le_scalar, NULL),
    ROW(" == ", 5, eq, tsr_eq_scalar, NULL),
    ROW(" & ", 8, bitwise_and, tsr_bitwise_and_scalar, NULL),
    ROW(" | ", 6, bitwise_or, tsr_bitwise_or_scalar, NULL),
    ROW(" ^ ", 7, bitwise_xor, tsr_bitwise_xor_scalar, NULL),
};

static tsr_status call_operator(world *w, const operator_row *row, const node *a, const node *b, tsr_tensor *out) {
  if (is_number(b)) return row->right(w->ctx, &a->value, (tsr_real)b->number, out);
  if (!is_number(a)) return row->both(w->ctx, &a->value, &b->value, out);
  if (row->left != NULL) return row->left(w->ctx, (tsr_real)a->number, &b->value, out);
  return row->left_as_right(w->ctx, &b->value, (tsr_real)a->number, out);
}

static tsr_status add_operator(world *w, node *n) {
  const operator_row *const row = &operators[pick(w, COUNT_OF(operators))];
  const node *const a = any(w), *const b = any(w);
  const bool compares = row->precedence == 5; /* a < b < c would be a chain */
  if (is_number(a) && is_number(b)) return TSR_ENAME;
  n->precedence = row->precedence;
  if (!put(n->text, "", a, a->precedence < row->precedence || (compares && a->precedence == 5), row->sign) ||
      !put(n->text, "", b, b->precedence <= row->precedence, ""))
    return TSR_ENAME;
  return call_operator(w, row, a, b, &n->value);
}

static tsr_status add_chain(world *w, node *n) {
  const node *const a = any(w), *const b = any(w), *const c = any(w);
  tsr_tensor first = {0}, second = {0};
  if (is_number(a) || is_number(b) || is_number(c)) return TSR_ENAME;
  n->precedence = 5;
  if (!put(n->text, "", a, a->precedence <= 5, " < ") || !put(n->text, "", b, b->precedence <= 5, " <= ") ||
      !put(n->text, "", c, c->precedence <= 5, ""))
    return TSR_ENAME;
  tsr_status st = tsr_lt(w->ctx, &a->value, &b->value, &first);
  if (st == TSR_OK) st = tsr_le(w->ctx, &b->value, &c->value, &second);
  if (st == TSR_OK) st = tsr_logical_and(w->ctx, &first, &second, &n->value);
  tsr_release(&first);
  tsr_release(&second);
  return st;
}

static tsr_status add_power(world *w, node *n) {
  const node *const a = any(w);
  const int class_ = is_number(a) ? 0 : tsr_dtype_describe(a->value.dtype)->class_;
  n->precedence = 13;
  if (class_ != TSR_CLASS_FLOAT || !put(n->text, "", a, a->precedence <= 13, "**2")) return TSR_ENAME;
  return pick(w, 2) != 0 ? tsr_pow_scalar(w->ctx, &a->value, 2, &n->value) : tsr_square(w->ctx, &a->value, &n->value);
}

/* ---- calls ---- */

typedef tsr_status unary_fn(tsr_ctx *, const tsr_tensor *, tsr_tensor *);
static const struct {
  const char *text;
  int precedence;
  unary_fn *fn;
} functions[] = {{"-", 12, tsr_neg},          {"not ", 4, tsr_logical_not}, {"abs(", 20, tsr_abs},
                 {"exp(", 20, tsr_exp},       {"sqrt(", 20, tsr_sqrt},      {"tanh(", 20, tsr_tanh},
                 {"gelu(", 20, tsr_gelu},     {"sin(", 20, tsr_sin},        {"floor(", 20, tsr_floor},
                 {"square(", 20, tsr_square}, {"~", 12, tsr_bitwise_not},   {"isnan(", 20, tsr_isnan}};

static tsr_status add_function(world *w, node *n) {
  const node *const a = any(w);
  const int f = pick(w, COUNT_OF(functions)), precedence = functions[f].precedence;
  const bool call = precedence == 20;
  n->precedence = precedence;
  if (is_number(a) || !put(n->text, functions[f].text, a, !call && a->precedence < precedence, call ? ")" : ""))
    return TSR_ENAME;
  return functions[f].fn(w->ctx, &a->value, &n->value);
}

static tsr_status add_cast(world *w, node *n) {
  const node *const a = any(w);
  const int dtype = dtypes[pick(w, COUNT_OF(dtypes))];
  char before[16];
  n->precedence = 20;
  sprintf(before, "%s(", tsr_dtype_name(dtype));
  if (is_number(a) || !put(n->text, before, a, false, ")")) return TSR_ENAME;
  return tsr_cast(w->ctx, &a->value, dtype, &n->value);
}

typedef tsr_status reduce_fn(tsr_ctx *, const tsr_tensor *, int, const int *, bool, tsr_tensor *);
static tsr_status add_reduction(world *w, node *n) {
  static const struct {
    const char *text;
    reduce_fn *fn;
  } reductions[] = {
      {"sum(", tsr_sum}, {"mean(", tsr_mean}, {"max(", tsr_max}, {"any(", tsr_any}, {"norm2(", tsr_norm2}};
  const node *const a = any(w);
  const int r = pick(w, COUNT_OF(reductions)), axis = -1;
  const bool all = pick(w, 3) == 0;
  n->precedence = 20;
  if (is_number(a) || !put(n->text, reductions[r].text, a, false, all ? ")" : ", axis=-1, keepdims=True)"))
    return TSR_ENAME;
  return all ? reductions[r].fn(w->ctx, &a->value, 0, NULL, false, &n->value)
             : reductions[r].fn(w->ctx, &a->value, 1, &axis, true, &n->value);
}

static tsr_status add_where(world *w, node *n) {
  const node *const c = any(w), *const a = any(w), *const b = any(w);
  const bool call = pick(w, 2) != 0;
  if (is_number(a) || is_number(b) || is_number(c) || c->value.dtype != TSR_BOOL) return TSR_ENAME;
  n->precedence = call ? 20 : 1;
  if (call ? !put(n->text, "where(", c, false, ", ") || !put(n->text, "", a, false, ", ") ||
                 !put(n->text, "", b, false, ")")
           : !put(n->text, "", a, a->precedence <= 1, " if ") || !put(n->text, "", c, c->precedence <= 1, " else ") ||
                 !put(n->text, "", b, b->precedence < 1, ""))
    return TSR_ENAME;
  return tsr_where(w->ctx, &c->value, &a->value, &b->value, &n->value);
}

static tsr_status add_view(world *w, node *n) {
  const node *const a = any(w);
  const int kind = pick(w, 4);
  static const char *const behind[] = {"[..., ::-1]", "[1:]", "[..., None]", "[:, :3]"};
  tsr_tensor t = {0};
  n->precedence = 20;
  if (is_number(a) || !put(n->text, "", a, a->precedence < 20, behind[kind])) return TSR_ENAME;
  tsr_status st = kind == 0   ? tsr_flip(w->ctx, &a->value, -1, &t)
                  : kind == 1 ? tsr_slice(w->ctx, &a->value, 0, 1, TSR_OMIT, 1, &t)
                  : kind == 2 ? tsr_unsqueeze(w->ctx, &a->value, -1, &t)
                              : tsr_slice(w->ctx, &a->value, 1, TSR_OMIT, 3, 1, &t);
  if (st == TSR_OK && t.ndim > 3) st = TSR_ENAME;
  if (st == TSR_OK) n->value = t; /* of a node that lives as long */
  return st;
}

/* A node that cannot be (TSR_ENAME) or that the calls refuse is not added; *refused: the latter, and its text is there. */
static bool add_node(world *w, bool *refused) {
  typedef tsr_status add_fn(world *, node *);
  static add_fn *const makers[] = {add_operator, add_operator,  add_operator, add_operator, add_function, add_function,
                                   add_cast,     add_reduction, add_where,    add_view,     add_power,    add_chain};
  node *const n = &w->nodes[w->count];
  n->text[0] = '\0';
  n->value = (tsr_tensor){0};
  const tsr_status st = makers[pick(w, COUNT_OF(makers))](w, n);
  *refused = st != TSR_OK && st != TSR_ENAME;
  w->count += st == TSR_OK;
  return st == TSR_OK;
}

/* ---- one expression ---- */

#define BOUND(w) TSR_NAMED({"a", &(w)->bound[0]}, {"b", &(w)->bound[1]}, {"c", &(w)->bound[2]}, {"d", &(w)->bound[3]})

static int counted_equal, counted_refused;

static void try_refused(world *w) {
  const char *const text = w->nodes[w->count].text;
  tsr_tensor out = {0};
  if (text[0] == '\0') return;
  const tsr_status st = tsr_eval(w->ctx, text, BOUND(w), &out);
  if (st == TSR_OK) printf("  %s is not refused\n", text);
  CHECK(st != TSR_OK && tsr_is_none(&out));
  counted_refused++;
  tsr_release(&out);
}

/* Grows a tree; what is refused on the way is tried too. */
static void grow(world *w, int size) {
  w->count = 0;
  for (int i = 0; i < 4; i++) add_leaf(w);
  for (int tries = 0; w->count < 4 + size && tries < 60; tries++) {
    bool refused;
    if (!add_node(w, &refused) && refused && pick(w, 8) == 0) try_refused(w);
  }
}

static void try_result(world *w) {
  const node *const n = &w->nodes[w->count - 1];
  tsr_tensor out = {0};
  if (is_number(n)) return;
  const tsr_status st = tsr_eval(w->ctx, n->text, BOUND(w), &out);
  const bool equal = st == TSR_OK && test_same_numbers(&n->value, &out);
  if (!equal) printf("  %s: %s\n", n->text, st != TSR_OK ? tsr_error(w->ctx) : "other bits");
  CHECK(equal);
  counted_equal += equal;
  tsr_release(&out);
}

static void clear(world *w) {
  for (int i = 0; i < w->count; i++) tsr_release(&w->nodes[i].value);
}

TEST(texts_have_the_bits_of_the_calls_one_by_one) {
  static world w;
  const char *const seed = getenv("TSR_SEED"), *const trees = getenv("TSR_TREES");
  w.ctx = test_context();
  w.rng = (test_rng){seed != NULL ? strtoull(seed, NULL, 10) : 16};
  const int count = trees != NULL ? atoi(trees) : TREES;
  for (int i = 0; i < NAMES; i++) any_bound(&w, i);
  while (counted_equal < count && test_now.failures < 5) {
    if (counted_equal > count - count / 200 && !w.large) { /* the last of them over blocks */
      w.large = true;
      for (int i = 0; i < NAMES; i++) any_bound(&w, i);
    }
    any_bound(&w, pick(&w, NAMES));
    grow(&w, 1 + pick(&w, 8));
    try_result(&w);
    clear(&w);
  }
  for (int i = 0; i < NAMES; i++) tsr_release(&w.bound[i]);
  printf("  %d expressions with the same bits, %d refused by both\n", counted_equal, counted_refused);
  CHECK(counted_equal == count && counted_refused > count / 10);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(texts_have_the_bits_of_the_calls_one_by_one))

#else

TEST(absent) { SKIP("ops by name are configured out"); }
TEST_MAIN(RUN(absent))

#endif
