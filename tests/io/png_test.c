/* PNG images: every dtype, number of channels and order round, what is refused, failures on the way. */
#include "files_support.h"

#include <tessera/formats.h>
#include <tessera/png.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

/* ---- an image in memory ---- */

typedef struct png_bytes {
  uint8_t at[1 << 16];
  size_t n, fail_at;
} png_bytes;

static tsr_status add(void *self, const void *bytes, size_t n) {
  png_bytes *b = self;
  if (n > b->fail_at - b->n || n > sizeof b->at - b->n) return TSR_EIO;
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static tsr_status encode(tsr_ctx *ctx, const tsr_tensor *t, const tsr_png_save_options *options, png_bytes *b) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = b};
  b->n = 0;
  if (b->fail_at == 0) b->fail_at = SIZE_MAX;
  return tsr_png_write(ctx, t, options, &sink);
}

static tsr_tensor picture(int dtype, int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init(NULL, dtype, ndim, shape, &t));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
  for (size_t i = 0; i < tsr_nbytes(&t); i++) ((uint8_t *)t.data)[i] = (uint8_t)(i * 2654435761u >> 11);
  return t;
}

#if TSR_HAVE_PNG

static const struct {
  int dtype, ndim;
  tsr_index shape[3];
} shapes[] = {{TSR_U8, 2, {5, 7, 0}},  {TSR_U8, 3, {5, 7, 2}},    {TSR_U8, 3, {5, 7, 3}},  {TSR_U8, 3, {4, 9, 4}},
              {TSR_U16, 2, {5, 7, 0}}, {TSR_U16, 3, {5, 7, 2}},   {TSR_U16, 3, {5, 7, 3}}, {TSR_U16, 3, {4, 9, 4}},
              {TSR_U8, 2, {1, 1, 0}},  {TSR_U16, 3, {1, 100, 3}}, {TSR_U8, 3, {100, 1, 3}}};

enum { SHAPES = (int)(sizeof shapes / sizeof shapes[0]) };

TEST(round_trips) {
  static png_bytes b;
  for (int i = 0; i < SHAPES; i++) {
    for (int level = -1; level <= 9; level += 5) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_tensor t = picture(shapes[i].dtype, shapes[i].ndim, shapes[i].shape), back = {0};
      const tsr_png_save_options options = {.level = level};
      OK(ctx, encode(ctx, &t, &options, &b));
      OK(ctx, tsr_png_decode(ctx, b.at, b.n, NULL, &back));
      CHECK(tsr_desc_equal(&t, &back) && memcmp(t.data, back.data, tsr_nbytes(&t)) == 0);
      tsr_release(&back);
      tsr_release(&t);
      CHECK(m.failing.live == 0);
    }
  }
}

TEST(one_channel_is_grey) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(3, 4, 1)), back = {0};
  OK(NULL, encode(NULL, &t, NULL, &b));
  OK(NULL, tsr_png_decode(NULL, b.at, b.n, NULL, &back));
  CHECK(back.ndim == 2 && back.shape[0] == 3 && back.shape[1] == 4 && memcmp(t.data, back.data, 12) == 0);
  tsr_release(&back);
  tsr_release(&t);
}

/* Any strides on the way out, any on the way in. */
TEST(views) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U16, TSR_SHAPE(3, 5, 6)), flipped = {0}, crossed = {0}, given = {0}, back = {0};
  const int axes[3] = {2, 1, 0};
  OK(NULL, tsr_permute(NULL, &t, axes, &crossed)); /* [6,5,3] */
  OK(NULL, tsr_flip(NULL, &crossed, 1, &flipped));
  OK(NULL, encode(NULL, &flipped, NULL, &b));
  OK(NULL, tsr_png_decode(NULL, b.at, b.n, NULL, &back));
  CHECK(tsr_same_shape(&flipped, &back));
  OK(NULL, tsr_desc_init_ordered(NULL, TSR_U16, TSR_SHAPE(6, 5, 3), TSR_FORTRAN, &given));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &given));
  OK(NULL, tsr_png_decode(NULL, b.at, b.n, NULL, &given));
  for (tsr_index y = 0; y < 6; y++)
    for (tsr_index x = 0; x < 5; x++)
      for (tsr_index c = 0; c < 3; c++) {
        const uint16_t want = ((uint16_t *)t.data)[(c * 5 + (4 - x)) * 6 + y];
        CHECK(((uint16_t *)back.data)[(y * 5 + x) * 3 + c] == want);
        CHECK(((uint16_t *)given.data)[y + 6 * (x + 5 * c)] == want);
      }
  tsr_release(&back);
  tsr_release(&given);
  tsr_release(&t);
}

