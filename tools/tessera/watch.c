#include "watch.h"

#include "progress.h"

enum { PIECES = 200 }; /* of a call: as many steps of the bar */

/* One piece of parallel work. */
typedef struct job {
  const watch *over;
  tsr_range_fn *fn;
  void *arg;
  tsr_index n, piece;
  tsr_index done; /* atomic */
} job;

static void run_job(void *arg, tsr_index begin, tsr_index end, int worker) {
  job *const j = arg;
  for (tsr_index first = begin; first < end; first += j->piece) {
    const tsr_index last = end - first < j->piece ? end : first + j->piece;
    j->fn(j->arg, first, last, worker);
    const tsr_index done = __atomic_add_fetch(&j->done, last - first, __ATOMIC_RELAXED);
    progress_share((uint64_t)((double)j->over->bytes * (double)done / (double)j->n));
  }
}

/* Pieces begin at multiples of the grain, as all ranges do. */
static void watched_for(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  const watch *const w = self;
  const tsr_index least = grain > 0 ? grain : 1, grains = n / least / PIECES;
  job j = {w, fn, arg, n, least * (grains > 0 ? grains : 1), 0};
  w->under->parallel_for(w->under->self, n, grain, run_job, &j);
}

void watch_init(watch *w, const tsr_ctx *ctx, uint64_t bytes) {
  w->under = ctx->parallel != NULL ? ctx->parallel : tsr_parallel_default();
  w->parallel = (tsr_parallel){sizeof(tsr_parallel), watched_for, w->under->max_workers, w};
  w->bytes = bytes;
}
