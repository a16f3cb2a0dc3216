/* A device that computes: what it is asked to do, and what the tables of devices do without it. */
#include "core/call.h"
#include "support/helpers.h"
#include "support/test.h"

#include <tessera/move.h>
#include <tessera/random.h>
#include <tessera/reduce.h>

static test_device other;

#if TSR_HAVE_OPS

/* ---- a device that computes what the host does, over the bytes that its addresses stand for ---- */

enum { MOST_OPERANDS = 4 };

static test_device device;
static struct {
  int runs;
  const char *op; /* of the last one */
  tsr_status next_prepare, next_run;
} seen;

static tsr_tensor behind(const tsr_tensor *t) {
  tsr_tensor view = *t;
  if (tsr_device_of(t)->is_host) return view;
  view.data = test_device_bytes(&device, t->data);
  view.storage = NULL;
  view.flags = 0;
  return view;
}

static tsr_status prepare_work(void *self, const tsr_work *work, void **prepared) {
  (void)self;
  (void)work;
  *prepared = NULL;
  const tsr_status st = seen.next_prepare;
  seen.next_prepare = TSR_OK;
  return st;
}

static tsr_status run_work(void *self, const tsr_work *work, void *prepared) {
  tsr_tensor tensors[2 * MOST_OPERANDS];
  const tsr_tensor *in[MOST_OPERANDS];
  tsr_tensor *out[MOST_OPERANDS];
  (void)self;
  (void)prepared;
  const tsr_status st = seen.next_run;
  seen.next_run = TSR_OK;
  if (st != TSR_OK || work == NULL) return st;
  seen.runs++;
  seen.op = work->op;
  for (int i = 0; i < work->inputs; i++) {
    tensors[i] = behind(work->in[i]);
    in[i] = &tensors[i];
  }
  for (int i = 0; i < work->outputs; i++) {
    tensors[MOST_OPERANDS + i] = behind(work->out[i]);
    out[i] = &tensors[MOST_OPERANDS + i];
  }
  return tsr__call_run(&(tsr__call){.info = work->info,
                                    .op = work->op,
                                    .attrs = work->attrs,
                                    .in = in,
                                    .inputs = work->inputs,
                                    .out = out,
                                    .outputs = work->outputs});
}

/* The context's device is the host still. */
static tsr_ctx *setup(bool computes) {
  test_device_init(&device, "odd:0", 0);
  test_device_init(&other, "odd:1", 1);
  device.device.prepare = computes ? prepare_work : NULL;
  device.device.run = computes ? run_work : NULL;
  memset(&seen, 0, sizeof seen);
  return test_context();
}

static void check_all_given_back(void) {
  CHECK(device.allocs == device.frees && other.allocs == other.frees);
  CHECK(test_live() == 0);
}

/* Whether the device did this, and nothing else, since the last question. */
static bool did(const char *op) {
  const bool so = op == NULL ? seen.runs == 0 : seen.runs == 1 && strcmp(seen.op, op) == 0;
  seen.runs = 0;
  return so;
}

static tsr_tensor numbers(tsr_ctx *ctx) {
  tsr_tensor t = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &t));
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(3, 4)));
  return t;
}

static bool is_there(const tsr_tensor *t) { return tsr_device_of(t) == &device.device; }

/* Whether the dense tensor on the device has the host's elements. */
static bool holds(tsr_ctx *ctx, const tsr_tensor *there, const tsr_tensor *host) {
  tsr_tensor back = {0};
  OK(ctx, tsr_to_device(ctx, there, NULL, &back));
  const bool same = back.dtype == host->dtype && test_same_elements(host, &back);
  tsr_release(&back);
  return same;
}

/* ---- outputs on the context's device ---- */

