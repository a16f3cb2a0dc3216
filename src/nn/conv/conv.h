/* Convolutions inside: one description of a call, whatever the layout and the rank. */
#ifndef TSR_NN_CONV_CONV_H
#define TSR_NN_CONV_CONV_H

#include "core/check.h"
#include "cpu/isa.h"
#include "ops/activation/activation.h"

#include <tessera/conv.h>

/* Whether there are kernels beyond plain loops: not where flash is small. */
#define TSR__CONV_FAST TSR_HAVE_MALLOC

/* Which kernels do the work; the numbers are in packed filters and never change. */
typedef enum tsr__conv_kernel {
  TSR__CONV_LOOPS = 0,      /* plain loops, any dtype */
  TSR__CONV_IGEMM_NHWC = 1, /* channels last: pixels are rows of the product, filters its columns */
  TSR__CONV_IGEMM_NCHW = 2, /* channels first: filters are the rows, pixels the columns */
  TSR__CONV_WINOGRAD = 3,
  TSR__CONV_DEPTHWISE = 4,
  TSR__CONV_KERNELS
} tsr__conv_kernel;

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
  tsr__conv_kernel kernel;
} tsr__conv;

/* ---- attributes and shapes ---- */

/* Fills *c, whose op and rank (0: that of x) are set, from the shapes, tags and attributes; messages name x, w, bias.
 * All may be described only. */
tsr_status tsr__conv_resolve(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                             const tsr_conv_options *options, tsr__conv *c);
/* The same for filters of a shape (O, C/groups, KH, KW) that are packed already. Which kernel reads them, and of which
 * instruction set, the caller says. */
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

/* The kernel for this shape: TSR_EUNSUPPORTED where the attributes ask for one that cannot be. */
tsr_status tsr__conv_choose(tsr_ctx *ctx, int algorithm, tsr__conv *c);

/* Whether Winograd's kernel can do it. */
static inline bool tsr__conv_winograd_fits(const tsr__conv *c) {
  return c->kh == 3 && c->kw == 3 && c->sh == 1 && c->sw == 1 && c->dh == 1 && c->dw == 1 && c->groups == 1;
}

/* ---- the plan of a call ---- */

/* The packed filters and bias: how many f32 in all, and the last of them, which are the bias. */
typedef struct tsr__conv_panels {
  size_t count;
  tsr_index bias;
} tsr__conv_panels;

/* False: they do not fit. */
bool tsr__conv_panels_of(const tsr__conv *c, tsr__conv_panels *size);

/* Writes them; w and bias are checked. room is for a copy of w: f32, dense (o, i, kh, kw). */
void tsr__conv_pack_filters(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_panels *size, const tsr_tensor *w,
                            const tsr_tensor *bias, float *room, float *panels);

/* Winograd's tiles of the images of a plan. */
typedef struct tsr__conv_tiling {
  tsr_index across, down; /* of an image */
  tsr_index block;        /* at a time */
  tsr_index channels;     /* whole vectors */
  tsr_index step[2];      /* between the 36 rows: of inputs, of products */
  bool shared;            /* all inputs are transformed before the first product */
} tsr__conv_tiling;

/* Copies and scratch of a call; bytes, in the order in which they lie. */
typedef struct tsr__conv_plan {
  bool stage_x, stage_out;
  int workers;
  tsr_index images;                                    /* at a time */
  tsr_index copy_c, copy_h, copy_w;                    /* of one image of the copy of x */
  bool copy_last;                                      /* its channels are last */
  tsr__conv_panels size;                               /* of filters that are not packed */
  tsr__conv_tiling tiling;                             /* Winograd's */
  size_t panels, filters, x, out, shared, each, total; /* each: for every worker */
} tsr__conv_plan;

/* How a call is done that writes to out. */
tsr_status tsr__conv_plan_init(tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out,
                               tsr__conv_plan *plan);

/* Everything after the checks; cannot fail. scratch has plan->total bytes. */
typedef struct tsr__conv_call {
  const tsr__conv *c;
  const tsr__conv_plan *plan;
  const tsr_tensor *x, *w, *bias, *out;
  const float *panels; /* NULL: pack w and bias first */
  const tsr__activation *activation;
  char *scratch;
} tsr__conv_call;
void tsr__conv_run(const tsr_ctx *ctx, const tsr__conv_call *call);

/* ---- kernels ---- */

/* What they read and write: f32, strides in elements in the order n, c, h, w. Of a copy of x (0, 0) is the first
 * element that any filter meets, padding or not. */
typedef struct tsr__conv_data {
  const tsr__conv_plan *plan;
  const float *x;
  bool copied;
  tsr_index xs[4];
  const float *panels; /* packed filters, then the bias */
  float *out;
  tsr_index os[4];
  tsr_index n;     /* images */
  char *room;      /* scratch of the kernel: shared, then each bytes a worker */
  float limits[2]; /* of the result */
  bool limited;
} tsr__conv_data;

/* A worker's own scratch. */
static inline void *tsr__conv_room(const tsr__conv_data *d, int worker) {
  return d->room + d->plan->shared + d->plan->each * (size_t)worker;
}

/* Fills in tiling, shared and each. False: they do not fit. */
bool tsr__conv_plan_winograd(const tsr__conv *c, tsr__conv_plan *plan);

void tsr__conv_run_igemm_nhwc(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);
void tsr__conv_run_igemm_nchw(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);
void tsr__conv_run_winograd(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);
void tsr__conv_run_depthwise(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);
void tsr__conv_run_loops(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w,
                         const tsr_tensor *bias, const tsr_tensor *out);
#if !TSR__CONV_FAST
/* f32, in place of plain loops. */
void tsr__conv_run_blocks(const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                          const tsr_tensor *out);
#endif

#endif
