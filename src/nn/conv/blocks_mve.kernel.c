/* Blocks of outputs and filters in vectors of four numbers (MVE). Where a filter's taps lie side by side with the numbers of x
 * that they meet, in lines of four and more, vectors run along them and are added up at the end; else a vector is four
 * outputs, or four filters, and the order of the sums is that of the plain loops. */
#include "nn/conv/blocks.h"

#if TSR__CONV_BLOCKS_IN_VECTORS

#include "cpu/vec/vec.h"
#include <string.h>

enum { SIDE = TSR__CONV_BLOCK };

/* ---- vectors along the taps ---- */

/* How far the pointers of two outputs, or filters, still have to go behind a line, whose last vector may reach past it. */
static tsr_index behind(const tsr__conv_block *b, tsr_index step) { return step - (-b->count[2] & (SIDE - 1)); }

/* The four sums, each added up as (0 + 1) + (2 + 3): turned by way of the stack, so that one vector has them all. */
TSR__INLINE void store_two_by_two(const tsr__conv_block *b, int p, int f, float32x4_t s00, float32x4_t s01,
                                  float32x4_t s10, float32x4_t s11) {
  _Alignas(8) float sums[4 * SIDE];
  float *const low = b->out[p] + f * b->o_step, *const high = b->out[p + 1] + f * b->o_step;
  int32_t start[2]; /* by core registers, where compilers leave floats */
  memcpy(start, &b->start[f], sizeof start);
  const int32x4_t both = vsetq_lane_s32(start[1], vsetq_lane_s32(start[1], vdupq_n_s32(start[0]), 1), 3);
  vstrwq_f32(sums, s00);
  vstrwq_f32(sums + SIDE, s01);
  vstrwq_f32(sums + 2 * SIDE, s10);
  vstrwq_f32(sums + 3 * SIDE, s11);
  const float32x4x4_t v = vld4q_f32(sums);
  const float32x4_t all = vaddq_f32(vaddq_f32(v.val[0], v.val[1]), vaddq_f32(v.val[2], v.val[3]));
  const int32x4_t bits = vreinterpretq_s32_f32(vaddq_f32(vreinterpretq_f32_s32(both), all));
#define PUT(at, lane) memcpy(at, &(const int32_t){vgetq_lane_s32(bits, lane)}, sizeof(float))
  PUT(low, 0);
  PUT(low + b->o_step, 1);
  PUT(high, 2);
  PUT(high + b->o_step, 3);
#undef PUT
}

/* Outputs p and p + 1 with filters f and f + 1: 9 instructions for 16 products. */
static void two_by_two(const tsr__conv_block *b, int p, int f) {
  const float *x0 = b->x[p], *x1 = b->x[p + 1], *w0 = b->w[f], *w1 = b->w[f + 1];
  const tsr_index taps = b->count[2], x_line = behind(b, b->x_step[1]), w_line = behind(b, b->w_step[1]);
  const tsr_index x_plane = b->x_step[0], w_plane = b->w_step[0];
  float32x4_t s00 = vdupq_n_f32(0), s01 = s00, s10 = s00, s11 = s00;
  for (tsr_index planes = b->count[0]; planes > 0; planes--) {
    for (tsr_index lines = b->count[1]; lines > 0; lines--) {
      __asm__ volatile(
          "dlstp.32 lr, %[taps]\n"
          "1: vldrw.32 q0, [%[x0]], #16\n vldrw.32 q2, [%[w0]], #16\n vfma.f32 %q[s00], q0, q2\n"
          "vldrw.32 q1, [%[x1]], #16\n vfma.f32 %q[s10], q1, q2\n"
          "vldrw.32 q2, [%[w1]], #16\n vfma.f32 %q[s01], q0, q2\n vfma.f32 %q[s11], q1, q2\n"
          "letp lr, 1b\n"
          : [x0] "+r"(x0), [x1] "+r"(x1), [w0] "+r"(w0), [w1] "+r"(w1), [s00] "+w"(s00), [s01] "+w"(s01),
            [s10] "+w"(s10), [s11] "+w"(s11)
          : [taps] "r"(taps)
          : "lr", "q0", "q1", "q2", "memory");
      x0 += x_line;
      x1 += x_line;
      w0 += w_line;
      w1 += w_line;
    }
    x0 += x_plane;
    x1 += x_plane;
    w0 += w_plane;
    w1 += w_plane;
  }
  store_two_by_two(b, p, f, s00, s01, s10, s11);
}

