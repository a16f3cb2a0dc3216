/* A test that several processes run together: the same tests on each, one report. Rank 0 prints; what fails on another one goes to stderr. */
#ifndef TSR_TEST_RANKS_H
#define TSR_TEST_RANKS_H

#include "mpi/comm.h"
#include "support/helpers.h"
#include "support/test.h"

#include <stdlib.h>
#include <tessera/tessera.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
/* Before MPI ends: what it keeps cannot be told from ours once its parts are unloaded. */
static inline int find_leaks(void) { return __lsan_do_recoverable_leak_check() != 0; }
#define UNSEEN_BY_LEAK_CHECK(call) (__lsan_disable(), unseen = (call), __lsan_enable(), unseen)
#else
static inline int find_leaks(void) { return 0; }
#define UNSEEN_BY_LEAK_CHECK(call) (unseen = (call))
#endif

static tsr_comm *world;
static int rank, size;

/* The log of a rank that is not 0. */
static void show_log(FILE *log) {
  char line[512];
  rewind(log);
  while (fgets(line, sizeof line, log) != NULL) fprintf(stderr, "rank %d of %d: %s", rank, size, line);
}

static int ranks_run(const test_entry *entries, int count) {
  tsr_status unseen; /* MPI loads parts, keeps memory of theirs, and unloads them again */
  if (UNSEEN_BY_LEAK_CHECK(tsr_comm_new(NULL, NULL, &world)) != TSR_OK) return printf("%s\n", tsr_error(NULL)), 1;
  rank = tsr_comm_rank(world);
  size = tsr_comm_size(world);
  FILE *const log = rank > 0 ? tmpfile() : NULL;
  const int before = dup(STDOUT_FILENO);
  if (log != NULL) (void)dup2(fileno(log), STDOUT_FILENO);
  for (int i = 0; i < count; i++) test_run(&entries[i]);
  (void)fflush(stdout);
  int failed = test_now.failed + find_leaks(), all = 0;
  (void)MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (log != NULL) {
    (void)dup2(before, STDOUT_FILENO);
    if (failed > 0) show_log(log);
    (void)fclose(log);
  } else {
    printf("%d passed, %d failed, %d skipped\n", test_now.passed, all, test_now.skips);
    (void)fflush(stdout);
  }
  (void)close(before);
  tsr_comm_release(world);
  return all > 0 ? 1 : 0;
}

#define RANKS_MAIN(...)                                                   \
  int main(void) {                                                        \
    static const test_entry entries[] = {__VA_ARGS__};                    \
    return ranks_run(entries, (int)(sizeof entries / sizeof entries[0])); \
  }

/* Random elements, which depend on seed alone. */
static inline void fill_random(tsr_tensor *t, uint64_t seed) {
  tsr_rng rng = tsr_rng_seed(seed);
  tsr_tensor x = {0};
  const int class_ = tsr_dtype_describe(t->dtype)->class_;
  if (class_ == TSR_CLASS_COMPLEX) {
    for (int part = 0; part < 2; part++) {
      tsr_tensor half = {0};
      OK(NULL, tsr_complex_part(NULL, t, part, &half));
      fill_random(&half, 2 * seed + (uint64_t)part);
    }
    return;
  }
  if (class_ == TSR_CLASS_FLOAT) {
    OK(NULL, tsr_rand_normal(NULL, &rng, t->dtype, t->ndim, t->shape, &x));
  } else if (class_ == TSR_CLASS_BOOL) {
    OK(NULL, tsr_rand_bernoulli(NULL, &rng, 0.7f, t->ndim, t->shape, &x));
  } else {
    OK(NULL, tsr_rand_integers(NULL, &rng, t->dtype, t->ndim, t->shape, class_ == TSR_CLASS_INT ? -100 : 0, 120, &x));
  }
  OK(NULL, tsr_copy(NULL, &x, t));
  tsr_release(&x);
}

/* A tensor of such a shape, contiguous (0), transposed memory (1), flipped (2), every second element (3). The view is in *view, its memory in
 * *memory. */
static inline void make_strided(int kind, int dtype, int ndim, const tsr_index *shape, tsr_tensor *memory,
                                tsr_tensor *view) {
  tsr_index big[TSR_MAX_DIMS];
  const int last = ndim - 1;
  *memory = *view = (tsr_tensor){0};
  for (int i = 0; i < ndim; i++) big[i] = shape[i];
  if (kind == 1) big[0] = shape[last], big[last] = shape[0];
  if (kind == 3) big[last] = 2 * shape[last];
  OK(NULL, tsr_zeros(NULL, dtype, ndim, big, memory));
  switch (kind) {
    case 1: OK(NULL, tsr_transpose(NULL, memory, 0, last, view)); break;
    case 2: OK(NULL, tsr_flip(NULL, memory, 0, view)); break;
    case 3: OK(NULL, tsr_slice(NULL, memory, last, 0, TSR_OMIT, 2, view)); break;
    default: OK(NULL, tsr_view(NULL, memory, view));
  }
}

static inline bool same_bits(const tsr_tensor *a, const tsr_tensor *b) {
  tsr_tensor x = {0}, y = {0};
  bool same = a->dtype == b->dtype && tsr_same_shape(a, b) && tsr_copy(NULL, a, &x) == TSR_OK &&
              tsr_copy(NULL, b, &y) == TSR_OK;
  same = same && (tsr_nbytes(&x) == 0 || memcmp(x.data, y.data, tsr_nbytes(&x)) == 0);
  tsr_release(&x);
  tsr_release(&y);
  return same;
}

#endif
