/* A malloc that fails once: the call whose number FAIL_AT says, from 0 on. How many there were, COUNT_TO is told at the end.
 * For LD_PRELOAD, and built by memory.sh. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_calloc(size_t count, size_t size); /* dlsym needs one itself */

static long at = -1, calls;

/* Before what other libraries do at their ends, which is not looked at here. */
static void end(void) {
  const char *path = getenv("COUNT_TO");
  at = -1;
  FILE *const file = path != NULL ? fopen(path, "w") : NULL;
  if (file == NULL) return;
  fprintf(file, "%ld\n", calls);
  fclose(file);
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAIL_AT");
  atexit(end);
  calls = 0;
  at = number != NULL ? atol(number) : -1;
}

static int fails(void) {
  if (calls++ != at) return 0;
  errno = ENOMEM;
  return 1;
}

static void *next(const char *name) {
  void *const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
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
