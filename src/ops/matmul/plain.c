/* Products where flash counts more than time: plain loops over the matrices as they lie, a few sums at a time on the
 * stack. Elements of another dtype than the sums' are converted in small blocks. */
#include "ops/cast/convert.h"
#include "ops/matmul/plain_f32.h"
#include "ops/matmul/product.h"

#if !TSR_HAVE_MALLOC

enum { COUNT = 8 }; /* sums at a time, and steps of K that are converted at a time */

typedef union numbers {
  float f32[COUNT];
  int32_t i32[COUNT];
  int64_t i64[COUNT];
#if TSR_HAVE_F64
  double f64[COUNT];
#endif
} numbers;

/* sums[at] += Σ a·b over n > 0 steps, in bytes. Integers wrap. */
#define DOT(name, type, through, cast)                                                                 \
  static void name(numbers *sums, int at, tsr_index n, const char *a, ptrdiff_t a_step, const char *b, \
                   ptrdiff_t b_step) {                                                                 \
    through sum = (through)sums->type[at];                                                             \
    do {                                                                                               \
      sum += (through) * (const cast *)(const void *)a * (through) * (const cast *)(const void *)b;    \
      a += a_step;                                                                                     \
      b += b_step;                                                                                     \
    } while (--n != 0);                                                                                \
    sums->type[at] = (cast)sum;                                                                        \
  }
static void dot_f32(numbers *sums, int at, tsr_index n, const char *a, ptrdiff_t a_step, const char *b,
                    ptrdiff_t b_step) {
  sums->f32[at] += tsr__tile_dot(a, a_step, b, b_step, n);
}
#if TSR_HAVE_INTEGER_PRODUCTS
DOT(dot_i32, i32, uint32_t, int32_t)
DOT(dot_i64, i64, uint64_t, int64_t)
#endif
#if TSR_HAVE_F64
DOT(dot_f64, f64, double, double)
#endif

typedef void dot_fn(numbers *sums, int at, tsr_index n, const char *a, ptrdiff_t a_step, const char *b,
                    ptrdiff_t b_step);

static dot_fn *dot_of(int sum) {
  switch (sum) {
#if TSR_HAVE_F64
    case TSR_F64: return dot_f64;
#endif
#if TSR_HAVE_INTEGER_PRODUCTS
    case TSR_I32: return dot_i32;
    case TSR_I64: return dot_i64;
#endif
    default: return dot_f32;
  }
}

/* n elements from at on as the type that is summed in: where they lie, or in block. */
static const char *as_sum(const tsr__product *p, const tsr__mat *m, const char *at, ptrdiff_t *step, tsr_index n,
                          numbers *block) {
  if (!TSR__PRODUCT_CONVERTS || m->dtype == p->sum) return at;
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(p->sum);
  tsr__convert_row(p->isa, m->dtype, p->sum, n, at, *step, (char *)block, item);
  *step = item;
  return (const char *)block;
}

static void run_piece(const tsr__product *p, dot_fn *dot, tsr_index i, tsr_index j, int n, numbers *sums) {
  const bool whole = p->a.dtype == p->sum && p->b.dtype == p->sum;
  const tsr_index most = whole ? p->k : COUNT;
  numbers a_block, b_block;
  *sums = (numbers){0};
  for (tsr_index k = 0; k < p->k; k += most) {
    const tsr_index steps = p->k - k < most ? p->k - k : most;
    ptrdiff_t a_step = p->a.col;
    const char *const a = as_sum(p, &p->a, tsr__mat_at(&p->a, i, k), &a_step, steps, &a_block);
    for (int c = 0; c < n; c++) {
      ptrdiff_t b_step = p->b.row;
      const char *const b = as_sum(p, &p->b, tsr__mat_at(&p->b, k, j + c), &b_step, steps, &b_block);
      dot(sums, c, steps, a, a_step, b, b_step);
    }
  }
}

static void run_pieces(const tsr__product *p) {
  dot_fn *const dot = dot_of(p->sum);
  numbers sums;
  const tsr__sums piece = {&sums, COUNT};
  for (tsr_index i = 0; i < p->m; i++)
    for (tsr_index j = 0; j < p->n; j += COUNT) {
      const int n = (int)(p->n - j < COUNT ? p->n - j : COUNT);
      run_piece(p, dot, i, j, n, &sums);
      tsr__product_epilogue(p, &piece, i, 1, j, n);
    }
}

/* ---- f32 by tiles ---- */

enum { ITEM = sizeof(float), ROWS = TSR__TILE_ROWS, COLUMNS = TSR__TILE_COLUMNS };

