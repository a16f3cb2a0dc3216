/* Tracing: a function is told of every call with a context, and of no other. */
#include "support/helpers.h"
#include "support/test.h"

#include <string.h>
#include <tessera/tessera.h>

#if TSR_HAVE_OPS

typedef struct record {
  int calls;
  tsr_trace_event last;
  const tsr_tensor *in; /* the last one's first input: the event's arrays end with it */
  tsr_index shape;
} record;

static void note(void *user, const tsr_trace_event *event) {
  record *const r = user;
  r->calls++;
  r->last = *event;
  r->in = event->inputs > 0 ? event->in[0] : NULL;
  r->shape = r->in != NULL ? r->in->shape[0] : -1;
}

TEST(every_call_is_told) {
  tsr_ctx ctx;
  record r = {0};
  tsr_tensor x = {0}, y = {0}, view = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_trace(&ctx, note, &r));
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(3, 4), &x));
  CHECK(r.calls == 1 && strcmp(r.last.op, "zeros") == 0 && r.last.inputs == 0 && r.last.outputs == 1);
  OK(&ctx, tsr_add(&ctx, &x, &x, &y)); /* whose small calls go a short way when nobody looks */
  CHECK(r.calls == 2 && strcmp(r.last.op, "add") == 0 && r.last.status == TSR_OK && r.shape == 3);
  CHECK(r.last.seconds >= 0 && r.last.device == NULL);
  view = x;
  view.shape[0] = 1; /* a stride that means nothing is normalised inside; told is what was given */
  view.stride[0] = TSR_INDEX_MAX;
  view.flags = 0;
  tsr_release(&y);
  OK(&ctx, tsr_roll(&ctx, &view, 1, 1, &y));
  CHECK(r.calls == 3 && r.in == &view && r.shape == 1);
  FAILS(&ctx, TSR_EAXIS, tsr_roll(&ctx, &x, 1, 7, &y));
  CHECK(r.calls == 4 && r.last.status == TSR_EAXIS);
  OK(NULL, tsr_neg(NULL, &x, &x));
  CHECK(r.calls == 4);
  OK(&ctx, tsr_context_set_trace(&ctx, NULL, NULL));
  OK(&ctx, tsr_neg(&ctx, &x, &x));
  CHECK(r.calls == 4);
  FAILS(NULL, TSR_EARG, tsr_context_set_trace(NULL, note, &r));
  tsr_release(&x);
  tsr_release(&y);
}

/* diff subtracts, trace sums: under their own names, in frames that are parts of the call. */
TEST(a_call_is_told_once) {
  tsr_ctx ctx;
  record r = {0};
  tsr_tensor x = {0}, y = {0}, view = {0};
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(6, 6), &x));
  OK(&ctx, tsr_transpose(&ctx, &x, 0, 1, &view));
  OK(&ctx, tsr_context_set_trace(&ctx, note, &r));
  OK(&ctx, tsr_diff(&ctx, &view, 2, 0, NULL, NULL, &y));
  CHECK(r.calls == 1 && strcmp(r.last.op, "diff") == 0 && r.in == &view);
  tsr_release(&y);
  OK(&ctx, tsr_trace(&ctx, &view, 0, 0, 1, &y));
  CHECK(r.calls == 2 && strcmp(r.last.op, "trace") == 0 && r.in == &view);
  tsr_release(&y);
  tsr_release(&x);
}

#else

TEST(a_call_is_told_once) { SKIP("ops by name"); }

TEST(every_call_is_told) {
  tsr_ctx ctx;
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_trace(&ctx, NULL, NULL));
}

#endif

TEST_MAIN(RUN(every_call_is_told), RUN(a_call_is_told_once))
