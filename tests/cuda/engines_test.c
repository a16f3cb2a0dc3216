/* Every op that the GPU has, by its name, against the host: operands that lie in every way, outputs fresh and given. Classes A and B
 * give the same bits, but for those of NaN. */
#include "support/op_case.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const tsr_device *device;
static tsr_ctx ctx;

static const char *why_not(void) {
  static const char *why = "?";
  if (why == NULL || strcmp(why, "?") != 0) return why;
  if (TSR_EMULATOR_FOLDER[0] == 0) return why = "this build has no emulated CUDA driver";
  if (system("g++ --version >/dev/null 2>&1") != 0) return why = "there is no g++";
  (void)setenv("TSR_EMULATOR_QUIET", "1", 0);
  (void)setenv("TSR_CUDA_LIBRARIES", TSR_EMULATOR_FOLDER, 0);
  OK(NULL, tsr_context_init(&ctx, NULL));
  if (tsr_device_open(&ctx, "cuda:0", &device) != TSR_OK) return why = tsr_error(&ctx);
  OK(NULL, tsr_context_set_device(&ctx, device));
  return why = NULL;
}

/* ---- operands on the device, laid out as the host's ---- */

/* The whole buffer, and in it a view. */
typedef struct placed {
  tsr_tensor whole, view;
} placed;

static void place(const tsr_tensor *t, const op_buffer *buffer, placed *p) {
  tsr_tensor bytes = {0};
  const size_t item = tsr_dtype_size(t->dtype);
  *p = (placed){{0}, {0}};
  if (buffer == NULL || buffer->size < item || t->data == NULL) {
    OK(&ctx, tsr_to_device(&ctx, t, device, &p->view));
    return;
  }
  const size_t before = (size_t)((const unsigned char *)t->data - buffer->bytes) % item;
  OK(NULL, tsr_from_memory(NULL, buffer->bytes + before, t->dtype,
                           TSR_SHAPE((tsr_index)((buffer->size - before) / item)), &bytes));
  OK(&ctx, tsr_to_device(&ctx, &bytes, device, &p->whole));
  const tsr_index first = (tsr_index)((size_t)((const unsigned char *)t->data - buffer->bytes) / item);
  OK(&ctx, tsr_as_strided(&ctx, &p->whole, t->ndim, t->shape, t->stride, first, &p->view));
  p->view.layout = t->layout;
}

/* ---- comparing ---- */

typedef struct totals {
  long ops, calls, refused, compared, differing;
} totals;

static bool is_nan_at(const tsr_tensor *t, tsr_index i) {
  double value;
  if (tsr_dtype_describe(t->dtype)->class_ != TSR_CLASS_FLOAT) return false;
  tsr_tensor one = *t;
  one.ndim = 0;
  one.data = (char *)t->data + (size_t)i * tsr_dtype_size(t->dtype);
  one.storage = NULL;
  one.flags = 0;
  return tsr_get(NULL, &one, 0, NULL, &value) == TSR_OK && value != value;
}

static double number_at(const tsr_tensor *t, tsr_index i) {
  double value = 0;
  tsr_tensor one = *t;
  one.ndim = 0;
  one.data = (char *)t->data + (size_t)i * tsr_dtype_size(t->dtype);
  one.storage = NULL;
  one.flags = 0;
  if (tsr_get(NULL, &one, 0, NULL, &value) != TSR_OK) value = 0;
  return value;
}

static double eps_of(int dtype) {
  switch (dtype) {
    case TSR_F64: return 0x1p-52;
    case TSR_F16: return 0x1p-10;
    case TSR_BF16: return 0x1p-7;
    case TSR_F8_E4M3: return 0x1p-3;
    case TSR_F8_E5M2: return 0x1p-2;
    default: return 0x1p-23;
  }
}

