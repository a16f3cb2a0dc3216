/* Where number i of a shape lies, its axes the fastest first. The host merges axes: engines/axes.h. */
static __device__ inline int64_t placed_on(int64_t i, int rank, const int64_t *length, const int64_t *step) {
  int64_t at = 0;
  TSR__UNROLL_BY(1) for (int d = 0; d < rank; d++) {
    const int64_t n = length[d];
    const int64_t q = d + 1 == rank                           ? 0
                      : ((uint64_t)i | (uint64_t)n) >> 32 != 0 ? i / n
                                                               : (int64_t)((uint32_t)i / (uint32_t)n);
    at += (i - q * n) * step[d];
    i = q;
  }
  return at;
}
