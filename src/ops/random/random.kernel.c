/* The kernels of random numbers. Only + − × ÷ √ and integers: the same bits on every instruction set. */
#include "ops/random/elementary.h"
#include "ops/random/random.h"

/* Blocks at a time: a word of all of them is a row, so that a round is a loop over rows. */
enum { SIDE = TSR_HAVE_MALLOC ? 32 : 4 };

typedef struct square {
  uint32_t word[4][SIDE];
} square;

static inline void start(square *restrict at, tsr__width width, uint32_t stream, uint64_t first) {
  for (int i = 0; i < SIDE; i++) {
    const tsr__philox counter = tsr__random_counter(stream, width, 0, first + (uint64_t)(unsigned)i);
    for (int k = 0; k < 4; k++) at->word[k][i] = counter.word[k];
  }
}

static inline void philox_round(square *restrict at, uint32_t key0, uint32_t key1) {
  for (int i = 0; i < SIDE; i++) {
    const tsr__philox before = {{at->word[0][i], at->word[1][i], at->word[2][i], at->word[3][i]}};
    const tsr__philox after = tsr__philox_round(before, key0, key1);
    at->word[0][i] = after.word[0];
    at->word[1][i] = after.word[1];
    at->word[2][i] = after.word[2];
    at->word[3][i] = after.word[3];
  }
}

void TSR__ISA_NAME(tsr__random_words)(uint64_t key, uint32_t stream, tsr__width width, uint64_t first, int count,
                                      uint32_t *restrict words) {
  for (int begin = 0; begin < count; begin += SIDE) {
    square now;
    const int left = count - begin < SIDE ? count - begin : SIDE;
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
    start(&now, width, stream, first + (uint64_t)(unsigned)begin);
    for (int round = 0; round < TSR__PHILOX_ROUNDS; round++) {
      philox_round(&now, key0, key1);
      key0 += TSR__PHILOX_KEY0;
      key1 += TSR__PHILOX_KEY1;
    }
    for (int i = 0; i < left; i++)
      for (int k = 0; k < 4; k++) words[4 * (begin + i) + k] = now.word[k][i];
  }
}

/* ---- f32: 32 bits an element ---- */

void TSR__ISA_NAME(tsr__uniform_f32)(const tsr__random_form *form, int n, const uint32_t *restrict words,
                                     void *restrict values) {
  const float low = (float)form->low, scale = (float)form->scale, most = (float)form->most;
  float *const to = values;
  for (int i = 0; i < n; i++) {
    const float u = (float)(int32_t)(words[i] >> 8) * 0x1p-24f;
    const float x = low + u * scale;
    to[i] = x > most ? most : x;
  }
}

void TSR__ISA_NAME(tsr__normal_f32)(const tsr__random_form *form, int n, const uint32_t *restrict words,
                                    void *restrict values) {
  const float mean = (float)form->low, scale = (float)form->scale;
  const int pairs = n / 2;
  float *const to = values;
  float radius[TSR__DRAW_WORDS / 2];
  for (int i = 0; i < pairs; i++) {
    const float u = (float)(int32_t)(words[2 * i] >> 1) * 0x1p-31f + 0x1p-32f;
    radius[i] = -2 * tsr__log_f32(u);
  }
  for (int i = 0; i < pairs; i++) radius[i] = __builtin_sqrtf(radius[i]);
  for (int i = 0; i < pairs; i++) { /* the upper two bits are a quarter of the circle, the others a part of it */
    const uint32_t bits = words[2 * i + 1];
    const float part = (float)((int32_t)(bits & 0x3fffffffu) - (1 << 29)) * 0x1p-30f;
    const float side = (bits >> 31) != 0 ? -radius[i] : radius[i];
    float c, s;
    tsr__sincos_quarter_f32(part, &c, &s);
    const int swap = (bits >> 30 & 1u) != 0;
    to[2 * i] = mean + scale * (side * (swap ? -s : c));
    to[2 * i + 1] = mean + scale * (side * (swap ? c : s));
  }
}

/* ---- f64: 64 bits an element ---- */

#if TSR_HAVE_F64
static inline uint64_t pair_of(const uint32_t *words) { return (uint64_t)words[1] << 32 | words[0]; }

void TSR__ISA_NAME(tsr__uniform_f64)(const tsr__random_form *form, int n, const uint32_t *restrict words,
                                     void *restrict values) {
  double *const to = values;
  for (int i = 0; i < n; i++) {
    const double u = (double)(int64_t)(pair_of(&words[2 * i]) >> 11) * 0x1p-53;
    const double x = form->low + u * form->scale;
    to[i] = x > form->most ? form->most : x;
  }
}

void TSR__ISA_NAME(tsr__normal_f64)(const tsr__random_form *form, int n, const uint32_t *restrict words,
                                    void *restrict values) {
  const double mean = form->low, scale = form->scale;
  const int pairs = n / 2;
  double *const to = values;
  double radius[TSR__DRAW_WORDS / 4];
  for (int i = 0; i < pairs; i++) {
    const double u = (double)(int64_t)(pair_of(&words[4 * i]) >> 11) * 0x1p-53 + 0x1p-54;
    radius[i] = -2 * tsr__log_f64(u);
  }
  for (int i = 0; i < pairs; i++) radius[i] = __builtin_sqrt(radius[i]);
  for (int i = 0; i < pairs; i++) {
    const uint64_t bits = pair_of(&words[4 * i + 2]);
    const double part = (double)((int64_t)((bits >> 9) & (((uint64_t)1 << 53) - 1)) - ((int64_t)1 << 52)) * 0x1p-53;
    const double side = (bits >> 63) != 0 ? -radius[i] : radius[i];
    double c, s;
    tsr__sincos_quarter_f64(part, &c, &s);
    const int swap = (bits >> 62 & 1u) != 0;
    to[2 * i] = mean + scale * (side * (swap ? -s : c));
    to[2 * i + 1] = mean + scale * (side * (swap ? c : s));
  }
}
#endif
