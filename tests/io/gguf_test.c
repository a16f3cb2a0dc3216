/* GGUF files as scripts/golden_gguf.py writes them: tensors of every type that is read, in place and copied, metadata
 * of every kind, blocks to numbers; limits, bad calls, memory that fails. */
#include "files_support.h"

#include <math.h>
#include <tessera/elements.h>
#include <tessera/formats.h>
#include <tessera/gguf.h>
#include <tessera/ops.h>
#include "safetensors_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

enum { LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, FILE_BYTES = 1 << 14 };

static _Alignas(64) uint8_t bytes[FILE_BYTES];

static const char *path_of(const char *name) {
  static char path[1024];
  (void)snprintf(path, sizeof path, "%s/tests/io/gguf/%s", TSR_SOURCE_DIR, name);
  return path;
}

static size_t load_bytes(const char *name) { return file_bytes("tests/io/gguf", name, bytes, sizeof bytes); }

/* ---- tensors ---- */

static const struct {
  const char *name;
  int dtype, ndim;
  tsr_index shape[4];
  double first, last;
} tensors[] = {{"f32", TSR_F32, 2, {2, 3}, 0, 5},        {"f16", TSR_F16, 1, {5}, 0, 4},
               {"bf16", TSR_BF16, 1, {2}, 1, -2},        {"f64", TSR_F64, 1, {3}, 1, 0.5},
               {"none", TSR_F32, 2, {0, 4}, 0, 0},       {"i8", TSR_I8, 4, {2, 1, 2, 2}, -4, 3},
               {"i16", TSR_I16, 4, {2, 1, 2, 2}, -4, 3}, {"i32", TSR_I32, 4, {2, 1, 2, 2}, -4, 3},
               {"i64", TSR_I64, 4, {2, 1, 2, 2}, -4, 3}};

enum { TENSORS = (int)(sizeof tensors / sizeof tensors[0]) };

static void check_tensors(const tsr_bundle *b) {
  for (int i = 0; i < TENSORS; i++) {
    const tsr_tensor *t = tsr_bundle_find(b, tensors[i].name);
    double first = 0, last = 0;
    REQUIRE(t != NULL);
    CHECK(t->dtype == tensors[i].dtype && t->ndim == tensors[i].ndim);
    for (int k = 0; k < t->ndim; k++) CHECK(t->shape[k] == tensors[i].shape[k]);
    if (tsr_size(t) == 0) continue;
    OK(NULL, tsr_get_flat(NULL, t, 0, TSR_ROW_MAJOR, &first));
    OK(NULL, tsr_get_flat(NULL, t, tsr_size(t) - 1, TSR_ROW_MAJOR, &last));
    CHECK(first == tensors[i].first && last == tensors[i].last);
  }
}

TEST(every_way_in) {
  static const char *const files[] = {"plain.gguf", "plain_v2.gguf", "wide.gguf"};
  for (int f = 0; f < 3; f++) {
    const size_t n = load_bytes(files[f]);
    REQUIRE(n > 0);
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      const tsr_gguf_options options = {.access = access};
      tsr_bundle b = {0};
      st_reader state;
      const tsr_reader reader = st_reader_of(&state, bytes, n);
      OK(ctx, tsr_gguf_decode(ctx, bytes, n, &options, &b, NULL));
      check_tensors(&b);
      const tsr_tensor *t = tsr_bundle_find(&b, "f32");
      const bool inside = (const uint8_t *)t->data >= bytes && (const uint8_t *)t->data < bytes + n;
      CHECK(inside == (LITTLE && access == TSR_ACCESS_READ) && ((t->flags & TSR_READONLY) != 0) == inside);
      tsr_bundle_release(&b);
      OK(ctx, tsr_gguf_read(ctx, &reader, &options, &b, NULL));
      check_tensors(&b);
      tsr_bundle_release(&b);
      OK(ctx, tsr_gguf_load(ctx, path_of(files[f]), &options, &b, NULL));
      check_tensors(&b);
      t = tsr_bundle_find(&b, "i8");
      CHECK(((t->flags & TSR_READONLY) != 0) == (access == TSR_ACCESS_READ));
      if (access == TSR_ACCESS_PRIVATE) *(int8_t *)t->data = 1; /* the file stays as it is */
      tsr_bundle_release(&b);
      CHECK(m.failing.live == 0);
    }
  }
}

