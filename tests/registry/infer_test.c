/* tsr_op_infer: for every op by its name, what is described is what the call gives. */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS && TSR_HAVE_MALLOC

#include <stdlib.h>
#include <string.h>

/* Descriptions of a case's inputs: no data, no storage. */
static int describe_inputs(const op_run *r, tsr_tensor *described, const tsr_tensor **in) {
  for (int i = 0; i < r->c->inputs; i++) {
    in[i] = NULL;
    if (r->in[i].dtype == TSR_NONE) continue;
    described[i] = r->in[i];
    described[i].data = NULL;
    described[i].storage = NULL;
    described[i].flags = 0;
    in[i] = &described[i];
  }
  return r->c->inputs;
}

static bool is_described_as(const tsr_tensor *got, const tsr_tensor *real) {
  return got->data == NULL && got->storage == NULL && (got->flags & TSR_OWNS) == 0 && tsr_desc_equal(got, real);
}

typedef struct totals {
  long ops, calls, refused;
  long by_data;
} totals;

static void compare(const op_case *c, totals *n) {
  op_run r;
  tsr_tensor described[OP_INPUTS] = {{0}}, out[OP_OUTPUTS] = {{0}}, *outs[OP_OUTPUTS];
  const tsr_tensor *in[OP_INPUTS];
  tsr_rng generator = tsr_rng_seed(1);
  tsr_attr attrs[OP_ATTRS];
  size_t scratch = 0;
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&r, NULL, i, OP_DENSE);
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&r, NULL, i, &c->given[i], OP_DENSE);
  const int inputs = describe_inputs(&r, described, in);
  for (int i = 0; i < c->outputs; i++) {
    out[i] = r.out[i];
    outs[i] = &out[i];
  }
  memcpy(attrs, c->attr, sizeof attrs);
  for (int i = 0; i < c->attrs; i++)
    if (attrs[i].type == TSR_OP_RNG) attrs[i].value.rng = &generator;
  const tsr_rng before = generator;
  op_object object;
  const tsr_status packed = op_pack(NULL, c, in[0], &object);
  op_set_object(c, &object, attrs);
  const tsr_status st =
      packed != TSR_OK ? packed : tsr_op_infer(NULL, c->op, inputs, in, c->attrs, attrs, c->outputs, outs, &scratch);
  op_unpack(c, &object);
  op_run_call(&r);
  n->calls++;
  test_check(before.key == generator.key && before.counter == generator.counter && before.stream == generator.stream,
             __FILE__, __LINE__, "a dry run draws no numbers");
  if (st == TSR_EUNSUPPORTED && strstr(tsr_error(NULL), "depends on data") != NULL) {
    n->by_data++;
  } else if (r.status != TSR_OK) {
    n->refused++;
    if (!test_check(st == r.status || st == TSR_OK, __FILE__, __LINE__, "refused alike"))
      printf("  %s: %s, the call: %s\n", c->op->name, tsr_error(NULL), r.error);
  } else if (!test_check(st == TSR_OK, __FILE__, __LINE__, "inferred")) {
    printf("  %s: %s\n", c->op->name, tsr_error(NULL));
  } else {
    for (int i = 0; i < c->outputs; i++) {
      if (test_check(is_described_as(&out[i], &r.left[i]), __FILE__, __LINE__, "described as the result")) continue;
      char a[120], b[120];
      tsr_desc_format(&out[i], a, sizeof a);
      tsr_desc_format(&r.left[i], b, sizeof b);
      printf("  %s, output %d: %s, the call gives %s\n", c->op->name, i, a, b);
    }
  }
  op_run_release(&r);
}

/* TSR_INFER_ONLY=softmax: that op alone. */
TEST(every_op_is_described_as_it_is_computed) {
  const char *const only = getenv("TSR_INFER_ONLY");
  totals n = {0};
  for (int i = 0; i < tsr_op_count(); i++) {
    if (only != NULL && strcmp(only, tsr_op_at(i)->name) != 0) continue;
    n.ops++;
    for (uint64_t seed = 1; seed <= 4 * (uint64_t)OP_ROUNDS; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 977 + (uint64_t)i, seed % 4 == 0);
      compare(&c, &n);
      op_case_release(&c);
    }
  }
  printf("%ld ops, %ld calls: %ld refused by both, %ld whose size depends on data\n", n.ops, n.calls, n.refused,
         n.by_data);
  CHECK(only != NULL || (n.ops == tsr_op_count() && n.by_data > 0 && n.refused < n.calls / 4));
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(every_op_is_described_as_it_is_computed))

#else
TEST_MAIN()
#endif