/* How many elements differ; the first one's place. In class C what is near does not. */
static tsr_index differing(const op_case *c, const tsr_tensor *want, const tsr_tensor *got, tsr_index *first) {
  const size_t item = tsr_dtype_size(want->dtype);
  double most = 0;
  tsr_index bad = 0;
  for (tsr_index i = 0; i < tsr_size(want) && c->class_ == 'C'; i++)
    if (fabs(number_at(want, i)) > most && fabs(number_at(want, i)) < 1e300) most = fabs(number_at(want, i));
  for (tsr_index i = 0; i < tsr_size(want); i++) {
    const char *const a = (const char *)want->data + (size_t)i * item, *const b =
                                                                           (const char *)got->data + (size_t)i * item;
    if (memcmp(a, b, item) == 0 || (is_nan_at(want, i) && is_nan_at(got, i))) continue;
    const double x = number_at(want, i), y = number_at(got, i);
    if ((c->flags & OP_ANY_ZERO) != 0 && x == 0 && y == 0) continue;
    if (c->class_ == 'C' && fabs(x - y) <= most * eps_of(want->dtype) * (c->terms + 4)) continue;
    if (bad++ == 0) *first = i;
  }
  return bad;
}

static void say(const op_case *c, const char *layouts, const char *what, const char *more) {
  if (!test_check(false, __FILE__, __LINE__, what))
    printf("  %s %s seed %llu (%s): %s\n", c->op->name, tsr_dtype_name(c->in[0].dtype), (unsigned long long)c->seed,
           layouts, more);
}

static void compare(const op_case *c, test_rng *rng, op_layout layout, bool given, totals *n) {
  op_run r;
  placed in[OP_INPUTS], out[OP_OUTPUTS];
  tsr_tensor *outs[OP_OUTPUTS], made[OP_OUTPUTS] = {{0}};
  const tsr_tensor *ins[OP_INPUTS];
  tsr_attr attrs[OP_ATTRS];
  tsr_rng random = tsr_rng_seed(c->seed);
  char text[160];
  (void)snprintf(text, sizeof text, "layout %d, %s", (int)layout, given ? "given" : "fresh");
  op_run_init(&r, c, tsr_context_isa(NULL), 1);
  for (int i = 0; i < c->inputs; i++) op_run_lay(&r, rng, i, layout);
  for (int i = 0; i < c->outputs; i++)
    if (c->given[i].dtype != TSR_NONE) op_run_lay_out(&r, rng, i, &c->given[i], OP_DENSE);
  for (int i = 0; i < c->inputs; i++) {
    ins[i] = c->in[i].dtype == TSR_NONE ? NULL : &in[i].view;
    in[i] = (placed){{0}, {0}};
    if (ins[i] != NULL) place(&r.in[i], r.in_at[i] >= 0 ? &r.buffer[r.in_at[i]] : NULL, &in[i]);
  }
  for (int i = 0; i < c->attrs; i++) {
    attrs[i] = c->attr[i];
    if (attrs[i].type == TSR_OP_RNG) attrs[i].value.rng = &random;
  }
  for (int i = 0; i < c->outputs; i++) {
    outs[i] = &made[i];
    out[i] = (placed){{0}, {0}};
    if (tsr_is_none(&r.out[i])) continue;
    place(&r.out[i], NULL, &out[i]);
    outs[i] = &out[i].view;
  }
  op_run_call(&r);
  if (given && r.status == TSR_OK && c->outputs == 1 && tsr_is_none(&r.start[0]) && r.result[0].dtype != TSR_NONE &&
      (c->flags & OP_VIEWS) == 0) {
    op_run where; /* a place with gaps, in another order */
    op_run_init(&where, c, tsr_context_isa(NULL), 1);
    op_run_lay_out(&where, rng, 0, &r.result[0], OP_MIXED);
    place(&where.out[0], &where.buffer[where.out_at[0]], &out[0]);
    outs[0] = &out[0].view;
    op_run_release(&where);
  }
  const tsr_status st = tsr_op_call(&ctx, c->op, c->inputs, ins, c->attrs, attrs, c->outputs, outs);
  n->calls++;
  if (st != r.status && st == TSR_EDEVICE)
    n->refused++, say(c, text, "is computed", tsr_error(&ctx));
  else if (st == TSR_OK && r.status == TSR_EINDEX) { /* a device finds it when somebody waits */
    if (tsr_device_sync(&ctx, device) != TSR_EINDEX) say(c, text, "the fault is told", tsr_error(&ctx));
  } else if (st != r.status)
    say(c, text, "the same status", st != TSR_OK ? tsr_error(&ctx) : "succeeds on the device alone");
  for (int i = 0; i < c->outputs && st == TSR_OK && r.status == TSR_OK; i++) {
    tsr_tensor got = {0}, dense = {0};
    tsr_index first = 0;
    if (r.result[i].dtype == TSR_NONE || (c->flags & OP_UNSET) != 0) continue;
    OK(&ctx, tsr_contiguous(&ctx, outs[i], &dense));
    OK(&ctx, tsr_to_device(&ctx, &dense, tsr_device_cpu(), &got));
    n->compared++;
    if (tsr_device_of(outs[i]) != device && tsr_size(outs[i]) > 0) say(c, text, "is on the device", "");
    const bool alike = got.dtype == r.result[i].dtype && tsr_same_shape(&got, &r.result[i]);
    const tsr_index bad = alike ? differing(c, &r.result[i], &got, &first) : -1;
    if (bad != 0) {
      const size_t used = strlen(text);
      if (alike)
        (void)snprintf(text + used, sizeof text - used, ", class %c: %lld of %lld, at %lld %.9g not %.9g", c->class_,
                       (long long)bad, (long long)tsr_size(&got), (long long)first, number_at(&got, first),
                       number_at(&r.result[i], first));
      n->differing++;
      say(c, text, "the same bits", alike ? "" : "another shape");
    }
    tsr_release(&dense);
    tsr_release(&got);
  }
  for (int i = 0; i < c->outputs; i++) {
    tsr_release(&made[i]);
    tsr_release(&out[i].view);
    tsr_release(&out[i].whole);
  }
  for (int i = 0; i < c->inputs; i++) {
    tsr_release(&in[i].view);
    tsr_release(&in[i].whole);
  }
  op_run_release(&r);
}