/* Tensors that are not aligned for their dtype are copied. */
TEST(unaligned) {
  tsr_bundle b = {0};
  OK(NULL, tsr_gguf_load(NULL, path_of("narrow.gguf"), NULL, &b, NULL));
  for (tsr_index i = 0; i < b.count; i++) {
    const tsr_tensor *t = &b.tensors[i];
    CHECK(tsr_size(t) == 0 || (uintptr_t)t->data % tsr_dtype_describe(t->dtype)->align == 0);
  }
  const tsr_tensor *t = tsr_bundle_find(&b, "f32");
  REQUIRE(t != NULL && tsr_size(t) == 6);
  for (int i = 0; i < 6; i++) CHECK(((const float *)t->data)[i] == (float)i);
  tsr_bundle_release(&b);
}

TEST(by_content) {
  tsr_bundle b = {0};
  tsr_metadata meta = {0};
  int format = 0;
  OK(NULL, tsr_format_detect(NULL, path_of("plain.gguf"), &format));
  CHECK(format == TSR_FORMAT_GGUF && strcmp(tsr_format_name((tsr_format)format), "gguf") == 0);
  OK(NULL, tsr_bundle_load(NULL, path_of("plain.gguf"), &b, &meta));
  check_tensors(&b);
  CHECK(strcmp(tsr_metadata_find(&meta, "general.architecture"), "test") == 0);
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, "/tmp/never.gguf", 0, &b, NULL));
  MESSAGE_HAS(NULL, "gguf files are read, not written");
  tsr_bundle_release(&b);
  tsr_metadata_release(&meta);
  OK(NULL, tsr_gguf_load(NULL, path_of("nothing.gguf"), NULL, &b, &meta));
  CHECK(b.count == 0 && meta.count == 0);
}

/* ---- metadata ---- */

static const char *const pairs[][2] = {{"general.architecture", "test"},
                                       {"a.u8", "255"},
                                       {"a.i8", "-128"},
                                       {"a.u16", "65535"},
                                       {"a.i16", "-32768"},
                                       {"a.u32", "4294967295"},
                                       {"a.i32", "-2147483648"},
                                       {"a.u64", "18446744073709551615"},
                                       {"a.i64", "-9223372036854775808"},
                                       {"a.f32", "1e-05"},
                                       {"a.f64", "0.1"},
                                       {"a.true", "true"},
                                       {"a.false", "false"},
                                       {"a.text", "h\xc3\xa9llo \"w\"\n"},
                                       {"a.empty", ""},
                                       {"list.i32", "[1, -2, 3]"},
                                       {"list.f32", "[0.5, 2.0]"},
                                       {"list.text",
                                        "[\"a\", \"b\\\"c\", \"\xe2\x96\x81"
                                        "d\"]"},
                                       {"list.bool", "[true, false]"},
                                       {"list.none", "[]"},
                                       {"list.long", "[0, 1, 2, ..., 100 in all]"},
                                       {"list.bytes", "[\"\\xff\\x00\"]"}};

TEST(every_kind_of_metadata) {
  const tsr_gguf_options options = {.max_items = 3};
  tsr_bundle b = {0};
  tsr_metadata meta = {0};
  OK(NULL, tsr_gguf_load(NULL, path_of("plain.gguf"), &options, &b, &meta));
  REQUIRE(meta.count == (tsr_index)(sizeof pairs / sizeof pairs[0]));
  for (tsr_index i = 0; i < meta.count; i++) {
    CHECK(strcmp(meta.pairs[i].key, pairs[i][0]) == 0 && strcmp(meta.pairs[i].value, pairs[i][1]) == 0);
    if (test_now.failures > 0) printf("   %s = %s\n", meta.pairs[i].key, meta.pairs[i].value);
  }
  tsr_bundle_release(&b);
  tsr_metadata_release(&meta);
}