#define MADE_THERE(op, call)                                   \
  do {                                                         \
    tsr_tensor out = {0}, expected = {0}, *result = &expected; \
    OK(ctx, tsr_context_set_device(ctx, NULL));                \
    OK(ctx, call);                                             \
    OK(ctx, tsr_context_set_device(ctx, &device.device));      \
    result = &out;                                             \
    OK(ctx, call);                                             \
    CHECK(did(op));                                            \
    CHECK(is_there(&out) && tsr_desc_equal(&out, &expected));  \
    CHECK(holds(ctx, &out, &expected));                        \
    tsr_release(&out);                                         \
    tsr_release(&expected);                                    \
  } while (0)

TEST(outputs_without_inputs_are_on_the_contexts_device) {
  tsr_ctx *const ctx = setup(true);
  MADE_THERE("zeros", tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), result));
  MADE_THERE("ones", tsr_ones(ctx, TSR_I16, TSR_SHAPE(2, 3), result));
  MADE_THERE("full", tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 3), 2.5, result));
  MADE_THERE("zeros_ordered", tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_FORTRAN, result));
  MADE_THERE("arange", tsr_arange(ctx, TSR_F32, 0, 5, 1, result));
  MADE_THERE("arange_i64", tsr_arange_i64(ctx, TSR_I32, 0, 5, 1, result));
  MADE_THERE("linspace", tsr_linspace(ctx, TSR_F32, 0, 1, 5, result));
  MADE_THERE("eye", tsr_eye(ctx, TSR_F32, 3, 4, 1, result));
  tsr_rng rng[2];
  int next = 0;
  rng[0] = rng[1] = tsr_rng_seed(7);
  MADE_THERE("rand_uniform", tsr_rand_uniform(ctx, &rng[next++], TSR_F32, TSR_SHAPE(5), 0, 1, result));
  CHECK(rng[0].counter == 5 && rng[1].counter == 5);
  tsr_tensor out = {0};
  OK(ctx, tsr_empty(ctx, TSR_F32, TSR_SHAPE(2, 3), &out));
  CHECK(is_there(&out) && did(NULL)); /* memory alone */
  OK(ctx, tsr_fill(ctx, 3, &out));
  CHECK(did("fill") && ((float *)test_device_bytes(&device, out.data))[5] == 3);
  tsr_release(&out);
  OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 3), &out));
  OK(ctx, tsr_fill_i64(ctx, 3, &out)); /* described */
  CHECK(is_there(&out) && did("fill_i64"));
  tsr_release(&out);
  check_all_given_back();
}

/* What is all one value needs no device that computes. */
TEST(a_device_for_memory_alone_fills) {
  tsr_ctx *const ctx = setup(false);
  MADE_THERE(NULL, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(2, 3), result));
  MADE_THERE(NULL, tsr_ones(ctx, TSR_I16, TSR_SHAPE(2, 3), result));
  MADE_THERE(NULL, tsr_full(ctx, TSR_F32, TSR_SHAPE(2, 3), 2.5, result));
  MADE_THERE(NULL, tsr_zeros_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_FORTRAN, result));
  CHECK(device.fills == 4);
  tsr_tensor out = {0};
  FAILS(ctx, TSR_EDEVICE, tsr_arange(ctx, TSR_F32, 0, 5, 1, &out));
  MESSAGE_HAS(ctx, "arange: odd:0 does not compute it");
  FAILS(ctx, TSR_EDEVICE, tsr_eye(ctx, TSR_F32, 3, 4, 1, &out));
  device.next_fill = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 3), &out));
  MESSAGE_HAS(ctx, "ones: out f32 [2,3]: odd:0 failed to fill it");
  device.next_alloc = TSR_ENOMEM;
  FAILS(ctx, TSR_ENOMEM, tsr_ones(ctx, TSR_F32, TSR_SHAPE(2, 3), &out));
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 3), &out));
  OK(ctx, tsr_fill_i64(ctx, 3, &out));
  CHECK(is_there(&out) && ((int16_t *)test_device_bytes(&device, out.data))[5] == 3);
  OK(ctx, tsr_zeros(ctx, TSR_I16, TSR_SHAPE(2, 3), &out)); /* given */
  CHECK(((int16_t *)test_device_bytes(&device, out.data))[5] == 0);
  tsr_release(&out);
  check_all_given_back();
}