/* TSR_CUDA_ONLY=softmax: that op alone; TSR_CUDA_ROUNDS=20: so many cases each. */
TEST(every_op) {
  if (why_not() != NULL) SKIP(why_not());
  const char *const only = getenv("TSR_CUDA_ONLY"), *const rounds = getenv("TSR_CUDA_ROUNDS");
  const uint64_t most = rounds != NULL ? (uint64_t)atoi(rounds) : 3;
  test_rng rng = {1};
  totals n = {0};
  for (int i = 0; i < tsr_op_count(); i++) {
    if (!tsr_op_on(tsr_op_at(i), device)) continue;
    if (only != NULL && strcmp(only, tsr_op_at(i)->name) != 0) continue;
    n.ops++;
    for (uint64_t seed = 1; seed <= most; seed++) {
      op_case c;
      op_case_init(&c, i, seed * 977 + (uint64_t)i, seed % 3 == 0);
      if (c.object == OP_NO_OBJECT)
        compare(&c, &rng, (c.flags & OP_BY_STRIDES) != 0 ? OP_DENSE : (op_layout)(seed % OP_LAYOUTS), seed % 2 == 0,
                &n);
      op_case_release(&c);
    }
  }
  printf("%ld ops, %ld calls, %ld results compared, %ld differ, %ld not computed\n", n.ops, n.calls, n.compared,
         n.differing, n.refused);
  CHECK(n.ops > 0 && n.compared > 0);
}

TEST_MAIN(RUN(every_op))
