/* Archives that grow: members stay byte for byte, new ones follow and can be mapped; names that are there are refused;
 * whatever fails, and wherever the disk is full, the old archive is as it was. */
#include "files_support.h"

#include "npz_support.h"

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP

#include <errno.h>
#include <sys/stat.h>
#include "io/file/disk.h"

enum { MOST = 1 << 14 };

typedef struct contents {
  uint8_t at[MOST];
  size_t n;
} contents;

static bool read_file(const char *path, contents *c) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return false;
  c->n = fread(c->at, 1, sizeof c->at, f);
  return fclose(f) == 0 && c->n > 0 && c->n < sizeof c->at;
}

static bool same_file(const char *path, const contents *old) {
  static contents now;
  return read_file(path, &now) && now.n == old->n && memcmp(now.at, old->at, old->n) == 0;
}

/* f32 [n] of one value. */
static tsr_bundle bundle_of(const char *name, tsr_index n, float value) {
  static float numbers[2][64];
  static int turn;
  tsr_bundle b = {0};
  tsr_tensor t = {0};
  float *at = numbers[turn = !turn];
  for (tsr_index i = 0; i < n; i++) at[i] = value;
  OK(NULL, tsr_from_memory(NULL, at, TSR_F32, TSR_SHAPE(n), &t));
  OK(NULL, tsr_bundle_add(NULL, &b, name, &t));
  return b;
}

static tsr_status save(const char *path, const char *name, float value, bool deflate, bool append) {
  const tsr_npz_save_options options = {.deflate = deflate};
  tsr_bundle b = bundle_of(name, 20, value);
  const tsr_status st = append ? tsr_npz_append(NULL, path, &b, &options) : tsr_npz_save(NULL, path, &b, &options);
  tsr_bundle_release(&b);
  return st;
}

TEST(members_stay_and_follow) {
  static contents old, now;
  REQUIRE(folder_make());
  const char *path = in_folder("a.npz");
  for (int kind = 0; kind < 4; kind++) {
    const bool before = kind % 2 != 0, behind = kind / 2 != 0;
    tsr_bundle b = {0};
    if ((before || behind) && !TSR_HAVE_ZLIB) continue;
    (void)remove(path);
    OK(NULL, save(path, "a", 1, before, true)); /* there is none yet: it is made */
    REQUIRE(read_file(path, &old));
    OK(NULL, save(path, "b", 2, behind, true));
    OK(NULL, save(path, "\xc3\xa9", 3, false, true));
    REQUIRE(read_file(path, &now));
    CHECK(now.n > old.n && memcmp(now.at, old.at, 100) == 0);
    OK(NULL, tsr_npz_load(NULL, path, NULL, &b));
    REQUIRE(b.count == 3);
    for (int i = 0; i < 3; i++) CHECK(((const float *)b.tensors[i].data)[19] == (float)(i + 1));
    CHECK(strcmp(b.tensors[0].name, "a") == 0 && strcmp(b.tensors[2].name, "\xc3\xa9") == 0);
    CHECK((uintptr_t)b.tensors[2].data % 64 == 0); /* a stored one can be mapped, wherever it came to lie */
    tsr_bundle_release(&b);
  }
  folder_end();
}

