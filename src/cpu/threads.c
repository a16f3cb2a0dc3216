/* The thread pool. One job at a time: whoever finds the pool busy, or calls from inside a job, works alone, which is always
 * right. Workers watch for the next job a short while (some tens of microseconds) after the last one and then sleep: back-to-back operations find
 * them awake, and an idle pool costs nothing. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <tessera/threads.h>

#if TSR_HAVE_THREADS

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 256, LOOKS_BEFORE_SLEEP = 2000, PARTS_A_WORKER = 4 };

typedef struct job {
  tsr_range_fn *fn;
  void         *arg;
  tsr_index     n, part; /* part: indices handed out at a time */
  tsr_index     next;    /* atomic: the first index that nobody has taken */
} job;

struct tsr_threads {
  tsr_parallel    parallel;
  int             count;   /* workers, the caller included */
  int             started; /* threads that run */
  unsigned        generation; /* of the process that they run in */
  bool            busy;    /* atomic: a job is being set up or run */
  bool            open;    /* under lock: workers may still join the job */
  bool            ending;
  unsigned        epoch;   /* atomic, changed under lock: the number of the job */
  int             inside;  /* atomic, changed under lock: workers in the job */
  job             work;
  pthread_mutex_t lock;
  pthread_cond_t  wake, done;
  pthread_t       threads[]; /* count - 1 of them */
};

static _Thread_local bool inside_a_job;

/* ---- running ---- */

