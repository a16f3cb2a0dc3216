/* The work of a call: copies in, a kernel, the activation, copies out. Nothing here can fail. */
#include "cpu/iterate.h"
#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "ops/copy/copy.h"
#include "ops/elementwise/elementwise.h"

#include <string.h>

static void activate(const tsr_ctx *ctx, const tsr__activation *activation, const tsr_tensor *out) {
  tsr__loop loop;
  if (activation->row == NULL) return;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){out, out});
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_HEAVY, activation->row, (void *)(uintptr_t)activation->param);
}

/* ---- plain loops ---- */

/* A dense f32 copy in room, which moves on. */
static tsr_tensor widen(const tsr_ctx *ctx, const tsr_tensor *t, bool fill, char **room) {
  tsr_tensor wide = *t;
  wide.dtype = TSR_F32;
  wide.flags = 0;
  wide.storage = NULL;
  wide.data = *room;
  tsr__strides_for(wide.ndim, wide.shape, TSR_ROW_MAJOR, wide.stride);
  if (fill) tsr__copy_no_alias(ctx, t, &wide);
  *room += tsr__align_up(tsr_nbytes(&wide), TSR_DATA_ALIGN);
  return wide;
}

static void run_loops(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w,
                      const tsr_tensor *bias, const tsr_tensor *out) {
#if !TSR__CONV_FAST
  if (!TSR_HAVE_INTEGER_PRODUCTS || x->dtype == TSR_F32) {
    tsr__conv_run_blocks(c, x, w, bias, out);
    return;
  }
#endif
  tsr__conv_run_loops(ctx, c, x, w, bias, out);
}

static void run_plain(const tsr_ctx *ctx, const tsr__conv_call *call) {
  char *room = call->scratch;
  if (!TSR_HAVE_SMALL_FLOATS || !call->plan->stage_x) {
    run_loops(ctx, call->c, call->x, call->w, call->bias, call->out);
    activate(ctx, call->activation, call->out);
    return;
  }
  const tsr_tensor x = widen(ctx, call->x, true, &room), w = widen(ctx, call->w, true, &room);
  const tsr_tensor out = widen(ctx, call->out, false, &room);
  const tsr_tensor bias = call->bias != NULL ? widen(ctx, call->bias, true, &room) : (tsr_tensor){0};
  run_loops(ctx, call->c, &x, &w, call->bias != NULL ? &bias : NULL, &out);
  activate(ctx, call->activation, &out);
  tsr__copy_no_alias(ctx, &out, call->out);
}

#if TSR__CONV_FAST

/* ---- the copy of x: (n, c, h, w) at its place in zeros ---- */

typedef struct staging {
  const tsr_ctx *ctx;
  const tsr__conv *c;
  const tsr__conv_plan *plan;
  const tsr_tensor *x;
  tsr_index image;                   /* the first one */
  tsr_index top, left, rows, pixels; /* where x stands in the copy, how much of it is read */
  float *to;
  tsr_index strides[4];
} staging;

static void copy_strides(const tsr__conv_plan *plan, tsr_index *strides) {
  const tsr_index c = plan->copy_c, h = plan->copy_h, w = plan->copy_w;
  strides[0] = c * h * w;
  strides[1] = plan->copy_last ? 1 : h * w;
  strides[2] = plan->copy_last ? w * c : w;
  strides[3] = plan->copy_last ? c : 1;
}

/* A part of x, and where it goes in the copy. */
typedef struct part {
  const tsr_tensor *x;
  tsr_index xs[4];
  const char *from;
  float *to;
} part;

/* From image n, channel c and row y on; n counts from the first image of the copy. */
static part part_at(const staging *s, tsr_index n, tsr_index c, tsr_index y) {
  part p = {.x = s->x};
  tsr__conv_strides(s->x, s->c->last, p.xs);
  const tsr_index at = (s->image + n) * p.xs[0] + c * p.xs[1] + y * p.xs[2];
  p.from = (const char *)s->x->data + at * tsr__item(s->x);
  p.to = s->to + n * s->strides[0] + c * s->strides[1] + (s->top + y) * s->strides[2] + s->left * s->strides[3];
  return p;
}