/* ---- vectors across outputs or filters ---- */

/* Four numbers, side by side or at four places, tap by tap; behind lines and planes the steps of the block. */
typedef struct vector {
  const float *at;
  uint32x4_t places;
  const tsr_index *step;
} vector;

TSR__INLINE vector vector_of(const float *const *at, const tsr_index *step) {
  return (vector){at[0], vldrwq_u32((const uint32_t *)(const void *)at), step};
}

TSR__INLINE void move_on(vector *v, tsr_index step) {
  v->at += step;
  v->places = vaddq_n_u32(v->places, (uint32_t)step * (uint32_t)sizeof(float));
}

/* A line: sum[i] += v · s[i]. 12 instructions for 16 products. */
#define LINE(load, where)                                                                                           \
  __asm__ volatile(                                                                                                 \
      "dls lr, %[t]\n"                                                                                              \
      "1: " load                                                                                                    \
      "ldr %[t], [%[s0], %[i]]\n vfma.f32 %q[q0], q0, %[t]\n ldr %[t], [%[s1], %[i]]\n"                             \
      "vfma.f32 %q[q1], q0, %[t]\n ldr %[t], [%[s2], %[i]]\n vfma.f32 %q[q2], q0, %[t]\n"                           \
      "ldr %[t], [%[s3], %[i]]\n vfma.f32 %q[q3], q0, %[t]\n add %[i], %[i], %[ds]\n le lr, 1b\n"                   \
      : where, [i] "+r"(i), [t] "+r"(t), [q0] "+w"(sum[0]), [q1] "+w"(sum[1]), [q2] "+w"(sum[2]), [q3] "+w"(sum[3]) \
      : [dv] "r"(dv), [ds] "r"(ds), [s0] "r"(s[0]), [s1] "r"(s[1]), [s2] "r"(s[2]), [s3] "r"(s[3])                  \
      : "lr", "q0", "memory")

/* Four sums: sum[i] += v · s[i], over all lines and planes. */
TSR__INLINE void four_meet(const tsr__conv_block *b, const bool beside, vector *v, const float *const *from,
                           const tsr_index *s_step, float32x4_t *sum) {
  const tsr_index taps = b->count[2], line = s_step[1] + taps * s_step[2];
  const tsr_index dv = v->step[2] * (tsr_index)sizeof(float), ds = s_step[2] * (tsr_index)sizeof(float);
  const float *s[SIDE] = {from[0], from[1], from[2], from[3]};
  for (tsr_index planes = b->count[0]; planes > 0; planes--) {
    for (tsr_index lines = b->count[1]; lines > 0; lines--) {
      tsr_index i = 0;
      uint32_t t = (uint32_t)taps;
      if (beside)
        LINE("vldrw.32 q0, [%[at]]\n add %[at], %[at], %[dv]\n", [at] "+r"(v->at));
      else
        LINE("vldrw.u32 q0, [%q[places]]\n vadd.i32 %q[places], %q[places], %[dv]\n", [places] "+w"(v->places));
      TSR__UNROLL(4)
      for (int k = 0; k < SIDE; k++) s[k] += line;
      move_on(v, v->step[1]);
    }
    TSR__UNROLL(4)
    for (int k = 0; k < SIDE; k++) s[k] += s_step[0];
    move_on(v, v->step[0]);
  }
}
#undef LINE

static bool are_beside(const float *const *at) {
  return at[1] == at[0] + 1 && at[2] == at[0] + 2 && at[3] == at[0] + 3;
}

/* Lane p goes to output p of a filter. */
TSR__INLINE void store_outputs(const tsr__conv_block *b, tsr_index at, float32x4_t sum) {
  b->out[0][at] = vgetq_lane_f32(sum, 0);
  b->out[1][at] = vgetq_lane_f32(sum, 1);
  b->out[2][at] = vgetq_lane_f32(sum, 2);
  b->out[3][at] = vgetq_lane_f32(sum, 3);
}

