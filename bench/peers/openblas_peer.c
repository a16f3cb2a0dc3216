/* OpenBLAS as a contestant: what it has of these workloads, a sum and a transposing copy. */
#include <cblas.h>
#include <stdio.h>
#include <string.h>

#include "../compare/contest.h"

enum { SIDE = 4096 };
#define COUNT ((int64_t)SIDE * SIDE)

static const float *in;
static float *out;
static void (*chosen)(void);

static void run_sum(void) { *out = cblas_ssum((blasint)COUNT, in, 1); }

static void run_transpose(void) {
  cblas_somatcopy(CblasRowMajor, CblasTrans, SIDE, SIDE, 1.0f, in, SIDE, out, SIDE);
}

static bool open_row(const char *spec) {
  const bool sum = strcmp(spec, "sum_16M") == 0;
  if (!sum && strcmp(spec, "transpose_4096") != 0) return false;
  const int64_t results = sum ? 1 : COUNT;
  in = contest_floats(COUNT, 0);
  out = (float *)contest_bytes(4 * results);
  contest_result(out, results, CONTEST_F32);
  chosen = sum ? run_sum : run_transpose;
  return true;
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) {
    chosen();
    contest_keep(out);
  }
}

int main(void) {
  static char version[32];
  (void)sscanf(openblas_get_config(), "%*s %31s", version); /* "OpenBLAS 0.3.21 and more" */
  const contestant self = {version, open_row, run, NULL};
  openblas_set_num_threads(contest_threads());
  return contest_main(&self);
}
