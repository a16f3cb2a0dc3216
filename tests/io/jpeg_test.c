/* JPEG images: what Pillow wrote and reads, orientations, what is refused, files cut at every byte, failures on the way. */
#include "files_support.h"

#include <tessera/formats.h>
#include <tessera/jpeg.h>
#include <tessera/tessera.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

typedef struct jpeg_bytes {
  uint8_t at[1 << 16];
  size_t n, fail_at;
} jpeg_bytes;

static tsr_status add(void *self, const void *bytes, size_t n) {
  jpeg_bytes *b = self;
  if (b->n + n > b->fail_at || n > sizeof b->at - b->n) return TSR_EIO;
  memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static tsr_status encode(tsr_ctx *ctx, const tsr_tensor *t, const tsr_jpeg_save_options *options, jpeg_bytes *b) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = b};
  b->n = 0;
  if (b->fail_at == 0) b->fail_at = SIZE_MAX;
  return tsr_jpeg_write(ctx, t, options, &sink);
}

#if TSR_HAVE_JPEG

static const char *path_of(const char *name, const char *end) {
  static char path[1024];
  (void)snprintf(path, sizeof path, "%s/tests/io/image/%s.%s", TSR_SOURCE_DIR, name, end);
  return path;
}

/* The largest difference of two u8 tensors of one shape; 256 where the shapes differ. */
static int difference(const tsr_tensor *a, const tsr_tensor *b) {
  int most = 0;
  if (!tsr_desc_equal(a, b)) return 256;
  for (size_t i = 0; i < tsr_nbytes(a); i++) {
    const int d = abs(((const uint8_t *)a->data)[i] - ((const uint8_t *)b->data)[i]);
    most = d > most ? d : most;
  }
  return most;
}

/* Another libjpeg may round otherwise. */
TEST(files_of_others) {
  static const struct {
    const char *name;
    int within;
  } files[] = {{"grey", 1}, {"color", 3}, {"full", 2}, {"progressive", 3}, {"restart", 3}, {"inks", 3}};
  for (int i = 0; i < (int)(sizeof files / sizeof files[0]); i++) {
    tsr_tensor image = {0}, want = {0}, described = {0};
    const tsr_jpeg_options describe = {.describe = true};
    OK(NULL, tsr_jpeg_load(NULL, path_of(files[i].name, "jpg"), NULL, &image));
    OK(NULL, tsr_npy_load(NULL, path_of(files[i].name, "npy"), &want));
    CHECK(difference(&image, &want) <= files[i].within);
    if (test_now.failures > 0) printf("   in %s: %d\n", files[i].name, difference(&image, &want));
    OK(NULL, tsr_jpeg_load(NULL, path_of(files[i].name, "jpg"), &describe, &described));
    CHECK(tsr_desc_equal(&described, &image) && described.data == NULL);
    tsr_release(&image);
    tsr_release(&want);
  }
}

TEST(images_are_turned_as_their_exif_says) {
  for (int i = 1; i <= 8; i++) {
    char name[32];
    tsr_tensor image = {0}, want = {0}, stored = {0};
    const tsr_jpeg_options as_stored = {.as_stored = true};
    (void)snprintf(name, sizeof name, "turned%d", i);
    OK(NULL, tsr_jpeg_load(NULL, path_of(name, "jpg"), NULL, &image));
    OK(NULL, tsr_npy_load(NULL, path_of(name, "npy"), &want));
    CHECK(difference(&image, &want) <= 2);
    OK(NULL, tsr_jpeg_load(NULL, path_of(name, "jpg"), &as_stored, &stored));
    CHECK(stored.shape[0] == 8 && stored.shape[1] == 16);
    CHECK(image.shape[0] == (i >= 5 ? 16 : 8));
    if (test_now.failures > 0) printf("   in %s\n", name);
    tsr_release(&image);
    tsr_release(&want);
    tsr_release(&stored);
  }
}

