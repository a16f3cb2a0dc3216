#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slice.h"

enum { BLOCK = 2048 }; /* 16 KB of doubles */

/* ---- all elements ---- */

static tsr_status visit_row(tsr_ctx *ctx, const tsr_tensor *row, numbers_fn *fn, void *user) {
  double block[BLOCK];
  tsr_status st = TSR_OK;
  for (tsr_index at = 0; at < row->shape[0] && st == TSR_OK; at += BLOCK) {
    const tsr_index n = row->shape[0] - at < BLOCK ? row->shape[0] - at : BLOCK;
    tsr_tensor part = {0}, values = {0};
    TSR_TRY(st, tsr_narrow(ctx, row, 0, at, n, &part), failed);
    TSR_TRY(st, tsr_from_memory(ctx, block, TSR_F64, 1, &n, &values), failed);
    TSR_TRY(st, tsr_cast(ctx, &part, TSR_F64, &values), failed);
    fn(user, block, n);
  }
failed:
  return st;
}

tsr_status numbers_visit(tsr_ctx *ctx, const tsr_tensor *t, numbers_fn *fn, void *user) {
  tsr_tensor flat = {0};
  tsr_status st = TSR_OK;
  if (tsr_flatten_view(ctx, t, &flat) == TSR_OK) return visit_row(ctx, &flat, fn, user);
  tsr_error_clear(ctx); /* no failure: it needs one loop more */
  for (tsr_index i = 0; i < t->shape[0] && st == TSR_OK; i++) {
    tsr_tensor part = {0};
    st = tsr_select(ctx, t, 0, i, &part);
    if (st == TSR_OK) st = numbers_visit(ctx, &part, fn, user);
  }
  return st;
}

/* ---- pictures ---- */

tsr_status numbers_matrix(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out, char *index, size_t capacity) {
  slice left_out = {0};
  tsr_tensor m = {0};
  tsr_status st = tsr_view(ctx, t, &m);
  while (st == TSR_OK && m.ndim > 2) {
    left_out.parts[left_out.count++] = (slice_part){.kind = SLICE_INDEX};
    st = tsr_select(ctx, &m, 0, 0, &m);
  }
  while (st == TSR_OK && m.ndim < 2) st = tsr_unsqueeze(ctx, &m, 0, &m);
  if (capacity > 0) index[0] = '\0';
  if (left_out.count > 0 && capacity > 0) (void)slice_format(&left_out, index, capacity);
  if (st == TSR_OK) *out = m;
  return st;
}

/* Adds the rows that fall into one row of pixels. */
typedef struct band {
  tsr_index columns, at; /* at: the column of the next element */
  int width;
  double *sums, *counts; /* width of each */
} band;

static void add_to_band(void *user, const double *values, tsr_index n) {
  band *b = user;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_index column = b->at;
    if (++b->at == b->columns) b->at = 0;
    if (!isfinite(values[i])) continue;
    /* Every pixel that the element covers: one when the picture is the smaller, several when it is the larger. */
    const tsr_index first = column * b->width / b->columns;
    tsr_index end = (column + 1) * b->width / b->columns;
    if (end <= first) end = first + 1;
    for (tsr_index p = first; p < end; p++) b->sums[p] += values[i], b->counts[p] += 1;
  }
}

static tsr_status fill_row(tsr_ctx *ctx, const tsr_tensor *matrix, int height, int y, band *b, double *pixels) {
  const tsr_index rows = matrix->shape[0], first = y * rows / height;
  tsr_index end = (y + 1) * rows / height;
  if (end <= first) end = first + 1;
  tsr_tensor part = {0};
  memset(b->sums, 0, 2 * (size_t)b->width * sizeof *b->sums);
  b->at = 0;
  tsr_status st = tsr_narrow(ctx, matrix, 0, first, end - first, &part);
  if (st == TSR_OK) st = numbers_visit(ctx, &part, add_to_band, b);
  for (int x = 0; x < b->width; x++) pixels[x] = b->counts[x] > 0 ? b->sums[x] / b->counts[x] : (double)NAN;
  return st;
}

tsr_status numbers_pixels(tsr_ctx *ctx, const tsr_tensor *matrix, int width, int height, double *pixels) {
  band b = {.columns = matrix->shape[1], .width = width};
  tsr_status st = TSR_OK;
  b.sums = malloc(2 * (size_t)width * sizeof *b.sums);
  if (b.sums == NULL) return TSR_ENOMEM;
  b.counts = b.sums + width;
  for (int y = 0; y < height && st == TSR_OK; y++)
    st = fill_row(ctx, matrix, height, y, &b, pixels + (size_t)y * (size_t)width);
  free(b.sums);
  return st;
}
