/* The thread pool. One job at a time: whoever finds the pool busy, or calls from inside a job, works alone, which is
 * always right. Workers that are awake join and leave a job by one atomic operation on `state`; the lock is for
 * sleeping and waking alone. They watch for the next job a short while after the last one and then sleep: back-to-back
 * operations find them awake, and an idle pool costs nothing. Who watches gives its processor to whoever else wants
 * it. */
#define _GNU_SOURCE /* sched_getaffinity, sched_getcpu */
#include <tessera/threads.h>

#if TSR_HAVE_THREADS

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <windows.h>
#elif !defined(__linux__)
#include <unistd.h>
#endif

#include "cpu/affinity.h"
#include "cpu/start.h"
#include "memory/lock.h"

/* Who waits looks first with pauses, some ten microseconds, and then with yields: a worker for some tens more, the
 * caller, whose job is all but done, for a millisecond or two. Then it sleeps, and waking it takes as long as a small
 * job. */
enum { MOST_WORKERS = 256, PAUSES = 500, WORKER_YIELDS = 200, CALLER_YIELDS = 4000, LINE = 64 };

/* The state: how many workers are in the job, whether it is open to more of them, and its number. */
static const unsigned INSIDE = 0xff, OPEN = 0x100, ONE_JOB_ON = 0x200, NUMBER = ~0x1ffu;

typedef struct job {
  tsr_range_fn *fn;
  void *arg;
  tsr_index grain;
  int shares;     /* how many there are */
  unsigned forks; /* when it was opened */
} job;

/* What one worker takes first, from front to back; others take what is left of it when theirs is done. From call to
 * call a worker comes by the same elements, and finds them in its caches. */
typedef struct share {
  tsr_index next; /* atomic: the first index that nobody has taken */
  tsr_index end;
  char padding[LINE]; /* what is fought over has a cache line of its own */
} share;

typedef struct worker {
  struct tsr_threads *pool;
  int number;
  pthread_t thread;
  bool asleep;            /* under lock */
  bool affinity_excluded; /* under lock: it was woken off the caller's processor */
  tsr__cpus allowed;      /* and may run on these afterwards */
} worker;

struct tsr_threads {
  tsr_parallel parallel;
  int count;    /* workers, the caller included */
  int started;  /* threads that run */
  unsigned era; /* atomic: the process that it belongs to, see belongs_here */
  bool busy;    /* atomic: a job is being set up or run */
  bool ending;  /* under lock */
  int asleep;   /* atomic, changed under lock: workers that must be woken */
  bool waiting; /* atomic: the caller sleeps until the last worker has left */
  bool packed;  /* under lock: a worker has woken on the caller's processor, and others will */
  pthread_mutex_t lock;
  pthread_cond_t wake, done;
  job work;                /* written by the caller while nobody is inside */
  int cpu;                 /* atomic: that the caller was on when it opened the job */
  char before_state[LINE]; /* what is watched has a cache line of its own */
  unsigned state;          /* atomic */
  char after_state[LINE];
  share *shares;    /* count of them, behind the workers */
  worker workers[]; /* count - 1 of them */
};

static _Thread_local bool inside_a_job;

static unsigned forks; /* atomic: between the first process and this one; a fork counts once or more often */

static unsigned forks_now(void) { return __atomic_load_n(&forks, __ATOMIC_RELAXED); }

/* ---- running ---- */

/* The indices that are taken next of those left: half, in whole grains. Parts become smaller and smaller, so that all
 * workers are done within one grain of each other. */
static tsr_index part_of(tsr_index left, tsr_index grain) {
  const tsr_index grains = left / grain / 2;
  return left <= grain ? left : grains > 1 ? grains * grain : grain;
}

/* The function forked, and this is the child: none of the others who had parts is here, and the pool may be in use again
 * already. Nothing of the job may be touched. */
static bool torn(const job *work) { return work->forks != forks_now(); }

