/* A malloc that fails once: the call whose number FAIL_AT says, from 0 on. How many there were is written to the file
 * COUNT_TO. For LD_PRELOAD with the GNU C library; built by memory.sh. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_calloc(size_t count, size_t size); /* dlsym needs one itself */

static long at = -1, calls;

static void *next(const char *name) {
  void *const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

/* ---- from the beginning of main to its end: what others do before and behind it is not looked at ---- */

typedef int main_fn(int argc, char **argv, char **environment);
typedef int start_fn(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                     void (*rtld_fini)(void), void *stack_end);
static main_fn *real_main;

static void count_to(const char *path) {
  FILE *const file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

static int counted_main(int argc, char **argv, char **environment) {
  const char *const number = getenv("FAIL_AT");
  calls = 0;
  at = number != NULL ? atol(number) : -1;
  const int code = real_main(argc, argv, environment);
  at = -1;
  count_to(getenv("COUNT_TO"));
  return code;
}

int __libc_start_main(main_fn *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_fn *start;
  *(void **)&start = next("__libc_start_main");
  real_main = program;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- what fails ---- */

static int fails(void) {
  if (calls++ != at) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) {
  static void *(*real)(size_t);
  if (real == NULL) *(void **)&real = next("malloc");
  return fails() ? NULL : real(n);
}

void *realloc(void *p, size_t n) {
  static void *(*real)(void *, size_t);
  if (real == NULL) *(void **)&real = next("realloc");
  return fails() ? NULL : real(p, n);
}

void *aligned_alloc(size_t align, size_t n) {
  static void *(*real)(size_t, size_t);
  if (real == NULL) *(void **)&real = next("aligned_alloc");
  return fails() ? NULL : real(align, n);
}

int posix_memalign(void **p, size_t align, size_t n) {
  static int (*real)(void **, size_t, size_t);
  if (real == NULL) *(void **)&real = next("posix_memalign");
  return fails() ? ENOMEM : real(p, align, n);
}

void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }

char *strndup(const char *text, size_t most) {
  const size_t n = strnlen(text, most);
  char *const copy = malloc(n + 1);
  if (copy == NULL) return NULL;
  copy[n] = '\0';
  return memcpy(copy, text, n);
}

char *strdup(const char *text) { return strndup(text, strlen(text)); }