__attribute__((noinline)) static void outputs_beside(const tsr__conv_block *b) {
  vector v = vector_of(b->x, b->x_step);
  float32x4_t sum[SIDE] = {vdupq_n_f32(b->start[0]), vdupq_n_f32(b->start[1]), vdupq_n_f32(b->start[2]),
                           vdupq_n_f32(b->start[3])};
  four_meet(b, true, &v, b->w, b->w_step, sum);
  const bool row = are_beside((const float *const *)b->out);
  TSR__UNROLL(4)
  for (int f = 0; f < SIDE; f++)
    if (row)
      vstrwq_f32(b->out[0] + f * b->o_step, sum[f]);
    else
      store_outputs(b, f * b->o_step, sum[f]);
}

TSR__INLINE void of_filters(const tsr__conv_block *b, const bool beside) {
  const float32x4_t start = vldrwq_f32(b->start);
  float32x4_t sum[SIDE] = {start, start, start, start};
  vector v = vector_of(b->w, b->w_step);
  four_meet(b, beside, &v, b->x, b->x_step, sum);
  const uint32x4_t to = vmulq_n_u32(vidupq_n_u32(0, 1), (uint32_t)b->o_step);
  TSR__UNROLL(4)
  for (int p = 0; p < SIDE; p++) vstrwq_scatter_shifted_offset_f32(b->out[p], to, sum[p]);
}

__attribute__((noinline)) static void filters_beside(const tsr__conv_block *b) { of_filters(b, true); }
__attribute__((noinline)) static void filters_anywhere(const tsr__conv_block *b) { of_filters(b, false); }

/* One filter. */
TSR__INLINE void one_meets(const tsr__conv_block *b, const bool beside) {
  vector v = vector_of(b->x, b->x_step);
  const float *w = b->w[0];
  const tsr_index dv = b->x_step[2], dw = b->w_step[2];
  float32x4_t sum = vdupq_n_f32(b->start[0]);
  for (tsr_index planes = b->count[0]; planes > 0; planes--) {
    for (tsr_index lines = b->count[1]; lines > 0; lines--) {
      for (tsr_index taps = b->count[2]; taps > 0; taps--) {
        sum = vfmaq_n_f32(sum, beside ? vldrwq_f32(v.at) : vldrwq_gather_base_f32(v.places, 0), *w);
        move_on(&v, dv);
        w += dw;
      }
      w += b->w_step[1];
      move_on(&v, b->x_step[1]);
    }
    w += b->w_step[0];
    move_on(&v, b->x_step[0]);
  }
  store_outputs(b, 0, sum);
}

static void one_beside(const tsr__conv_block *b) { one_meets(b, true); }
static void one_anywhere(const tsr__conv_block *b) { one_meets(b, false); }

/* ---- blocks ---- */

/* Numbers of a filter from which on vectors along them pay for adding them up at the end. */
enum { LONG = 64 };

static bool are_long_lines(const tsr__conv_block *b) {
  return b->x_step[2] == 1 && b->w_step[2] == 1 && b->count[2] >= SIDE &&
         b->count[0] * b->count[1] * b->count[2] >= LONG;
}

static void four(const tsr__conv_block *b) {
  if (are_beside(b->x))
    outputs_beside(b);
  else if (are_beside(b->w))
    filters_beside(b);
  else if (are_long_lines(b))
    for (int i = 0; i < SIDE; i++) two_by_two(b, i & 2, (i & 1) * 2);
  else
    filters_anywhere(b);
}

static void pair(const tsr__conv_block *b) {
  if (!are_long_lines(b)) {
    four(b); /* some are done twice */
    return;
  }
  two_by_two(b, 0, 0);
  two_by_two(b, 0, 2);
}

static void one(const tsr__conv_block *b) { (are_beside(b->x) ? one_beside : one_anywhere)(b); }

const tsr__conv_blocks TSR__ISA_NAME(tsr__conv_blocks) = {four, pair, one};
#else
typedef int tsr__conv_blocks_mve_none; /* a file has to declare something */
#endif
