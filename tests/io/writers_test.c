/* What every writer does when it is asked for too much, for something else, or when its sink or its disk fails at an
 * odd place: a status, a message, and no byte where nothing was begun. */
#include "files_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

#include <errno.h>
#include <sys/stat.h>
#include <tessera/csv.h>
#include <tessera/formats.h>
#include <tessera/npz.h>
#include <tessera/png.h>
#include <tessera/pnm.h>
#include <tessera/raw.h>
#include <tessera/safetensors.h>
#include <tessera/view.h>
#include "io/file/disk.h"

typedef struct limited {
  size_t n, limit;
  bool failed;
} limited;

static tsr_status count(void *self, const void *bytes, size_t n) {
  limited *l = self;
  (void)bytes;
  CHECK(!l->failed); /* nobody writes after a failure */
  l->failed = n > l->limit - l->n;
  l->n += l->failed ? 0 : n;
  return l->failed ? TSR_EIO : TSR_OK;
}

/* ---- a sink that fails within a header ---- */

/* Headers are sent in pieces: with names of each length, the end of the first is at every place of what follows. */
TEST(a_sink_that_fails_within_the_header) {
  static float x[6];
  for (int shift = 1; shift < 260; shift++) {
    tsr_bundle b = {0};
    tsr_metadata m = {0};
    for (int i = 0; i < 30; i++) {
      char name[300];
      tsr_tensor t = {0}, turned = {0};
      (void)snprintf(name, sizeof name, "%0*d\"", i == 0 ? shift : 60, i);
      OK(NULL, tsr_from_memory(NULL, x, TSR_F32, TSR_SHAPE(2, 3), &t));
      OK(NULL, tsr_transpose(NULL, &t, 0, 1, &turned));
      if (i % 2 == 0) OK(NULL, tsr_set_layout(NULL, &turned, TSR_NC, &turned));
      OK(NULL, tsr_bundle_add(NULL, &b, name, &turned));
    }
    OK(NULL, tsr_metadata_set(NULL, &m, "key", "value\n"));
    limited all = {.limit = SIZE_MAX};
    tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &all};
    OK(NULL, tsr_safetensors_write(NULL, &b, &m, NULL, &sink));
    for (size_t limit = 0; limit < all.n; limit += all.n / 8 + 1) {
      limited some = {.limit = limit};
      sink.self = &some;
      FAILS(NULL, TSR_EIO, tsr_safetensors_write(NULL, &b, &m, NULL, &sink));
      CHECK(some.failed && some.n <= limit);
    }
    tsr_metadata_release(&m);
    tsr_bundle_release(&b);
  }
}

/* ---- more than there can be ---- */

/* One element, repeated so often that its bytes have no size. */
static void repeat(int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  static double x[1];
  tsr_tensor t = {0};
  const tsr_index one[3] = {1, 1, 1};
  OK(NULL, tsr_from_memory(NULL, x, dtype, ndim, one, &t));
  OK(NULL, tsr_broadcast_to(NULL, &t, ndim, shape, out));
}

TEST(more_bytes_than_a_size_can_say) {
  limited l = {.limit = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &l};
  tsr_tensor t = {0}, again = {0};
  tsr_bundle b = {0};
  if (sizeof(tsr_index) < 8) SKIP("indices are smaller than sizes");
  repeat(TSR_F64, TSR_SHAPE((tsr_index)1 << 61, 1), &t);
  OK(NULL, tsr_view(NULL, &t, &again));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &again));
  FAILS(NULL, TSR_EOVERFLOW, tsr_npy_write(NULL, &t, &sink));
  FAILS(NULL, TSR_EOVERFLOW, tsr_npz_write(NULL, &b, NULL, &sink));
  FAILS(NULL, TSR_EOVERFLOW, tsr_safetensors_write(NULL, &b, NULL, NULL, &sink));
  CHECK(l.n == 0);
  tsr_bundle_release(&b);
}

