/* What nndeploy::device::Tensor does, row by row: descriptors, buffers on devices, counts, plans, files. */
#include "io/files_support.h"

#include <string.h>

#include "seeds/odd_device.h"
#include "seeds/seed.h"

/* A name, unique inside a model. */
TEST(N1_unique_names) {
  tsr_ctx *ctx = seed_begin();
  tsr_bundle model;
  tsr_tensor w = {0}, b = {0}, again = {0}, taken = {0};
  const tsr_tensor *found = NULL;
  OK(ctx, tsr_bundle_init(ctx, &model));
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3), &w));
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3), &b));
  void *const place = w.data;
  OK(ctx, tsr_bundle_add(ctx, &model, "conv1.weight", &w));
  OK(ctx, tsr_bundle_add(ctx, &model, "conv1.bias", &b));
  CHECK(tsr_is_none(&w) && tsr_is_none(&b) && model.count == 2); /* taken over */
  CHECK(strcmp(model.tensors[0].name, "conv1.weight") == 0 && strcmp(model.tensors[1].name, "conv1.bias") == 0);

  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(1), &again));
  FAILS(ctx, TSR_ENAME, tsr_bundle_add(ctx, &model, "conv1.bias", &again));
  CHECK(!tsr_is_none(&again) && model.count == 2);
  tsr_release(&again);

  OK(ctx, tsr_bundle_get(ctx, &model, "conv1.weight", &found));
  CHECK(found == tsr_bundle_find(&model, "conv1.weight") && found->data == place);
  CHECK(tsr_bundle_find(&model, "conv2.weight") == NULL);
  FAILS(ctx, TSR_ENAME, tsr_bundle_get(ctx, &model, "conv1.wieght", &found));
  MESSAGE_HAS(ctx, "the nearest is conv1.weight");
  OK(ctx, tsr_bundle_take(ctx, &model, "conv1.weight", &taken));
  CHECK(taken.data == place && taken.name == NULL && model.count == 1);
  CHECK(strcmp(model.tensors[0].name, "conv1.bias") == 0);
  tsr_release(&taken);
  tsr_bundle_release(&model);
  seed_end();
}

/* A descriptor: dtype, format, shape, strides; equality; as text, without memory. */
TEST(N2_descriptor) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, other = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), &a));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), &b));
  CHECK(a.data == NULL && tsr_desc_equal(&a, &b));
  OK(ctx, tsr_desc_init(ctx, TSR_F16, TSR_SHAPE(2, 3, 4), &other));
  CHECK(!tsr_desc_equal(&a, &other));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 4, 3), &other));
  CHECK(!tsr_desc_equal(&a, &other));
  OK(ctx, tsr_desc_init_ordered(ctx, TSR_F32, TSR_SHAPE(2, 3, 4), TSR_COL_MAJOR, &other));
  CHECK(!tsr_desc_equal(&a, &other));
  other = b;
  other.layout = TSR_NCL;
  CHECK(!tsr_desc_equal(&a, &other));

  char text[96], cut[8];
  CHECK(tsr_desc_format(&a, text, sizeof text) == strlen(text) && strcmp(text, "f32 [2,3,4]") == 0);
  (void)tsr_desc_format(&other, text, sizeof text);
  CHECK(strcmp(text, "f32 [2,3,4] NCL") == 0);
  OK(ctx, tsr_desc_init_permuted(ctx, TSR_U8, TSR_SHAPE(1, 3, 8, 9), (const int[]){0, 2, 3, 1}, &other));
  other.layout = TSR_NCHW;
  const size_t needed = tsr_desc_format(&other, text, sizeof text);
  CHECK(strcmp(text, "u8 [1,3,8,9] NCHW strides [216,1,27,3]") == 0);
  CHECK(tsr_desc_format(&other, cut, sizeof cut) == needed && strcmp(cut, "u8 [1,3") == 0);
  CHECK(tsr_desc_format(&other, NULL, 0) == needed);
  CHECK(seed_count.calls == 0); /* none of this takes memory */
  seed_end();
}

/* Dtypes: each has a name, a size and a class, is stored, and converts where the build can. */
TEST(N3_dtypes) {
  tsr_ctx *ctx = seed_begin();
  static const struct {
    int dtype;
    const char *name;
    size_t bytes;
  } list[] = {{TSR_BOOL, "bool", 1}, {TSR_I8, "i8", 1},           {TSR_I16, "i16", 2},         {TSR_I32, "i32", 4},
              {TSR_I64, "i64", 8},   {TSR_U8, "u8", 1},           {TSR_U16, "u16", 2},         {TSR_U32, "u32", 4},
              {TSR_U64, "u64", 8},   {TSR_F16, "f16", 2},         {TSR_BF16, "bf16", 2},       {TSR_F32, "f32", 4},
              {TSR_F64, "f64", 8},   {TSR_F8_E4M3, "f8_e4m3", 1}, {TSR_F8_E5M2, "f8_e5m2", 1}, {TSR_C64, "c64", 8},
              {TSR_C128, "c128", 16}};
  CHECK(sizeof list / sizeof list[0] == TSR_DTYPE_COUNT - 1);
  float values[4] = {0, 1, 2, 3};
  tsr_tensor f = {0};
  OK(ctx, tsr_from_memory(ctx, values, TSR_F32, TSR_SHAPE(4), &f));
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    const int dtype = list[i].dtype;
    CHECK(strcmp(tsr_dtype_name(dtype), list[i].name) == 0 && tsr_dtype_find(list[i].name) == dtype);
    CHECK(tsr_dtype_size(dtype) == list[i].bytes && tsr_dtype_describe(dtype)->bytes == list[i].bytes);
    tsr_tensor stored = {0}, copy = {0};
    OK(ctx, tsr_zeros(ctx, dtype, TSR_SHAPE(2, 2), &stored)); /* stored in every build */
    memset(stored.data, 1, tsr_nbytes(&stored));
    OK(ctx, tsr_clone(ctx, &stored, &copy));
    CHECK(memcmp(stored.data, copy.data, tsr_nbytes(&copy)) == 0);
    tsr_release(&copy);
    tsr_release(&stored);
    if (!tsr_dtype_supported(dtype)) continue;
    OK(ctx, tsr_cast(ctx, &f, dtype, &copy)); /* small whole numbers are exact in all of them, but for bool */
    CHECK(AT(ctx, &copy, 3) == (dtype == TSR_BOOL ? 1 : 3));
    tsr_release(&copy);
  }
  CHECK(tsr_dtype_find("float32") == TSR_NONE && tsr_dtype_size(0) == 0 && tsr_dtype_describe(99) == NULL);
  seed_end();
}

