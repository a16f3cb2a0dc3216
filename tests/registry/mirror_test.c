/* Every op by name on a device whose memory the host cannot touch: the same results, bit for bit, whether works run at once
 * or later, when the caller's structs and stack are overwritten. */
#include "support/mirror.h"
#include "support/op_case.h"
#include "support/test.h"

#if TEST_HAVE_MIRROR

#include <stdlib.h>
#include <string.h>

/* ---- one call on the device ---- */

typedef struct device_call {
  tsr_ctx ctx;
  tsr_tensor in[OP_INPUTS], out[OP_OUTPUTS];
  const tsr_tensor *ins[OP_INPUTS];
  tsr_tensor *outs[OP_OUTPUTS];
  tsr_attr attrs[OP_ATTRS];
  tsr_index ints[OP_NUMBERS];
  tsr_real reals[OP_NUMBERS];
  char text[OP_TEXT];
  tsr_rng rng;
  op_object object;
} device_call;

/* The attributes with lists of their own, which are overwritten after the call. */
static void take_attrs(device_call *d, const op_case *c) {
  memcpy(d->ints, c->ints, sizeof d->ints);
  memcpy(d->reals, c->reals, sizeof d->reals);
  memcpy(d->text, c->text, sizeof d->text);
  for (int i = 0; i < c->attrs; i++) {
    tsr_attr *const a = &d->attrs[i];
    *a = c->attr[i];
    if (a->type == TSR_OP_RNG) a->value.rng = &d->rng;
    if (a->type == TSR_OP_TEXT && a->value.text == c->text) a->value.text = d->text;
    if (a->type == TSR_OP_INTS && a->value.ints >= c->ints && a->value.ints < c->ints + OP_NUMBERS)
      a->value.ints = d->ints + (a->value.ints - c->ints);
    if (a->type == TSR_OP_REALS && a->value.reals >= c->reals && a->value.reals < c->reals + OP_NUMBERS)
      a->value.reals = d->reals + (a->value.reals - c->reals);
  }
}

static void send(device_call *d, const op_run *r, const tsr_device *device) {
  tsr_ctx plain;
  OK(NULL, tsr_context_init(&plain, NULL));
  if (op_pack(&plain, r->c, &r->in[0], &d->object) == TSR_OK) OK(&plain, op_send(r->c, device, &d->object));
  op_set_object(r->c, &d->object, d->attrs);
  for (int i = 0; i < r->c->inputs; i++) {
    d->ins[i] = r->c->in[i].dtype == TSR_NONE ? NULL : &d->in[i];
    if (d->ins[i] != NULL) OK(&plain, tsr_to_device(&plain, &r->in[i], device, &d->in[i]));
  }
  for (int i = 0; i < r->c->outputs; i++) {
    d->outs[i] = &d->out[i];
    if (!tsr_is_none(&r->out[i])) OK(&plain, tsr_to_device(&plain, &r->out[i], device, &d->out[i]));
  }
}

/* Fills what the call had on its stack. */
static __attribute__((noinline)) void poison_stack(void) {
  volatile char room[32768];
  for (size_t i = 0; i < sizeof room; i++) room[i] = (char)0xa5;
}

/* Overwrites everything that the call was given but for the outputs, and gives the inputs' memory back. */
static void poison(device_call *d, const op_case *c) {
  for (int i = 0; i < c->inputs; i++) tsr_release(&d->in[i]);
  op_unsend(c, &d->object);
  memset(&d->object, 0xa5, sizeof d->object);
  memset(d->in, 0xa5, sizeof d->in);
  memset(d->attrs, 0xa5, sizeof d->attrs);
  memset(d->ints, 0xa5, sizeof d->ints);
  memset(d->reals, 0xa5, sizeof d->reals);
  memset(d->text, 0xa5, sizeof d->text);
  poison_stack();
}

/* Views have gaps: made contiguous where they are. */
static bool same_result(const tsr_tensor *want, const tsr_tensor *on_device) {
  tsr_tensor got = {0}, dense = {0};
  bool same = tsr_contiguous(NULL, on_device, &dense) == TSR_OK;
  same = same && tsr_to_device(NULL, &dense, tsr_device_cpu(), &got) == TSR_OK;
  same = same && got.dtype == want->dtype && tsr_same_shape(&got, want);
  same = same && (tsr_size(want) == 0 || memcmp(got.data, want->data, tsr_nbytes(want)) == 0);
  tsr_release(&dense);
  tsr_release(&got);
  return same;
}