/* (1, shape[0] channels, shape[1] rows, pixels); depthwise filters that share a channel each get it. */
static void copy_part(const staging *s, tsr_index n, tsr_index channel, tsr_index y, const tsr_index *size) {
  const tsr__conv *const c = s->c;
  if (tsr_size(s->x) == 0) return;
  const tsr_index times = c->kernel == TSR__CONV_DEPTHWISE && c->last ? c->o / c->c : 1;
  const part p = part_at(s, n, channel, y);
  const tsr_index shape[4] = {1, size[0], size[1], s->pixels};
  const tsr_index strides[4] = {s->strides[0], s->strides[1] * times, s->strides[2], s->strides[3]};
  tsr_tensor from, to;
  tsr__conv_view(s->x, c->last, shape, p.xs, c->dtype, (char *)(uintptr_t)p.from, &from);
  for (tsr_index k = 0; k < times; k++) {
    tsr__conv_view(s->x, c->last, shape, strides, TSR_F32, p.to + k * s->strides[1], &to);
    tsr__copy_no_alias(s->ctx, &from, &to);
  }
}

/* The same for rows of contiguous numbers on both sides, which need less ado. */
static bool copy_rows(const staging *s, tsr_index n, tsr_index channel, tsr_index y, tsr_index rows) {
  const tsr__conv *const c = s->c;
  if (c->dtype != TSR_F32 || tsr_size(s->x) == 0 || s->plan->copy_last != c->last) return false;
  const part p = part_at(s, n, channel, y);
  const tsr_index each = c->last ? c->c : 1;
  if (p.xs[3] != each || s->strides[3] != each || (c->last && p.xs[1] != 1 && c->c > 1)) return false;
  for (tsr_index k = 0; k < rows; k++)
    memcpy(p.to + k * s->strides[2], (const float *)(const void *)p.from + k * p.xs[2],
           (size_t)(s->pixels * each) * sizeof(float));
  return true;
}

static void zero(float *at, tsr_index count) {
  for (tsr_index k = 0; k < count; k++) at[k] = 0;
}

/* Row y of the copy, channels last. */
static void stage_row(const staging *s, tsr_index n, tsr_index y) {
  const tsr__conv_plan *const plan = s->plan;
  const tsr_index c = plan->copy_c, all = plan->copy_w * c, from = y - s->top;
  float *const row = s->to + n * s->strides[0] + y * s->strides[2];
  const bool filled = c == s->c->c || s->c->kernel == TSR__CONV_DEPTHWISE;
  if (from < 0 || from >= s->rows || !filled) memset(row, 0, (size_t)all * sizeof *row);
  if (from < 0 || from >= s->rows) return;
  zero(row, s->left * c);
  zero(row + (s->left + s->pixels) * c, all - (s->left + s->pixels) * c);
  if (!copy_rows(s, n, 0, from, 1)) copy_part(s, n, 0, from, (tsr_index[2]){s->c->c, 1});
}

/* Plane number channel of the copy, channels first. */
static void stage_plane(const staging *s, tsr_index n, tsr_index channel) {
  const tsr_index w = s->plan->copy_w, h = s->plan->copy_h, end = s->top + s->rows;
  float *const plane = s->to + n * s->strides[0] + channel * s->strides[1];
  memset(plane, 0, (size_t)(s->top * w) * sizeof *plane);
  memset(plane + end * w, 0, (size_t)((h - end) * w) * sizeof *plane);
  for (tsr_index y = s->top; y < end; y++) {
    zero(plane + y * w, s->left);
    zero(plane + y * w + s->left + s->pixels, w - s->left - s->pixels);
  }
  if (!copy_rows(s, n, channel, 0, s->rows)) copy_part(s, n, channel, 0, (tsr_index[2]){1, s->rows});
}

static void stage_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const staging *const s = arg;
  const tsr_index each = s->plan->copy_last ? s->plan->copy_h : s->plan->copy_c;
  (void)worker;
  for (tsr_index k = begin; k < end; k++) {
    if (s->plan->copy_last)
      stage_row(s, k / each, k % each);
    else
      stage_plane(s, k / each, k % each);
  }
}

static void stage_x(const tsr_ctx *ctx, const tsr__conv_call *call, tsr_index image, tsr_index n, float *to) {
  const tsr__conv_plan *const plan = call->plan;
  const tsr__conv *const c = call->c;
  const bool padded = c->kernel != TSR__CONV_DEPTHWISE;
  staging s = {.ctx = ctx, .c = c, .plan = plan, .x = call->x, .image = image, .to = to};
  s.top = padded ? tsr__conv_min(c->top, plan->copy_h) : 0;
  s.left = padded ? tsr__conv_min(c->left, plan->copy_w) : 0;
  s.rows = tsr__conv_min(c->h, plan->copy_h - s.top);
  s.pixels = tsr__conv_min(c->w, plan->copy_w - s.left);
  copy_strides(plan, s.strides);
  const tsr_index parts = plan->copy_last ? plan->copy_h : plan->copy_c;
  const tsr_index size = plan->copy_c * plan->copy_h * plan->copy_w / (parts > 0 ? parts : 1);
  tsr__parallel_for(ctx, n * parts, 1 + 16384 / (size + 1), stage_parts, &s);
}