static void check_layout(tsr_ctx *ctx, int layout, const char *name, int rank, int channel_axis) {
  CHECK(strcmp(tsr_layout_name(layout), name) == 0 && tsr_layout_find(name) == layout);
  CHECK(tsr_layout_rank(layout) == rank && tsr_layout_axis(layout, 'C') == channel_axis);
  if (rank > TSR_MAX_DIMS) return;
  tsr_tensor t = {0};
  tsr_index shape[5] = {2, 2, 2, 2, 2};
  if (layout == TSR_NC4HW || layout == TSR_NC8HW) shape[4] = layout == TSR_NC4HW ? 4 : 8;
  OK(ctx, tsr_zeros(ctx, TSR_U8, rank, shape, &t));
  OK(ctx, tsr_set_layout(ctx, &t, layout, &t));
  CHECK(t.layout == layout);
  tsr_release(&t);
}

/* Formats: tags with a meaning, and real conversion between them. */
TEST(N4_formats) {
  tsr_ctx *ctx = seed_begin();
  check_layout(ctx, TSR_N, "N", 1, -1);
  check_layout(ctx, TSR_NC, "NC", 2, 1);
  check_layout(ctx, TSR_NCL, "NCL", 3, 1);
  check_layout(ctx, TSR_NCHW, "NCHW", 4, 1);
  check_layout(ctx, TSR_NHWC, "NHWC", 4, 3);
  check_layout(ctx, TSR_OIHW, "OIHW", 4, -1);
  check_layout(ctx, TSR_NC4HW, "NC4HW", 5, 1);
  check_layout(ctx, TSR_NC8HW, "NC8HW", 5, 1);
  check_layout(ctx, TSR_NCDHW, "NCDHW", 5, 1);
  check_layout(ctx, TSR_NDHWC, "NDHWC", 5, 4);
  check_layout(ctx, TSR_NDCHW, "NDCHW", 5, 2);

  tsr_tensor x = {0}, nhwc = {0}, view = {0}, back = {0};
  bool same = false;
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4, 5), &x));
  OK(ctx, tsr_set_layout(ctx, &x, TSR_AUTO, &x)); /* by the rank */
  CHECK(x.layout == TSR_NCHW);
  OK(ctx, tsr_to_layout(ctx, &x, TSR_NHWC, 0, &nhwc));
  SHAPE_IS(&nhwc, 2, 4, 5, 3);
  CHECK(nhwc.layout == TSR_NHWC && tsr_is_contiguous(&nhwc, TSR_ROW_MAJOR));
  CHECK(AT(ctx, &nhwc, 1, 2, 3, 2) == AT(ctx, &x, 1, 2, 2, 3));
  OK(ctx, tsr_to_layout_view(ctx, &x, TSR_NHWC, &view)); /* the same answer from strides alone */
  STRIDES_ARE(&view, 60, 5, 1, 20);
  CHECK(view.data == x.data);
  OK(ctx, tsr_equal(ctx, &view, &nhwc, &same));
  CHECK(same);
  OK(ctx, tsr_to_layout(ctx, &nhwc, TSR_NCHW, 0, &back));
  CHECK(back.layout == TSR_NCHW && memcmp(back.data, x.data, tsr_nbytes(&x)) == 0);
  FAILS(ctx, TSR_ELAYOUT, tsr_to_layout(ctx, &x, TSR_NCL, 0, &view));
  FAILS(ctx, TSR_ELAYOUT, tsr_set_layout(ctx, &x, TSR_NC, &view));
  tsr_release(&back);
  tsr_release(&nhwc);
#if TSR_MAX_DIMS >= 5
  tsr_tensor blocked = {0}; /* three channels in a block of four: the fourth is zero */
  OK(ctx, tsr_to_layout(ctx, &x, TSR_NC4HW, 0, &blocked));
  SHAPE_IS(&blocked, 2, 1, 4, 5, 4);
  for (tsr_index n = 0; n < 2; n++)
    for (tsr_index h = 0; h < 4; h++)
      for (tsr_index w = 0; w < 5; w++) {
        for (tsr_index c = 0; c < 3; c++) CHECK(AT(ctx, &blocked, n, 0, h, w, c) == AT(ctx, &x, n, c, h, w));
        CHECK(AT(ctx, &blocked, n, 0, h, w, 3) == 0);
      }
  OK(ctx, tsr_to_layout(ctx, &blocked, TSR_NCHW, 3, &back));
  CHECK(memcmp(back.data, x.data, tsr_nbytes(&x)) == 0);
  tsr_release(&back);
  OK(ctx, tsr_to_layout(ctx, &blocked, TSR_NCHW, 0, &back)); /* all of the block */
  SHAPE_IS(&back, 2, 4, 4, 5);
  tsr_release(&back);
  tsr_release(&blocked);
  tsr_tensor volume = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(1, 2, 3, 2, 2), &volume));
  OK(ctx, tsr_to_layout(ctx, &volume, TSR_NDHWC, 0, &back));
  SHAPE_IS(&back, 1, 3, 2, 2, 2);
  CHECK(AT(ctx, &back, 0, 2, 1, 0, 1) == AT(ctx, &volume, 0, 1, 2, 1, 0));
  tsr_release(&back);
  OK(ctx, tsr_to_layout(ctx, &volume, TSR_NDCHW, 0, &back));
  SHAPE_IS(&back, 1, 3, 2, 2, 2);
  CHECK(AT(ctx, &back, 0, 2, 1, 1, 0) == AT(ctx, &volume, 0, 1, 2, 1, 0));
  tsr_release(&back);
  tsr_release(&volume);
