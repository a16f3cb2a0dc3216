/* Expressions part by part: which can, along which axis of which name, and that parts have the bits of the whole. */
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#include <tessera/tessera.h>

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC && TSR_HAVE_F64

enum { NAMES = 3, A = 0, B = 1, C = 2 };

typedef struct part_case {
  const char *text;
  int axis;
  bool can;
  int cut[NAMES]; /* of a (6, 8), b (8, 6) and c (8) */
} part_case;

static const part_case cases[] = {
    {"a*2 + 1", 0, true, {0, -1, -1}},
    {"a*2 + 1", 1, true, {1, -1, -1}},
    {"a*2 + 1", -1, true, {1, -1, -1}},
    {"a + c", 0, true, {0, -1, -1}},
    {"a + c", 1, true, {1, -1, 0}},
    {"a*2 + b.T", 0, true, {0, 1, -1}},
    {"a.T*2 + b", 0, true, {1, 0, -1}},
    {"a[:, :6] + a[:, :6].T", 0, false, {-1, -1, -1}},
    {"a * a.shape[0]", 0, false, {-1, -1, -1}},
    {"a / a.size", 1, false, {-1, -1, -1}},
    {"a * a.ndim", 0, true, {0, -1, -1}},
    {"a + arange(6)[:, None]", 0, false, {-1, -1, -1}},
    {"a + arange(6)[:, None]", 1, true, {1, -1, -1}},
    {"zeros_like(a) + a", 0, false, {-1, -1, -1}},
    {"a @ b", 0, false, {-1, -1, -1}},
    {"a*sum(b)", 0, true, {0, -1, -1}},
    {"a - mean(a)", 0, false, {-1, -1, -1}},
    {"a - mean(a, axis=0)", 0, false, {-1, -1, -1}},
    {"a - mean(a, axis=0)", 1, true, {1, -1, -1}},
    {"a - mean(a, axis=1, keepdims=True)", 0, true, {0, -1, -1}},
    {"a - mean(a, axis=1)[:, None]", 0, true, {0, -1, -1}},
    {"a - mean(a, axis=1, keepdims=True)", 1, false, {-1, -1, -1}},
    {"softmax(a*2, axis=1)", 0, true, {0, -1, -1}},
    {"softmax(a*2, axis=1)", 1, false, {-1, -1, -1}},
    {"softmax(a*2, axis=0)", 0, false, {-1, -1, -1}},
    {"sum(a*b.T, axis=1)", 0, true, {0, 1, -1}},
    {"sum(a*b.T, axis=0)", 0, true, {1, 0, -1}},
    {"a[::-1] + 1", 0, false, {-1, -1, -1}},
    {"a[:, ::-1] + 1", 0, true, {0, -1, -1}},
    {"a[1:] - a[:-1]", 0, false, {-1, -1, -1}},
    {"a[:, 1:] - a[:, :-1]", 0, true, {0, -1, -1}},
    {"a[:, 1:] - a[:, :-1]", 1, false, {-1, -1, -1}},
    {"a[0] + a", 0, false, {-1, -1, -1}},
    {"reshape(a, [48]) + 1", 0, false, {-1, -1, -1}},
    {"reshape(a + 1, [48])", 0, false, {-1, -1, -1}},
    {"reshape(a + 1, [6, 2, 4])", 0, false, {-1, -1, -1}},
    {"reshape(a + 1, [3, 2, 8])", 0, false, {-1, -1, -1}},
    {"a[:, None, :]*2 - c", 0, true, {0, -1, -1}},
    {"a[:, None, :]*2 - c", 2, true, {1, -1, 0}},
    {"sort(a*1, axis=1) + 1", 0, false, {-1, -1, -1}},
    {"where(a > 0, f16(a), f16(b.T)*2)", 0, true, {0, 1, -1}},
    {"cumsum(c) + a", 0, true, {0, -1, -1}},
    {"a", 0, true, {0, -1, -1}},
    {"a.T", 0, true, {1, -1, -1}},
    {"sliding_window(c, 0, 3, 1)*2", 0, false, {-1, -1, -1}},
};

static void make_tensors(tsr_ctx *ctx, tsr_tensor *t) {
  static const tsr_index shapes[NAMES][2] = {{6, 8}, {8, 6}, {8, 0}};
  for (int i = 0; i < NAMES; i++) {
    OK(ctx, tsr_empty(ctx, TSR_F32, i == C ? 1 : 2, shapes[i], &t[i]));
    for (tsr_index k = 0; k < tsr_size(&t[i]); k++) ((float *)t[i].data)[k] = (float)((k * 37 + i * 11) % 23) / 4 - 3;
  }
}

