/* The kernels of random numbers. Only + − × ÷ √ and integers: the same bits on every instruction set. */
#include "ops/random/elementary.h"
#include "ops/random/random.h"

void TSR__ISA_NAME(tsr__random_words)(uint64_t key, uint32_t stream, tsr__width width, uint64_t first, int count,
                                      uint32_t *restrict words) {
  for (int i = 0; i < count; i++) {
    const tsr__philox block = tsr__random_block(key, stream, width, 0, first + (uint64_t)(unsigned)i);
    words[4 * i] = block.word[0];
    words[4 * i + 1] = block.word[1];
    words[4 * i + 2] = block.word[2];
    words[4 * i + 3] = block.word[3];
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
  const int   pairs = n / 2;
  float *const to = values;
  float radius[TSR__DRAW_WORDS / 2];
  for (int i = 0; i < pairs; i++) {
    const float u = (float)(int32_t)(words[2 * i] >> 1) * 0x1p-31f + 0x1p-32f;
    radius[i] = -2 * tsr__log_f32(u);
  }
  for (int i = 0; i < pairs; i++) radius[i] = __builtin_sqrtf(radius[i]);
  for (int i = 0; i < pairs; i++) { /* the upper two bits are a quarter of the circle, the others a part of it */
    const uint32_t bits = words[2 * i + 1];
    const float    part = (float)((int32_t)(bits & 0x3fffffffu) - (1 << 29)) * 0x1p-30f;
    const float    side = (bits >> 31) != 0 ? -radius[i] : radius[i];
    float          c, s;
    tsr__turn_f32(part, &c, &s);
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
  const int    pairs = n / 2;
  double *const to = values;
  double radius[TSR__DRAW_WORDS / 4];
  for (int i = 0; i < pairs; i++) {
    const double u = (double)(int64_t)(pair_of(&words[4 * i]) >> 11) * 0x1p-53 + 0x1p-54;
    radius[i] = -2 * tsr__log_f64(u);
  }
  for (int i = 0; i < pairs; i++) radius[i] = __builtin_sqrt(radius[i]);
  for (int i = 0; i < pairs; i++) {
    const uint64_t bits = pair_of(&words[4 * i + 2]);
    const double   part = (double)((int64_t)((bits >> 9) & (((uint64_t)1 << 53) - 1)) - ((int64_t)1 << 52)) * 0x1p-53;
    const double   side = (bits >> 63) != 0 ? -radius[i] : radius[i];
    double         c, s;
    tsr__turn_f64(part, &c, &s);
    const int swap = (bits >> 62 & 1u) != 0;
    to[2 * i] = mean + scale * (side * (swap ? -s : c));
    to[2 * i + 1] = mean + scale * (side * (swap ? c : s));
  }
}
#endif
