/* Windows of bytes: see window.h.
 *
 * A mean is floor((2 · sum + count) / (2 · count)). Sums are made positive first, by the least number of the dtype; then it
 * is floor(n · r / 2^31) with n = 2 · sum + count ≤ 511 · count and r = 2^31 / (2 · count) rounded up, which is exact: r is
 * too large by less than 1, so the product by less than n / 2^31, and that is less than 1 / (2 · count) up to 1449. Where
 * halves of negative means go down (TSR__ROUND_TWICE), n is less by 1. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/window.h"

#if TSR__Q_WINDOWS && defined(TSR__SMLAD)

/* Numbers of four channels, one window after the other. */
#define EACH_FOUR(...)                                           \
  for (tsr_index r = w->rows; r > 0; r--, x += w->down) {        \
    const char *at = x;                                          \
    for (tsr_index c = w->columns; c > 0; c--, at += w->right) { \
      uint32_t four;                                             \
      memcpy(&four, at, sizeof four);                            \
      __asm__(__VA_ARGS__);                                      \
    }                                                            \
  }
#define MAX_FOUR(subtract) \
  EACH_FOUR(subtract " %[t], %[v], %[x]\n sel %[v], %[v], %[x]" : [v] "+r"(v), [t] "=&r"(differences) : [x] "r"(four))
#define ADD_FOUR(add) \
  EACH_FOUR(add " %[e], %[e], %[x]\n " add " %[o], %[o], %[x], ror #8" : [e] "+r"(even), [o] "+r"(odd) : [x] "r"(four))

static uint32_t max_four(const tsr__q_window *w, const char *x) {
  uint32_t v = w->sign ? 0x80808080u : 0, differences;
  if (w->sign)
    MAX_FOUR("ssub8")
  else
    MAX_FOUR("usub8")
  return v;
}

/* sum: of 16 bits. */
static inline char mean_of(const tsr__q_window *w, int32_t sum) {
  const int32_t n = w->offset + 2 * sum - (TSR__ROUND_TWICE && sum + w->rest < 0);
  return (char)((int64_t)(2 * n) * w->reciprocal >> 32);
}

static void mean_four(const tsr__q_window *w, const char *x, char *out) {
  uint32_t even = 0, odd = 0;
  if (w->sign) {
    ADD_FOUR("sxtab16")
    out[0] = (char)(mean_of(w, (int16_t)even) - 128);
    out[1] = (char)(mean_of(w, (int16_t)odd) - 128);
    out[2] = (char)(mean_of(w, (int32_t)even >> 16) - 128);
    out[3] = (char)(mean_of(w, (int32_t)odd >> 16) - 128);
    return;
  }
  ADD_FOUR("uxtab16")
  out[0] = mean_of(w, (uint16_t)even);
  out[1] = mean_of(w, (uint16_t)odd);
  out[2] = mean_of(w, (int32_t)(even >> 16));
  out[3] = mean_of(w, (int32_t)(odd >> 16));
}

/* The last four channels are done twice where they are not whole. */
static inline tsr_index next_of(tsr_index c, tsr_index last) { return c + 4 < last || c == last ? c + 4 : last; }

void tsr__q_window_max(const tsr__q_window *w, const char *x, char *out) {
  const tsr_index last = w->channels - 4;
  for (tsr_index c = 0; c <= last; c = next_of(c, last)) {
    const uint32_t v = max_four(w, x + c);
    memcpy(out + c, &v, sizeof v);
  }
}

void tsr__q_window_mean(const tsr__q_window *w, const char *x, char *out) {
  const tsr_index last = w->channels - 4;
  for (tsr_index c = 0; c <= last; c = next_of(c, last)) mean_four(w, x + c, out + c);
}

#elif TSR__Q_WINDOWS && defined(TSR__MVE)

#define EACH(step)                                                   \
  for (tsr_index r = w->rows; r > 0; r--, x += w->down) {            \
    const char *at = x;                                              \
    for (tsr_index c = w->columns; c > 0; c--, at += w->right) step; \
  }

/* n channels, at most 16. */
static void max_part(const tsr__q_window *w, tsr_index n, const char *x, char *out) {
  const mve_pred16_t some = vctp8q((uint32_t)n);
  if (w->sign) {
    int8x16_t v = vdupq_n_s8(-128);
    EACH(v = vmaxq_s8(v, vldrbq_z_s8((const int8_t *)at, some)))
    vstrbq_p_s8((int8_t *)out, v, some);
  } else {
    uint8x16_t v = vdupq_n_u8(0);
    EACH(v = vmaxq_u8(v, vldrbq_z_u8((const uint8_t *)at, some)))
    vstrbq_p_u8((uint8_t *)out, v, some);
  }
}

static inline void max_whole(const tsr__q_window *w, const char *x, char *out) {
  int8x16_t v = vdupq_n_s8(-128);
  EACH(v = vmaxq_s8(v, vldrbq_s8((const int8_t *)at)))
  vstrbq_s8((int8_t *)out, v);
}

void tsr__q_window_max(const tsr__q_window *w, const char *x, char *out) {
  tsr_index n = w->channels;
  for (; w->sign && n >= 16; n -= 16, x += 16, out += 16) max_whole(w, x, out);
  for (; n > 0; n -= 16, x += 16, out += 16) max_part(w, n, x, out);
}

