/* Plans: what is known of the transforms of one length, dtype and instruction set.
 *
 * The order of the arithmetic follows from the plan alone, not from how elements lie, how many lines there are or how many threads
 * work: a line has the same bits wherever it is transformed. */
#ifndef TSR_FFT_PLAN_H
#define TSR_FFT_PLAN_H

#include "core/check.h"
#include "fft/kernel.h"

#include <tessera/fft.h>

enum { TSR__FFT_PASSES = 40 };

/* The passes of one length, which is the product of the radices. */
typedef struct tsr__fft_chain {
  tsr_index n;
  int count;
  uint8_t radix[TSR__FFT_PASSES];
  size_t twiddles[TSR__FFT_PASSES], roots[TSR__FFT_PASSES]; /* places in the plan's table, in numbers */
} tsr__fft_chain;

typedef enum tsr__fft_way {
  TSR__FFT_LANES, /* rows.n is the length: each lane of a block is a line */
  TSR__FFT_GRID,  /* columns.n·rows.n is the length: the line as a matrix, its columns, then its rows */
  TSR__FFT_CHIRP, /* Bluestein's: a convolution, whose length is inner's */
  TSR__FFT_HALF   /* of real numbers: inner is half as long */
} tsr__fft_way;

struct tsr_fft_plan {
  tsr_index n;
  int dtype; /* of a part: f32, f64 */
  int isa;
  bool real;
  tsr__fft_way way;
  const tsr__fft_kernels *kernels;
  tsr__fft_chain columns, rows;
  size_t grid, chirp, filter, halves; /* places in the table: twiddles (columns, rows); the chirp, and its transform */
  size_t numbers;                     /* of the table */
  void *table;
  struct tsr_fft_plan *inner; /* a reference */

  size_t bytes;   /* all of it */
  size_t scratch; /* of a line */
  long users;     /* those who hold it, the cache among them */
  bool is_kept;   /* by the cache */
  uint64_t stamp; /* when it was last asked for */
  struct tsr_fft_plan *next;
};
typedef struct tsr_fft_plan tsr__fft_plan;

static inline size_t tsr__fft_item(const tsr__fft_plan *plan) { return plan->dtype == TSR_F32 ? 4 : 8; }

/* A number of the table; NULL where a plan has none. */
static inline const void *tsr__fft_at(const tsr__fft_plan *plan, size_t place) {
  return plan->table != NULL ? (const char *)plan->table + place * tsr__fft_item(plan) : NULL;
}

/* Whether the rows of a grid are one radix, as many elements as a vector has lanes: then they are crossed and done at once. */
static inline bool tsr__fft_rows_are_one(const tsr__fft_plan *plan) {
  return plan->rows.count == 1 && plan->rows.n == plan->kernels->lanes && plan->kernels->cross_last != NULL;
}

/* The layout of a plan, without its table; false: n is too long for this machine. Costs little and takes no memory. inner is the
 * length of the plan that it needs, 0: none. */
bool tsr__fft_describe(tsr_index n, int dtype, bool real, int isa, tsr__fft_plan *plan, tsr_index *inner);

/* The table of a described plan, which has its memory and its inner plan. scratch: of a line of inner. */
void tsr__fft_fill(tsr__fft_plan *plan, void *scratch);

/* exp(-2πi·k/n), 0 ≤ k < n, each part within 0.6 ULP of f64. */
void tsr__fft_root(tsr_index k, tsr_index n, double *re, double *im);

/* The plan of a length, from the cache or new: NULL where there is no memory. */
tsr__fft_plan *tsr__fft_plan_get(tsr_index n, int dtype, bool real, int isa);
void tsr__fft_plan_put(tsr__fft_plan *plan);

/* ---- running it ---- */

/* Bytes of temporary memory of a worker for lines of a plan. */
size_t tsr__fft_scratch(const tsr__fft_plan *plan);

/* The same before there is one, from the cache or from its description: SIZE_MAX where n is too long. */
size_t tsr__fft_scratch_described(tsr_index n, int dtype, bool real, int isa);
size_t tsr__fft_scratch_of(tsr_index n, int dtype, bool real, int isa);

/* Lines of complex numbers, n each, side by side; steps in complex numbers. from and to may be one memory. */
typedef struct tsr__fft_lines {
  const tsr__fft_plan *plan;
  bool inverse;
  double scale;
  tsr_index count;
  const void *from;
  void *to;
  tsr_index from_step, to_step;
} tsr__fft_lines;

/* Transforms them. */
void tsr__fft_run(const tsr__fft_lines *lines, void *scratch);

/* One line of a real plan: n real numbers to n / 2 + 1 complex ones, and back; apart, or at one address. */
void tsr__fft_run_real(const tsr__fft_plan *plan, double scale, const void *from, void *to, void *scratch);
void tsr__fft_run_back(const tsr__fft_plan *plan, double scale, const void *from, void *to, void *scratch);

#endif
