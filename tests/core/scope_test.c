/* Scopes: what calls make in one is released with it, and nothing else is. */
#include "support/brief.h"
#include "support/helpers.h"
#include "support/test.h"

#include <tessera/tessera.h>

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

static tsr_tensor vector(tsr_ctx *ctx, tsr_index n) {
  tsr_tensor t = {0};
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, (double)n, 1, &t));
  return t;
}

static float element(const tsr_tensor *t, tsr_index i) { return ((const float *)t->data)[i]; }

TEST(temporaries_end_with_their_scope) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 100), a = {0}, b = {0}, kept = {0};
  const size_t before = test_live();
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_mul(ctx, &x, &x, &a));
  OK(ctx, tsr_add(ctx, &a, &x, &b));
  OK(ctx, tsr_sqrt(ctx, &b, &kept));
  CHECK((a.flags & TSR_OWNS) == 0 && test_live() > before);
  tsr_release(&b); /* allowed, and nothing */
  OK(ctx, tsr_scope_keep(ctx, &kept));
  tsr_scope_end(ctx);
  CHECK((kept.flags & TSR_OWNS) != 0);
  CHECK(element(&kept, 3) > 3.4641f && element(&kept, 3) < 3.4642f);
  tsr_release(&kept);
  CHECK(test_live() == before);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(what_was_given_stays_with_its_owner) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 10), y = vector(ctx, 10);
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_neg(ctx, &x, &y)); /* y has memory */
  tsr_scope_end(ctx);
  CHECK((y.flags & TSR_OWNS) != 0 && element(&y, 4) == -4);
  tsr_release(&x);
  tsr_release(&y);
  CHECK(test_live() == 0);
}

TEST(scopes_nest) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 10), a = {0}, b = {0}, c = {0};
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_exp(ctx, &x, &a));
  for (int i = 0; i < 40; i++) { /* of which each ends what it made */
    const size_t live = test_live();
    OK(ctx, tsr_scope_begin(ctx));
    tsr_tensor t = {0}, u = {0};
    OK(ctx, tsr_add(ctx, &a, &x, &t));
    OK(ctx, tsr_add(ctx, &t, &x, &u));
    if (i == 39) {
      OK(ctx, tsr_scope_keep(ctx, &u));
      b = u;
    }
    tsr_scope_end(ctx);
    if (i < 39) CHECK(test_live() == live);
  }
  OK(ctx, tsr_sub(ctx, &b, &a, &c));
  CHECK(element(&c, 3) > 5.9999f && element(&c, 3) < 6.0001f);
  CHECK((b.flags & TSR_OWNS) == 0); /* the outer scope has it */
  tsr_scope_end(ctx);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* More than the list has room for at first; views; outputs of several; ops made of others; sizes that depend on data. */
TEST(many_kinds_of_calls) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 64), view = {0}, mask = {0}, chosen = {0}, values = {0}, indices = {0}, deviation = {0},
             same = {0};
  const tsr_index shape[] = {8, 8};
  tsr_tensor square = {0};
  const size_t before = test_live();
  OK(ctx, tsr_scope_begin(ctx));
  for (int i = 0; i < 100; i++) {
    tsr_tensor t = {0};
    OK(ctx, tsr_add_scalar(ctx, &x, i, &t));
  }
  OK(ctx, tsr_gt_scalar(ctx, &x, 60, &mask));
  OK(ctx, tsr_masked_select(ctx, &x, &mask, &chosen));
  CHECK(tsr_size(&chosen) == 3);
  OK(ctx, tsr_topk(ctx, &x, 3, 0, true, true, &values, &indices));
  OK(ctx, tsr_std(ctx, &x, 0, NULL, 0, false, &deviation));
  OK(ctx, tsr_contiguous(ctx, &x, &same));
  OK(ctx, tsr_reshape(ctx, &x, 2, shape, &square));
  OK(ctx, tsr_transpose(ctx, &chosen, 0, 0, &view));
  CHECK(element(&values, 0) == 63 && element(&view, 2) == 63);
  OK(ctx, tsr_scope_keep(ctx, &view)); /* a view keeps what it is of */
  tsr_scope_end(ctx);
  CHECK(element(&view, 0) == 61);
  tsr_release(&view);
  CHECK(test_live() == before && tsr_refcount(&x) == 1);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* In the place of an input: a handle that owned its memory still does. */