TEST(given_outputs_must_fit) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(4, 6)), wrong = picture(TSR_U8, TSR_SHAPE(6, 4)), described = {0};
  uint8_t before[24];
  memcpy(before, wrong.data, 24);
  OK(NULL, encode(NULL, &t, NULL, &b));
  FAILS(NULL, TSR_ESHAPE, tsr_png_decode(NULL, b.at, b.n, NULL, &wrong));
  CHECK(memcmp(before, wrong.data, 24) == 0);
  OK(NULL, tsr_desc_init(NULL, TSR_U8, TSR_SHAPE(4, 6), &described));
  OK(NULL, tsr_png_decode(NULL, b.at, b.n, NULL, &described));
  CHECK(memcmp(described.data, t.data, 24) == 0);
  wrong.flags |= TSR_READONLY;
  tsr_release(&described);
  tsr_release(&wrong);
  tsr_release(&t);
}

/* Palettes, few bits, transparency, interlacing: files that Python wrote, and what they show as .npy. */
TEST(files_of_others) {
  static const char *const names[] = {"grey1",   "grey2",    "grey4",   "palette1", "palette8", "palette_alpha",
                                      "rgb_key", "grey_key", "grey16i", "rgb8i",    "rgba16"};
  for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
    char path[1024];
    tsr_tensor image = {0}, want = {0};
    (void)snprintf(path, sizeof path, "%s/tests/io/png/%s.png", TSR_SOURCE_DIR, names[i]);
    OK(NULL, tsr_png_load(NULL, path, NULL, &image));
    (void)snprintf(path, sizeof path, "%s/tests/io/png/%s.npy", TSR_SOURCE_DIR, names[i]);
    OK(NULL, tsr_npy_load(NULL, path, &want));
    CHECK(tsr_desc_equal(&image, &want) && memcmp(image.data, want.data, tsr_nbytes(&want)) == 0);
    if (test_now.failures > 0) printf("   in %s\n", names[i]);
    tsr_release(&image);
    tsr_release(&want);
  }
}

TEST(from_a_source) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(4, 6)), back = {0};
  npy_source state = {.fail_at = SIZE_MAX, .chunk = 7};
  const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
  OK(NULL, encode(NULL, &t, NULL, &b));
  state.at = b.at, state.n = b.n;
  OK(NULL, tsr_png_read(NULL, &source, NULL, &back));
  CHECK(memcmp(back.data, t.data, 24) == 0);
  tsr_release(&back);
  state.taken = 0, state.fail_at = 30;
  FAILS(NULL, TSR_EIO, tsr_png_read(NULL, &source, NULL, &back));
  CHECK(tsr_is_none(&back));
  tsr_release(&t);
}

/* Every byte that a file is cut at, every sink that fails, every allocation that fails. */
TEST(failures_leave_nothing) {
  static png_bytes b, other;
  npy_memory m;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(9, 5, 3)), back = {0};
  OK(NULL, encode(NULL, &t, NULL, &b));
  for (size_t n = 0; n < b.n; n++) {
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    FAILS(ctx, TSR_EFORMAT, tsr_png_decode(ctx, b.at, n, NULL, &back));
    MESSAGE_HAS(ctx, "png_decode: byte ");
    CHECK(tsr_is_none(&back) && m.failing.live == 0);
  }
  for (size_t n = 1; n < b.n; n += 3) {
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    other.fail_at = n;
    FAILS(ctx, TSR_EIO, encode(ctx, &t, NULL, &other));
    MESSAGE_HAS(ctx, "png_write: the sink failed after byte ");
    CHECK(m.failing.live == 0);
  }
  other.fail_at = SIZE_MAX;
  bool reading = true, writing = true;
  for (size_t k = 0; k < 50 && (reading || writing); k++) {
    tsr_ctx *ctx = memory_start(&m, k, false);
    tsr_status st = tsr_png_decode(ctx, b.at, b.n, NULL, &back);
    CHECK(st == TSR_ENOMEM || (st == TSR_OK && memcmp(back.data, t.data, 135) == 0));
    if (st != TSR_OK) CHECK(tsr_is_none(&back));
    reading = st != TSR_OK;
    tsr_release(&back);
    CHECK(m.failing.live == 0);
    ctx = memory_start(&m, k, false);
    st = encode(ctx, &t, NULL, &other);
    CHECK(st == TSR_ENOMEM || st == TSR_OK);
    writing = st != TSR_OK;
    CHECK(m.failing.live == 0);
  }
  CHECK(!reading && !writing);
  tsr_release(&t);
}

