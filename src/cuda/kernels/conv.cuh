/* Convolutions as products that are never in memory: of filters (made, each·taps) by windows of x (each·taps, positions), SIDE_O × SIDE_P
 * of the result a block, EACH_O × EACH_P a thread, DEEP steps of the sum at a time through shared memory, which is filled for the next ones
 * while these are multiplied. Any strides; a position meets element base + i·step + k·tap of an axis, which makes one of a transposed
 * convolution too (engines/conv.h). Every sum goes channel by channel, and in one tap by tap, whatever the tile.
 *
 * Set before: T the type in memory, C the type that is summed in, LOADED(t), finished(c, p, q): what is stored of a sum; MULTIPLY_ADD;
 * INDEX: a type for places within a sample; MASKED where a filter has no more than AXIS_TAPS an axis and MOST_TAPS in all; EXACT where products are rounded and what
 * lies outside of x takes no part at all, not even as 0; JOIN, and nothing else: tsr_conv_join; SPLIT where a block has a part of each sum, (splits, groups · made, positions), which
 * tsr_conv_join adds up;
 * QUADS where four positions of out are one aligned pack. */
#if !JOIN
enum { DEEP = 8, THREADS = SIDE_O / EACH_O * (SIDE_P / EACH_P) };
enum { LOADS_P = SIDE_P * DEEP / THREADS, LOADS_O = (SIDE_O * DEEP + THREADS - 1) / THREADS };
/* Blocks of a multiprocessor: a thread of 64 sums gets 128 registers. */
enum { RESIDENT = EACH_O * EACH_P == 64 ? 512 / THREADS : 1 };
enum { RUN_P = EACH_P < 4 ? EACH_P : 4, RUN_O = EACH_O < 4 ? EACH_O : 4 }; /* a thread's rows and columns lie in runs of 4 */

static __device__ inline bool is_inside(const conv_args &s, const place &at, const taps_at &t) {
  bool inside = true;
  TSR__UNROLL(3) for (int d = 0; d < 3; d++)
    inside = inside && (uint64_t)(at.from[d] + t.k[d] * s.axis[d].tap) < (uint64_t)s.axis[d].in;
  return inside;
}
static __device__ inline INDEX tap_in_w(const conv_args &s, const taps_at &t) {
  return (INDEX)(t.k[0] * s.axis[0].w + t.k[1] * s.axis[1].w + t.k[2] * s.axis[2].w);
}

/* A step of the sum: its tap, and where its channel is. */
struct depth {
  INDEX x, w;
  int t;
};
/* And where it is in x, for a position whose taps these bits are. */
struct found {
  INDEX x;
  uint32_t bits;
};

struct alignas(16) four {
  C v[4];
};

