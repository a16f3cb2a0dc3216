/* Files by their path, and streams: a save that fails leaves what was there. */
#include "files_support.h"

#if TSR_HAVE_STDIO

#include <errno.h>
#include <stdlib.h>
#if TSR_HAVE_MMAP
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

static const float numbers[6] = {0, 1, 2, 3, 4, 5};

static tsr_tensor matrix(tsr_index rows, tsr_index cols) {
  tsr_tensor t = {0};
  OK(NULL, tsr_from_const_memory(NULL, numbers, TSR_F32, TSR_SHAPE(rows, cols), &t));
  return t;
}

static bool loads_as(tsr_ctx *ctx, const char *path, const tsr_tensor *want) {
  tsr_tensor t = {0};
  if (tsr_npy_load(ctx, path, &t) != TSR_OK) return false;
  const bool same = tsr_desc_equal(&t, want) && memcmp(t.data, want->data, tsr_nbytes(want)) == 0;
  tsr_release(&t);
  return same;
}

TEST(streams_take_several_arrays) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor first = matrix(2, 3), second = matrix(3, 1);
  tsr_tensor t = {0};
  FILE *stream = tmpfile();
  REQUIRE(stream != NULL);
  const tsr_sink sink = tsr_sink_stdio(stream);
  const tsr_source source = tsr_source_stdio(stream);
  OK(ctx, tsr_npy_write(ctx, &first, &sink));
  OK(ctx, tsr_npy_write(ctx, &second, &sink));
  rewind(stream);
  OK(ctx, tsr_npy_read(ctx, &source, NULL, &t));
  CHECK(tsr_same_shape(&t, &first) && memcmp(t.data, numbers, sizeof numbers) == 0);
  tsr_release(&t);
  OK(ctx, tsr_npy_read(ctx, &source, NULL, &t));
  CHECK(tsr_same_shape(&t, &second));
  tsr_release(&t);
  FAILS(ctx, TSR_EFORMAT, tsr_npy_read(ctx, &source, NULL, &t));
  (void)fclose(stream);
  CHECK(m.failing.live == 0);
}

TEST(missing_arguments_and_files) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_tensor t = matrix(2, 3), empty = {0};
  FAILS(ctx, TSR_EARG, tsr_npy_load(ctx, NULL, &empty));
  FAILS(ctx, TSR_EARG, tsr_npy_load(ctx, "x.npy", NULL));
  FAILS(ctx, TSR_EARG, tsr_npy_save(ctx, NULL, &t));
  FAILS(ctx, TSR_EARG, tsr_npy_save(ctx, "x.npy", NULL));
  FAILS(ctx, TSR_ESTATE, tsr_npy_save(ctx, "no_such_folder/x.npy", &empty));
  FAILS(ctx, TSR_EARG, tsr_print(ctx, &t, NULL, NULL));
  FAILS(ctx, TSR_EIO, tsr_npy_load(ctx, "no_such_folder/no_such_file.npy", &empty));
  MESSAGE_HAS(ctx, "npy_load: no_such_folder/no_such_file.npy: cannot be opened: ");
  MESSAGE_HAS(ctx, strerror(ENOENT));
  FAILS(ctx, TSR_EIO, tsr_npy_save(ctx, "no_such_folder/x.npy", &t));
  MESSAGE_HAS(ctx, "npy_save: no_such_folder/x.npy: no file can be made beside it: ");
}

TEST(prints_a_line) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  char text[64], line[128] = "";
  size_t needed = 0;
  FILE *stream = tmpfile();
  REQUIRE(stream != NULL);
  OK(ctx, tsr_print(ctx, &t, NULL, stream));
  OK(ctx, tsr_print_text(ctx, &t, NULL, text, sizeof text, &needed));
  rewind(stream);
  const size_t n = fread(line, 1, sizeof line, stream);
  (void)fclose(stream);
  CHECK(n == needed + 1 && memcmp(line, text, needed) == 0 && line[needed] == '\n');
}

#if TSR_HAVE_MMAP

TEST(save_then_load) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor first = matrix(2, 3), second = matrix(1, 4);
  REQUIRE(folder_make());
  const char *path = in_folder("a.npy");
  OK(ctx, tsr_npy_save(ctx, path, &first));
  CHECK(loads_as(ctx, path, &first));
  CHECK(chmod(path, 0600) == 0);
  OK(ctx, tsr_npy_save(ctx, path, &second)); /* replaces */
  CHECK(loads_as(ctx, path, &second) && folder_count(false) == 1);
  struct stat info;
  CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0600);
  CHECK(m.failing.live == 0);
  CHECK(remove(path) == 0 && rmdir(folder) == 0);
}

TEST(a_link_stays_a_link) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor first = matrix(2, 3), second = matrix(1, 4);
  char real_path[128], link_path[128];
  struct stat info;
  REQUIRE(folder_make());
  strcpy(real_path, in_folder("real.npy"));
  strcpy(link_path, in_folder("link.npy"));
  OK(ctx, tsr_npy_save(ctx, real_path, &first));
  REQUIRE(symlink("real.npy", link_path) == 0);
  OK(ctx, tsr_npy_save(ctx, link_path, &second));
  CHECK(lstat(link_path, &info) == 0 && S_ISLNK(info.st_mode));
  CHECK(loads_as(ctx, real_path, &second));
  CHECK(remove(link_path) == 0 && remove(real_path) == 0 && rmdir(folder) == 0);
}

