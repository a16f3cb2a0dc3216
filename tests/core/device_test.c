/* Memory of other devices: what is copied, and what is refused. */
#include "support/helpers.h"
#include "support/test.h"

static test_device one, two;

static tsr_ctx *setup(void) {
  test_device_init(&one, "odd:0", 0);
  test_device_init(&two, "odd:1", 1);
  return test_context();
}

static void check_all_given_back(void) {
  CHECK(one.allocs == one.frees && two.allocs == two.frees);
  CHECK(test_live() == 0);
}

static tsr_tensor numbers(tsr_ctx *ctx) {
  tsr_tensor t = {0}, v = {0};
  OK(ctx, tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &t));
  OK(ctx, tsr_reshape_view(ctx, &t, TSR_SHAPE(3, 4), &v));
  OK(ctx, tsr_reallocate(ctx, &t, 2, v.shape));
  return t;
}

TEST(cpu_is_a_device_like_any_other) {
  const tsr_device *const cpu = tsr_device_cpu();
  CHECK(cpu->is_host && strcmp(cpu->name, "cpu") == 0);
  CHECK(cpu->sync(cpu->self) == TSR_OK);
  void *p = NULL;
  const tsr_status st = cpu->alloc(cpu->self, 100, 64, 0, &p);
#if TSR_HAVE_MALLOC
  REQUIRE(st == TSR_OK && p != NULL && (uintptr_t)p % 64 == 0);
  const uint16_t pattern = 0x1234;
  CHECK(cpu->fill(cpu->self, p, &pattern, 2, 50) == TSR_OK);
  CHECK(((uint16_t *)p)[49] == 0x1234);
  ((uint16_t *)p)[0] = 7;
  for (int direction = TSR_COPY_TO_DEVICE; direction <= TSR_COPY_WITHIN; direction++)
    CHECK(cpu->copy(cpu->self, (char *)p + 2, p, 50, (tsr_copy_direction)direction) == TSR_OK);
  CHECK(((uint16_t *)p)[1] == 7 && ((uint16_t *)p)[3] == 7 && ((uint16_t *)p)[4] == 0x1234);
  cpu->free(cpu->self, p, 100);
  CHECK(cpu->alloc(cpu->self, SIZE_MAX - 100000, 64, 0, &p) == TSR_ENOMEM);
#else
  CHECK(st == TSR_ENOMEM);
#endif
}

TEST(storage_on_a_device) {
  tsr_ctx *const ctx = setup();
  tsr_storage *s = NULL, *sub = NULL;
  OK(ctx, tsr_storage_new(ctx, &one.device, 100, TSR_HINT_HOT, &s));
  CHECK(tsr_storage_device(s) == &one.device && tsr_storage_bytes(s) == 100 && one.allocs == 1);
  OK(ctx, tsr_storage_sub(ctx, s, 8, 16, &sub));
  CHECK(tsr_storage_device(sub) == &one.device);
  tsr_storage_release(s);
  CHECK(one.frees == 0);
  tsr_storage_release(sub);
  CHECK(one.frees == 1);
  OK(ctx, tsr_storage_new(ctx, &one.device, 0, 0, &s));
  tsr_storage_release(s);
  one.next_alloc = TSR_ENOMEM;
  s = NULL;
  FAILS(ctx, TSR_ENOMEM, tsr_storage_new(ctx, &one.device, 100, 0, &s));
  MESSAGE_HAS(ctx, "odd:0 has no memory for 100 bytes");
  test_failing()->fail_at = test_failing()->calls;
  FAILS(ctx, TSR_ENOMEM, tsr_storage_new(ctx, &one.device, 100, 0, &s));
  CHECK(s == NULL);
  check_all_given_back();
}

