/* The folder of compiled kernels: written once, read by the next process; broken, foreign or read-only, it costs time and no result. */
#include "gpu_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void make_folder(void) {
  (void)snprintf(folder, sizeof folder, "/tmp/tsr_folder_test_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
}

/* The only kernel there; false: there is none. */
static bool find_kernel(char *path, size_t bytes) {
  DIR *const dir = opendir(folder);
  bool found = false;
  for (const struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
    if (e->d_name[0] == '.') continue;
    found = true;
    (void)snprintf(path, bytes, "%s/%s", folder, e->d_name);
  }
  if (dir != NULL) (void)closedir(dir);
  return found;
}

static void remove_folder(void) {
  char path[512];
  (void)chmod(folder, 0700);
  while (find_kernel(path, sizeof path)) (void)unlink(path);
  (void)rmdir(folder);
}

/* A process that adds two numbers: how many kernels it compiled, or 100 + its status. */
static int compiled_by_a_process(const char *cache, const char *libraries) {
  (void)fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const tsr_device *gpu;
    tsr_device_details d = {.size = sizeof d};
    tsr_tensor host = {0}, x = {0}, y = {0};
    (void)setenv("TSR_CUDA_CACHE", cache, 1);
    if (libraries != NULL) (void)setenv("TSR_CUDA_LIBRARIES", libraries, 1);
    tsr_status st = tsr_device_open(NULL, "cuda:0", &gpu);
    if (st == TSR_OK) st = tsr_arange(NULL, TSR_F32, 0, 10, 1, &host);
    if (st == TSR_OK) st = tsr_to_device(NULL, &host, gpu, &x);
    if (st == TSR_OK) st = tsr_add(NULL, &x, &x, &y);
    if (st == TSR_EDEVICE && strstr(tsr_error(NULL), "there is no libnvrtc") != NULL) _exit(99);
    tsr_release(&host);
    if (st == TSR_OK) st = tsr_to_device(NULL, &y, NULL, &host);
    if (st == TSR_OK) st = tsr_device_info(NULL, gpu, &d);
    if (st == TSR_OK && ((const float *)host.data)[9] != 18) st = TSR_EINDEX;
    _exit(st == TSR_OK ? (int)d.kernels_compiled : 100 + st);
  }
  int status = 0;
  (void)waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define FOLDER_OR_SKIP()                 \
  const char *const why = gpu_missing(); \
  if (why != NULL) SKIP(why);            \
  make_folder()

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
