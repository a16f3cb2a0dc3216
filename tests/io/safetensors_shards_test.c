/* Checkpoints of several files, and the small floats that no tensor has. */
#include "files_support.h"

#include <math.h>
#include <tessera/tessera.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

static void write_text(const char *name, const char *text) {
  FILE *f = fopen(in_folder(name), "wb");
  CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void write_shard(const char *name, const char *a, const char *b) {
  const char *const names[] = {a, b};
  tsr_bundle bundle = {0};
  tsr_metadata metadata = {0};
  for (int i = 0; i < 2; i++) {
    tsr_tensor t = {0};
    OK(NULL, tsr_arange(NULL, TSR_F32, i, i + 3, 1, &t));
    OK(NULL, tsr_bundle_add(NULL, &bundle, names[i], &t));
  }
  OK(NULL, tsr_metadata_set(NULL, &metadata, "from", name));
  OK(NULL, tsr_safetensors_save(NULL, in_folder(name), &bundle, &metadata, NULL));
  tsr_bundle_release(&bundle);
  tsr_metadata_release(&metadata);
}

static const char whole[] =
    "{\"metadata\": {\"total_size\": 48},\n \"weight_map\": {\"b.x\": \"two\", \"a\": \"one\", \"\": \"two\", "
    "\"b\\u0041\": \"one\"}}\n";

static void check_all(const tsr_bundle *out, const tsr_metadata *metadata) {
  static const char *const order[] = {"b.x", "a", "", "bA"};
  CHECK(out->count == 4);
  for (int i = 0; i < 4; i++) CHECK(strcmp(out->tensors[i].name, order[i]) == 0 && out->tensors[i].shape[0] == 3);
  CHECK(strcmp(tsr_metadata_find(metadata, "from"), "two") == 0); /* of the first file */
}

TEST(tensors_come_from_their_files) {
  tsr_bundle out = {0};
  tsr_metadata metadata = {0};
  int format = 0;
  CHECK(folder_make());
  write_shard("one", "a", "bA");
  write_shard("two", "b.x", "");
  write_text("index", whole);
  OK(NULL, tsr_safetensors_load_sharded(NULL, in_folder("index"), NULL, &out, &metadata));
  check_all(&out, &metadata);
  tsr_bundle_release(&out);
  tsr_metadata_release(&metadata);
  OK(NULL, tsr_format_detect(NULL, in_folder("index"), &format));
  CHECK(format == TSR_FORMAT_SHARDS);
  OK(NULL, tsr_bundle_load(NULL, in_folder("index"), &out, &metadata));
  check_all(&out, &metadata);
  FAILS(NULL, TSR_EUNSUPPORTED,
        tsr_bundle_save(NULL, in_folder("x.safetensors.index.json"), TSR_FORMAT_AUTO, &out, NULL));
  tsr_bundle_release(&out);
  tsr_metadata_release(&metadata);
  folder_end();
}

/* A text, and what is said of it. */
static const struct {
  const char *text, *what;
  tsr_status status;
} broken[] = {
    {"", "the header ends, expected '{'", TSR_EFORMAT},
    {"[]", "expected '{'", TSR_EFORMAT},
    {"{}", "there is no weight_map", TSR_EFORMAT},
    {"{\"weight_map\": []}", "expected '{'", TSR_EFORMAT},
    {"{\"weight_map\": {}} {", "text behind the end", TSR_EFORMAT},
    {"{\"weight_map\": {}, \"weight_map\": {}}", "weight_map appears twice", TSR_EFORMAT},
    {"{\"weight_map\": {\"a\": \"one\", \"a\": \"one\"}}", "'a' appears twice", TSR_EFORMAT},
    {"{\"weight_map\": {\"z\": \"one\"}}", "'z' is not in its file", TSR_EFORMAT},
    {"{\"weight_map\": {\"a\": \"../one\"}}", "no name of a file", TSR_EFORMAT},
    {"{\"weight_map\": {\"a\": \"\"}}", "no name of a file", TSR_EFORMAT},
    {"{\"weight_map\": {\"a\": \"nosuch\"}}", "nosuch: cannot be opened", TSR_EIO},
    {"{\"x\": {]}, \"weight_map\": {}}", "expected a value", TSR_EFORMAT},
    {"{\"x\": , \"weight_map\": {}}", "expected a value", TSR_EFORMAT},
    {"{\"x\": \"", "", TSR_EFORMAT},
};

TEST(what_is_broken_is_refused) {
  CHECK(folder_make());
  write_shard("one", "a", "bA");
  for (int i = 0; i < (int)(sizeof broken / sizeof broken[0]); i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle out = {0};
    write_text("index", broken[i].text);
    FAILS(ctx, broken[i].status, tsr_safetensors_load_sharded(ctx, in_folder("index"), NULL, &out, NULL));
    MESSAGE_HAS(ctx, broken[i].what);
    CHECK(out.count == 0 && m.failing.live == 0);
  }
  folder_end();
}

TEST(memory_runs_out) {
  CHECK(folder_make());
  write_shard("one", "a", "bA");
  write_shard("two", "b.x", "");
  write_text("index", whole);
  for (size_t at = 0; at < 200; at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, at, false);
    tsr_bundle out = {0};
    tsr_metadata metadata = {0};
    const tsr_status st = tsr_safetensors_load_sharded(ctx, in_folder("index"), NULL, &out, &metadata);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && out.count == 0 && metadata.count == 0));
    tsr_bundle_release(&out);
    tsr_metadata_release(&metadata);
    CHECK(m.failing.live == 0);
    if (st == TSR_OK) break;
    CHECK(at < 199);
  }
  folder_end();
}

