/* Tiles in registers: each number of a row meets the vectors of a panel. One function for each height and width,
 * because the compiler can only keep in registers what has a fixed size. */
#include "nn/conv/tile.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

#include <stdbool.h>

enum { LANES = TSR__VF32_LANES };

#if TSR__VEC_REGISTERS == 32
enum { MOST_VECTORS = 4, ROWS_1 = 8, ROWS_2 = 8, ROWS_3 = 8, ROWS_4 = 6 };
#else
enum { MOST_VECTORS = 2, ROWS_1 = 8, ROWS_2 = 6, ROWS_3 = 0, ROWS_4 = 0 };
#endif

/* The last vector of a row is not whole: through memory. */
static void store_part(const tsr__conv_tile *t, float *const *out, int rows, const float *sums) {
  const tsr_index width = (tsr_index)t->vectors * LANES;
  for (int r = 0; r < rows; r++) memcpy(out[r] + t->out_first, sums + r * width, (size_t)t->columns * sizeof *sums);
}

TSR__INLINE void begin_tile(const tsr__conv_tile *t, int first, int rows, int vectors, tsr__vf32 sum[][4]) {
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(32)
    for (int j = 0; j < vectors; j++)
      sum[r][j] =
          t->bias_row != NULL ? tsr__vf32_all(t->bias_row[first + r]) : tsr__vf32_load(t->bias_column + j * LANES);
  }
}

TSR__INLINE void end_tile(const tsr__conv_tile *t, float *const *to, int rows, int vectors, tsr__vf32 sum[][4]) {
  if (t->limits != NULL) {
    const tsr__vf32 low = tsr__vf32_all(t->limits[0]), high = tsr__vf32_all(t->limits[1]);
    TSR__UNROLL(32)
    for (int r = 0; r < rows; r++) {
      TSR__UNROLL(32)
      for (int j = 0; j < vectors; j++) sum[r][j] = tsr__vf32_clamp(sum[r][j], low, high);
    }
  }
  float part[TSR__CONV_ROWS * 4 * LANES];
  const bool whole = t->columns == vectors * LANES;
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    float *out = to[r] + t->out_first;
    if (!whole) out = part + r * vectors * LANES;
    TSR__UNROLL(32)
    for (int j = 0; j < vectors; j++) tsr__vf32_store(out + j * LANES, sum[r][j]);
  }
  if (!whole) store_part(t, to, rows, part);
}

/* One step of K: row r meets b in x[r]. */
TSR__INLINE void step(const float *panel, int rows, int vectors, const float *const *a, tsr_index k,
                      tsr__vf32 sum[][4]) {
  tsr__vf32 b[4];
  TSR__UNROLL(32)
  for (int j = 0; j < vectors; j++) b[j] = tsr__vf32_load(panel + j * LANES);
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    const tsr__vf32 x = tsr__vf32_all(a[r][k]);
    TSR__UNROLL(32)
    for (int j = 0; j < vectors; j++) sum[r][j] = tsr__vf32_madd(x, b[j], sum[r][j]);
  }
}

TSR__INLINE void run_tile(const tsr__conv_tile *t, int first, int rows, int vectors) {
  tsr__vf32 sum[TSR__CONV_ROWS][4];
  const float *panel = t->panel, *a[TSR__CONV_ROWS], *const *const from = t->a + first;
  begin_tile(t, first, rows, vectors, sum);
  if (t->length == 1) { /* short taps, one by one: a loop in a loop would end too often for the branch predictor */
    TSR__UNROLL(32)
    for (int r = 0; r < rows; r++) {
      a[r] = from[r] + t->a_first;
      __asm__("" : "+r"(a[r])); /* a register of its own, not a sum that each step makes again */
    }
    for (tsr_index tap = 0; tap < t->taps; tap++, panel += vectors * LANES)
      step(panel, rows, vectors, a, t->offset[tap], sum);
  } else {
    for (tsr_index tap = 0; tap < t->taps; tap++) {
      TSR__UNROLL(32)
      for (int r = 0; r < rows; r++)
        a[r] = t->each != NULL ? t->each[tap * rows + r] : from[r] + (t->a_first + t->offset[tap]);
      for (tsr_index k = 0; k < t->length; k++, panel += vectors * LANES) step(panel, rows, vectors, a, k, sum);
    }
  }
  end_tile(t, t->out + first, rows, vectors, sum);
}

/* One after the other, as long as they are whole. */
TSR__INLINE void run_tiles(const tsr__conv_tile *t, int rows, int vectors) {
  for (int first = 0; first + rows <= t->rows; first += rows) run_tile(t, first, rows, vectors);
}