#endif
  tsr_release(&x);
  seed_end();
}

/* Strides in elements, signed: contiguous [2,3,4] is [12,4,1]. */
TEST(N5_strides_in_elements) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor x = {0}, back = {0}, wide = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3, 4), &x));
  STRIDES_ARE(&x, 12, 4, 1);
  const float *const base = x.data;
  CHECK(&TSR_AT(float, &x, 1, 0, 0) - base == 12 && &TSR_AT(float, &x, 0, 1, 0) - base == 4);
  CHECK(&TSR_AT(float, &x, 0, 0, 1) - base == 1);
  OK(ctx, tsr_flip(ctx, &x, 1, &back));
  STRIDES_ARE(&back, 12, -4, 1);
  CHECK(AT(ctx, &back, 0, 0, 0) == 8 && AT(ctx, &back, 1, 2, 3) == 15);
  OK(ctx, tsr_slice(ctx, &x, 2, TSR_OMIT, TSR_OMIT, -2, &back));
  STRIDES_ARE(&back, 12, 4, -2);
  CHECK(AT(ctx, &back, 0, 0, 0) == 3 && AT(ctx, &back, 0, 0, 1) == 1);
  OK(ctx, tsr_as_strided(ctx, &x, TSR_SHAPE(2, 2), (const tsr_index[]){5, 3}, 1, &wide));
  CHECK(AT(ctx, &wide, 0, 0) == 1 && AT(ctx, &wide, 1, 1) == 9);
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &x, TSR_SHAPE(2, 2), (const tsr_index[]){23, 1}, 0, &wide));
  tsr_release(&x);
  seed_end();
}

static int released;
static void *released_user;
static void count_release(void *user, void *data, size_t bytes) {
  released++;
  released_user = user;
  CHECK(data != NULL && bytes == 32);
}

/* An external buffer is never freed; a callback, when there is one, is called once, by the last handle. */
TEST(N6_external_buffer) {
  tsr_ctx *ctx = seed_begin();
  static float buffer[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  tsr_storage *storage = NULL;
  tsr_tensor a = {0}, b = {0}, view = {0};
  int mark = 0;
  released = 0;
  OK(ctx, tsr_storage_wrap(ctx, NULL, buffer, sizeof buffer, count_release, &mark, &storage));
  OK(ctx, tsr_from_storage(ctx, storage, 0, TSR_F32, TSR_SHAPE(2, 4), NULL, &a));
  OK(ctx, tsr_from_storage(ctx, storage, 16, TSR_F32, TSR_SHAPE(4), NULL, &b));
  CHECK(tsr_storage_count(storage) == 3 && a.data == buffer && AT(ctx, &b, 0) == 4);
  tsr_storage_release(storage);
  OK(ctx, tsr_select(ctx, &a, 0, 1, &view));
  tsr_release(&view);
  tsr_release(&a);
  CHECK(released == 0);
  tsr_release(&b);
  CHECK(released == 1 && released_user == &mark && buffer[7] == 7);
  tsr_release(&b);
  CHECK(released == 1);
  OK(ctx, tsr_storage_wrap(ctx, NULL, buffer, sizeof buffer, NULL, NULL, &storage)); /* no callback is fine too */
  FAILS(ctx, TSR_ECAPACITY, tsr_from_storage(ctx, storage, 8, TSR_F32, TSR_SHAPE(8), NULL, &a));
  FAILS(ctx, TSR_EALIGN, tsr_from_storage(ctx, storage, 2, TSR_F32, TSR_SHAPE(4), NULL, &a));
  CHECK(tsr_storage_count(storage) == 1);
  tsr_storage_release(storage);
  seed_end();
}

/* A shallow copy shares the bytes; the last one frees. */
TEST(N7_reference_count) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor a = {0}, b = {0}, row = {0}, kept = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_share(ctx, &a, &b));
  CHECK(tsr_refcount(&a) == 2 && b.data == a.data);
  TSR_AT(float, &b, 0, 0) = 9;
  CHECK(TSR_AT(float, &a, 0, 0) == 9);
  OK(ctx, tsr_select(ctx, &a, 0, 2, &row)); /* a view holds no count, until it is shared */
  CHECK(tsr_refcount(&a) == 2);
  OK(ctx, tsr_share(ctx, &row, &kept));
  CHECK(tsr_refcount(&a) == 3);
  tsr_release(&a);
  tsr_release(&b);
  CHECK(seed_count.live == 1 && tsr_refcount(&kept) == 1 && AT(ctx, &kept, 3) == 11);
  FAILS(ctx, TSR_ESTATE, tsr_share(ctx, &kept, &kept)); /* that would lose a count */
  CHECK(tsr_refcount(&kept) == 1);
  tsr_release(&kept);
  CHECK(seed_count.live == 0);
  seed_end();
}