TEST(likeness_has_the_device_and_the_order) {
  for (int computes = 0; computes < 2; computes++) {
    tsr_ctx *const ctx = setup(computes != 0);
    tsr_tensor like = {0}, out = {0}, described = {0};
    OK(ctx, tsr_desc_init_permuted(ctx, TSR_F32, TSR_SHAPE(2, 3, 4, 5), (const int[]){0, 2, 3, 1}, &like));
    described = like;
    OK(ctx, tsr_allocate(ctx, &device.device, 0, &like));
    OK(ctx, tsr_full_like(ctx, &like, 1.5, &out));
    CHECK(is_there(&out) && tsr_desc_equal(&out, &like) && did(computes ? "full_like" : NULL));
    CHECK(((float *)test_device_bytes(&device, out.data))[119] == 1.5f);
    OK(ctx, tsr_zeros_like(ctx, &like, &out));
    CHECK(((float *)test_device_bytes(&device, out.data))[119] == 0);
    tsr_release(&out);
    seen.runs = 0;
    OK(ctx, tsr_empty_like(ctx, &like, &out));
    CHECK(is_there(&out) && tsr_desc_equal(&out, &like) && did(NULL));
    tsr_release(&out);
    OK(ctx, tsr_ones_like(ctx, &described, &out)); /* on no device: the context's */
    CHECK(tsr_device_of(&out) == tsr_device_cpu() && tsr_desc_equal(&out, &like));
    tsr_release(&out);
    OK(ctx, tsr_context_set_device(ctx, &device.device));
    OK(ctx, tsr_ones_like(ctx, &described, &out));
    CHECK(is_there(&out) && tsr_desc_equal(&out, &like));
    tsr_release(&out);
    tsr_release(&like);
    check_all_given_back();
  }
}

/* ---- within the device ---- */

TEST(fills_casts_and_copies_within_are_works) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, out = {0}, expected = {0}, part = {0}, twin = {0};
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  CHECK(did(NULL) && device.copies[TSR_COPY_TO_DEVICE] == 1);
  OK(ctx, tsr_cast(ctx, &there, TSR_F32, &out));
  OK(ctx, tsr_cast(ctx, &host, TSR_F32, &expected));
  CHECK(did("cast") && is_there(&out) && holds(ctx, &out, &expected));
  OK(ctx, tsr_fill(ctx, 9, &out));
  OK(ctx, tsr_copy(ctx, &there, &out)); /* converts on the way */
  CHECK(seen.runs == 2 && holds(ctx, &out, &expected));
  seen.runs = 0;
  OK(ctx, tsr_copy(ctx, &there, &twin)); /* into an empty output, as every op of the device */
  CHECK(did("copy") && is_there(&twin) && holds(ctx, &twin, &host));
  tsr_release(&twin);
  OK(ctx, tsr_to_device(ctx, &there, &device.device, &twin));
  CHECK(did("clone") && is_there(&twin) && holds(ctx, &twin, &host));
  OK(ctx, tsr_narrow(ctx, &twin, 1, 1, 2, &part)); /* with gaps: the device's to deal with */
  OK(ctx, tsr_fill(ctx, 77, &part));
  OK(ctx, tsr_narrow(ctx, &host, 1, 1, 2, &part));
  OK(ctx, tsr_fill(ctx, 77, &part));
  CHECK(did("fill") && holds(ctx, &twin, &host));
  CHECK(device.copies[TSR_COPY_WITHIN] == 0 && device.fills == 0);
  tsr_release(&twin);
  tsr_release(&out);
  tsr_release(&expected);
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

