/* Tables and options that a program hands in: the library reads as much of a table as its size says, refuses one whose size was
 * not set, and refuses options that want something of a later version. */
#include "support/helpers.h"
#include "support/test.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

/* ---- tables as a program of the first version has them: not a byte more is there ---- */

#if TSR_HAVE_MALLOC

/* The bytes of the first version of a table, whose last field was this one: not sizeof, which grows. */
#define FIRST(table, last) (offsetof(table, last) + sizeof(((table *)0)->last))

static void *exactly(const void *table, size_t bytes) {
  void *const copy = malloc(bytes); /* an address sanitizer sees what is read behind it */
  if (copy == NULL) abort();
  memcpy(copy, table, bytes);
  *(size_t *)copy = bytes;
  return copy;
}

static void *first_alloc(void *self, size_t bytes, size_t align, int hint) {
  (void)align, (void)hint;
  ++*(int *)self;
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}
static void first_free(void *self, void *ptr, size_t bytes) {
  (void)bytes;
  --*(int *)self;
  free(ptr);
}

static void first_for(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  (void)grain;
  ++*(int *)self;
  fn(arg, 0, n, 0);
}

TEST(tables_of_the_first_version_are_enough) {
  int live = 0, runs = 0;
  const tsr_allocator table = {sizeof table, first_alloc, first_free, &live};
  const tsr_parallel loops = {sizeof loops, first_for, 4, &runs};
  tsr_allocator *allocator = exactly(&table, FIRST(tsr_allocator, self));
  tsr_parallel *parallel = exactly(&loops, FIRST(tsr_parallel, self));
  tsr_ctx ctx;
  tsr_tensor x = {0}, y = {0};
  OK(NULL, tsr_context_init(&ctx, allocator));
  ctx.parallel = parallel;
  OK(&ctx, tsr_full(&ctx, TSR_F32, TSR_SHAPE(512, 512), 3, &x));
  OK(&ctx, tsr_add(&ctx, &x, &x, &y));
  CHECK(live == 2 && runs > 0 && ((const float *)y.data)[511] == 6);
  tsr_release(&x);
  tsr_release(&y);
  CHECK(live == 0);
  free(parallel);
  free(allocator);
}

#if TSR_HAVE_STDIO

typedef struct memory {
  char bytes[4096];
  size_t n, at;
} memory;

static tsr_status memory_write(void *self, const void *bytes, size_t n) {
  memory *const m = self;
  if (n > sizeof m->bytes - m->n) return TSR_EIO;
  memcpy(m->bytes + m->n, bytes, n);
  m->n += n;
  return TSR_OK;
}
static tsr_status memory_pull(void *self, void *bytes, size_t n, size_t *got) {
  memory *const m = self;
  *got = n < m->n - m->at ? n : m->n - m->at;
  memcpy(bytes, m->bytes + m->at, *got);
  m->at += *got;
  return TSR_OK;
}
static tsr_status memory_read(void *self, uint64_t offset, void *bytes, size_t n) {
  memory *const m = self;
  memcpy(bytes, m->bytes + offset, n);
  return TSR_OK;
}

TEST(streams_of_the_first_version_are_enough) {
  tsr_ctx *const ctx = test_context();
  static memory m;
  tsr_tensor x = {0}, y = {0};
  tsr_bundle bundle = {0}, back = {0};
  m.n = m.at = 0;
  tsr_sink *const sink = exactly(&(tsr_sink){sizeof(tsr_sink), memory_write, &m}, FIRST(tsr_sink, self));
  OK(ctx, tsr_arange(ctx, TSR_F32, 0, 6, 1, &x));
  OK(ctx, tsr_npy_write(ctx, &x, sink));
  tsr_source *const source = exactly(&(tsr_source){sizeof(tsr_source), memory_pull, &m}, FIRST(tsr_source, self));
  OK(ctx, tsr_npy_read(ctx, source, NULL, &y));
  CHECK(test_same_elements(&x, &y));
  m.n = 0;
  OK(ctx, tsr_bundle_add(ctx, &bundle, "x", &x));
  OK(ctx, tsr_safetensors_write(ctx, &bundle, NULL, NULL, sink));
  tsr_reader *const reader = exactly(&(tsr_reader){sizeof(tsr_reader), memory_read, &m, m.n}, FIRST(tsr_reader, bytes));
  OK(ctx, tsr_safetensors_read(ctx, reader, NULL, &back, NULL));
  CHECK(back.count == 1 && test_same_elements(&back.tensors[0], &y));
  tsr_bundle_release(&bundle);
  tsr_bundle_release(&back);
  tsr_release(&y);
  free(reader);
  free(source);
  free(sink);
}