/* ---- blocks ---- */

static void golden(const char *name, tsr_tensor *out) { OK(NULL, tsr_npy_load(NULL, path_of(name), out)); }

static bool same_numbers(const tsr_tensor *a, const tsr_tensor *b) {
  return tsr_same_shape(a, b) && a->dtype == b->dtype && memcmp(a->data, b->data, tsr_nbytes(a)) == 0;
}

TEST(blocks_become_numbers) {
  static const char *const names[] = {"q8_0", "q4_0"};
  static const int types[] = {TSR_GGUF_Q8_0, TSR_GGUF_Q4_0};
  const tsr_gguf_options to_f32 = {.dequantize = TSR_F32}, to_f16 = {.dequantize = TSR_F16}, opaque = {.opaque = true};
  tsr_bundle f32 = {0}, f16 = {0}, raw = {0};
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_gguf_load(NULL, path_of("blocks.gguf"), NULL, &f32, NULL));
  MESSAGE_HAS(NULL, "tensor 'q8_0' is Q8_0: say what it is dequantised to");
  OK(NULL, tsr_gguf_load(NULL, path_of("blocks.gguf"), &to_f32, &f32, NULL));
  OK(NULL, tsr_gguf_load(NULL, path_of("blocks.gguf"), &to_f16, &f16, NULL));
  OK(NULL, tsr_gguf_load(NULL, path_of("blocks.gguf"), &opaque, &raw, NULL));
  for (int i = 0; i < 2; i++) {
    char file[16];
    tsr_tensor want = {0}, half = {0}, got = {0}, rows = {0}, part = {0}, given = {0};
    (void)snprintf(file, sizeof file, "%s.npy", names[i]);
    golden(file, &want);
    CHECK(same_numbers(&want, tsr_bundle_find(&f32, names[i])));
    OK(NULL, tsr_cast(NULL, &want, TSR_F16, &half));
    CHECK(same_numbers(&half, tsr_bundle_find(&f16, names[i])));
    const tsr_tensor *blocks = tsr_bundle_find(&raw, names[i]);
    REQUIRE(blocks != NULL && blocks->dtype == TSR_U8 && blocks->shape[0] == want.shape[0]);
    CHECK(blocks->shape[1] == want.shape[1] / 32 * (types[i] == TSR_GGUF_Q8_0 ? 34 : 18));
    /* Rows backwards, to memory that is given and has gaps. */
    OK(NULL, tsr_flip(NULL, blocks, 0, &rows));
    OK(NULL, tsr_zeros(NULL, TSR_F64, TSR_SHAPE(want.shape[0], 2 * want.shape[1]), &given));
    OK(NULL, tsr_slice(NULL, &given, 1, 0, TSR_INDEX_MAX, 2, &part));
    OK(NULL, tsr_gguf_dequantize(NULL, &rows, types[i], &part));
    OK(NULL, tsr_flip(NULL, &part, 0, &part));
    OK(NULL, tsr_cast(NULL, &part, TSR_F32, &got));
    for (tsr_index y = 0; y < want.shape[0]; y++)
      for (tsr_index x = 0; x < want.shape[1]; x++) {
        double a = 0, b = 0;
        const tsr_index index[2] = {y, x};
        OK(NULL, tsr_get(NULL, &want, 2, index, &a));
        OK(NULL, tsr_get(NULL, &got, 2, index, &b));
        CHECK(a == b);
      }
    tsr_release(&want);
    tsr_release(&half);
    tsr_release(&got);
    tsr_release(&given);
  }
  tsr_bundle_release(&f32);
  tsr_bundle_release(&f16);
  tsr_bundle_release(&raw);
}

