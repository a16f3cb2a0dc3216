/* PGM and PPM: all four kinds, both widths, comments and white space; written and read again from any strides; files by
 * content; given outputs; bad calls; sinks and memory that fail. */
#include "files_support.h"

#include <tessera/elements.h>
#include <tessera/formats.h>
#include <tessera/ops.h>
#include <tessera/pnm.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

/* ---- what is read ---- */

static const struct {
  const char *bytes;
  size_t n;
  int dtype, ndim;
  tsr_index shape[3];
  uint16_t values[6];
} images[] = {
#define IMAGE(text) text, sizeof text - 1
    {IMAGE("P2\n3 2\n255\n0 1 2\n3 4 255\n"), TSR_U8, 2, {2, 3, 0}, {0, 1, 2, 3, 4, 255}},
    {IMAGE("P2# a comment\n3#\n2 # another\r255\n0 1 2 3 4 # and one\n255"),
     TSR_U8,
     2,
     {2, 3, 0},
     {0, 1, 2, 3, 4, 255}},
    {IMAGE("P2\t2\v1\f300\r7 300"), TSR_U16, 2, {1, 2, 0}, {7, 300}},
    {IMAGE("P3 1 2 15\n1 2 3 4 5 15"), TSR_U8, 3, {2, 1, 3}, {1, 2, 3, 4, 5, 15}},
    {IMAGE("P3 1 1 65535\n1 65535 007"), TSR_U16, 3, {1, 1, 3}, {1, 65535, 7}},
    {IMAGE("P5\n3 2\n255\n\0\1\2\3\4\xff"), TSR_U8, 2, {2, 3, 0}, {0, 1, 2, 3, 4, 255}},
    {IMAGE("P5 3 1 255 \n#a and what follows"), TSR_U8, 2, {1, 3, 0}, {'\n', '#', 'a'}},
    {IMAGE("P5 2 1 65535\n\0\1\xff\xfe"), TSR_U16, 2, {1, 2, 0}, {1, 65534}},
    {IMAGE("P5 2 1 256\n\1\0\0\xff"), TSR_U16, 2, {1, 2, 0}, {256, 255}},
    {IMAGE("P6\n2 1\n255\n\1\2\3\4\5\6"), TSR_U8, 3, {1, 2, 3}, {1, 2, 3, 4, 5, 6}},
    {IMAGE("P6\n1 1\n1023\n\0\1\3\xff\2\0"), TSR_U16, 3, {1, 1, 3}, {1, 1023, 512}},
};

static uint16_t value_at(const tsr_tensor *t, tsr_index i) {
  double value = -1;
  OK(NULL, tsr_get_flat(NULL, t, i, TSR_ROW_MAJOR, &value));
  return (uint16_t)value;
}

TEST(reads) {
  for (int i = 0; i < (int)(sizeof images / sizeof images[0]); i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0}, again = {0};
    npy_source state = {.at = (const uint8_t *)images[i].bytes, .n = images[i].n, .chunk = 3, .fail_at = SIZE_MAX};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    OK(ctx, tsr_pnm_decode(ctx, images[i].bytes, images[i].n, NULL, &t));
    OK(ctx, tsr_pnm_read(ctx, &source, NULL, &again));
    CHECK(t.dtype == images[i].dtype && t.ndim == images[i].ndim);
    for (int k = 0; k < t.ndim; k++) CHECK(t.shape[k] == images[i].shape[k]);
    for (tsr_index k = 0; k < tsr_size(&t); k++) CHECK(value_at(&t, k) == images[i].values[k]);
    CHECK(tsr_desc_equal(&t, &again) && memcmp(t.data, again.data, tsr_nbytes(&t)) == 0);
    if (test_now.failures > 0) printf("   in image %d\n", i);
    tsr_release(&t);
    tsr_release(&again);
    CHECK(m.failing.live == 0);
  }
}

