/* Pooling, in the orders of the host: nn/pool/pool.h (the rows of a column first, then the columns) for the greatest and the mean, row by row
 * for norms and adaptive windows (nn/pool/plain.h). A thread has V neighbours: channels where those are LAST, else windows of one row, which
 * share what they read (SPANS). WHOLE: channels last, windows of KH × KW elements that all lie in the image, read before anything is done with them.
 *
 * Set before: T the type in memory, C the compute type, LOADED(t), STORED(c), KIND; LEAST, what no number is
 * less than; LAST; V; SPANS: windows of KH × KW elements side by
 * side, SW columns apart, BEFORE columns of padding, whose columns V·SW from a multiple of that on are one aligned pack. Of norms POWER(a, b). */
#define MAX 0
#define MEAN 1
#define NORM_1 2
#define NORM_2 3
#define NORM_P 4
#define ADAPTIVE_MEAN 5
#define ADAPTIVE_MAX 6
#define QUANTISED_MEAN 7 /* of integers, to the nearest; s.zero is what padding counts as */

struct pool_axis {
  int64_t length, out, kernel, stride, dilation, before, after, x, o;
};
struct pool_args {
  const T *x;
  T *out;
  int64_t units, channels; /* threads; packs of channels */
  int64_t x_sample, x_channel, out_sample, out_channel;
  pool_axis row, column;
  int64_t include_pad, zero;
  double p;
};

/* Elements first, first + step, … of an axis; skipped of a window's lie before it. */
struct window {
  int64_t first, count, step, skipped, divisor;
};