/* Sums of rows i … i + rows and columns j … j + n go to sums, ld bytes from row to row. */
static void beside(const tsr__product *p, tsr_index i, int rows, tsr_index j, tsr_index n, char *sums, ptrdiff_t ld) {
  tsr__tile t = {.a_row = p->a.row, .a_step = p->a.col, .b_step = p->b.row, .k = p->k, .out_row = ld};
  t.a = tsr__mat_at(&p->a, i, 0);
  for (tsr_index c = 0;; c = c + 2 * COLUMNS <= n ? c + COLUMNS : n - COLUMNS) { /* some are done twice */
    t.b = tsr__mat_at(&p->b, 0, j + c);
    t.out = sums + (ptrdiff_t)c * ITEM;
    (rows == ROWS ? tsr__tile_four : tsr__tile_one)(&t);
    if (c + COLUMNS == n) return;
  }
}

/* Four sums of a contiguous row, or column, with four such columns, or rows. */
static void along(const char *one, const char *many, ptrdiff_t next, tsr_index k, tsr_index n, char *sums,
                  ptrdiff_t step) {
  float four[COLUMNS];
  for (tsr_index c = 0;; c = c + 2 * COLUMNS <= n ? c + COLUMNS : n - COLUMNS) {
    tsr__tile_along((const float *)(const void *)one, (const float *)(const void *)(many + (ptrdiff_t)c * next), next,
                    k, four);
    for (int f = 0; f < COLUMNS; f++) *(float *)(void *)(sums + (ptrdiff_t)(c + f) * step) = four[f];
    if (c + COLUMNS == n) return;
  }
}

/* rows is one, or all of ROWS; n is at most what sums has room for. */
static void tile(const tsr__product *p, tsr_index i, int rows, tsr_index j, tsr_index n, char *sums, ptrdiff_t ld) {
  if (p->b.col == ITEM && n >= COLUMNS) {
    beside(p, i, rows, j, n, sums, ld);
    return;
  }
  const bool contiguous = p->a.col == ITEM && p->b.row == ITEM;
  if (contiguous && n < COLUMNS && rows == ROWS) {
    for (tsr_index c = 0; c < n; c++)
      along(tsr__mat_at(&p->b, 0, j + c), tsr__mat_at(&p->a, i, 0), p->a.row, p->k, rows, sums + (ptrdiff_t)c * ITEM,
            ld);
    return;
  }
  for (int r = 0; r < rows; r++, sums += ld) {
    const char *const a = tsr__mat_at(&p->a, i + r, 0);
    if (contiguous && n >= COLUMNS) {
      along(a, tsr__mat_at(&p->b, 0, j), p->b.col, p->k, n, sums, ITEM);
      continue;
    }
    for (tsr_index c = 0; c < n; c++)
      ((float *)(void *)sums)[c] = tsr__tile_dot(a, p->a.col, tsr__mat_at(&p->b, 0, j + c), p->b.row, p->k);
  }
}

/* Sums are made in the output where they can stay there, else in a tile on the stack. */
static void run_f32(const tsr__product *p) {
  enum { WIDTH = 2 * COLUMNS };
  float room[ROWS][WIDTH];
  const bool here = p->in_place;
  const tsr_index most = here || p->n < WIDTH ? p->n : WIDTH;
  const ptrdiff_t ld = here ? p->out.row : (ptrdiff_t)sizeof room[0];
  for (tsr_index i = 0, rows; i < p->m; i += rows) {
    rows = p->m - i >= ROWS ? ROWS : 1;
    for (tsr_index j = 0, n; j < p->n; j += n) {
      n = p->n - j < most ? p->n - j : most;
      char *const sums = here ? tsr__mat_at(&p->out, i, j) : (char *)room;
      tile(p, i, (int)rows, j, n, sums, ld);
      if (!here || p->has_epilogue) tsr__product_epilogue(p, &(tsr__sums){sums, (tsr_index)(ld / ITEM)}, i, rows, j, n);
    }
  }
}

static void run_one(const tsr__product *p) {
  if (p->sum == TSR_F32 && p->a.dtype == TSR_F32 && p->b.dtype == TSR_F32)
    run_f32(p);
  else
    run_pieces(p);
}

size_t tsr__product_scratch(tsr__product *p) {
  p->in_place = p->in_place && p->sum == TSR_F32 && p->a.dtype == TSR_F32 && p->b.dtype == TSR_F32 &&
                (p->out.col == ITEM || p->n == 1);
  return 0;
}

void tsr__product_run(const tsr__product *p, char *scratch) {
  (void)scratch;
  if (p->axes == 0) { /* small calls feel a copy of *p */
    run_one(p);
    return;
  }
  for (tsr_index i = 0; i < p->batches; i++) {
    const tsr__product one = tsr__product_at(p, i);
    run_one(&one);
  }
}

#endif
