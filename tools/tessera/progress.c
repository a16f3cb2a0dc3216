#include "progress.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "terminal.h"
#include "text.h"

enum { BAR = 30, TENTH = 100 * 1000 * 1000 };

static struct {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  bool running, stop; /* stop: under the mutex */
  uint64_t total, written_before;
  uint64_t done, share; /* atomic */
} now = {.mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

/* The bytes that this process has handed to the system for writing; 0 where the system does not say. */
static uint64_t bytes_written(void) {
  unsigned long long bytes = 0;
  char line[64];
  FILE *f = fopen("/proc/self/io", "r");
  if (f == NULL) return 0;
  while (fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "wchar: %llu", &bytes) == 1) break;
  (void)fclose(f);
  return bytes;
}

static void draw(double seconds) {
  const uint64_t done = __atomic_load_n(&now.done, __ATOMIC_RELAXED) + __atomic_load_n(&now.share, __ATOMIC_RELAXED) +
                        bytes_written() - now.written_before;
  const double share = now.total > 0 ? (double)done / (double)now.total : 0, shown = share < 1 ? share : 1;
  char bar[BAR + 1], text[32];
  for (int i = 0; i < BAR; i++) bar[i] = i < (int)(shown * BAR) ? '#' : '.';
  bar[BAR] = '\0';
  (void)fprintf(stderr, "\r[%s] %3d %%  %s/s ", bar, (int)(shown * 100),
                text_bytes((uint64_t)((double)done / seconds), text));
}

/* A tenth of a second, or until it ends: whether it goes on. */
static bool wait_tenth(void) {
  struct timespec until;
  (void)clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TENTH;
  if (until.tv_nsec >= 10 * TENTH) until.tv_sec++, until.tv_nsec -= 10 * TENTH;
  (void)pthread_mutex_lock(&now.mutex);
  if (!now.stop) (void)pthread_cond_timedwait(&now.ended, &now.mutex, &until);
  const bool on = !now.stop;
  (void)pthread_mutex_unlock(&now.mutex);
  return on;
}

static void *draw_until_stopped(void *unused) {
  int ticks = 0;
  (void)unused;
  while (wait_tenth()) draw(0.1 * ++ticks);
  if (ticks > 0) (void)fprintf(stderr, "\r%*s\r", BAR + 30, "");
  return NULL;
}

void progress_start(uint64_t total) {
  if (!terminal_on_stderr()) return;
  now.total = total;
  now.done = now.share = 0;
  now.stop = false;
  now.written_before = bytes_written();
  now.running = pthread_create(&now.thread, NULL, draw_until_stopped, NULL) == 0;
}

void progress_add(uint64_t bytes) {
  __atomic_store_n(&now.share, 0, __ATOMIC_RELAXED);
  (void)__atomic_fetch_add(&now.done, bytes, __ATOMIC_RELAXED);
}

void progress_share(uint64_t bytes) {
  uint64_t before = __atomic_load_n(&now.share, __ATOMIC_RELAXED);
  while (before < bytes &&
         !__atomic_compare_exchange_n(&now.share, &before, bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void progress_end(void) {
  if (!now.running) return;
  (void)pthread_mutex_lock(&now.mutex);
  now.stop = true;
  (void)pthread_cond_signal(&now.ended);
  (void)pthread_mutex_unlock(&now.mutex);
  (void)pthread_join(now.thread, NULL);
  now.running = false;
}
