/* Cumulative ops in the order that <tessera/cumulative.h> states: 16 elements are a run, 1024 runs a chunk; elements of a run, runs of a
 * chunk and chunks go one after another, and a result is (chunks before + runs before) + the run so far.
 *
 * Set before: T and OUT, the types in memory; C, what is computed with; LOADED(t), STORED(c), MERGED(earlier, later), NEUTRAL; ANY_ORDER 1
 * where the grouping does not show; KERNEL, which of them is wanted. */
#include "cuda/kernels/axes.cuh"

enum { RUN = 16, CHUNK = 16384 };

struct scan_args {
  const T *x;
  OUT *out;           /* NULL: totals are wanted alone */
  C *before, *totals; /* of each chunk, or NULL */
  uint64_t *posts;    /* of FLAT: a ticket, then a total of each chunk, then what is before it; the upper half of one that is there is 1 */
  int64_t n, rows;    /* elements of a row; how many rows */
  int64_t step, step_out;
  int64_t kept[8], kept_step[2][8]; /* of the rows */
  int32_t kept_rank;
  uint32_t pieces; /* of a row, each a chunk, or 1: all of it */
  uint32_t beside; /* rows in a tile; of chunks in shared memory, runs of the longest */
  uint32_t magic;  /* 2^32 over the length of a row in a tile, rounded up */
};

static __device__ inline const T *row_of(const scan_args &s, int64_t row) {
  return s.x + placed_on(row, s.kept_rank, s.kept, s.kept_step[0]);
}
static __device__ inline OUT *out_of(const scan_args &s, int64_t row) {
  return s.out + placed_on(row, s.kept_rank, s.kept, s.kept_step[1]);
}

/* Totals of runs become what is before them, from carry on, which is returned with all of them: one thread, its loads ahead of it. */
static __device__ inline C chained(C *sums, int runs, C carry) {
  int r = 0;
  C next[8];
  if (runs >= 8)
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) next[k] = sums[k];
  for (; r + 8 <= runs; r += 8) {
    C now[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) now[k] = next[k];
    if (r + 16 <= runs)
      TSR__UNROLL(8) for (int k = 0; k < 8; k++) next[k] = sums[r + 8 + k];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
      sums[r + k] = carry;
      carry = MERGED(carry, now[k]);
    }
  }
  for (; r < runs; r++) {
    const C own = sums[r];
    sums[r] = carry;
    carry = MERGED(carry, own);
  }
  return carry;
}

#if KERNEL == 0 || KERNEL == 1
/* A tile: elements converted, runs apart by 17, so that threads with a run each use other banks. */
enum { THREADS = 256, APART = RUN + 1, RUNS = sizeof(C) <= 4 ? 512 : sizeof(C) == 8 ? 256 : 128, TILE = RUNS * RUN };

static __device__ inline int cell(int i) { return i + i / RUN; }

/* The run that begins at cells, so far and in all. */
static __device__ inline C run_of(C *cells, int count) {
  C a = NEUTRAL;
  if (count >= RUN) {
    TSR__UNROLL(16) for (int k = 0; k < RUN; k++) cells[k] = a = MERGED(a, cells[k]);
  } else {
    for (int k = 0; k < count; k++) cells[k] = a = MERGED(a, cells[k]);
  }
  return a;
}
#endif

