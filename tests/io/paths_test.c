/* Files whose names are in any script, on every system: saved, replaced, loaded, mapped and refused. */
#include "files_support.h"

#include <tessera/tessera.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include "io/file/system.h"

static const char *const names[] = {"plain.npy", "two words.npy", "caf\xc3\xa9.npy", "\xe6\x95\xb0\xe6\x8d\xae.npy",
                                    "\xf0\x9f\x8e\xb2.npy"};
enum { NAMES = (int)(sizeof names / sizeof names[0]) };

static tsr_tensor row(float *numbers, tsr_index n) {
  tsr_tensor t = {0};
  for (tsr_index i = 0; i < n; i++) numbers[i] = (float)i + 0.5f;
  OK(NULL, tsr_from_memory(NULL, numbers, TSR_F32, TSR_SHAPE(n), &t));
  return t;
}

static bool holds(const tsr_tensor *t, const tsr_tensor *want) {
  return tsr_same_shape(t, want) && memcmp(t->data, want->data, tsr_nbytes(want)) == 0;
}

TEST(names_in_any_script) {
  float numbers[7], fewer[3];
  const tsr_tensor x = row(numbers, 7), y = row(fewer, 3);
  for (int i = 0; i < NAMES; i++) {
    tsr_tensor t = {0};
    OK(NULL, tsr_npy_save(NULL, in_folder(names[i]), &x));
    OK(NULL, tsr_npy_load(NULL, in_folder(names[i]), &t));
    CHECK(holds(&t, &x));
    tsr_release(&t);
    OK(NULL, tsr_npy_save(NULL, in_folder(names[i]), &y)); /* over the first */
    OK(NULL, tsr_npy_mmap(NULL, in_folder(names[i]), TSR_ACCESS_READ, NULL, &t));
    CHECK(holds(&t, &y) && (t.flags & TSR_READONLY) != 0);
    OK(NULL, tsr_mmap_check(NULL, &t));
    tsr_release(&t);
  }
  CHECK(folder_files(".tmp~", false) == 0);
  for (int i = 0; i < NAMES; i++) CHECK(tsr__system_remove(in_folder(names[i])) == 0);
}

TEST(private_maps_leave_the_file) {
  float numbers[5];
  const tsr_tensor x = row(numbers, 5);
  tsr_tensor t = {0}, again = {0};
  OK(NULL, tsr_npy_save(NULL, in_folder(names[2]), &x));
  OK(NULL, tsr_npy_mmap(NULL, in_folder(names[2]), TSR_ACCESS_PRIVATE, NULL, &t));
  ((float *)t.data)[0] = -1;
  tsr_release(&t);
  OK(NULL, tsr_npy_load(NULL, in_folder(names[2]), &again));
  CHECK(holds(&again, &x));
  tsr_release(&again);
  CHECK(tsr__system_remove(in_folder(names[2])) == 0);
}

TEST(empty_files_are_mapped_as_nothing) {
  tsr_tensor t = {0};
  FILE *f = fopen(in_folder("empty"), "wb");
  REQUIRE(f != NULL && fclose(f) == 0);
  OK(NULL, tsr_mmap_load(NULL, in_folder("empty"), TSR_ACCESS_READ, &t));
  CHECK(tsr_size(&t) == 0);
  tsr_release(&t);
  (void)folder_files("", true);
}

TEST(what_is_no_file_is_refused) {
  float numbers[2];
  const tsr_tensor x = row(numbers, 2);
  tsr_tensor t = {0};
  FAILS(NULL, TSR_EIO, tsr_npy_load(NULL, in_folder("none.npy"), &t));
  FAILS(NULL, TSR_EIO, tsr_mmap_load(NULL, in_folder("none.npy"), TSR_ACCESS_READ, &t));
  FAILS(NULL, TSR_EIO, tsr_mmap_load(NULL, folder, TSR_ACCESS_READ, &t));
  FAILS(NULL, TSR_EIO, tsr_npy_save(NULL, folder, &x)); /* a folder is not replaced by a file */
  FAILS(NULL, TSR_EIO, tsr_npy_save(NULL, in_folder("none/a.npy"), &x));
  CHECK(t.data == NULL && folder_files("", false) == 0);
}

/* 40 MB are read in parts, by several threads. */
TEST(large_files_are_read_in_parts) {
  enum { MANY = 10 << 20 };
  tsr_tensor x = {0}, t = {0};
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, MANY, 1, &x));
  OK(NULL, tsr_npy_save(NULL, in_folder("large.npy"), &x));
  OK(NULL, tsr_npy_load(NULL, in_folder("large.npy"), &t));
  CHECK(holds(&t, &x));
  tsr_release(&t);
  tsr_release(&x);
  (void)folder_files("", true);
}

TEST(archives_by_name) {
  float numbers[4];
  tsr_tensor x = row(numbers, 4);
  tsr_bundle bundle, back;
  OK(NULL, tsr_bundle_init(NULL, &bundle));
  OK(NULL, tsr_bundle_init(NULL, &back));
  tsr_tensor copy = {0};
  OK(NULL, tsr_clone(NULL, &x, &copy));
  OK(NULL, tsr_bundle_add(NULL, &bundle, "x", &copy));
  OK(NULL, tsr_npz_save(NULL, in_folder("\xc3\xa4.npz"), &bundle, NULL));
  OK(NULL, tsr_npz_load(NULL, in_folder("\xc3\xa4.npz"), NULL, &back));
  CHECK(back.count == 1 && holds(&back.tensors[0], &x));
  tsr_bundle_release(&back);
  tsr_bundle_release(&bundle);
  CHECK(tsr__system_remove(in_folder("\xc3\xa4.npz")) == 0);
}

TEST(a_folder) { REQUIRE(folder_make()); }
TEST(the_folder_is_empty_again) { CHECK(rmdir(folder) == 0); }

TEST_MAIN(RUN(a_folder), RUN(names_in_any_script), RUN(private_maps_leave_the_file),
          RUN(empty_files_are_mapped_as_nothing), RUN(what_is_no_file_is_refused), RUN(large_files_are_read_in_parts),
          RUN(archives_by_name), RUN(the_folder_is_empty_again))

#else
TEST(names_in_any_script) { SKIP("no files in this configuration"); }
TEST_MAIN(RUN(names_in_any_script))
#endif