/* The constructors: a name only, a description only, with a buffer, with a device, with a pool. */
TEST(N8_constructors) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor name_only = {.name = "input"}, desc = {0}, buffered = {0}, there = {0}, pooled = {0};
  CHECK(tsr_is_none(&name_only));
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 3), &desc));
  CHECK(seed_count.calls == 0 && desc.data == NULL && tsr_size(&desc) == 6);
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &desc)); /* later: exactly as described */
  CHECK(desc.data != NULL && (desc.flags & TSR_OWNS) != 0 && tsr_device_of(&desc) == tsr_device_cpu());
  FAILS(ctx, TSR_ESTATE, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &desc));
  tsr_release(&desc);

  tsr_storage *storage = NULL;
  OK(ctx, tsr_storage_new(ctx, NULL, 64, TSR_HINT_DEFAULT, &storage));
  CHECK(tsr_storage_bytes(storage) == 64);
  OK(ctx, tsr_from_storage(ctx, storage, 0, TSR_F32, TSR_SHAPE(2, 3), NULL, &buffered));
  tsr_storage_release(storage);
  CHECK(tsr_capacity(&buffered) == 64);
  tsr_release(&buffered);

  static odd_device odd;
  odd_init(&odd);
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 3), &there));
  OK(ctx, tsr_allocate(ctx, &odd.table, TSR_HINT_DEFAULT, &there));
  CHECK(odd.allocs == 1 && tsr_device_of(&there) == &odd.table && strcmp(tsr_device_of(&there)->name, "odd:0") == 0);
  tsr_release(&there);
  CHECK(odd.frees == 1);

  tsr_memory_pool *pool = NULL;
  tsr_ctx with_pool;
  OK(ctx, tsr_memory_pool_new(&seed_count.allocator, 4096, &pool));
  OK(ctx, tsr_context_init(&with_pool, tsr_memory_pool_allocator(pool)));
  OK(&with_pool, tsr_zeros(&with_pool, TSR_F32, TSR_SHAPE(2, 3), &pooled));
  CHECK(tsr_memory_pool_stats(pool).in_use > 0);
  tsr_release(&pooled);
  OK(ctx, tsr_memory_pool_release(pool));
  seed_end();
}

/* A pool with its statistics: in use, peak, cached, hits. */
TEST(N9_memory_pool) {
  tsr_ctx *outer = seed_begin(), pooled, *ctx = &pooled;
  tsr_memory_pool *pool = NULL;
  OK(outer, tsr_memory_pool_new(&seed_count.allocator, 16384, &pool));
  OK(outer, tsr_context_init(ctx, tsr_memory_pool_allocator(pool)));
  tsr_tensor a = {0}, b = {0};
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(100), &a));
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(100), &b));
  tsr_memory_stats stats = tsr_memory_pool_stats(pool);
  const size_t both = stats.in_use;
  CHECK(both >= 800 && stats.peak == both && stats.calls == 2 && stats.hits == 0 && stats.cached == 0);
  FAILS(outer, TSR_ESTATE, tsr_memory_pool_release(pool)); /* not while tensors of it live */
  tsr_release(&b);
  tsr_release(&a);
  stats = tsr_memory_pool_stats(pool);
  CHECK(stats.in_use == 0 && stats.cached >= both && stats.peak == both);
  const size_t calls = seed_count.calls;
  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(98), &a)); /* a kept block serves a similar size */
  stats = tsr_memory_pool_stats(pool);
  CHECK(seed_count.calls == calls && stats.hits == 1 && stats.calls == 3);
  tsr_release(&a);
  CHECK(tsr_memory_pool_trim(pool, 0) > 0 && tsr_memory_pool_stats(pool).cached == 0);
  OK(outer, tsr_memory_pool_release(pool));
  seed_end();
}

/* reshape of a buffer that others may hold: without one only the shape; within the capacity the buffer stays; beyond it
 * an error, and never another buffer. */
TEST(N10_three_cases_of_resize) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, view = {0}, borrowed = {0}, turned = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(2, 3), &t)); /* no buffer: any shape, nothing is allocated */
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(50, 20, 3)));
  SHAPE_IS(&t, 50, 20, 3);
  STRIDES_ARE(&t, 60, 3, 1);
  CHECK(t.data == NULL && seed_count.calls == 0);

  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(4, 6), &view));
  t = tsr_move(&view);
  void *const place = t.data;
  const size_t calls = seed_count.calls;
  CHECK(tsr_capacity(&t) == 96);
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(2, 6))); /* smaller */
  SHAPE_IS(&t, 2, 6);
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(3, 2, 4))); /* and back to all of it, in another shape: strides follow */
  STRIDES_ARE(&t, 8, 4, 1);
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(0, 4))); /* to nothing and back */
  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(24)));
  CHECK(t.data == place && tsr_capacity(&t) == 96 && seed_count.calls == calls);

  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &t, TSR_SHAPE(25))); /* larger */
  MESSAGE_HAS(ctx, "reallocate: shape [25] needs 100 bytes, the capacity is 96");
  SHAPE_IS(&t, 24);
  CHECK(t.data == place && seed_count.calls == calls);

  OK(ctx, tsr_reallocate(ctx, &t, TSR_SHAPE(4, 6)));
  OK(ctx, tsr_slice(ctx, &t, 0, 0, 2, 1, &view)); /* a view never grows past what it shows */
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &view, TSR_SHAPE(3, 6)));
  OK(ctx, tsr_reallocate(ctx, &view, TSR_SHAPE(6)));
  OK(ctx, tsr_transpose(ctx, &t, 0, 1, &turned));
  FAILS(ctx, TSR_ESTRIDE, tsr_reallocate(ctx, &turned, TSR_SHAPE(2, 2)));
  float buffer[6] = {0};
  OK(ctx, tsr_from_memory(ctx, buffer, TSR_F32, TSR_SHAPE(6), &borrowed));
  OK(ctx, tsr_reallocate(ctx, &borrowed, TSR_SHAPE(2, 3)));
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &borrowed, TSR_SHAPE(7)));
  tsr_release(&t);
  seed_end();
}

/* A stream in memory. */
typedef struct stream {
  uint8_t bytes[512];
  size_t used;
} stream;

