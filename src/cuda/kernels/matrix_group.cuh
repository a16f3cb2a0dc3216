/* Products of matrices by groups of four warps, of sm_90: 64 × 16 from registers by 16 × 64 from shared memory, of f16 or bf16, summed in f32. A warp has
 * 16 rows, its elements in the order of m16n8k16. They run on their own: what they read and add to is left alone until they were waited for. Shared
 * memory has rows of 64 elements; 16-byte chunk c of row r lies at chunk c ^ r % 8 of it, and eight rows begin at a multiple of 1024. */
#include "cuda/kernels/matrix.cuh"

enum { TSR__GROUP_ROW = 128 };

/* Where chunk of row lies. */
static inline int tsr__group_chunk(int row, int chunk) { return row * TSR__GROUP_ROW + (chunk ^ row % 8) * 16; }

#ifdef TSR_CUDA_EMULATED

static inline unsigned char *tsr__group_aligned(unsigned char *memory) {
  return memory + (1024 - (uint64_t)memory % 1024) % 1024;
}
static inline void tsr__group_written() {}
static inline void tsr__group_begin() {}
static inline void tsr__group_commit() {}
template <int left> static inline void tsr__group_wait() {}
template <int n> static inline void tsr__group_settle(float (*)[4]) {}

/* Elements i and i + 1 of what a product sums over, of column n. */
template <bool transposed> static inline uint32_t tsr__group_pair(const unsigned char *b, int i, int n) {
  const unsigned char *const first = b - (uint64_t)b % TSR__GROUP_ROW;
  const int chunk = (int)((uint64_t)b % TSR__GROUP_ROW / 16);
  if (!transposed) return *(const uint32_t *)(first + tsr__group_chunk(n, chunk + i / 8) + i % 8 * 2);
  const uint16_t low = *(const uint16_t *)(first + tsr__group_chunk(i, n / 8) + n % 8 * 2);
  return low | (uint32_t)*(const uint16_t *)(first + tsr__group_chunk(i + 1, n / 8) + n % 8 * 2) << 16;
}
template <bool brain, bool transposed>
static inline void tsr__group_multiply_add(float (*c)[4], const uint32_t *a, const unsigned char *b, bool adds) {
  const int lane = (int)threadIdx.x % 32;
  for (int n = 0; n < 8; n++) {
    for (int i = 0; i < 4 && !adds; i++) c[n][i] = 0;
    tsr__multiply_add<brain>(c[n], a, tsr__group_pair<transposed>(b, lane % 4 * 2, n * 8 + lane / 4),
                             tsr__group_pair<transposed>(b, lane % 4 * 2 + 8, n * 8 + lane / 4));
  }
}

#elif __CUDA_ARCH__ >= 900

static inline unsigned char *tsr__group_aligned(unsigned char *memory) {
  return memory + (-(uint32_t)__cvta_generic_to_shared(memory) & 1023u);
}
/* What this thread wrote to shared memory is there for products, behind the next barrier. */
static inline void tsr__group_written() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/* Before products of registers that were written. */
static inline void tsr__group_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
static inline void tsr__group_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/* All products are done but the last few groups. */
template <int left> static inline void tsr__group_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
/* The compiler reads sums no earlier than here. */
template <int n> static inline void tsr__group_settle(float (*c)[4]) {
  TSR__UNROLL(16) for (int i = 0; i < n; i++) asm volatile("" : "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])::"memory");
}

/* b: 64 rows whose chunks 0 and 1 from there on are summed over; transposed, 16 rows of 64 columns. Eight rows are 1024 bytes from the next; chunks as above. */
#define TSR__GROUP_PRODUCT(type) \
  asm volatile( \
      "{\n.reg .pred adds;\nsetp.ne.b32 adds, %37, 0;\n" \
      "wgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, adds, 1, 1, %38;\n}" \
      : TSR__GROUP_SUMS(0), TSR__GROUP_SUMS(1), TSR__GROUP_SUMS(2), TSR__GROUP_SUMS(3), TSR__GROUP_SUMS(4), TSR__GROUP_SUMS(5), \
        TSR__GROUP_SUMS(6), TSR__GROUP_SUMS(7) \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(where), "r"((int)adds), "n"(transposed ? 1 : 0) \
      : "memory")
#define TSR__GROUP_SUMS(n) "+f"(c[n][0]), "+f"(c[n][1]), "+f"(c[n][2]), "+f"(c[n][3])
template <bool brain, bool transposed>
static inline void tsr__group_multiply_add(float (*c)[4], const uint32_t *a, const unsigned char *b, bool adds) {
  const uint64_t where = 0x4000004000400000u | (((uint32_t)__cvta_generic_to_shared(b) & 0x3ffffu) >> 4);
  if (brain)
    TSR__GROUP_PRODUCT("bf16");
  else
    TSR__GROUP_PRODUCT("f16");
}

#endif
