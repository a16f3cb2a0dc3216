/* Parallel work on one thread. */
#include <stddef.h>
#include <tessera/threads.h>

static void run_serially(void *self, tsr_index n, tsr_index grain, tsr_range_fn *fn, void *arg) {
  (void)self;
  (void)grain;
  if (n > 0) fn(arg, 0, n, 0);
}

const tsr_parallel *tsr_parallel_serial(void) {
  static const tsr_parallel serial = {sizeof(tsr_parallel), run_serially, 1, NULL};
  return &serial;
}
