/* Depthwise filters by vectors of bytes: sums of channels with even numbers apart from those with odd ones, because that is
 * how products of 16 bits come; they meet again in the results. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/plain.h"

#if defined(TSR__MVE)

/* Eight channels of a tap, from number from on: products of 16 bits, sums of 32. */
#define EIGHT(from, even, odd)                                          \
  "vldrb.s16 %q[x], [%[p], #" from "]\n vldrb.s16 %q[y], [%[w], #" from \
  "]\n"                                                                 \
  "vmullb.s16 %q[t], %q[x], %q[y]\n vmullt.s16 %q[x], %q[x], %q[y]\n"   \
  "vadd.i32 %q[" even "], %q[" even "], %q[t]\n vadd.i32 %q[" odd "], %q[" odd "], %q[x]\n"
#define EACH_TAP(eights) \
  "dls lr, %[count]\n 1: ldr %[p], [%[taps]], #4\n add %[p], %[at]\n" eights "add %[w], %[next]\n le lr, 1b\n"

typedef struct depthwise_sums {
  int32x4x2_t s[2];
} depthwise_sums;

/* What is the same for all channels. */
typedef struct depthwise {
  const uintptr_t *taps;
  uintptr_t at;
  int count;
  tsr_index next;
  const int8_t *w;
  tsr__mve_filters ends;
} depthwise;

static inline void add_sixteen(const depthwise *d, tsr_index first, depthwise_sums *sums) {
  const uintptr_t *taps = d->taps;
  const int8_t *w = d->w + first;
  int32x4_t a = sums->s[0].val[0], b = sums->s[0].val[1], c = sums->s[1].val[0], e = sums->s[1].val[1], x, y, t;
  uintptr_t p;
  __asm__ volatile(EACH_TAP(EIGHT("0", "a", "b") EIGHT("8", "c", "e"))
                   : [a] "+w"(a), [b] "+w"(b), [c] "+w"(c), [e] "+w"(e), [x] "=&w"(x), [y] "=&w"(y), [t] "=&w"(t),
                     [p] "=&l"(p), [taps] "+r"(taps), [w] "+l"(w)
                   : [count] "r"(d->count), [at] "r"(d->at + (uintptr_t)first), [next] "r"(d->next)
                   : "lr", "memory");
  sums->s[0] = (int32x4x2_t){{a, b}};
  sums->s[1] = (int32x4x2_t){{c, e}};
}

static inline void add_eight(const depthwise *d, tsr_index first, depthwise_sums *sums) {
  const uintptr_t *taps = d->taps;
  const int8_t *w = d->w + first;
  int32x4_t a = sums->s[0].val[0], b = sums->s[0].val[1], x, y, t;
  uintptr_t p;
  __asm__ volatile(
      EACH_TAP(EIGHT("0", "a", "b"))
      : [a] "+w"(a), [b] "+w"(b), [x] "=&w"(x), [y] "=&w"(y), [t] "=&w"(t), [p] "=&l"(p), [taps] "+r"(taps), [w] "+l"(w)
      : [count] "r"(d->count), [at] "r"(d->at + (uintptr_t)first), [next] "r"(d->next)
      : "lr", "memory");
  sums->s[0] = (int32x4x2_t){{a, b}};
}

/* Results of eight channels. */
static inline void end_eight(const tsr__mve_filters *e, tsr_index first, int32x4x2_t s, char *out) {
  const int32x4x2_t multiplier = vld2q_s32(e->multiplier + first), shift = vld2q_s32(e->shift + first);
  const int32x4_t even = vaddq_n_s32(tsr__mve_scaled(s.val[0], multiplier.val[0], shift.val[0]), e->zero);
  const int32x4_t odd = vaddq_n_s32(tsr__mve_scaled(s.val[1], multiplier.val[1], shift.val[1]), e->zero);
  const int16x8_t y = vqmovntq_s32(vqmovnbq_s32(vdupq_n_s16(0), even), odd);
  const int16x8_t low = vdupq_n_s16((int16_t)e->low), high = vdupq_n_s16((int16_t)e->high);
  vstrbq_s16((int8_t *)out + first, vminq_s16(vmaxq_s16(y, low), high));
}

tsr_index tsr__mve_depthwise(const tsr__q_run *q, int count, const uintptr_t *x, uintptr_t at, char *out) {
  const tsr_index channels = q->c.o, step = channels < 16 ? 8 : 16, last = channels - step;
  if (channels < 8 || !q->short_ends || q->os[1] != 1 || q->layer->x_dtype != TSR_I8) return 0;
  const depthwise d = {x, at, count, channels, q->w, tsr__q_plain_mve_ends(q, 0, channels)};
  const int32_t *const bias = q->table[TSR__Q_BIAS];
  for (tsr_index first = 0;; first = first + step < last ? first + step : last) { /* some are done twice */
    depthwise_sums s;
    s.s[0] = vld2q_s32(bias + first);
    if (step == 16) {
      s.s[1] = vld2q_s32(bias + first + 8);
      add_sixteen(&d, first, &s);
      end_eight(&d.ends, first + 8, s.s[1], out);
    } else {
      add_eight(&d, first, &s);
    }
    end_eight(&d.ends, first, s.s[0], out);
    if (first == last) return channels;
  }
}

#endif