#define TILE(rows, vectors) \
  static void tile_##rows##_##vectors(const tsr__conv_tile *t) { run_tile(t, 0, rows, vectors); }
#define FULL(rows, vectors) \
  static void tile_##rows##_##vectors(const tsr__conv_tile *t) { run_tiles(t, rows, vectors); }
#define TILES_5(vectors) TILE(1, vectors) TILE(2, vectors) TILE(3, vectors) TILE(4, vectors) TILE(5, vectors)
#define NAMES_6(v) tile_1_##v, tile_2_##v, tile_3_##v, tile_4_##v, tile_5_##v, tile_6_##v

typedef void tile_fn(const tsr__conv_tile *t);

TILES_5(1)
TILE(6, 1)
TILE(7, 1)
FULL(8, 1)
TILES_5(2)
#if TSR__VEC_REGISTERS == 32
TILE(6, 2)
TILE(7, 2)
FULL(8, 2)
TILES_5(3)
TILE(6, 3)
TILE(7, 3)
FULL(8, 3)
TILES_5(4)
FULL(6, 4)
static tile_fn *const tiles[4][8] = {{NAMES_6(1), tile_7_1, tile_8_1},
                                     {NAMES_6(2), tile_7_2, tile_8_2},
                                     {NAMES_6(3), tile_7_3, tile_8_3},
                                     {NAMES_6(4), NULL, NULL}};
#else
FULL(6, 2)
static tile_fn *const tiles[2][8] = {{NAMES_6(1), tile_7_1, tile_8_1}, {NAMES_6(2), NULL, NULL}};
#endif

static void run_conv_tile(const tsr__conv_tile *t) {
  static const int most[] = {0, ROWS_1, ROWS_2, ROWS_3, ROWS_4};
  const int whole = t->rows - t->rows % most[t->vectors];
  tile_fn *const *const by_rows = tiles[t->vectors - 1]; /* by rows less one */
  if (whole > 0) by_rows[most[t->vectors] - 1](t);
  if (whole == t->rows) return;
  tsr__conv_tile rest = *t;
  rest.a = t->a != NULL ? t->a + whole : NULL;
  rest.out += whole;
  rest.rows -= whole;
  if (rest.bias_row != NULL) rest.bias_row += whole;
  by_rows[rest.rows - 1](&rest);
}

/* ---- panels of pixels ---- */

TSR__INLINE tsr__vf32 load_strided(const float *from, tsr_index n, tsr_index step) {
  float v[LANES];
  for (int i = 0; i < LANES; i++) v[i] = i < n ? from[i * step] : 0;
  return tsr__vf32_load(v);
}

/* Every second number. */
TSR__INLINE tsr__vf32 load_second(const float *from, tsr_index n) {
  const tsr_index span = 2 * n - 1, rest = span > LANES ? span - LANES : 0;
  return tsr__vf32_even(tsr__vf32_load_some(from, span), tsr__vf32_load_part(from + LANES, (int)rest));
}

TSR__INLINE tsr__vf32 load_run(const float *from, tsr_index n, tsr_index stride) {
  if (stride == 1) return tsr__vf32_load_some(from, n);
  return stride == 2 ? load_second(from, n) : load_strided(from, n, stride);
}

/* One run of every row. */
TSR__INLINE void gather_run(const tsr__conv_gather *g, const float *from, float *to, tsr_index count,
                            tsr_index stride) {
  const tsr_index whole = count / LANES * LANES, rest = count - whole;
  for (tsr_index k = 0; k < g->rows; k++, to += g->width) {
    const float *const at = from + g->offset[k];
    for (tsr_index i = 0; i < whole; i += LANES) tsr__vf32_store(to + i, load_run(at + i * stride, LANES, stride));
    if (rest > 0) tsr__vf32_store_part(to + whole, load_run(at + whole * stride, rest, stride), (int)rest);
  }
}

static void gather(const tsr__conv_gather *g) {
  float *to = g->to;
  for (int r = 0; r < g->runs; to += g->count[r++]) {
    if (g->step == 1)
      gather_run(g, g->from + g->start[r], to, g->count[r], 1);
    else if (g->step == 2)
      gather_run(g, g->from + g->start[r], to, g->count[r], 2);
    else
      gather_run(g, g->from + g->start[r], to, g->count[r], g->step);
  }
}

const tsr__conv_tiles TSR__ISA_NAME(tsr__conv_tiles) = {.lanes = LANES,
                                                        .vectors = MOST_VECTORS,
                                                        .rows = {0, ROWS_1, ROWS_2, ROWS_3, ROWS_4},
                                                        .run = run_conv_tile,
                                                        .gather = gather};
#else
typedef int tsr__conv_tiles_none; /* a file has to declare something */
#endif
