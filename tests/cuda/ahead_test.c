/* Kernels that are compiled where no GPU is: a device that prepares calls and computes nothing, and what it leaves for one that does. */
#include "kernel_folder.h"
#include "memory/sanitizers.h"

/* ---- the device ---- */

TEST(it_prepares_and_computes_nothing) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  make_folder();
  (void)setenv("TSR_CUDA_CACHE", folder, 1);
  const tsr_device *const ahead = gpu_named("cuda:sm_90");
  REQUIRE(ahead != NULL);
  tsr_device_details d = {.size = sizeof d};
  tsr_ctx ctx;
  tsr_tensor x = {0}, y = {0}, host = {0};
  CHECK(gpu_named("cuda:sm_90") == ahead && strcmp(ahead->name, "cuda:sm_90") == 0 && ahead->kind == 0);
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_device(&ctx, ahead));
  OK(&ctx, tsr_ones(&ctx, TSR_F32, TSR_SHAPE(1000), &x));
  OK(&ctx, tsr_eval(&ctx, "x*2 + 1", TSR_NAMED({"x", &x}), &y));
  OK(&ctx, tsr_eval(&ctx, "x*2 + 1", TSR_NAMED({"x", &x}), &y)); /* as a graph */
  OK(&ctx, tsr_device_sync(&ctx, ahead));
  OK(&ctx, tsr_device_info(&ctx, ahead, &d));
  CHECK(d.capability == 90 && d.kernels == d.kernels_compiled && d.kernels > 0);
  FAILS(&ctx, TSR_EDEVICE, tsr_to_device(&ctx, &y, NULL, &host));
  CHECK(strstr(tsr_error(&ctx), "it prepares calls, and computes nothing") != NULL);
  tsr_release(&x);
  tsr_release(&y);
  remove_folder();
}

TEST(names_that_are_none) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  const tsr_device *device = NULL;
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cuda:sm_", &device));
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cuda:sm_9x", &device));
  FAILS(NULL, TSR_EDEVICE, tsr_device_open(NULL, "cuda:sm_5", &device));
  FAILS(NULL, TSR_EDEVICE, tsr_device_open(NULL, "cuda:sm_9000", &device));
  CHECK(device == NULL);
}

TEST(a_folder_that_cannot_be_written_is_a_failure_here) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  tsr_ctx ctx;
  tsr_tensor x = {0};
  (void)setenv("TSR_CUDA_CACHE", "/proc/no/such/folder", 1);
  OK(NULL, tsr_context_init(&ctx, NULL));
  OK(&ctx, tsr_context_set_device(&ctx, gpu_named("cuda:sm_80")));
  FAILS(&ctx, TSR_EIO, tsr_full(&ctx, TSR_F32, TSR_SHAPE(1000), 7, &x));
  tsr_release(&x);
}

/* ---- its kernels ---- */

/* The kernel of x + x for a compute capability, in the folder tessera_cuda_kernels beside a plug-in of its own. */
static char plugins[40]; /* its folder */

static void add_ahead(const char *name) {
  (void)fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    tsr_ctx ctx;
    const tsr_device *device;
    tsr_tensor x = {0}, y = {0};
    (void)setenv("TSR_CUDA_CACHE", folder, 1);
    tsr_status st = tsr_context_init(&ctx, NULL);
    if (st == TSR_OK) st = tsr_device_open(&ctx, name, &device);
    if (st == TSR_OK) st = tsr_context_set_device(&ctx, device);
    if (st == TSR_OK) st = tsr_empty(&ctx, TSR_F32, TSR_SHAPE(10), &x);
    if (st == TSR_OK) st = tsr_add(&ctx, &x, &x, &y);
    _exit(st == TSR_OK ? 0 : 1);
  }
  int status = 0;
  (void)waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void make_beside(const char *name) {
  char path[160];
  (void)snprintf(plugins, sizeof plugins, "/tmp/tsr_ahead_test_XXXXXX");
  CHECK(mkdtemp(plugins) != NULL);
  (void)snprintf(path, sizeof path, "%s/libtessera_cuda.so", plugins);
  CHECK(symlink(TSR_PLUGIN_FOLDER "/libtessera_cuda.so", path) == 0);
  (void)snprintf(folder, sizeof folder, "%s/tessera_cuda_kernels", plugins);
  CHECK(mkdir(folder, 0755) == 0 && chmod(folder, 0755) == 0);
  add_ahead(name);
  (void)setenv("TSR_PLUGINS", plugins, 1);
}

static void remove_beside(void) {
  char path[160];
  (void)snprintf(path, sizeof path, "%s/libtessera_cuda.so", plugins);
  remove_folder();
  (void)unlink(path);
  (void)rmdir(plugins);
  (void)setenv("TSR_PLUGINS", TSR_PLUGIN_FOLDER, 1);
}

