/* Every op by name with an output laid over each of its inputs: the same view, shifted, backwards, end over beginning,
 * with axes in another order, in the gaps of it, and the same struct. The result is what the call gives into fresh
 * memory, in the op's class, or the call is refused and nothing has changed.
 *
 * Bounded where it is a test; with TSR_TORTURE_SECONDS it goes on with new seeds for that long (scripts/torture). */
#include "support/op_case.h"
#include "support/test.h"

#if TSR_HAVE_OPS

#include <stdlib.h>

enum { OPS = 1024 };

/* How the output lies over the input. */
typedef enum overlay {
  SAME,      /* the same first byte, the same strides where the shapes are the same */
  AHEAD,     /* a few elements on */
  BEHIND,    /* a few elements back */
  BACKWARDS, /* the same bytes, from the last to the first */
  AT_END,    /* its first element over the input's last */
  AT_START,  /* its last element over the input's first */
  TURNED,    /* axes in another order */
  IN_GAPS,   /* both with gaps, one beside the other */
  ANYHOW,
  STRUCT,  /* the input's struct is the output */
  TWINS,   /* and another input is the same view too */
  WINDOWS, /* elements of the input share addresses with each other too */
  OVERLAYS
} overlay;

static const char *const names[] = {"the same view", "ahead",           "behind",      "backwards",
                                    "over the end",  "over the start",  "axes turned", "in gaps",
                                    "anyhow",        "the same struct", "two inputs",  "windows"};

static op_counts counts;
static int tried[OPS];

static op_layout layout_in(overlay how) { return how == IN_GAPS ? OP_GAPS : how == ANYHOW ? OP_MIXED : OP_DENSE; }
static op_layout layout_out(overlay how) {
  switch (how) {
    case BACKWARDS: return OP_REVERSED;
    case TURNED: return OP_PERMUTED;
    case IN_GAPS: return OP_GAPS;
    case ANYHOW: return OP_MIXED;
    default: return OP_DENSE;
  }
}

static bool same_shape(const tsr_tensor *a, const tsr_tensor *b) {
  return a->dtype == b->dtype && a->ndim == b->ndim && memcmp(a->shape, b->shape, a->ndim * sizeof a->shape[0]) == 0;
}

/* Where the two begin in the buffer they share, in bytes: aligned for both. */
typedef struct offsets {
  size_t in, out, size;
} offsets;

static offsets offsets_of(test_rng *rng, overlay how, size_t in, size_t in_item, size_t out, size_t out_item) {
  const size_t step = (size_t)test_between(rng, 1, 5) * out_item, head = in > out ? in : out;
  offsets o = {.in = 0, .out = 0};
  if (how == AHEAD || (how == IN_GAPS && step % 2 == 0)) o.out = step;
  if (how == BEHIND) o.in = (step + in_item - 1) / in_item * in_item;
  if (how == AT_END) o.out = (in - in_item) / out_item * out_item;
  if (how == AT_START) o.in = (out - out_item) / in_item * in_item;
  if (how == ANYHOW) o.out = (size_t)test_between(rng, 0, (tsr_index)(head / out_item)) * out_item;
  o.size = o.in + in > o.out + out ? o.in + in : o.out + out;
  return o;
}

/* An input and an output in one buffer. */
static void place_pair(op_run *r, test_rng *rng, int in, int out, const tsr_tensor *result, overlay how) {
  const tsr_tensor *const x = &r->c->in[in];
  const op_place a = op_place_of(rng, layout_in(how), x->ndim, x->shape, how == ANYHOW ? r->c->repeats[in] : 0);
  op_place b = op_place_of(rng, layout_out(how), result->ndim, result->shape, 0);
  if (how == STRUCT) b = a;
  const size_t i = tsr_dtype_size(x->dtype), o = tsr_dtype_size(result->dtype);
  const offsets at = offsets_of(rng, how, (size_t)a.elements * i, i, (size_t)b.elements * o, o);
  const int buffer = op_run_buffer(r, at.size);
  op_run_place_out(r, out, buffer, result, &b, at.out);
  op_run_place(r, in, buffer, &a, at.in);
  for (int axis = 0; axis < x->ndim && how == WINDOWS; axis++) /* other values, all of them the input's */
    if (test_random(rng) % 2 == 0) r->in[in].stride[axis] = (tsr_index)(test_random(rng) % 2);
  if (how != STRUCT) return;
  r->same = in;
  r->out[out].layout = x->layout; /* one struct has one tag */
}

