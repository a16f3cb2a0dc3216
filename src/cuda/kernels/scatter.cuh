/* Elements with updates: a thread has the elements of a pack, and takes the updates that go there one after another, in their order. The
 * updates of a line are sorted by where they go. T: in memory, C: what is computed in, by merged(a, later b); loaded, stored: between
 * the two. PACK: elements of a thread, along the fastest axis. PART: 0 finds where the updates of each place begin, 1 combines. */
struct starts_args {
  const PLACE *sorted; /* (lines, count): where updates go, in order; length where they go nowhere */
  NUMBER *starts;      /* (lines, length + 1) */
  uint64_t lines, count, length;
};

#if PART == 0
extern "C" __global__ void __launch_bounds__(256) tsr_update_starts(const starts_args s) {
  const uint64_t i = (uint64_t)blockIdx.x * 256 + threadIdx.x, all = s.length + 1;
  if (i >= s.lines * all) return;
  const uint64_t line = i / all, place = i - line * all;
  const PLACE *const sorted = s.sorted + line * s.count;
  uint64_t low = 0, high = s.count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (sorted[middle] < place)
      low = middle + 1;
    else
      high = middle;
  }
  s.starts[i] = (NUMBER)low;
}
#endif

#if PART == 1
#include "cuda/kernels/words.cuh"

enum { RANK = 8 };
typedef pack<T, PACK> packed;

struct scatter_args {
  const T *in, *src;
  T *out;
  const NUMBER *order;  /* (lines, count): which update */
  const NUMBER *starts; /* (lines, length + 1) */
  int64_t count, length, src_step;
  uint64_t units;
  int rank, in_place;
  int64_t axis[RANK];                                           /* lengths, the fastest first, in packs there */
  int64_t out_step[RANK], in_step[RANK], update_step[RANK];     /* in elements */
  int64_t place_step[RANK], line_step[RANK];
};

static inline void merge(C *a, const packed &b) {
  TSR__UNROLL(16) for (int i = 0; i < PACK; i++) a[i] = merged(a[i], loaded(b.v[i]));
}

extern "C" __global__ void __launch_bounds__(256) tsr_scatter(const scatter_args s) {
  const uint64_t unit = (uint64_t)blockIdx.x * 256 + threadIdx.x;
  if (unit >= s.units) return;
  COUNT left = (COUNT)unit;
  int64_t out = 0, in = 0, from = 0, place = 0, line = 0;
  TSR__UNROLL(8) for (int d = 0; d < RANK; d++) {
    if (d >= s.rank) break;
    const COUNT next = d + 1 < s.rank ? left / (COUNT)s.axis[d] : 0;
    const int64_t at = (int64_t)(left - next * (COUNT)s.axis[d]);
    out += at * s.out_step[d];
    in += at * s.in_step[d];
    from += at * s.update_step[d];
    place += at * s.place_step[d];
    line += at * s.line_step[d];
    left = next;
  }
  const NUMBER *const starts = s.starts + line * (s.length + 1) + place, *const order = s.order + line * s.count;
  uint64_t q = starts[0];
  const uint64_t end = starts[1];
  packed p;
  if (q == end) {
    if (s.in_place) return;
    p.load(s.in + in);
    p.store(s.out + out);
    return;
  }
  const T *const src = s.src + from;
#if LAST_ONLY
  p.load(src + (int64_t)order[end - 1] * s.src_step);
#else
  C sum[PACK];
  p.load(s.in + in);
  TSR__UNROLL(16) for (int i = 0; i < PACK; i++) sum[i] = loaded(p.v[i]);
  for (; q + 4 <= end; q += 4) {
    packed four[4];
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) four[k].load(src + (int64_t)order[q + (uint64_t)k] * s.src_step);
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) merge(sum, four[k]);
  }
  for (; q < end; q++) {
    p.load(src + (int64_t)order[q] * s.src_step);
    merge(sum, p);
  }
  TSR__UNROLL(16) for (int i = 0; i < PACK; i++) p.v[i] = stored(sum[i]);
#endif
  p.store(s.out + out);
}
#endif