TEST(a_table_whose_size_was_not_set_is_refused) {
  tsr_ctx *const ctx = test_context();
  static memory m;
  const tsr_sink sink = {.write = memory_write, .self = &m};
  const tsr_source source = {.size = 8, .read = memory_pull, .self = &m};
  const tsr_reader reader = {.read = memory_read, .self = &m, .bytes = 8};
  const tsr_allocator allocator = {.alloc = first_alloc, .free = first_free};
  tsr_ctx other;
  tsr_tensor x = {0};
  tsr_bundle bundle = {0};
  FAILS(ctx, TSR_EARG, tsr_print_to(ctx, &x, NULL, &sink));
  MESSAGE_HAS(ctx, "print: sink has size 0, not that of its struct: set it to sizeof(tsr_sink)");
  FAILS(ctx, TSR_EARG, tsr_npy_read(ctx, &source, NULL, &x));
  MESSAGE_HAS(ctx, "npy_read: source has size 8");
  FAILS(ctx, TSR_EARG, tsr_safetensors_read(ctx, &reader, NULL, &bundle, NULL));
  FAILS(ctx, TSR_EARG, tsr_gguf_read(ctx, &reader, NULL, &bundle, NULL));
  FAILS(ctx, TSR_EARG, tsr_npz_read(ctx, &reader, NULL, &bundle));
  CHECK(tsr_context_init(&other, &allocator) == TSR_EARG);
  MESSAGE_HAS(&other, "context_init: allocator has size 0: set it to sizeof(tsr_allocator)");
}

#endif
#endif

/* ---- options ---- */

#if TSR_HAVE_OPS && TSR_HAVE_STDIO

#define REFUSED(type, call)                                                                   \
  do {                                                                                        \
    const type options = {.reserved[sizeof(((type *)0)->reserved) / sizeof(size_t) - 1] = 1}; \
    FAILS(ctx, TSR_EUNSUPPORTED, call);                                                       \
    MESSAGE_HAS(ctx, "options have something in their reserved room");                        \
  } while (0)