/* Without a folder of its own, and where that can be without a compiler. */
static void libraries_without_a_compiler(char *path, size_t bytes) {
  char link[160], target[512];
  (void)snprintf(path, bytes, "%s/libraries", plugins);
  (void)snprintf(link, sizeof link, "%s/libcuda.so.1", path);
  (void)snprintf(target, sizeof target, "%s/libcuda.so.1", getenv("TSR_CUDA_LIBRARIES"));
  CHECK(mkdir(path, 0700) == 0 && symlink(target, link) == 0);
}

TEST(what_lies_beside_the_plugin_is_not_compiled) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  if (gpu_is_real()) SKIP("it is about the emulated device");
  make_beside("cuda:sm_90");
  char path[512], libraries[96];
  CHECK(find_kernel(path, sizeof path) && strlen(strrchr(path, '/')) == 1 + 32 + 6);
  CHECK(compiled_by_a_process("0", NULL) == 0);
  libraries_without_a_compiler(libraries, sizeof libraries);
  CHECK(compiled_by_a_process("0", libraries) == 0);
  (void)snprintf(path, sizeof path, "%s/libcuda.so.1", libraries);
  (void)unlink(path);
  (void)rmdir(libraries);
  remove_beside();
}

/* One byte of it; its head, as another version would write it; another kernel under its name. */
TEST(what_is_broken_or_of_another_version_is_not_used) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  if (gpu_is_real()) SKIP("it is about the emulated device");
  static const struct {
    off_t at;
    char byte;
  } changes[] = {{200, 'x'}, {7, '0'}, {8, 1}};
  for (int i = 0; i < COUNT_OF(changes); i++) {
    make_beside("cuda:sm_90");
    char path[512];
    REQUIRE(find_kernel(path, sizeof path));
    const int file = open(path, O_RDWR);
    char before = 0;
    CHECK(file >= 0 && pread(file, &before, 1, changes[i].at) == 1);
    const char after = before != changes[i].byte ? changes[i].byte : 'y';
    CHECK(pwrite(file, &after, 1, changes[i].at) == 1 && close(file) == 0);
    CHECK(compiled_by_a_process("0", NULL) == 1);
    remove_beside();
  }
  make_beside("cuda:sm_80"); /* for another GPU */
  CHECK(compiled_by_a_process("0", NULL) == 1);
  remove_beside();
}

/* Code for 8.0 runs on 8.6; and the user's own folder may have been filled ahead as well. */
TEST(a_generation_has_one_code) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  if (gpu_is_real()) SKIP("it is about the emulated device");
  make_beside("cuda:sm_80");
  (void)setenv("TSR_EMULATOR_ARCH", "86", 1);
  CHECK(compiled_by_a_process("0", NULL) == 0);
  (void)unsetenv("TSR_EMULATOR_ARCH");
  remove_beside();
  make_folder();
  add_ahead("cuda:sm_90");
  CHECK(compiled_by_a_process(folder, NULL) == 0);
  remove_folder();
}

/* ---- NVIDIA's compiler ---- */

TEST(nvidias_compiler_makes_machine_code) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  if (TEST_MSAN) SKIP("NVIDIA's compiler was not built with the sanitizer");
  void *library = dlopen("libnvrtc.so.13", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libnvrtc.so.12", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) library = dlopen("/usr/local/cuda/lib64/libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) SKIP("there is no libnvrtc");
  const char *const libraries = getenv("TSR_CUDA_LIBRARIES");
  char path[512], image[70] = {0}, kept[512] = "";
  if (libraries != NULL) (void)snprintf(kept, sizeof kept, "%s", libraries);
  (void)unsetenv("TSR_CUDA_LIBRARIES");
  make_folder();
  add_ahead("cuda:sm_90");
  if (libraries != NULL) (void)setenv("TSR_CUDA_LIBRARIES", kept, 1);
  REQUIRE(find_kernel(path, sizeof path));
  const int file = open(path, O_RDONLY);
  enum { HEAD = 48, EM_CUDA = 190 };
  CHECK(file >= 0 && pread(file, image, 20, HEAD) == 20 && close(file) == 0);
  CHECK(memcmp(image, "\177ELF", 4) == 0 && (unsigned char)image[18] == EM_CUDA);
  remove_folder();
}

/* Those that fork come first: a child has no device of its parent. */
TEST_MAIN(RUN(what_lies_beside_the_plugin_is_not_compiled), RUN(what_is_broken_or_of_another_version_is_not_used),
          RUN(a_generation_has_one_code), RUN(nvidias_compiler_makes_machine_code),
          RUN(it_prepares_and_computes_nothing), RUN(names_that_are_none),
          RUN(a_folder_that_cannot_be_written_is_a_failure_here))