#if KERNEL == 0
/* A block has a row, or a chunk of one, a tile after the other. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_scan_rows(const __grid_constant__ scan_args s) {
  __shared__ C cells[RUNS * APART];
  __shared__ C sums[RUNS];
  __shared__ C carried;
  const int64_t row = blockIdx.x / s.pieces, first = (int64_t)(blockIdx.x % s.pieces) * CHUNK;
  const int64_t end = s.pieces > 1 && first + CHUNK < s.n ? first + CHUNK : s.n;
  const T *const x = row_of(s, row);
  OUT *const out = out_of(s, row);
  C base = s.before != NULL ? s.before[blockIdx.x] : (C)NEUTRAL, runs = NEUTRAL;
  for (int64_t at = first; at < end; at += TILE) {
    const int count = (int)(end - at < TILE ? end - at : TILE), there = (count + RUN - 1) / RUN;
    if (at % CHUNK == 0 && at > first) {
      base = MERGED(base, runs);
      runs = NEUTRAL;
    }
    TSR__UNROLL_BY(8) for (int i = threadIdx.x; i < count; i += THREADS) cells[cell(i)] = LOADED(x[(at + i) * s.step]);
    __syncthreads();
    for (int r = threadIdx.x; r < there; r += THREADS) sums[r] = run_of(cells + r * APART, count - r * RUN);
    __syncthreads();
    if (threadIdx.x == 0) carried = chained(sums, there, runs);
    __syncthreads();
    runs = carried;
    if (s.out != NULL)
      TSR__UNROLL_BY(8) for (int i = threadIdx.x; i < count; i += THREADS)
        out[(at + i) * s.step_out] = STORED(MERGED(MERGED(base, sums[i / RUN]), cells[cell(i)]));
    __syncthreads();
  }
  if (s.totals != NULL && threadIdx.x == 0) s.totals[blockIdx.x] = runs;
}
#endif

#if KERNEL == 1
/* Rows of which several are a tile, each in runs of its own. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_scan_short(const __grid_constant__ scan_args s) {
  __shared__ C cells[RUNS * APART];
  __shared__ C sums[RUNS];
  __shared__ int64_t from[256], to[256];
  const int64_t first = (int64_t)blockIdx.x * s.beside;
  const unsigned rows = (unsigned)(s.rows - first < s.beside ? s.rows - first : s.beside), n = (unsigned)s.n;
  const unsigned each = (n + RUN - 1) / RUN, all = rows * n; /* runs of a row; elements */
  if (threadIdx.x < rows) {
    from[threadIdx.x] = placed_on(first + threadIdx.x, s.kept_rank, s.kept, s.kept_step[0]);
    to[threadIdx.x] = placed_on(first + threadIdx.x, s.kept_rank, s.kept, s.kept_step[1]);
  }
  __syncthreads();
  TSR__UNROLL_BY(4) for (unsigned i = threadIdx.x; i < all; i += THREADS) {
    const unsigned r = n > 1 ? tsr__wide_product(i, s.magic).y : i, k = i - r * n;
    cells[cell((int)(r * each * RUN + k))] = LOADED(s.x[from[r] + k * s.step]);
  }
  __syncthreads();
  for (unsigned r = threadIdx.x; r < rows * each; r += THREADS) sums[r] = run_of(cells + r * APART, (int)(n - r % each * RUN));
  __syncthreads();
  if (threadIdx.x < rows) (void)chained(sums + threadIdx.x * each, (int)each, NEUTRAL);
  __syncthreads();
  TSR__UNROLL_BY(4) for (unsigned i = threadIdx.x; i < all; i += THREADS) {
    const unsigned r = n > 1 ? tsr__wide_product(i, s.magic).y : i, k = i - r * n, run = r * each + k / RUN;
    s.out[to[r] + k * s.step_out] = STORED(MERGED(MERGED((C)NEUTRAL, sums[run]), cells[run * APART + k % RUN]));
  }
}
#endif

#if KERNEL == 6
/* The same of rows that are contiguous, aligned, and of 4 bytes that are computed with as they are, a pack at a time: runs are 5 packs apart,
 * so that threads with a run each use other banks. magic: 2^32 over the packs of a row, rounded up. */
enum { THREADS = 256, APART = RUN / 4 + 1, RUNS = 256 };

struct alignas(16) four {
  C v[4];
};

extern "C" __global__ void __launch_bounds__(THREADS) tsr_scan_packed(const __grid_constant__ scan_args s) {
  __shared__ four cells[RUNS * APART];
  __shared__ C sums[RUNS];
  __shared__ int64_t from[256], to[256];
  const int64_t first = (int64_t)blockIdx.x * s.beside;
  const unsigned rows = (unsigned)(s.rows - first < s.beside ? s.rows - first : s.beside), n = (unsigned)s.n / 4;
  const unsigned each = (n + 3) / 4, all = rows * n; /* runs of a row; packs */
  if (threadIdx.x < rows) {
    from[threadIdx.x] = placed_on(first + threadIdx.x, s.kept_rank, s.kept, s.kept_step[0]);
    to[threadIdx.x] = placed_on(first + threadIdx.x, s.kept_rank, s.kept, s.kept_step[1]);
  }
  __syncthreads();
  TSR__UNROLL_BY(4) for (unsigned i = threadIdx.x; i < all; i += THREADS) {
    const unsigned r = n > 1 ? tsr__wide_product(i, s.magic).y : i, k = i - r * n;
    cells[(r * each + k / 4) * APART + k % 4] = *(const four *)(s.x + from[r] + k * 4);
  }
  __syncthreads();
  for (unsigned r = threadIdx.x; r < rows * each; r += THREADS) {
    four *const run = cells + r * APART;
    const unsigned packs = n - r % each * 4;
    C a = NEUTRAL;
    TSR__UNROLL(4) for (unsigned k = 0; k < 4; k++) {
      if (k >= packs) break;
      four v = run[k];
      TSR__UNROLL(4) for (int l = 0; l < 4; l++) a = v.v[l] = MERGED(a, v.v[l]);
      run[k] = v;
    }
    sums[r] = a;
  }
  __syncthreads();
  if (threadIdx.x < rows) (void)chained(sums + threadIdx.x * each, (int)each, NEUTRAL);
  __syncthreads();
  TSR__UNROLL_BY(4) for (unsigned i = threadIdx.x; i < all; i += THREADS) {
    const unsigned r = n > 1 ? tsr__wide_product(i, s.magic).y : i, k = i - r * n, run = r * each + k / 4;
    const C b = MERGED((C)NEUTRAL, sums[run]);
    four v = cells[run * APART + k % 4];
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) v.v[l] = MERGED(b, v.v[l]);
    *(four *)(s.out + to[r] + k * 4) = v;
  }
}
#endif

