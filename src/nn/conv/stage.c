/* A copy of x: (n, c, h, w) in f32 at its place in zeros. */
#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "ops/copy/copy.h"

#include <string.h>

#if TSR__CONV_FAST

typedef struct staging {
  const tsr_ctx *ctx;
  const tsr__conv *c;
  const tsr__conv_copy *copy;
  const tsr_tensor *x;
  const char *from;                  /* the first image */
  float *to;                         /* its copy */
  tsr_index xs[4], strides[4];       /* of x and of the copy */
  tsr_index top, left, rows, pixels; /* where x stands in the copy, how much of it is read */
  bool contiguous;                   /* the pixels of a row lie the same way on both sides */
} staging;

/* Channels and rows of image n; filters that share a channel each get it. */
static void copy_part(const staging *s, tsr_index n, tsr_index channel, tsr_index channels, tsr_index y,
                      tsr_index rows) {
  const tsr__conv *const c = s->c;
  const tsr_index *const xs = s->xs, *const ts = s->strides;
  if (tsr_size(s->x) == 0) return;
  const char *const from = s->from + (n * xs[0] + channel * xs[1] + y * xs[2]) * tsr__item(s->x);
  float *const to = s->to + n * ts[0] + channel * ts[1] + (s->top + y) * ts[2] + s->left * ts[3];
  for (tsr_index k = 0; k < rows && s->contiguous; k++)
    memcpy(to + k * ts[2], (const float *)(const void *)from + k * xs[2], (size_t)(s->pixels * xs[3]) * sizeof(float));
  if (s->contiguous) return;
  const tsr_index shape[4] = {1, channels, rows, s->pixels};
  const tsr_index strides[4] = {ts[0], ts[1] * s->copy->times, ts[2], ts[3]};
  tsr_tensor part, target;
  tsr__conv_view(s->x, c->last, shape, xs, c->dtype, (char *)(uintptr_t)from, &part);
  for (tsr_index k = 0; k < s->copy->times; k++) {
    tsr__conv_view(s->x, c->last, shape, strides, TSR_F32, to + k * ts[1], &target);
    tsr__copy_no_alias(s->ctx, &part, &target);
  }
}

static void zero(float *at, tsr_index count) {
  for (tsr_index k = 0; k < count; k++) at[k] = 0;
}

/* Row y of the copy, channels last. */
static void stage_row(const staging *s, tsr_index n, tsr_index y) {
  const tsr_index c = s->copy->c, all = s->copy->w * c, from = y - s->top;
  float *const row = s->to + n * s->strides[0] + y * s->strides[2];
  const bool filled = c == s->c->c * s->copy->times;
  if (from < 0 || from >= s->rows || !filled) memset(row, 0, (size_t)all * sizeof *row);
  if (from < 0 || from >= s->rows) return;
  zero(row, s->left * c);
  zero(row + (s->left + s->pixels) * c, all - (s->left + s->pixels) * c);
  copy_part(s, n, 0, s->c->c, from, 1);
}

/* Plane number channel of the copy, channels first. */
static void stage_plane(const staging *s, tsr_index n, tsr_index channel) {
  const tsr_index w = s->copy->w, h = s->copy->h, end = s->top + s->rows;
  float *const plane = s->to + n * s->strides[0] + channel * s->strides[1];
  memset(plane, 0, (size_t)(s->top * w) * sizeof *plane);
  memset(plane + end * w, 0, (size_t)((h - end) * w) * sizeof *plane);
  for (tsr_index y = s->top; y < end; y++) {
    zero(plane + y * w, s->left);
    zero(plane + y * w + s->left + s->pixels, w - s->left - s->pixels);
  }
  copy_part(s, n, channel, 1, 0, s->rows);
}

static void stage_parts(void *arg, tsr_index begin, tsr_index end, int worker) {
  const staging *const s = arg;
  const tsr_index each = s->copy->last ? s->copy->h : s->copy->c;
  (void)worker;
  for (tsr_index k = begin; k < end; k++) (s->copy->last ? stage_row : stage_plane)(s, k / each, k % each);
}

void tsr__conv_stage(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, tsr_index first, float *to,
                     tsr__conv_data *d) {
  const tsr__conv_copy *const k = &d->plan->copy;
  const tsr_index strides[4] = {k->c * k->h * k->w, k->last ? 1 : k->h * k->w, k->last ? k->w * k->c : k->w,
                                k->last ? k->c : 1};
  const tsr_index each = c->last ? c->c : 1, parts = k->last ? k->h : k->c;
  staging s = {.ctx = ctx, .c = c, .copy = k, .x = x, .to = to};
  memcpy(s.strides, strides, sizeof strides);
  tsr__conv_strides(x, c->last, s.xs);
  s.from = (const char *)x->data + first * s.xs[0] * tsr__item(x);
  s.top = tsr__conv_min(k->top, k->h);
  s.left = tsr__conv_min(k->left, k->w);
  s.rows = tsr__conv_min(c->h, k->h - s.top);
  s.pixels = tsr__conv_min(c->w, k->w - s.left);
  s.contiguous = c->dtype == TSR_F32 && k->last == c->last && s.xs[3] == each && strides[3] == each &&
                 (!c->last || tsr__conv_is_unit(c->c, s.xs[1]));
  tsr__parallel_for(ctx, d->n * parts, 1 + 16384 / (strides[0] / (parts > 0 ? parts : 1) + 1), stage_parts, &s);
  d->x = to;
  memcpy(d->xs, strides, sizeof strides);
}

#endif
