/* Resizing: where pixels lie is found once an axis (tsr_places, by the host's arithmetic: nn/resize/resize.c), then pixels are picked or
 * mixed. Where channels are LAST a thread has a pack of V of them; else V columns side by side of ROWS rows: it knows what lies where for its
 * columns, and keeps what it read of x for the rows below that need it too.
 *
 * Set before: T the type in memory; LAST; V; AT, an integer that holds places along a row of x; LINEAR, and then C the compute type, LOADED(t),
 * STORED(c). */
#define HALF_PIXEL 0
#define ASYMMETRIC 1
#define ALIGN_CORNERS 2
#define PYTORCH_HALF_PIXEL 3
#define PREFER_FLOOR 0
#define PREFER_CEIL 1
#define FLOOR 2
#define CEIL 3

struct place {
  int64_t low, high; /* in elements of x */
  double weight;     /* of high */
};
struct resize_axis {
  int64_t in, out, x, o;
  double scale; /* 0: out / in */
};
struct resize_args {
  const T *x;
  T *out;
  place *places; /* of rows, then of columns */
  int64_t units, channels, parts; /* parts of ROWS rows an image has */
  int64_t x_sample, x_channel, out_sample, out_channel;
  resize_axis row, column;
  int64_t coordinates, nearest;
};

static __device__ inline place at_place(int64_t low, int64_t high, double weight) {
  place p;
  p.low = low;
  p.high = high;
  p.weight = weight;
  return p;
}

/* At num / den; den > 0. */
static __device__ inline place exactly(int64_t num, int64_t den, int64_t in) {
  if (num <= 0) return at_place(0, 0, 0);
  const int64_t low = num / den, rest = num % den;
  if (low >= in - 1) return at_place(in - 1, in - 1, 0);
  return at_place(low, low + (rest > 0), (double)rest / (double)den);
}
static __device__ inline place by_scale(double at, int64_t in) {
  if (!(at > 0)) return at_place(0, 0, 0);
  if (at >= (double)(in - 1)) return at_place(in - 1, in - 1, 0);
  const int64_t low = (int64_t)at;
  const double rest = at - (double)low;
  return at_place(low, low + (rest > 0), rest);
}
static __device__ inline place align_by_scale(const resize_axis &a, int64_t i) {
  const double steps = (double)a.in * a.scale - 1;
  return steps != 0 ? by_scale((double)i * (double)(a.in - 1) / steps, a.in) : at_place(0, 0, 0);
}
static __device__ inline place place_of(const resize_axis &a, int64_t coordinates, int64_t i) {
  if (coordinates == ALIGN_CORNERS && a.scale > 0) return align_by_scale(a, i);
  if (coordinates == ALIGN_CORNERS) return exactly(a.out > 1 ? i * (a.in - 1) : 0, a.out - (a.out > 1), a.in);
  if (coordinates == PYTORCH_HALF_PIXEL && a.out == 1) return at_place(0, 0, 0);
  if (coordinates == ASYMMETRIC) return a.scale > 0 ? by_scale((double)i / a.scale, a.in) : exactly(i * a.in, a.out, a.in);
  return a.scale > 0 ? by_scale(((double)i + 0.5) / a.scale - 0.5, a.in) : exactly((2 * i + 1) * a.in - a.out, 2 * a.out, a.in);
}
static __device__ inline int64_t nearest_of(int64_t rule, const place &p) {
  if (rule == FLOOR) return p.low;
  if (rule == CEIL) return p.high;
  if (rule == PREFER_CEIL) return p.weight >= 0.5 ? p.high : p.low;
  return p.weight > 0.5 ? p.high : p.low;
}

extern "C" __global__ void __launch_bounds__(128) tsr_places(const __grid_constant__ resize_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x;
  if (i >= s.row.out + s.column.out) return;
  const bool is_row = i < s.row.out;
  const resize_axis a = is_row ? s.row : s.column;
  place p = place_of(a, s.coordinates, is_row ? i : i - s.row.out);
#if !LINEAR
  p.low = p.high = nearest_of(s.nearest, p);
#endif
  p.low *= a.x;
  p.high *= a.x;
  s.places[i] = p;
}