static void take_parts(job *work, int worker) {
  for (;;) {
    const tsr_index begin = __atomic_fetch_add(&work->next, work->part, __ATOMIC_RELAXED);
    if (begin >= work->n) return;
    work->fn(work->arg, begin, work->n - begin < work->part ? work->n : begin + work->part, worker);
  }
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Looks a while for another epoch than seen, without sleeping. */
static void watch_epoch(const tsr_threads *pool, unsigned seen) {
  for (int i = 0; i < LOOKS_BEFORE_SLEEP && __atomic_load_n(&pool->epoch, __ATOMIC_RELAXED) == seen; i++) relax();
}

typedef struct worker_start {
  tsr_threads *pool;
  int          number;
} worker_start;

static void *work_forever(void *arg) {
  const worker_start start = *(worker_start *)arg;
  tsr_threads *const pool = start.pool;
  free(arg);
  inside_a_job = true; /* what it calls is inside a job, always */
  unsigned seen = 0;
  for (;;) {
    watch_epoch(pool, seen);
    pthread_mutex_lock(&pool->lock);
    while (pool->epoch == seen && !pool->ending) pthread_cond_wait(&pool->wake, &pool->lock);
    const bool ending = pool->ending, join = pool->open;
    seen = pool->epoch;
    if (join) __atomic_store_n(&pool->inside, pool->inside + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&pool->lock);
    if (ending) return NULL;
    if (!join) continue;
    take_parts(&pool->work, start.number);
    pthread_mutex_lock(&pool->lock);
    __atomic_store_n(&pool->inside, pool->inside - 1, __ATOMIC_RELEASE);
    if (pool->inside == 0) pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void open_job(tsr_threads *pool, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  const tsr_index grains = n / grain + (n % grain != 0), parts = (tsr_index)pool->count * PARTS_A_WORKER;
  pthread_mutex_lock(&pool->lock);
  pool->work = (job){fn, arg, n, grain * (grains > parts ? grains / parts : 1), 0};
  pool->open = true;
  __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void close_job(tsr_threads *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->open = false;
  pthread_mutex_unlock(&pool->lock);
  for (int i = 0; i < LOOKS_BEFORE_SLEEP && __atomic_load_n(&pool->inside, __ATOMIC_ACQUIRE) > 0; i++) relax();
  pthread_mutex_lock(&pool->lock);
  while (pool->inside > 0) pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

static bool start_threads(tsr_threads *pool);
static void renew_after_fork(tsr_threads *pool);

static void run_in_pool(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  tsr_threads *const pool = self;
  if (n <= 0) return;
  if (grain < 1) grain = 1;
  renew_after_fork(pool);
  if (n <= grain || inside_a_job || __atomic_exchange_n(&pool->busy, true, __ATOMIC_ACQUIRE)) {
    fn(arg, 0, n, 0);
    return;
  }
  if (start_threads(pool)) {
    inside_a_job = true;
    open_job(pool, n, grain, fn, arg);
    take_parts(&pool->work, 0);
    close_job(pool);
    inside_a_job = false;
  } else {
    fn(arg, 0, n, 0);
  }
  __atomic_store_n(&pool->busy, false, __ATOMIC_RELEASE);
}

/* ---- starting and ending ---- */

/* Whoever holds busy starts the threads that do not run yet; true when there is one. */
static bool start_threads(tsr_threads *pool) {
  while (pool->started < pool->count - 1) {
    worker_start *const start = malloc(sizeof *start);
    if (start == NULL) break;
    *start = (worker_start){pool, pool->started + 1};
    if (pthread_create(&pool->threads[pool->started], NULL, work_forever, start) != 0) {
      free(start);
      break;
    }
    pool->started++;
  }
  return pool->started > 0;
}

/* After a fork the child has the pools' memory and none of their threads; each starts afresh in the same place when it is
 * used. */
static unsigned generation;

static void count_fork(void) {
  generation++;
  inside_a_job = false;
}

static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, count_fork); }

static void init_pool(tsr_threads *pool, int count) {
  memset(pool, 0, sizeof *pool);
  pool->count = count;
  pool->generation = generation;
  pool->parallel = (tsr_parallel){run_in_pool, count, pool};
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
}

static void renew_after_fork(tsr_threads *pool) {
  if (pool->generation != generation) init_pool(pool, pool->count);
}

static tsr_threads *make_pool(int count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, watch_forks);
  tsr_threads *const pool = malloc(sizeof *pool + sizeof(pthread_t) * (size_t)count);
  if (pool != NULL) init_pool(pool, count);
  return pool;
}

tsr_status tsr_threads_new(int count, tsr_threads **out) {
  if (out == NULL || count < 1 || count > MOST_WORKERS) return TSR_EARG;
  tsr_threads *const pool = make_pool(count);
  if (pool == NULL) return TSR_ENOMEM;
  *out = pool;
  return TSR_OK;
}

const tsr_parallel *tsr_threads_parallel(const tsr_threads *threads) { return &threads->parallel; }

void tsr_threads_release(tsr_threads *threads) {
  if (threads == NULL) return;
  renew_after_fork(threads);
  pthread_mutex_lock(&threads->lock);
  threads->ending = true;
  pthread_cond_broadcast(&threads->wake);
  pthread_mutex_unlock(&threads->lock);
  for (int i = 0; i < threads->started; i++) pthread_join(threads->threads[i], NULL);
  pthread_cond_destroy(&threads->done);
  pthread_cond_destroy(&threads->wake);
  pthread_mutex_destroy(&threads->lock);
  free(threads);
}

/* ---- the pool of the process ---- */

static tsr_threads *process_pool;

static int processors(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return 1;
}

static int workers_wanted(void) {
  const char *const asked = getenv("TSR_THREADS");
  const long count = asked != NULL ? strtol(asked, NULL, 10) : 0;
  if (count >= 1) return count < MOST_WORKERS ? (int)count : MOST_WORKERS;
  const int available = processors();
  return available < MOST_WORKERS ? available : MOST_WORKERS;
}

static void start_process_pool(void) { process_pool = make_pool(workers_wanted()); }

const tsr_parallel *tsr_parallel_default(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, start_process_pool);
  return process_pool != NULL ? &process_pool->parallel : tsr_parallel_serial();
}

#else

const tsr_parallel *tsr_parallel_default(void) { return tsr_parallel_serial(); }

tsr_status tsr_threads_new(int count, tsr_threads **out) {
  if (out == NULL || count < 1) return TSR_EARG;
  if (count > 1) return TSR_EUNSUPPORTED;
  *out = NULL;
  return TSR_OK;
}

const tsr_parallel *tsr_threads_parallel(const tsr_threads *threads) {
  (void)threads;
  return tsr_parallel_serial();
}

void tsr_threads_release(tsr_threads *threads) { (void)threads; }

#endif