static tsr_tensor smooth(int ndim, const tsr_index *shape) {
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init(NULL, TSR_U8, ndim, shape, &t));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
  for (size_t i = 0; i < tsr_nbytes(&t); i++) ((uint8_t *)t.data)[i] = (uint8_t)(60 + i * 120 / tsr_nbytes(&t));
  return t;
}

TEST(round_trips_are_near) {
  static jpeg_bytes b;
  static const tsr_index shapes[][3] = {{5, 7, 1}, {16, 16, 3}, {1, 1, 3}, {1, 200, 3}, {33, 17, 3}};
  static const tsr_jpeg_save_options ways[] = {
      {.quality = 100, .full_color = true}, {.quality = 100, .progressive = true, .full_color = true}, {.quality = 95}};
  for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); i++) {
    for (int k = 0; k < (int)(sizeof ways / sizeof ways[0]); k++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      const int ndim = shapes[i][2] == 1 ? 2 : 3;
      tsr_tensor t = smooth(ndim, shapes[i]), back = {0};
      OK(ctx, encode(ctx, &t, &ways[k], &b));
      OK(ctx, tsr_jpeg_decode(ctx, b.at, b.n, NULL, &back));
      CHECK(difference(&t, &back) <= (k == 2 ? 8 : 2));
      tsr_release(&back);
      tsr_release(&t);
      CHECK(m.failing.live == 0);
    }
  }
}

/* A libjpeg that went on would fill the rest with grey. */
TEST(files_that_were_cut_are_refused) {
  static uint8_t bytes[1 << 14];
  static const char *const names[] = {"color", "progressive", "turned6"};
  for (int i = 0; i < 3; i++) {
    char file[32];
    (void)snprintf(file, sizeof file, "%s.jpg", names[i]);
    const size_t n = file_bytes("tests/io/image", file, bytes, sizeof bytes);
    tsr_tensor whole = {0};
    OK(NULL, tsr_jpeg_decode(NULL, bytes, n, NULL, &whole));
    for (size_t k = 0; k < n; k++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_tensor out = {0};
      FAILS(ctx, TSR_EFORMAT, tsr_jpeg_decode(ctx, bytes, k, NULL, &out));
      CHECK(tsr_is_none(&out) && m.failing.live == 0);
    }
    tsr_release(&whole);
  }
}

/* Any byte changed: an image, or a status, and nothing left. */
TEST(files_that_were_changed_do_no_harm) {
  static uint8_t bytes[1 << 14];
  const size_t n = file_bytes("tests/io/image", "color.jpg", bytes, sizeof bytes);
  for (size_t k = 0; k < n; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    const tsr_io_limits limits = {.pixels = 1 << 16};
    tsr_tensor out = {0};
    const uint8_t before = bytes[k];
    OK(ctx, tsr_context_set_io_limits(ctx, &limits));
    bytes[k] = (uint8_t)(before ^ (1u << k % 8));
    const tsr_status st = tsr_jpeg_decode(ctx, bytes, n, NULL, &out);
    CHECK(st == TSR_OK || tsr_is_none(&out));
    tsr_release(&out);
    CHECK(m.failing.live == 0);
    bytes[k] = before;
  }
}

TEST(sizes_that_the_bytes_do_not_bear_out_are_refused) {
  static uint8_t bytes[1 << 14];
  const size_t n = file_bytes("tests/io/image", "grey.jpg", bytes, sizeof bytes);
  tsr_tensor out = {0};
  for (size_t i = 0; i + 9 < n; i++) {
    if (bytes[i] != 0xff || bytes[i + 1] != 0xc0) continue;
    memset(bytes + i + 5, 0xf0, 4);
    break;
  }
  FAILS(NULL, TSR_EFORMAT, tsr_jpeg_decode(NULL, bytes, n, NULL, &out));
  MESSAGE_HAS(NULL, "61680 x 61680 pixels cannot be in");
  FAILS(NULL, TSR_EFORMAT, tsr_jpeg_decode(NULL, "\xff\xd8", 2, NULL, &out));
  FAILS(NULL, TSR_EFORMAT, tsr_jpeg_decode(NULL, "GIF89a", 6, NULL, &out));
}