TEST(refused_and_untouched) {
  static contents old;
  tsr_bundle b = bundle_of("a", 3, 1), none = {0};
  REQUIRE(folder_make());
  const char *path = in_folder("a.npz");
  OK(NULL, save(path, "a", 1, false, false));
  REQUIRE(read_file(path, &old));
  FAILS(NULL, TSR_ENAME, tsr_npz_append(NULL, path, &b, NULL));
  MESSAGE_HAS(NULL, "'a' is in ");
  CHECK(same_file(path, &old));
  FAILS(NULL, TSR_EARG, tsr_npz_append(NULL, NULL, &b, NULL));
  FAILS(NULL, TSR_EARG, tsr_npz_append(NULL, path, NULL, NULL));
  FAILS(NULL, TSR_EIO, tsr_npz_append(NULL, in_folder("no/such.npz"), &b, NULL));
  const tsr_npz_save_options wrong = {.level = 10};
  tsr_bundle_release(&b);
  b = bundle_of("b", 3, 1);
  FAILS(NULL, TSR_EARG, tsr_npz_append(NULL, path, &b, &wrong));
  CHECK(same_file(path, &old));
  OK(NULL, tsr_npz_append(NULL, path, &none, NULL)); /* nothing more: the same members */
  FILE *f = fopen(path, "r+b");
  REQUIRE(f != NULL && fputc('X', f) == 'X' && fclose(f) == 0);
  REQUIRE(read_file(path, &old));
  FAILS(NULL, TSR_EFORMAT, tsr_npz_append(NULL, path, &b, NULL)); /* a broken archive does not grow */
  CHECK(same_file(path, &old));
  tsr_bundle_release(&b);
  folder_end();
}

/* ---- faults ---- */

static tsr__disk real;
static size_t room;

static int write_step(FILE *stream, const void *bytes, size_t n) {
  const size_t some = n < room ? n : room;
  room -= some;
  const int error = real.write(stream, bytes, some);
  return error != 0 ? error : some < n ? ENOSPC : 0;
}
static int fails_stream(FILE *stream) {
  (void)stream;
  return EIO;
}
static int fails_close(FILE *stream) {
  (void)real.close(stream);
  return EIO;
}
static int fails_make(const char *name, tsr__make how, FILE **stream) {
  (void)name, (void)how, (void)stream;
  return EIO;
}
static int fails_names(const char *a, const char *b) {
  (void)a, (void)b;
  return EIO;
}

TEST(each_step_fails) {
  static contents old;
  REQUIRE(folder_make());
  const char *path = in_folder("a.npz");
  OK(NULL, save(path, "a", 1, false, false));
  REQUIRE(read_file(path, &old));
  real = tsr__disk_steps;
  for (int step = 0; step < 5; step++) {
    tsr__disk_steps = real;
    if (step == 0) tsr__disk_steps.make = fails_make;
    if (step == 1) tsr__disk_steps.flush = fails_stream;
    if (step == 2) tsr__disk_steps.sync = fails_stream;
    if (step == 3) tsr__disk_steps.close = fails_close;
    if (step == 4) tsr__disk_steps.replace = fails_names;
    const tsr_status st = save(path, "b", 2, false, true);
    tsr__disk_steps = real;
    CHECK(st == TSR_EIO && same_file(path, &old) && folder_count(false) == 1);
  }
  folder_end();
}

TEST(a_disk_that_is_full_at_each_byte) {
  static contents old;
  struct stat info;
  char path[128];
  REQUIRE(folder_make());
  (void)snprintf(path, sizeof path, "%s", in_folder("a.npz"));
  OK(NULL, save(path, "a", 1, false, false));
  REQUIRE(read_file(path, &old));
  OK(NULL, save(in_folder("b.npz"), "a", 1, false, false));
  OK(NULL, save(in_folder("b.npz"), "b", 2, false, true));
  REQUIRE(stat(in_folder("b.npz"), &info) == 0);
  real = tsr__disk_steps;
  tsr__disk_steps.write = write_step;
  for (size_t bytes = 0; bytes < (size_t)info.st_size; bytes++) {
    room = bytes;
    CHECK(save(path, "b", 2, false, true) == TSR_EIO && same_file(path, &old) && folder_count(false) == 2);
  }
  room = (size_t)info.st_size;
  OK(NULL, save(path, "b", 2, false, true));
  tsr__disk_steps = real;
  folder_end();
}

TEST_MAIN(RUN(members_stay_and_follow), RUN(refused_and_untouched), RUN(each_step_fails),
          RUN(a_disk_that_is_full_at_each_byte))

#else

TEST(files) { SKIP("no mapped files in this profile"); }
TEST_MAIN(RUN(files))

#endif