TEST(to_a_device_and_back) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), on_one = {0}, on_two = {0}, back = {0};
  host.layout = TSR_NC;
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &on_one));
  CHECK(tsr_device_of(&on_one) == &one.device && on_one.layout == TSR_NC && tsr_refcount(&on_one) == 1);
  CHECK(one.copies[TSR_COPY_TO_DEVICE] == 1 && one.syncs > 0);
  CHECK(memcmp(test_device_bytes(&one, on_one.data), host.data, 48) == 0);
  OK(ctx, tsr_to_device(ctx, &on_one, &two.device, &on_two));
  CHECK(one.copies[TSR_COPY_FROM_DEVICE] == 1 && two.copies[TSR_COPY_TO_DEVICE] == 1);
  OK(ctx, tsr_to_device(ctx, &on_two, NULL, &back));
  CHECK(tsr_device_of(&back) == tsr_device_cpu() && test_same_elements(&host, &back));
  tsr_release(&back);
  OK(ctx, tsr_copy(ctx, &on_two, &back)); /* into an empty output: the host */
  CHECK(tsr_device_of(&back) == tsr_device_cpu() && test_same_elements(&host, &back));
  tsr_tensor clone = {0}, within = {0};
  OK(ctx, tsr_clone(ctx, &on_one, &clone)); /* where its input is */
  CHECK(tsr_device_of(&clone) == &one.device && clone.layout == TSR_NC && one.copies[TSR_COPY_WITHIN] == 1);
  OK(ctx, tsr_to_device(ctx, &on_one, &one.device, &within));
  CHECK(one.copies[TSR_COPY_WITHIN] == 2 && memcmp(test_device_bytes(&one, within.data), host.data, 48) == 0);
  tsr_release(&host);
  tsr_release(&back);
  tsr_release(&on_one);
  tsr_release(&on_two);
  tsr_release(&clone);
  tsr_release(&within);
  check_all_given_back();
}

/* Views on the host are packed on the way, and unpacked. */
TEST(strided_hosts) {
  static test_buffer from, to;
  test_rng rng = {5};
  for (int i = 0; i < test_layout_count(); i++) {
    tsr_ctx *const ctx = setup();
    test_buffer_random(&from, &rng);
    test_buffer_random(&to, &rng);
    const tsr_tensor host = test_over(&from, TSR_I32, test_layout_at(i));
    tsr_tensor back = test_over(&to, TSR_I32, test_layout_at(i)), on_one = {0};
    OK(ctx, tsr_to_device(ctx, &host, &one.device, &on_one));
    FAILS(ctx, test_layout_at(i)->overlaps ? TSR_EOVERLAP : TSR_OK, tsr_copy(ctx, &on_one, &back));
    CHECK(test_layout_at(i)->overlaps || test_same_elements(&host, &back));
    tsr_release(&on_one);
    check_all_given_back();
  }
}

TEST(given_outputs_on_devices) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), on_one = {0}, on_two = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(3, 4), &on_one));
  OK(ctx, tsr_allocate(ctx, &one.device, 0, &on_one));
  OK(ctx, tsr_copy(ctx, &host, &on_one));
  CHECK(memcmp(test_device_bytes(&one, on_one.data), host.data, 48) == 0);
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &on_one));
  OK(ctx, tsr_to_device(ctx, &host, &two.device, &on_two));
  OK(ctx, tsr_copy(ctx, &on_one, &on_two));
  FAILS(ctx, TSR_EDEVICE, tsr_to_device(ctx, &host, &two.device, &on_one));
  MESSAGE_HAS(ctx, "to_device: out is on odd:0, not on odd:1");
  tsr_tensor wrong = {0}, turned = {0};
  OK(ctx, tsr_reshape_view(ctx, &on_one, TSR_SHAPE(4, 3), &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &host, &wrong));
  OK(ctx, tsr_slice(ctx, &on_one, 1, TSR_OMIT, TSR_OMIT, 2, &turned));
  OK(ctx, tsr_slice(ctx, &host, 1, 0, 2, 1, &wrong));
  FAILS(ctx, TSR_EDEVICE, tsr_copy(ctx, &wrong, &turned)); /* with gaps */
  MESSAGE_HAS(ctx, "copy: out i32 [3,2] on odd:0 is not contiguous");
  turned = on_one;
  turned.flags = TSR_READONLY;
  FAILS(ctx, TSR_EREADONLY, tsr_copy(ctx, &host, &turned));
  FAILS(ctx, TSR_EREADONLY, tsr_fill(ctx, 1, &turned));
  tsr_tensor other_type = {0};
  OK(ctx, tsr_bitcast(ctx, &on_one, TSR_F32, &other_type));
  FAILS(ctx, TSR_EDEVICE, tsr_copy(ctx, &host, &other_type));
  MESSAGE_HAS(ctx, "converted on the host");
  tsr_release(&host);
  tsr_release(&on_one);
  tsr_release(&on_two);
  check_all_given_back();
}

