/* FFTW as a contestant, on one thread: its plans are made before the clock runs, by measuring or by an estimate. */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compare/contest.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
static const char effort[] = TEXT(FFTW_EFFORT);

static fftwf_plan plan;
static fftw_plan plan64;
static void *out;

static unsigned flags(void) { return strcmp(effort, "measure") == 0 ? FFTW_MEASURE : FFTW_ESTIMATE; }

/* Making a plan writes over the input: it is filled again. */
static void open_lines(int n, int count, int stride, int distance) {
  const int64_t numbers = (int64_t)2 * n * count;
  float *const in = contest_floats(numbers, 0), *const kept = malloc((size_t)numbers * 4);
  memcpy(kept, in, (size_t)numbers * 4);
  out = contest_bytes(4 * numbers);
  plan = fftwf_plan_many_dft(1, &n, count, (fftwf_complex *)in, NULL, stride, distance, out, NULL, stride, distance,
                             FFTW_FORWARD, flags());
  memcpy(in, kept, (size_t)numbers * 4);
  free(kept);
  contest_result(out, numbers, CONTEST_F32);
}

static void open_doubles(int n) {
  double *const in = contest_doubles(2 * (int64_t)n, 0), *const kept = malloc((size_t)n * 16);
  memcpy(kept, in, (size_t)n * 16);
  out = contest_bytes(16 * (int64_t)n);
  plan64 = fftw_plan_dft_1d(n, (fftw_complex *)in, out, FFTW_FORWARD, flags());
  memcpy(in, kept, (size_t)n * 16);
  free(kept);
  contest_result(out, 2 * (int64_t)n, CONTEST_F64);
}

static void open_reals(int n) {
  float *const in = contest_floats(n, 0), *const kept = malloc((size_t)n * 4);
  memcpy(kept, in, (size_t)n * 4);
  out = contest_bytes(4 * ((int64_t)n + 2));
  plan = fftwf_plan_dft_r2c_1d(n, in, out, flags());
  memcpy(in, kept, (size_t)n * 4);
  free(kept);
  contest_result(out, n + 2, CONTEST_F32);
}

static void open_image(int side) {
  const int64_t numbers = (int64_t)2 * side * side;
  float *const in = contest_floats(numbers, 0), *const kept = malloc((size_t)numbers * 4);
  memcpy(kept, in, (size_t)numbers * 4);
  out = contest_bytes(4 * numbers);
  plan = fftwf_plan_dft_2d(side, side, (fftwf_complex *)in, out, FFTW_FORWARD, flags());
  memcpy(in, kept, (size_t)numbers * 4);
  free(kept);
  contest_result(out, numbers, CONTEST_F32);
}

static void close_plans(void) {
  if (plan != NULL) fftwf_destroy_plan(plan);
  if (plan64 != NULL) fftw_destroy_plan(plan64);
  plan = NULL, plan64 = NULL;
}

static bool open_row(const char *spec) {
  int n = 0;
  char rest[16] = "";
  close_plans();
  if (strcmp(spec, "fft_rows_256") == 0)
    open_lines(256, 4096, 1, 256);
  else if (strcmp(spec, "fft_columns_256") == 0)
    open_lines(256, 4096, 4096, 1);
  else if (strcmp(spec, "fft2_512") == 0)
    open_image(512);
  else if (sscanf(spec, "rfft_%d", &n) == 1)
    open_reals(n);
  else if (sscanf(spec, "fft_%d%15s", &n, rest) == 2 && strcmp(rest, "_f64") == 0)
    open_doubles(n);
  else if (n > 0)
    open_lines(n, 1, 1, n);
  else
    return false;
  return true;
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) {
    if (plan64 != NULL)
      fftw_execute(plan64);
    else
      fftwf_execute(plan);
    contest_keep(out);
  }
}

int main(void) {
  const contestant self = {fftw_version, open_row, run, NULL};
  return contest_main(&self);
}
