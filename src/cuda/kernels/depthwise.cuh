/* Convolutions of one channel a group. They move memory and little else, so a thread keeps what it reads for all the outputs that need it.
 *
 * ROWS: channels first. A thread has HIGH rows of V outputs side by side; elements V·SW from a multiple of that on are one aligned pack.
 * CHANNELS: channels last. A thread has a pack of V channels of HIGH rows of WIDE outputs side by side; filters are (taps, channels), in C. Rows of
 * x are read AHEAD of what is done with them. Where a filter has MANY taps, HIGH is 1 and AHEAD 0, and its rows are read one by one.
 * Else an output a thread, and any strides. The first two know KH × KW, the steps SH × SW, and BEFORE columns of padding.
 *
 * Set before, beside what conv.cuh has: WAY. */
#define PLAIN 0
#define ROWS 1
#define CHANNELS 2

static __device__ inline C product_sum(C x, C y, C z) { return MULTIPLY_ADD(x, y, z); }

static __device__ inline C bias_of(const conv_args &s, int64_t o) {
  return s.bias != NULL ? LOADED(TSR__LOAD_CONST(s.bias + o * s.bias_step)) : (C)0;
}

#if WAY == ROWS
enum { SPAN = (V - 1) * SW + KW, PACK = V * SW, DOWN = (HIGH - 1) * SH + KH };

extern "C" __global__ void __launch_bounds__(128) tsr_depthwise(const __grid_constant__ conv_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x;
  const axis_args &h = s.axis[1], &w = s.axis[2];
  const int64_t wide = w.out / V, high = (h.out + HIGH - 1) / HIGH, filters = s.groups * s.made;
  const int64_t a = quotient(i, wide), b = quotient(a, high), n = quotient(b, filters);
  if (n >= s.positions) return; /* samples */
  const int64_t column = i - a * wide, row = (a - b * high) * HIGH, o = b - n * filters;
  const int64_t top = h.base + row * SH, first = column * PACK - BEFORE;
  const T *const x = s.x + n * s.x_sample + quotient(o, s.made) * s.x_channel + top * h.x + column * PACK;
  const T *const filter = s.w + o * s.w_filter;
  C f[KH][KW], sum[HIGH][V];
  TSR__UNROLL(8) for (int k = 0; k < KH; k++)
    TSR__UNROLL(8) for (int l = 0; l < KW; l++) f[k][l] = LOADED(TSR__LOAD_CONST(filter + k * h.w + l * w.w));
  const C bias = bias_of(s, o);
  TSR__UNROLL(8) for (int r = 0; r < HIGH; r++)
    TSR__UNROLL(8) for (int v = 0; v < V; v++) sum[r][v] = bias;
  TSR__UNROLL(16) for (int d = 0; d < DOWN; d++) {
    if ((uint64_t)(top + d) >= (uint64_t)h.in) continue;
    C line[SPAN];
    pack<T, PACK> p;
    p.load(x + d * h.x);
    TSR__UNROLL(16) for (int j = 0; j < SPAN; j++) {
      const int at = j - BEFORE;
      line[j] = 0;
      if (at >= 0 && at < PACK)
        line[j] = LOADED(p.v[at >= 0 && at < PACK ? at : 0]);
      else if ((uint64_t)(first + j) < (uint64_t)w.in)
        line[j] = LOADED(TSR__LOAD_CONST(x + d * h.x + at));
    }
    TSR__UNROLL(8) for (int r = 0; r < HIGH; r++) {
      const int k = d - r * SH;
      if (k >= 0 && k < KH)
        TSR__UNROLL(8) for (int l = 0; l < KW; l++)
          TSR__UNROLL(8) for (int v = 0; v < V; v++) sum[r][v] = product_sum(line[v * SW + l], f[k >= 0 && k < KH ? k : 0][l], sum[r][v]);
    }
  }
  T *const out = s.out + n * s.out_sample + o * s.out_filter + row * h.o + column * V;
  TSR__UNROLL(8) for (int r = 0; r < HIGH; r++) {
    if (row + r >= h.out) continue;
    pack<T, V> p;
    TSR__UNROLL(8) for (int v = 0; v < V; v++) p.v[v] = finished(sum[r][v], s.number[0], s.number[1]);
    p.store(out + r * h.o);
  }
}

#elif WAY == CHANNELS
enum { SPAN = (WIDE - 1) * SW + KW, DOWN = (HIGH - 1) * SH + KH, RING = AHEAD + 1 };
#if MANY
#define TURNS TSR__UNROLL_BY(1)
#else
#define TURNS TSR__UNROLL(16)
#endif

struct window {
  const T *x;
  const C *filter;
  int64_t top, left;
};

template <bool inside> static __device__ inline bool has(int64_t at, int64_t length) { return inside || (uint64_t)at < (uint64_t)length; }

template <bool inside> static __device__ inline void read_row(const conv_args &s, const window &at, int d, pack<T, V> *line) {
  const bool row = has<inside>(at.top + d, s.axis[1].in);
  TSR__UNROLL(16) for (int j = 0; j < SPAN; j++)
    if (row && has<inside>(at.left + j, s.axis[2].in)) line[j].load(at.x + d * s.axis[1].x + j * s.axis[2].x);
}

static __device__ inline void read_filter(const conv_args &s, const window &at, int k, pack<C, V> *f) {
  TSR__UNROLL(8) for (int l = 0; l < KW; l++) f[l].load(at.filter + (k * KW + l) * s.groups);
}