/* "allocated exactly so, or the call fails" */
TEST(described_outputs) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), on_one = {0}, described = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(3, 4), &on_one));
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &on_one)); /* described, on the device */
  CHECK(tsr_device_of(&on_one) == &one.device && on_one.data != NULL);
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), TSR_FORTRAN, &described));
  const tsr_status st = tsr_copy(ctx, &on_one, &described);
  CHECK(st != TSR_OK ||
        (described.stride[0] == 1 && described.stride[1] == 3 && test_same_elements(&host, &described)));
  tsr_release(&described);
  OK(ctx, tsr_desc_init(ctx, TSR_I32, TSR_SHAPE(4, 3), &described));
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &on_one, &described));
  FAILS(ctx, TSR_ESHAPE, tsr_to_device(ctx, &host, &one.device, &described));
  CHECK(described.data == NULL);
  tsr_release(&host);
  tsr_release(&on_one);
  check_all_given_back();
}

TEST(fill_on_a_device) {
  tsr_ctx *const ctx = setup();
  tsr_tensor t = {0}, turned = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 3), &t));
  OK(ctx, tsr_allocate(ctx, &one.device, 0, &t));
  OK(ctx, tsr_fill_i64(ctx, 77, &t));
  CHECK(one.fills == 1 && ((int16_t *)test_device_bytes(&one, t.data))[5] == 77);
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &turned));
  OK(ctx, tsr_fill(ctx, 78, &turned)); /* any order of axes */
  CHECK(one.fills == 2 && ((int16_t *)test_device_bytes(&one, t.data))[5] == 78);
  OK(ctx, tsr_flip(ctx, &turned, 0, &turned));
  OK(ctx, tsr_fill(ctx, 79, &turned)); /* from the end on */
  for (int i = 0; i < 6; i++) CHECK(((int16_t *)test_device_bytes(&one, t.data))[i] == 79);
  OK(ctx, tsr_narrow(ctx, &t, 1, 0, 2, &turned));
  FAILS(ctx, TSR_EDEVICE, tsr_fill(ctx, 1, &turned));
  MESSAGE_HAS(ctx, "fill: out i16 [2,2] on odd:0 is not contiguous");
  one.next_fill = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_fill(ctx, 1, &t));
  one.next_sync = TSR_EUNSUPPORTED;
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_fill(ctx, 1, &t));
  MESSAGE_HAS(ctx, "odd:0 failed to fill");
  tsr_release(&t);
  check_all_given_back();
}

