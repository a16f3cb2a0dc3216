/* .npz files: mapped, saved so that a failure leaves the old one, loaded as bundles by content. */
#include "files_support.h"

#include "npz_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <errno.h>
#include <tessera/formats.h>
#include "io/file/file.h"

enum { LITTLE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

static const float numbers[6] = {0, 1, 2, 3, 4, 5};

static tsr_bundle make_bundle(void) {
  tsr_bundle b = {0};
  tsr_tensor x = {0}, y = {0};
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_F32, TSR_SHAPE(2, 3), &x));
  OK(NULL, tsr_bundle_add(NULL, &b, "x", &x));
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_U8, TSR_SHAPE(24), &y));
  OK(NULL, tsr_bundle_add(NULL, &b, "y", &y));
  return b;
}

static bool is_whole(const char *path) {
  tsr_bundle b = {0};
  if (tsr_npz_load(NULL, path, NULL, &b) != TSR_OK) return false;
  const tsr_tensor *x = tsr_bundle_find(&b, "x"), *y = tsr_bundle_find(&b, "y");
  const bool whole = x != NULL && y != NULL && memcmp(x->data, numbers, 24) == 0 && memcmp(y->data, numbers, 24) == 0;
  tsr_bundle_release(&b);
  return whole;
}

TEST(stored_members_are_mapped) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_bundle b = make_bundle(), mapped = {0};
  tsr_tensor x = {0}, y = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("a.npz");
  OK(ctx, tsr_npz_save(ctx, path, &b, NULL));
  OK(ctx, tsr_npz_load(ctx, path, NULL, &mapped));
  REQUIRE(mapped.count == 2);
  CHECK(remove(path) == 0);
  OK(ctx, tsr_bundle_take(ctx, &mapped, "y", &y));
  OK(ctx, tsr_share(ctx, &mapped.tensors[0], &x));
  tsr_bundle_release(&mapped);
  CHECK(memcmp(x.data, numbers, 24) == 0 && memcmp(y.data, numbers, 24) == 0);
  CHECK((y.flags & TSR_READONLY) != 0 && (uintptr_t)y.data % 64 == 0);
  if (LITTLE) CHECK((uintptr_t)x.data % 64 == 0 && tsr_refcount(&y) == 2); /* one map */
  OK(ctx, tsr_mmap_check(ctx, &y));
  tsr_release(&x);
  tsr_release(&y);
  CHECK(m.failing.live == 0);
  tsr_bundle_release(&b);
  folder_end();
}

TEST(copy_on_write_never_reaches_the_file) {
  tsr_bundle b = make_bundle(), mapped = {0};
  const tsr_npz_options options = {.access = TSR_ACCESS_PRIVATE};
  REQUIRE(folder_make());
  const char *path = in_folder("a.npz");
  OK(NULL, tsr_npz_save(NULL, path, &b, NULL));
  OK(NULL, tsr_npz_load(NULL, path, &options, &mapped));
  REQUIRE(mapped.count == 2 && (mapped.tensors[1].flags & TSR_READONLY) == 0);
  memset(mapped.tensors[1].data, 9, 24);
  CHECK(is_whole(path));
  tsr_bundle_release(&mapped);
  tsr_bundle_release(&b);
  folder_end();
}

TEST(bundles_by_content) {
  tsr_bundle b = make_bundle(), back = {0}, none = {0};
  tsr_metadata meta = {0};
  int format = 0;
  REQUIRE(folder_make());
  OK(NULL, tsr_bundle_save(NULL, in_folder("a.npy"), TSR_FORMAT_NPZ, &b, NULL)); /* its name says otherwise */
  OK(NULL, tsr_format_detect(NULL, in_folder("a.npy"), &format));
  CHECK(format == TSR_FORMAT_NPZ && strcmp(tsr_format_name((tsr_format)format), "npz") == 0);
  OK(NULL, tsr_bundle_load(NULL, in_folder("a.npy"), &back, &meta));
  CHECK(back.count == 2 && meta.count == 0 && strcmp(back.tensors[1].name, "y") == 0);
  tsr_bundle_release(&back);
  OK(NULL, tsr_bundle_save(NULL, in_folder("empty.npz"), TSR_FORMAT_AUTO, &none, NULL));
  OK(NULL, tsr_bundle_load(NULL, in_folder("empty.npz"), &back, NULL));
  CHECK(back.count == 0);
  OK(NULL, tsr_metadata_set(NULL, &meta, "who", "me"));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("b.npz"), TSR_FORMAT_AUTO, &b, &meta));
  MESSAGE_HAS(NULL, "npz files have no room for it");
  tsr_metadata_release(&meta);
  tsr_bundle_release(&b);
  folder_end();
}

TEST_MAIN(RUN(stored_members_are_mapped), RUN(copy_on_write_never_reaches_the_file), RUN(bundles_by_content))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