/* Element (d, j) of the window times what the outputs of row r have for it. What lies outside of x is no product: of 0 and infinity neither. */
static __device__ inline void add_element(const pack<T, V> &p, int j, const pack<C, V> *f, C (*sum)[V]) {
  TSR__UNROLL(8) for (int q = 0; q < WIDE; q++) {
    const int l = j - q * SW;
    if (l >= 0 && l < KW)
      TSR__UNROLL(8) for (int v = 0; v < V; v++) sum[q][v] = product_sum(LOADED(p.v[v]), f[l >= 0 && l < KW ? l : 0].v[v], sum[q][v]);
  }
}

template <bool inside> static __device__ inline void add_row(const conv_args &s, const window &at, int d, const pack<T, V> *line, const pack<C, V> (*f)[KW], C (*sum)[WIDE][V]) {
  if (!has<inside>(at.top + d, s.axis[1].in)) return;
  TSR__UNROLL(16) for (int j = 0; j < SPAN; j++)
    if (has<inside>(at.left + j, s.axis[2].in))
      TSR__UNROLL(8) for (int r = 0; r < HIGH; r++) {
        const int k = d - r * SH;
        if (MANY || (k >= 0 && k < KH)) add_element(line[j], j, f[MANY || k < 0 || k >= KH ? 0 : k], sum[r]);
      }
}

template <bool inside> static __device__ inline void add_window(const conv_args &s, const window &at, C (*sum)[WIDE][V]) {
  pack<T, V> line[RING][SPAN];
  pack<C, V> f[MANY ? 1 : KH][KW];
  TSR__UNROLL(4) for (int d = 0; d < AHEAD; d++) read_row<inside>(s, at, d, line[d]);
#if !MANY
  TSR__UNROLL(8) for (int k = 0; k < KH; k++) read_filter(s, at, k, f[k]);
#endif
  TURNS for (int d = 0; d < DOWN; d++) {
#if MANY
    read_filter(s, at, d, f[0]);
#endif
    if (d + AHEAD < DOWN) read_row<inside>(s, at, d + AHEAD, line[(d + AHEAD) % RING]);
    add_row<inside>(s, at, d, line[d % RING], f, sum);
  }
}

extern "C" __global__ void __launch_bounds__(128) tsr_depthwise(const __grid_constant__ conv_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x;
  const axis_args &h = s.axis[1], &w = s.axis[2];
  const int64_t packs = s.groups / V, wide = (w.out + WIDE - 1) / WIDE, high = (h.out + HIGH - 1) / HIGH;
  const int64_t a = quotient(i, packs), b = quotient(a, wide), n = quotient(b, high);
  if (n >= s.positions) return;
  const int64_t o = (i - a * packs) * V, column = (a - b * wide) * WIDE, row = (b - n * high) * HIGH;
  const int64_t top = h.base + row * SH, left = w.base + column * SW;
  const window at = {s.x + n * s.x_sample + o + top * h.x + left * w.x, s.part + o, top, left};
  C sum[HIGH][WIDE][V];
  TSR__UNROLL(8) for (int v = 0; v < V; v++) {
    const C bias = bias_of(s, o + v);
    TSR__UNROLL(8) for (int r = 0; r < HIGH; r++)
      TSR__UNROLL(8) for (int q = 0; q < WIDE; q++) sum[r][q][v] = bias;
  }
  if (!MANY && top >= 0 && left >= 0 && top + DOWN <= h.in && left + SPAN <= w.in)
    add_window<true>(s, at, sum);
  else
    add_window<false>(s, at, sum);
  T *const out = s.out + n * s.out_sample + o + row * h.o + column * w.o;
  TSR__UNROLL(8) for (int r = 0; r < HIGH; r++)
    TSR__UNROLL(8) for (int q = 0; q < WIDE; q++) {
      if (row + r >= h.out || column + q >= w.out) continue;
      pack<T, V> p;
      TSR__UNROLL(8) for (int v = 0; v < V; v++) p.v[v] = finished(sum[r][q][v], s.number[0], s.number[1]);
      p.store(out + r * h.o + q * w.o);
    }
}

#else

extern "C" __global__ void __launch_bounds__(128) tsr_depthwise(const __grid_constant__ conv_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x, filters = s.groups * s.made, area = quotient(s.positions, s.deep);
  /* positions of all samples; deep: samples */
  const bool last = s.out_filter == 1;
  int64_t p, o;
  if (last) {
    p = quotient(i, filters);
    o = i - p * filters;
  } else {
    const int64_t q = quotient(i, area), n = quotient(q, filters);
    o = q - n * filters;
    p = n * area + (i - q * area);
  }
  if (p >= s.positions) return;
  const place at = place_of(s, p);
  const T *const x = s.x + at.x + quotient(o, s.made) * s.x_channel, *const w = s.w + o * s.w_filter;
  C sum = bias_of(s, o);
  for (int64_t d = 0; d < s.axis[0].taps; d++) {
    if ((uint64_t)(at.from[0] + d * s.axis[0].tap) >= (uint64_t)s.axis[0].in) continue;
    for (int64_t k = 0; k < s.axis[1].taps; k++) {
      if ((uint64_t)(at.from[1] + k * s.axis[1].tap) >= (uint64_t)s.axis[1].in) continue;
      const T *const line = x + d * (s.axis[0].tap * s.axis[0].x) + k * (s.axis[1].tap * s.axis[1].x);
      const T *const filter = w + d * s.axis[0].w + k * s.axis[1].w;
      TSR__UNROLL_BY(4) for (int64_t l = 0; l < s.axis[2].taps; l++)
        if ((uint64_t)(at.from[2] + l * s.axis[2].tap) < (uint64_t)s.axis[2].in)
          sum = product_sum(LOADED(TSR__LOAD_CONST(line + l * (s.axis[2].tap * s.axis[2].x))), LOADED(TSR__LOAD_CONST(filter + l * s.axis[2].w)), sum);
    }
  }
  s.out[at.out + o * s.out_filter] = finished(sum, s.number[0], s.number[1]);
}
#endif