/* Runs it in parts of length steps, to a whole output. */
static void run_parts(tsr_ctx *ctx, tsr_expr *expr, const tsr_tensor *t, const int *cut, int axis, tsr_index length,
                      tsr_tensor *out) {
  if (axis < 0) axis += out->ndim;
  for (tsr_index first = 0; first < out->shape[axis]; first += length) {
    const tsr_index n = out->shape[axis] - first < length ? out->shape[axis] - first : length;
    tsr_tensor part[NAMES], made = {0}, to = {0};
    for (int i = 0; i < NAMES; i++) {
      part[i] = t[i];
      part[i].flags &= (uint8_t)~TSR_OWNS;
      if (cut[i] >= 0) OK(ctx, tsr_narrow(ctx, &t[i], cut[i], first, n, &part[i]));
    }
    OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"a", &part[A]}, {"b", &part[B]}, {"c", &part[C]}), &made));
    OK(ctx, tsr_narrow(ctx, out, axis, first, n, &to));
    OK(ctx, tsr_copy(ctx, &made, &to));
    tsr_release(&made);
  }
}

static void try_case(tsr_ctx *ctx, const part_case *c) {
  tsr_tensor t[NAMES] = {{0}}, described = {0}, want = {0}, got = {0};
  tsr_expr *expr = NULL;
  int found[TSR_EXPR_NAMES], cut[NAMES] = {-1, -1, -1};
  bool can = false;
  make_tensors(ctx, t);
  OK(ctx, tsr_expr_new(ctx, c->text, &expr));
  OK(ctx,
     tsr_expr_parts(ctx, expr, TSR_NAMED({"a", &t[A]}, {"b", &t[B]}, {"c", &t[C]}), c->axis, &described, found, &can));
  for (int i = 0; tsr_expr_name_at(expr, i) != NULL; i++) cut[tsr_expr_name_at(expr, i)[0] - 'a'] = found[i];
  const bool as_said = can == c->can && cut[A] == c->cut[A] && cut[B] == c->cut[B] && cut[C] == c->cut[C];
  CHECK(as_said);
  if (!as_said) printf("  %s along %d: %d, %d %d %d\n", c->text, c->axis, (int)can, cut[A], cut[B], cut[C]);
  OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"a", &t[A]}, {"b", &t[B]}, {"c", &t[C]}), &want));
  CHECK(described.dtype == want.dtype && tsr_same_shape(&described, &want) && described.data == NULL);
  for (tsr_index length = 1; length < 5 && can && as_said; length++) {
    OK(ctx, tsr_zeros(ctx, want.dtype, want.ndim, want.shape, &got));
    run_parts(ctx, expr, t, cut, c->axis, length, &got);
    const bool same = test_same_numbers(&got, &want);
    CHECK(same);
    if (!same) printf("  %s along %d, in parts of %d\n", c->text, c->axis, (int)length);
    tsr_release(&got);
  }
  tsr_expr_release(expr);
  tsr_release(&want);
  for (int i = 0; i < NAMES; i++) tsr_release(&t[i]);
}

TEST(parts_are_found_and_have_the_bits_of_the_whole) {
  tsr_ctx *const ctx = test_context();
  for (int i = 0; i < COUNT_OF(cases); i++) try_case(ctx, &cases[i]);
  CHECK(test_live() == 0);
}

TEST(what_has_no_parts) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor t[NAMES] = {{0}}, out = {0};
  static const char *const texts[] = {"a[a > 0]", "1 + 2", "a + missing"};
  static const tsr_status statuses[] = {TSR_EUNSUPPORTED, TSR_EUNSUPPORTED, TSR_ENAME};
  int cut[TSR_EXPR_NAMES];
  bool can;
  make_tensors(ctx, t);
  for (int i = 0; i < 3; i++) {
    tsr_expr *expr = NULL;
    OK(ctx, tsr_expr_new(ctx, texts[i], &expr));
    CHECK(tsr_expr_parts(ctx, expr, TSR_NAMED({"a", &t[A]}), 0, &out, cut, &can) == statuses[i]);
    CHECK(tsr_expr_parts(ctx, expr, TSR_NAMED({"a", &t[A]}), 0, NULL, cut, &can) == TSR_EARG);
    tsr_expr_release(expr);
  }
  for (int i = 0; i < NAMES; i++) tsr_release(&t[i]);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(parts_are_found_and_have_the_bits_of_the_whole), RUN(what_has_no_parts))

#else

TEST(parts) { SKIP("needs expressions"); }
TEST_MAIN(RUN(parts))

#endif
