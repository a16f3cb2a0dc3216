/* The folder of compiled kernels: written once, read by the next process; broken, foreign or read-only, it costs time and no result. */
#include "kernel_folder.h"

TEST(a_kernel_is_compiled_once) {
  FOLDER_OR_SKIP();
  char path[512];
  struct stat info;
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  CHECK(find_kernel(path, sizeof path) && stat(path, &info) == 0 && (info.st_mode & 077) == 0);
  CHECK(compiled_by_a_process(folder, NULL) == 0);
  CHECK(compiled_by_a_process("0", NULL) == 1); /* turned off */
  remove_folder();
}

TEST(a_broken_kernel_is_compiled_again) {
  FOLDER_OR_SKIP();
  char path[512];
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  REQUIRE(find_kernel(path, sizeof path));
  const int file = open(path, O_WRONLY);
  CHECK(file >= 0 && pwrite(file, "x", 1, 200) == 1 && close(file) == 0); /* one byte of it */
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  CHECK(compiled_by_a_process(folder, NULL) == 0); /* and it is whole again */
  CHECK(truncate(path, 100) == 0);
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  CHECK(truncate(path, 0) == 0);
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  remove_folder();
}

TEST(a_folder_that_cannot_be_written_is_no_failure) {
  FOLDER_OR_SKIP();
  char path[512];
  CHECK(compiled_by_a_process("/proc/no/such/folder", NULL) == 1);
  CHECK(chmod(folder, 0500) == 0);
  if (geteuid() != 0) {
    CHECK(compiled_by_a_process(folder, NULL) == 1 && !find_kernel(path, sizeof path));
  }
  remove_folder();
}

TEST(a_folder_that_others_can_write_is_not_read) {
  FOLDER_OR_SKIP();
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  CHECK(chmod(folder, 0777) == 0);
  CHECK(compiled_by_a_process(folder, NULL) == 1);
  remove_folder();
}

/* Where the driver is: in the folder that is set, or where the loader finds it. */
static bool find_driver(char *path, size_t bytes) {
  const char *const set = getenv("TSR_CUDA_LIBRARIES");
  Dl_info info;
  (void)snprintf(path, bytes, "%s/libcuda.so.1", set != NULL ? set : "");
  if (set != NULL) return true;
  void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void *const symbol = library != NULL ? dlsym(library, "cuInit") : NULL;
  if (symbol == NULL || dladdr(symbol, &info) == 0 || info.dli_fname[0] != '/') return false;
  (void)snprintf(path, bytes, "%s", info.dli_fname);
  return true;
}

TEST(without_a_compiler_the_call_says_so) {
  FOLDER_OR_SKIP();
  char link[128], target[1024];
  (void)snprintf(link, sizeof link, "%s/libcuda.so.1", folder);
  if (!find_driver(target, sizeof target)) {
    remove_folder();
    SKIP("the loader does not say where the driver is");
  }
  CHECK(symlink(target, link) == 0);
  CHECK(compiled_by_a_process("0", folder) == 99);
  remove_folder();
}

TEST_MAIN(RUN(a_kernel_is_compiled_once), RUN(a_broken_kernel_is_compiled_again),
          RUN(a_folder_that_cannot_be_written_is_no_failure), RUN(a_folder_that_others_can_write_is_not_read),
          RUN(without_a_compiler_the_call_says_so))
