/* Who waits too long: one thread of the process looks at the clock of every communicator, because a call of MPI that waits for a
 * rank that is gone never comes back. */
#include "mpi/comm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_LATE = 86, DEFAULT_SECONDS = 1800 };
#define NEVER INT64_MAX

typedef struct tsr__comm_watch {
  struct tsr__comm_watch *next;
  int64_t limit;    /* nanoseconds; NEVER */
  int64_t deadline; /* atomic: of the call that waits; NEVER */
  const char *op;   /* atomic */
  int rank, size;
  tsr_comm_late_fn *hook;
  void *user;
} tsr__comm_watch;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t change;
  tsr__comm_watch *first;
  bool runs;
} clock_room = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};

static int64_t now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void end_the_job(const char *text) {
  char line[TSR_TEXT_BYTES];
  const int length = snprintf(line, sizeof line, "tessera: %s; the job ends\n", text);
  if (length > 0 && write(STDERR_FILENO, line, strlen(line)) < 0) _exit(EXIT_LATE);
  _exit(
      EXIT_LATE); /* the launcher sees it, and ends the other ranks: MPI_Abort is for the thread that MPI was started on */
}

static void say(const tsr__comm_watch *w, const char *op) {
  char text[TSR_TEXT_BYTES];
  (void)snprintf(text, sizeof text, "%s: rank %d of %d waits for other ranks since %g s, and one of them does not come",
                 op, w->rank, w->size, (double)w->limit * 1e-9);
  if (w->hook != NULL)
    w->hook(w->user, text);
  else
    end_the_job(text);
}

static void look(tsr__comm_watch *w, int64_t t) {
  const int64_t deadline = __atomic_load_n(&w->deadline, __ATOMIC_ACQUIRE);
  if (t < deadline) return;
  const char *const op = __atomic_load_n(&w->op, __ATOMIC_ACQUIRE);
  int64_t expected = deadline; /* the call may have ended just now */
  if (__atomic_compare_exchange_n(&w->deadline, &expected, NEVER, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    say(w, op != NULL ? op : "comm");
}

/* Once a second, or a fourth of the shortest limit. */
static int64_t pause_of(void) {
  int64_t pause = 1000000000;
  for (const tsr__comm_watch *w = clock_room.first; w != NULL; w = w->next)
    if (w->limit / 4 < pause) pause = w->limit / 4;
  return pause > 10000000 ? pause : 10000000;
}

static void *run_clock(void *unused) {
  (void)unused;
  (void)pthread_mutex_lock(&clock_room.lock);
  while (clock_room.first != NULL) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    const int64_t to = (int64_t)until.tv_nsec + pause_of();
    until.tv_sec += (time_t)(to / 1000000000);
    until.tv_nsec = (long)(to % 1000000000);
    (void)pthread_cond_timedwait(&clock_room.change, &clock_room.lock, &until);
    const int64_t t = now();
    for (tsr__comm_watch *w = clock_room.first; w != NULL; w = w->next) look(w, t);
  }
  clock_room.runs = false;
  (void)pthread_mutex_unlock(&clock_room.lock);
  return NULL;
}

/* The lock is held. */
static bool start_clock(void) {
  pthread_attr_t attr;
  pthread_t thread;
  if (clock_room.runs) return true;
  if (pthread_attr_init(&attr) != 0) return false;
  (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  clock_room.runs = pthread_create(&thread, &attr, run_clock, NULL) == 0;
  (void)pthread_attr_destroy(&attr);
  return clock_room.runs;
}

static int64_t limit_of(double seconds) { return seconds <= 0 || seconds > 1e9 ? NEVER : (int64_t)(seconds * 1e9); }

static double default_seconds(void) {
  const char *const text = getenv("TSR_MPI_TIMEOUT");
  char *end = NULL;
  const double seconds = text != NULL ? strtod(text, &end) : 0;
  return text != NULL && end != text && *end == 0 && seconds >= 0 ? seconds : DEFAULT_SECONDS;
}

tsr_status tsr__comm_watch_new(tsr_ctx *ctx, tsr_comm *comm, const tsr_comm *like) {
  tsr__comm_watch *const w = calloc(1, sizeof *w);
  if (w == NULL) return tsr__comm_fail(ctx, TSR_ENOMEM, "comm_new", NULL, "no memory for a clock");
  *w = (tsr__comm_watch){.limit = like != NULL ? like->watch->limit : limit_of(default_seconds()),
                         .deadline = NEVER,
                         .rank = comm->rank,
                         .size = comm->size};
  if (like != NULL) w->hook = like->watch->hook, w->user = like->watch->user;
  (void)pthread_mutex_lock(&clock_room.lock);
  w->next = clock_room.first;
  clock_room.first = w;
  const bool runs = start_clock();
  if (!runs) clock_room.first = w->next;
  (void)pthread_mutex_unlock(&clock_room.lock);
  comm->watch = runs ? w : NULL;
  if (runs) return TSR_OK;
  free(w);
  return tsr__comm_fail(ctx, TSR_ENOMEM, "comm_new", NULL, "no thread for the clock");
}

void tsr__comm_watch_release(tsr_comm *comm) {
  tsr__comm_watch **at = &clock_room.first;
  (void)pthread_mutex_lock(&clock_room.lock);
  while (*at != NULL && *at != comm->watch) at = &(*at)->next;
  if (*at != NULL) *at = comm->watch->next;
  (void)pthread_cond_signal(&clock_room.change);
  (void)pthread_mutex_unlock(&clock_room.lock);
  free(comm->watch);
  comm->watch = NULL;
}

void tsr__comm_watch_begin(tsr_comm *comm, const char *op) {
  tsr__comm_watch *const w = comm->watch;
  if (w->limit == NEVER) return;
  __atomic_store_n(&w->op, op, __ATOMIC_RELEASE);
  __atomic_store_n(&w->deadline, now() + w->limit, __ATOMIC_RELEASE);
}

void tsr__comm_watch_end(tsr_comm *comm) { __atomic_store_n(&comm->watch->deadline, NEVER, __ATOMIC_RELEASE); }

tsr_status tsr_comm_set_timeout(tsr_ctx *ctx, tsr_comm *comm, double seconds, tsr_comm_late_fn *hook, void *user) {
  static const char op[] = "comm_set_timeout";
  if (comm == NULL) return tsr__comm_fail(ctx, TSR_EARG, op, "comm", "is NULL");
  if (!(seconds >= 0)) return tsr__comm_fail(ctx, TSR_EARG, op, "seconds", "is %g", seconds);
  (void)pthread_mutex_lock(&clock_room.lock);
  comm->watch->limit = limit_of(seconds);
  comm->watch->hook = hook;
  comm->watch->user = user;
  (void)pthread_cond_signal(&clock_room.change);
  (void)pthread_mutex_unlock(&clock_room.lock);
  return TSR_OK;
}