#if KERNEL == 2 || KERNEL == 3
/* Rows that are contiguous, aligned, and of 4 bytes that are computed with as they are: a chunk stays in shared memory as it came, brought by
 * copies that pass no register. A thread's run is 4 packs of it.
 *
 * FLAT (3): few rows of many chunks. Block 0 adds the totals of all chunks in order, as they are posted, and posts what is before each: the order
 * never depends on timing. Blocks take tickets, so that what one waits for has begun before it. */
#define FLAT (KERNEL == 3)
extern __shared__ __align__(16) unsigned char memory[];
enum { THREADS = 512 };

struct alignas(16) four {
  C v[4];
};

static __device__ inline C of_post(uint64_t post) {
#if C_FLOAT
  return tsr__f32_of_bits((uint32_t)post);
#else
  return (C)(uint32_t)post;
#endif
}
static __device__ inline uint64_t post_of(C v) {
#if C_FLOAT
  return (uint64_t)1 << 32 | tsr__bits_of_f32(v);
#else
  return (uint64_t)1 << 32 | (uint32_t)v;
#endif
}
static __device__ inline uint64_t seen(const uint64_t *at) { return *(const volatile uint64_t *)at; }

static __device__ inline C posted(const uint64_t *at) {
  uint64_t post = seen(at);
  while (post >> 32 == 0) {
#ifdef TSR_CUDA_EMULATED
    __nanosleep(32);
#endif
    post = seen(at);
  }
  return of_post(post);
}

/* What is added up: the total of all before, and how many there are to come of this row. */
struct adding {
  C carry;
  int64_t left;
};

/* The first count totals of a warp's lanes, one after another: what is before each is posted. */
static __device__ inline void add_posts(const scan_args &s, adding &a, C total, int count, uint64_t *before) {
  const int lane = threadIdx.x;
  C own = a.carry;
  if (count == 32 && a.left > 32) {
    TSR__UNROLL(32) for (int l = 0; l < 32; l++) {
      if (l == lane) own = a.carry;
      a.carry = MERGED(a.carry, __shfl_sync(~0u, total, l));
    }
    a.left -= 32;
  } else {
    for (int l = 0; l < count; l++) {
      if (l == lane) own = a.carry;
      a.carry = MERGED(a.carry, __shfl_sync(~0u, total, l));
      if (--a.left > 0) continue;
      a.left = s.pieces;
      a.carry = NEUTRAL;
    }
  }
  if (lane < count) *(volatile uint64_t *)(before + lane) = post_of(own);
}

/* The warp that adds up: of the next totals those that are there, up to the first that is not. */
static __device__ inline void add_all(const scan_args &s, const uint64_t *totals, uint64_t *before) {
  const int64_t items = s.rows * s.pieces;
  const int lane = threadIdx.x;
  enum { WINDOWS = 4 };
  adding a;
  a.carry = NEUTRAL;
  a.left = s.pieces;
  for (int64_t i = 0; i < items;) {
#ifdef TSR_CUDA_EMULATED
    (void)posted(totals + i); /* the emulator lets other blocks go on where all threads sleep, and votes are no sleep */
#endif
    uint64_t post[WINDOWS];
    TSR__UNROLL(4) for (int k = 0; k < WINDOWS; k++) post[k] = i + k * 32 + lane < items ? seen(totals + i + k * 32 + lane) : 0;
    int all = 0;
    TSR__UNROLL(4) for (int k = 0; k < WINDOWS; k++) {
      const unsigned missing = ~__ballot_sync(~0u, post[k] >> 32 != 0);
      const int count = missing != 0 ? __ffs((int)missing) - 1 : 32;
      if (all < k * 32 || count == 0) continue;
      add_posts(s, a, of_post(post[k]), count, before + i + k * 32);
      all += count;
    }
    i += all;
  }
}