TEST(bad_calls) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(2, 2)), f = picture(TSR_F32, TSR_SHAPE(2, 2)), out = {0};
  tsr_tensor five = picture(TSR_U8, TSR_SHAPE(2, 2, 5)), flat = picture(TSR_U8, TSR_SHAPE(4)), none = {0};
  const tsr_png_save_options level = {.level = 10};
  OK(NULL, tsr_desc_init(NULL, TSR_U8, TSR_SHAPE(0, 3), &none));
  FAILS(NULL, TSR_EDTYPE, encode(NULL, &f, NULL, &b));
  MESSAGE_HAS(NULL, "png_write: image f32 [2,2]: only u8 and u16 are images");
  FAILS(NULL, TSR_ESHAPE, encode(NULL, &five, NULL, &b));
  FAILS(NULL, TSR_ESHAPE, encode(NULL, &flat, NULL, &b));
  FAILS(NULL, TSR_ESHAPE, encode(NULL, &none, NULL, &b));
  FAILS(NULL, TSR_EARG, encode(NULL, &t, &level, &b));
  FAILS(NULL, TSR_EARG, tsr_png_write(NULL, &t, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_png_decode(NULL, NULL, 1, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_png_decode(NULL, b.at, b.n, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_png_read(NULL, NULL, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_png_load(NULL, NULL, NULL, &out));
  FAILS(NULL, TSR_EARG, tsr_png_save(NULL, NULL, &t, NULL));
  FAILS(NULL, TSR_EFORMAT, tsr_png_decode(NULL, "no image", 8, NULL, &out));
  MESSAGE_HAS(NULL, "Not a PNG file");
  tsr_release(&t);
  tsr_release(&f);
  tsr_release(&five);
  tsr_release(&flat);
}

TEST(as_a_bundle) {
  tsr_bundle one = {0}, back = {0};
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(3, 4, 3)), second = picture(TSR_U8, TSR_SHAPE(3, 4));
  int format = 0;
  REQUIRE(folder_make());
  OK(NULL, tsr_bundle_add(NULL, &one, "x", &t));
  OK(NULL, tsr_bundle_save(NULL, in_folder("cat.png"), TSR_FORMAT_AUTO, &one, NULL));
  OK(NULL, tsr_format_detect(NULL, in_folder("cat.png"), &format));
  CHECK(format == TSR_FORMAT_PNG && strcmp(tsr_format_name((tsr_format)format), "png") == 0);
  OK(NULL, tsr_bundle_load(NULL, in_folder("cat.png"), &back, NULL));
  REQUIRE(back.count == 1);
  CHECK(strcmp(back.tensors[0].name, "cat") == 0 && memcmp(back.tensors[0].data, one.tensors[0].data, 36) == 0);
  OK(NULL, tsr_bundle_add(NULL, &one, "y", &second));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("cat.png"), TSR_FORMAT_AUTO, &one, NULL));
  MESSAGE_HAS(NULL, "holds 2 tensors, a .png file one");
  tsr_bundle_release(&back);
  tsr_bundle_release(&one);
  folder_end();
}

TEST_MAIN(RUN(round_trips), RUN(one_channel_is_grey), RUN(views), RUN(given_outputs_must_fit), RUN(files_of_others),
          RUN(from_a_source), RUN(failures_leave_nothing), RUN(bad_calls), RUN(as_a_bundle))

#else

TEST(without_libpng) {
  static png_bytes b;
  tsr_tensor t = picture(TSR_U8, TSR_SHAPE(2, 2)), out = {0};
  FAILS(NULL, TSR_EUNSUPPORTED, encode(NULL, &t, NULL, &b));
  MESSAGE_HAS(NULL, "this build has no libpng");
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_png_decode(NULL, b.at, b.n, NULL, &out));
  tsr_release(&t);
}
TEST_MAIN(RUN(without_libpng))

#endif

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
