/* tsr_op_infer: for every op by its name, a call needs no more scratch memory than it says. */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <string.h>

enum { GUARD = 64 };

typedef struct totals {
  long calls, with_scratch;
} totals;

/* Calls the op with exactly that much scratch memory. */
static void call_within(tsr_ctx *ctx, const op_run *r, const tsr_tensor *const *in, const tsr_attr *attrs,
                        size_t bytes) {
  const op_case *const c = r->c;
  tsr_tensor out[OP_OUTPUTS], *outs[OP_OUTPUTS];
  for (int i = 0; i < c->outputs; i++) {
    out[i] = r->out[i];
    outs[i] = &out[i];
  }
  char *const memory = malloc(bytes + TSR_DATA_ALIGN + 1 + GUARD);
  char *const aligned = memory + (-(uintptr_t)memory & (TSR_DATA_ALIGN - 1));
  memset(aligned + bytes, 0x5a, GUARD);
  OK(ctx, tsr_context_set_scratch(ctx, aligned, bytes > 0 ? bytes : 1));
  const tsr_status st = tsr_op_call(ctx, c->op, c->inputs, in, c->attrs, attrs, c->outputs, outs);
  if (!test_check(st != TSR_ESCRATCH, __FILE__, __LINE__, "enough scratch memory"))
    printf("  %s, %zu bytes inferred: %s\n", c->op->name, bytes, tsr_error(ctx));
  bool kept = true;
  for (size_t i = bytes > 0 ? 0 : 1; i < GUARD; i++) kept = kept && aligned[bytes + i] == 0x5a;
  if (!test_check(kept, __FILE__, __LINE__, "no byte behind it is written")) printf("  %s\n", c->op->name);
  for (int i = 0; i < c->outputs; i++)
    if ((out[i].flags & TSR_OWNS) != 0) tsr_release(&out[i]);
  free(memory);
}

static void try_case(const op_case *c, op_layout layout, const tsr_parallel *parallel, totals *n) {
  op_run r;
  tsr_ctx ctx;
  tsr_tensor out[OP_OUTPUTS], *outs[OP_OUTPUTS];
  const tsr_tensor *in[OP_INPUTS];
  tsr_attr attrs[OP_ATTRS];
  test_rng rng = {c->seed};
  tsr_rng generator = tsr_rng_seed(1);
  size_t bytes = 0;
  OK(&ctx, tsr_context_init(&ctx, NULL));
  ctx.parallel = parallel;
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) {
    op_run_lay(&r, &rng, i, layout);
    in[i] = r.in[i].dtype == TSR_NONE ? NULL : &r.in[i];
  }
  for (int i = 0; i < c->outputs; i++) {
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&r, NULL, i, &c->given[i], OP_DENSE);
    out[i] = r.out[i];
    outs[i] = &out[i];
  }
  memcpy(attrs, c->attr, sizeof attrs);
  for (int i = 0; i < c->attrs; i++)
    if (attrs[i].type == TSR_OP_RNG) attrs[i].value.rng = &generator;
  op_object object;
  const tsr_status packed = op_pack(&ctx, c, in[0], &object);
  op_set_object(c, &object, attrs);
  if (packed == TSR_OK &&
      tsr_op_infer(&ctx, c->op, c->inputs, in, c->attrs, attrs, c->outputs, outs, &bytes) == TSR_OK) {
    call_within(&ctx, &r, in, attrs, bytes);
    n->calls++;
    n->with_scratch += bytes > 0;
  }
  op_unpack(c, &object);
  op_run_release(&r);
}

/* TSR_INFER_ONLY=sort: that op alone. */
TEST(the_scratch_that_is_inferred_is_enough) {
  const char *const only = getenv("TSR_INFER_ONLY");
  tsr_threads *pool = NULL;
  totals n = {0};
  if (TSR_HAVE_THREADS) OK(NULL, tsr_threads_new(3, &pool));
  for (int i = 0; i < tsr_op_count(); i++) {
    if (only != NULL && strcmp(only, tsr_op_at(i)->name) != 0) continue;
    for (uint64_t seed = 1; seed <= 2 * (uint64_t)OP_ROUNDS; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 977 + (uint64_t)i, (int)(seed % 3));
      const bool threads = pool != NULL && seed % 2 == 0;
      const tsr_parallel *const parallel = threads ? tsr_threads_parallel(pool) : tsr_parallel_serial();
      try_case(&c, (op_layout)(seed % OP_LAYOUTS), parallel, &n);
      op_case_release(&c);
    }
  }
  tsr_threads_release(pool);
  printf("%ld calls, %ld of them with scratch memory\n", n.calls, n.with_scratch);
  CHECK(n.with_scratch > 0);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(the_scratch_that_is_inferred_is_enough))

#else
TEST_MAIN()
#endif
