/* Dots by hand: see smlad.h. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/dot.h"

#if defined(TSR__SMLAD)

/* ---- one patch, four filters ---- */

/* A filter is taken apart; the patch is pairs already. */
#define ONE_FILTER(sum, at)                            \
  "ldr %[y], " at                                      \
  "\n sxtb16 %[t], %[y]\n sxtb16 %[y], %[y], ror #8\n" \
  "smlad %[" sum "], %[x0], %[t], %[" sum "]\n smlad %[" sum "], %[x1], %[y], %[" sum "]\n"
#define FOUR_FILTERS                                                                                          \
  "ldrd %[x0], %[x1], [%[p]], #8\n" ONE_FILTER("s1", "[%[w], %[n]]") ONE_FILTER("s2", "[%[w], %[n], lsl #1]") \
      ONE_FILTER("s3", "[%[w], %[n3]]") ONE_FILTER("s0", "[%[w]], #4")

/* 44 instructions for 32 products. A function of its own, so that every operand has a register. */
void tsr__smlad_dots(const char *p, const char *w, ptrdiff_t next, tsr_index k, int32_t *sums) {
  int32_t s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
  const char *const end = p + (size_t)k / 8 * 16;
  uint32_t x0, x1, y, t;
#define OPERANDS                                                                                        \
  [p] "+r"(p), [w] "+r"(w), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [x0] "=&r"(x0), \
      [x1] "=&r"(x1), [y] "=&r"(y), [t] "=&r"(t) : [n] "r"(next), [n3] "r"(3 * next), [end] "r"(end) : "cc", "memory"
  if (p != end) __asm__ volatile("1:\n" FOUR_FILTERS FOUR_FILTERS "cmp %[p], %[end]\n bne 1b\n" : OPERANDS);
  if ((k & 4) != 0) __asm__ volatile(FOUR_FILTERS : OPERANDS);
#undef OPERANDS
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
  for (; (k & 3) != 0;
       k--, p += sizeof(int16_t), w++) { /* the rest, a number at a time: seldom more than one of a layer */
    const int32_t number = *(const int16_t *)(const void *)p;
    const int8_t *at = (const int8_t *)w;
    for (int i = 0; i < 4; i++, at += next) sums[i] += number * *at;
  }
}

/* ---- four patches, every filter ---- */

/* r0 patches, r1 filters, r2 and r3 four of the filter, r4 … r7 sums, r8 … r11 of two patches, r12 end; lr is f.
 * Between filters r3 is i. The first products are added to the bias, which is in r7. */
#define GROUP(a, b, c, d)                                                          \
  "ldr r3, [r1], #4\n ldm r0!, {r8-r11}\n sxtb16 r2, r3\n sxtb16 r3, r3, ror #8\n" \
  "smlad r4, r8, r2, " a "\n smlad r5, r10, r2, " b                                \
  "\n smlad r4, r9, r3, r4\n smlad r5, r11, r3, r5\n"                              \
  "ldm r0!, {r8-r11}\n"                                                            \
  "smlad r6, r8, r2, " c "\n smlad r7, r10, r2, " d "\n smlad r6, r9, r3, r6\n smlad r7, r11, r3, r7\n"
#define FIRST GROUP("r7", "r7", "r7", "r7")
#define MORE GROUP("r4", "r5", "r6", "r7")
#define BEGIN                                                                                     \
  "push {r4-r11, lr}\n mov lr, r0\n ldr r1, [lr, #48]\n ldr r3, [lr, #36]\n ldr r12, [lr, #32]\n" \
  "1: ldrd r0, r2, [lr, #16]\n ldr r7, [r2, r3, lsl #2]\n"
#define SIXTEENS FIRST MORE MORE MORE "cmp r0, r12\n beq 3f\n 2:\n" MORE MORE MORE MORE "cmp r0, r12\n bne 2b\n 3:\n"
/* half a unit and the zero point where the high word is; then the shift but for one bit */
#if TSR__ROUND_TWICE
#define EACH(of) of("r4") of("r5") of("r6") of("r7")
#define TWICE(r)                                                                                                       \
  "lsl " r ", " r ", #1\n smmulr " r ", " r ", r8\n add " r ", " r ", " r ", asr #31\n add " r ", " r ", r10\n asr " r \
  ", r9\n"
#define SCALE                                          \
  "ldrd r3, r10, [lr, #36]\n ldrd r8, r9, [lr, #24]\n" \
  "ldr r9, [r9, r3, lsl #2]\n ldr r8, [r8, r3, lsl #2]\n sub r9, #32\n lsl r10, r10, r9\n" EACH(TWICE)
#else
#define SCALE                                                                                       \
  "ldrd r3, r10, [lr, #36]\n ldrd r8, r9, [lr, #24]\n"                                              \
  "ldr r9, [r9, r3, lsl #2]\n ldr r8, [r8, r3, lsl #2]\n sub r9, #33\n lsl r10, r10, r9\n"          \
  "smmla r4, r4, r8, r10\n smmla r5, r5, r8, r10\n smmla r6, r6, r8, r10\n smmla r7, r7, r8, r10\n" \
  "asr r4, r9\n asr r5, r9\n asr r6, r9\n asr r7, r9\n"
