/* Every op by name on the same values in many forms: contiguous, with gaps, backwards, repeated, permuted, off the
 * alignment, without elements; into given outputs of such layouts; on 1, 2, 3 and 8 threads; on every instruction set.
 * The results are the same in the op's class (support/op_case.h).
 *
 * Bounded where it is a test; with TSR_TORTURE_SECONDS it goes on with new seeds for that long (scripts/torture). */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS

#include <stdlib.h>

enum { OPS = 1024 };

static op_counts counts;
static int succeeded[OPS], tried[OPS];

static const char *best_isa(void) {
  int i = 0;
  while (tsr_isa_name(i + 1) != NULL) i++;
  return tsr_isa_name(i);
}

static void lay_all(op_run *r, test_rng *rng, op_layout layout) {
  const bool fixed = (r->c->flags & OP_BY_STRIDES) != 0;
  for (int i = 0; i < r->c->inputs; i++) op_run_lay(r, rng, i, fixed ? OP_DENSE : layout);
  for (int i = 0; i < r->c->outputs; i++)
    if (r->c->given[i].dtype != TSR_NONE) op_run_lay_out(r, rng, i, &r->c->given[i], layout);
}

/* One result that is not what was computed: to see that a difference is found and told. */
static void inject_fault(op_run *r) {
  static long calls;
  const char *const at = getenv("TSR_TORTURE_FAULT");
  if (at == NULL || r->status != TSR_OK || ++calls < atol(at)) return;
  if (test_product(r->result[0].ndim, r->result[0].shape) == 0) return;
  ((unsigned char *)r->result[0].data)[0] ^= 1;
}

/* Contiguous inputs, fresh outputs, one thread. */
static void run_plain(op_run *r, const op_case *c, const char *isa) {
  op_run_init(r, c, isa, 1);
  lay_all(r, NULL, OP_DENSE);
  op_run_call(r);
  counts.calls++;
}

static void compare(const op_run *want, const op_run *got, bool other_isa, bool other_layout, const char *what) {
  const char *difference = op_difference(want, got, other_isa, other_layout);
  if (difference == NULL && !op_run_is_tidy(got)) difference = "bytes beside the output, or of an input, were written";
  counts.comparisons++;
  if (difference != NULL) op_report(&counts, want, got, what, difference);
}

/* Another layout, and given outputs. */
static void run_varied(const op_run *want, test_rng *rng, op_layout layout, int threads) {
  const op_case *const c = want->c;
  const bool given = want->status == TSR_OK && (c->flags & OP_VIEWS) == 0 && test_random(rng) % 3 != 0;
  op_run r;
  op_run_init(&r, c, want->isa, threads);
  lay_all(&r, rng, layout);
  for (int i = 0; i < c->outputs && given; i++)
    if (c->given[i].dtype == TSR_NONE)
      op_run_lay_out(&r, rng, i, &want->result[i], (op_layout)(test_random(rng) % OP_LAYOUTS));
  op_run_call(&r);
  counts.calls++;
  inject_fault(&r);
  compare(want, &r, false, layout != OP_DENSE || given, "another layout");
  op_run_release(&r);
}

static void run_threads(const op_run *want, int threads) {
  op_run r;
  op_run_init(&r, want->c, want->isa, threads);
  lay_all(&r, NULL, OP_DENSE);
  op_run_call(&r);
  counts.calls++;
  compare(want, &r, false, false, "other threads");
  op_run_release(&r);
}

static int any_threads(test_rng *rng) { return (int[]){1, 2, 3, 8}[test_random(rng) % 4]; }

static void try_case(const op_case *c, int op, test_rng *rng, int size) {
  op_run best, other;
  run_plain(&best, c, best_isa());
  tried[op]++;
  succeeded[op] += best.status == TSR_OK;
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++) {
    run_plain(&other, c, tsr_isa_name(isa));
    compare(&best, &other, isa == 0 || c->class_ == 'C', false, "another instruction set");
    for (int layout = 0; layout < OP_LAYOUTS; layout++)
      run_varied(&other, rng, (op_layout)layout, size >= 2 ? any_threads(rng) : 1);
    if (size >= 2) run_threads(&other, 2);
    if (size >= 2) run_threads(&other, 3);
    if (size >= 2) run_threads(&other, 8);
    op_run_release(&other);
  }
  op_run_release(&best);
}

static void try_op(int op, uint64_t round, int size) {
  op_case c;
  if (!op_is_there(op)) return;
  const uint64_t seed = op_seed() * 1000003u + (uint64_t)op * 7919u + round * 104729u + (uint64_t)size;
  test_rng rng = {seed ^ 0x5555};
  op_case_init(&c, op, seed, size);
  try_case(&c, op, &rng, size);
  op_case_release(&c);
  op_progress(&counts, "metamorphic");
}

static void try_all(uint64_t round, int size) {
  for (int op = 0; op < tsr_op_count(); op++) try_op(op, round, size);
}

TEST(layouts_threads_and_instruction_sets_make_no_difference) {
  const double begun = op_now(), seconds = op_seconds();
  uint64_t round = 0;
  counts.ops = tsr_op_count();
  for (; round < OP_ROUNDS || op_now() - begun < seconds; round++) {
    try_all(round, 0);
    try_all(round, 1);
    if (round % 12 == 0) try_all(round, 2);
    if (round % 12 == 5 && seconds > 0) try_all(round, 3);
    if (seconds > 0) try_op((int)((op_seed() + round) * 37 % (uint64_t)tsr_op_count()), round, 4);
  }
  printf("metamorphic: %ld ops, %ld calls, %ld comparisons\n", counts.ops, counts.calls, counts.comparisons);
  CHECK(counts.failures == 0);
}

/* A new op is tried by itself, where any inputs of one shape will do; else it needs a row in support/op_rows.def. */
TEST(a_third_of_the_calls_of_every_op_succeed) {
  if (OP_ROUNDS < 12) SKIP("too few rounds to say");
  for (int op = 0; op < tsr_op_count(); op++)
    if (!test_check(3 * succeeded[op] >= tried[op], __FILE__, __LINE__, "cases that succeed"))
      printf("  %s: %d of %d\n", tsr_op_at(op)->name, succeeded[op], tried[op]);
}

TEST_MAIN(RUN(layouts_threads_and_instruction_sets_make_no_difference), RUN(a_third_of_the_calls_of_every_op_succeed))

#else

TEST(ops_by_name) { SKIP("not configured"); }
TEST_MAIN(RUN(ops_by_name))

#endif
