/* Four outputs by four filters, two by four, or four by one: each number that is loaded meets the others in registers.
 * The order of the sums is that of the plain loops. Vectors: blocks_mve.c. */
#include "nn/conv/blocks.h"

#if !TSR_HAVE_MALLOC && !TSR__CONV_BLOCKS_IN_VECTORS
#include "cpu/math/bits.h"
#include "cpu/vec/vec.h"

enum { SIDE = TSR__CONV_BLOCK };

/* One tap. With as many pointers into x as outputs, or one for all where they lie side by side. */
TSR__INLINE void tap(const int pointers, const int outputs, const int filters, const float *const *x,
                     const float *const *w, float (*sum)[SIDE]) {
  float v[SIDE];
  TSR__UNROLL(4)
  for (int p = 0; p < outputs; p++) v[p] = pointers == 1 ? x[0][p] : *x[p];
  TSR__UNROLL(4)
  for (int f = 0; f < filters; f++) {
    const float weight = *w[f];
    TSR__UNROLL(4)
    for (int p = 0; p < outputs; p++) sum[f][p] = tsr__fma_f32(v[p], weight, sum[f][p]);
  }
}

/* The compiler is not to know what a register holds: it would keep the beginning of each line beside where it is, and
 * steps that are used once a line, and there are not so many registers. */
#define FORGET(value) __asm__("" : "+r"(value))

TSR__INLINE void advance(const int count, const float **at, tsr_index step) {
  TSR__UNROLL(4)
  for (int k = 0; k < count; k++) {
    at[k] += step;
    FORGET(at[k]);
  }
}

TSR__INLINE void block(const tsr__conv_block *b, const int pointers, const int outputs, const int filters,
                       const tsr_index dx, const tsr_index dw) {
  const float *x[SIDE], *w[SIDE];
  float sum[SIDE][SIDE];
  TSR__UNROLL(4)
  for (int p = 0; p < pointers; p++) x[p] = b->x[p];
  TSR__UNROLL(4)
  for (int f = 0; f < filters; f++) {
    w[f] = b->w[f];
    TSR__UNROLL(4)
    for (int p = 0; p < outputs; p++) sum[f][p] = b->start[f];
  }
  tsr_index planes = b->count[0];
  do {
    tsr_index lines = b->count[1];
    do {
      tsr_index taps = b->count[2];
      do {
        tap(pointers, outputs, filters, x, w, sum);
        advance(pointers, x, dx);
        advance(filters, w, dw);
      } while (--taps != 0);
      FORGET(b);
      advance(pointers, x, b->x_step[1]);
      advance(filters, w, b->w_step[1]);
    } while (--lines != 0);
    advance(pointers, x, b->x_step[0]);
    advance(filters, w, b->w_step[0]);
  } while (--planes != 0);
  TSR__UNROLL(4)
  for (int p = 0; p < outputs; p++) {
    float *to = b->out[p];
    TSR__UNROLL(4)
    for (int f = 0; f < filters; f++, to += b->o_step) *to = sum[f][p];
  }
}

/* Steps that are constants cost nothing: the loads advance by themselves. */
static void four_beside(const tsr__conv_block *b) { block(b, 1, SIDE, SIDE, b->x_step[2], 1); }
static void four_contiguous(const tsr__conv_block *b) { block(b, SIDE, SIDE, SIDE, 1, 1); }
static void four_strided(const tsr__conv_block *b) { block(b, SIDE, SIDE, SIDE, b->x_step[2], b->w_step[2]); }
static void pair_contiguous(const tsr__conv_block *b) { block(b, 2, 2, SIDE, 1, 1); }
static void pair_strided(const tsr__conv_block *b) { block(b, 2, 2, SIDE, b->x_step[2], b->w_step[2]); }

static void four(const tsr__conv_block *b) {
  const float *const *const x = b->x;
  if (b->w_step[2] != 1)
    four_strided(b);
  else if (x[1] == x[0] + 1 && x[2] == x[0] + 2 && x[3] == x[0] + 3)
    four_beside(b);
  else
    (b->x_step[2] == 1 ? four_contiguous : four_strided)(b);
}

static void pair(const tsr__conv_block *b) {
  (b->x_step[2] == 1 && b->w_step[2] == 1 ? pair_contiguous : pair_strided)(b);
}
static void one(const tsr__conv_block *b) { block(b, SIDE, SIDE, 1, b->x_step[2], b->w_step[2]); }

const tsr__conv_blocks TSR__ISA_NAME(tsr__conv_blocks) = {four, pair, one};
#else
typedef int tsr__conv_blocks_none; /* a file has to declare something */
#endif