TEST(options_of_a_later_version_are_refused) {
  tsr_ctx *const ctx = test_context();
  tsr_tensor x = {0}, w = {0}, volume = {0}, out = {0}, u8 = {0};
  tsr_bundle bundle = {0};
  static memory m;
  tsr_conv_packed packed;
  tsr_qlayer layer;
  tsr_conv_options conv = {.reserved = {1}};
  tsr_qscheme scheme;
  const tsr_sink sink = {sizeof sink, memory_write, &m};
  const tsr_reader reader = {sizeof reader, memory_read, &m, 64};
  memset(&packed, 0, sizeof packed);
  memset(&layer, 0, sizeof layer);
  memset(&scheme, 0, sizeof scheme);
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(1, 1, 4, 4), &x));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(1, 1, 2, 2), &w));
  OK(ctx, tsr_ones(ctx, TSR_F32, TSR_SHAPE(1, 1, 2, 2, 2), &volume));
  OK(ctx, tsr_zeros(ctx, TSR_U8, TSR_SHAPE(2, 2), &u8));
  REFUSED(tsr_conv_options, tsr_conv2d(ctx, &x, &w, NULL, &options, &out));
  REFUSED(tsr_conv3d_options, tsr_conv3d(ctx, &volume, &volume, NULL, &options, &out));
  REFUSED(tsr_conv_transpose_options, tsr_conv_transpose2d(ctx, &x, &w, NULL, &options, &out));
  REFUSED(tsr_pool_options, tsr_max_pool(ctx, &x, TSR_SHAPE(2, 2), &options, &out));
  REFUSED(tsr_gemm_options, tsr_gemm(ctx, 1, &x, &x, 0, NULL, &options, &out));
  REFUSED(tsr_attention_options, tsr_attention(ctx, &x, &x, &x, NULL, &options, &out));
  REFUSED(tsr_selection, tsr_sum_where(ctx, &x, &options, 0, NULL, false, &out));
  REFUSED(tsr_selection, tsr_mean_where(ctx, &x, &options, 0, NULL, false, &out));
  REFUSED(tsr_selection, tsr_argmax_where(ctx, &x, &options, 0, false, &out));
  REFUSED(tsr_resize_options, tsr_resize_linear(ctx, &x, TSR_SHAPE(8, 8), &options, &out));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_conv_pack(ctx, &w, NULL, &conv, &x, &packed));
  FAILS(ctx, TSR_EUNSUPPORTED, tsr_qconv_pack(ctx, &w, NULL, &conv, &scheme, &layer));
  REFUSED(tsr_print_options, tsr_print_to(ctx, &x, &options, &sink));
  REFUSED(tsr_npy_options, tsr_npy_decode(ctx, m.bytes, sizeof m.bytes, &options, NULL, &out));
  REFUSED(tsr_npz_options, tsr_npz_read(ctx, &reader, &options, &bundle));
  REFUSED(tsr_npz_save_options, tsr_npz_write(ctx, &bundle, &options, &sink));
  REFUSED(tsr_safetensors_options, tsr_safetensors_read(ctx, &reader, &options, &bundle, NULL));
  tsr_safetensors_file *file = NULL;
  REFUSED(tsr_safetensors_options, tsr_safetensors_file_new(ctx, &reader, &options, &file));
  REFUSED(tsr_safetensors_save_options, tsr_safetensors_write(ctx, &bundle, NULL, &options, &sink));
  REFUSED(tsr_gguf_options, tsr_gguf_read(ctx, &reader, &options, &bundle, NULL));
  REFUSED(tsr_csv_options, tsr_csv_decode(ctx, "1,2", 3, &options, &out, NULL));
  REFUSED(tsr_csv_options, tsr_csv_write(ctx, &u8, NULL, &options, &sink));
  REFUSED(tsr_pnm_options, tsr_pnm_decode(ctx, "P5", 2, &options, &out));
  REFUSED(tsr_pnm_save_options, tsr_pnm_write(ctx, &u8, &options, &sink));
  REFUSED(tsr_png_options, tsr_png_decode(ctx, "P", 1, &options, &out));
  REFUSED(tsr_png_save_options, tsr_png_write(ctx, &u8, &options, &sink));
  REFUSED(tsr_jpeg_options, tsr_jpeg_decode(ctx, "P", 1, &options, &out));
  REFUSED(tsr_jpeg_save_options, tsr_jpeg_write(ctx, &u8, &options, &sink));
  REFUSED(tsr_wav_options, tsr_wav_decode(ctx, "P", 1, &options, &out, NULL));
  REFUSED(tsr_image_options, tsr_image_to_tensor(ctx, &u8, &options, &out));
  REFUSED(tsr_image_options, tsr_tensor_to_image(ctx, &x, &options, &out));
  REFUSED(tsr_raw_options, tsr_raw_load(ctx, "nowhere", TSR_U8, TSR_SHAPE(1), &options, &out));
  REFUSED(tsr_raw_options, tsr_raw_write(ctx, &u8, &options, &sink));
  REFUSED(tsr_carray_options, tsr_carray_write(ctx, &bundle, &options, &sink));
  REFUSED(tsr_io_limits, tsr_context_set_io_limits(ctx, &options));
  CHECK(tsr_is_none(&out) && m.n == 0);
  tsr_release(&x);
  tsr_release(&w);
  tsr_release(&volume);
  tsr_release(&u8);
}

#endif

