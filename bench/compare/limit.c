/* What the machine allows: for each workload, a loop that reads and writes as many bytes and does nothing else, with
 * plain or with non-temporal stores, whichever is quicker here. limit_read, limit_write, limit_copy and limit_ntcopy
 * are the bandwidths of 64 MB by themselves. Where arithmetic bounds the work, as many operations in registers, by the
 * best instruction for that kind of number, and nothing else. */
#define _GNU_SOURCE /* pthreads under -std=c11 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include "contest.h"

enum { LINE = 64, MOST_THREADS = 64, TRIES = 5 };
#define STREAM_BYTES (INT64_C(64) << 20)

#if defined(__x86_64__)
#define KERNEL __attribute__((target("avx")))
#define BODY __attribute__((target("avx"), always_inline))
#else
#define KERNEL
#define BODY __attribute__((always_inline))
#endif

typedef long long vec __attribute__((vector_size(32), may_alias));

/* ---- the loops ---- */

typedef struct part {
  const char *in;
  char *out;
  int64_t steps; /* of so many lines as the loop's name says */
} part;
typedef void loop_fn(const part *p);

BODY static inline void store(vec *to, const vec *value, int nontemporal) {
#if defined(__x86_64__)
  if (nontemporal) {
    __asm__ volatile("vmovntdq %1, %0" : "=m"(*to) : "x"(*value)); /* clang loses the intrinsic's hint */
    return;
  }
#endif
  (void)nontemporal;
  *to = *value;
}

BODY static inline void loop(const part *p, int reads, int writes, int nontemporal) {
  const vec *in = (const vec *)p->in;
  vec *out = (vec *)p->out;
  vec held[8]; /* not zeros: some machines store those more quickly */
  for (int i = 0; i < 8; i++) held[i] = (vec){i + 1, i + 2, i + 3, i + 4};
  const int64_t steps = p->steps;
  for (int64_t s = 0; s < steps; s++) {
    for (int i = 0; i < 2 * reads; i++) held[i] |= in[i];
    for (int i = 0; i < 2 * writes; i++) store(out + i, &held[i], nontemporal);
    in += 2 * reads;
    out += 2 * writes;
  }
  vec last[8]; /* a copy: held itself stays in registers */
  for (int i = 0; i < 8; i++) last[i] = held[i];
  contest_keep(last);
#if defined(__x86_64__)
  if (nontemporal) _mm_sfence();
#endif
}

/* Lines read and written a step. A loop without reads or without writes has no other one beside it. */
#define LOOPS(X) X(4, 0) X(0, 4) X(2, 2) X(4, 2) X(4, 1) X(2, 4) X(1, 4)
#define X(reads, writes)                                                                    \
  KERNEL static void plain_##reads##_##writes(const part *p) { loop(p, reads, writes, 0); } \
  KERNEL static void nontemporal_##reads##_##writes(const part *p) { loop(p, reads, writes, 1); }
LOOPS(X)
#undef X

static const struct {
  int reads, writes;
  loop_fn *plain, *nontemporal;
} loops[] = {
#define X(reads, writes) {reads, writes, plain_##reads##_##writes, nontemporal_##reads##_##writes},
    LOOPS(X)
#undef X
};

/* ---- operations: independent sums in registers, as many as hide the instruction's latency ---- */

enum { SUMS = 12 };

#if defined(__x86_64__)
/* One step: SUMS instructions that multiply and add. The sums have names, not places in an array: compilers keep those in
 * memory. What is multiplied is small, so that no sum overflows. */
#define EACH_SUM(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define SUM_BEGIN(i) sum##i = zero,
#define MULTIPLIER(name, features, vector, zero_value, x_value, instruction)                                           \
  __attribute__((target(features))) static void name(const part *p) {                                                  \
    const vector zero = zero_value, x = x_value;                                                                       \
    vector EACH_SUM(SUM_BEGIN) unused = zero;                                                                          \
    for (int64_t s = 0; s < p->steps; s++)                                                                             \
      __asm__ volatile(instruction(0) instruction(1) instruction(2) instruction(3) instruction(4) instruction(5)       \
                           instruction(6) instruction(7) instruction(8) instruction(9) instruction(10) instruction(11) \
                       : "+v"(sum0), "+v"(sum1), "+v"(sum2), "+v"(sum3), "+v"(sum4), "+v"(sum5), "+v"(sum6),           \
                         "+v"(sum7), "+v"(sum8), "+v"(sum9), "+v"(sum10), "+v"(sum11)                                  \
                       : "v"(x));                                                                                      \
    (void)unused;                                                                                                      \
  }
