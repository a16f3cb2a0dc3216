/* Pooling: its geometry and its kernels. Everything is rows of columns of channels: (H, W, C) of one sample where
 * channels are last, (H, W) of one channel where they are first, H = 1 in one dimension. */
#ifndef TSR_NN_POOL_POOL_H
#define TSR_NN_POOL_POOL_H

#include "core/call.h"
#include "cpu/isa.h"
#include <tessera/pool.h>

/* ---- kernels: elements of a compute type; steps in bytes. Always the rows of a column first, then the columns: every
 * kernel, and every length of vector, gives the same bits ---- */

/* Windows of a line of contiguous columns: out[i] is over the columns first + i·stride + k·dilation, k < kernel, and
 * over rows of them. Columns outside 0 ≤ c < length do not count. */
typedef struct tsr__pool_line {
  const void *x; /* column 0 of the first row */
  ptrdiff_t row_step;
  tsr_index rows; /* 0: there are none */
  tsr_index length, first, kernel, stride, dilation;
  tsr_index n; /* windows; (n - 1)·stride + (kernel - 1)·dilation + stride ≤ TSR__POOL_LINE_BYTES of elements */
  tsr_index from, to; /* windows from … to - 1 have no column outside */
  void *out;
} tsr__pool_line;

/* Windows of neighbouring columns of contiguous channels, stride columns apart. With vectors of a host they are of three columns and
 * share some: its stride is 1 or 2. */
typedef struct tsr__pool_slide {
  const void *x; /* column 0 of the first row of the first window */
  ptrdiff_t row_step, column_step, out_step;
  tsr_index rows, columns, stride, windows, channels; /* rows > 0 */
  tsr_index count;                                    /* what a mean divides by: slide does that too */
  void *out;
} tsr__pool_slide;

#define TSR__POOL_LINE_BYTES (TSR_HAVE_MALLOC ? 4096 : 256) /* a line lies on the stack */

typedef struct tsr__pool_kernel {
  /* out[j] over rows × columns windows' elements x[j]; j < n. */
  void (*fold)(tsr_index n, const void *x, tsr_index rows, ptrdiff_t row_step, tsr_index columns, ptrdiff_t column_step,
               void *out);
  void (*line)(const tsr__pool_line *line);
  void (*slide)(const tsr__pool_slide *slide);
  /* out[j] /= count; NULL for the greatest. */
  void (*divide)(tsr_index n, tsr_index count, void *out);
} tsr__pool_kernel;

typedef const tsr__pool_kernel *const tsr__pool_table[TSR_DTYPE_COUNT]; /* by compute type */

TSR__DECLARE_FOR_ISAS(tsr__pool_table, tsr__max_pool)
TSR__DECLARE_FOR_ISAS(tsr__pool_table, tsr__avg_pool)

/* ---- geometry ---- */

typedef struct tsr__pool_axis {
  int axis; /* of x; -1 where there is none: one row */
  tsr_index length, out, kernel, stride, dilation, before, after;
} tsr__pool_axis;

typedef struct tsr__pool {
  const char *op;
  const tsr_tensor *x;
  int channel;
  bool last; /* channels last */
  bool include_pad;
  tsr__pool_axis row, column;
  tsr_index shape[4]; /* of the result */
} tsr__pool;

/* Some numbers k of a window's: those of elements that are there. */
typedef struct tsr__pool_taps {
  tsr_index from, to;
} tsr__pool_taps;

static inline tsr_index tsr__pool_reach(const tsr__pool_axis *a) { return (a->kernel - 1) * a->dilation + 1; }

/* The position of window number i's first element: negative in the padding. */
static inline tsr_index tsr__pool_first(const tsr__pool_axis *a, tsr_index i) { return i * a->stride - a->before; }

/* The k with 0 ≤ first + k·dilation < end, the window's elements; end is the length, or that and the padding. */
static inline tsr_index tsr__pool_before(const tsr__pool_axis *a, tsr_index first, tsr_index end) {
  if (first + tsr__pool_reach(a) <= end) return a->kernel;
  return first < end ? (end - first - 1) / a->dilation + 1 : 0;
}

static inline tsr__pool_taps tsr__pool_inside(const tsr__pool_axis *a, tsr_index first) {
  if (first >= 0 && first + tsr__pool_reach(a) <= a->length) return (tsr__pool_taps){0, a->kernel};
  const tsr_index skipped = first < 0 ? (-first - 1) / a->dilation + 1 : 0;
  const tsr_index from = skipped < a->kernel ? skipped : a->kernel, to = tsr__pool_before(a, first, a->length);
  return (tsr__pool_taps){from, to > from ? to : from};
}

/* What a mean divides by along one axis. */
static inline tsr_index tsr__pool_count(const tsr__pool *p, const tsr__pool_axis *a, tsr_index first) {
  if (p->include_pad) return tsr__pool_before(a, first, a->length + a->after);
  const tsr__pool_taps taps = tsr__pool_inside(a, first);
  return taps.to - taps.from;
}

/* Checks everything but the output, for a float x that is checked already. */
tsr_status tsr__pool_init(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *kernel,
                          const tsr_pool_options *options, tsr__pool *p);

/* The same for an x of any dtype. */
tsr_status tsr__pool_geometry(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *kernel,
                              const tsr_pool_options *options, tsr__pool *p);

/* A call of an op whose kernels are its tables, by instruction set. */
tsr_status tsr__pool_run(tsr__call *call);

#endif
