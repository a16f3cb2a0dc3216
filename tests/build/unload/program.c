/* program LIBRARY...: loads each, has the pool of threads work, and unloads it, ten times. The workers sleep and wake meanwhile. */
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <tessera/tessera.h>
#include <unistd.h>

enum { N = 1 << 20, TIMES = 10 };

static int hits[N];

static void count(void *arg, tsr_index begin, tsr_index end, int worker) {
  (void)arg, (void)worker;
  for (tsr_index i = begin; i < end; i++) hits[i]++;
}

static int use(const char *path, int before) {
  void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const tsr_parallel *(*pool)(void);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror());
  *(void **)&pool = dlsym(library, "tsr_parallel_default");
  if (pool == NULL) *(void **)&pool = dlsym(library, "the_pool");
  if (pool == NULL) return fprintf(stderr, "%s\n", dlerror());
  if (dlsym(library, "there is no such thing") != NULL) return 1;
  pool()->parallel_for(pool()->self, N, 1024, count, NULL);
  for (int i = 0; i < N; i++)
    if (hits[i] != before + 1) return fprintf(stderr, "%s: index %d came %d times\n", path, i, hits[i] - before);
  return dlclose(library);
}

int main(int argc, char **argv) {
  int before = 0;
  for (int times = 0; times < TIMES; times++)
    for (int i = 1; i < argc; i++) {
      if (use(argv[i], before++) != 0) return 1;
      (void)usleep(20000); /* long enough that workers have fallen asleep, in code that must still be there */
    }
  return argc > 1 ? 0 : 2;
}