static void take_share(const job *work, share *from, int number) {
  tsr_index begin = __atomic_load_n(&from->next, __ATOMIC_RELAXED);
  while (begin < from->end) {
    const tsr_index end = begin + part_of(from->end - begin, work->grain);
    if (!__atomic_compare_exchange_n(&from->next, &begin, end, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
    work->fn(work->arg, begin, end, number);
    if (torn(work)) return;
    begin = __atomic_load_n(&from->next, __ATOMIC_RELAXED);
  }
}

/* True when nothing is left to take; false when the pool may not be touched any more. */
static bool take_parts(tsr_threads *pool, int number) {
  const job work = pool->work;
  for (int i = 0; i < work.shares && !torn(&work); i++)
    take_share(&work, &pool->shares[(number + i) % work.shares], number);
  return !torn(&work);
}

static void look(int already) {
  if (already >= PAUSES) {
    (void)sched_yield();
    return;
  }
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static unsigned state_of(const tsr_threads *pool) { return __atomic_load_n(&pool->state, __ATOMIC_ACQUIRE); }

/* Sleeps until there is another job than number seen; false when the pool ends. */
static bool sleep_until_job(worker *self, unsigned seen) {
  tsr_threads *const pool = self->pool;
  pthread_mutex_lock(&pool->lock);
  self->asleep = true;
  /* Either the caller sees that somebody sleeps, or this thread sees its job. */
  __atomic_fetch_add(&pool->asleep, 1, __ATOMIC_SEQ_CST);
  while ((__atomic_load_n(&pool->state, __ATOMIC_SEQ_CST) & NUMBER) == seen && !pool->ending)
    pthread_cond_wait(&pool->wake, &pool->lock);
  __atomic_fetch_sub(&pool->asleep, 1, __ATOMIC_RELAXED);
  self->asleep = false;
  const bool ending = pool->ending, affinity_excluded = self->affinity_excluded;
  self->affinity_excluded = false;
  if (tsr__this_cpu() == __atomic_load_n(&pool->cpu, __ATOMIC_RELAXED)) pool->packed = true;
  pthread_mutex_unlock(&pool->lock);
  if (affinity_excluded) tsr__allow(self->thread, &self->allowed);
  return !ending;
}

static bool wait_for_job(worker *self, unsigned seen) {
  for (int i = 0; i < PAUSES + WORKER_YIELDS; look(i++))
    if ((state_of(self->pool) & NUMBER) != seen) return true;
  return sleep_until_job(self, seen);
}

/* Joins the job if it is open; its number either way. */
static unsigned join_job(tsr_threads *pool, bool *joined) {
  unsigned state = state_of(pool);
  do *joined = (state & OPEN) != 0;
  while (*joined &&
         !__atomic_compare_exchange_n(&pool->state, &state, state + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
  return state & NUMBER;
}

static void leave_job(tsr_threads *pool) {
  const unsigned left = __atomic_sub_fetch(&pool->state, 1, __ATOMIC_SEQ_CST);
  if ((left & (INSIDE | OPEN)) != 0 || !__atomic_load_n(&pool->waiting, __ATOMIC_SEQ_CST)) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->lock);
}

static void *work_forever(void *arg) {
  worker *const self = arg;
  tsr_threads *const pool = self->pool;
  inside_a_job = true; /* what it calls is inside a job, always */
  unsigned seen = 0;
  while (wait_for_job(self, seen)) {
    tsr__leave_cpu(__atomic_load_n(&pool->cpu, __ATOMIC_RELAXED));
    bool joined;
    seen = join_job(pool, &joined);
    if (!joined) continue;
    if (!take_parts(pool, self->number)) break;
    leave_job(pool);
  }
  return NULL;
}

static void wake_workers(tsr_threads *pool) {
  pthread_mutex_lock(&pool->lock);
  for (int i = 0; pool->packed && i < pool->started; i++) {
    worker *const w = &pool->workers[i];
    if (w->asleep && !w->affinity_excluded)
      w->affinity_excluded = tsr__affinity_exclude(w->thread, pool->cpu, &w->allowed);
  }
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

/* The first of grains that belongs to share i of shares; whole grains, as even as can be. */
static tsr_index share_begin(tsr_index grains, int i, int shares) {
  return grains / shares * i + grains % shares * i / shares;
}

static void share_out(tsr_threads *pool, tsr_index n) {
  const tsr_index grain = pool->work.grain, grains = n / grain + (n % grain != 0);
  const int shares = grains < pool->count ? (int)grains : pool->count;
  pool->work.shares = shares;
  for (int i = 0; i < shares; i++) {
    share *const own = &pool->shares[i];
    own->end = i + 1 < shares ? share_begin(grains, i + 1, shares) * grain : n;
    __atomic_store_n(&own->next, share_begin(grains, i, shares) * grain, __ATOMIC_RELAXED);
  }
}

static void open_job(tsr_threads *pool, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  pool->work = (job){.fn = fn, .arg = arg, .grain = grain, .forks = forks_now()};
  share_out(pool, n);
  __atomic_store_n(&pool->cpu, tsr__this_cpu(), __ATOMIC_RELAXED);
  const unsigned last = state_of(pool) & NUMBER; /* a worker that came too late may still look at it */
  __atomic_store_n(&pool->state, (last + ONE_JOB_ON) | OPEN, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&pool->asleep, __ATOMIC_SEQ_CST) > 0) wake_workers(pool);
}

static void close_job(tsr_threads *pool) {
  unsigned state = __atomic_and_fetch(&pool->state, ~OPEN, __ATOMIC_ACQUIRE);
  for (int i = 0; (state & INSIDE) != 0 && i < PAUSES + CALLER_YIELDS; look(i++)) state = state_of(pool);
  if ((state & INSIDE) == 0) return;
  pthread_mutex_lock(&pool->lock);
  __atomic_store_n(&pool->waiting, true, __ATOMIC_SEQ_CST);
  while ((__atomic_load_n(&pool->state, __ATOMIC_SEQ_CST) & INSIDE) != 0) pthread_cond_wait(&pool->done, &pool->lock);
  __atomic_store_n(&pool->waiting, false, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&pool->lock);
}

static bool start_threads(tsr_threads *pool);
static bool belongs_here(tsr_threads *pool);

/* Whoever holds busy; gives it back. */
static void run_job(tsr_threads *pool, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  inside_a_job = true;
  open_job(pool, n, grain, fn, arg);
  if (take_parts(pool, 0)) {
    close_job(pool);
    __atomic_store_n(&pool->busy, false, __ATOMIC_RELEASE);
  }
  inside_a_job = false;
}

static void run_in_pool(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  tsr_threads *const pool = self;
  if (n <= 0) return;
  if (grain < 1) grain = 1;
  if (n <= grain || inside_a_job || !belongs_here(pool) || __atomic_exchange_n(&pool->busy, true, __ATOMIC_ACQUIRE)) {
    fn(arg, 0, n, 0);
  } else if (start_threads(pool)) {
    run_job(pool, n, grain, fn, arg);
  } else {
    __atomic_store_n(&pool->busy, false, __ATOMIC_RELEASE);
    fn(arg, 0, n, 0);
  }
}

/* ---- starting and ending ---- */

/* Whoever holds busy starts the threads that do not run yet; true when there is one. */
static bool start_threads(tsr_threads *pool) {
  while (pool->started < pool->count - 1) {
    worker *const next = &pool->workers[pool->started];
    *next = (worker){.pool = pool, .number = pool->started + 1};
    if (!tsr__start_thread(&next->thread, work_forever, next)) break;
    pool->started++;
  }
  return pool->started > 0;
}

static void init_pool(tsr_threads *pool) {
  pool->started = pool->asleep = 0;
  pool->busy = pool->ending = pool->waiting = pool->packed = false;
  pool->state = 0;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
}

/* After a fork the child has the pools' memory and none of their threads; each is made anew in the same place when it is
 * used. A pool's era is twice the number of forks of its process, and one more while a thread of that process makes it
 * anew. Within a process it goes from something older to the odd number and from there to the even one, each step once:
 * one thread makes it anew, before anybody else touches more than era, count and parallel, which stay as they are. Nobody
 * waits: who comes meanwhile is told false and works alone. A thread that was in the middle of it when another one
 * forked leaves an odd number behind that is not the child's. */
static bool belongs_here(tsr_threads *pool) {
  const unsigned ready = 2 * forks_now(), making = ready + 1;
  unsigned era = __atomic_load_n(&pool->era, __ATOMIC_ACQUIRE);
  if (era == ready) return true;
  if (era == making) return false;
  if (!__atomic_compare_exchange_n(&pool->era, &era, making, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return false;
  init_pool(pool);
  __atomic_store_n(&pool->era, ready, __ATOMIC_RELEASE);
  return true;
}

static void count_fork(void) {
  __atomic_fetch_add(&forks, 1, __ATOMIC_RELAXED);
  inside_a_job = false;
}

static bool watch_forks(void) {
  static bool watched;
  return tsr__watch_forks(&watched, NULL, NULL, count_fork);
}

static tsr_threads *make_pool(int count) {
  if (!watch_forks()) return NULL;
  tsr_threads *const pool = calloc(1, sizeof *pool + (sizeof(worker) + sizeof(share)) * (size_t)count);
  if (pool == NULL) return NULL;
  pool->count = count;
  pool->shares = (share *)(void *)(pool->workers + count);
  pool->parallel = (tsr_parallel){sizeof(tsr_parallel), run_in_pool, count, pool};
  pool->era = 2 * forks_now();
  init_pool(pool);
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
  (void)belongs_here(threads); /* it does, or does now: nobody else is using it */
  pthread_mutex_lock(&threads->lock);
  threads->ending = true;
  pthread_cond_broadcast(&threads->wake);
  pthread_mutex_unlock(&threads->lock);
  for (int i = 0; i < threads->started; i++) pthread_join(threads->workers[i].thread, NULL);
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
#elif defined(_WIN32)
  DWORD_PTR mine = 0, all = 0;
  if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) && mine != 0) return __builtin_popcountll(mine);
#elif defined(_SC_NPROCESSORS_ONLN)
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  if (online >= 1) return (int)online;
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

static void make_process_pool(void) { process_pool = make_pool(workers_wanted()); }

const tsr_parallel *tsr_parallel_default(void) {
  static bool made;
  if (!__atomic_load_n(&made, __ATOMIC_ACQUIRE)) {
    (void)watch_forks(); /* before, not inside: C libraries hold a lock of theirs while a fork waits for tsr__once */
    tsr__once(&made, make_process_pool);
  }
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