static __device__ inline int64_t quotient(int64_t a, int64_t b) {
  return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

#if LINEAR
static __device__ inline C mixed(C low, C high, C t) { return t == 0 ? low : (1 - t) * low + t * high; }
#endif

#if LAST

/* One pixel of V channels. */
static __device__ inline void one(const T *x, const place &row, const place &column, T *out) {
  pack<T, V> to;
#if LINEAR
  pack<T, V> a, b, c, d;
  a.load(x + row.low + column.low);
  b.load(x + row.low + column.high);
  c.load(x + row.high + column.low);
  d.load(x + row.high + column.high);
  const C tx = (C)column.weight, ty = (C)row.weight;
  TSR__UNROLL(8) for (int v = 0; v < V; v++)
    to.v[v] = STORED(mixed(mixed(LOADED(a.v[v]), LOADED(b.v[v]), tx), mixed(LOADED(c.v[v]), LOADED(d.v[v]), tx), ty));
#else
  to.load(x + row.low + column.low);
#endif
  to.store(out);
}

extern "C" __global__ void __launch_bounds__(256) tsr_resize(const __grid_constant__ resize_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.units) return;
  const int64_t q = quotient(i, s.channels), c = i - q * s.channels;
  const int64_t above = quotient(q, s.column.out), column = q - above * s.column.out, n = quotient(above, s.row.out), row = above - n * s.row.out;
  one(s.x + n * s.x_sample + c * (V * s.x_channel), s.places[row], s.places[s.row.out + column],
      s.out + n * s.out_sample + c * (V * s.out_channel) + row * s.row.o + column * s.column.o);
}

#else

enum { ROWS = 8 };

/* V columns of a row of x. */
#if LINEAR
typedef C element;
#else
typedef T element;
#endif
struct line {
  element v[V];
};
struct columns {
  AT low[V];
#if LINEAR
  AT high[V];
  C weight[V];
#endif
};

static __device__ inline columns columns_at(const place *p) {
  columns c;
  TSR__UNROLL(8) for (int v = 0; v < V; v++) {
    c.low[v] = (AT)TSR__LOAD_CONST(&p[v].low);
#if LINEAR
    c.high[v] = (AT)TSR__LOAD_CONST(&p[v].high);
    c.weight[v] = (C)TSR__LOAD_CONST(&p[v].weight);
#endif
  }
  return c;
}

static __device__ inline line line_of(const T *x, const columns &c) {
  line to;
#if LINEAR
  T low[V], high[V];
  TSR__UNROLL(8) for (int v = 0; v < V; v++) low[v] = TSR__LOAD_CONST(x + c.low[v]), high[v] = TSR__LOAD_CONST(x + c.high[v]);
  TSR__UNROLL(8) for (int v = 0; v < V; v++) to.v[v] = mixed(LOADED(low[v]), LOADED(high[v]), c.weight[v]);
#else
  TSR__UNROLL(8) for (int v = 0; v < V; v++) to.v[v] = TSR__LOAD_CONST(x + c.low[v]);
#endif
  return to;
}

extern "C" __global__ void __launch_bounds__(256) tsr_resize(const __grid_constant__ resize_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x, wide = s.column.out / V;
  if (i >= s.units) return;
  const int64_t q = quotient(i, wide), column = (i - q * wide) * V, plane = quotient(q, s.parts), row = (q - plane * s.parts) * ROWS;
  const int64_t n = quotient(plane, s.channels), channel = plane - n * s.channels;
  const T *const x = s.x + n * s.x_sample + channel * s.x_channel;
  T *out = s.out + n * s.out_sample + channel * s.out_channel + row * s.row.o + column * s.column.o;
  const columns c = columns_at(s.places + s.row.out + column);
  const place *p = s.places + row;
  const int rows = s.row.out - row < ROWS ? (int)(s.row.out - row) : (int)ROWS;
  int64_t at_low = TSR__LOAD_CONST(&p->low);
  line low = line_of(x + at_low, c);
#if LINEAR
  int64_t at_high = TSR__LOAD_CONST(&p->high);
  line high = line_of(x + at_high, c);
#endif
  TSR__UNROLL_BY(1) for (int r = 0; r < rows; r++, p++, out += s.row.o) {
    const int64_t to_low = TSR__LOAD_CONST(&p->low);
    pack<T, V> to;
#if LINEAR
    const int64_t to_high = TSR__LOAD_CONST(&p->high);
    const C weight = (C)TSR__LOAD_CONST(&p->weight);
    if (to_low != at_low) low = to_low == at_high ? high : line_of(x + to_low, c);
    if (to_high != at_high) high = line_of(x + to_high, c);
    at_high = to_high;
    TSR__UNROLL(8) for (int v = 0; v < V; v++) to.v[v] = STORED(mixed(low.v[v], high.v[v], weight));
#else
    if (to_low != at_low) low = line_of(x + to_low, c);
    TSR__UNROLL(8) for (int v = 0; v < V; v++) to.v[v] = low.v[v];
#endif
    at_low = to_low;
    to.store(out);
  }
}
#endif
