/* Norms: their kernels and what they share. A row is what is normalised together.
 *
 * The order of additions is fixed by index: element i of a row is in block i / TSR__NORM_BLOCK and there in lane
 * i % lanes; lanes are joined by halves, blocks one after another in tsr_real. */
#ifndef TSR_NN_NORM_NORM_H
#define TSR_NN_NORM_NORM_H

#include "nn/rows.h"

#define TSR__NORM_BLOCK 4096
#define TSR__NORM_LANE_BYTES (TSR_HAVE_MALLOC ? 256 : 64)

/* Rows of few elements may go side by side, so many at a time: with memory for two sets of lanes and a copy. Not on
 * microcontrollers. */
#define TSR__NORM_HAS_COLUMNS TSR_HAVE_MALLOC
#define TSR__NORM_SHORT TSR__ROWS_SHORT
#define TSR__NORM_ACROSS 16
#define TSR__NORM_COLUMN_BYTES(item) (2 * TSR__NORM_LANE_BYTES + TSR__NORM_SHORT * (item))

/* All pointers are to contiguous elements of the compute type; scale and bias may be NULL, out may be x. */

/* One row of n elements, as many in scale and bias. */
typedef void tsr__norm_row(tsr_index n, const void *x, const void *scale, const void *bias, tsr_real eps, void *out);

/* width rows of n ≤ TSR__NORM_SHORT elements side by side, their next elements steps of bytes on. memory has
 * TSR__NORM_COLUMN_BYTES of TSR__NORM_ACROSS of them. */
typedef void tsr__norm_columns(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, const void *scale,
                               const void *bias, tsr_real eps, void *out, ptrdiff_t out_step, void *memory);

typedef struct tsr__norm_layer {
  tsr__norm_row *row;
#if TSR__NORM_HAS_COLUMNS
  tsr__norm_columns *columns;
#endif
} tsr__norm_layer;

/* One row of runs of n elements each; one scale and one bias a run. */
typedef void tsr__norm_runs(tsr_index runs, tsr_index n, const void *x, const void *scale, const void *bias,
                            tsr_real eps, void *out);

/* (x - mean)·factor + bias: one of each for all n elements (row), or one for each (each). */
typedef struct tsr__norm_affine {
  /* n factors and biases from scale and bias (NULL: 1 and 0), variance and eps. */
  void (*factors)(tsr_index n, const void *scale, const void *bias, const void *variance, tsr_real eps, void *factor,
                  void *added);
  void (*row)(tsr_index n, const void *x, const void *mean, const void *factor, const void *bias, void *out);
  void (*each)(tsr_index n, const void *x, const void *mean, const void *factor, const void *bias, void *out);
} tsr__norm_affine;

typedef const tsr__norm_layer tsr__norm_layer_table[TSR_DTYPE_COUNT]; /* by compute type */
typedef tsr__norm_runs *const tsr__norm_runs_table[TSR_DTYPE_COUNT];
typedef const tsr__norm_affine *const tsr__norm_affine_table[TSR_DTYPE_COUNT];

TSR__DECLARE_FOR_ISAS(tsr__norm_layer_table, tsr__layer_norm)
TSR__DECLARE_FOR_ISAS(tsr__norm_layer_table, tsr__rms_norm)
TSR__DECLARE_FOR_ISAS(tsr__norm_runs_table, tsr__group_norm)
TSR__DECLARE_FOR_ISAS(tsr__norm_runs_table, tsr__instance_norm)
TSR__DECLARE_FOR_ISAS(tsr__norm_affine_table, tsr__batch_norm)

/* ---- arguments ---- */

/* A call's scale, bias …: as the kernels want them, where they are or in one piece of temporary memory. */
enum { TSR__NORM_PARAMS = 4 };
typedef struct tsr__norm_params {
  int compute, count;
  const tsr_tensor *tensor[TSR__NORM_PARAMS];
  const void *data[TSR__NORM_PARAMS]; /* NULL for NULL */
} tsr__norm_params;

/* x is of floats, eps is a number that is not negative. */
tsr_status tsr__norm_check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_real eps);

/* A scale or bias: NULL, or floats of this shape. */
tsr_status tsr__norm_check_param(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int ndim,
                                 const tsr_index *shape);

/* After tsr__call_outputs: memory for those that are not of the compute type, have gaps, or overlap the output. */
tsr_status tsr__norm_take(tsr__call *call, tsr__norm_params *params);

/* After tsr__call_start: brings them there. */
void tsr__norm_bring(const tsr_ctx *ctx, const tsr__norm_params *params);

/* group_norm for a caller who brings its kernels. */
typedef struct tsr__group_norm {
  const tsr_tensor *x, *scale, *bias;
  int groups; /* 0: as many as channels */
  tsr_real eps;
  tsr__norm_runs *const *table; /* of the instruction set; NULL: only sizes are asked for */
} tsr__group_norm;

tsr_status tsr__group_norm_call(tsr__call *call, const tsr__group_norm *g);

#endif