static __device__ inline int64_t quotient(int64_t a, int64_t b) {
  return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

/* The taps with first + k·dilation < end. */
static __device__ inline int64_t taps_before(const pool_axis &a, int64_t first, int64_t end) {
  if (first + (a.kernel - 1) * a.dilation < end) return a.kernel;
  return first < end ? quotient(end - first - 1, a.dilation) + 1 : 0;
}

static __device__ inline window window_of(const pool_axis &a, int64_t i, int64_t include_pad) {
  window w;
#if KIND == ADAPTIVE_MEAN || KIND == ADAPTIVE_MAX
  w.first = quotient(i * a.length, a.out);
  w.count = quotient((i + 1) * a.length + a.out - 1, a.out) - w.first;
  w.step = 1;
  w.skipped = 0;
  w.divisor = w.count;
#else
  const int64_t first = i * a.stride - a.before;
  int64_t from = first < 0 ? quotient(-first - 1, a.dilation) + 1 : 0;
  if (from > a.kernel) from = a.kernel;
  const int64_t to = taps_before(a, first, a.length);
  w.first = first + from * a.dilation;
  w.count = to > from ? to - from : 0;
  w.step = a.dilation;
  w.skipped = from;
  w.divisor = include_pad ? taps_before(a, first, a.length + a.after) : w.count;
#endif
  return w;
}

static __device__ inline C joined(C a, C v) {
#if KIND == MAX || KIND == ADAPTIVE_MAX
  const C most = v > a ? v : a;
  return v != v ? v : most;
#else
  return a + v;
#endif
}
static __device__ inline C neutral() {
#if KIND == MAX || KIND == ADAPTIVE_MAX
  return LEAST;
#else
  return 0;
#endif
}

#if KIND == QUANTISED_MEAN
/* floor(sum / count + 1/2), or halves away from 0: nn/quant/plain/pools.c. */
static __device__ inline C mean_of(C sum, C count) {
  const C top = 2 * sum + count - (ROUND_TWICE && sum < 0), bottom = 2 * count, q = top / bottom;
  return q - (top % bottom < 0 ? 1 : 0);
}
#endif

#if KIND == NORM_1 || KIND == NORM_2 || KIND == NORM_P
static __device__ inline C term(C value, C p) {
  const C size = value < 0 ? -value : value;
  (void)p;
#if KIND == NORM_1
  return size;
#elif KIND == NORM_2
  return size * size;
#else
  return POWER(size, p);
#endif
}
static __device__ inline C root(C sum, C p) {
  (void)p;
#if KIND == NORM_1
  return sum;
#elif KIND == NORM_2
  return ROOT(sum);
#else
  return POWER(sum, 1 / p);
#endif
}
#endif

/* A mean's divisor: of a window with no element 1. */
static __device__ inline C ended(C a, int64_t rows, int64_t columns) {
#if KIND == MEAN
  const int64_t count = rows * columns;
  return a / (C)(count > 0 ? count : 1);
#else
  (void)rows, (void)columns;
  return a;
#endif
}

/* Which window unit i is, of which sample; the channel, or pack of channels. */
struct unit {
  int64_t n, c, row, column;
};
static __device__ inline unit unit_of(const pool_args &s, int64_t i) {
  unit u;
#if LAST
  const int64_t a = quotient(i, s.channels), b = quotient(a, s.column.out);
  u.c = i - a * s.channels;
  u.column = a - b * s.column.out;
  u.n = quotient(b, s.row.out);
  u.row = b - u.n * s.row.out;
#else
  const int64_t wide = SPANS ? s.column.out / V : s.column.out;
  const int64_t a = quotient(i, wide), b = quotient(a, s.row.out);
  u.column = i - a * wide;
  u.row = a - b * s.row.out;
  u.n = quotient(b, s.channels);
  u.c = b - u.n * s.channels;
#endif
  return u;
}

#if SPANS
enum { SPAN = (V - 1) * SW + KW, PACK = V * SW };

extern "C" __global__ void __launch_bounds__(256) tsr_pool(const __grid_constant__ pool_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.units) return;
  const unit u = unit_of(s, i);
  const int64_t top = u.row * s.row.stride - s.row.before, first = u.column * PACK - BEFORE;
  const T *x = s.x + u.n * s.x_sample + u.c * s.x_channel + top * s.row.x + u.column * PACK;
  C column[SPAN];
  bool some = false;
  TSR__UNROLL(8) for (int j = 0; j < SPAN; j++) column[j] = neutral();
  TSR__UNROLL(8) for (int r = 0; r < KH; r++) {
    if ((uint64_t)(top + r) < (uint64_t)s.row.length) {
      pack<T, PACK> p;
      p.load(x + r * s.row.x);
      TSR__UNROLL(16) for (int j = 0; j < SPAN; j++) {
        C v = neutral();
        const int at = j - BEFORE;
        if (at >= 0 && at < PACK)
          v = LOADED(p.v[at >= 0 && at < PACK ? at : 0]);
        else if ((uint64_t)(first + j) < (uint64_t)s.column.length)
          v = LOADED(TSR__LOAD_CONST(x + r * s.row.x + at));
        column[j] = some ? joined(column[j], v) : v;
      }
      some = true;
    }
  }
  const window rows = window_of(s.row, u.row, s.include_pad);
  pack<T, V> out;
  TSR__UNROLL(8) for (int v = 0; v < V; v++) {
    C a = column[v * SW];
    TSR__UNROLL(8) for (int k = 1; k < KW; k++) a = joined(a, column[v * SW + k]);
    const window columns = window_of(s.column, u.column * V + v, s.include_pad);
    out.v[v] = STORED(ended(a, rows.divisor, columns.divisor));
  }
  out.store(s.out + u.n * s.out_sample + u.c * s.out_channel + u.row * s.row.o + u.column * V);
}

#elif WHOLE

