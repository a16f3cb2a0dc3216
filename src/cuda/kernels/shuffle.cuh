/* Pixels and channels: a row of the wide tensor is F rows of the deep one, an element of each in turn. A thread has a pack of V elements of the wide
 * tensor, and V / F neighbours of each of the F rows, in ROWS rows below one another.
 *
 * Set before: T the type in memory; F; V, a multiple of F; TO_PIXELS: the wide tensor is written, else the deep one. */
struct shuffle_args {
  uint8_t *deep, *wide;
  int64_t units, packs, parts, rows, channels; /* packs of a row, parts of ROWS rows of an image; rows and channels of the wide tensor */
  int64_t deep_n, deep_c, deep_y, deep_x, deep_h, wide_n, wide_c, wide_h;
};

enum { ROWS = 4, EACH = V / F };

static __device__ inline int64_t quotient(int64_t a, int64_t b) {
  return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

extern "C" __global__ void __launch_bounds__(256) tsr_shuffle(const __grid_constant__ shuffle_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.units) return;
  const int64_t q = quotient(i, s.packs), at = i - q * s.packs, image = quotient(q, s.parts), row = (q - image * s.parts) * ROWS;
  const int64_t n = quotient(image, s.channels), c = image - n * s.channels;
  T *const deep = (T *)s.deep + n * s.deep_n + c * s.deep_c + at * EACH, *const wide = (T *)s.wide + n * s.wide_n + c * s.wide_c + at * V;
  pack<T, EACH> apart[ROWS][F];
  pack<T, V> beside[ROWS];
  TSR__UNROLL(4) for (int r = 0; r < ROWS; r++) {
    if (row + r >= s.rows) continue;
    const int64_t h = quotient(row + r, F), y = row + r - h * F;
    T *const from = deep + h * s.deep_h + y * s.deep_y;
    (void)from;
#if TO_PIXELS
    TSR__UNROLL(8) for (int x = 0; x < F; x++) apart[r][x].load(from + x * s.deep_x);
#else
    beside[r].load(wide + (row + r) * s.wide_h);
#endif
  }
  TSR__UNROLL(4) for (int r = 0; r < ROWS; r++) {
    if (row + r >= s.rows) continue;
    const int64_t h = quotient(row + r, F), y = row + r - h * F;
    T *const to = deep + h * s.deep_h + y * s.deep_y;
    (void)to;
#if TO_PIXELS
    TSR__UNROLL(8) for (int v = 0; v < V; v++) beside[r].v[v] = apart[r][v % F].v[v / F];
    beside[r].store(wide + (row + r) * s.wide_h);
#else
    TSR__UNROLL(8) for (int v = 0; v < V; v++) apart[r][v % F].v[v / F] = beside[r].v[v];
    TSR__UNROLL(8) for (int x = 0; x < F; x++) apart[r][x].store(to + x * s.deep_x);
#endif
  }
}
