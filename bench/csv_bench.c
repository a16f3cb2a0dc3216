/* Tables of text: GB/s of a file by one thread and by two, each the least of rounds. scripts/bench-csv writes files and runs it beside its
 * peers: bench_csv FILE THREADS ROUNDS. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <tessera/csv.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  tsr_threads *pool = NULL;
  tsr_ctx ctx;
  double wall = 1e30, cpu = 1e30;
  const int threads = argc > 2 ? atoi(argv[2]) : 1, rounds = argc > 3 ? atoi(argv[3]) : 5;
  if (argc < 2) return (void)puts("bench_csv FILE [THREADS [ROUNDS]]"), 2;
  if (tsr_context_init(&ctx, NULL) != TSR_OK || tsr_threads_new(threads, &pool) != TSR_OK) return 1;
  ctx.parallel = tsr_threads_parallel(pool);
  for (int i = 0; i < rounds; i++) {
    tsr_table table = {0};
    const double from = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (tsr_csv_table_load(&ctx, argv[1], NULL, &table, NULL) != TSR_OK) return (void)puts(tsr_error(&ctx)), 1;
    const double took = seconds(CLOCK_MONOTONIC) - from, spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
    wall = took < wall ? took : wall;
    cpu = spent < cpu ? spent : cpu;
    tsr_table_release(&table);
  }
  printf("%.6f %.6f\n", wall, cpu);
  tsr_threads_release(pool);
  return 0;
}