static __device__ inline C product_sum(C x, C y, C z) { return MULTIPLY_ADD(x, y, z); }

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tsr_conv(const __grid_constant__ conv_args s) {
  __shared__ __align__(16) C to[2][DEEP][SIDE_O + 4], tp[2][DEEP][SIDE_P + 4]; /* filters; positions */
  __shared__ int64_t out_at[SIDE_P];
#if MASKED
  __shared__ INDEX tap_x[MOST_TAPS], tap_w[MOST_TAPS];
  __shared__ uint32_t tap_bits[MOST_TAPS];
  __shared__ found steps[2][DEEP];
#endif
#if EXACT
  __shared__ uint8_t outside[DEEP][SIDE_P];
#endif
  const int tid = (int)threadIdx.x;
  const int taps = (int)(s.axis[0].taps * s.axis[1].taps * s.axis[2].taps);
  int64_t block = blockIdx.x;
  const int64_t block_o = block % s.blocks_o;
  block /= s.blocks_o;
  const int64_t block_p = block % s.blocks_p;
  block /= s.blocks_p;
  const int64_t group = block % s.groups, split = block / s.groups;
  const int64_t top = block_o * SIDE_O, left = block_p * SIDE_P;
  (void)split;
  const int64_t tiles_all = (s.deep + DEEP - 1) / DEEP;
#if SPLIT
  const int64_t tile_first = split * s.split, tile_end = min((long long)tiles_all, (long long)(tile_first + s.split));
#else
  const int64_t tile_first = 0, tile_end = tiles_all;
#endif

  /* What this thread brings of x: one position, LOADS_P steps of each tile. */
  const int column = tid % SIDE_P, first_p = tid / SIDE_P * LOADS_P;
  const int64_t p = left + column;
  const bool there = p < s.positions;
  const place at = place_of(s, there ? p : 0);
  if (tid < SIDE_P) out_at[column] = at.out;
#if MASKED
  for (int k = tid; k < taps; k += THREADS) {
    const taps_at t = taps_of(s, k);
    tap_x[k] = (INDEX)tap_in_x(s, t);
    tap_w[k] = tap_in_w(s, t);
    tap_bits[k] = bits_of(t);
  }
  const uint32_t mask = there ? mask_of(s, at) : 0;
#endif
  __syncthreads();
  const T *const x = s.x + group * s.x_group + at.x;
  /* And of the filters: one step of each tile, of LOADS_O filters. */
  const int step_o = tid % DEEP, row = tid / DEEP;
  const int rows = (int)min((long long)SIDE_O, (long long)(s.made - top));
  const T *const w = s.w + group * s.w_group + (top + row) * s.w_filter;

  const INDEX channel_x = (INDEX)s.x_channel, channel_w = (INDEX)s.w_channel, deep = (INDEX)s.deep;
  const int by_t = DEEP % taps, by_c = DEEP / taps;
  INDEX k = (INDEX)(tile_first * DEEP); /* the first step of the tile that is brought next */
  depth d; /* step step_o of it */
  d.t = (int)((k + step_o) % taps);
  d.x = (k + step_o) / taps * channel_x;
  d.w = (k + step_o) / taps * channel_w;
  T from_x[LOADS_P], from_w[LOADS_O];
  uint32_t inside = 0; /* bit i: load i is of x */
  int turn = 0;

#if MASKED
#define NOTE_STEP()                                                              \
  if (tid < DEEP) {                                                              \
    steps[turn][tid].x = d.x + tap_x[d.t];                                       \
    steps[turn][tid].bits = k + tid < deep ? tap_bits[d.t] : 0xffffffffu;        \
  }
#define FIND_TAP(i)                                                              \
  const found f = steps[turn][first_p + i];                                      \
  const bool taken = (mask & f.bits) == f.bits;                                  \
  const INDEX in_x = f.x;
#define TAP_W(t) tap_w[t]
  NOTE_STEP()
  __syncthreads();
#else
#define NOTE_STEP()
#define FIND_TAP(i)                                                              \
  const taps_at t = taps_of(s, (int)((k + first_p + i) % taps));                 \
  const bool taken = k + first_p + i < deep && there && is_inside(s, at, t);     \
  const INDEX in_x = (k + first_p + i) / taps * channel_x + (INDEX)tap_in_x(s, t);
#define TAP_W(t) tap_in_w(s, taps_of(s, t))
#endif
/* What the steps of the next tile are is noted while this one is brought; a barrier is between the two. */
#define FETCH()                                                                                            \
  do {                                                                                                     \
    inside = 0;                                                                                            \
    TSR__UNROLL(8) for (int i = 0; i < LOADS_P; i++) {                                                     \
      FIND_TAP(i)                                                                                          \
      from_x[i] = T();                                                                                     \
      if (taken) from_x[i] = TSR__LOAD_CONST(x + in_x);                                                    \
      inside |= (uint32_t)taken << i;                                                                      \
    }                                                                                                      \
    const bool in_sum = k + step_o < deep;                                                                 \
    const T *const filter = w + (in_sum ? d.w + TAP_W(d.t) : 0);                                           \
    TSR__UNROLL(8) for (int i = 0; i < LOADS_O; i++) {                                                     \
      from_w[i] = T();                                                                                     \
      if (in_sum && row + i * (THREADS / DEEP) < rows)                                                     \
        from_w[i] = TSR__LOAD_CONST(filter + (int64_t)(i * (THREADS / DEEP)) * s.w_filter);                \
    }                                                                                                      \
    k += DEEP;                                                                                             \
    d.t += by_t;                                                                                           \
    d.x += by_c * channel_x;                                                                               \
    d.w += by_c * channel_w;                                                                               \
    if (d.t >= taps) d.t -= taps, d.x += channel_x, d.w += channel_w;                                      \
    turn ^= 1;                                                                                             \
    NOTE_STEP()                                                                                            \
  } while (0)

  const int tx = tid % (SIDE_P / EACH_P), ty = tid / (SIDE_P / EACH_P);
  C sum[EACH_O][EACH_P];
  int guarded = 0;
  TSR__UNROLL(8) for (int i = 0; i < EACH_O; i++) {
    const int r = ty * RUN_O + i % RUN_O + i / RUN_O * (SIDE_O / 2);
    C begin = 0;
#if !SPLIT
    if (s.bias != NULL && top + r < s.made) begin = LOADED(TSR__LOAD_CONST(s.bias + (group * s.made + top + r) * s.bias_step));
#endif
#if EXACT
    guarded |= begin == 0 && 1 / begin < 0; /* -0, which +0 would change */
#endif
    TSR__UNROLL(8) for (int j = 0; j < EACH_P; j++) sum[i][j] = begin;
  }
#if EXACT
  const int always = __syncthreads_or(guarded);
#endif

  if (tile_first < tile_end) FETCH();
  int half = 0;
  for (int64_t tile = tile_first; tile < tile_end; tile++, half ^= 1) {
    TSR__UNROLL(8) for (int i = 0; i < LOADS_P; i++) tp[half][first_p + i][column] = LOADED(from_x[i]);
    TSR__UNROLL(8) for (int i = 0; i < LOADS_O; i++) {
      const int r = row + i * (THREADS / DEEP);
      const C v = LOADED(from_w[i]);
      if (r < SIDE_O) to[half][step_o][r] = v;
#if EXACT
      guarded |= v - v != 0;
#endif
    }
#if EXACT
    guarded = __syncthreads_or(guarded) | always;
    if (guarded) {
      TSR__UNROLL(8) for (int i = 0; i < LOADS_P; i++) outside[first_p + i][column] = (uint8_t)((inside >> i & 1) == 0);
      __syncthreads();
    }
#else
    __syncthreads();
#endif
    if (tile + 1 < tile_end) FETCH();
#if EXACT
    if (guarded) {
      for (int l = 0; l < DEEP; l++)
        TSR__UNROLL(8) for (int j = 0; j < EACH_P; j++) {
          const int c = tx * RUN_P + j % RUN_P + j / RUN_P * (SIDE_P / 2);
          if (outside[l][c]) continue;
          TSR__UNROLL(8) for (int i = 0; i < EACH_O; i++)
            sum[i][j] = product_sum(to[half][l][ty * RUN_O + i % RUN_O + i / RUN_O * (SIDE_O / 2)], tp[half][l][c], sum[i][j]);
        }
      guarded = 0;
      __syncthreads();
      continue;
    }
#endif
    TSR__UNROLL(8) for (int l = 0; l < DEEP; l++) {
      C a[EACH_O], b[EACH_P];
      TSR__UNROLL(2) for (int i = 0; i < EACH_O / 4; i++) {
        const four f = *(const four *)&to[half][l][ty * 4 + i * (SIDE_O / 2)];
        TSR__UNROLL(4) for (int v = 0; v < 4; v++) a[4 * i + v] = f.v[v];
      }
#if EACH_P >= 4
      TSR__UNROLL(2) for (int j = 0; j < EACH_P / 4; j++) {
        const four f = *(const four *)&tp[half][l][tx * 4 + j * (SIDE_P / 2)];
        TSR__UNROLL(4) for (int v = 0; v < 4; v++) b[4 * j + v] = f.v[v];
      }
#else
      TSR__UNROLL(4) for (int j = 0; j < EACH_P; j++) b[j] = tp[half][l][tx * EACH_P + j];
#endif
      TSR__UNROLL(8) for (int i = 0; i < EACH_O; i++)
        TSR__UNROLL(8) for (int j = 0; j < EACH_P; j++) sum[i][j] = product_sum(a[i], b[j], sum[i][j]);
    }
  }

  TSR__UNROLL(8) for (int i = 0; i < EACH_O; i++) {
    const int64_t o = top + ty * RUN_O + i % RUN_O + i / RUN_O * (SIDE_O / 2);
    if (o >= s.made) continue;
#if SPLIT
    C *const part = s.part + ((split * s.groups + group) * s.made + o) * s.positions + left;
#else
    T *const out = s.out + group * s.out_group + o * s.out_filter;
#endif
    TSR__UNROLL(2) for (int j = 0; j < EACH_P; j += RUN_P) {
      const int c = tx * RUN_P + j / RUN_P * (SIDE_P / 2);
#if QUADS && !SPLIT
      pack<T, 4> quad;
      TSR__UNROLL(4) for (int v = 0; v < RUN_P; v++) quad.v[v] = finished(sum[i][j + v], s.number[0], s.number[1]);
      if (left + c < s.positions) quad.store(out + out_at[c]);
#else
      TSR__UNROLL(4) for (int v = 0; v < RUN_P; v++) {
        if (left + c + v >= s.positions) continue;
#if SPLIT
        part[c + v] = sum[i][j + v];
#else
        out[out_at[c + v]] = finished(sum[i][j + v], s.number[0], s.number[1]);
#endif
      }
#endif
    }
  }
}

#else

/* The parts of each sum, in their order. */
extern "C" __global__ void __launch_bounds__(128) tsr_conv_join(const __grid_constant__ conv_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x, all = s.groups * s.made * s.positions;
  if (i >= all) return;
  const int64_t o = quotient(i, s.positions), p = i - o * s.positions, group = quotient(o, s.made);
  C sum = 0;
  if (s.bias != NULL) sum = LOADED(TSR__LOAD_CONST(s.bias + o * s.bias_step));
  TSR__UNROLL_BY(4) for (int64_t k = 0; k < s.splits; k++) sum += TSR__LOAD_CONST(s.part + k * all + i);
  const place at = place_of(s, p);
  s.out[group * s.out_group + (o - group * s.made) * s.out_filter + at.out] = finished(sum, s.number[0], s.number[1]);
}

#endif