TEST(calls_in_place) {
  tsr_ctx *const ctx = test_context();
  const tsr_index shape[] = {4, 8}, flat[] = {32};
  tsr_tensor x = vector(ctx, 32), mine = {0}, made = {0}, turned = {0};
  OK(ctx, tsr_reshape(ctx, &x, 2, shape, &mine));
  OK(ctx, tsr_transpose(ctx, &mine, 0, 1, &turned));
  OK(ctx, tsr_clone(ctx, &turned, &made));
  tsr_release(&mine);
  mine = tsr_move(&made); /* (8, 4), its axes the other way round in memory */
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_reshape(ctx, &mine, 1, flat, &mine)); /* a copy */
  CHECK((mine.flags & TSR_OWNS) != 0);
  OK(ctx, tsr_clone(ctx, &turned, &made));
  OK(ctx, tsr_reshape(ctx, &made, 1, flat, &made));
  CHECK((made.flags & TSR_OWNS) == 0);
  tsr_scope_end(ctx);
  CHECK(element(&mine, 1) == 8);
  tsr_release(&mine);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(expressions_and_programs) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 50), a = {0}, b = {0}, c = {0};
  tsr_expr *expr = NULL;
  OK(ctx, tsr_expr_new(ctx, "x*2 + 1", &expr));
  const size_t before = test_live();
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_eval(ctx, "x*x + 1", TSR_NAMED({"x", &x}), &a));
  OK(ctx, tsr_eval(ctx, "x[x > 45]*2", TSR_NAMED({"x", &x}), &b)); /* calls one by one */
  OK(ctx, tsr_expr_run(ctx, expr, TSR_NAMED({"x", &a}), &c));
  CHECK(element(&a, 5) == 26 && tsr_size(&b) == 4 && element(&c, 5) == 53);
  OK(ctx, tsr_scope_keep(ctx, &c));
  tsr_scope_end(ctx);
  CHECK(element(&c, 2) == 11);
  tsr_release(&c);
  tsr_expr_release(expr);
  CHECK(test_live() <= before);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* What is handed out has memory of its own. */
TEST(what_is_exported_outlives_it) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 10);
  tsr_dl_managed_versioned *managed = NULL;
  OK(ctx, tsr_scope_begin(ctx));
  OK(ctx, tsr_dlpack_export(ctx, &x, true, &managed));
  tsr_scope_end(ctx);
  CHECK(((const float *)managed->dl_tensor.data)[7] == 7);
  managed->deleter(managed);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

TEST(failures) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = vector(ctx, 10), a = {0}, none = {0};
  CHECK(tsr_scope_begin(NULL) == TSR_EARG);
  CHECK(tsr_scope_keep(ctx, &x) == TSR_EARG); /* none is open */
  tsr_scope_end(ctx);
  tsr_scope_end(NULL);
  OK(ctx, tsr_scope_begin(ctx));
  CHECK(tsr_scope_keep(ctx, &x) == TSR_EARG); /* made before */
  CHECK(tsr_scope_keep(ctx, &none) == TSR_EARG && tsr_scope_keep(ctx, NULL) == TSR_EARG);
  CHECK(tsr_matmul(ctx, &x, &none, &a) != TSR_OK && tsr_is_none(&a));
  tsr_scope_end(ctx);
  CHECK(x.data != NULL && element(&x, 9) == 9);
  tsr_release(&x);
  CHECK(test_live() == 0);
}

/* Each allocation fails once: nothing is lost, and outputs are as they were. */
TEST(no_memory) {
  tsr_failing failing;
  tsr_ctx ctx;
  tsr_ctx *const counted = test_context();
  tsr_tensor x = vector(counted, 30);
  const size_t before = test_live();
  for (size_t n = 0; n < 60; n++) {
    tsr_tensor a = {0}, b = {0};
    OK(NULL, tsr_failing_init(counted->allocator, n, false, &failing));
    OK(NULL, tsr_context_init(&ctx, &failing.allocator));
    tsr_status st = tsr_scope_begin(&ctx);
    for (int i = 0; i < 20 && st == TSR_OK; i++) st = tsr_neg(&ctx, &x, i % 2 == 0 ? &a : &b), a = b = (tsr_tensor){0};
    CHECK(st == TSR_OK || st == TSR_ENOMEM);
    tsr_scope_end(&ctx);
    CHECK(test_live() == before);
  }
  tsr_release(&x);
}

TEST_MAIN(RUN(temporaries_end_with_their_scope), RUN(what_was_given_stays_with_its_owner), RUN(scopes_nest),
          RUN(many_kinds_of_calls), RUN(calls_in_place), RUN(expressions_and_programs),
          RUN(what_is_exported_outlives_it), RUN(failures), RUN(no_memory))

#else

TEST(scopes) { SKIP("needs ops by name and malloc"); }
TEST_MAIN(RUN(scopes))

#endif