TEST(into_what_is_given) {
  tsr_tensor wide = {0}, t = {0}, wrong = {0};
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(2, 6), &wide));
  OK(NULL, tsr_slice(NULL, &wide, 1, 0, TSR_INDEX_MAX, 2, &t));
  OK(NULL, tsr_pnm_decode(NULL, images[0].bytes, images[0].n, NULL, &t));
  static const uint8_t want[12] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 255, 0};
  CHECK(memcmp(wide.data, want, 12) == 0);
  OK(NULL, tsr_zeros(NULL, TSR_U16, TSR_SHAPE(2, 3), &wrong));
  FAILS(NULL, TSR_EDTYPE, tsr_pnm_decode(NULL, images[0].bytes, images[0].n, NULL, &wrong));
  tsr_release(&wrong);
  tsr_release(&wide);
}

/* ---- what is written ---- */

typedef struct text_sink {
  uint8_t at[1 << 15];
  size_t n, fail_at;
} text_sink;

static tsr_status add(void *self, const void *bytes, size_t n) {
  text_sink *s = self;
  if (n > sizeof s->at - s->n || s->n + n > s->fail_at) return TSR_EIO;
  memcpy(s->at + s->n, bytes, n);
  s->n += n;
  return TSR_OK;
}

static tsr_status encode(const tsr_tensor *t, bool ascii, text_sink *s) {
  const tsr_pnm_save_options options = {.ascii = ascii};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = s};
  s->n = 0;
  return tsr_pnm_write(NULL, t, &options, &sink);
}

TEST(writes_to_the_byte) {
  static text_sink s = {.fail_at = SIZE_MAX};
  static uint8_t u8[6] = {0, 1, 2, 3, 4, 255};
  static uint16_t u16[3] = {1, 258, 65535};
  static const char text[] = "P2\n3 2\n255\n0 1 2 3 4 255\n", bytes[] = "P5\n3 2\n255\n\0\1\2\3\4\xff";
  static const char wide[] = "P6\n1 1\n65535\n\0\1\1\2\xff\xff";
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(2, 3), &t));
  OK(NULL, encode(&t, true, &s));
  CHECK(s.n == sizeof text - 1 && memcmp(s.at, text, s.n) == 0);
  OK(NULL, encode(&t, false, &s));
  CHECK(s.n == sizeof bytes - 1 && memcmp(s.at, bytes, s.n) == 0);
  OK(NULL, tsr_from_memory(NULL, u16, TSR_U16, TSR_SHAPE(1, 1, 3), &t));
  OK(NULL, encode(&t, false, &s));
  CHECK(s.n == sizeof wide - 1 && memcmp(s.at, wide, s.n) == 0);
}

/* Larger than a block, from every layout; lines of text stay short. */
TEST(there_and_back) {
  static text_sink s = {.fail_at = SIZE_MAX};
  for (int kind = 0; kind < 8; kind++) {
    const int dtype = kind & 1 ? TSR_U16 : TSR_U8;
    const bool colour = (kind & 2) != 0, ascii = (kind & 4) != 0;
    tsr_tensor all = {0}, t = {0}, back = {0}, plain = {0};
    OK(NULL, tsr_zeros(NULL, dtype, colour ? 3 : 2, (const tsr_index[]){60, 50, 3}, &all));
    for (size_t i = 0; i < tsr_nbytes(&all); i++) ((uint8_t *)all.data)[i] = (uint8_t)(i * 37);
    OK(NULL, tsr_flip(NULL, &all, 0, &t));
    OK(NULL, tsr_slice(NULL, &t, 1, 1, TSR_INDEX_MAX, 2, &t));
    if (ascii) OK(NULL, tsr_narrow(NULL, &t, 0, 0, 20, &t));
    OK(NULL, encode(&t, ascii, &s));
    OK(NULL, tsr_pnm_decode(NULL, s.at, s.n, NULL, &back));
    OK(NULL, tsr_contiguous(NULL, &t, &plain));
    CHECK(back.dtype == dtype && tsr_same_shape(&t, &back));
    CHECK(memcmp(back.data, plain.data, tsr_nbytes(&back)) == 0);
    for (size_t i = 0, column = 0; i < s.n && ascii; i++) {
      column = s.at[i] == '\n' ? 0 : column + 1;
      CHECK(column <= 70);
    }
    tsr_release(&all);
    tsr_release(&back);
    tsr_release(&plain);
  }
}

