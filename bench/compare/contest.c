/* The line protocol and the memory of every compiled contestant. */
#define _GNU_SOURCE /* clock_gettime, madvise */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "workloads.h"

enum { SAMPLES = 4096, GAP = 1088, LINE = 1024, SAMPLE_NS = 20000, MOST_CALLS = 1000000 };
#define ARENA_BYTES ((size_t)640 << 20)
#define PERIOD 65521 /* of the inputs: a prime, so that rows differ */

static const contest_workload workloads[] = {
#define X(name, group, elements, bytes_read, bytes_written) \
  {#name, group, elements, bytes_read, bytes_written, 0, NULL},
    WORKLOADS(X)
#undef X
#define X(name, group, elements, operations, unit) {#name, group, elements, 0, 0, operations, unit},
        COMPUTED(X)
#undef X
};

const contest_workload *contest_find(const char *name) {
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
    if (strcmp(workloads[i].name, name) == 0) return &workloads[i];
  return NULL;
}

int contest_threads(void) {
  const char *text = getenv("CONTEST_THREADS");
  const int threads = text != NULL ? atoi(text) : 1;
  return threads > 0 ? threads : 1;
}

double contest_now_ns(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* ---- memory and inputs ---- */

static char *arena;
static size_t arena_used;

static void arena_start(void) {
  arena = (char *)mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == (char *)MAP_FAILED) {
    fprintf(stderr, "contest: no memory\n");
    exit(1);
  }
#if defined(MADV_HUGEPAGE)
  (void)madvise(arena, ARENA_BYTES, MADV_HUGEPAGE);
#endif
}

void *contest_bytes(int64_t bytes) {
  if (arena == NULL) arena_start();
  char *p = arena + arena_used;
  /* The gap keeps arrays of whole pages from starting at the same place of a page. */
  arena_used += ((size_t)bytes + 63) / 64 * 64 + GAP;
  if (arena_used > ARENA_BYTES) {
    fprintf(stderr, "contest: a workload needs more than %zu MB\n", ARENA_BYTES >> 20);
    exit(1);
  }
  memset(p, 0, (size_t)bytes);
  return p;
}

static const float *sequence(void) {
  static float values[PERIOD];
  if (values[1] != 0) return values;
  uint32_t state = 1;
  for (int i = 0; i < PERIOD; i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = (float)(state >> 8) * (8.0f / 16777216.0f) - 3.0f;
  }
  return values;
}

static float *fill(int64_t n, int64_t start) {
  float *p = (float *)contest_bytes(4 * n);
  const float *values = sequence();
  for (int64_t i = 0; i < n;) {
    const int64_t from = (start + i) % PERIOD;
    const int64_t count = PERIOD - from < n - i ? PERIOD - from : n - i;
    memcpy(p + i, values + from, (size_t)count * sizeof(float));
    i += count;
  }
  return p;
}

float *contest_floats(int64_t n, int64_t start) {
  float *p = fill(n, start);
  if (n > PERIOD) p[n / 4 * 3 + 1] = 9.0f;
  return p;
}

float *contest_positive(int64_t n) {
  float *p = fill(n, 0);
  for (int64_t i = 0; i < n; i++) p[i] = (p[i] + 3.0f) * (255.0f / 8.0f);
  return p;
}

double *contest_doubles(int64_t n, int64_t start) {
  double *p = (double *)contest_bytes(8 * n);
  const float *values = sequence();
  for (int64_t i = 0; i < n; i++) p[i] = (double)values[(start + i) % PERIOD];
  return p;
}

int8_t *contest_i8(int64_t n) {
  int8_t *p = (int8_t *)contest_bytes(n);
  const float *values = sequence();
  for (int64_t i = 0; i < n; i++) p[i] = (int8_t)((values[(i + 7) % PERIOD] - 1.0f) * (127.0f / 4.0f));
  return p;
}

/* Number i of the 2^20: every step can be undone, so that none comes twice. */
static int32_t shuffled(int32_t i) {
  const uint32_t mask = (1u << 20) - 1;
  uint32_t x = (uint32_t)i;
  for (int round = 0; round < 3; round++) {
    x = (x ^ x >> 9) & mask;
    x = (x * 0x9e375u + 0x1234u) & mask;
  }
  return (int32_t)x - (1 << 19);
}

float *contest_shuffled(void) {
  float *p = (float *)contest_bytes(4 << 20);
  for (int32_t i = 0; i < 1 << 20; i++) p[i] = (float)shuffled(i) * 0.70710678f;
  return p;
}

int32_t *contest_shuffled_i32(void) {
  int32_t *p = (int32_t *)contest_bytes(4 << 20);
  for (int32_t i = 0; i < 1 << 20; i++) p[i] = shuffled(i) * 4093;
  return p;
}

uint8_t *contest_u8(int64_t n) {
  uint8_t *p = (uint8_t *)contest_bytes(n);
  const float *values = sequence();
  for (int64_t i = 0; i < n; i++) p[i] = (uint8_t)((values[i % PERIOD] + 3.0f) * (255.0f / 8.0f));
  return p;
}

/* Cut, not rounded, and without subnormals: inputs, no more. */
static uint16_t half_of(float value, contest_kind kind) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (kind == CONTEST_BF16) return (uint16_t)(bits >> 16);
  const uint32_t exponent = (bits >> 23) & 0xff;
  const uint32_t sign = (bits >> 16) & 0x8000;
  if (exponent < 113) return (uint16_t)sign;
  return (uint16_t)(sign | ((exponent - 112) << 10) | ((bits >> 13) & 0x3ff));
}