typedef struct totals {
  long ops, calls, refused, computed, views;
} totals;

static void say(const op_case *c, const char *what, const char *more) {
  if (!test_check(false, __FILE__, __LINE__, what)) printf("  %s: %s\n", c->op->name, more);
}

/* Views of the input are no works; what is read of them is read on the device. */
static void compare(mirror *m, const op_case *c, totals *n) {
  op_run r;
  device_call *const d = calloc(1, sizeof *d);
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&r, NULL, i, OP_DENSE);
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&r, NULL, i, &c->given[i], OP_DENSE);
  OK(NULL, tsr_context_init(&d->ctx, NULL));
  OK(NULL, tsr_context_set_device(&d->ctx, mirror_device(m)));
  d->rng = tsr_rng_seed(c->seed);
  take_attrs(d, c);
  send(d, &r, mirror_device(m));
  op_run_call(&r);
  const bool keep = (c->flags & OP_VIEWS) != 0;
  const long before = mirror_works(m);
  tsr_status st = tsr_op_call(&d->ctx, c->op, c->inputs, d->ins, c->attrs, d->attrs, c->outputs, d->outs);
  bool owns = true;
  for (int i = 0; i < c->outputs && st == TSR_OK; i++)
    owns = owns && ((d->out[i].flags & TSR_OWNS) != 0 || tsr_is_none(&d->out[i]) || tsr_size(&d->out[i]) == 0);
  if (!keep && owns) poison(d, c);
  const tsr_status late = mirror_fault(m);
  if (st == TSR_OK) st = late;
  n->calls++;
  if (st != r.status) {
    say(c, "the same status", st != TSR_OK ? tsr_error(&d->ctx) : "succeeds on the device alone");
  } else if (st != TSR_OK) {
    n->refused++;
  } else {
    *(mirror_works(m) > before ? &n->computed : &n->views) += 1;
    for (int i = 0; i < c->outputs; i++) {
      if (r.result[i].dtype == TSR_NONE || (c->flags & OP_UNSET) != 0) continue;
      if (!same_result(&r.result[i], &d->out[i])) say(c, "the same bits", tsr_error(NULL));
    }
  }
  for (int i = 0; i < c->outputs; i++) tsr_release(&d->out[i]);
  if (keep || !owns) {
    for (int i = 0; i < c->inputs; i++) tsr_release(&d->in[i]);
    op_unsend(c, &d->object);
  }
  op_run_release(&r);
  free(d);
}

/* TSR_MIRROR_ONLY=softmax: that op alone. */
static void every_op(bool deferred) {
  const char *const only = getenv("TSR_MIRROR_ONLY");
  mirror *const m = mirror_new("mirror:0", deferred);
  totals n = {0};
  CHECK(m != NULL);
  if (m == NULL) return;
  for (int i = 0; i < tsr_op_count(); i++) {
    if (only != NULL && strcmp(only, tsr_op_at(i)->name) != 0) continue;
    n.ops++;
    for (uint64_t seed = 1; seed <= 2 * (uint64_t)OP_ROUNDS; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 431 + (uint64_t)i, seed % 8 == 0);
      compare(m, &c, &n);
      op_case_release(&c);
    }
  }
  printf("%s: %ld ops, %ld calls: %ld computed on the device, %ld views, %ld refused by both\n",
         deferred ? "deferred" : "at once", n.ops, n.calls, n.computed, n.views, n.refused);
  CHECK(only != NULL || (n.ops == tsr_op_count() && n.computed > n.calls / 2 && n.refused < n.calls / 4));
  CHECK(mirror_live(m) == 0);
  mirror_free(m);
  CHECK(test_live() == 0);
}

TEST(every_op_at_once) { every_op(false); }
TEST(every_op_later) { every_op(true); }

TEST_MAIN(RUN(every_op_at_once), RUN(every_op_later))

#else

TEST(every_op) { SKIP("no mirror here"); }
TEST_MAIN(RUN(every_op))

#endif
