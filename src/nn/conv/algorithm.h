/* The algorithms of convolutions: a row each.
 *
 * To add one: write its file, which ends with its row, declare the row below, and name it in the table of algorithms.c,
 * before those that are to be taken less. Nothing else knows which algorithms there are. The row says what the algorithm
 * is able to do and when it pays, which copies and how much scratch it needs, how it packs filters, and how it runs. The
 * code around it plans memory, copies x and out where the algorithm does not take them as they are, packs, goes through
 * the images in portions, applies the activation, and checks packed filters that come from outside. Microcontrollers
 * build none of this: there plain loops and blocks are called by name. */
#ifndef TSR_NN_CONV_ALGORITHM_H
#define TSR_NN_CONV_ALGORITHM_H

#include "nn/conv/conv.h"

/* One image of an f32 copy of x. */
typedef struct tsr__conv_copy {
  tsr_index c, h, w;
  bool last;           /* channels are last */
  tsr_index top, left; /* where x stands in it; zeros around */
  tsr_index times;     /* each channel lies there so many times, side by side */
} tsr__conv_copy;

/* Packed filters and bias: how many f32 in all, and the last of them, which are the bias. */
typedef struct tsr__conv_panels {
  size_t count;
  tsr_index bias;
} tsr__conv_panels;

/* Copies and scratch of a call; bytes, in the order in which they lie. */
typedef struct tsr__conv_plan {
  bool stage_x, stage_out; /* are copied */
  int workers;
  tsr_index images; /* at a time */
  tsr__conv_copy copy;
  tsr__conv_panels size;                               /* of filters that are not packed */
  size_t panels, filters, x, out, shared, each, total; /* each: for every worker */
} tsr__conv_plan;

/* What an algorithm reads and writes: f32, strides in elements in the order n, c, h, w. Of a padded copy of x (0, 0) is
 * the first element that any filter meets, padding or not. */
typedef struct tsr__conv_data {
  const tsr__conv_plan *plan;
  const float *x;
  tsr_index xs[4];
  const float *panels; /* packed filters, then the bias */
  float *out;
  tsr_index os[4];
  tsr_index n;         /* images */
  char *room;          /* scratch: shared, then each bytes a worker */
  const float *limits; /* low and high of the result, or NULL */
} tsr__conv_data;

struct tsr__conv_algorithm {
  const char *name;
  const char *only; /* what it is for, said when it is asked for and not able; NULL: plain loops stand in */
  uint8_t options;  /* a bit for each tsr_conv_algorithm that may choose it */
  uint8_t number;   /* in packed filters: 1 … 15, never changes */
  uint8_t taps;     /* of a packed filter; 0: kh · kw */
  bool whole;       /* the filters of a group are packed as whole vectors */
  /* Whether it can do this; packed filters for it are refused otherwise. NULL: always. */
  bool (*able)(const tsr__conv *c);
  /* Whether TSR_CONV_AUTO takes it where it is able; NULL: always. */
  bool (*pays)(const tsr__conv *c);
  /* Sets stage_x and stage_out where x or out with these strides will not do, and what a copy of x is that is not as the
   * filters read it. */
  void (*stage)(const tsr__conv *c, const tsr_index *xs, const tsr_index *os, tsr__conv_plan *plan);
  /* Sets shared and each. False: they do not fit. */
  bool (*room)(const tsr__conv *c, tsr__conv_plan *plan);
  /* Packs dense filters (o, i, kh, kw). */
  void (*pack)(const tsr__conv *c, const float *from, float *to);
  void (*run)(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);
  /* In place of the last four: reads and writes tensors of the dtype that is summed in where they lie. */
  tsr__conv_tensors_fn *run_tensors;
};

extern const tsr__conv_algorithm tsr__conv_winograd, tsr__conv_depthwise, tsr__conv_igemm_nhwc, tsr__conv_igemm_nchw,
    tsr__conv_loops;

/* The algorithm with this number in packed filters; NULL: there is none. */
const tsr__conv_algorithm *tsr__conv_numbered(int number);

/* Whether it can do this. Packed filters are f32. */
static inline bool tsr__conv_is_able(const tsr__conv_algorithm *a, const tsr__conv *c) {
  return (a->pack == NULL || c->compute == TSR_F32) && (a->able == NULL || a->able(c));
}

static inline bool tsr__conv_is_padded(const tsr__conv *c) {
  return c->top > 0 || c->left > 0 || c->ph > c->h || c->pw > c->w;
}

/* Whether the elements of an axis lie side by side. */
static inline bool tsr__conv_is_unit(tsr_index length, tsr_index stride) { return length <= 1 || stride == 1; }

/* A worker's own scratch. */
static inline void *tsr__conv_room(const tsr__conv_data *d, int worker) {
  return d->room + d->plan->shared + d->plan->each * (size_t)worker;
}

/* ---- around them ---- */

/* How a call is done that writes to out. */
tsr_status tsr__conv_plan_init(tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *out,
                               tsr__conv_plan *plan);

/* How much the packed filters are. False: they do not fit. */
bool tsr__conv_panels_of(const tsr__conv *c, tsr__conv_panels *size);

/* Writes them; w and bias are checked. room is for a copy of w: f32, dense (o, i, kh, kw). */
void tsr__conv_pack_filters(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_panels *size, const tsr_tensor *w,
                            const tsr_tensor *bias, float *room, float *panels);

/* Fills a plan's copy with images first … of x, and says how it lies. */
void tsr__conv_stage(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, tsr_index first, float *to,
                     tsr__conv_data *d);

#endif