/* Contiguous memory is copied whatever the order of its axes: an order is changed on the host, or stays. */
TEST(any_dense_order) {
  static const tsr_order orders[] = {TSR_ROW_MAJOR, TSR_COL_MAJOR, TSR_FORTRAN};
  for (int i = 0; i < 6; i++) {
    tsr_ctx *const ctx = setup();
    tsr_tensor host = numbers(ctx), there = {0}, twin = {0}, other = {0}, back = {0}, same = {0};
    OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), orders[i % 3], &there));
    OK(ctx, tsr_allocate(ctx, &one.device, 0, &there));
    if (i >= 3) OK(ctx, tsr_flip(ctx, &there, 1, &twin)); /* one that runs backwards; there keeps the count */
    tsr_tensor *const on_one = i >= 3 ? &twin : &there;
    OK(ctx, tsr_copy(ctx, &host, on_one));
    OK(ctx, tsr_copy(ctx, on_one, &back)); /* into an empty output: row-major */
    CHECK(tsr_is_contiguous(&back, TSR_ROW_MAJOR) && test_same_elements(&host, &back));
    OK(ctx, tsr_fill(ctx, 0, &back));
    OK(ctx, tsr_to_device(ctx, on_one, &two.device, &other)); /* to another device, as it lies */
    CHECK(other.stride[0] == on_one->stride[0] && other.stride[1] == on_one->stride[1]);
    OK(ctx, tsr_copy(ctx, &other, &back));
    CHECK(test_same_elements(&host, &back));
    OK(ctx, tsr_clone(ctx, on_one, &same));
    CHECK(tsr_device_of(&same) == &one.device && same.stride[0] == on_one->stride[0]);
    OK(ctx, tsr_fill(ctx, 0, &back));
    OK(ctx, tsr_copy(ctx, &same, &back));
    CHECK(test_same_elements(&host, &back));
    tsr_release(&same);
    tsr_release(&other);
    tsr_release(&there);
    tsr_release(&back);
    tsr_release(&host);
    check_all_given_back();
  }
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), rows = {0}, columns = {0};
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &rows));
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_I32, TSR_SHAPE(3, 4), TSR_COL_MAJOR, &columns));
  OK(ctx, tsr_allocate(ctx, &one.device, 0, &columns));
  FAILS(ctx, TSR_EDEVICE, tsr_copy(ctx, &rows, &columns));
  MESSAGE_HAS(ctx, "on odd:0 has strides [4,1], out on odd:0 [1,3]");
  tsr_release(&columns);
  tsr_release(&rows);
  tsr_release(&host);
  check_all_given_back();
}

TEST(copies_that_fail_leave_nothing) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), on_one = {0}, on_two = {0}, out = {0};
  one.next_copy = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_to_device(ctx, &host, &one.device, &on_one));
  MESSAGE_HAS(ctx, "to_device: odd:0 failed to copy 48 bytes");
  one.next_sync = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_to_device(ctx, &host, &one.device, &on_one));
  one.next_alloc = TSR_ENOMEM;
  FAILS(ctx, TSR_ENOMEM, tsr_to_device(ctx, &host, &one.device, &on_one));
  CHECK(tsr_is_none(&on_one) && one.allocs == one.frees);
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &on_one));
  one.next_copy = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_copy(ctx, &on_one, &out));
  two.next_copy = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_to_device(ctx, &on_one, &two.device, &on_two));
  one.next_copy = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_to_device(ctx, &on_one, &two.device, &on_two));
  one.next_copy = TSR_EIO;
  FAILS(ctx, TSR_EIO, tsr_clone(ctx, &on_one, &out));
  CHECK(tsr_is_none(&out) && tsr_is_none(&on_two));
  tsr_release(&host);
  tsr_release(&on_one);
  check_all_given_back();
}

TEST(operations_on_device_memory_are_refused_by_name) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = numbers(ctx), t = {0}, out = {0};
  int32_t values[12];
  tsr_real value = 0;
  int64_t whole = 0;
  tsr_iter it;
  void *element = NULL;
  bool same = false;
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &t));
  const tsr_tensor before = t;
  tsr_tensor flat = {0};
  OK(ctx, tsr_flatten_view(ctx, &t, &flat));
