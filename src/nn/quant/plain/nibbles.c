/* Weights of 4 bits: see nibbles.h. */
#include "cpu/fast_when_small.h"

#include "cpu/dsp.h"
#include "nn/quant/plain/nibbles.h"

#include <string.h>

#if defined(TSR__MVE)

/* Whole words are read: what lies past the numbers is their filter's. */
void tsr__q_nibbles(tsr_index n, const int8_t *from, int8_t *to) {
  for (tsr_index words = (n + 7) / 8; words > 0; words -= 4, from += 16, to += 32) {
    const uint8x16_t v =
        vreinterpretq_u8_u32(vldrwq_z_u32((const uint32_t *)(const void *)from, vctp32q((uint32_t)words)));
    const uint8x16_t low = vsubq_n_u8(vandq_u8(v, vdupq_n_u8(15)), 8), high = vsubq_n_u8(vshrq_n_u8(v, 4), 8);
    const uint32x4x2_t both = {{vreinterpretq_u32_u8(low), vreinterpretq_u32_u8(high)}};
    vst2q_u32((uint32_t *)(void *)to, both);
  }
}

#else

/* Four numbers in the low halves of bytes: v - 8 of each, by a sum that does not leave its byte. */
static inline uint32_t four_of(uint32_t v) { return ((v & 0x0f0f0f0fu) + 0x78787878u) ^ 0x80808080u; }

static inline void eight(const int8_t *from, int8_t *to) {
  uint32_t v;
  memcpy(&v, from, sizeof v);
  const uint32_t low = four_of(v), high = four_of(v >> 4);
  memcpy(to, &low, sizeof low);
  memcpy(to + 4, &high, sizeof high);
}

void tsr__q_nibbles(tsr_index n, const int8_t *from, int8_t *to) {
  for (; n >= 32; n -= 32, from += 16, to += 32) {
    eight(from, to);
    eight(from + 4, to + 8);
    eight(from + 8, to + 16);
    eight(from + 12, to + 24);
  }
  for (; n > 0; n -= 8, from += 4, to += 8) eight(from, to);
}

#endif
