#include "cuda/engines/axes.h"

typedef struct axis {
  int64_t length, step[2];
} axis;

static int64_t size_of(int64_t step) { return step < 0 ? -step : step; }

/* The smallest step first; axes that repeat an element come last. */
static bool is_before(const axis *a, const axis *b) {
  if (a->step[0] == 0 || b->step[0] == 0) return a->step[0] != 0;
  return size_of(a->step[0]) < size_of(b->step[0]);
}

static void sort(axis *axes, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && is_before(&axes[k], &axes[k - 1]); k--) {
      const axis one = axes[k];
      axes[k] = axes[k - 1];
      axes[k - 1] = one;
    }
}

tsr__cuda_axes tsr__cuda_axes_of(const tsr_tensor *a, const tsr_tensor *b, int without, bool by_step) {
  axis axes[TSR__CUDA_AXES];
  tsr__cuda_axes all = {.rank = 0};
  int n = 0;
  for (int d = a->ndim - 1; d >= 0; d--)
    if (d != without && a->shape[d] != 1) axes[n++] = (axis){a->shape[d], {a->stride[d], b != NULL ? b->stride[d] : 0}};
  if (by_step) sort(axes, n);
  for (int i = 0; i < n; i++) {
    const int last = all.rank - 1;
    bool is_mergeable = last >= 0;
    for (int k = 0; k < 2 && is_mergeable; k++) is_mergeable = axes[i].step[k] == all.step[k][last] * all.length[last];
    if (is_mergeable) {
      all.length[last] *= axes[i].length;
      continue;
    }
    all.length[all.rank] = axes[i].length;
    for (int k = 0; k < 2; k++) all.step[k][all.rank] = axes[i].step[k];
    all.rank++;
  }
  if (all.rank == 0) all.length[all.rank++] = 1;
  return all;
}
