/* What the parts of bench_gpu share: the device, its tensors, the clock. */
#ifndef BENCH_GPU_BENCH_H
#define BENCH_GPU_BENCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

typedef struct bench {
  tsr_ctx ctx;
  const tsr_device *gpu;
  tsr_event *from, *to;
  tsr_index side;                            /* of the square matrices: 16384, or few where the machine is small */
  bool tiny;                                 /* to try the program, not the machine */
  tsr_tensor a, b, c, row, col, scale, mask; /* (side, side) and what is laid over them */
  tsr_tensor whole;                          /* i32 */
  tsr_tensor mean, variance, index, classes,
      half[3]; /* channels; rows of 64; a class a row; f16 of a and b, bf16 of both */
  tsr_rng rng;
  tsr_expr *expr[3]; /* what was compiled */
  tsr_tensor out;    /* of the row that runs: made by its first call, given to the others */
} bench;

static inline double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static inline int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A call that is measured; what it needs is in b. */
typedef tsr_status bench_call(bench *b, const void *what);

/* The time of one call by events of the device: the median of 9 times 5 calls, after 60 ms of the same, since an idle GPU is slow at
 * first. */
static inline tsr_status bench_time(bench *b, bench_call *call, const void *what, double *ms) {
  enum { ROUNDS = 9 };
  const int rounds = b->tiny ? 2 : ROUNDS, inner = b->tiny ? 1 : 5;
  double samples[ROUNDS];
  const double begun = now_ms();
  tsr_status st = call(b, what);
  if (st == TSR_OK) st = tsr_device_sync(&b->ctx, b->gpu);
  while (st == TSR_OK && !b->tiny && now_ms() - begun < 60) {
    for (int i = 0; i < inner && st == TSR_OK; i++) st = call(b, what);
    if (st == TSR_OK) st = tsr_device_sync(&b->ctx, b->gpu);
  }
  for (int r = 0; r < rounds && st == TSR_OK; r++) {
    double seconds = 0;
    st = tsr_event_record(&b->ctx, b->from, NULL);
    for (int i = 0; i < inner && st == TSR_OK; i++) st = call(b, what);
    if (st == TSR_OK) st = tsr_event_record(&b->ctx, b->to, NULL);
    if (st == TSR_OK) st = tsr_event_elapsed(&b->ctx, b->from, b->to, &seconds);
    samples[r] = seconds * 1e3 / inner;
  }
  if (st != TSR_OK) return st;
  qsort(samples, (size_t)rounds, sizeof samples[0], by_value);
  *ms = samples[rounds / 2];
  return TSR_OK;
}

#endif
