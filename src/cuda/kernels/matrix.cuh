/* Products of small matrices by the threads of a warp: 16 × 16 by 16 × 8, of f16 or bf16, summed in f32. See the vendor's m16n8k16 for which
 * element is whose. */
#ifdef TSR_CUDA_EMULATED

/* Four matrices of 8 × 8 elements of 16 bits from shared memory; lane 8m + r says where row r of matrix m is. */
static inline uint64_t tsr__row_of(const void *row, int lane) {
  return __shfl_sync(0xffffffffu, (unsigned long long)row, lane);
}
static inline void tsr__matrices(uint32_t *to, const void *row) {
  const int lane = (int)threadIdx.x % 32;
  for (int m = 0; m < 4; m++) to[m] = ((const uint32_t *)tsr__row_of(row, 8 * m + lane / 4))[lane % 4];
}
static inline void tsr__matrices_transposed(uint32_t *to, const void *row) {
  const int lane = (int)threadIdx.x % 32;
  for (int m = 0; m < 4; m++) {
    const uint16_t *const first = (const uint16_t *)tsr__row_of(row, 8 * m + lane % 4 * 2);
    const uint16_t *const second = (const uint16_t *)tsr__row_of(row, 8 * m + lane % 4 * 2 + 1);
    to[m] = first[lane / 4] | (uint32_t)second[lane / 4] << 16;
  }
}

template <bool brain> static inline float tsr__half_of(uint64_t words, int i) {
  const uint16_t x = (uint16_t)(words >> 16 * i);
  return brain ? tsr__f32_of_bits((uint32_t)x << 16) : tsr__f32_of_f16(x);
}
template <bool brain> static inline uint32_t tsr__pair_of(float low, float high) {
  return brain ? tsr__bf16_of_f32(low) | (uint32_t)tsr__bf16_of_f32(high) << 16
               : tsr__f16_of_f32(low) | (uint32_t)tsr__f16_of_f32(high) << 16;
}
template <bool brain> static inline void tsr__multiply_add(float *c, const uint32_t *a, uint32_t b0, uint32_t b1) {
  const int lane = (int)threadIdx.x % 32, first = lane / 4 * 4, column = lane % 4 * 2;
  const unsigned long long low = a[0] | (unsigned long long)a[2] << 32, high = a[1] | (unsigned long long)a[3] << 32;
  const unsigned long long own = b0 | (unsigned long long)b1 << 32;
  for (int i = 0; i < 4; i++) {
    const uint64_t upper = __shfl_sync(0xffffffffu, low, first + i), lower = __shfl_sync(0xffffffffu, high, first + i);
    const uint64_t left = __shfl_sync(0xffffffffu, own, column * 4 + i),
                   right = __shfl_sync(0xffffffffu, own, column * 4 + 4 + i);
    for (int k = 0; k < 4; k++) {
      const float x = tsr__half_of<brain>(upper, k), y = tsr__half_of<brain>(lower, k);
      const float l = tsr__half_of<brain>(left, k), r = tsr__half_of<brain>(right, k);
      c[0] = __builtin_fmaf(x, l, c[0]);
      c[1] = __builtin_fmaf(x, r, c[1]);
      c[2] = __builtin_fmaf(y, l, c[2]);
      c[3] = __builtin_fmaf(y, r, c[3]);
    }
  }
}

#else

static inline void tsr__matrices(uint32_t *to, const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((uint32_t)__cvta_generic_to_shared(row)));
}
static inline void tsr__matrices_transposed(uint32_t *to, const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"((uint32_t)__cvta_generic_to_shared(row)));
}
template <bool brain> static inline uint32_t tsr__pair_of(float low, float high) {
  uint32_t y;
  if (brain)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  return y;
}
template <bool brain> static inline void tsr__multiply_add(float *c, const uint32_t *a, uint32_t b0, uint32_t b1) {
  if (brain)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#endif