/* ---- images ---- */

typedef void conv_kernel(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d);

static conv_kernel *const kernels[TSR__CONV_KERNELS] = {[TSR__CONV_IGEMM_NHWC] = tsr__conv_run_igemm_nhwc,
                                                        [TSR__CONV_IGEMM_NCHW] = tsr__conv_run_igemm_nchw,
                                                        [TSR__CONV_WINOGRAD] = tsr__conv_run_winograd,
                                                        [TSR__CONV_DEPTHWISE] = tsr__conv_run_depthwise};

/* relu and clip are bounds that the kernels put on what they store. */
static void set_limits(const tsr__conv_call *call, tsr__conv_data *d) {
  const tsr_activation *const a = &call->c->activation;
  d->limited = a->kind != NULL && (a->kind->bounds || a->kind == TSR_RELU);
  d->limits[0] = d->limited && a->kind->bounds ? (float)a->alpha : 0.0f;
  d->limits[1] = d->limited && a->kind->bounds ? (float)a->beta : __builtin_inff();
}

/* Images first … first + d->n: out is where they go, dense f32 or the output itself. */
static void run_images(const tsr_ctx *ctx, const tsr__conv_call *call, tsr_index first, float *x_room, float *out_room,
                       tsr__conv_data *d) {
  const tsr__conv *const c = call->c;
  tsr_tensor out;
  tsr_index os[4];
  tsr__conv_strides(call->out, c->last, os);
  const tsr_index shape[4] = {d->n, c->o, c->oh, c->ow};
  tsr__conv_view(call->out, c->last, shape, os, c->dtype,
                 (char *)call->out->data + first * os[0] * tsr__item(call->out), &out);
  tsr_tensor target = out;
  if (call->plan->stage_out) {
    target.dtype = TSR_F32;
    target.data = out_room;
    tsr__strides_for(target.ndim, target.shape, TSR_ROW_MAJOR, target.stride);
  }
  d->copied = call->plan->stage_x;
  if (d->copied) {
    stage_x(ctx, call, first, d->n, x_room);
    d->x = x_room;
    copy_strides(call->plan, d->xs);
  } else {
    const bool none = tsr_size(call->x) == 0; /* and perhaps no data: nothing is read, but pointers are made */
    tsr__conv_strides(call->x, c->last, d->xs);
    if (none) memset(d->xs, 0, sizeof d->xs);
    d->x = none ? target.data : (const float *)call->x->data + first * d->xs[0];
  }
  d->out = target.data;
  tsr__conv_strides(&target, c->last, d->os);
  kernels[c->kernel](ctx, c, d);
  if (!d->limited) activate(ctx, call->activation, &target);
  if (call->plan->stage_out) tsr__copy_no_alias(ctx, &target, &out);
}

#endif

void tsr__conv_run(const tsr_ctx *ctx, const tsr__conv_call *call) {
  if (tsr_size(call->out) == 0) return;
  if (!TSR__CONV_FAST || call->c->kernel == TSR__CONV_LOOPS) {
    run_plain(ctx, call);
    return;
  }
#if TSR__CONV_FAST
  const tsr__conv_plan *const plan = call->plan;
  float *const panels = (float *)(void *)call->scratch, *const filters = panels + plan->panels / sizeof(float);
  float *const x = filters + plan->filters / sizeof(float), *const out = x + plan->x / sizeof(float);
  tsr__conv_data d = {.plan = plan, .panels = call->panels, .room = (char *)out + plan->out};
  set_limits(call, &d);
  if (d.panels == NULL) {
    tsr__conv_pack_filters(ctx, call->c, &plan->size, call->w, call->bias, filters, panels);
    d.panels = panels;
  }
  for (tsr_index first = 0; first < call->c->n; first += plan->images) {
    d.n = tsr__conv_min(plan->images, call->c->n - first);
    run_images(ctx, call, first, x, out, &d);
  }
#endif
}
