/* cuFFT in software: lines of complex numbers, transformed where they lie by sums of products. Its temporary memory is the caller's, and it is
 * used, so that one that is missing or too small shows.
 *
 *   TSR_EMULATOR_FFT=0   it makes no plans */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { SUCCESS = 0, INVALID_PLAN = 1, INVALID_TYPE = 3, INVALID_VALUE = 4, EXEC_FAILED = 6, SETUP_FAILED = 7 };
enum { C2C = 0x29, Z2Z = 0x69, R2C = 0x2a, D2Z = 0x6a, MOST = 4096 };

typedef struct fft_plan {
  bool there, made, automatic;
  int type;
  long long n, lines;
  char *area;
  CUstream stream;
} fft_plan;
static fft_plan plans[MOST];

static fft_plan *plan_of(int handle) {
  return handle > 0 && handle < MOST && plans[handle].there ? &plans[handle] : NULL;
}
static bool is_real(int type) { return type == R2C || type == D2Z; }
static bool is_narrow(int type) { return type == C2C || type == R2C; }
static long long half_of(int type, long long n) { return is_real(type) ? n / 2 + 1 : n; }
static size_t bytes_of(const fft_plan *p) {
  return (size_t)(half_of(p->type, p->n) * p->lines) * (is_narrow(p->type) ? 8 : 16);
}

EXPORT int cufftCreate(int *handle) {
  const char *const wanted = getenv("TSR_EMULATOR_FFT");
  if (wanted != NULL && wanted[0] == '0') return SETUP_FAILED;
  for (int i = 1; i < MOST; i++)
    if (!plans[i].there) {
      plans[i] = (fft_plan){.there = true, .automatic = true};
      *handle = i;
      return SUCCESS;
    }
  return SETUP_FAILED;
}
EXPORT int cufftDestroy(int handle) {
  fft_plan *const p = plan_of(handle);
  if (p == NULL) return INVALID_PLAN;
  p->there = false;
  return SUCCESS;
}
EXPORT int cufftSetAutoAllocation(int handle, int automatic) {
  fft_plan *const p = plan_of(handle);
  if (p == NULL || p->made) return INVALID_PLAN;
  p->automatic = automatic != 0;
  return SUCCESS;
}

/* Contiguous lines along one axis are all that is known here, with the caller's memory. */
EXPORT int cufftMakePlanMany64(int handle, int rank, long long *n, long long *in_embed, long long in_step,
                               long long in_apart, long long *out_embed, long long out_step, long long out_apart,
                               int type, long long batch, size_t *bytes) {
  fft_plan *const p = plan_of(handle);
  if (p == NULL || p->made || p->automatic) return INVALID_PLAN;
  if (type != C2C && type != Z2Z && !is_real(type)) return INVALID_TYPE;
  if (rank != 1 || n[0] < 1 || batch < 1 || in_step != 1 || out_step != 1 || in_apart != n[0] ||
      out_apart != half_of(type, n[0]) || in_embed == NULL || out_embed == NULL)
    return INVALID_VALUE;
  p->made = true;
  p->type = type;
  p->n = n[0];
  p->lines = batch;
  *bytes = bytes_of(p);
  return SUCCESS;
}
EXPORT int cufftSetWorkArea(int handle, void *area) {
  fft_plan *const p = plan_of(handle);
  if (p == NULL || !p->made) return INVALID_PLAN;
  p->area = area;
  return SUCCESS;
}
EXPORT int cufftSetStream(int handle, CUstream stream) {
  fft_plan *const p = plan_of(handle);
  if (p == NULL) return INVALID_PLAN;
  p->stream = stream;
  return SUCCESS;
}

/* ---- transforms ---- */

typedef struct transform {
  fft_plan plan;
  const char *from;
  char *to;
  int direction;
} transform;

static double part(const transform *t, long long i) {
  return is_narrow(t->plan.type) ? (double)((const float *)t->from)[i] : ((const double *)t->from)[i];
}

static void put_part(const transform *t, long long i, double x) {
  if (is_narrow(t->plan.type))
    ((float *)t->plan.area)[i] = (float)x;
  else
    ((double *)t->plan.area)[i] = x;
}

static void run(void *argument) {
  const transform *const t = argument;
  const long long n = t->plan.n, half = half_of(t->plan.type, n);
  const bool real = is_real(t->plan.type);
  for (long long line = 0; line < t->plan.lines; line++)
    for (long long k = 0; k < half; k++) {
      double re = 0, im = 0;
      for (long long j = 0; j < n; j++) {
        const double angle = t->direction * 2 * 3.14159265358979323846 * (double)(j * k % n) / (double)n;
        const double c = cos(angle), s = sin(angle);
        const double x = part(t, real ? line * n + j : 2 * (line * n + j));
        const double y = real ? 0 : part(t, 2 * (line * n + j) + 1);
        re += x * c - y * s;
        im += x * s + y * c;
      }
      put_part(t, 2 * (line * half + k), re);
      put_part(t, 2 * (line * half + k) + 1, im);
    }
  memcpy(t->to, t->plan.area, bytes_of(&t->plan));
}

/* The driver beside this library. */
typedef CUresult put_fn(CUstream stream, void (*run)(void *), const void *argument, size_t bytes);
static put_fn *driver_put(void) {
  char path[1024];
  Dl_info info;
  put_fn *put = NULL;
  if (dladdr((const void *)(uintptr_t)cufftCreate, &info) == 0) return NULL;
  const char *const slash = strrchr(info.dli_fname, '/');
  (void)snprintf(path, sizeof path, "%.*s/libcuda.so.1", slash != NULL ? (int)(slash - info.dli_fname) : 1,
                 slash != NULL ? info.dli_fname : ".");
  void *const library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  void *const symbol = library != NULL ? dlsym(library, "emulator_put") : NULL;
  memcpy(&put, &symbol, sizeof put);
  return put;
}

static int execute(int handle, int type, const void *from, void *to, int direction) {
  const fft_plan *const p = plan_of(handle);
  if (p == NULL || !p->made || p->type != type) return INVALID_PLAN;
  if (p->area == NULL || (uintptr_t)p->area % 256 != 0 || (direction != 1 && direction != -1) ||
      (uintptr_t)from % 16 != 0 || (uintptr_t)to % 16 != 0)
    return INVALID_VALUE;
  put_fn *const put = driver_put();
  const transform t = {*p, from, to, direction};
  return put != NULL && put(p->stream, run, &t, sizeof t) == 0 ? SUCCESS : EXEC_FAILED;
}
EXPORT int cufftExecC2C(int handle, void *from, void *to, int direction) {
  return execute(handle, C2C, from, to, direction);
}
EXPORT int cufftExecZ2Z(int handle, void *from, void *to, int direction) {
  return execute(handle, Z2Z, from, to, direction);
}
EXPORT int cufftExecR2C(int handle, void *from, void *to) { return execute(handle, R2C, from, to, -1); }
EXPORT int cufftExecD2Z(int handle, void *from, void *to) { return execute(handle, D2Z, from, to, -1); }