TEST(more_pixels_than_images_have) {
  limited l = {.limit = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &l};
  tsr_tensor wide = {0}, high = {0};
  if (sizeof(tsr_index) < 8) SKIP("no axis can be that long");
  repeat(TSR_U8, TSR_SHAPE(1, (tsr_index)INT32_MAX + 1), &wide);
  repeat(TSR_U8, TSR_SHAPE((tsr_index)INT32_MAX + 1, 1), &high);
  FAILS(NULL, TSR_ESHAPE, tsr_png_write(NULL, &wide, NULL, &sink));
  FAILS(NULL, TSR_ESHAPE, tsr_pnm_write(NULL, &wide, NULL, &sink));
  FAILS(NULL, TSR_ESHAPE, tsr_pnm_write(NULL, &high, NULL, &sink));
  CHECK(l.n == 0);
}

/* ---- calls that cannot be ---- */

TEST(names_and_options) {
  static char name[70000];
  static float x[1];
  limited l = {.limit = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = count, .self = &l}, none = {0};
  tsr_npz_save_options options = {.level = 10};
  tsr_tensor t = {0};
  tsr_bundle b = {0};
  memset(name, 'n', sizeof name - 1);
  OK(NULL, tsr_from_memory(NULL, x, TSR_F32, TSR_SHAPE(1), &t));
  OK(NULL, tsr_bundle_add(NULL, &b, name, &t));
  FAILS(NULL, TSR_ENAME, tsr_npz_write(NULL, &b, NULL, &sink));
  MESSAGE_HAS(NULL, "has 69999 bytes: too long");
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, &b, &options, &sink));
  options.level = -1;
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, &b, &options, &sink));
  FAILS(NULL, TSR_EARG, tsr_npz_write(NULL, &b, NULL, &none));
  FAILS(NULL, TSR_EARG, tsr_safetensors_write(NULL, &b, NULL, NULL, &none));
  CHECK(l.n == 0);
  tsr_bundle_release(&b);
}

TEST(formats_that_cannot_be_saved) {
  static float x[1];
  tsr_tensor t = {0};
  tsr_bundle b = {0};
  int format = 0;
  OK(NULL, tsr_from_memory(NULL, x, TSR_F32, TSR_SHAPE(1), &t));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &t));
  REQUIRE(folder_make());
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("x.gguf"), TSR_FORMAT_GGUF, &b, NULL));
  MESSAGE_HAS(NULL, "gguf files are read, not written");
  FAILS(NULL, TSR_EARG, tsr_bundle_save(NULL, NULL, TSR_FORMAT_NPY, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_format_detect(NULL, NULL, &format));
  FAILS(NULL, TSR_EARG, tsr_format_detect(NULL, in_folder("x"), NULL));
  FAILS(NULL, TSR_EARG, tsr_bundle_load(NULL, NULL, &b, NULL));
  CHECK(folder_count(false) == 0);
  tsr_bundle_release(&b);
  folder_end();
}

/* ---- producers of formats that take whole tensors ---- */

static tsr_status ramp(void *self, const tsr_tensor *t, tsr_index first, tsr_index n, void *elements) {
  (void)t;
  for (tsr_index i = 0; i < n; i++) ((double *)elements)[i] = (double)(first + i);
  return *(const tsr_status *)self;
}

