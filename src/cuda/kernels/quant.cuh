/* Quantised numbers (nn/quant/quant.h, nn/quant/element/rows.kernel.c): ratios of scales are a multiplier and a shift, which travel as one number of
 * 64 bits, the multiplier above. Set before: LOW, HIGH, the range of the result; ROUND_TWICE. */
static __device__ inline int32_t fixed_step(int32_t sum, int32_t multiplier) {
  return (int32_t)(((int64_t)sum * multiplier + (1ll << 30)) >> 31);
}
static __device__ inline int64_t fixed_apply(int32_t sum, int64_t ratio) {
  const int32_t multiplier = (int32_t)(ratio >> 32), shift = (int32_t)(ratio & 63);
#if ROUND_TWICE
  if (shift <= 31) return fixed_step((int32_t)((uint32_t)sum << (31 - shift)), multiplier);
  const int32_t x = fixed_step(sum, multiplier), down = shift - 31;
  return (int32_t)(((int64_t)x - (x < 0) + (1ll << (down - 1))) >> down);
#else
  return ((int64_t)sum * multiplier + ((1ll << shift) >> 1)) >> shift;
#endif
}
static __device__ inline int32_t in_range(int64_t y) { return y < LOW ? LOW : y > HIGH ? HIGH : (int32_t)y; }

/* zero + the nearest integer to x / scale, halves to even. */
static __device__ inline int32_t quantized(float x, float scale, int32_t zero) {
  const float magic = 0x1.8p23f, low = (float)(LOW - zero), high = (float)(HIGH - zero);
  float v = x / scale;
  v = v == v ? v : 0;
  v = v < low ? low : v;
  v = v > high ? high : v;
  const float sum = v + magic;
  return (int32_t)(sum - magic) + zero;
}

/* zeros: that of x, and above it that of the result. */
static __device__ inline int32_t requantized(int32_t x, int64_t ratio, int64_t zeros) {
  return in_range(fixed_apply(x - (int32_t)zeros, ratio) + (int32_t)(zeros >> 32));
}

/* Of zeros and a shift 16 bits each, the lowest of a. */
static __device__ inline int32_t sum_of(int32_t a, int32_t b, int64_t multipliers, int64_t zeros) {
  const int32_t a_zero = (int16_t)zeros, b_zero = (int16_t)(zeros >> 16), zero = (int16_t)(zeros >> 32), shift = (int32_t)(zeros >> 48);
  const int64_t sum = (int64_t)(a - a_zero) * (int32_t)multipliers + (int64_t)(b - b_zero) * (int32_t)(multipliers >> 32);
  return in_range(((sum + ((1ll << shift) >> 1)) >> shift) + zero);
}
static __device__ inline int32_t product_of(int32_t a, int32_t b, int64_t ratio, int64_t zeros) {
  const int32_t a_zero = (int16_t)zeros, b_zero = (int16_t)(zeros >> 16), zero = (int16_t)(zeros >> 32);
  return in_range(fixed_apply((a - a_zero) * (b - b_zero), ratio) + zero);
}

/* A bias in units of a layer's sums, to the nearest, halves to even (nn/quant/layer/bias.c). Past 2^22 halves are the most that is left. */
static __device__ inline int32_t in_units(float x, float unit) {
  const float v = x / unit, magic = 0x1.8p23f;
  if (!(v == v)) return 0;
  if (v >= 0x1p31f) return 0x7fffffff;
  if (v < -0x1p31f) return -0x7fffffff - 1;
  if (v >= 4194304.0f || v <= -4194304.0f) {
    const int32_t whole = (int32_t)v;
    const float rest = v - (float)whole;
    if (rest == 0.5f || rest == -0.5f) return whole % 2 == 0 ? whole : rest > 0 ? whole + 1 : whole - 1;
    return whole;
  }
  const float sum = v + magic;
  return (int32_t)(sum - magic);
}
