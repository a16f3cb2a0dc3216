/* What the smallest calls cost: a tensor made and released, a view, one element; in ns and, where the machine counts them, in
 * instructions. Beside them malloc alone and, where it is installed, NumPy's C API (bench_numpy_capi). */
#define _GNU_SOURCE /* clock_gettime, syscall */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>
#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { ROUNDS = 301, CALLS = 4000 };

static double now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* ---- instructions ---- */

static int counter = -1;

static void counter_open(void) {
#if defined(__linux__)
  struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE, .size = sizeof attr, .exclude_kernel = 1, .exclude_hv = 1};
  attr.config = PERF_COUNT_HW_INSTRUCTIONS;
  counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
#endif
}

static int64_t instructions(void) {
  int64_t value = 0;
#if defined(__linux__)
  if (counter >= 0 && read(counter, &value, sizeof value) != (ssize_t)sizeof value) counter = -1;
#endif
  return value;
}

/* ---- what is measured ---- */

static tsr_ctx context;
static tsr_tensor source;     /* [8,16] f32, for the views */
static tsr_tensor given;      /* [4] f32 */
static volatile int statuses; /* keeps results alive */
static void *volatile seen;

static void run_malloc(int n) {
  for (int i = 0; i < n; i++) {
    void *p = malloc(80 + 16);
    seen = p;
    free(p);
  }
}

static void run_create(int n) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (int i = 0; i < n; i++) {
    statuses = tsr_empty(&context, TSR_F32, TSR_SHAPE(4), &t);
    tsr_release(&t);
  }
}

static void run_create_default_context(int n) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (int i = 0; i < n; i++) {
    statuses = tsr_empty(NULL, TSR_F32, TSR_SHAPE(4), &t);
    tsr_release(&t);
  }
}

static void run_zeros(int n) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (int i = 0; i < n; i++) {
    statuses = tsr_zeros(&context, TSR_F32, TSR_SHAPE(4), &t);
    tsr_release(&t);
  }
}

static void run_fill(int n) {
  for (int i = 0; i < n; i++) statuses = tsr_fill(&context, 1.5, &given);
}

static void run_share(int n) {
  tsr_tensor t = {0}; /* and empty again after every release */
  for (int i = 0; i < n; i++) {
    statuses = tsr_share(&context, &source, &t);
    tsr_release(&t);
  }
}

/* Views on lines of their own: where the struct goes over the end of a page its stores take 9 ns more. */
static void run_slice(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_slice(&context, &source, 0, 1, -1, 1, &view);
  seen = view.data;
}

static void run_slice_stepped(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_slice(&context, &source, 0, 1, -1, 2, &view);
  seen = view.data;
}

static void run_slice_third(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_slice(&context, &source, 0, 1, -1, 3, &view);
  seen = view.data;
}

static void run_select(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_select(&context, &source, 0, 3, &view);
  seen = view.data;
}

static void run_transpose(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_transpose(&context, &source, 0, 1, &view);
  seen = view.data;
}

static void run_reshape(int n) {
  _Alignas(64) tsr_tensor view = {0};
  for (int i = 0; i < n; i++) statuses = tsr_reshape_view(&context, &source, TSR_SHAPE(16, 8), &view);
  seen = view.data;
}

static void run_add(int n) {
  for (int i = 0; i < n; i++) statuses = tsr_add(&context, &given, &given, &given);
}

static void run_add_by_name(int n) {
  const tsr_op *const add = tsr_op_find("add");
  const tsr_tensor *const in[] = {&given, &given};
  tsr_tensor *const out[] = {&given};
  for (int i = 0; i < n; i++) statuses = tsr_op_call(&context, add, 2, in, 0, NULL, 1, out);
}

static void run_find(int n) {
  for (int i = 0; i < n; i++) seen = (void *)(uintptr_t)tsr_op_find("softmax");
}

static void run_get(int n) {
  tsr_real value = 0;
  for (int i = 0; i < n; i++) statuses = tsr_get(&context, &source, TSR_INDEX(3, 4), &value);
}

static void run_at(int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += TSR_AT(float, &source, i & 7, i & 15);
  seen = sum > 0 ? &context : NULL;
}