static tsr_status stream_write(void *self, const void *bytes, size_t n) {
  stream *const s = self;
  if (n > sizeof s->bytes - s->used) return TSR_EIO;
  memcpy(s->bytes + s->used, bytes, n);
  s->used += n;
  return TSR_OK;
}

static void check_round_trip(tsr_ctx *ctx, const tsr_tensor *t, int void_dtype) {
  static stream s;
  const tsr_sink sink = {sizeof(tsr_sink), stream_write, &s};
  const tsr_npy_options options = {.void_dtype = void_dtype};
  tsr_tensor back = {0};
  size_t used = 0;
  s.used = 0;
  OK(ctx, tsr_npy_write(ctx, t, &sink));
  OK(ctx, tsr_npy_decode(ctx, s.bytes, s.used, &options, &used, &back));
  CHECK(used == s.used && back.dtype == t->dtype && tsr_same_shape(&back, t));
  CHECK(tsr_nbytes(&back) == tsr_nbytes(t) && memcmp(back.data, t->data, tsr_nbytes(t)) == 0);
  CHECK(tsr_is_contiguous(&back, tsr_is_contiguous(t, TSR_ROW_MAJOR) ? TSR_ROW_MAJOR : TSR_FORTRAN));
  tsr_release(&back);
  FAILS(ctx, TSR_EFORMAT, tsr_npy_decode(ctx, s.bytes, s.used - 1, &options, NULL, &back)); /* a payload cut short */
  CHECK(tsr_is_none(&back));
}

/* Serialise and read back: .npy, every dtype, payload and order included. */
TEST(N11_npy_round_trip) {
  tsr_ctx *ctx = seed_begin();
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT; dtype++) {
    tsr_tensor t = {0};
    if (!tsr_dtype_supported(dtype)) continue;
    const int as_void = tsr_dtype_describe(dtype)->npy[0] == 'V' ? dtype : 0;
    OK(ctx, tsr_zeros(ctx, dtype, TSR_SHAPE(2, 3), &t));
    for (int i = 0; i < 6; i++) OK(ctx, tsr_set_flat(ctx, &t, i, TSR_ROW_MAJOR, (tsr_real)(i % 2)));
    check_round_trip(ctx, &t, as_void);
    tsr_release(&t);
    OK(ctx, tsr_zeros_ordered(ctx, dtype, TSR_SHAPE(3, 2), TSR_FORTRAN, &t));
    for (int i = 0; i < 6; i++) OK(ctx, tsr_set_flat(ctx, &t, i, TSR_ROW_MAJOR, (tsr_real)(i % 2)));
    check_round_trip(ctx, &t, as_void);
    tsr_release(&t);
  }
  seed_end();
}

/* A safetensors stream of one tensor: the tag and the order of axes come back with the payload. */
static void check_safetensors(tsr_ctx *ctx, tsr_tensor *t) {
  static stream s;
  const tsr_sink sink = {sizeof(tsr_sink), stream_write, &s};
  const tsr_safetensors_options options = {.access = TSR_ACCESS_COPY};
  tsr_bundle one = {0}, back = {0};
  tsr_metadata metadata = {0};
  s.used = 0;
  OK(ctx, tsr_bundle_add(ctx, &one, "x", t));
  OK(ctx, tsr_safetensors_write(ctx, &one, NULL, NULL, &sink));
  OK(ctx, tsr_safetensors_decode(ctx, s.bytes, s.used, &options, &back, &metadata));
  CHECK(back.count == 1 && metadata.count == 0); /* what was kept for the tensor is not the user's */
  const tsr_tensor *const got = tsr_bundle_find(&back, "x"), *const want = &one.tensors[0];
  CHECK(got != NULL && tsr_desc_equal(got, want) && got->layout == want->layout);
  CHECK(got != NULL && memcmp(got->data, want->data, tsr_nbytes(want)) == 0);
  tsr_bundle_release(&back);
  FAILS(ctx, TSR_EFORMAT, tsr_safetensors_decode(ctx, s.bytes, s.used - 1, &options, &back, NULL));
  CHECK(back.count == 0);
  tsr_bundle_release(&one);
}

TEST(N11_safetensors_round_trip) {
  tsr_ctx *ctx = seed_begin();
  for (int dtype = TSR_BOOL; dtype < TSR_DTYPE_COUNT; dtype++) {
    if (!tsr_dtype_supported(dtype)) continue;
    for (int way = 0; way < 4; way++) {
      tsr_tensor t = {0};
      OK(ctx, tsr_zeros_ordered(ctx, dtype, TSR_SHAPE(1, 2, 2, 3), way == 1 ? TSR_FORTRAN : TSR_ROW_MAJOR, &t));
      for (int i = 0; i < 12; i++) OK(ctx, tsr_set_flat(ctx, &t, i, TSR_ROW_MAJOR, (tsr_real)(i % 3 == 1)));
      if (way == 2) t.layout = TSR_NHWC;
      if (way == 3) { /* channels first by name, last in memory */
        tsr_tensor last = tsr_move(&t), first = {0};
        OK(ctx, tsr_permute(ctx, &last, (const int[]){0, 3, 1, 2}, &first));
        OK(ctx, tsr_share(ctx, &first, &t));
        t.layout = TSR_NCHW;
        tsr_release(&last);
      }
      check_safetensors(ctx, &t);
    }
  }
  seed_end();
}

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP
/* An image with its channels last and a Fortran matrix, as a model has them. */
static void make_model(tsr_ctx *ctx, tsr_bundle *model) {
  tsr_tensor image = {0}, matrix = {0};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(1, 2, 2, 3), &image));
  image.layout = TSR_NHWC;
  OK(ctx, tsr_zeros_ordered(ctx, TSR_I16, TSR_SHAPE(2, 3), TSR_FORTRAN, &matrix));
  for (int i = 0; i < 6; i++) OK(ctx, tsr_set_flat(ctx, &matrix, i, TSR_ROW_MAJOR, (tsr_real)(i - 3)));
  OK(ctx, tsr_bundle_add(ctx, model, "image", &image));
  OK(ctx, tsr_bundle_add(ctx, model, "matrix", &matrix));
}