TEST(a_producer_where_tensors_are_made_first) {
  static double own[2] = {5, 6};
  tsr_status answer = TSR_OK;
  const tsr_producer producer = {.size = sizeof(tsr_producer), .produce = ramp, .self = &answer};
  tsr_tensor described = {.dtype = TSR_F64, .ndim = 2, .shape = {3, 2}, .stride = {2, 1}}, t = {0}, none = {0};
  tsr_tensor read = {0};
  tsr_bundle b = {0}, c = {0};
  REQUIRE(folder_make());
  OK(NULL, tsr_bundle_add(NULL, &b, "made", &described));
  OK(NULL, tsr_bundle_save_from(NULL, in_folder("x.csv"), TSR_FORMAT_AUTO, &b, NULL, &producer));
  OK(NULL, tsr_csv_load(NULL, in_folder("x.csv"), NULL, &read, NULL));
  CHECK(read.shape[0] == 3 && ((const double *)read.data)[5] == 5);
  tsr_release(&read);
  answer = TSR_EIO;
  FAILS(NULL, TSR_EIO, tsr_bundle_save_from(NULL, in_folder("y.csv"), TSR_FORMAT_AUTO, &b, NULL, &producer));
  CHECK(access(in_folder("y.csv"), F_OK) != 0);
  answer = TSR_OK;
  OK(NULL, tsr_from_memory(NULL, own, TSR_F64, TSR_SHAPE(2), &t)); /* beside one that is made, and one with nothing */
  OK(NULL, tsr_from_memory(NULL, own, TSR_F64, TSR_SHAPE(0), &none));
  OK(NULL, tsr_bundle_add(NULL, &b, "own", &t));
  OK(NULL, tsr_bundle_add(NULL, &b, "none", &none));
  OK(NULL, tsr_bundle_save_from(NULL, in_folder("x.h"), TSR_FORMAT_AUTO, &b, NULL, &producer));
  CHECK(folder_count(false) == 2);
  npy_memory m;
  for (size_t at = 0; at < 8; at++) { /* without memory at each place */
    tsr_ctx *ctx = memory_start(&m, at, true);
    const tsr_status st = tsr_bundle_save_from(ctx, in_folder("z.h"), TSR_FORMAT_AUTO, &b, NULL, &producer);
    CHECK((st == TSR_OK || st == TSR_ENOMEM) && m.failing.live == 0);
  }
  tsr_bundle_release(&b);
  tsr_bundle_release(&c);
  folder_end();
}

/* ---- what the system says ---- */

TEST(each_step_says_why) {
  struct stat info;
  FILE *stream = NULL;
  REQUIRE(folder_make());
  CHECK(tsr__disk_steps.make(in_folder("no/file"), TSR__MAKE_OVER, &stream) == ENOENT && stream == NULL);
  CHECK(tsr__disk_steps.make(in_folder("no/file"), TSR__MAKE_FRESH, &stream) == ENOENT && stream == NULL);
  CHECK(tsr__disk_steps.replace(in_folder("none"), in_folder("other")) == ENOENT);
  CHECK(tsr__disk_steps.folder(in_folder("none")) == ENOENT && tsr__disk_steps.folder(folder) == 0);
  CHECK(tsr__disk_steps.forget(in_folder("none")) == ENOENT);
  REQUIRE(tsr__disk_steps.make(in_folder("file"), TSR__MAKE_FRESH, &stream) == 0);
  CHECK(tsr__disk_steps.write(stream, NULL, 0) == 0);
  CHECK(tsr__disk_steps.mode(stream, in_folder("none")) == 0); /* of nothing: as it is */
  REQUIRE(close(fileno(stream)) == 0);
  CHECK(tsr__disk_steps.mode(stream, in_folder("file")) == EBADF && tsr__disk_steps.sync(stream) == EBADF);
  CHECK(tsr__disk_steps.close(stream) == EBADF);
  if (stat("/dev/full", &info) == 0) {
    REQUIRE(tsr__disk_steps.make("/dev/full", TSR__MAKE_OVER, &stream) == 0);
    CHECK(tsr__disk_steps.write(stream, "x", 1) == 0 && tsr__disk_steps.flush(stream) == ENOSPC);
    CHECK(setvbuf(stream, NULL, _IONBF, 0) == 0 && tsr__disk_steps.write(stream, "xy", 2) == ENOSPC);
    (void)tsr__disk_steps.close(stream);
  }
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  stream = fdopen(ends[1], "wb");
  CHECK(stream != NULL && tsr__disk_steps.sync(stream) == 0); /* a pipe has no disk */
  CHECK(tsr__disk_steps.close(stream) == 0 && close(ends[0]) == 0);
  folder_end();
}

TEST_MAIN(RUN(a_sink_that_fails_within_the_header), RUN(more_bytes_than_a_size_can_say),
          RUN(more_pixels_than_images_have), RUN(names_and_options), RUN(formats_that_cannot_be_saved),
          RUN(a_producer_where_tensors_are_made_first), RUN(each_step_says_why))

#else

TEST(writers) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(writers))

#endif