#define FMA_PS(i) "vfmadd231ps %12, %12, %" #i "\n\t"
#define FMA_PD(i) "vfmadd231pd %12, %12, %" #i "\n\t"
#define DOT_BF16(i) "vdpbf16ps %12, %12, %" #i "\n\t"
#define DOT_I8(i) "vpdpbusd %12, %12, %" #i "\n\t"
MULTIPLIER(fma_256, "avx2,fma", __m256, _mm256_setzero_ps(), _mm256_set1_ps(0.5f), FMA_PS)
MULTIPLIER(fma_512, "avx512f", __m512, _mm512_setzero_ps(), _mm512_set1_ps(0.5f), FMA_PS)
MULTIPLIER(fma_256d, "avx2,fma", __m256d, _mm256_setzero_pd(), _mm256_set1_pd(0.5), FMA_PD)
MULTIPLIER(fma_512d, "avx512f", __m512d, _mm512_setzero_pd(), _mm512_set1_pd(0.5), FMA_PD)
MULTIPLIER(dot_bf16, "avx512f,avx512bf16", __m512, _mm512_setzero_ps(), _mm512_set1_ps(0.5f), DOT_BF16)
MULTIPLIER(dot_i8, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512(), _mm512_set1_epi32(0x01010101), DOT_I8)

/* Operations that an instruction does; NULL where the machine has none. */
static loop_fn *multiplier(const char *unit, int *operations) {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  const bool narrow = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (strcmp(unit, "bf16") == 0 && __builtin_cpu_supports("avx512bf16")) return *operations = 64, dot_bf16;
  if (strcmp(unit, "i8") == 0 && __builtin_cpu_supports("avx512vnni")) return *operations = 128, dot_i8;
  if (strcmp(unit, "f64") == 0)
    return wide ? (*operations = 16, fma_512d) : narrow ? (*operations = 8, fma_256d) : NULL;
  if (strcmp(unit, "f32") != 0) return NULL;
  return wide ? (*operations = 32, fma_512) : narrow ? (*operations = 16, fma_256) : NULL;
}
#else
static loop_fn *multiplier(const char *unit, int *operations) {
  (void)unit, (void)operations;
  return NULL;
}
#endif

/* ---- threads: helpers that spin for a while and then sleep, so that they disturb no one between rounds ---- */

enum { SPINS = 20000 };

static loop_fn *chosen;
static part parts[MOST_THREADS];
static int threads = 1; /* there are; of which the workload uses so many: */
static int used = 1;
static atomic_int asked, done, asleep;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

static void wait_asked(int last) {
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load(&asked) != last) return;
    relax();
  }
  (void)pthread_mutex_lock(&mutex);
  atomic_fetch_add(&asleep, 1);
  while (atomic_load(&asked) == last) (void)pthread_cond_wait(&wake, &mutex);
  atomic_fetch_sub(&asleep, 1);
  (void)pthread_mutex_unlock(&mutex);
}

static void *helper(void *arg) {
  const part *mine = (const part *)arg;
  for (int last = 0;; last++) {
    wait_asked(last);
    chosen(mine);
    atomic_fetch_add(&done, 1);
  }
  return NULL;
}

static void start_helpers(void) {
  const int wanted = contest_threads();
  for (; threads < wanted && threads < MOST_THREADS; threads++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, helper, &parts[threads]) != 0) return;
    (void)pthread_detach(thread);
  }
}

static void run_once(void) {
  if (used > 1) {
    atomic_store(&done, 0);
    atomic_fetch_add(&asked, 1);
    if (atomic_load(&asleep) > 0) {
      (void)pthread_mutex_lock(&mutex);
      (void)pthread_cond_broadcast(&wake);
      (void)pthread_mutex_unlock(&mutex);
    }
  }
  chosen(&parts[0]);
  while (used > 1 && atomic_load(&done) < threads - 1) relax();
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) {
    run_once();
    contest_keep(parts);
  }
}