/* Row-major, column-major, channels last: allocated, filled, copied both ways, cast and cloned. */
TEST(every_dense_order) {
  static const int orders[][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {3, 2, 1, 0}, {0, 2, 3, 1}};
  for (int k = 0; k < 4; k++) {
    tsr_ctx *const ctx = setup(true);
    tsr_tensor host = {0}, there = {0}, out = {0}, expected = {0}, back = {0};
    OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 120, 1, &host));
    OK(ctx, tsr_reallocate(ctx, &host, TSR_SHAPE(2, 3, 4, 5)));
    OK(ctx, tsr_desc_init_permuted(ctx, TSR_I32, TSR_SHAPE(2, 3, 4, 5), orders[k], &there));
    OK(ctx, tsr_allocate(ctx, &device.device, 0, &there));
    OK(ctx, tsr_fill(ctx, 5, &there));
    CHECK(did("fill") && ((int32_t *)test_device_bytes(&device, there.data))[119] == 5);
    OK(ctx, tsr_copy(ctx, &host, &there));
    CHECK(did(NULL) && holds(ctx, &there, &host));
    OK(ctx, tsr_empty_like(ctx, &host, &back));
    OK(ctx, tsr_copy(ctx, &there, &back));
    CHECK(did(NULL) && test_same_elements(&host, &back));
    OK(ctx, tsr_cast(ctx, &there, TSR_I16, &out));
    OK(ctx, tsr_cast(ctx, &host, TSR_I16, &expected));
    CHECK(did("cast") && memcmp(out.stride, there.stride, sizeof out.stride) == 0 && holds(ctx, &out, &expected));
    tsr_release(&out);
    OK(ctx, tsr_clone(ctx, &there, &out));
    CHECK(did("clone") && is_there(&out) && tsr_desc_equal(&out, &there) && holds(ctx, &out, &host));
    tsr_release(&out);
    tsr_release(&expected);
    tsr_release(&back);
    tsr_release(&there);
    tsr_release(&host);
    check_all_given_back();
  }
}

TEST(views_need_no_device_and_copies_do) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, turned = {0}, out = {0}, expected = {0};
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  OK(ctx, tsr_reshape(ctx, &there, TSR_SHAPE(2, 6), &out));
  CHECK(did(NULL) && is_there(&out) && out.data == there.data && tsr_refcount(&there) == 2);
  tsr_release(&out);
  OK(ctx, tsr_transpose(ctx, &there, 0, 1, &turned));
  OK(ctx, tsr_transpose(ctx, &host, 0, 1, &host));
#define COPIED(op, call)                    \
  do {                                      \
    const tsr_tensor *in = &host;           \
    tsr_tensor *result = &expected;         \
    OK(ctx, call);                          \
    in = &turned;                           \
    result = &out;                          \
    OK(ctx, call);                          \
    CHECK(did(op) && is_there(&out));       \
    CHECK(tsr_desc_equal(&out, &expected)); \
    CHECK(holds(ctx, &out, &expected));     \
    tsr_release(&out);                      \
    tsr_release(&expected);                 \
  } while (0)
  COPIED("reshape", tsr_reshape(ctx, in, TSR_SHAPE(2, -1), result));
  COPIED("reshape_ordered", tsr_reshape_ordered(ctx, in, TSR_SHAPE(2, 6), TSR_ROW_MAJOR, result));
  COPIED("flatten", tsr_flatten(ctx, in, TSR_ROW_MAJOR, result));
  COPIED("contiguous", tsr_contiguous(ctx, in, result));
  COPIED("to_layout", tsr_to_layout(ctx, in, TSR_NC, 0, result));
  OK(ctx, tsr_share(ctx, &turned, &out));
  OK(ctx, tsr_contiguous(ctx, &out, &out)); /* in place */
  CHECK(did("contiguous") && is_there(&out) && tsr_refcount(&there) == 1 && holds(ctx, &out, &host));
  tsr_release(&out);
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

/* ---- operands on two devices ---- */

