/* Bundles that are written while their elements are made: the same files, byte for byte, as those of tensors in memory,
 * for every format; blocks come in order; a producer that fails leaves the old file whole. */
#include "files_support.h"

#include <tessera/formats.h>
#include <tessera/ops.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

/* Larger than the block that a writer asks for, and not a whole number of them. */
enum { LONG = (1 << 20) + 12345 };

typedef struct made {
  const tsr_bundle *bundle;
  tsr_index next; /* the element that must come now */
  tsr_index calls, most, fail_at;
} made;

static uint16_t element(tsr_index i) { return (uint16_t)(i * 40503 + 7); }

static tsr_status produce(void *self, const tsr_tensor *t, tsr_index first, tsr_index n, void *elements) {
  made *m = self;
  CHECK(t == &m->bundle->tensors[1] && (first == m->next || first == 0) && first + n <= tsr_size(t));
  if (m->calls++ == m->fail_at) return TSR_ERANGE;
  for (tsr_index i = 0; i < n; i++) ((uint16_t *)elements)[i] = element(first + i);
  m->next = first + n;
  if (n > m->most) m->most = n;
  return TSR_OK;
}

/* A small tensor that has its elements, and one that has them or not. */
static tsr_bundle make_bundle(int ndim, const tsr_index *shape, bool with_data) {
  static uint8_t small[4] = {1, 2, 3, 4};
  tsr_bundle b = {0};
  tsr_tensor t = {0}, u = {0};
  OK(NULL, tsr_from_memory(NULL, small, TSR_U8, TSR_SHAPE(4), &u));
  OK(NULL, tsr_bundle_add(NULL, &b, "small", &u));
  OK(NULL, tsr_desc_init(NULL, TSR_U16, ndim, shape, &t));
  if (with_data) {
    OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
    for (tsr_index i = 0; i < tsr_size(&t); i++) ((uint16_t *)t.data)[i] = element(i);
  }
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &t));
  return b;
}

/* Formats of one tensor take the second alone. */
static void take_small(tsr_bundle *b) {
  tsr_tensor t = {0};
  OK(NULL, tsr_bundle_take(NULL, b, "small", &t));
}

static bool same_files(const char *a, const char *b) {
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  bool same = x != NULL && y != NULL;
  for (int c = 0; same && c != EOF;) {
    c = fgetc(x);
    same = fgetc(y) == c;
  }
  if (x != NULL) (void)fclose(x);
  if (y != NULL) (void)fclose(y);
  return same;
}

TEST(archives) {
  static const int formats[] = {TSR_FORMAT_SAFETENSORS, TSR_FORMAT_NPZ};
  const tsr_index shape[1] = {LONG};
  REQUIRE(folder_make());
  for (int i = 0; i < 2; i++) {
    tsr_bundle described = make_bundle(1, shape, false), full = make_bundle(1, shape, true);
    made m = {.bundle = &described, .fail_at = -1};
    const tsr_producer producer = {.size = sizeof(tsr_producer), .produce = produce, .self = &m};
    OK(NULL, tsr_bundle_save(NULL, in_folder("full"), (tsr_format)formats[i], &full, NULL));
    OK(NULL, tsr_bundle_save_from(NULL, in_folder("made"), (tsr_format)formats[i], &described, NULL, &producer));
    CHECK(same_files(in_folder("full"), in_folder("made")));
    CHECK(m.next == LONG && m.calls > 1 && m.most < LONG);
    for (m.fail_at = m.calls - 1; m.fail_at >= 0; m.fail_at--) {
      m.calls = 0;
      FAILS(NULL, TSR_ERANGE,
            tsr_bundle_save_from(NULL, in_folder("made"), (tsr_format)formats[i], &described, NULL, &producer));
      MESSAGE_HAS(NULL, "u16 [1060921]: the producer failed at element");
      CHECK(same_files(in_folder("full"), in_folder("made")));
    }
    tsr_bundle_release(&described);
    tsr_bundle_release(&full);
    CHECK(folder_count(true) == 2);
  }
  folder_end();
}

static tsr_status produce_only(void *self, const tsr_tensor *t, tsr_index first, tsr_index n, void *elements) {
  (void)self, (void)t;
  for (tsr_index i = 0; i < n; i++) ((uint16_t *)elements)[i] = element(first + i);
  return TSR_OK;
}

TEST(files_of_one_tensor) {
  static const int formats[] = {TSR_FORMAT_NPY, TSR_FORMAT_RAW, TSR_FORMAT_CSV, TSR_FORMAT_PGM, TSR_FORMAT_C};
  const tsr_index shape[2] = {13, 7};
  const tsr_producer producer = {.size = sizeof(tsr_producer), .produce = produce_only};
  REQUIRE(folder_make());
  for (int i = 0; i < 5; i++) {
    tsr_bundle described = make_bundle(2, shape, false), full = make_bundle(2, shape, true);
    take_small(&described);
    take_small(&full);
    OK(NULL, tsr_bundle_save(NULL, in_folder("full"), (tsr_format)formats[i], &full, NULL));
    OK(NULL, tsr_bundle_save_from(NULL, in_folder("made"), (tsr_format)formats[i], &described, NULL, &producer));
    CHECK(same_files(in_folder("full"), in_folder("made")));
    tsr_bundle_release(&described);
    tsr_bundle_release(&full);
  }
  folder_end();
}

TEST(bad_calls) {
  const tsr_index shape[2] = {2, 3};
  const tsr_producer producer = {.size = sizeof(tsr_producer), .produce = produce_only}, none = {0};
  tsr_bundle b = make_bundle(2, shape, false), strided = {0};
  tsr_tensor t = {0};
  REQUIRE(folder_make());
  FAILS(NULL, TSR_EARG, tsr_bundle_save_from(NULL, in_folder("x.npz"), 0, &b, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_bundle_save_from(NULL, in_folder("x.npz"), 0, &b, NULL, &none));
  FAILS(NULL, TSR_EARG, tsr_bundle_save_from(NULL, in_folder("x.npz"), 0, NULL, NULL, &producer));
  FAILS(NULL, TSR_ESTATE, tsr_bundle_save(NULL, in_folder("x.npz"), 0, &b, NULL)); /* without one */
  OK(NULL, tsr_desc_init_ordered(NULL, TSR_U16, 2, shape, TSR_FORTRAN, &t));
  OK(NULL, tsr_bundle_add(NULL, &strided, "x", &t));
  FAILS(NULL, TSR_ESTRIDE, tsr_bundle_save_from(NULL, in_folder("x.npz"), 0, &strided, NULL, &producer));
  FAILS(NULL, TSR_ESTRIDE, tsr_bundle_save_from(NULL, in_folder("x.safetensors"), 0, &strided, NULL, &producer));
  FAILS(NULL, TSR_ESTRIDE, tsr_bundle_save_from(NULL, in_folder("x.npy"), 0, &strided, NULL, &producer));
  CHECK(folder_count(false) == 0);
  tsr_bundle_release(&b);
  tsr_bundle_release(&strided);
  folder_end();
}

TEST_MAIN(RUN(archives), RUN(files_of_one_tensor), RUN(bad_calls))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