/* Where pack i is: those of eight neighbouring runs that are taken together use other banks. */
static __device__ inline int pack_at(int i) { return i ^ (i >> 3 & 3); }

extern "C" __global__ void __launch_bounds__(THREADS, 3) tsr_scan_chunks(const __grid_constant__ scan_args s) {
  four *const cells = (four *)memory;
  C *const sums = (C *)(cells + s.beside * 4);
  __shared__ C carried;
  const int t = threadIdx.x;
#if FLAT
  __shared__ unsigned long long mine;
  const int64_t items = s.rows * s.pieces;
  uint64_t *const totals = s.posts + 1, *const posts = totals + items;
  if (t == 0) mine = atomicAdd((unsigned long long *)s.posts, 1ull);
  __syncthreads();
  if (mine == 0) {
    if (t < 32) add_all(s, totals, posts);
    return;
  }
  const int64_t item = (int64_t)mine - 1, row = item / s.pieces, first = item % s.pieces * CHUNK;
  const int64_t end = first + CHUNK < s.n ? first + CHUNK : s.n;
#else
  const int64_t row = blockIdx.x, first = 0, end = s.n;
#endif
  const T *const x = row_of(s, row);
  OUT *const out = out_of(s, row);
  C base = NEUTRAL;
  for (int64_t at = first; at < end; at += CHUNK) {
    const int count = (int)(end - at < CHUNK ? end - at : CHUNK), packs = count / 4, runs = (count + RUN - 1) / RUN;
    TSR__UNROLL_BY(4) for (int i = t; i < packs; i += THREADS) tsr__copy_async(cells + pack_at(i), x + at + i * 4);
    tsr__copy_wait();
    if (packs < runs * 4 && t < runs * 4 - packs) /* of the last run: a pack is there or not */
      TSR__UNROLL(4) for (int k = 0; k < 4; k++) cells[pack_at(packs + t)].v[k] = NEUTRAL;
    __syncthreads();
    TSR__UNROLL_BY(1) for (int run = t; run < runs; run += THREADS) {
      four v[4];
      TSR__UNROLL(4) for (int j = 0; j < 4; j++) v[j] = cells[pack_at(run * 4 + j)];
      C a = NEUTRAL;
      TSR__UNROLL(4) for (int j = 0; j < 4; j++) {
        TSR__UNROLL(4) for (int l = 0; l < 4; l++) a = v[j].v[l] = MERGED(a, v[j].v[l]);
        cells[pack_at(run * 4 + j)] = v[j];
      }
      sums[run] = a;
    }
    __syncthreads();
    if (t == 0) {
      const C total = chained(sums, runs, NEUTRAL);
#if FLAT
      *(volatile uint64_t *)(totals + item) = post_of(total);
      carried = posted(posts + item);
#else
      carried = total;
#endif
    }
    __syncthreads();
#if FLAT
    base = carried;
#endif
    TSR__UNROLL_BY(4) for (int i = t; i < packs; i += THREADS) {
      const C b = MERGED(base, sums[i / 4]);
      four v = cells[pack_at(i)];
      TSR__UNROLL(4) for (int l = 0; l < 4; l++) v.v[l] = MERGED(b, v.v[l]);
      *(four *)(out + at + i * 4) = v;
    }
#if !FLAT
    base = MERGED(base, carried);
    if (at + CHUNK < end) __syncthreads();
#endif
  }
}
#endif

#if KERNEL == 4
/* Rows side by side: a thread has a run of one of 32, a warp those of all; every warp walks all runs of a step, so that one barrier a step is
 * enough. What comes next is read before this one is joined. blockIdx.y: a chunk, where chunks are apart. */
enum { WARPS = 8 };

/* count elements of a run; all of them without a question. */
static __device__ inline void fetch_run(T *v, const T *x, int64_t step, int count) {
  if (count >= RUN) {
    TSR__UNROLL(16) for (int i = 0; i < RUN; i++, x += step) v[i] = *x;
  } else {
    TSR__UNROLL(16) for (int i = 0; i < RUN; i++, x += step)
      if (i < count) v[i] = *x;
  }
}

static __device__ inline int count_from(int64_t at, int64_t end) { return end - at < RUN ? (int)(end - at) : (int)RUN; }

