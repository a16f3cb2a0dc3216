/* How work is cut for threads. */
#ifndef TSR_NN_CONV_WORK_H
#define TSR_NN_CONV_WORK_H

#include <tessera/index.h>

/* A task: its multiplications are the product of these. */
typedef struct tsr__conv_work {
  tsr_index a, b, c;
} tsr__conv_work;

/* Tasks that are worth waking a thread for: some microseconds. */
static inline tsr_index tsr__conv_grain(const tsr__conv_work *w) {
  const tsr_index least = 1 << 17;
  if (w->a <= 0 || w->b <= 0 || w->c <= 0) return least;
  const tsr_index left = least / w->a / w->b / w->c;
  return left > 0 ? left : 1;
}

/* Into how many parts each of chunks tasks is cut, of at most so many, so that no worker waits long for the last. */
static inline tsr_index tsr__conv_splits(int workers, tsr_index chunks, tsr_index most) {
  const tsr_index tasks = 16 * (tsr_index)workers;
  if (workers == 1 || chunks >= tasks || chunks == 0) return 1;
  const tsr_index splits = (tasks + chunks - 1) / chunks;
  return splits < most ? splits : most > 0 ? most : 1;
}

#endif