#endif
#define SIGNED "ssat r4, #8, r4, asr #1\n ssat r5, #8, r5, asr #1\n ssat r6, #8, r6, asr #1\n ssat r7, #8, r7, asr #1\n"
#define CLAMPED                                                                                             \
  "usat r4, #8, r4, asr #1\n usat r5, #8, r5, asr #1\n usat r6, #8, r6, asr #1\n usat r7, #8, r7, asr #1\n" \
  "ldrd r2, r8, [lr, #56]\n"                                                                                \
  "uqadd8 r4, r4, r2\n uqadd8 r5, r5, r2\n uqadd8 r6, r6, r2\n uqadd8 r7, r7, r2\n"                         \
  "add r4, r8\n add r5, r8\n add r6, r8\n add r7, r8\n"
#define STORE(at) "strb r4, [r8, " at "]\n strb r5, [r9, " at "]\n strb r6, [r10, " at "]\n strb r7, [r11, " at "]\n"
#define STORE_BESIDE "ldm lr, {r8-r11}\n" STORE("r3")
#define STORE_ANYWHERE "ldr r2, [lr, #44]\n ldm lr, {r8-r11}\n mul r2, r3, r2\n" STORE("r2")
#define END "adds r3, #1\n str r3, [lr, #36]\n bne 1b\n pop {r4-r11, pc}\n"

__attribute__((naked)) void tsr__smlad_four_signed(tsr__smlad_four *f __attribute__((unused))) {
  __asm__ volatile(BEGIN SIXTEENS SCALE SIGNED STORE_BESIDE END);
}

__attribute__((naked)) void tsr__smlad_four_clamped(tsr__smlad_four *f __attribute__((unused))) {
  __asm__ volatile(BEGIN SIXTEENS SCALE CLAMPED STORE_ANYWHERE END);
}

__attribute__((naked)) void tsr__smlad_four_any(tsr__smlad_four *f __attribute__((unused))) {
  __asm__ volatile(BEGIN
                   "mov r4, r7\n mov r5, r7\n mov r6, r7\n b 3f\n"
                   "2:\n" MORE
                   "3: cmp r0, r12\n bne 2b\n"
                   "ldr r2, [lr, #52]\n b 5f\n"
                   "4: ldrsb r3, [r1], #1\n ldm r0!, {r8, r9}\n"
                   "smlabb r4, r8, r3, r4\n smlatb r5, r8, r3, r5\n"
                   "smlabb r6, r9, r3, r6\n smlatb r7, r9, r3, r7\n"
                   "5: subs r2, #1\n bpl 4b\n" SCALE CLAMPED STORE_ANYWHERE END);
}

/* ---- what follows sums ---- */

void tsr__smlad_end(const tsr__smlad_ends *e, tsr_index n, const int32_t *sums, char *out) {
  const int32_t *multiplier = e->multiplier, *shift = e->shift, *const end = sums + n;
  const int32_t zero = e->zero, above = e->above, below = e->below;
  const ptrdiff_t step = e->step;
  for (; sums != end; out += step) {
    const int32_t down = *shift++ - (TSR__FIXED_HIGH - TSR__ROUND_TWICE);
    int32_t y = (int32_t)((uint32_t)zero << down);
#if TSR__ROUND_TWICE
    const int32_t x = tsr__fixed_step(*sums++, *multiplier++);
    y += x - (x < 0);
    __asm__("asr %[y], %[y], %[down]\n usat %[y], #8, %[y], asr #1\n uqadd8 %[y], %[y], %[above]"
            : [y] "+r"(y)
            : [down] "r"(down), [above] "r"(above));
#else
    __asm__(
        "smmla %[y], %[sum], %[m], %[y]\n asr %[y], %[y], %[down]\n usat %[y], #8, %[y], asr #1\n uqadd8 %[y], %[y], "
        "%[above]"
        : [y] "+r"(y)
        : [sum] "r"(*sums++), [m] "r"(*multiplier++), [down] "r"(down), [above] "r"(above));
#endif
    *out = (char)(y + below);
  }
}

_Static_assert(offsetof(tsr__smlad_four, patches) == 16 && offsetof(tsr__smlad_four, multiplier) == 24 &&
                   offsetof(tsr__smlad_four, end) == 32 && offsetof(tsr__smlad_four, i) == 36 &&
                   offsetof(tsr__smlad_four, zero) == 40 && offsetof(tsr__smlad_four, step) == 44 &&
                   offsetof(tsr__smlad_four, w) == 48 && offsetof(tsr__smlad_four, rest) == 52 &&
                   offsetof(tsr__smlad_four, above) == 56,
               "the instructions above count on these");

#endif