/* The same layouts, with the output in a copy of the buffer. */
static void place_apart(op_run *r, const op_run *pair, int in, int out) {
  const op_buffer *const shared = &pair->buffer[pair->in_at[in]];
  for (int i = 0; i < 2; i++) {
    const int k = op_run_buffer(r, shared->size);
    tsr_tensor *const t = i == 0 ? &r->in[in] : &r->out[out];
    memcpy(r->buffer[k].bytes, shared->bytes, shared->size);
    *t = i == 0 ? pair->in[in] : pair->out[out];
    t->data = r->buffer[k].bytes + ((unsigned char *)t->data - shared->bytes);
    *(i == 0 ? &r->in_at[in] : &r->out_at[out]) = k;
  }
}

static void place_others(op_run *r, test_rng rng, int in, int out, int twin, const op_run *fresh) {
  for (int i = 0; i < r->c->inputs; i++) {
    const op_layout layout = (op_layout)(test_random(&rng) % (2 * OP_LAYOUTS));
    if (i == twin) {
      r->in[i] = r->in[in];
      r->in_at[i] = r->in_at[in];
    } else if (i != in) {
      op_run_lay(r, &rng, i, layout < OP_LAYOUTS ? layout : OP_DENSE);
    }
  }
  for (int i = 0; i < r->c->outputs; i++)
    if (i != out) op_run_lay_out(r, NULL, i, &fresh->result[i], OP_DENSE);
}

static void inject_fault(op_run *r) {
  static long calls;
  const char *const at = getenv("TSR_TORTURE_FAULT");
  if (at == NULL || r->status != TSR_OK || ++calls < atol(at)) return;
  ((unsigned char *)r->result[0].data)[0] ^= 1;
}

static const char *judge(const op_run *apart, const op_run *pair) {
  const bool refuses = (pair->c->flags & OP_REFUSES) != 0;
  if (!op_run_is_tidy(pair)) return "bytes were written that belong to no output";
  if (refuses && pair->status == TSR_EOVERLAP) {
    counts.refused++;
    return NULL;
  }
  return op_difference(apart, pair, false, true);
}

/* Another input of the same shape and dtype; -1: none. */
static int twin_of(const op_case *c, int in) {
  for (int i = 0; i < c->inputs; i++)
    if (i != in && same_shape(&c->in[i], &c->in[in])) return i;
  return -1;
}

static void try_pair(const op_run *fresh, test_rng *rng, int in, int out, overlay how) {
  op_run pair, apart;
  const int twin = how == TWINS ? twin_of(fresh->c, in) : -1;
  op_run_init(&pair, fresh->c, fresh->isa, fresh->threads);
  op_run_init(&apart, fresh->c, fresh->isa, fresh->threads);
  place_pair(&pair, rng, in, out, &fresh->result[out], how);
  place_apart(&apart, &pair, in, out);
  place_others(&pair, *rng, in, out, twin, fresh);
  place_others(&apart, *rng, in, out, twin, fresh);
  op_run_call(&apart);
  op_run_call(&pair);
  inject_fault(&pair);
  const char *const difference = judge(&apart, &pair);
  if (difference != NULL) op_report(&counts, &apart, &pair, names[how], difference);
  counts.calls += 2;
  counts.comparisons++;
  op_run_release(&pair);
  op_run_release(&apart);
}

static bool has_elements(const tsr_tensor *t) { return test_product(t->ndim, t->shape) > 0; }