/* The same through a file of each format; what is loaded prints as what was saved. */
static void check_file(tsr_ctx *ctx, const tsr_bundle *model, int format) {
  const char *const path = in_folder("model");
  tsr_bundle back = {0};
  OK(ctx, tsr_bundle_save(ctx, path, (tsr_format)format, model, NULL));
  OK(ctx, tsr_bundle_load(ctx, path, &back, NULL));
  CHECK(back.count == model->count);
  for (tsr_index i = 0; i < back.count; i++) {
    const tsr_tensor *const want = &model->tensors[i];
    const tsr_tensor *const got = format == TSR_FORMAT_NPY ? &back.tensors[0] : tsr_bundle_find(&back, want->name);
    const tsr_print_options named = {.name = want->name};
    char before[256], after[256];
    REQUIRE(got != NULL);
    CHECK(got->dtype == want->dtype && tsr_same_shape(got, want));
    CHECK(format != TSR_FORMAT_SAFETENSORS || tsr_desc_equal(got, want));
    CHECK(tsr_is_contiguous(got, TSR_FORTRAN) == tsr_is_contiguous(want, TSR_FORTRAN));
    CHECK(memcmp(got->data, want->data, tsr_nbytes(want)) == 0);
    OK(ctx, tsr_print_text(ctx, want, &named, before, sizeof before, NULL));
    OK(ctx, tsr_print_text(ctx, got, &named, after, sizeof after, NULL));
    CHECK(strcmp(strchr(before, '\n'), strchr(after, '\n')) == 0); /* the first line has the tag as well */
  }
  tsr_bundle_release(&back);
}

TEST(N11_files) {
  tsr_ctx *ctx = seed_begin();
  tsr_bundle model = {0}, one = {0};
  tsr_tensor taken = {0};
  REQUIRE(folder_make());
  make_model(ctx, &model);
  check_file(ctx, &model, TSR_FORMAT_SAFETENSORS);
  check_file(ctx, &model, TSR_FORMAT_NPZ);
  OK(ctx, tsr_bundle_take(ctx, &model, "matrix", &taken));
  OK(ctx, tsr_bundle_add(ctx, &one, "matrix", &taken));
  check_file(ctx, &one, TSR_FORMAT_NPY);
  tsr_bundle_release(&one);
  tsr_bundle_release(&model);
  folder_end();
  seed_end();
}

/* To a stream, as the data is printed where there is a terminal: of a file that is mapped. */
TEST(N12_print_a_file) {
  static const char want[] =
      "image: f32 [1,2,2,3] NHWC\n[[[[ 0.  1.  2.]\n   [ 3.  4.  5.]]\n\n  [[ 6.  7.  8.]\n   "
      "[ 9. 10. 11.]]]]\n";
  tsr_ctx *ctx = seed_begin();
  tsr_bundle model = {0}, back = {0};
  char text[256] = "";
  REQUIRE(folder_make());
  make_model(ctx, &model);
  OK(ctx, tsr_bundle_save(ctx, in_folder("model"), TSR_FORMAT_SAFETENSORS, &model, NULL));
  OK(ctx, tsr_bundle_load(ctx, in_folder("model"), &back, NULL));
  REQUIRE(back.count == 2);
  FILE *const file = fopen(in_folder("text"), "w+");
  REQUIRE(file != NULL);
  OK(ctx, tsr_print(ctx, tsr_bundle_find(&back, "image"), &(tsr_print_options){.name = "image"}, file));
  rewind(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  CHECK(fclose(file) == 0 && n == sizeof want - 1 && strcmp(text, want) == 0);
  tsr_bundle_release(&back);
  tsr_bundle_release(&model);
  folder_end();
  seed_end();
}
#else
TEST(N11_files) { SKIP("no files in this profile"); }
TEST(N12_print_a_file) { SKIP("no files in this profile"); }
#endif

/* The description and the data as text. */
TEST(N12_print_description_and_data) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0}, described = {0}, none = {0};
  char text[256];
  const tsr_print_options named = {.name = "input"};
  OK(ctx, seed_counted(ctx, TSR_SHAPE(2, 3), &t));
  OK(ctx, tsr_print_text(ctx, &t, &named, text, sizeof text, NULL));
  CHECK(strcmp(text, "input: f32 [2,3]\n[[0. 1. 2.]\n [3. 4. 5.]]") == 0);
  OK(ctx, tsr_desc_init(ctx, TSR_I8, TSR_SHAPE(4), &described));
  OK(ctx, tsr_print_text(ctx, &described, &named, text, sizeof text, NULL));
  CHECK(strcmp(text, "input: i8 [4] (no data)") == 0);
  OK(ctx, tsr_print_text(ctx, &none, NULL, text, sizeof text, NULL));
  CHECK(strcmp(text, "empty") == 0);
  tsr_release(&t);
  seed_end();
}

/* getData, getShape, getDataType, getSize, getDevice, allocate, deallocate, set. */
TEST(N13_accessors) {
  tsr_ctx *ctx = seed_begin();
  tsr_tensor t = {0};
  OK(ctx, tsr_desc_init(ctx, TSR_I16, TSR_SHAPE(2, 5), &t));
  OK(ctx, tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &t));
  CHECK(t.data == tsr_storage_data(t.storage) && t.dtype == TSR_I16 && t.ndim == 2 && t.shape[1] == 5);
  CHECK(tsr_size(&t) == 10 && tsr_nbytes(&t) == 20 && tsr_capacity(&t) == 20);
  CHECK(tsr_device_of(&t)->is_host && strcmp(tsr_device_of(&t)->name, "cpu") == 0);
  CHECK((uintptr_t)t.data % TSR_DATA_ALIGN == 0);
  OK(ctx, tsr_fill(ctx, -7, &t));
  for (int i = 0; i < 10; i++) CHECK(((const int16_t *)t.data)[i] == -7);
  FAILS(ctx, TSR_ERANGE, tsr_fill(ctx, 40000, &t));
  FAILS(ctx, TSR_ERANGE, tsr_fill(ctx, (tsr_real)0.5, &t));
  CHECK(AT(ctx, &t, 1, 4) == -7);
  tsr_release(&t);
  CHECK(t.data == NULL);
  seed_end();
}

