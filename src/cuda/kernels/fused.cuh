/* A group of calls element by element. FLAT: all operands are contiguous or one element, and unit i is element i; else packs of V along
 * axis 0, or single elements.
 *
 * Set before: OPERANDS and NUMBERS, how many there are; the host has the same layout in engines/fused.c. */
struct alignas(16) fused_number {
  uint8_t bytes[16];
};

struct fused_args {
  uint64_t units; /* FLAT: elements */
#if !FLAT
  int rank, padding;
  int64_t length[8]; /* axis 0 in packs, and the fastest */
  uint32_t magic[8], shift[8];
  int64_t step[OPERANDS][8]; /* in elements */
#endif
  uint8_t *x[OPERANDS];
  fused_number numbers[NUMBERS];
};

#if !FLAT
/* Where unit i lies, in every operand. A division is a multiplication with a number that the host made. */
static __device__ inline void fused_locate(const fused_args &s, uint64_t i, int64_t *at) {
  TSR__UNROLL(20) for (int k = 0; k < OPERANDS; k++) at[k] = 0;
  TSR__UNROLL(8) for (int d = 0; d < 8; d++) {
    if (d >= s.rank) break;
#if WIDE
    const uint64_t q = d + 1 < s.rank ? i / (uint64_t)s.length[d] : 0;
#else
    const uint64_t q = d + 1 < s.rank ? (uint32_t)((i * s.magic[d]) >> s.shift[d]) : 0;
#endif
    const int64_t r = (int64_t)(i - q * (uint64_t)s.length[d]);
    TSR__UNROLL(20) for (int k = 0; k < OPERANDS; k++) at[k] += r * s.step[k][d];
    i = q;
  }
}
#endif
