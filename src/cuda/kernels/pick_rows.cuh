/* Of each row the elements at some places, and those places. */
struct pick_args {
  const U *x;
  const PLACE *places; /* step apart from row to row */
  U *values;           /* or NULL */
  int64_t *index;      /* or NULL */
  uint64_t length, step, count, all;
};

extern "C" __global__ void __launch_bounds__(256) tsr_pick_rows(const pick_args s) {
  const uint64_t i = (uint64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.all) return;
  const uint64_t row = i / s.count, k = i - row * s.count;
  const PLACE place = s.places[row * s.step + k];
  if (s.values != NULL) s.values[i] = s.x[row * s.length + place];
  if (s.index != NULL) s.index[i] = (int64_t)place;
}