#define REFUSED(call)            \
  FAILS(ctx, TSR_EDEVICE, call); \
  MESSAGE_HAS(ctx, "odd:0")
  REFUSED(tsr_cast(ctx, &t, TSR_F32, &out));
  REFUSED(tsr_to_array(ctx, &t, TSR_ROW_MAJOR, 12, values));
  REFUSED(tsr_get(ctx, &t, TSR_INDEX(0, 0), &value));
  REFUSED(tsr_get_i64(ctx, &t, TSR_INDEX(0, 0), &whole));
  REFUSED(tsr_set(ctx, &t, TSR_INDEX(0, 0), 1));
  REFUSED(tsr_set_i64(ctx, &t, TSR_INDEX(0, 0), 1));
  REFUSED(tsr_flat(ctx, &t, 0, TSR_ROW_MAJOR, &element));
  REFUSED(tsr_get_flat(ctx, &t, 0, TSR_ROW_MAJOR, &value));
  REFUSED(tsr_set_flat(ctx, &t, 0, TSR_ROW_MAJOR, 1));
  REFUSED(tsr_iter_init(ctx, &t, TSR_ROW_MAJOR, &it));
  REFUSED(tsr_to_layout(ctx, &t, TSR_NC, 0, &out));
  REFUSED(tsr_flatten(ctx, &t, TSR_FORTRAN, &out));
  REFUSED(tsr_equal(ctx, &t, &t, &same));
  REFUSED(tsr_arange_i64(ctx, TSR_I32, 0, 12, 1, &flat)); /* as an output */
  REFUSED(tsr_eye(ctx, TSR_I32, 3, 4, 0, &t));
  REFUSED(tsr_from_array(ctx, values, 12, TSR_I32, TSR_SHAPE(3, 4), TSR_ROW_MAJOR, &t));
  REFUSED(tsr_cast(ctx, &host, TSR_I32, &t));
  REFUSED(tsr_clone(ctx, &host, &t));
  tsr_tensor turned = {0}, gaps = {0};
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &turned));
  REFUSED(tsr_contiguous(ctx, &turned, &out));
  REFUSED(tsr_reshape(ctx, &turned, TSR_SHAPE(12), &out));
  OK(ctx, tsr_slice(ctx, &t, 1, TSR_OMIT, TSR_OMIT, 2, &gaps));
  REFUSED(tsr_copy(ctx, &gaps, &out));
  CHECK(tsr_is_none(&out) && memcmp(&t, &before, sizeof t) == 0);
  OK(ctx, tsr_reshape(ctx, &t, TSR_SHAPE(12), &out)); /* a view needs no element */
  CHECK(tsr_refcount(&t) == 2 && tsr_device_of(&out) == &one.device);
  tsr_release(&out);
  OK(ctx, tsr_contiguous(ctx, &t, &out));
  tsr_release(&out);
  tsr_release(&t);
  tsr_release(&host);
  check_all_given_back();
}

/* A device whose memory the CPU may read, pinned memory say: a copy there is there. */
TEST(another_device_of_the_host) {
  tsr_ctx *const ctx = setup();
  one.device.is_host = true;
  one.base = (uintptr_t)one.bytes;
  one.device.name = "pinned";
  tsr_tensor host = numbers(ctx), t = {0}, back = {0};
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &t));
  CHECK(tsr_device_of(&t) == &one.device && one.allocs == 1);
  CHECK(test_same_elements(&host, &t));
  OK(ctx, tsr_copy(ctx, &t, &back));
  CHECK(test_same_elements(&host, &back) && tsr_device_of(&back) == tsr_device_cpu());
  OK(ctx, tsr_fill(ctx, 3, &t));
  CHECK(TSR_AT(int32_t, &t, 2, 3) == 3);
  tsr_release(&host);
  tsr_release(&t);
  tsr_release(&back);
  check_all_given_back();
}

TEST(zero_size_on_a_device) {
  tsr_ctx *const ctx = setup();
  tsr_tensor host = {0}, t = {0}, back = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(0, 3), &host));
  OK(ctx, tsr_to_device(ctx, &host, &one.device, &t));
  OK(ctx, tsr_to_device(ctx, &t, NULL, &back));
  CHECK(tsr_size(&back) == 0 && back.ndim == 2 && one.copies[0] == 0);
  OK(ctx, tsr_fill(ctx, 1, &t));
  tsr_release(&t);
  FAILS(ctx, TSR_EARG, tsr_to_device(ctx, NULL, &one.device, &t));
  FAILS(ctx, TSR_EARG, tsr_to_device(ctx, &host, &one.device, NULL));
  FAILS(ctx, TSR_ESTATE, tsr_to_device(ctx, &t, &one.device, &back));
  tsr_release(&back);
  check_all_given_back();
}

TEST_MAIN(RUN(cpu_is_a_device_like_any_other), RUN(storage_on_a_device), RUN(to_a_device_and_back), RUN(strided_hosts),
          RUN(given_outputs_on_devices), RUN(described_outputs), RUN(fill_on_a_device), RUN(any_dense_order),
          RUN(copies_that_fail_leave_nothing), RUN(operations_on_device_memory_are_refused_by_name),
          RUN(another_device_of_the_host), RUN(zero_size_on_a_device))