TEST(a_sink_that_fails) {
  static text_sink s;
  static uint8_t u8[5000];
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(50, 100), &t));
  for (int ascii = 0; ascii < 2; ascii++) {
    for (s.fail_at = 0; s.fail_at < 5000; s.fail_at += 97) {
      FAILS(NULL, TSR_EIO, encode(&t, ascii != 0, &s));
      MESSAGE_HAS(NULL, "pnm_write: the sink failed");
    }
  }
}

TEST(bad_calls) {
  static text_sink s = {.fail_at = SIZE_MAX};
  static uint8_t u8[16];
  tsr_tensor t = {0};
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(2, 2, 4), &t));
  FAILS(NULL, TSR_ESHAPE, encode(&t, false, &s));
  MESSAGE_HAS(NULL, "u8 [2,2,4]: PGM has one channel, PPM three");
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(2, 2, 2), &t));
  FAILS(NULL, TSR_ESHAPE, encode(&t, false, &s));
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(4), &t));
  FAILS(NULL, TSR_ESHAPE, encode(&t, false, &s));
  OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, TSR_SHAPE(0, 4), &t));
  FAILS(NULL, TSR_ESHAPE, encode(&t, false, &s));
  MESSAGE_HAS(NULL, "PNM has no empty images");
  OK(NULL, tsr_from_memory(NULL, u8, TSR_I8, TSR_SHAPE(4, 4), &t));
  FAILS(NULL, TSR_EDTYPE, encode(&t, false, &s));
  FAILS(NULL, TSR_EARG, tsr_pnm_write(NULL, &t, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_pnm_decode(NULL, NULL, 1, NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_pnm_decode(NULL, "P5", 2, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_pnm_read(NULL, NULL, NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_pnm_load(NULL, NULL, NULL, &t));
  FAILS(NULL, TSR_EARG, tsr_pnm_save(NULL, NULL, &t, NULL));
}

/* ---- files ---- */

TEST(files_by_content) {
  static uint8_t u8[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  REQUIRE(folder_make());
  for (int colour = 0; colour < 2; colour++) {
    const char *path = in_folder(colour ? "image.ppm" : "image.pgm");
    tsr_tensor t = {0};
    tsr_bundle b = {0}, back = {0};
    int format = 0;
    OK(NULL, tsr_from_memory(NULL, u8, TSR_U8, colour ? 3 : 2, (const tsr_index[]){2, 2, 3}, &t));
    OK(NULL, tsr_bundle_add(NULL, &b, "image", &t));
    OK(NULL, tsr_bundle_save(NULL, path, TSR_FORMAT_AUTO, &b, NULL));
    OK(NULL, tsr_format_detect(NULL, path, &format));
    CHECK(format == (colour ? TSR_FORMAT_PPM : TSR_FORMAT_PGM));
    OK(NULL, tsr_bundle_load(NULL, path, &back, NULL));
    REQUIRE(back.count == 1 && strcmp(back.tensors[0].name, "image") == 0);
    CHECK(memcmp(back.tensors[0].data, u8, tsr_nbytes(&back.tensors[0])) == 0);
    FAILS(NULL, TSR_ESHAPE, tsr_bundle_save(NULL, path, colour ? TSR_FORMAT_PGM : TSR_FORMAT_PPM, &b, NULL));
    tsr_bundle_release(&b);
    tsr_bundle_release(&back);
  }
  folder_end();
}

TEST(memory_that_fails) {
  size_t at = 0;
  for (tsr_status st = TSR_ENOMEM; st != TSR_OK; at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, at, true);
    tsr_tensor t = {0};
    npy_source state = {.at = (const uint8_t *)images[0].bytes, .n = images[0].n, .fail_at = SIZE_MAX};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    st = tsr_pnm_read(ctx, &source, NULL, &t);
    CHECK(st == TSR_OK || (st == TSR_ENOMEM && tsr_is_none(&t)));
    tsr_release(&t);
    CHECK(m.failing.live == 0);
    REQUIRE(at < 100);
  }
  CHECK(at > 2);
}

TEST_MAIN(RUN(reads), RUN(into_what_is_given), RUN(writes_to_the_byte), RUN(there_and_back), RUN(a_sink_that_fails),
          RUN(bad_calls), RUN(files_by_content), RUN(memory_that_fails))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
