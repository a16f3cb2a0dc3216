/* Products of f32 where flash counts more than time: tiles whose sums stay in registers. Steps in bytes. */
#ifndef TSR_OPS_MATMUL_PLAIN_F32_H
#define TSR_OPS_MATMUL_PLAIN_F32_H

#include <stddef.h>
#include <tessera/index.h>

enum { TSR__TILE_ROWS = 4, TSR__TILE_COLUMNS = 4 };

/* out[r][c] = Σ a[r] · b[c] over k, for four rows or one and four columns side by side: b's neighbours are one element
 * apart, and so are out's. */
typedef struct tsr__tile {
  const char *a, *b;
  ptrdiff_t a_row, a_step, b_step; /* from row to row; from a number of k to the next */
  tsr_index k;
  char *out;
  ptrdiff_t out_row;
} tsr__tile;

void tsr__tile_four(const tsr__tile *t);
void tsr__tile_one(const tsr__tile *t);

/* sums[0 … 3] = Σ a · (b, b + next, b + 2 · next, b + 3 · next), all of them contiguous along k. */
void tsr__tile_along(const float *a, const float *b, ptrdiff_t next, tsr_index k, float *sums);

/* Σ a · b. */
float tsr__tile_dot(const char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step, tsr_index k);

#endif