static const struct {
  const char *name;
  void (*run)(int);
  const char *bar;
} rows[] = {
    {"malloc and free alone", run_malloc, ""},
    {"create and release [4]", run_create, "< 20"},
    {"the same, default context", run_create_default_context, "< 20"},
    {"zeros and release [4]", run_zeros, ""},
    {"fill [4]", run_fill, ""},
    {"share and release", run_share, ""},
    {"view: slice", run_slice, "< 5"},
    {"view: slice, every second", run_slice_stepped, "< 5"},
    {"view: slice, every third", run_slice_third, "< 5"},
    {"view: select", run_select, "< 5"},
    {"view: transpose", run_transpose, "< 5"},
    {"view: reshape", run_reshape, "< 5"},
    {"add [4] to [4], given", run_add, "< 20"},
    {"the same, op by name", run_add_by_name, ""},
    {"find an op by its name", run_find, ""},
    {"get an element, checked", run_get, ""},
    {"TSR_AT", run_at, ""},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Rounds are interleaved, so that a disturbance meets every row alike. */
static void measure(double ns[ROWS][ROUNDS], double counts[ROWS]) {
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < ROWS; i++) {
      const int64_t before = instructions();
      const double start = now_ns();
      rows[i].run(CALLS);
      ns[i][round] = (now_ns() - start) / CALLS;
      counts[i] = (double)(instructions() - before) / CALLS;
    }
  }
}

static void print_table(double ns[ROWS][ROUNDS], const double counts[ROWS]) {
  printf("%-28s %8s %8s %14s  %s\n", "ns a call", "min", "median", "instructions", "bar");
  for (int i = 0; i < ROWS; i++) {
    qsort(ns[i], ROUNDS, sizeof ns[i][0], by_size);
    printf("%-28s %8.1f %8.1f ", rows[i].name, ns[i][0], ns[i][ROUNDS / 2]);
    if (counter >= 0)
      printf("%14.0f", counts[i]);
    else
      printf("%14s", "not counted");
    printf("  %s\n", rows[i].bar);
  }
}

/* ---- a large tensor, again and again ---- */

static double large_loop(const tsr_allocator *allocator, int n) {
  tsr_ctx ctx;
  if (tsr_context_init(&ctx, allocator) != TSR_OK) return 0;
  const double start = now_ns();
  tsr_tensor t = {0}; /* and empty again after every release */
  for (int i = 0; i < n; i++) {
    statuses = tsr_full(&ctx, TSR_F32, TSR_SHAPE(4096, 4096), 1.5, &t);
    seen = t.data;
    tsr_release(&t);
  }
  return (now_ns() - start) / n / 1e6;
}

static void *plain_alloc(void *self, size_t bytes, size_t align, int hint) {
  void *p = NULL;
  (void)self;
  (void)hint;
  return posix_memalign(&p, align, bytes) == 0 ? p : NULL;
}

static void plain_free(void *self, void *ptr, size_t bytes) {
  (void)self;
  (void)bytes;
  free(ptr);
}

static void print_large(void) {
  static const tsr_allocator plain = {sizeof(tsr_allocator), plain_alloc, plain_free, NULL};
  double cached[9], direct[9];
  for (int round = 0; round < 9; round++) {
    direct[round] = large_loop(&plain, 4);
    cached[round] = large_loop(tsr_allocator_default(), 4);
  }
  qsort(cached, 9, sizeof cached[0], by_size);
  qsort(direct, 9, sizeof direct[0], by_size);
  printf(
      "\n64 MB created, filled and released, ms: on malloc %.2f, by the default allocator %.2f: %.1f x faster (bar "
      "3)\n",
      direct[4], cached[4], direct[4] / cached[4]);
}

/* One row so many times and nothing else: scripts/count-instructions runs it under callgrind. */
static int run_only(const char *name, const char *calls) {
  for (int i = 0; i < ROWS; i++) {
    if (strcmp(rows[i].name, name) != 0) continue;
    rows[i].run(atoi(calls));
    return 0;
  }
  for (int i = 0; i < ROWS; i++) printf("%s\n", rows[i].name);
  return 2;
}

int main(int argc, char **argv) {
  static double ns[ROWS][ROUNDS], counts[ROWS];
  counter_open();
  if (tsr_context_init(&context, NULL) != TSR_OK || tsr_zeros(&context, TSR_F32, TSR_SHAPE(8, 16), &source) != TSR_OK ||
      tsr_zeros(&context, TSR_F32, TSR_SHAPE(4), &given) != TSR_OK) {
    fprintf(stderr, "%s\n", tsr_error(&context));
    return 1;
  }
  if (argc == 3) return run_only(argv[1], argv[2]);
  printf("%s\n\n", tsr_build_info());
  measure(ns, counts);
  print_table(ns, counts);
  print_large();
  tsr_release(&source);
  tsr_release(&given);
  return 0;
}