TEST(only_copies_cross) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, away = {0}, out = {0};
  OK(ctx, tsr_context_set_device(ctx, &device.device));
  OK(ctx, tsr_copy(ctx, &host, &out)); /* the host's operands stay with it */
  CHECK(tsr_device_of(&out) == tsr_device_cpu() && test_same_elements(&host, &out));
  OK(ctx, tsr_fill(ctx, 1, &out));
  tsr_release(&out);
  OK(ctx, tsr_clone(ctx, &host, &out));
  CHECK(tsr_device_of(&out) == tsr_device_cpu() && test_same_elements(&host, &out));
  tsr_release(&out);
  FAILS(ctx, TSR_EDEVICE, tsr_cast(ctx, &host, TSR_F32, &out));
  MESSAGE_HAS(ctx, "cast: in is on the host and the context on odd:0");
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  OK(ctx, tsr_to_device(ctx, &there, &other.device, &away));
  FAILS(ctx, TSR_EDEVICE, tsr_cast(ctx, &there, TSR_I32, &host));
  MESSAGE_HAS(ctx, "cast: in is on odd:0 and out on the host");
  FAILS(ctx, TSR_EDEVICE, tsr_cast(ctx, &there, TSR_I32, &away));
  MESSAGE_HAS(ctx, "cast: in is on odd:0 and out on odd:1");
  FAILS(ctx, TSR_EDEVICE, tsr_clone(ctx, &there, &away));
  MESSAGE_HAS(ctx, "clone: out is on odd:1, not on odd:0");
  OK(ctx, tsr_fill(ctx, 0, &away));
  OK(ctx, tsr_copy(ctx, &there, &away));
  CHECK(holds(ctx, &away, &host) && did(NULL));
  tsr_release(&away);
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

/* A tensor without elements has no memory, and so it is on every device. */
TEST(no_elements_are_on_every_device) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, none = {0}, out = {0};
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  tsr_release(&host);
  OK(ctx, tsr_zeros(ctx, TSR_I32, TSR_SHAPE(0, 4), &host));
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &none));
  OK(ctx, tsr_concat(ctx, 2, (const tsr_tensor *const[]){&there, &none}, 0, &out));
  CHECK(did("concat") && is_there(&out) && out.shape[0] == 3);
  tsr_release(&out);
  OK(ctx, tsr_copy(ctx, &none, &out));
  CHECK(tsr_size(&out) == 0 && did(NULL));
  tsr_release(&out);
  tsr_release(&none);
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

TEST(works_that_fail_leave_nothing) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, turned = {0}, out = {0}, described = {0};
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  seen.next_prepare = TSR_EDEVICE;
  FAILS(ctx, TSR_EDEVICE, tsr_cast(ctx, &there, TSR_F32, &out));
  MESSAGE_HAS(ctx, "cast: odd:0 cannot do it");
  seen.next_run = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_clone(ctx, &there, &out));
  MESSAGE_HAS(ctx, "clone: odd:0 failed");
  device.next_alloc = TSR_ENOMEM;
  FAILS(ctx, TSR_ENOMEM, tsr_copy(ctx, &there, &out));
  CHECK(tsr_is_none(&out));
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), TSR_FORTRAN, &described));
  const tsr_tensor before = described;
  seen.next_run = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_copy(ctx, &there, &described));
  CHECK(memcmp(&before, &described, sizeof before) == 0);
  OK(ctx, tsr_transpose(ctx, &there, 0, 1, &turned));
  tsr_tensor handle = {0};
  OK(ctx, tsr_share(ctx, &turned, &handle));
  const tsr_tensor kept = handle;
  seen.next_run = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_contiguous(ctx, &handle, &handle)); /* in place */
  CHECK(memcmp(&kept, &handle, sizeof kept) == 0 && tsr_refcount(&there) == 2);
  tsr_release(&handle);
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

#endif

/* ---- tables of other versions ---- */

