/* A GPU by its name: what is missing is said, what is there is described; memory, statistics, running out of it. */
#include "gpu_support.h"

#include <sys/wait.h>
#include <unistd.h>

TEST(names_that_are_none_are_refused) {
  const tsr_device *device = NULL;
  int n = -1;
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "gpu", &device));
  MESSAGE_HAS(NULL, "devices are cpu, and cuda:0");
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cuda:", &device));
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cuda:-1", &device));
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cuda:1x", &device));
  FAILS(NULL, TSR_ENAME, tsr_device_open(NULL, "cpu:1", &device));
  FAILS(NULL, TSR_EARG, tsr_device_open(NULL, NULL, &device));
  FAILS(NULL, TSR_ENAME, tsr_device_count(NULL, "rocm", &n));
  OK(NULL, tsr_device_open(NULL, "cpu", &device));
  CHECK(device == tsr_device_cpu());
  OK(NULL, tsr_device_count(NULL, "cpu", &n));
  CHECK(n == 1);
}

/* In a process of its own: the libraries are opened once. Returns the message. */
static const char *message_with(const char *plugins, const char *libraries, const char *devices, const char *name) {
  static char text[512];
  int ends[2];
  memset(text, 0, sizeof text);
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const tsr_device *device;
    (void)setenv("TSR_PLUGINS", plugins, 1);
    (void)setenv("TSR_CUDA_LIBRARIES", libraries, 1);
    (void)setenv("TSR_EMULATOR_DEVICES", devices, 1);
    const tsr_status st = tsr_device_open(NULL, name, &device);
    const char *const said = st == TSR_OK ? "opened" : tsr_error(NULL);
    _exit(write(ends[1], said, strlen(said)) < 0);
  }
  (void)close(ends[1]);
  (void)!read(ends[0], text, sizeof text - 1);
  (void)close(ends[0]);
  (void)waitpid(child, NULL, 0);
  return text;
}

#define SAYS(part, ...) CHECK(strstr(message_with(__VA_ARGS__), part) != NULL)

TEST(each_thing_that_is_missing_is_a_sentence) {
  const char *const why = gpu_missing();
  if (why != NULL) SKIP(why);
  SAYS("finds no GPU", TSR_PLUGIN_FOLDER, TSR_EMULATOR_FOLDER, "0", "cuda:0");
  SAYS("name is cuda:9, and the last GPU here is cuda:1", TSR_PLUGIN_FOLDER, TSR_EMULATOR_FOLDER, "2", "cuda:9");
  SAYS("opened", TSR_PLUGIN_FOLDER, TSR_EMULATOR_FOLDER, "2", "cuda:1");
  SAYS("there is no libcuda.so.1: NVIDIA's driver is not installed", TSR_PLUGIN_FOLDER, "/nowhere", "1", "cuda:0");
  SAYS("is of version 0.0.1 (", TSR_PLUGIN_FOLDER "/tests/other_version", TSR_EMULATOR_FOLDER, "1", "cuda:0");
}

TEST(a_device_is_described) {
  GPU_OR_SKIP(gpu);
  tsr_device_details d = {.size = sizeof d};
  const tsr_device *again = NULL;
  int n = 0;
  OK(NULL, tsr_device_open(NULL, "cuda", &again));
  CHECK(again == gpu && strcmp(gpu->name, "cuda:0") == 0 && gpu->kind == 2 && gpu->index == 0 && !gpu->is_host);
  OK(NULL, tsr_device_count(NULL, "cuda", &n));
  CHECK(n >= 1 && (n == 1 || gpu_named("cuda:1")->index == 1));
  OK(NULL, tsr_device_info(NULL, gpu, &d));
  CHECK(d.name[0] != 0 && d.total > 0 && d.free <= d.total && d.capability >= 70 && d.multiprocessors > 0);
  CHECK(d.driver >= 12000);
  d.size = 3;
  FAILS(NULL, TSR_EARG, tsr_device_info(NULL, gpu, &d));
}

TEST(freed_memory_serves_the_next_tensor) {
  GPU_OR_SKIP(gpu);
  tsr_device_details before = {.size = sizeof before}, during = before, after = before;
  tsr_tensor a = {0}, b = {0};
  (void)tsr_device_trim(gpu);
  OK(NULL, tsr_device_info(NULL, gpu, &before));
  CHECK(before.memory.in_use == 0 && before.memory.cached == 0);
  a = gpu_numbers(NULL, gpu, 1000);
  const void *const address = a.data;
  OK(NULL, tsr_device_info(NULL, gpu, &during));
  CHECK(during.memory.in_use == 4000 && during.free < before.free);
  tsr_release(&a);
  b = gpu_numbers(NULL, gpu, 999);
  CHECK(b.data == address);
  tsr_release(&b);
  OK(NULL, tsr_device_info(NULL, gpu, &after));
  CHECK(after.memory.in_use == 0 && after.memory.cached >= 4000 && after.memory.hits == before.memory.hits + 1);
  CHECK(tsr_device_trim(gpu) >= 4000);
  OK(NULL, tsr_device_info(NULL, gpu, &after));
  CHECK(after.memory.cached == 0 && after.free == before.free);
}

