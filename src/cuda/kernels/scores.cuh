/* How often class b was read where it is a: a thread a pair. Integers are counted by atomics, in any order with one result. */
#include "cuda/kernels/fault.cuh"

struct confusion_args {
  const int64_t *target, *predicted;
  unsigned long long *out; /* (classes, classes), 0 */
  int64_t n, classes;
  tsr_fault bad_target, bad_predicted;
};

extern "C" __global__ void __launch_bounds__(256) tsr_confusion(const __grid_constant__ confusion_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.n) return;
  const int64_t a = s.target[i], b = s.predicted[i];
  const bool no_target = (uint64_t)a >= (uint64_t)s.classes, no_predicted = (uint64_t)b >= (uint64_t)s.classes;
  if (no_target) tsr_fault_at(s.bad_target, (unsigned long long)i);
  if (no_predicted) tsr_fault_at(s.bad_predicted, (unsigned long long)i);
  if (!no_target && !no_predicted) atomicAdd(s.out + a * s.classes + b, 1ull);
}