static float float_of(uint16_t half, contest_kind kind) {
  uint32_t bits = (uint32_t)half << 16;
  if (kind == CONTEST_F16) {
    if ((half & 0x7c00) == 0) return 0;
    bits = ((uint32_t)(half & 0x8000) << 16) | ((((uint32_t)(half >> 10) & 31) + 112) << 23) | ((half & 0x3ffu) << 13);
  }
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

uint16_t *contest_halves(int64_t n, contest_kind kind) {
  uint16_t *p = (uint16_t *)contest_bytes(2 * n);
  const float *values = sequence();
  for (int64_t i = 0; i < n && i < PERIOD; i++) p[i] = half_of(values[i], kind);
  for (int64_t i = PERIOD; i < n; i++) p[i] = p[i - PERIOD];
  return p;
}

/* ---- the checksum ---- */

static const void *result_data;
static int64_t result_count;
static contest_kind result_kind;
static int64_t result_places, result_channels; /* 0: in order */

void contest_result(const void *data, int64_t count, contest_kind kind) {
  result_data = data;
  result_count = count;
  result_kind = kind;
  result_places = result_channels = 0;
}

void contest_result_last(const void *data, contest_kind kind, int64_t n, int64_t places, int64_t channels) {
  contest_result(data, n * places * channels, kind);
  result_places = places;
  result_channels = channels;
}

void contest_result_nhwc(const float *data, int64_t n, int64_t places, int64_t channels) {
  contest_result_last(data, CONTEST_F32, n, places, channels);
}

/* Where the element is that comes at i with the channels first. */
static int64_t result_place(int64_t i) {
  if (result_channels == 0) return i;
  const int64_t place = i % result_places, channel = i / result_places % result_channels;
  return (i / result_places / result_channels * result_places + place) * result_channels + channel;
}

static double result_at(int64_t i) {
  switch (result_kind) {
    case CONTEST_F32: return (double)((const float *)result_data)[i];
    case CONTEST_F64: return ((const double *)result_data)[i];
    case CONTEST_I32: return ((const int32_t *)result_data)[i];
    case CONTEST_U8: return ((const uint8_t *)result_data)[i];
    case CONTEST_I64: return (double)((const int64_t *)result_data)[i];
    default: return (double)float_of(((const uint16_t *)result_data)[i], result_kind);
  }
}

/* A weighted sum of at most SAMPLES elements, evenly spread: wrong values and wrong places show. */
static double checksum(void) {
  if (result_data == NULL) return 0;
  const int64_t step = result_count > SAMPLES ? result_count / SAMPLES : 1;
  double sum = 0;
  for (int64_t k = 0; k < SAMPLES && k * step < result_count; k++)
    sum += result_at(result_place(k * step)) * (double)(k % 13 + 1);
  return sum;
}

/* ---- the protocol ---- */

static long calls_a_sample;

static double time_calls(const contestant *self, long calls) {
  const double start = contest_now_ns();
  self->run(calls);
  return (contest_now_ns() - start) / (double)calls;
}

/* So many calls that the clock does not matter. */
static void calibrate(const contestant *self) {
  double ns = time_calls(self, 1);
  for (calls_a_sample = 1; ns * (double)calls_a_sample < SAMPLE_NS && calls_a_sample < MOST_CALLS;) {
    calls_a_sample *= 4;
    ns = time_calls(self, calls_a_sample);
  }
}

static double best_of_round(const contestant *self, double ms) {
  const double end = contest_now_ns() + 1e6 * ms;
  double best = time_calls(self, calls_a_sample);
  while (contest_now_ns() < end) {
    const double ns = time_calls(self, calls_a_sample);
    if (ns < best) best = ns;
  }
  return best;
}

static void answer_list(void) {
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
    printf("%s%s %s %lld", i > 0 ? ";" : "", workloads[i].name, workloads[i].group, (long long)workloads[i].elements);
  printf("\n");
}

static void answer_open(const contestant *self, const char *spec) {
  arena_used = 0;
  contest_result(NULL, 0, CONTEST_F32);
  if (!self->open(spec)) {
    printf("none\n");
    return;
  }
  self->run(1);
  printf("ok %.9g\n", checksum());
  calibrate(self);
}

static void answer(const contestant *self, const char *line) {
  if (strcmp(line, "list") == 0) {
    answer_list();
  } else if (strncmp(line, "open ", 5) == 0) {
    answer_open(self, line + 5);
  } else if (strncmp(line, "round ", 6) == 0) {
    printf("%.4g\n", best_of_round(self, atof(line + 6)));
  } else {
    if (self->close != NULL) self->close();
    printf("ok\n");
  }
}

int contest_main(const contestant *self) {
  static char line[LINE];
  printf("ready %s\n", self->version);
  (void)fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    answer(self, line);
    (void)fflush(stdout);
  }
  return 0;
}
