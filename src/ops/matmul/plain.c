/* Products where flash counts more than time: plain loops over the matrices as they lie, a few sums at a time on the
 * stack. Elements of another dtype than the sums' are converted in small blocks. */
#include "ops/cast/convert.h"
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
DOT(dot_f32, f32, float, float)
#if TSR_HAVE_INTEGER_PRODUCTS
DOT(dot_i32, i32, uint32_t, int32_t)
DOT(dot_i64, i64, uint64_t, int64_t)
#endif
#if TSR_HAVE_F64
DOT(dot_f64, f64, double, double)
#endif

enum { COLUMNS = 4 };

/* sums[at … at + 4] += Σ a·b for four columns of b, next bytes apart: a number of a serves four. n > 0. */
__attribute__((noinline)) /* it needs the registers */
static void
four_f32(numbers *sums, int at, tsr_index n, const char *a, ptrdiff_t a_step, const char *b, ptrdiff_t b_step,
         ptrdiff_t next) {
  const char *b1 = b + next, *b2 = b1 + next, *b3 = b2 + next;
  float *const to = sums->f32 + at;
  float s0 = to[0], s1 = to[1], s2 = to[2], s3 = to[3];
#define NUMBER(p) (*(const float *)(const void *)(p))
#define STEPS(a_by, b_by)      \
  do {                         \
    const float v = NUMBER(a); \
    s0 += v * NUMBER(b);       \
    s1 += v * NUMBER(b1);      \
    s2 += v * NUMBER(b2);      \
    s3 += v * NUMBER(b3);      \
    a += a_by;                 \
    b += b_by;                 \
    b1 += b_by;                \
    b2 += b_by;                \
    b3 += b_by;                \
  } while (--n != 0);
  if (a_step == sizeof(float) && b_step == sizeof(float)) { /* the loads advance by themselves */
    STEPS(sizeof(float), sizeof(float))
  } else {
    STEPS(a_step, b_step)
  }
#undef STEPS
#undef NUMBER
  to[0] = s0;
  to[1] = s1;
  to[2] = s2;
  to[3] = s3;
}

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
    int c = 0;
    for (; whole && p->sum == TSR_F32 && c + COLUMNS <= n; c += COLUMNS)
      four_f32(sums, c, steps, a, a_step, tsr__mat_at(&p->b, k, j + c), p->b.row, p->b.col);
    for (; c < n; c++) {
      ptrdiff_t b_step = p->b.row;
      const char *const b = as_sum(p, &p->b, tsr__mat_at(&p->b, k, j + c), &b_step, steps, &b_block);
      dot(sums, c, steps, a, a_step, b, b_step);
    }
  }
}

static void run_one(const tsr__product *p) {
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

size_t tsr__product_scratch(tsr__product *p) {
  p->in_place = false;
  return 0;
}

void tsr__product_run(const tsr__product *p, char *scratch) {
  (void)scratch;
  for (tsr_index i = 0; i < p->batches; i++) {
    const tsr__product one = tsr__product_at(p, i);
    run_one(&one);
  }
}

#endif