/* ---- workloads ---- */

/* The loop whose share of reads is nearest. */
static int nearest_loop(int64_t bytes_read, int64_t bytes_written) {
  const double share = (double)bytes_read / (double)(bytes_read + bytes_written);
  int best = 0;
  double least = 2;
  for (int i = 0; i < (int)(sizeof loops / sizeof loops[0]); i++) {
    const double away = share - (double)loops[i].reads / (loops[i].reads + loops[i].writes);
    if ((away < 0 ? -away : away) < least) {
      least = away < 0 ? -away : away;
      best = i;
    }
  }
  return best;
}

static const char *in;
static char *out;
static int64_t steps;

static void take_memory(int64_t bytes_read, int64_t bytes_written, int which) {
  const int reads = loops[which].reads, writes = loops[which].writes;
  steps = (bytes_read + bytes_written + LINE * (reads + writes) - 1) / (LINE * (reads + writes));
  in = (const char *)contest_floats(steps * reads * (LINE / 4), 0);
  out = (char *)contest_bytes(steps * writes * LINE);
}

static void share_out(int which, int count) {
  const int reads = loops[which].reads, writes = loops[which].writes;
  used = count;
  for (int t = 0; t < used; t++) {
    const int64_t begin = steps * t / used, end = steps * (t + 1) / used;
    parts[t] = (part){in + begin * reads * LINE, out + begin * writes * LINE, end - begin};
  }
}

static double best_of(loop_fn *fn) {
  chosen = fn;
  run_once();
  double best = 1e30;
  for (int i = 0; i < TRIES; i++) {
    const double start = contest_now_ns();
    run_once();
    const double ns = contest_now_ns() - start;
    if (ns < best) best = ns;
  }
  return best;
}

/* Plain or non-temporal stores, on one thread or on all of them: whatever is quickest. */
static void choose(int which) {
  double least = 1e30;
  loop_fn *best = NULL;
  int count = 1;
  for (int way = 0; way < (threads > 1 ? 4 : 2); way++) {
    loop_fn *fn = way % 2 == 0 ? loops[which].plain : loops[which].nontemporal;
    share_out(which, way < 2 ? 1 : threads);
    const double ns = best_of(fn);
    if (ns >= least) continue;
    least = ns;
    best = fn;
    count = used;
  }
  share_out(which, count);
  chosen = best;
}

static bool open_stream(const char *name) {
  const bool reads = strcmp(name, "limit_write") != 0, writes = strcmp(name, "limit_read") != 0;
  const int which = nearest_loop(reads ? STREAM_BYTES : 0, writes ? STREAM_BYTES : 0);
  take_memory(reads ? STREAM_BYTES : 0, writes ? STREAM_BYTES : 0, which);
  share_out(which, threads);
  chosen = strcmp(name, "limit_ntcopy") == 0 ? loops[which].nontemporal : loops[which].plain;
  return true;
}

static bool open_operations(const contest_workload *w) {
  int a_step = 0;
  loop_fn *fn = multiplier(w->unit, &a_step);
  if (fn == NULL) return false;
  steps = (w->operations + SUMS * a_step - 1) / (SUMS * a_step);
  used = threads;
  for (int t = 0; t < used; t++) parts[t] = (part){NULL, NULL, steps * (t + 1) / used - steps * t / used};
  chosen = fn;
  return true;
}

static bool open_limit(const char *spec) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx")) return false;
#endif
  if (strncmp(spec, "limit_", 6) == 0) return open_stream(spec);
  const contest_workload *w = contest_find(spec);
  if (w != NULL && w->operations > 0) return open_operations(w);
  if (w == NULL || w->bytes_read + w->bytes_written == 0) return false;
  const int which = nearest_loop(w->bytes_read, w->bytes_written);
  take_memory(w->bytes_read, w->bytes_written, which);
  choose(which);
  return true;
}

int main(void) {
  const contestant self = {"bandwidth", open_limit, run, NULL};
  start_helpers();
  return contest_main(&self);
}