static void try_pairs(const op_run *fresh, test_rng *rng) {
  const op_case *const c = fresh->c;
  for (int in = 0; in < c->inputs; in++)
    for (int out = 0; out < c->outputs; out++) {
      if (c->in[in].dtype == TSR_NONE || !has_elements(&c->in[in]) || !has_elements(&fresh->result[out])) continue;
      counts.pairs++;
      for (int how = 0; how < OVERLAYS; how++)
        if ((how != STRUCT || (out == 0 && same_shape(&c->in[in], &fresh->result[0]))) &&
            (how != TWINS || twin_of(c, in) >= 0))
          try_pair(fresh, rng, in, out, (overlay)how);
    }
}

/* An op that makes views, or a copy that replaces its input: the output is that input. */
static void try_rebinding(const op_run *fresh) {
  const op_case *const c = fresh->c;
  op_run r;
  op_run_init(&r, c, fresh->isa, 1);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&r, NULL, i, OP_DENSE);
  r.out[0] = r.in[0];
  r.out_at[0] = r.in_at[0];
  r.same = 0;
  op_run_call(&r);
  const char *const difference = op_difference(fresh, &r, false, false);
  if (difference != NULL) op_report(&counts, fresh, &r, "the same struct", difference);
  counts.calls++;
  counts.comparisons++;
  op_run_release(&r);
}

static void try_case(const op_case *c, int op, test_rng *rng) {
  const char *isa = tsr_isa_name(0);
  for (int i = 1; tsr_isa_name(i) != NULL; i++)
    if (test_random(rng) % 2 == 0) isa = tsr_isa_name(i);
  op_run fresh;
  op_run_init(&fresh, c, isa, (int[]){1, 1, 2, 3}[test_random(rng) % 4]);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&fresh, rng, i, OP_DENSE);
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&fresh, rng, i, &c->given[i], OP_DENSE);
  op_run_call(&fresh);
  if (fresh.status == TSR_OK) {
    const long before = counts.comparisons;
    (c->flags & OP_VIEWS) != 0 ? try_rebinding(&fresh) : try_pairs(&fresh, rng);
    tried[op] += counts.comparisons > before;
  }
  op_run_release(&fresh);
}

static void try_op(int op, uint64_t round, int size) {
  op_case c;
  if (!op_is_there(op)) return;
  const uint64_t seed = op_seed() * 1000003u + (uint64_t)op * 7919u + round * 104729u + (uint64_t)size;
  test_rng rng = {seed ^ 0x3333};
  op_case_init(&c, op, seed, size);
  try_case(&c, op, &rng);
  op_case_release(&c);
  op_progress(&counts, "alias");
}

TEST(outputs_over_inputs_are_as_if_these_had_been_copied) {
  const double begun = op_now(), seconds = op_seconds();
  counts.ops = tsr_op_count();
  for (uint64_t round = 0; round < 2 * OP_ROUNDS || op_now() - begun < seconds; round++) {
    if (seconds > 0) try_op((int)((op_seed() + round) * 37 % (uint64_t)tsr_op_count()), round, 4);
    for (int op = 0; op < tsr_op_count(); op++) {
      try_op(op, round, 0);
      try_op(op, round, 1);
      if (round % 12 == 0) try_op(op, round, 2);
      if (round % 12 == 5 && seconds > 0) try_op(op, round, 3);
    }
  }
  printf("alias: %ld ops, %ld pairs, %d layouts, %ld calls, %ld refused\n", counts.ops, counts.pairs, OVERLAYS,
         counts.calls, counts.refused);
  CHECK(counts.failures == 0);
}

TEST(every_op_with_an_input_was_tried) {
  if (OP_ROUNDS < 12) SKIP("too few rounds to say");
  for (int op = 0; op < tsr_op_count(); op++) {
    const bool reads = op_is_there(op) && tsr_op_param_at(tsr_op_at(op), TSR_OP_INPUT, 0) != NULL;
    if (!test_check(tried[op] > 0 || !reads, __FILE__, __LINE__, "an overlap")) printf("  %s\n", tsr_op_at(op)->name);
  }
}

TEST_MAIN(RUN(outputs_over_inputs_are_as_if_these_had_been_copied), RUN(every_op_with_an_input_was_tried))

#else

TEST(ops_by_name) { SKIP("not configured"); }
TEST_MAIN(RUN(ops_by_name))

#endif
