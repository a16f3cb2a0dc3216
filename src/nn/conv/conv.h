/* Convolutions inside: one description of a call, whatever the layout and the rank. How it is done, and how to add a way
 * to do it: algorithm.h. */
#ifndef TSR_NN_CONV_CONV_H
#define TSR_NN_CONV_CONV_H

#include "core/call.h"
#include "cpu/isa.h"
#include "ops/activation/activation.h"

#include <tessera/conv.h>

/* Whether there are kernels beyond plain loops: not where flash is small. */
#define TSR__CONV_FAST TSR_HAVE_MALLOC

typedef struct tsr__conv_algorithm tsr__conv_algorithm;

/* A call with its attributes resolved. One axis counts as height 1. */
typedef struct tsr__conv {
  const char *op;
  int dtype, compute, rank, isa; /* compute: what is summed in */
  bool last;                     /* channels last */
  bool packed;                   /* the filters are */
  tsr_index n, c, h, w;          /* x */
  tsr_index o, i, kh, kw;        /* filters: (o, i, kh, kw), i channels in each group */
  tsr_index oh, ow;              /* out: (n, o, oh, ow) */
  tsr_index shape[4];            /* of out, in the order of x */
  tsr_index ph, pw;              /* what is read of x with its padding */
  tsr_index sh, sw, dh, dw;      /* stride, dilation */
  tsr_index top, left;           /* padding before */
  tsr_index groups;
  tsr_activation activation;
  const tsr__conv_algorithm *algorithm; /* TSR__CONV_FAST: one of the table; else not looked at */
} tsr__conv;

/* ---- attributes and shapes ---- */

/* Fills *c but for the algorithm, from the shapes, tags and attributes; its op and rank (0: that of x) are set. Messages
 * name x, w, bias. All may be described only. */
tsr_status tsr__conv_resolve(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                             const tsr_conv_options *options, tsr__conv *c);
/* The same for filters of a shape (O, C/groups, KH, KW) that are packed already. Which instruction set reads them the
 * caller says. */
tsr_status tsr__conv_resolve_packed(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_conv_packed *packed,
                                    tsr__conv *c);

/* The strides of x or out in the order n, c, h, w, and of filters in the order o, i, kh, kw. */
void tsr__conv_strides(const tsr_tensor *t, bool last, tsr_index *strides);
void tsr__conv_filter_strides(const tsr_tensor *w, tsr_index *strides);

/* A tensor of these shapes and strides in the order n, c, h, w, with the axes of t; and a dense f32 one in the order o,
 * i, kh, kw, with the axes of w. */
void tsr__conv_view(const tsr_tensor *t, bool last, const tsr_index *shape, const tsr_index *strides, int dtype,
                    void *data, tsr_tensor *view);
void tsr__conv_filter_view(const tsr__conv *c, const tsr_tensor *w, float *data, tsr_tensor *view);

/* Chooses the algorithm for this shape, as the options ask: TSR_EUNSUPPORTED where none can be. */
tsr_status tsr__conv_choose(tsr_ctx *ctx, const tsr_conv_options *options, tsr__conv *c);

/* The rest of a call: its inputs are x, then w and bias or the panels of packed filters. */
tsr_status tsr__conv_call(tsr__call *call, const tsr__conv *c);

/* Tensors of the dtype that is summed in, where they lie. Strides in elements, of x and out in the order n, c, h, w, of w
 * in the order o, i, kh, kw. Of x or w without elements nothing is read, but every pointer and stride is good. */
typedef struct tsr__conv_tensors {
  const void *x, *w, *bias; /* bias NULL: none */
  void *out;
  tsr_index xs[4], ws[4], os[4], bias_step;
} tsr__conv_tensors;

/* Plain loops, any dtype; on microcontrollers f32 goes by blocks of outputs and filters. */
typedef void tsr__conv_tensors_fn(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_tensors *t);
tsr__conv_tensors_fn tsr__conv_run_loops, tsr__conv_run_blocks;

#endif