extern "C" __global__ void __launch_bounds__(256) tsr_pool(const __grid_constant__ pool_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.units) return;
  const unit u = unit_of(s, i);
  const T *const x = s.x + u.n * s.x_sample + u.c * (V * s.x_channel) + u.row * s.row.stride * s.row.x + u.column * s.column.stride * s.column.x;
  pack<T, V> p[KW][KH], out;
  TSR__UNROLL(8) for (int r = 0; r < KH; r++)
    TSR__UNROLL(8) for (int k = 0; k < KW; k++) p[k][r].load(x + r * s.row.x + k * s.column.x);
  TSR__UNROLL(8) for (int v = 0; v < V; v++) {
    C a = 0;
    TSR__UNROLL(8) for (int k = 0; k < KW; k++) {
      C b = LOADED(p[k][0].v[v]);
      TSR__UNROLL(8) for (int r = 1; r < KH; r++) b = joined(b, LOADED(p[k][r].v[v]));
      a = k == 0 ? b : joined(a, b);
    }
    out.v[v] = STORED(ended(a, KH, KW));
  }
  out.store(s.out + u.n * s.out_sample + u.c * (V * s.out_channel) + u.row * s.row.o + u.column * s.column.o);
}

#else

extern "C" __global__ void __launch_bounds__(256) tsr_pool(const __grid_constant__ pool_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.units) return;
  const unit u = unit_of(s, i);
  const window rows = window_of(s.row, u.row, s.include_pad), columns = window_of(s.column, u.column, s.include_pad);
  const int64_t begin = u.n * s.x_sample + u.c * (V * s.x_channel), row_step = rows.step * s.row.x, column_step = columns.step * s.column.x;
  const T *const x = s.x + begin + rows.first * s.row.x + columns.first * s.column.x;
  C a[V];
  TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = neutral();
#if KIND == MAX || KIND == MEAN
  /* Channels first, a column outside is one of neutral numbers. */
  bool some = !LAST && columns.skipped > 0 && columns.count > 0;
  for (int64_t k = 0; k < columns.count && rows.count > 0; k++) {
    C b[V];
    const T *at = x + k * column_step;
    TSR__UNROLL_BY(4) for (int64_t r = 0; r < rows.count; r++, at += row_step) {
      pack<T, V> p;
      p.load(at);
      TSR__UNROLL(8) for (int v = 0; v < V; v++) b[v] = r == 0 ? LOADED(p.v[v]) : joined(b[v], LOADED(p.v[v]));
    }
    TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = some ? joined(a[v], b[v]) : b[v];
    some = true;
  }
  if (!LAST && columns.skipped + columns.count < s.column.kernel)
    TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = joined(a[v], neutral());
  TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = ended(a[v], rows.divisor, columns.divisor);
#else
  for (int64_t r = 0; r < rows.count; r++) {
    const T *at = x + r * row_step;
    TSR__UNROLL_BY(4) for (int64_t k = 0; k < columns.count; k++, at += column_step) {
      pack<T, V> p;
      p.load(at);
      TSR__UNROLL(8) for (int v = 0; v < V; v++) {
        const C value = LOADED(p.v[v]);
#if KIND == ADAPTIVE_MAX
        a[v] = (r == 0 && k == 0) || value > a[v] || value != value ? value : a[v];
#elif KIND == ADAPTIVE_MEAN || KIND == QUANTISED_MEAN
        a[v] += value;
#else
        a[v] += term(value, (C)s.p);
#endif
      }
    }
  }
#if KIND == ADAPTIVE_MEAN
  TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = a[v] / (C)(rows.count * columns.count);
#elif KIND == QUANTISED_MEAN
  const C count = (C)(rows.divisor * columns.divisor), inside = (C)(rows.count * columns.count), zero = (C)s.zero;
  TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = count > 0 ? mean_of(a[v] + (count - inside) * zero, count) : zero;
#elif KIND != ADAPTIVE_MAX
  TSR__UNROLL(8) for (int v = 0; v < V; v++) a[v] = root(a[v], (C)s.p);
#endif
#endif
  pack<T, V> out;
  TSR__UNROLL(8) for (int v = 0; v < V; v++) out.v[v] = STORED(a[v]);
  out.store(s.out + u.n * s.out_sample + u.c * (V * s.out_channel) + u.row * s.row.o + u.column * s.column.o);
}
#endif
