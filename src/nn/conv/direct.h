/* Convolutions and transposed ones over one to three axes, in plain loops: a row of outputs at a time, to which each
 * tap of a filter adds a row of x, or every so many elements of one. */
#ifndef TSR_NN_CONV_DIRECT_H
#define TSR_NN_CONV_DIRECT_H

#include "core/call.h"
#include "nn/image.h"

typedef struct tsr__conv_direct_axis {
  tsr_index in, out, kernel, stride, dilation, before;
} tsr__conv_direct_axis;

typedef struct tsr__conv_direct tsr__conv_direct;

/* One row of outputs: of a sample and a filter, at depth d and height h. */
typedef struct tsr__conv_direct_row {
  const char *x, *w, *bias; /* the first channel of the group; the filter; one number, or NULL */
  tsr_index d, h;
  char *out;
} tsr__conv_direct_row;

typedef void tsr__conv_direct_fn(const tsr__conv_direct *t, const tsr__conv_direct_row *row);

struct tsr__conv_direct {
  const char *op;
  bool transposed;
  const tsr_tensor *x, *w, *bias; /* bias may be NULL */
  tsr__image image;
  tsr__conv_direct_axis axis[3];   /* depth, height, width */
  tsr_index o, groups, each, made; /* filters; groups; channels of x in a group; filters in one */
  ptrdiff_t xs[TSR__IMAGE_AXES], os[TSR__IMAGE_AXES], ws[TSR__IMAGE_AXES], bias_step; /* bytes */
};

/* Attributes as a caller gives them, by axis; 0 is the default of each. extra: output_padding, or NULL. */
typedef struct tsr__conv_direct_attrs {
  const tsr_index *stride, *dilation, *before, *after, *extra;
  int entries; /* of each; the caller uses the first ones */
  tsr_index groups;
} tsr__conv_direct_attrs;

/* Checks everything but the output, for x with so many spatial axes. op, transposed, x, w and bias are in *t. */
tsr_status tsr__conv_direct_check(tsr_ctx *ctx, tsr__conv_direct *t, int spatial, const tsr__conv_direct_attrs *attrs);

/* A call with the inputs x, w and bias. */
tsr_status tsr__conv_direct_run(tsr__call *call, int spatial, bool transposed, const tsr__conv_direct_attrs *attrs);

/* The element of x that tap k adds to output i of an axis; -1: none. */
static inline tsr_index tsr__conv_direct_source(const tsr__conv_direct *t, const tsr__conv_direct_axis *a, tsr_index i,
                                                tsr_index k) {
  const tsr_index at = t->transposed ? i + a->before - k * a->dilation : i * a->stride - a->before + k * a->dilation;
  const tsr_index from = t->transposed ? at / a->stride : at;
  return at >= 0 && from < a->in && (!t->transposed || at % a->stride == 0) ? from : -1;
}

/* What a tap of the width adds to outputs first … first + n - 1: count elements, x from element from on, every step-th,
 * to the outputs from to on, every to_step-th. */
typedef struct tsr__conv_direct_line {
  tsr_index from, step, to, to_step, count;
} tsr__conv_direct_line;

tsr__conv_direct_line tsr__conv_direct_line_of(const tsr__conv_direct *t, tsr_index first, tsr_index n, tsr_index k);

#endif
