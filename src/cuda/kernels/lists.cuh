/* Lists of coordinates to one number each: a factor for every coordinate and for every axis that belongs to its batch. A coordinate that
 * is out of range is noted, and gives `bad`. PLACE: of the result. */
#include "cuda/kernels/fault.cuh"

struct lists_args {
  const int64_t *numbers; /* (count, q) */
  PLACE *out;
  tsr_fault fault;
  uint64_t count;
  int64_t length[8], factor[8];
  int64_t batch_inner[8], batch_length[8], batch_factor[8];
  int64_t first, bad; /* what all begin with */
  int q, batch, wraps;
};

extern "C" __global__ void __launch_bounds__(128) tsr_lists(const lists_args s) {
  const uint64_t i = (uint64_t)blockIdx.x * 128 + threadIdx.x;
  if (i >= s.count) return;
  int64_t value = s.first;
  bool fits = true;
  for (int k = 0; k < s.batch; k++) value += (int64_t)i / s.batch_inner[k] % s.batch_length[k] * s.batch_factor[k];
  for (int k = 0; k < s.q && fits; k++) {
    int64_t number = s.numbers[i * (uint64_t)s.q + (uint64_t)k];
    if (number < 0 && s.wraps) number += s.length[k];
    fits = (uint64_t)number < (uint64_t)s.length[k];
    if (!fits) tsr_fault_at(s.fault, i * (uint64_t)s.q + (uint64_t)k);
    value += number * s.factor[k];
  }
  s.out[i] = (PLACE)(fits ? value : s.bad);
}
