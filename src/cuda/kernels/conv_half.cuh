/* Convolutions of f16 and bf16 as products by the threads of warps, summed in f32: windows of x (positions, taps · channels) by filters
 * (made, taps · channels), both with channels side by side in packs of 8 and aligned; channels of x that a group does not have are 0
 * (engines/conv_half.c makes such copies where x or the filters are not so). SIDE_P × SIDE_O of the result a block of WARPS_P × WARPS_O warps;
 * 64 steps of the sum are a stage of shared memory, STAGES of them under way. Rows of a stage have 128 bytes, whose packs of 16 change places
 * by the row, so that what a warp reads lies in other banks.
 *
 * NEAR: steps of 1, and as many positions as x has, which lie evenly: windows of neighbouring positions are rows of x one further. Then shared memory has the
 * NEAR_ROWS of x that all taps of the block's positions need, of 64 channels at a time, twice: what the taps of one share is brought once. Those of the next 64
 * come with the filters of the taps, A_TAP turns with each. Taps outside of x read a row of zeros.
 *
 * Set before: T, C (float), LOADED, finished as in conv.cuh; BRAIN: bf16; RESIDENT, how many blocks a multiprocessor should hold; JOIN, and nothing else: tsr_conv_join; SPLIT where a block has a part of each sum; CHUNKS where channels are
 * whole stages: taps change first, so that what neighbouring taps share of x is still in the first cache; else steps run on from tap to tap; PACKS where 8
 * filters of out are one aligned pack. */
#if !JOIN
enum { DEEP = 64, PACK = 8, ROW = DEEP * 2, PACKS_ROW = DEEP / PACK, THREADS = 32 * WARPS_P * WARPS_O };
enum { TILE_P = SIDE_P / WARPS_P, TILE_O = SIDE_O / WARPS_O, MI = TILE_P / 16, NI = TILE_O / 8 };
enum { ROWS_A_TURN = THREADS / PACKS_ROW, TURNS_P = SIDE_P / ROWS_A_TURN, TURNS_O = SIDE_O / ROWS_A_TURN };
enum { STAGE = (SIDE_P + SIDE_O) * ROW, PITCH = SIDE_O + 8 };
enum { NEAR_ROWS = 384, X_BYTES = NEAR_ROWS * ROW, W_BYTES = SIDE_O * ROW, W_AT = 2 * X_BYTES, ZEROS = W_AT + 3 * W_BYTES }; /* NEAR */

extern __shared__ __align__(128) unsigned char memory[];