/* A deep copy, and copies to another device, on it, and back; what does not fit is an error. */
TEST(N14_clone_and_copy_across_devices) {
  tsr_ctx *ctx = seed_begin();
  static odd_device odd;
  odd_init(&odd);
  tsr_tensor a = {0}, there = {0}, twin = {0}, back = {0}, wrong = {0}, turned = {0};
  bool same = false;
  OK(ctx, seed_counted(ctx, TSR_SHAPE(3, 4), &a));
  OK(ctx, tsr_to_device(ctx, &a, &odd.table, &there));
  CHECK(odd.in == 1 && memcmp(there.data, a.data, tsr_nbytes(&a)) != 0); /* its bytes are its own affair */
  OK(ctx, tsr_clone(ctx, &there, &twin));
  CHECK(tsr_device_of(&twin) == &odd.table && twin.data != there.data && odd.within == 1);
  OK(ctx, tsr_to_device(ctx, &twin, NULL, &back));
  OK(ctx, tsr_equal(ctx, &a, &back, &same));
  CHECK(same && odd.out == 1 && tsr_device_of(&back) == tsr_device_cpu());
  OK(ctx, tsr_transpose(ctx, &a, 0, 1, &turned)); /* strided on the host: gathered on the way */
  tsr_release(&there);
  OK(ctx, tsr_to_device(ctx, &turned, &odd.table, &there));
  OK(ctx, tsr_fill(ctx, -1, &a));
  OK(ctx, tsr_copy(ctx, &there, &turned)); /* and scattered on the way back, into the memory of a */
  OK(ctx, tsr_equal(ctx, &a, &back, &same));
  CHECK(same && AT(ctx, &a, 1, 2) != -1);

  OK(ctx, tsr_zeros(ctx, TSR_F32, TSR_SHAPE(3, 5), &wrong));
  FAILS(ctx, TSR_ESHAPE, tsr_copy(ctx, &twin, &wrong));
  CHECK(AT(ctx, &wrong, 2, 4) == 0);
  tsr_real value = 0;
  FAILS(ctx, TSR_EDEVICE, tsr_get(ctx, &twin, TSR_INDEX(0, 0), &value)); /* an op on a tensor that is elsewhere */
  MESSAGE_HAS(ctx, "odd:0");
  tsr_release(&wrong);
  tsr_release(&back);
  tsr_release(&twin);
  tsr_release(&there);
  tsr_release(&a);
  CHECK(odd.allocs == odd.frees);
  seed_end();
}

enum { STEPS = 6 };

/* A chain: tensor i is written by step i and read by step i + 1; the first is read again by step 3. */
static void describe_chain(tsr_ctx *ctx, tsr_bundle *graph, tsr_plan_item *items) {
  static const tsr_index lengths[STEPS] = {64, 128, 32, 96, 128, 16};
  static const char *const names[STEPS] = {"a", "b", "c", "d", "e", "f"};
  for (int32_t i = 0; i < STEPS; i++) {
    tsr_tensor t = {0};
    OK(ctx, tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(lengths[i]), &t));
    items[i] = (tsr_plan_item){.bytes = tsr_nbytes(&t), .first = i, .last = i == 0 ? 3 : i + 1};
    OK(ctx, tsr_bundle_add(ctx, graph, names[i], &t));
  }
}

/* An output may take the slot of an input that dies with it; the block may be one that the caller wraps. */
static void check_external_block(tsr_ctx *ctx) {
  static _Alignas(64) uint8_t block[1024];
  tsr_plan_item items[2] = {{.bytes = 512, .first = 0, .last = 1},
                            {.bytes = 512, .first = 1, .last = 2, .in_place = 1}};
  tsr_plan_report report;
  tsr_bundle graph;
  tsr_tensor x = {0}, y = {0}, kept = {0};
  tsr_storage *storage = NULL;
  OK(ctx, tsr_plan(ctx, 2, items, 0, &report));
  CHECK(report.planned == 512 && report.in_place == 1 && items[0].offset == items[1].offset);
  OK(ctx, tsr_bundle_init(ctx, &graph));
  OK(ctx, tsr_desc_init(ctx, TSR_U8, TSR_SHAPE(512), &x));
  OK(ctx, tsr_desc_init(ctx, TSR_U8, TSR_SHAPE(512), &y));
  OK(ctx, tsr_bundle_add(ctx, &graph, "x", &x));
  OK(ctx, tsr_bundle_add(ctx, &graph, "y", &y));
  OK(ctx, tsr_storage_wrap(ctx, NULL, block, sizeof block, NULL, NULL, &storage));
  OK(ctx, tsr_bundle_bind(ctx, &graph, 2, items, report.planned, storage));
  CHECK(tsr_storage_count(storage) == 3 && graph.tensors[0].data == block && graph.tensors[1].data == block);
  FAILS(ctx, TSR_ESTATE, tsr_bundle_bind(ctx, &graph, 2, items, report.planned, storage)); /* they have memory now */
  OK(ctx, tsr_share(ctx, tsr_bundle_find(&graph, "y"), &kept)); /* a handle that outlives the bundle and the storage */
  tsr_bundle_release(&graph);
  tsr_storage_release(storage);
  OK(ctx, tsr_fill(ctx, 3, &kept));
  CHECK(block[511] == 3);
  tsr_release(&kept);
}

