/* Every f32 number there is, through every unary op, on every instruction set, against f64: the greatest distance in
 * units in the last place, which must be within the bounds of <tessera/unary.h>. A program of its own, for
 * scripts/ci-full: minutes where the C library has vector forms of its functions (glibc 2.35 on x86-64, whose errors
 * are below 4 ULP of f64, 2^-27 of f32), hours elsewhere. A sample of the same is tests/ops/math_test.c.
 *
 *   math_all [-j threads] [-p part/parts] [name ...] */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "cpu/isa.h"
#include "ops/math_functions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef MATH_VECTORS
#define VECTOR_FORM(name) __attribute__((simd("notinbranch"))) extern double name(double);
/* clang-format off */
#define VECTOR_FORMS(X)                                                                                            \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) \
  X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(cbrt) X(sin) X(cos)
/* clang-format on */
VECTOR_FORMS(VECTOR_FORM)
#endif

#define R double
#define REF(name) ref_##name
#define LIBM(name) name
#include "ops/math_reference.tmpl.h"

enum { BATCH = 1 << 13, ISAS = TSR__ISA_COUNT, MOST_THREADS = 64 };

typedef struct function {
  const char *name;
  math_fn *op;
  double bound;
  bool test;  /* gives bool */
  bool exact; /* rounded correctly: what is rounded from f64 has the same bits */
  void (*reference)(const float *x, double *y);
} function;

#define REFERENCE_LOOP(name)                                         \
  static void all_##name(const float *x, double *y) {                \
    for (int i = 0; i < BATCH; i++) y[i] = ref_##name((double)x[i]); \
  }
#define FUNCTION_LOOP(name, call, f32, f64, ...) REFERENCE_LOOP(name)
#define FUNCTION_ROW(name, call, f32, f64, ...) {#name, call, f32, false, false, all_##name},
#define EXACT_ROW(name, call, f32, f64, ...) {#name, call, f32, false, true, all_##name},
#define TEST_LOOP(name, call) REFERENCE_LOOP(name)
#define TEST_ROW(name, call) {#name, call, 0, true, true, all_##name},

MATH_TESTS(TEST_LOOP)
MATH_FUNCTIONS(FUNCTION_LOOP)
static const function functions[] = {MATH_TESTS(TEST_ROW) MATH_EXACT(EXACT_ROW) MATH_ROUNDED(FUNCTION_ROW)};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* ---- one thread's work ---- */

typedef struct measure {
  double worst[ISAS];
  float worst_at[ISAS];
  uint64_t wrong, split; /* of another kind than the truth; different on two sets with fused products */
  uint64_t inexact;      /* not the truth rounded, where that is promised */
} measure;

typedef struct worker {
  const function *f;
  _Atomic uint64_t *next; /* the next batch */
  uint64_t end;
  int isas;
  measure m;
  float x[BATCH], y[ISAS][BATCH];
  uint8_t truth[BATCH];
  double exact[BATCH];
} worker;

static void stop(const char *name, const char *why) {
  printf("%s: %s\n", name, why);
  exit(1);
}

static void run_op(worker *w, int isa) {
  tsr_ctx ctx;
  tsr_tensor x = {0}, z = {0};
  const int dtype = w->f->test ? TSR_BOOL : TSR_F32;
  void *const out = w->f->test ? (void *)w->truth : (void *)w->y[isa];
  if (tsr_context_init(&ctx, NULL) != TSR_OK) stop(w->f->name, "no context");
  ctx.parallel = tsr_parallel_serial();
  if (tsr_context_set_isa(&ctx, tsr_isa_name(isa)) != TSR_OK ||
      tsr_from_memory(&ctx, w->x, TSR_F32, TSR_SHAPE(BATCH), &x) != TSR_OK ||
      tsr_from_memory(&ctx, out, dtype, TSR_SHAPE(BATCH), &z) != TSR_OK || w->f->op(&ctx, &x, &z) != TSR_OK)
    stop(w->f->name, tsr_error(&ctx));
  if (w->f->test)
    for (int i = 0; i < BATCH; i++) w->y[isa][i] = (float)w->truth[i];
}

/* The greatest distance of a batch. Positive doubles are ordered as their bits are, and the greatest integer is what
 * every vector unit finds. */
static double greatest(const float *got, const double *exact, uint64_t *wrong) {
  int64_t worst = 0;
  uint64_t differ = 0;
  for (int i = 0; i < BATCH; i++) {
    const int64_t d = (int64_t)tsr__bits_of_f64(math_distance((double)got[i], exact[i]));
    worst = d > worst ? d : worst;
    differ += math_differs((double)got[i], exact[i]);
  }
  *wrong += differ;
  return tsr__f64_of_bits((uint64_t)worst);
}

static uint64_t differences(const float *a, const float *b) {
  uint32_t count = 0;
  for (int i = 0; i < BATCH; i++) {
    const uint32_t same = tsr__bits_of_f32(a[i]) == tsr__bits_of_f32(b[i]) ? 1 : 0, a_nan = a[i] == a[i] ? 0 : 1;
    const uint32_t b_nan = b[i] == b[i] ? 0 : 1;
    count += (same ^ 1) & ((a_nan & b_nan) ^ 1);
  }
  return count;
}

