/* Where elements lie: the patterns of generated kernels are made of these. */
#include "cuda/kernels/words.cuh"
#include "cuda/kernels/fault.cuh"

/* A number that travels by value. */
struct alignas(16) number {
  uint8_t bytes[16];
};

enum { OPERANDS = 8, RANK = 8 };

/* What a line picks elements from by an index: see picked. */
struct table_args {
  const void *data;
  int64_t step, length; /* in elements; how many there are */
  int64_t padding;      /* an index that gives 0; the least number: none */
  int64_t wraps;        /* whether negative ones count from the end */
  tsr_fault fault;
};

struct flat_args {
  uint64_t n;
  uint8_t *x[OPERANDS];
  number numbers[4];
  table_args table;
};

/* Element at of the table, moved by index steps. One that is out of range is noted, and gives 0: number is its place
 * among the indices. */
template <class T> __device__ inline T picked(const table_args &t, int64_t at, int64_t index, int64_t number) {
  if (index == t.padding && index != -INT64_MAX - 1) return T();
  if (index < 0 && t.wraps) index += t.length;
  if ((uint64_t)index >= (uint64_t)t.length) {
    tsr_fault_at(t.fault, (unsigned long long)number);
    return T();
  }
  pack<T, 1> p;
  p.load((const T *)t.data + at + index * t.step);
  return p.v[0];
}

/* The host has the same structs in cuda/pattern.h. Axis 0 runs fastest; strides are in elements, or in packs on axis 0. STEP and COUNT
 * have 32 bits, or 64 where the kernel is WIDE. */
struct shape_args {
  flat_args flat;
  uint64_t units;
  int rank, unused;
  COUNT length[RANK];
  uint32_t magic[RANK], shift[RANK];
  STEP stride[OPERANDS][RANK];
  int mode[OPERANDS];
  COUNT tiles_x, tiles_y, length_x, length_y;
  STEP stride_x[OPERANDS], stride_y[OPERANDS];
};

/* Where unit i of the shape lies, for every operand. A division is a multiplication with a number that the host made; offsets are
 * products of 32 bits added to 64. WIDE: strides or counts that 31 bits do not hold. */
template <int operands> __device__ inline void locate(const shape_args &s, COUNT i, int64_t *at) {
  TSR__UNROLL(8) for (int k = 0; k < operands; k++) at[k] = 0;
  TSR__UNROLL(8) for (int d = 0; d < RANK; d++) {
    if (d >= s.rank) break;
#if WIDE
    const COUNT q = d + 1 < s.rank ? i / s.length[d] : 0;
#else
    const COUNT q = d + 1 < s.rank ? (uint32_t)(((uint64_t)i * s.magic[d]) >> s.shift[d]) : 0;
#endif
    const int64_t r = (int64_t)(i - q * s.length[d]);
    TSR__UNROLL(8) for (int k = 0; k < operands; k++) at[k] += (int64_t)(STEP)r * s.stride[k][d];
    i = q;
  }
}

/* What is computed of a pack from here on is computed anew: no register is kept for it before. */
template <class T, int n> __device__ inline void forget(pack<T, n> &p) {
  TSR__UNROLL(4) for (int i = 0; i < (int)sizeof p / 4; i++) TSR__FORGET(((uint32_t *)&p)[i]);
}

/* n elements along the fastest axis: as they lie, one for all, or backwards. The branch is the same for a whole grid. */
template <class T, int n> __device__ inline void fetch(pack<T, n> &p, const T *x, int mode) {
  if (mode == 1) {
    p.load(x);
  } else if (mode == 0) {
    const T one = *x;
    TSR__UNROLL(16) for (int i = 0; i < n; i++) p.v[i] = one;
  } else {
    pack<T, n> back;
    back.load(x - (n - 1));
    TSR__UNROLL(16) for (int i = 0; i < n; i++) p.v[i] = back.v[n - 1 - i];
  }
}
