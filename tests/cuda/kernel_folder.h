/* Tests of folders of kernels: one to fill, what is in it, and a process that needs a kernel. */
#ifndef TEST_CUDA_KERNEL_FOLDER_H
#define TEST_CUDA_KERNEL_FOLDER_H

#include "gpu_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[80];

static inline void make_folder(void) {
  (void)snprintf(folder, sizeof folder, "/tmp/tsr_folder_test_XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
}

/* The only kernel there; false: there is none. */
static inline bool find_kernel(char *path, size_t bytes) {
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

static inline void remove_folder(void) {
  char path[512];
  (void)chmod(folder, 0700);
  while (find_kernel(path, sizeof path)) (void)unlink(path);
  (void)rmdir(folder);
}

/* A process that adds two numbers: how many kernels it compiled, or 100 + its status. */
static inline int compiled_by_a_process(const char *cache, const char *libraries) {
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

#endif