TEST(running_out_of_memory_is_a_status_after_giving_back_what_is_kept) {
  GPU_OR_SKIP(gpu);
  emulator_set_memory_fn set;
  if (!gpu_emulator("emulator_set_memory", &set)) SKIP("the memory of a real GPU cannot be made small");
  tsr_device_details d = {.size = sizeof d};
  tsr_tensor a = {0}, b = {0}, c = {0}, host = {0};
  (void)tsr_device_trim(gpu);
  OK(NULL, tsr_device_info(NULL, gpu, &d));
  set(0, d.total - d.free + (8 << 20)); /* 8 MB are left */
  OK(NULL, tsr_full(NULL, TSR_F32, TSR_SHAPE(1 << 20), 1, &host));
  OK(NULL, tsr_to_device(NULL, &host, gpu, &a)); /* 4 MB */
  tsr_release(&a);
  tsr_release(&host);
  OK(NULL, tsr_full(NULL, TSR_F32, TSR_SHAPE(3 << 19), 1, &host));
  OK(NULL, tsr_to_device(NULL, &host, gpu, &b)); /* 6 MB: only after the 4 that are kept went back */
  FAILS(NULL, TSR_ENOMEM, tsr_to_device(NULL, &host, gpu, &c));
  MESSAGE_HAS(NULL, "cuda:0 has no memory for 6291456 bytes");
  CHECK(tsr_is_none(&c));
  FAILS(NULL, TSR_ENOMEM, tsr_neg(NULL, &b, &c));
  CHECK(tsr_is_none(&c) && gpu_element(NULL, &b, 7) == 1);
  tsr_release(&b);
  tsr_release(&host);
  set(0, d.total);
  (void)tsr_device_trim(gpu);
  OK(NULL, tsr_device_info(NULL, gpu, &d));
  CHECK(d.memory.in_use == 0 && d.memory.cached == 0 && d.memory.failures == 2);
}

TEST(a_child_cannot_use_it_and_frees_nothing) {
  GPU_OR_SKIP(gpu);
  tsr_tensor a = gpu_numbers(NULL, gpu, 10);
  const pid_t child = fork();
  if (child == 0) {
    tsr_tensor b = {0};
    const tsr_status st = tsr_neg(NULL, &a, &b);
    const int good = st == TSR_EDEVICE && strstr(tsr_error(NULL), "opened before a fork") != NULL;
    tsr_release(&a);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  (void)waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(gpu_element(NULL, &a, 3) == 3);
  tsr_release(&a);
}

TEST(operands_of_two_devices_and_host_functions_are_refused) {
  GPU_OR_SKIP(gpu);
  GPU_SECOND_OR_SKIP(other);
  tsr_tensor a = gpu_numbers(NULL, gpu, 10), b = gpu_numbers(NULL, other, 10), host = {0}, c = {0};
  double value;
  OK(NULL, tsr_arange(NULL, TSR_F32, 0, 10, 1, &host));
  FAILS(NULL, TSR_EDEVICE, tsr_add(NULL, &a, &b, &c));
  MESSAGE_HAS(NULL, "add: a is on cuda:0 and b on cuda:1");
  FAILS(NULL, TSR_EDEVICE, tsr_add(NULL, &a, &host, &c));
  MESSAGE_HAS(NULL, "add: a is on cuda:0 and b on the host");
  FAILS(NULL, TSR_EDEVICE, tsr_get(NULL, &a, TSR_INDEX(3), &value));
  MESSAGE_HAS(NULL, "cuda:0");
  FAILS(NULL, TSR_EDEVICE, tsr_npy_save(NULL, "/tmp/never_written.npy", &a));
  CHECK(tsr_is_none(&c));
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&host);
}

TEST_MAIN(RUN(names_that_are_none_are_refused), RUN(each_thing_that_is_missing_is_a_sentence),
          RUN(a_device_is_described), RUN(freed_memory_serves_the_next_tensor),
          RUN(running_out_of_memory_is_a_status_after_giving_back_what_is_kept),
          RUN(a_child_cannot_use_it_and_frees_nothing), RUN(operands_of_two_devices_and_host_functions_are_refused))