/* Several tensors in one buffer by their lifetimes: aligned, without clashes, as small as the lower bound. */
TEST(N15_plan_shares_one_buffer) {
  tsr_ctx *ctx = seed_begin();
  tsr_bundle graph;
  tsr_plan_item items[STEPS];
  tsr_plan_report report;
  OK(ctx, tsr_bundle_init(ctx, &graph));
  describe_chain(ctx, &graph, items);
  OK(ctx, tsr_plan(ctx, STEPS, items, 64, &report));
  OK(ctx, tsr_plan_check(ctx, STEPS, items, 64, report.planned));
  CHECK(report.planned == report.lower_bound && report.planned < report.unshared);
  CHECK(report.unshared == 4 * (64 + 128 + 32 + 96 + 128 + 16));
  for (int i = 0; i < STEPS; i++)
    CHECK(items[i].offset % 64 == 0 && items[i].offset + items[i].bytes <= report.planned);
  for (int i = 0; i < STEPS; i++)
    for (int j = 0; j < i; j++) { /* the planner's own check, once more by hand */
      const bool together = items[i].first <= items[j].last && items[j].first <= items[i].last;
      const bool apart =
          items[i].offset + items[i].bytes <= items[j].offset || items[j].offset + items[j].bytes <= items[i].offset;
      CHECK(!together || apart);
    }
  OK(ctx, tsr_bundle_bind(ctx, &graph, STEPS, items, report.planned, NULL));
  const uint8_t *const base = (const uint8_t *)graph.tensors[0].data - items[0].offset;
  for (int i = 0; i < STEPS; i++) {
    const tsr_tensor *const t = &graph.tensors[i];
    CHECK((const uint8_t *)t->data == base + items[i].offset);
    CHECK(tsr_capacity(t) == items[i].bytes && tsr_refcount(t) == 1); /* a storage of its own, the size of its slot */
  }
  for (int i = 0; i < STEPS; i++) { /* a run of the graph: nobody's input is gone when it is read */
    tsr_tensor out = {0};
    OK(ctx, tsr_view(ctx, &graph.tensors[i], &out));
    OK(ctx, tsr_fill(ctx, (tsr_real)(i + 1), &out));
    if (i > 0) CHECK(AT(ctx, &graph.tensors[i - 1], -1) == i);
    if (i <= 3) CHECK(AT(ctx, &graph.tensors[0], -1) == 1);
  }
  tsr_plan_item clash[STEPS];
  memcpy(clash, items, sizeof clash);
  clash[1].offset = clash[0].offset;
  FAILS(ctx, TSR_EOVERLAP, tsr_plan_check(ctx, STEPS, clash, 64, report.planned));
  tsr_bundle_release(&graph);
  check_external_block(ctx);
  seed_end();
}

/* Shapes that change from run to run: within the slot, never into a neighbour. */
TEST(N16_dynamic_shapes_in_their_slots) {
  tsr_ctx *ctx = seed_begin();
  tsr_bundle graph;
  tsr_plan_item items[STEPS];
  tsr_plan_report report;
  tsr_tensor b = {0};
  OK(ctx, tsr_bundle_init(ctx, &graph));
  describe_chain(ctx, &graph, items);
  OK(ctx, tsr_plan(ctx, STEPS, items, 0, &report));
  OK(ctx, tsr_bundle_bind(ctx, &graph, STEPS, items, report.planned, NULL));
  OK(ctx, tsr_share(ctx, tsr_bundle_find(&graph, "b"), &b));
  void *const place = b.data;
  CHECK(tsr_capacity(&b) == 512);
  OK(ctx, tsr_reallocate(ctx, &b, TSR_SHAPE(5, 20)));
  OK(ctx, tsr_reallocate(ctx, &b, TSR_SHAPE(4, 4, 8)));
  CHECK(b.data == place && tsr_size(&b) == 128);
  FAILS(ctx, TSR_ECAPACITY, tsr_reallocate(ctx, &b, TSR_SHAPE(129)));
  SHAPE_IS(&b, 4, 4, 8);
  CHECK(report.planned > 516); /* the block would have had the bytes: they are another tensor's */
  tsr_tensor wider = {0};
  FAILS(ctx, TSR_ECAPACITY, tsr_as_strided(ctx, &b, TSR_SHAPE(129), (const tsr_index[]){1}, 0, &wider));
  OK(ctx, tsr_fill(ctx, -1, &b));
  const tsr_tensor *const a = tsr_bundle_find(&graph, "a"); /* alive beside it, and untouched */
  tsr_tensor view = {0};
  OK(ctx, tsr_view(ctx, a, &view));
  OK(ctx, tsr_fill(ctx, 7, &view));
  OK(ctx, tsr_fill(ctx, -2, &b));
  for (tsr_index i = 0; i < 64; i++) CHECK(AT(ctx, a, i) == 7);
  tsr_release(&b);
  tsr_bundle_release(&graph);
  seed_end();
}

TEST_MAIN(RUN(N1_unique_names), RUN(N2_descriptor), RUN(N3_dtypes), RUN(N4_formats), RUN(N5_strides_in_elements),
          RUN(N6_external_buffer), RUN(N7_reference_count), RUN(N8_constructors), RUN(N9_memory_pool),
          RUN(N10_three_cases_of_resize), RUN(N11_npy_round_trip), RUN(N11_safetensors_round_trip), RUN(N11_files),
          RUN(N12_print_description_and_data), RUN(N12_print_a_file), RUN(N13_accessors),
          RUN(N14_clone_and_copy_across_devices), RUN(N15_plan_shares_one_buffer),
          RUN(N16_dynamic_shapes_in_their_slots))