static __device__ inline int place_in_row(int row, int piece) { return row * ROW + ((piece ^ (row & 7)) << 4); }

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tsr_conv_half(const __grid_constant__ conv_args s) {
  __shared__ int64_t x_at[SIDE_P], out_at[SIDE_P];
  __shared__ uint32_t masks[SIDE_P];
  __shared__ int tap_x[MOST_TAPS];
  __shared__ uint32_t tap_bits[MOST_TAPS];
  const int tid = (int)threadIdx.x, lane = tid % 32, warp = tid / 32;
  const int taps = (int)(s.axis[0].taps * s.axis[1].taps * s.axis[2].taps), each = (int)(s.each / PACK);
  int64_t block = blockIdx.x;
  const int64_t block_o = block % s.blocks_o;
  block /= s.blocks_o;
  const int64_t block_p = block % s.blocks_p;
  block /= s.blocks_p;
  const int64_t group = block % s.groups, split = block / s.groups;
  const int64_t top = block_o * SIDE_O, left = block_p * SIDE_P;
  const int64_t tiles_all = (s.deep + DEEP - 1) / DEEP;
#if SPLIT
  const int64_t tile_first = split * s.split, tile_end = min((long long)tiles_all, (long long)(tile_first + s.split));
#else
  const int64_t tile_first = 0, tile_end = tiles_all;
  (void)split;
#endif

  for (int r = tid; r < SIDE_P; r += THREADS) {
    const bool there = left + r < s.positions;
    const place at = place_of(s, there ? left + r : 0);
    x_at[r] = at.x;
    out_at[r] = at.out;
    masks[r] = there ? mask_of(s, at) : 0;
  }
  for (int t = tid; t < taps; t += THREADS) {
    const taps_at at = taps_of(s, t);
    tap_x[t] = (int)tap_in_x(s, at);
    tap_bits[t] = bits_of(at);
  }
  __syncthreads();

#if NEAR
  const int piece = tid % PACKS_ROW, row = tid / PACKS_ROW;
  const int width = (int)s.axis[2].in, across = (int)s.axis[2].taps, chunks = each / PACKS_ROW, filters = (int)min((long long)SIDE_O, (long long)(s.made - top));
  const int needed = SIDE_P + (int)(s.axis[1].taps - 1) * width + across - 1;
  const int64_t step = s.axis[2].x, first = left + s.axis[1].base * width + s.axis[2].base; /* the position of row 0 */
  const T *const x = s.x + group * s.x_group + piece * PACK, *const w = s.w + group * s.w_group + (top + row) * s.w_filter + piece * PACK;
  if (tid < PACKS_ROW) *(uint4 *)(memory + ZEROS + tid * 16) = make_uint4(0, 0, 0, 0);

/* Rows number `row` of a turn: of x, of a chunk; of the filters, of a tap. */
#define BRING_X(chunk, turn)                                                                                           \
  do {                                                                                                                 \
    const int r_ = row + (turn) * ROWS_A_TURN;                                                                         \
    const int64_t p_ = first + r_;                                                                                     \
    if (r_ < needed && p_ >= 0 && p_ < s.positions)                                                                    \
      tsr__stage_copy(memory + ((chunk) & 1) * X_BYTES + place_in_row(r_, piece), x + p_ * step + (chunk) * DEEP, true); \
  } while (0)
#define BRING_W(number, tap, chunk, turn)                                                                              \
  do {                                                                                                                 \
    const bool taken_ = row + (turn) * ROWS_A_TURN < filters;                                                          \
    tsr__stage_copy(memory + W_AT + (number) * W_BYTES + place_in_row(row + (turn) * ROWS_A_TURN, piece),              \
                    taken_ ? w + (turn) * ROWS_A_TURN * s.w_filter + ((tap) * each + (chunk) * PACKS_ROW) * PACK : s.w, taken_); \
  } while (0)

#else
  /* What this thread brings: pack number `piece` of a stage's rows, of every ROWS_A_TURN-th one from `row` on. */
  const int piece = tid % PACKS_ROW, row = tid / PACKS_ROW;
  const T *x[TURNS_P];
  uint32_t mask[TURNS_P];
  TSR__UNROLL(16) for (int i = 0; i < TURNS_P; i++) {
    x[i] = s.x + group * s.x_group + x_at[row + i * ROWS_A_TURN];
    mask[i] = masks[row + i * ROWS_A_TURN];
  }
  const int64_t w_row = s.w_filter;
  const T *const w = s.w + group * s.w_group + (top + row) * w_row;
#if CHUNKS
  int tap = (int)(tile_first % taps), channel = (int)(tile_first / taps) * PACKS_ROW + piece;
#define IN_SUM (channel < each)
#define GO_ON() \
  if (++tap == taps) tap = 0, channel += PACKS_ROW
#else
  const int64_t first = tile_first * PACKS_ROW + piece;
  int tap = (int)quotient(first, each), channel = (int)(first - (int64_t)tap * each);
  const int by_tap = PACKS_ROW / each, by_channel = PACKS_ROW - by_tap * each;
#define IN_SUM (tap < taps)
#define GO_ON()                                  \
  tap += by_tap, channel += by_channel;          \
  if (channel >= each) channel -= each, tap++
#endif
  const int filters = (int)min((long long)SIDE_O, (long long)(s.made - top));

#define BRING(number)                                                                                            \
  do {                                                                                                           \
    unsigned char *const to = memory + (number) * STAGE;                                                         \
    const bool in_sum = IN_SUM;                                                                                  \
    const int tap_at = in_sum ? tap_x[tap] + channel * PACK : 0;                                                 \
    const uint32_t bits = in_sum ? tap_bits[tap] : 0xffffffffu;                                                  \
    const T *const filter = w + (tap * each + channel) * PACK;                                                   \
    TSR__UNROLL(16) for (int i = 0; i < TURNS_P; i++) {                                                          \
      const bool taken = (mask[i] & bits) == bits;                                                               \
      tsr__stage_copy_cached(to + place_in_row(row + i * ROWS_A_TURN, piece), taken ? x[i] + tap_at : s.x, taken);      \
    }                                                                                                            \
    TSR__UNROLL(16) for (int i = 0; i < TURNS_O; i++) {                                                          \
      const bool taken = in_sum && row + i * ROWS_A_TURN < filters;                                              \
      tsr__stage_copy(to + SIDE_P * ROW + place_in_row(row + i * ROWS_A_TURN, piece),                            \
                      taken ? filter + i * ROWS_A_TURN * w_row : s.w, taken);                                    \
    }                                                                                                            \
    GO_ON();                                                                                                     \
  } while (0)

#endif

  float sum[MI][NI][4];
  TSR__UNROLL(8) for (int i = 0; i < MI; i++)
    TSR__UNROLL(8) for (int j = 0; j < NI; j++)
      TSR__UNROLL(4) for (int v = 0; v < 4; v++) sum[i][j][v] = 0;

#if NEAR
  const int row_p = warp / WARPS_O * TILE_P + lane % 16, half_p = lane / 16;
  const int row_o = warp % WARPS_O * TILE_O + lane / 16 * 8 + lane % 8, half_o = lane / 8 % 2;
  uint32_t mask[MI];
  TSR__UNROLL(8) for (int i = 0; i < MI; i++) mask[i] = masks[row_p + 16 * i];
  TSR__UNROLL(16) for (int i = 0; i < NEAR_ROWS / ROWS_A_TURN; i++) BRING_X(0, i);
  TSR__UNROLL(4) for (int k = 0; k < 2; k++) {
    TSR__UNROLL(8) for (int i = 0; i < TURNS_O; i++) BRING_W(k, k, 0, i);
    tsr__stage_commit();
  }
  uint32_t a[2][MI][4], b[2][NI / 2][4];
  int stage = 0, next = 2, tap = 0, down = 0, right = 0, chunk = 0, next_tap = 2, next_chunk = 0;
  const int own_w = W_AT + place_in_row(row_o, half_o);
#define TAKE(buffer, k)                                                                                            \
  do {                                                                                                             \
    TSR__UNROLL(8) for (int i = 0; i < MI; i++) tsr__matrices(a[buffer][i], memory + (own_x[i] ^ ((k) << 5)));     \
    TSR__UNROLL(8) for (int j = 0; j < NI / 2; j++)                                                                \
      tsr__matrices(b[buffer][j], memory + ((own_w + stage * W_BYTES) ^ ((k) << 5)) + j * 16 * ROW);               \
  } while (0)
  TSR__UNROLL_BY(1) while (chunk < chunks) {
    const uint32_t bits = 1u | 1u << (AXIS_TAPS + down) | 1u << (2 * AXIS_TAPS + right);
    int own_x[MI];
    TSR__UNROLL(8) for (int i = 0; i < MI; i++)
      own_x[i] = (mask[i] & bits) == bits ? (chunk & 1) * X_BYTES + place_in_row(row_p + 16 * i + down * width + right, half_p) : ZEROS + half_p * 16;
    tsr__stage_wait<1>();
    __syncthreads();
    TAKE(0, 0);
    TSR__UNROLL(4) for (int k = 0; k < DEEP / 16; k++) {
      if (k + 1 < DEEP / 16) TAKE((k + 1) % 2, k + 1);
      if (next_chunk < chunks)
        TSR__UNROLL(4) for (int i = k; i < TURNS_O; i += DEEP / 16) BRING_W(next, next_tap, next_chunk, i);
      if (k < A_TAP && chunk + 1 < chunks && tap * A_TAP + k < NEAR_ROWS / ROWS_A_TURN) BRING_X(chunk + 1, tap * A_TAP + k);
      if (k + 1 == DEEP / 16) tsr__stage_commit();
      TSR__UNROLL(8) for (int i = 0; i < MI; i++)
        TSR__UNROLL(8) for (int j = 0; j < NI; j++)
          tsr__multiply_add<BRAIN>(sum[i][j], a[k % 2][i], b[k % 2][j / 2][j % 2 * 2], b[k % 2][j / 2][j % 2 * 2 + 1]);
    }
    stage = stage == 2 ? 0 : stage + 1;
    next = next == 2 ? 0 : next + 1;
    if (++next_tap == taps) next_tap = 0, next_chunk++;
    if (++right == across) right = 0, down++;
    if (++tap == taps) tap = down = right = 0, chunk++;
  }
#else
  TSR__UNROLL(4) for (int k = 0; k < STAGES - 1; k++) {
    if (tile_first + k < tile_end) BRING(k);
    tsr__stage_commit();
  }
  const int row_p = warp / WARPS_O * TILE_P + lane % 16, half_p = lane / 16;
  const int row_o = warp % WARPS_O * TILE_O + lane / 16 * 8 + lane % 8, half_o = lane / 8 % 2;
  uint32_t a[2][MI][4], b[2][NI / 2][4];
  int stage = 0;
#define TAKE(buffer, k)                                                                                          \
  do {                                                                                                           \
    TSR__UNROLL(8) for (int i = 0; i < MI; i++)                                                                  \
      tsr__matrices(a[buffer][i], from + place_in_row(row_p + 16 * i, 2 * (k) + half_p));                        \
    TSR__UNROLL(8) for (int j = 0; j < NI / 2; j++)                                                              \
      tsr__matrices(b[buffer][j], from + SIDE_P * ROW + place_in_row(row_o + 16 * j, 2 * (k) + half_o));         \
  } while (0)
  for (int64_t tile = tile_first; tile < tile_end; tile++) {
    tsr__stage_wait<STAGES - 2>();
    __syncthreads();
    const unsigned char *const from = memory + stage * STAGE;
    TAKE(0, 0);
    {
      const int next = stage == 0 ? STAGES - 1 : stage - 1; /* read in the turn before */
      if (tile + STAGES - 1 < tile_end) BRING(next);
      tsr__stage_commit();
    }
    TSR__UNROLL(4) for (int k = 0; k < DEEP / 16; k++) {
      if (k + 1 < DEEP / 16) TAKE((k + 1) % 2, k + 1);
      TSR__UNROLL(8) for (int i = 0; i < MI; i++)
        TSR__UNROLL(8) for (int j = 0; j < NI; j++)
          tsr__multiply_add<BRAIN>(sum[i][j], a[k % 2][i], b[k % 2][j / 2][j % 2 * 2], b[k % 2][j / 2][j % 2 * 2 + 1]);
    }
    stage = stage + 1 == STAGES ? 0 : stage + 1;
  }
#endif
  tsr__stage_wait<0>();

  const int own_p = warp / WARPS_O * TILE_P + lane / 4, own_o = warp % WARPS_O * TILE_O + lane % 4 * 2;
#if SPLIT
  /* (splits, groups, positions, made) */
  float *const part = s.part + ((split * s.groups + group) * s.positions + left) * s.made + top;
  TSR__UNROLL(8) for (int i = 0; i < MI; i++)
    TSR__UNROLL(8) for (int j = 0; j < NI; j++)
      TSR__UNROLL(4) for (int v = 0; v < 4; v++) {
        const int p = own_p + 16 * i + v / 2 * 8, o = own_o + 8 * j + v % 2;
        if (left + p < s.positions && o < filters) part[(int64_t)p * s.made + o] = sum[i][j][v];
      }
#else
  /* Through shared memory, so that what is stored runs along the output. */
  T *const result = (T *)memory;
  __syncthreads();
  TSR__UNROLL(8) for (int j = 0; j < NI; j++) {
    float bias[2] = {0, 0};
    TSR__UNROLL(2) for (int v = 0; v < 2; v++) {
      const int o = own_o + 8 * j + v;
      if (s.bias != NULL && o < filters) bias[v] = LOADED(TSR__LOAD_CONST(s.bias + (group * s.made + top + o) * s.bias_step));
    }
    TSR__UNROLL(8) for (int i = 0; i < MI; i++)
      TSR__UNROLL(2) for (int v = 0; v < 2; v++) {
        const uint32_t low = finished(sum[i][j][2 * v] + bias[0], s.number[0], s.number[1]),
                       high = finished(sum[i][j][2 * v + 1] + bias[1], s.number[0], s.number[1]);
        *(uint32_t *)(result + (own_p + 16 * i + 8 * v) * PITCH + own_o + 8 * j) = low | high << 16;
      }
  }
  __syncthreads();
  T *const out = s.out + group * s.out_group + top * s.out_filter;
#if PACKS
  for (int i = tid; i < SIDE_P * (SIDE_O / 8); i += THREADS) {
    const int p = i / (SIDE_O / 8), o = i % (SIDE_O / 8) * 8;
    if (left + p < s.positions && o < filters) *(uint4 *)(out + out_at[p] + o) = *(const uint4 *)(result + p * PITCH + o);
  }
#else
  const bool along_o = s.out_filter == 1;
  for (int i = tid; i < SIDE_P * SIDE_O; i += THREADS) {
    const int p = along_o ? i / SIDE_O : i % SIDE_P, o = along_o ? i % SIDE_O : i / SIDE_P;
    if (left + p < s.positions && o < filters) out[out_at[p] + o * s.out_filter] = result[p * PITCH + o];
  }
#endif
#endif
}

#else

/* The parts of each sum, in their order. */
extern "C" __global__ void __launch_bounds__(128) tsr_conv_join(const __grid_constant__ conv_args s) {
  const int64_t i = (int64_t)blockIdx.x * 128 + threadIdx.x, all = s.groups * s.made * s.positions;
  if (i >= all) return;
  const int64_t q = quotient(i, s.made), o = i - q * s.made, group = quotient(q, s.positions), p = q - group * s.positions;
  C sum = 0;
  if (s.bias != NULL) sum = LOADED(TSR__LOAD_CONST(s.bias + (group * s.made + o) * s.bias_step));
  TSR__UNROLL_BY(4) for (int64_t k = 0; k < s.splits; k++) sum += TSR__LOAD_CONST(s.part + k * all + i);
  const place at = place_of(s, p);
  s.out[group * s.out_group + o * s.out_filter + at.out] = finished(sum, s.number[0], s.number[1]);
}

#endif
