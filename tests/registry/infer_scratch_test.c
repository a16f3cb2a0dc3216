/* tsr_op_infer: the temporary memory that it tells is enough for the call. */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "conv1d",   "conv2d",   "conv3d",  "conv_transpose1d",  "conv_transpose2d",  "resize_nearest", "resize_linear",
    "max_pool", "avg_pool", "lp_pool", "adaptive_avg_pool", "adaptive_max_pool", "pixel_shuffle",  "pixel_unshuffle",
};
enum { NAMES = sizeof names / sizeof names[0] };

typedef struct totals {
  long calls, with_scratch;
} totals;

/* The call with no temporary memory but what was told: TSR_ESCRATCH when that is too little. */
static void call_with(tsr_ctx *ctx, const op_run *r, const tsr_tensor *const *in, size_t bytes) {
  const op_case *const c = r->c;
  tsr_tensor out[OP_OUTPUTS] = {{0}}, *outs[OP_OUTPUTS];
  void *const room = aligned_alloc(TSR_DATA_ALIGN, (bytes / TSR_DATA_ALIGN + 1) * TSR_DATA_ALIGN);
  for (int i = 0; i < c->outputs; i++) outs[i] = &out[i];
  REQUIRE(room != NULL);
  OK(ctx, tsr_context_set_scratch(ctx, room, bytes > 0 ? bytes : 1));
  const tsr_status st = tsr_op_call(ctx, c->op, c->inputs, in, c->attrs, c->attr, c->outputs, outs);
  if (!test_check(st == TSR_OK, __FILE__, __LINE__, "as much as was told is enough"))
    printf("  %s with %zu bytes: %s\n", c->op->name, bytes, tsr_error(ctx));
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  for (int i = 0; i < c->outputs; i++) tsr_release(&out[i]);
  free(room);
}

static void compare(const op_case *c, op_layout layout, totals *n) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {c->seed};
  op_run r;
  tsr_tensor described[OP_INPUTS] = {{0}}, out[OP_OUTPUTS] = {{0}}, *outs[OP_OUTPUTS];
  const tsr_tensor *in[OP_INPUTS], *real[OP_INPUTS];
  size_t bytes = 0;
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) {
    op_run_lay(&r, &rng, i, layout);
    described[i] = r.in[i];
    described[i].data = NULL;
    described[i].storage = NULL;
    described[i].flags = 0;
    in[i] = r.in[i].dtype != TSR_NONE ? &described[i] : NULL;
    real[i] = r.in[i].dtype != TSR_NONE ? &r.in[i] : NULL;
  }
  for (int i = 0; i < c->outputs; i++) outs[i] = &out[i];
  const tsr_status st = tsr_op_infer(ctx, c->op, c->inputs, in, c->attrs, c->attr, c->outputs, outs, &bytes);
  if (st == TSR_OK) {
    n->calls++;
    n->with_scratch += bytes > 0;
    call_with(ctx, &r, real, bytes);
  }
  op_run_release(&r);
}

TEST(the_scratch_that_is_told_is_enough) {
  static const op_layout layouts[] = {OP_DENSE, OP_PERMUTED, OP_MIXED};
  totals n = {0};
  for (int i = 0; i < op_count(); i++) {
    bool listed = false;
    for (int k = 0; k < NAMES && !listed; k++) listed = strcmp(op_at(i)->name, names[k]) == 0;
    if (!listed || tsr_op_find(op_at(i)->name) != op_at(i)) continue;
    for (uint64_t seed = 1; seed <= 3 * (uint64_t)OP_ROUNDS; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 613 + (uint64_t)i, (int)(seed % 3));
      if (c.call == NULL) compare(&c, layouts[seed / 3 % 3], &n);
      op_case_release(&c);
    }
  }
  printf("%ld calls, %ld of them with temporary memory\n", n.calls, n.with_scratch);
  CHECK(n.calls > NAMES && n.with_scratch > 0);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(the_scratch_that_is_told_is_enough))

#else
TEST_MAIN()
#endif