extern "C" __global__ void __launch_bounds__(32 * WARPS, sizeof(C) <= 4 ? 4 : 2) tsr_scan_columns(const __grid_constant__ scan_args s) {
  __shared__ C total[2][WARPS][32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  const int64_t row = (int64_t)blockIdx.x * 32 + lane, first = (int64_t)blockIdx.y * CHUNK;
  const int64_t end = s.pieces > 1 && first + CHUNK < s.n ? first + CHUNK : s.n;
  const bool there = row < s.rows;
  const T *x = row_of(s, there ? row : 0) + (first + w * RUN) * s.step;
  OUT *out = out_of(s, there ? row : 0) + (first + w * RUN) * s.step_out;
  const int64_t item = (int64_t)blockIdx.y * s.rows + row;
  C base = s.before != NULL && there ? s.before[item] : (C)NEUTRAL, runs = NEUTRAL;
  T next[RUN];
  if (there) fetch_run(next, x, s.step, count_from(first + w * RUN, end));
  int turn = 0;
  for (int64_t at = first; at < end; at += RUN * WARPS, turn ^= 1) {
    const int count = there ? count_from(at + w * RUN, end) : 0;
    if (at % CHUNK == 0 && at > first) {
      base = MERGED(base, runs);
      runs = NEUTRAL;
    }
    C v[RUN], a = NEUTRAL;
    if (count >= RUN) {
      TSR__UNROLL(16) for (int i = 0; i < RUN; i++) v[i] = a = MERGED(a, LOADED(next[i]));
    } else {
      TSR__UNROLL(16) for (int i = 0; i < RUN; i++) v[i] = a = i < count ? MERGED(a, LOADED(next[i])) : a;
    }
    x += RUN * WARPS * s.step;
    if (there) fetch_run(next, x, s.step, count_from(at + (w + WARPS) * RUN, end));
    total[turn][w][lane] = a;
    __syncthreads();
    C own = runs;
    TSR__UNROLL(8) for (int k = 0; k < WARPS; k++) {
      if (k == w) own = runs;
      runs = MERGED(runs, total[turn][k][lane]);
    }
    const C b = MERGED(base, own);
    if (s.out != NULL) {
      OUT *to = out;
      if (count >= RUN) {
        TSR__UNROLL(16) for (int i = 0; i < RUN; i++, to += s.step_out) *to = STORED(MERGED(b, v[i]));
      } else {
        TSR__UNROLL(16) for (int i = 0; i < RUN; i++, to += s.step_out)
          if (i < count) *to = STORED(MERGED(b, v[i]));
      }
      out += RUN * WARPS * s.step_out;
    }
  }
  if (s.totals != NULL && there && w == 0) s.totals[item] = runs;
}
#endif

#if KERNEL == 5
/* Totals of chunks become what is before them, in their place. A warp has a row whose chunks are neighbours; or a thread a row, whose chunks
 * are rows apart (step > 1). */
template <class V> static __device__ inline V of_lane(V v, int lane) {
  union {
    V value;
    uint32_t word[(sizeof(V) + 3) / 4];
  } u;
  u.value = v;
  TSR__UNROLL(4) for (unsigned i = 0; i < (sizeof(V) + 3) / 4; i++) u.word[i] = __shfl_sync(~0u, u.word[i], lane);
  return u.value;
}

extern "C" __global__ void __launch_bounds__(128) tsr_scan_before(const __grid_constant__ scan_args s) {
  const int64_t thread = (int64_t)blockIdx.x * 128 + threadIdx.x;
  C carry = NEUTRAL;
  if (s.step > 1) {
    if (thread >= s.rows) return;
    TSR__UNROLL_BY(8) for (int64_t i = 0; i < s.n; i++) {
      const C own = s.totals[i * s.step + thread];
      s.totals[i * s.step + thread] = carry;
      carry = MERGED(carry, own);
    }
    return;
  }
  const int64_t row = thread / 32;
  const int lane = threadIdx.x % 32;
  if (row >= s.rows) return;
  C *const totals = s.totals + row * s.n;
  C next = lane < s.n ? totals[lane] : (C)NEUTRAL;
  for (int64_t i = 0; i < s.n; i += 32) {
    const C all = next;
    next = i + 32 + lane < s.n ? totals[i + 32 + lane] : (C)NEUTRAL;
    C own = carry;
    TSR__UNROLL(32) for (int l = 0; l < 32; l++) {
      if (l == lane) own = carry;
      carry = MERGED(carry, of_lane(all, l));
    }
    if (i + lane < s.n) totals[i + lane] = own;
  }
}
#endif
