/* The temporary memory that tsr_op_infer says is enough for the call, to the byte. */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "softmax", "log_softmax", "layer_norm", "rms_norm", "batch_norm", "instance_norm", "group_norm", "lrn",
    "attention", "multi_head_attention", "kv_append", "rotary", "rotary_tables", "embedding", "mse_loss", "mae_loss",
    "huber_loss", "bce_loss", "bce_logits_loss", "kl_loss", "nll_loss", "cross_entropy", "accuracy",
    "confusion_matrix"};
enum { NAMES = sizeof names / sizeof names[0], GUARD = 64 };

static bool is_named(const tsr_op *op) {
  for (int k = 0; k < NAMES; k++)
    if (strcmp(names[k], op->name) == 0) return tsr_op_find(op->name) == op;
  return false;
}

/* A case as arguments: its tensors, and descriptions of its inputs. */
typedef struct arguments {
  op_run r;
  tsr_tensor described[OP_INPUTS], out[OP_OUTPUTS];
  const tsr_tensor *in[OP_INPUTS], *description[OP_INPUTS];
  tsr_tensor *outs[OP_OUTPUTS];
} arguments;

static void lay(arguments *a, const op_case *c, op_layout layout, test_rng *rng) {
  op_run_init(&a->r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&a->r, rng, i, &c->given[i], OP_DENSE);
  for (int i = 0; i < c->inputs; i++) {
    op_run_lay(&a->r, rng, i, layout);
    a->described[i] = a->r.in[i];
    a->described[i].data = NULL;
    a->in[i] = c->in[i].dtype != TSR_NONE ? &a->r.in[i] : NULL;
    a->description[i] = a->in[i] != NULL ? &a->described[i] : NULL;
  }
}

/* The outputs as they are before a call. */
static tsr_tensor *const *outputs_of(arguments *a) {
  for (int i = 0; i < OP_OUTPUTS; i++) {
    a->out[i] = a->r.out[i];
    a->outs[i] = &a->out[i];
  }
  return a->outs;
}

static tsr_status call(tsr_ctx *ctx, const op_case *c, arguments *a) {
  const tsr_status st = tsr_op_call(ctx, c->op, c->inputs, a->in, c->attrs, c->attr, c->outputs, outputs_of(a));
  for (int i = 0; i < c->outputs && st == TSR_OK; i++) tsr_release(&a->out[i]);
  return st;
}

/* A call with so many bytes, at an address that is aligned, writes none behind them. */
static void call_with(tsr_ctx *ctx, const op_case *c, arguments *a, size_t bytes) {
  char *const scratch = aligned_alloc(64, (bytes + GUARD + 63) / 64 * 64);
  memset(scratch + bytes, 0x5A, GUARD);
  OK(ctx, tsr_context_set_scratch(ctx, scratch, bytes));
  const tsr_status st = call(ctx, c, a);
  if (!test_check(st == TSR_OK, __FILE__, __LINE__, "enough")) printf("  %s\n", tsr_error(ctx));
  for (size_t i = 0; i < GUARD; i++) CHECK(scratch[bytes + i] == 0x5A);
  OK(ctx, tsr_context_set_scratch(ctx, NULL, 0));
  free(scratch);
}

/* Whether the case takes temporary memory. */
static bool compare(const op_case *c, op_layout layout, test_rng *rng) {
  tsr_ctx *const ctx = test_context();
  arguments a = {0};
  size_t bytes = 0;
  lay(&a, c, layout, rng);
  if (call(ctx, c, &a) == TSR_OK) {
    OK(ctx, tsr_op_infer(ctx, c->op, c->inputs, a.description, c->attrs, c->attr, c->outputs, outputs_of(&a), &bytes));
    call_with(ctx, c, &a, bytes > 0 ? bytes : 1); /* a context with no scratch takes it elsewhere */
  }
  op_run_release(&a.r);
  return bytes > 0;
}

TEST(what_is_said_is_enough) {
  static const op_layout layouts[] = {OP_DENSE, OP_GAPS, OP_PERMUTED, OP_MIXED};
  int ops = 0, taken = 0;
  test_rng rng = {7};
  for (int i = 0; i < op_count(); i++) {
    if (!is_named(op_at(i))) continue;
    ops++;
    for (uint64_t seed = 1; seed <= 4 * (uint64_t)OP_ROUNDS; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 971 + (uint64_t)i, seed % 3 == 0);
      if (c.call == NULL) taken += compare(&c, layouts[seed % 4], &rng);
      op_case_release(&c);
    }
  }
  CHECK(ops == NAMES);
  CHECK(taken > ops); /* else nothing was asked */
  CHECK(test_live() == 0);
}

#else
TEST(what_is_said_is_enough) { SKIP("no calls by name"); }
#endif

TEST_MAIN(RUN(what_is_said_is_enough))
