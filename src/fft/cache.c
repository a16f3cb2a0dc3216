/* Plans of the process: those that were asked for last stay, at most MOST of them and KEPT bytes. */
#include "fft/plan.h"
#include "memory/lock.h"
#include "memory/trim.h"

#include <tessera/memory.h>

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

enum { MOST = 64 };
static const size_t most_bytes = (size_t)64 << 20;

static tsr__lock lock;
static tsr__fft_plan *plans; /* under lock, as is all that follows */
static int kept;
static size_t kept_bytes;
static uint64_t now;

static size_t trim_plans(void);
static void start_cache(void) {
  (void)tsr__lock_init(&lock);
  tsr__trim_also(trim_plans);
}

static void take_lock(void) {
#if TSR_HAVE_THREADS
  static bool started;
  tsr__once(&started, start_cache);
#else
  if (now++ == 0) start_cache();
#endif
  tsr__lock_take(&lock);
}

/* ---- making ---- */

static void free_plan(tsr__fft_plan *plan) {
  const tsr_allocator *const system = tsr_allocator_system();
  if (plan->inner != NULL) tsr__fft_plan_put(plan->inner);
  if (plan->table != NULL) system->free(system->self, plan->table, plan->numbers * tsr__fft_item(plan));
  system->free(system->self, plan, sizeof *plan);
}

static void free_list(tsr__fft_plan *list) {
  while (list != NULL) {
    tsr__fft_plan *const next = list->next;
    free_plan(list);
    list = next;
  }
}

static bool fill_plan(tsr__fft_plan *plan, tsr_index inner) {
  const tsr_allocator *const system = tsr_allocator_system();
  const size_t bytes = plan->numbers * tsr__fft_item(plan);
  if (inner > 0) plan->inner = tsr__fft_plan_get(inner, plan->dtype, false, plan->isa);
  if (inner > 0 && plan->inner == NULL) return false;
  if (bytes > 0) plan->table = system->alloc(system->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (bytes > 0 && plan->table == NULL) return false;
  const size_t work = plan->way == TSR__FFT_CHIRP ? tsr__fft_scratch(plan->inner) : 0;
  void *const scratch = work > 0 ? system->alloc(system->self, work, TSR_DATA_ALIGN, TSR_HINT_DEFAULT) : NULL;
  if (work > 0 && scratch == NULL) return false;
  plan->bytes = sizeof *plan + bytes;
  plan->scratch = tsr__fft_scratch(plan);
  tsr__fft_fill(plan, scratch);
  if (work > 0) system->free(system->self, scratch, work);
  return true;
}

static tsr__fft_plan *make_plan(tsr_index n, int dtype, bool real, int isa) {
  const tsr_allocator *const system = tsr_allocator_system();
  tsr__fft_plan *const plan = system->alloc(system->self, sizeof *plan, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  tsr_index inner;
  if (plan == NULL) return NULL;
  const bool described = tsr__fft_describe(n, dtype, real, isa, plan, &inner);
  plan->users = 1;
  if (described && fill_plan(plan, inner)) return plan;
  free_plan(plan);
  return NULL;
}

/* ---- keeping, under lock ---- */

static tsr__fft_plan *find_plan(tsr_index n, int dtype, bool real, int isa) {
  for (tsr__fft_plan **link = &plans; *link != NULL; link = &(*link)->next) {
    tsr__fft_plan *const plan = *link;
    if (plan->n != n || plan->dtype != dtype || plan->real != real || plan->isa != isa) continue;
    *link = plan->next; /* the next call finds it first */
    plan->next = plans;
    plans = plan;
    plan->stamp = ++now;
    return plan;
  }
  return NULL;
}

static void unlink_plan(tsr__fft_plan **link) {
  tsr__fft_plan *const plan = *link;
  *link = plan->next;
  plan->is_kept = false;
  plan->users--;
  kept--;
  kept_bytes -= plan->bytes;
}

/* Takes the plan that nobody uses and that was asked for longest ago off the list; NULL: there is none. */
static tsr__fft_plan *take_oldest(void) {
  tsr__fft_plan **oldest = NULL;
  for (tsr__fft_plan **link = &plans; *link != NULL; link = &(*link)->next)
    if ((*link)->users == 1 && (oldest == NULL || (*link)->stamp < (*oldest)->stamp)) oldest = link;
  if (oldest == NULL) return NULL;
  tsr__fft_plan *const plan = *oldest;
  unlink_plan(oldest);
  return plan;
}

/* What has to go so that a plan fits, as a list. */
static tsr__fft_plan *make_room(size_t bytes) {
  tsr__fft_plan *gone = NULL;
  while (kept >= MOST || kept_bytes + bytes > most_bytes) {
    tsr__fft_plan *const plan = take_oldest();
    if (plan == NULL) break;
    plan->next = gone;
    gone = plan;
  }
  return gone;
}

static void keep_plan(tsr__fft_plan *plan) {
  if (kept >= MOST || kept_bytes + plan->bytes > most_bytes) return;
  plan->is_kept = true;
  plan->users++;
  plan->stamp = ++now;
  plan->next = plans;
  plans = plan;
  kept++;
  kept_bytes += plan->bytes;
}

/* ---- asking ---- */

tsr__fft_plan *tsr__fft_plan_get(tsr_index n, int dtype, bool real, int isa) {
  take_lock();
  tsr__fft_plan *plan = find_plan(n, dtype, real, isa);
  if (plan != NULL) plan->users++;
  tsr__lock_give(&lock);
  if (plan != NULL) return plan;
  tsr__fft_plan *const made = make_plan(n, dtype, real, isa), *gone = NULL; /* not under lock: it takes its time */
  if (made == NULL) return NULL;
  take_lock();
  plan = find_plan(n, dtype, real, isa); /* by another thread, meanwhile */
  if (plan == NULL) {
    gone = make_room(made->bytes);
    keep_plan(made);
  } else {
    plan->users++;
  }
  tsr__lock_give(&lock);
  free_list(gone);
  if (plan == NULL) return made;
  free_plan(made);
  return plan;
}

size_t tsr__fft_scratch_of(tsr_index n, int dtype, bool real, int isa) {
  take_lock();
  const tsr__fft_plan *const plan = find_plan(n, dtype, real, isa);
  const size_t scratch = plan != NULL ? plan->scratch : 0;
  tsr__lock_give(&lock);
  return scratch != 0 ? scratch : tsr__fft_scratch_described(n, dtype, real, isa);
}

void tsr__fft_plan_put(tsr__fft_plan *plan) {
  take_lock();
  const bool last = --plan->users == 0;
  tsr__lock_give(&lock);
  if (last) free_plan(plan);
}

static size_t trim_plans(void) {
  size_t bytes = 0;
  for (;;) { /* a plan that goes lets go of its inner one */
    take_lock();
    tsr__fft_plan *const plan = take_oldest();
    tsr__lock_give(&lock);
    if (plan == NULL) return bytes;
    bytes += plan->bytes;
    free_plan(plan);
  }
}

#endif