/* ---- small floats ---- */

/* Every code of a format, by its parts, in double. */
static double by_definition(int code, int bits, int exponent_bits, int mantissa_bits, int bias) {
  const int sign = code >> (bits - 1) & 1, exponent = code >> mantissa_bits & ((1 << exponent_bits) - 1);
  const int mantissa = code & ((1 << mantissa_bits) - 1);
  const double one = (double)(1 << mantissa_bits);
  const double value =
      exponent > 0 ? (1 + mantissa / one) * pow(2, exponent - bias) : mantissa / one * pow(2, 1 - bias);
  return sign != 0 ? -value : value;
}

static void check_format(const char *type, int bits, int exponent_bits, int mantissa_bits, int bias, int nan) {
  uint8_t packed[256] = {0};
  const tsr_index count = (tsr_index)1 << bits, n = count * bits / 8;
  tsr_tensor bytes = {0}, out = {0};
  for (int i = 0; i < count; i++)
    for (int b = 0; b < bits; b++)
      if ((i >> b & 1) != 0) packed[(i * bits + b) / 8] |= (uint8_t)(1u << (i * bits + b) % 8);
  OK(NULL, tsr_from_memory(NULL, packed, TSR_U8, 1, &n, &bytes));
  OK(NULL, tsr_safetensors_unpack(NULL, &bytes, type, 1, &count, &out));
  const float *got = out.data;
  for (int i = 0; i < count; i++) {
    if (i == nan)
      CHECK(isnan(got[i]));
    else
      CHECK((double)got[i] == by_definition(i, bits, exponent_bits, mantissa_bits, bias));
  }
  tsr_release(&out);
}

TEST(every_code_is_its_number) {
  check_format("F4", 4, 2, 1, 1, -1);
  check_format("F6_E2M3", 6, 2, 3, 1, -1);
  check_format("F6_E3M2", 6, 3, 2, 3, -1);
  check_format("F8_E4M3FNUZ", 8, 4, 3, 8, 128);
  check_format("F8_E5M2FNUZ", 8, 5, 2, 16, 128);
  uint8_t scales[256];
  tsr_tensor bytes = {0}, out = {0};
  for (int i = 0; i < 256; i++) scales[i] = (uint8_t)i;
  OK(NULL, tsr_from_memory(NULL, scales, TSR_U8, TSR_SHAPE(256), &bytes));
  OK(NULL, tsr_safetensors_unpack(NULL, &bytes, "F8_E8M0", TSR_SHAPE(16, 16), &out));
  for (int i = 0; i < 255; i++) CHECK((double)((float *)out.data)[i] == pow(2, i - 127));
  CHECK(isnan(((float *)out.data)[255]) && out.ndim == 2);
  tsr_release(&out);
}

TEST(unpack_refuses_what_does_not_fit) {
  uint8_t some[4] = {0};
  tsr_tensor bytes = {0}, f32 = {0}, out = {0};
  const tsr_index huge[2] = {TSR_INDEX_MAX, 4};
  OK(NULL, tsr_from_memory(NULL, some, TSR_U8, TSR_SHAPE(4), &bytes));
  OK(NULL, tsr_zeros(NULL, TSR_F32, TSR_SHAPE(1), &f32));
  FAILS(NULL, TSR_ESHAPE, tsr_safetensors_unpack(NULL, &bytes, "F4", TSR_SHAPE(9), &out));
  FAILS(NULL, TSR_ESHAPE, tsr_safetensors_unpack(NULL, &bytes, "F6_E2M3", TSR_SHAPE(4), &out));
  OK(NULL, tsr_safetensors_unpack(NULL, &bytes, "F6_E2M3", TSR_SHAPE(5), &out)); /* 30 bits */
  FAILS(NULL, TSR_ESTATE, tsr_safetensors_unpack(NULL, &bytes, "F4", TSR_SHAPE(8), &out));
  tsr_release(&out);
  out = (tsr_tensor){0};
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_safetensors_unpack(NULL, &bytes, "F32", TSR_SHAPE(1), &out));
  FAILS(NULL, TSR_EDTYPE, tsr_safetensors_unpack(NULL, &f32, "F4", TSR_SHAPE(8), &out));
  FAILS(NULL, TSR_EOVERFLOW, tsr_safetensors_unpack(NULL, &bytes, "F4", 2, huge, &out));
  FAILS(NULL, TSR_EARG, tsr_safetensors_unpack(NULL, &bytes, NULL, TSR_SHAPE(8), &out));
  FAILS(NULL, TSR_EARG, tsr_safetensors_unpack(NULL, &bytes, "F4", TSR_SHAPE(8), NULL));
  tsr_release(&f32);
}

TEST_MAIN(RUN(tensors_come_from_their_files), RUN(what_is_broken_is_refused), RUN(memory_runs_out),
          RUN(every_code_is_its_number), RUN(unpack_refuses_what_does_not_fit))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