/* What a soname fixes: bytes of the structs that programs hold, where pointers and indices have 64 bits. A field that takes the
 * place of a reserved word changes none of them. */
TEST(structs_keep_their_size) {
#if TSR_INDEX_BITS == 64 && TSR_REAL_BITS == 64 && UINTPTR_MAX > 0xffffffff
  CHECK(sizeof(tsr_attention_options) == 56);
  CHECK(sizeof(tsr_carray_options) == 48);
  CHECK(sizeof(tsr_conv_options) == 136);
  CHECK(sizeof(tsr_conv3d_options) == 136);
  CHECK(sizeof(tsr_conv_transpose_options) == 120);
  CHECK(sizeof(tsr_csv_options) == 120);
  CHECK(sizeof(tsr_gguf_options) == 56);
  CHECK(sizeof(tsr_npy_options) == 40);
  CHECK(sizeof(tsr_io_limits) == 72);
  CHECK(sizeof(tsr_gemm_options) == 72);
  CHECK(sizeof(tsr_npz_options) == 48);
  CHECK(sizeof(tsr_npz_save_options) == 40);
  CHECK(sizeof(tsr_image_options) == 72);
  CHECK(sizeof(tsr_jpeg_options) == 40);
  CHECK(sizeof(tsr_jpeg_save_options) == 40);
  CHECK(sizeof(tsr_wav_options) == 40);
  CHECK(sizeof(tsr_png_options) == 40);
  CHECK(sizeof(tsr_png_save_options) == 40);
  CHECK(sizeof(tsr_pnm_options) == 40);
  CHECK(sizeof(tsr_pnm_save_options) == 40);
  CHECK(sizeof(tsr_pool_options) == 104);
  CHECK(sizeof(tsr_print_options) == 80);
  CHECK(sizeof(tsr_raw_options) == 48);
  CHECK(sizeof(tsr_resize_options) == 56);
  CHECK(sizeof(tsr_selection) == 56);
  CHECK(sizeof(tsr_safetensors_options) == 40);
  CHECK(sizeof(tsr_safetensors_save_options) == 48);
  CHECK(sizeof(tsr_allocator) == 32);
  CHECK(sizeof(tsr_parallel) == 32);
  CHECK(sizeof(tsr_source) == 24);
  CHECK(sizeof(tsr_reader) == 32);
  CHECK(sizeof(tsr_sink) == 24);
  CHECK(sizeof(tsr_producer) == 24);
  CHECK(sizeof(tsr_tensor) == 160);
  CHECK(sizeof(tsr_packed) == 184);
  CHECK(sizeof(tsr_conv_packed) == 336);
  CHECK(sizeof(tsr_qlayer) == 640);
  CHECK(sizeof(tsr_quant) == 40);
  CHECK(sizeof(tsr_activation) == 24);
  CHECK(sizeof(tsr_rng) == 24);
  CHECK(sizeof(tsr_iter) == 224);
  CHECK(sizeof(tsr_bundle) == 48);
  CHECK(sizeof(tsr_arena) == 72);
  CHECK(sizeof(tsr_memory_stats) == 48);
  CHECK(sizeof(tsr_plan_item) == 32);
#else
  SKIP("other bits");
#endif
}

/* ---- names for other languages ---- */

TEST(functions_have_plain_names_too) {
  tsr_ctx ctx;
  tsr_tensor x = {0};
  OK(NULL, (tsr_context_init)(&ctx, test_context()->allocator));
  OK(&ctx, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(2), &x));
  (tsr_release)(&x);
  CHECK(tsr_is_none(&x) && test_live() == 0);
}

#if TSR_HAVE_MALLOC && TSR_HAVE_STDIO && TSR_HAVE_OPS
TEST_MAIN(RUN(tables_of_the_first_version_are_enough), RUN(streams_of_the_first_version_are_enough),
          RUN(a_table_whose_size_was_not_set_is_refused), RUN(options_of_a_later_version_are_refused),
          RUN(structs_keep_their_size), RUN(functions_have_plain_names_too))
#else
TEST_MAIN(RUN(structs_keep_their_size), RUN(functions_have_plain_names_too))
#endif