/* All numbers that a block can hold, for every scale that tells something. */
TEST(every_quantum) {
  static const uint16_t scales[] = {0x0000, 0x8000, 0x0001, 0x3c00, 0xc000, 0x7bff, 0x7c00, 0x7e00, 0x1234};
  static const float values[] = {0, -0.0f, 0x1p-24f, 1, -2, 65504, HUGE_VALF, NAN, 0x1.8dp-11f * 0.5f};
  for (int s = 0; s < 8; s++) {
    uint8_t eight[8 * 34], four[18];
    tsr_tensor blocks = {0}, out = {0};
    for (int k = 0; k < 256; k++) {
      uint8_t *at = eight + k / 32 * 34;
      at[0] = (uint8_t)scales[s], at[1] = (uint8_t)(scales[s] >> 8);
      at[2 + k % 32] = (uint8_t)k;
    }
    OK(NULL, tsr_from_memory(NULL, eight, TSR_U8, TSR_SHAPE(sizeof eight), &blocks));
    OK(NULL, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q8_0, &out));
    REQUIRE(tsr_size(&out) == 256);
    for (int k = 0; k < 256; k++) {
      const float want = values[s] * (float)(int8_t)k, got = ((const float *)out.data)[k];
      CHECK(isnan(want) ? isnan(got) : memcmp(&want, &got, 4) == 0);
    }
    tsr_release(&out);
    four[0] = (uint8_t)scales[s], four[1] = (uint8_t)(scales[s] >> 8);
    for (int k = 0; k < 16; k++) four[2 + k] = (uint8_t)(k | (15 - k) << 4);
    OK(NULL, tsr_from_memory(NULL, four, TSR_U8, TSR_SHAPE(sizeof four), &blocks));
    OK(NULL, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q4_0, &out));
    for (int k = 0; k < 32; k++) {
      const int q = k < 16 ? k : 31 - k;
      const float want = values[s] * (float)(q - 8), got = ((const float *)out.data)[k];
      CHECK(isnan(want) ? isnan(got) : memcmp(&want, &got, 4) == 0);
    }
    tsr_release(&out);
  }
}