TEST(targets_that_cannot_be_replaced) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  tsr_tensor out = {0};
  REQUIRE(folder_make());
  FAILS(ctx, TSR_EIO, tsr_npy_load(ctx, folder, &out)); /* a folder */
  MESSAGE_HAS(ctx, strerror(EISDIR));
  char inner[128];
  strcpy(inner, in_folder("inner"));
  REQUIRE(mkdir(inner, 0700) == 0);
  FAILS(ctx, TSR_EIO, tsr_npy_save(ctx, inner, &t));
  CHECK(folder_count(false) == 1); /* no temporary file is left */
  CHECK(rmdir(inner) == 0);
  REQUIRE(chmod(folder, 0500) == 0);
  if (geteuid() != 0) FAILS(ctx, TSR_EIO, tsr_npy_save(ctx, in_folder("a.npy"), &t)); /* root may write anywhere */
  CHECK(chmod(folder, 0700) == 0 && rmdir(folder) == 0);
}

TEST(names_that_are_taken) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  char taken[192];
  REQUIRE(folder_make());
  (void)snprintf(taken, sizeof taken, "%s.tmp~%ld-0", in_folder("a.npy"), (long)getpid());
  FILE *stream = fopen(taken, "w");
  REQUIRE(stream != NULL);
  CHECK(fputs("mine", stream) >= 0 && fclose(stream) == 0);
  OK(ctx, tsr_npy_save(ctx, in_folder("a.npy"), &t));
  CHECK(loads_as(ctx, in_folder("a.npy"), &t) && folder_count(false) == 2); /* someone's file is left alone */
  CHECK(remove(taken) == 0 && remove(in_folder("a.npy")) == 0 && rmdir(folder) == 0);
}

TEST(devices_are_written_to) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  struct stat info;
  if (stat("/dev/full", &info) != 0) SKIP("no /dev/full");
  OK(ctx, tsr_npy_save(ctx, "/dev/null", &t));
  CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
  FAILS(ctx, TSR_EIO, tsr_npy_save(ctx, "/dev/full", &t));
  MESSAGE_HAS(ctx, strerror(ENOSPC));
  CHECK(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
  FILE *full = fopen("/dev/full", "w");
  REQUIRE(full != NULL);
  (void)setvbuf(full, NULL, _IONBF, 0);
  FAILS(ctx, TSR_EIO, tsr_print(ctx, &t, NULL, full));
  (void)fclose(full);
}

/* A pipe has no length to compare with: the file is read as it comes. */
TEST(from_one_process_to_another) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  REQUIRE(folder_make());
  const char *path = in_folder("pipe");
  REQUIRE(mkfifo(path, 0600) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(tsr_npy_save(NULL, path, &t) == TSR_OK ? 0 : 1);
  CHECK(loads_as(ctx, path, &t));
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(folder_count(false) == 1 && m.failing.live == 0);
  CHECK(remove(path) == 0 && rmdir(folder) == 0);
}

TEST(streams_that_are_missing) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  const tsr_tensor t = matrix(2, 3);
  tsr_tensor out = {0};
  const tsr_sink sink = tsr_sink_stdio(NULL);
  const tsr_source source = tsr_source_stdio(NULL);
  FAILS(ctx, TSR_EARG, tsr_npy_write(ctx, &t, &sink));
  FAILS(ctx, TSR_EARG, tsr_npy_read(ctx, &source, NULL, &out));
  FILE *stream = fopen("/", "rb"); /* opens, but cannot be read */
  if (stream == NULL) SKIP("folders do not open as files");
  const tsr_source broken = tsr_source_stdio(stream);
  FAILS(ctx, TSR_EIO, tsr_npy_read(ctx, &broken, NULL, &out));
  (void)fclose(stream);
}

TEST(each_allocation_fails_in_turn) {
  const tsr_tensor t = matrix(2, 3);
  REQUIRE(folder_make());
  const char *path = in_folder("a.npy");
  for (size_t fail_at = 0; fail_at < 4; fail_at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, fail_at, false);
    tsr_tensor back = {0};
    const tsr_status st = tsr_npy_save(ctx, path, &t);
    CHECK(st == (fail_at == 0 ? TSR_ENOMEM : TSR_OK) && m.failing.live == 0);
    const tsr_status loaded = tsr_npy_load(ctx, path, &back);
    CHECK(loaded == (fail_at == 0 ? TSR_EIO : fail_at == 1 ? TSR_ENOMEM : TSR_OK));
    tsr_release(&back);
    CHECK(m.failing.live == 0 && folder_count(false) == (fail_at == 0 ? 0 : 1));
  }
  CHECK(remove(path) == 0 && rmdir(folder) == 0);
}

#define POSIX_TESTS                                                                                                 \
  , RUN(save_then_load), RUN(a_link_stays_a_link), RUN(targets_that_cannot_be_replaced), RUN(names_that_are_taken), \
      RUN(devices_are_written_to), RUN(from_one_process_to_another), RUN(streams_that_are_missing),                 \
      RUN(each_allocation_fails_in_turn)
#else
#define POSIX_TESTS
#endif

TEST_MAIN(RUN(streams_take_several_arrays), RUN(missing_arguments_and_files), RUN(prints_a_line) POSIX_TESTS)

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