/* Sums twice as they are, of channels with even numbers and of those with odd ones. */
static inline int16x8_t mean_of(const tsr__q_window *w, int32x4_t even, int32x4_t odd) {
#if TSR__ROUND_TWICE
  even = vaddq_s32(even, vshrq_n_s32(vaddq_n_s32(even, 2 * w->rest), 31));
  odd = vaddq_s32(odd, vshrq_n_s32(vaddq_n_s32(odd, 2 * w->rest), 31));
#endif
  even = vqdmulhq_n_s32(vaddq_n_s32(even, w->offset), w->reciprocal);
  odd = vqdmulhq_n_s32(vaddq_n_s32(odd, w->offset), w->reciprocal);
  return vmovntq_s32(vreinterpretq_s16_s32(even), odd);
}

/* n channels, at most 8. */
static void mean_part(const tsr__q_window *w, tsr_index n, const char *x, char *out) {
  const mve_pred16_t some = vctp16q((uint32_t)n);
  int16x8_t y;
  if (w->sign) {
    int16x8_t v = vdupq_n_s16(0);
    EACH(v = vaddq_s16(v, vldrbq_z_s16((const int8_t *)at, some)))
    y = vsubq_n_s16(mean_of(w, vshllbq_n_s16(v, 1), vshlltq_n_s16(v, 1)), 128);
  } else {
    uint16x8_t v = vdupq_n_u16(0);
    EACH(v = vaddq_u16(v, vldrbq_z_u16((const uint8_t *)at, some)))
    y = mean_of(w, vreinterpretq_s32_u32(vshllbq_n_u16(v, 1)), vreinterpretq_s32_u32(vshlltq_n_u16(v, 1)));
  }
  vstrbq_p_s16((int8_t *)out, y, some);
}

void tsr__q_window_mean(const tsr__q_window *w, const char *x, char *out) {
  for (tsr_index n = w->channels; n > 0; n -= 8, x += 8, out += 8) mean_part(w, n, x, out);
}

#elif TSR__Q_WINDOWS

enum { CHANNELS = 32 }; /* at a time */

/* On the way through the numbers of a window. */
typedef struct places {
  const char *row, *at;
  tsr_index rows, columns; /* that are left */
} places;

/* The next count of them; fill in place of those that are not there. */
static void next_places(const tsr__q_window *w, int count, const char *fill, places *p, const char **next) {
  for (int k = 0; k < count; k++) {
    next[k] = p->rows > 0 ? p->at : fill;
    p->at += w->right;
    if (--p->columns > 0) continue;
    p->at = p->row += w->down;
    p->columns = w->columns;
    p->rows--;
  }
}

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define MAX_FOUR(type)                                                                                           \
  const type *a = (const type *)x[0], *b = (const type *)x[1], *c = (const type *)x[2], *d = (const type *)x[3]; \
  type *to = (type *)out;                                                                                        \
  for (const type *const end = a + n; a != end; a++, b++, c++, d++, to++) {                                      \
    const int32_t p = *a, q = *b, r = *c, s = *d, first = LARGER(p, q), second = LARGER(r, s);                   \
    *to = (type)LARGER(first, second);                                                                           \
  }
#define ADD_FOUR(type, begin)                                                                                    \
  const type *a = (const type *)x[0], *b = (const type *)x[1], *c = (const type *)x[2], *d = (const type *)x[3]; \
  for (const type *const end = a + n; a != end; v++) *v = begin + *a++ + *b++ + *c++ + *d++;

static void max_i8(tsr_index n, const char *const *x, char *out) { MAX_FOUR(int8_t) }
static void max_u8(tsr_index n, const char *const *x, char *out) { MAX_FOUR(uint8_t) }
static void sum_i8(int n, const char *const *x, int32_t *v) { ADD_FOUR(int8_t, 0) }
static void sum_u8(int n, const char *const *x, int32_t *v) { ADD_FOUR(uint8_t, 0) }
static void add_i8(int n, const char *const *x, int32_t *v) { ADD_FOUR(int8_t, *v) }
static void add_u8(int n, const char *const *x, int32_t *v) { ADD_FOUR(uint8_t, *v) }

/* After the first four, three at a time and what there is so far. */
void tsr__q_window_max(const tsr__q_window *w, const char *x, char *out) {
  places p = {x, x, w->rows, w->columns};
  const char *four[4];
  next_places(w, 4, x, &p, four);
  (w->sign ? max_i8 : max_u8)(w->channels, four, out);
  while (p.rows > 0) {
    next_places(w, 3, out, &p, four);
    four[3] = out;
    (w->sign ? max_i8 : max_u8)(w->channels, four, out);
  }
}

static void end_means(const tsr__q_window *w, int n, const int32_t *v, char *out) {
  const int32_t low = w->sign ? -128 : 0, offset = w->offset, reciprocal = w->reciprocal;
  for (const int32_t *const end = v + n; v != end; v++) {
    const int32_t twice = 2 * (offset + 2 * *v - (TSR__ROUND_TWICE && *v + w->rest < 0));
    *out++ = (char)((int32_t)((int64_t)twice * reciprocal >> 32) + low);
  }
}

/* n channels, at most CHANNELS. */
static void mean_part(const tsr__q_window *w, int n, const char *x, char *out) {
  static const char zeros[CHANNELS] = {0};
  places p = {x, x, w->rows, w->columns};
  const char *four[4];
  int32_t v[CHANNELS];
  next_places(w, 4, zeros, &p, four);
  (w->sign ? sum_i8 : sum_u8)(n, four, v);
  while (p.rows > 0) {
    next_places(w, 4, zeros, &p, four);
    (w->sign ? add_i8 : add_u8)(n, four, v);
  }
  end_means(w, n, v, out);
}

void tsr__q_window_mean(const tsr__q_window *w, const char *x, char *out) {
  for (tsr_index left = w->channels; left > 0; left -= CHANNELS, x += CHANNELS, out += CHANNELS)
    mean_part(w, left < CHANNELS ? (int)left : CHANNELS, x, out);
}

#endif