/* A table as a program has it that was compiled before devices computed: what lies behind its end is not the library's. */
TEST(a_shorter_table_is_read_to_its_end) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, y = {0};
  test_device_init(&other, "old:0", 1);
  other.device.size = offsetof(tsr_device, prepare);
  memset((char *)&other.device + offsetof(tsr_device, prepare), 0xa5,
         sizeof other.device - offsetof(tsr_device, prepare));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(4), &x));
  OK(ctx, tsr_allocate(ctx, &other.device, TSR_HINT_DEFAULT, &x));
  OK(ctx, tsr_fill(ctx, 1, &x));
  OK(ctx, tsr_to_device(ctx, &x, tsr_device_cpu(), &y));
  CHECK(((const float *)y.data)[3] == 1);
  tsr_release(&y);
  FAILS(ctx, TSR_EDEVICE, tsr_roll(ctx, &x, 1, 0, &y));
  MESSAGE_HAS(ctx, "old:0");
  tsr_release(&x);
}

#if TSR_HAVE_OPS
static bool only_adds(void *self, const char *op) {
  (void)self;
  return strcmp(op, "add") == 0;
}

TEST(a_device_says_which_ops_it_has) {
  tsr_ctx *const ctx = setup(true);
  tsr_tensor host = numbers(ctx), there = {0}, out = {0};
  const tsr_op *const add = tsr_op_find("add"), *const sub = tsr_op_find("sub");
  OK(ctx, tsr_to_device(ctx, &host, &device.device, &there));
  CHECK(tsr_op_on(sub, &device.device) && tsr_op_on(sub, NULL) && tsr_op_on(sub, tsr_device_cpu()));
  CHECK(tsr_op_on(sub, tsr_device_dry()) && !tsr_op_on(NULL, NULL));
  device.device.has = only_adds;
  CHECK(tsr_op_on(add, &device.device) && !tsr_op_on(sub, &device.device));
  OK(ctx, tsr_add(ctx, &there, &there, &out));
  CHECK(did("add"));
  tsr_release(&out);
  FAILS(ctx, TSR_EDEVICE, tsr_sub(ctx, &there, &there, &out));
  MESSAGE_HAS(ctx, "sub: odd:0 does not compute it");
  device.device.size = offsetof(tsr_device, has); /* an older table */
  CHECK(tsr_op_on(sub, &device.device));
  device.device.size = offsetof(tsr_device, run);
  CHECK(!tsr_op_on(add, &device.device));
  device.device.size = sizeof device.device;
  device.device.has = NULL;
  tsr_release(&there);
  tsr_release(&host);
  check_all_given_back();
}

TEST(two_outputs_are_two_tensors) {
  tsr_ctx *const ctx = test_context();
  float numbers[12] = {3, 1, 3, 1, 2, 2, 3, 1, 3, 1, 2, 2};
  tsr_tensor x = {0}, both = {0}, third = {0};
  OK(ctx, tsr_from_memory(ctx, numbers, TSR_F32, TSR_SHAPE(12), &x));
  FAILS(ctx, TSR_EARG, tsr_unique(ctx, &x, &both, &both, NULL, NULL));
  MESSAGE_HAS(ctx, "unique: index is the same tensor as values");
  FAILS(ctx, TSR_EARG, tsr_unique(ctx, &x, NULL, &both, &third, &both));
  FAILS(ctx, TSR_EARG, tsr_topk(ctx, &x, 2, 0, true, true, &both, &both));
  CHECK(tsr_is_none(&both) && tsr_is_none(&third) && test_live() == 0);
}

TEST_MAIN(RUN(a_device_says_which_ops_it_has), RUN(two_outputs_are_two_tensors),
          RUN(outputs_without_inputs_are_on_the_contexts_device), RUN(a_device_for_memory_alone_fills),
          RUN(likeness_has_the_device_and_the_order), RUN(fills_casts_and_copies_within_are_works),
          RUN(every_dense_order), RUN(views_need_no_device_and_copies_do), RUN(only_copies_cross),
          RUN(no_elements_are_on_every_device), RUN(works_that_fail_leave_nothing),
          RUN(a_shorter_table_is_read_to_its_end))
#else
TEST_MAIN(RUN(a_shorter_table_is_read_to_its_end))
#endif