TEST(bad_calls) {
  static uint8_t raw[68];
  tsr_tensor blocks = {0}, out = {0}, flat = {0}, wrong = {0};
  tsr_bundle b = {0};
  OK(NULL, tsr_from_memory(NULL, raw, TSR_U8, TSR_SHAPE(2, 34), &blocks));
  FAILS(NULL, TSR_EARG, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q8_0, NULL));
  FAILS(NULL, TSR_EARG, tsr_gguf_dequantize(NULL, &blocks, 5, &out));
  FAILS(NULL, TSR_EARG, tsr_gguf_dequantize(NULL, &blocks, -1, &out));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_gguf_dequantize(NULL, &blocks, 12, &out));
  MESSAGE_HAS(NULL, "type Q4_K is not decoded");
  FAILS(NULL, TSR_ESHAPE, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q4_0, &out));
  MESSAGE_HAS(NULL, "u8 [2,34]: the last axis holds no whole blocks of 18 bytes");
  OK(NULL, tsr_from_memory(NULL, raw, TSR_I8, TSR_SHAPE(2, 34), &flat));
  FAILS(NULL, TSR_EDTYPE, tsr_gguf_dequantize(NULL, &flat, TSR_GGUF_Q8_0, &out));
  OK(NULL, tsr_flip(NULL, &blocks, 1, &flat));
  FAILS(NULL, TSR_ESTRIDE, tsr_gguf_dequantize(NULL, &flat, TSR_GGUF_Q8_0, &out));
  OK(NULL, tsr_zeros(NULL, TSR_I32, TSR_SHAPE(2, 32), &wrong));
  FAILS(NULL, TSR_EDTYPE, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q8_0, &wrong));
  tsr_release(&wrong);
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(2, 31), &wrong));
  FAILS(NULL, TSR_ESHAPE, tsr_gguf_dequantize(NULL, &blocks, TSR_GGUF_Q8_0, &wrong));
  tsr_release(&wrong);
  CHECK(tsr_is_none(&out));
  CHECK(tsr_gguf_type_name(4) == NULL && tsr_gguf_type_name(-1) == NULL && tsr_gguf_type_name(1000) == NULL);
  CHECK(strcmp(tsr_gguf_type_name(14), "Q6_K") == 0);
  FAILS(NULL, TSR_EARG, tsr_gguf_load(NULL, NULL, NULL, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_gguf_load(NULL, "x", NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_gguf_decode(NULL, NULL, 4, NULL, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_gguf_read(NULL, NULL, NULL, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_gguf_list(NULL, NULL, NULL, NULL, NULL));
  FAILS(NULL, TSR_EIO, tsr_gguf_load(NULL, path_of("no_such"), NULL, &b, NULL));
  const tsr_gguf_options options[] = {{.access = 3}, {.max_items = -1}, {.dequantize = TSR_I8}, {.dequantize = 99}};
  const tsr_status status[] = {TSR_EARG, TSR_EARG, TSR_EDTYPE, TSR_EDTYPE};
  const size_t n = load_bytes("plain.gguf");
  for (int i = 0; i < 4; i++) FAILS(NULL, status[i], tsr_gguf_decode(NULL, bytes, n, &options[i], &b, NULL));
}

/* Every file cut at every byte: refused, or the same as far as it goes. */
TEST(cut_at_every_byte) {
  static const char *const files[] = {"plain.gguf", "blocks.gguf"};
  for (int f = 0; f < 2; f++) {
    const size_t n = load_bytes(files[f]);
    const tsr_gguf_options options = {.opaque = true};
    for (size_t cut = 0; cut < n; cut++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle b = {0};
      tsr_metadata meta = {0};
      const tsr_status st = tsr_gguf_decode(ctx, bytes, cut, &options, &b, &meta);
      CHECK(st == TSR_EFORMAT || (st == TSR_OK && n - cut < 32)); /* the padding behind the last tensor */
      tsr_bundle_release(&b);
      tsr_metadata_release(&meta);
      CHECK(m.failing.live == 0);
    }
  }
}

TEST(memory_that_fails) {
  const size_t n = load_bytes("blocks.gguf");
  const tsr_gguf_options options = {.dequantize = TSR_F32, .access = TSR_ACCESS_COPY};
  size_t at = 0;
  for (tsr_status st = TSR_ENOMEM; st != TSR_OK; at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, at, true);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    st = tsr_gguf_decode(ctx, bytes, n, &options, &b, &meta);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && b.count == 0 && meta.count == 0));
    tsr_bundle_release(&b);
    tsr_metadata_release(&meta);
    CHECK(m.failing.live == 0);
    REQUIRE(at < 1000);
  }
  CHECK(at > 5);
}

TEST(a_reader_that_fails) {
  const size_t n = load_bytes("plain.gguf");
  size_t at = 0;
  for (tsr_status st = TSR_EIO; st != TSR_OK; at++) {
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, bytes, n);
    state.fail_at = at;
    st = tsr_gguf_read(NULL, &reader, NULL, &b, &meta);
    CHECK(st == TSR_OK || (st == TSR_EIO && b.count == 0 && meta.count == 0));
    tsr_bundle_release(&b);
    tsr_metadata_release(&meta);
    REQUIRE(at < 10000);
  }
}

TEST_MAIN(RUN(every_way_in), RUN(unaligned), RUN(by_content), RUN(every_kind_of_metadata), RUN(blocks_become_numbers),
          RUN(every_quantum), RUN(bad_calls), RUN(cut_at_every_byte), RUN(memory_that_fails), RUN(a_reader_that_fails))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