/* How many results are not the truth rounded to f32. That f64 rounds it first changes nothing: it has more than twice
 * the digits. */
static uint64_t inexact(const float *got, const double *exact) {
  uint32_t count = 0;
  for (int i = 0; i < BATCH; i++) {
    const float to = (float)exact[i];
    const uint32_t differs = tsr__bits_of_f32(to) == tsr__bits_of_f32(got[i]) ? 0 : 1, nan = to == to ? 0 : 1;
    const uint32_t got_nan = got[i] == got[i] ? 0 : 1;
    count += differs & ((nan & got_nan) ^ 1);
  }
  return count;
}

static void compare(worker *w, int isa) {
  const uint64_t split = isa >= 2 ? differences(w->y[isa], w->y[1]) : 1;
  if (isa >= 2) w->m.split += split;
  if (split == 0) { /* the same bits as the set before: the same distance */
    w->m.worst[isa] = w->m.worst[1];
    w->m.worst_at[isa] = w->m.worst_at[1];
    return;
  }
  if (w->f->exact) w->m.inexact += inexact(w->y[isa], w->exact);
  const double worst = greatest(w->y[isa], w->exact, &w->m.wrong);
  if (!(worst > w->m.worst[isa])) return;
  w->m.worst[isa] = worst;
  for (int i = 0; i < BATCH; i++)
    if (math_distance((double)w->y[isa][i], w->exact[i]) == worst) w->m.worst_at[isa] = w->x[i];
}

static void *work(void *arg) {
  worker *const w = arg;
  for (;;) {
    const uint64_t batch = atomic_fetch_add(w->next, 1);
    if (batch >= w->end) return NULL;
    const uint32_t first = (uint32_t)(batch * BATCH);
    for (uint32_t i = 0; i < BATCH; i++) w->x[i] = tsr__f32_of_bits(first + i);
    w->f->reference(w->x, w->exact);
    for (int isa = 0; isa < w->isas; isa++) {
      run_op(w, isa);
      compare(w, isa);
    }
  }
}

/* ---- all of it ---- */

typedef struct options {
  int threads;
  uint64_t part, parts;
} options;

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void join(measure *all, const measure *m, int isas) {
  for (int isa = 0; isa < isas; isa++)
    if (m->worst[isa] > all->worst[isa]) {
      all->worst[isa] = m->worst[isa];
      all->worst_at[isa] = m->worst_at[isa];
    }
  all->wrong += m->wrong;
  all->split += m->split;
  all->inexact += m->inexact;
}

static bool tell(const function *f, const measure *m, int isas, double took) {
  bool good = m->wrong == 0 && m->split == 0 && m->inexact == 0;
  printf("%-12s %6.1f s, at most %g ULP:", f->name, took, f->bound);
  for (int isa = 0; isa < isas; isa++) {
    printf("  %s %.4f at %a", tsr_isa_name(isa), m->worst[isa], (double)m->worst_at[isa]);
    good = good && m->worst[isa] <= f->bound;
  }
  if (m->wrong != 0) printf("  %llu OF ANOTHER KIND", (unsigned long long)m->wrong);
  if (m->split != 0) printf("  %llu DIFFER ON SETS WITH FMA", (unsigned long long)m->split);
  if (m->inexact != 0) printf("  %llu NOT ROUNDED CORRECTLY", (unsigned long long)m->inexact);
  printf("%s\n", good ? "" : "  FAILED");
  (void)fflush(stdout);
  return good;
}

static bool check(const function *f, const options *o) {
  static worker workers[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  const uint64_t batches = ((uint64_t)1 << 32) / BATCH;
  _Atomic uint64_t next = batches * o->part / o->parts;
  const double began = seconds();
  measure all = {{0}, {0}, 0, 0, 0};
  int isas = 0;
  while (isas < ISAS && tsr_isa_name(isas) != NULL) isas++;
  for (int i = 0; i < o->threads; i++) {
    workers[i].f = f;
    workers[i].next = &next;
    workers[i].end = batches * (o->part + 1) / o->parts;
    workers[i].isas = isas;
    workers[i].m = all;
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) stop(f->name, "no thread");
  }
  for (int i = 0; i < o->threads; i++) (void)pthread_join(threads[i], NULL);
  for (int i = 0; i < o->threads; i++) join(&all, &workers[i].m, isas);
  return tell(f, &all, isas, seconds() - began);
}

static bool wanted(const char *name, int argc, char **argv, int first) {
  for (int i = first; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return first >= argc;
}

int main(int argc, char **argv) {
  options o = {2, 0, 1};
  int first = 1, passed = 0, failed = 0;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    char *end;
    const unsigned long value = strtoul(argv[first + 1], &end, 10);
    if (argv[first][1] == 'j') o.threads = value >= 1 && value <= MOST_THREADS ? (int)value : 2;
    if (argv[first][1] == 'p' && *end == '/') {
      o.part = value;
      o.parts = strtoul(end + 1, NULL, 10);
    }
  }
  for (int i = 0; i < FUNCTIONS; i++) {
    if (!wanted(functions[i].name, argc, argv, first)) continue;
    if (check(&functions[i], &o))
      passed++;
    else
      failed++;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