TEST(what_is_no_picture_is_refused) {
  static jpeg_bytes b;
  const tsr_jpeg_save_options bad = {.quality = 101};
  tsr_tensor wide = {0}, alpha = {0}, grey = {0}, none = {0};
  OK(NULL, tsr_zeros(NULL, TSR_U16, TSR_SHAPE(2, 2), &wide));
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(2, 2, 4), &alpha));
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(2, 2), &grey));
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(0, 2), &none));
  FAILS(NULL, TSR_EDTYPE, encode(NULL, &wide, NULL, &b));
  FAILS(NULL, TSR_ESHAPE, encode(NULL, &alpha, NULL, &b));
  FAILS(NULL, TSR_ESHAPE, encode(NULL, &none, NULL, &b));
  FAILS(NULL, TSR_EARG, encode(NULL, &grey, &bad, &b));
  MESSAGE_HAS(NULL, "quality 101 is not 1 to 100");
  for (size_t at = 1; at < 300; at += 50) { /* the sink's status comes back, and nothing stays */
    b.fail_at = at;
    FAILS(NULL, TSR_EIO, encode(NULL, &grey, NULL, &b));
  }
  b.fail_at = 0;
  tsr_release(&wide);
  tsr_release(&alpha);
  tsr_release(&grey);
  tsr_release(&none);
}

TEST(by_path_and_as_a_bundle) {
  tsr_tensor t = smooth(TSR_SHAPE(9, 8, 3)), back = {0};
  tsr_bundle bundle = {0}, read = {0};
  int format = 0;
  CHECK(folder_make());
  OK(NULL, tsr_jpeg_save(NULL, in_folder("a.jpg"), &t, NULL));
  OK(NULL, tsr_jpeg_load(NULL, in_folder("a.jpg"), NULL, &back));
  CHECK(difference(&t, &back) < 12);
  OK(NULL, tsr_format_detect(NULL, in_folder("a.jpg"), &format));
  CHECK(format == TSR_FORMAT_JPEG);
  OK(NULL, tsr_bundle_add(NULL, &bundle, "x", &t));
  OK(NULL, tsr_bundle_save(NULL, in_folder("b.jpeg"), TSR_FORMAT_AUTO, &bundle, NULL));
  OK(NULL, tsr_bundle_load(NULL, in_folder("b.jpeg"), &read, NULL));
  CHECK(read.count == 1 && strcmp(read.tensors[0].name, "b") == 0);
  tsr_bundle_release(&bundle);
  tsr_bundle_release(&read);
  tsr_release(&back);
  folder_end();
}

TEST_MAIN(RUN(files_of_others), RUN(images_are_turned_as_their_exif_says), RUN(round_trips_are_near),
          RUN(files_that_were_cut_are_refused), RUN(files_that_were_changed_do_no_harm),
          RUN(sizes_that_the_bytes_do_not_bear_out_are_refused), RUN(what_is_no_picture_is_refused),
          RUN(by_path_and_as_a_bundle))

#else

TEST(a_build_without_libjpeg_says_so) {
  static jpeg_bytes b;
  tsr_tensor t = {0}, out = {0};
  OK(NULL, tsr_zeros(NULL, TSR_U8, TSR_SHAPE(2, 2), &t));
  FAILS(NULL, TSR_EUNSUPPORTED, encode(NULL, &t, NULL, &b));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_jpeg_decode(NULL, "\xff\xd8\xff", 3, NULL, &out));
  MESSAGE_HAS(NULL, "no libjpeg");
  tsr_release(&t);
}

TEST_MAIN(RUN(a_build_without_libjpeg_says_so))

#endif

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
