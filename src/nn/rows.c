#include "nn/rows.h"

#include "core/tensor.h"
#include "cpu/parallel.h"
#include "cpu/touch.h"
#include "ops/copy/copy.h"
#include "ops/promote.h"

#include <string.h>

/* A tile's bytes: what the second cache holds. Where there is no malloc there is no cache, and a row is enough. */
enum { TILE_BYTES = TSR_HAVE_MALLOC ? 128 * 1024 : 0, TILE_MOST_BYTES = TSR_HAVE_MALLOC ? 4 * 1024 * 1024 : 0 };
enum { ACROSS = 16 };   /* neighbours that are gathered together when they lie closer than a row's own elements */
enum { GRAIN = 16384 }; /* elements that are worth a thread */

typedef tsr__outer_axes outer_axes;
typedef tsr__rows_plan plan;

/* ---- what rows are ---- */

void tsr__rows_add(tsr__rows *rows, bool inner, int axis, tsr_index length, tsr_index factor) {
  rows->axes[rows->outer + rows->inner] = (tsr__rows_axis){axis, length, factor};
  if (inner)
    rows->inner++;
  else
    rows->outer++;
}

tsr_index tsr__rows_length(const tsr__rows *rows) {
  tsr_index length = 1;
  for (int i = 0; i < rows->inner; i++) length *= rows->axes[rows->outer + i].length;
  return length;
}

/* The axis where a tile's rows begin: behind that of the tile, which is there when rows are counted at all. A row may
 * have as many axes as there are. */
static int first_axis(const tsr__rows *rows) { return rows->outer > 0 ? 1 : 0; }

/* The row of t that begins at its first element. */
static tsr_tensor row_view(const tsr__rows *rows, const tsr_tensor *t) {
  tsr_tensor view = *t;
  view.ndim = (uint8_t)first_axis(rows);
  view.layout = TSR_PLAIN;
  for (int i = 0; i < rows->inner; i++) {
    const tsr__rows_axis *const axis = &rows->axes[rows->outer + i];
    if (axis->length == 1) continue;
    view.shape[view.ndim] = axis->length;
    view.stride[view.ndim++] = t->stride[axis->axis] * axis->factor;
  }
  if (first_axis(rows) > 0) {
    view.shape[0] = 1;
    view.stride[0] = 0;
  }
  return view;
}

static bool is_contiguous_from(const tsr_tensor *view, int first) {
  tsr_index next = 1;
  for (int i = view->ndim - 1; i >= first; i--) {
    if (view->stride[i] != next) return false;
    next *= view->shape[i];
  }
  return true;
}

static void add_outer(outer_axes *outer, tsr_index length, ptrdiff_t x, ptrdiff_t out, tsr_index number) {
  const int last = outer->ndim - 1;
  if (length == 1) return;
  if (last >= 0 && outer->x[last] == x * (ptrdiff_t)length && outer->out[last] == out * (ptrdiff_t)length) {
    outer->length[last] *= length;
    outer->x[last] = x;
    outer->out[last] = out;
    outer->number[last] = number;
    return;
  }
  outer->length[outer->ndim] = length;
  outer->x[outer->ndim] = x;
  outer->out[outer->ndim] = out;
  outer->number[outer->ndim++] = number;
}

static void outer_init(plan *p, const tsr_tensor *out) {
  const tsr__rows *const rows = p->rows;
  const tsr_tensor *const x = p->x.in;
  const ptrdiff_t item = tsr__item(x);
  tsr_index after = 1; /* rows in all of the axes behind */
  for (int i = 0; i < rows->outer; i++) after *= rows->axes[i].length;
  p->count = after;
  p->outer.ndim = 0;
  if (after == 0) return;
  for (int i = 0; i < rows->outer; i++) {
    const tsr__rows_axis *const axis = &rows->axes[i];
    after /= axis->length;
    const ptrdiff_t step = (ptrdiff_t)axis->factor * item;
    add_outer(&p->outer, axis->length, (ptrdiff_t)x->stride[axis->axis] * step,
              (ptrdiff_t)out->stride[axis->axis] * step, after);
  }
}

/* ---- tiles ---- */

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* The outer axis whose neighbours are closest; -1 when there is but one row. */
static int closest_axis(const outer_axes *outer) {
  int best = outer->ndim - 1;
  for (int i = outer->ndim - 2; i >= 0; i--)
    if (magnitude(outer->x[i]) < magnitude(outer->x[best])) best = i;
  return best;
}

static tsr_index tile_width(const plan *p, size_t row_bytes) {
  const tsr_index all = p->along < 0 ? 1 : p->outer.length[p->along];
  const int last = p->x_tile.ndim - 1;
  tsr_index width = (tsr_index)(TILE_BYTES / row_bytes);
  const ptrdiff_t step = last > 0 ? (ptrdiff_t)p->x_tile.stride[last] * tsr__item(&p->x_tile) : 0;
  const bool across = p->along >= 0 && magnitude(p->outer.x[p->along]) < magnitude(step);
  if (width < ACROSS && across && row_bytes <= TILE_MOST_BYTES / ACROSS) width = ACROSS;
  if (width > ACROSS) width = width / ACROSS * ACROSS;
  return width < 1 ? 1 : width < all ? width : all;
}

static void tiles_init(plan *p, int compute) {
  const size_t item = tsr_dtype_size(compute), row_bytes = item * (size_t)p->length;
  p->along = closest_axis(&p->outer);
  p->width = tile_width(p, row_bytes);
  p->tiles = p->along < 0 ? 1 : (p->outer.length[p->along] - 1) / p->width + 1;
  p->bytes = tsr__align_up(row_bytes * (size_t)p->width, TSR_DATA_ALIGN);
  if (p->along >= 0) {
    p->x_tile.stride[0] = (tsr_index)(p->outer.x[p->along] / tsr__item(&p->x_tile));
    p->out_tile.stride[0] = (tsr_index)(p->outer.out[p->along] / tsr__item(&p->x_tile));
  }
  tsr__describe(compute, p->x_tile.ndim, p->x_tile.shape, &p->tile);
  tsr__strides_for(p->tile.ndim, p->tile.shape, TSR_ROW_MAJOR, p->tile.stride);
}

/* ---- columns ---- */

enum { MOST_COLUMNS = 512, FEWEST_COLUMNS = 64 }; /* of a task: longer pieces of memory, or more tasks */

/* Whether rows of one axis lie side by side in x and out, and enough of them for vectors. */
static bool has_columns(const plan *p, int compute) {
  const int along = closest_axis(&p->outer);
  return p->rows->columns != NULL && compute == p->x_tile.dtype && along >= 0 &&
         p->x_tile.ndim == first_axis(p->rows) + 1 && p->outer.length[along] >= ACROSS &&
         p->outer.x[along] == tsr__item(&p->x_tile) && p->outer.out[along] == tsr__item(&p->x_tile);
}

static void columns_init(plan *p) {
  const tsr_index workers = TSR_HAVE_THREADS ? tsr__parallel(p->ctx)->max_workers : 1;
  p->columns = true;
  p->along = closest_axis(&p->outer);
  const tsr_index all = p->outer.length[p->along], others = p->count / all;
  p->width = MOST_COLUMNS < all ? MOST_COLUMNS : all;
  while (p->width >= 2 * FEWEST_COLUMNS && others * ((all - 1) / p->width + 1) < 2 * workers) p->width /= 2;
  p->tiles = (all - 1) / p->width + 1;
  p->bytes = tsr__align_up(p->rows->column_bytes * (size_t)p->width, TSR_DATA_ALIGN);
}

static void run_columns(const plan *p, const char *x, char *out, void *memory, tsr_index width) {
  const ptrdiff_t item = tsr__item(&p->x_tile);
  const int last = p->x_tile.ndim - 1;
  p->rows->columns(p->rows->arg, width, x, (ptrdiff_t)p->x_tile.stride[last] * item, out,
                   (ptrdiff_t)p->out_tile.stride[last] * item, memory);
}

/* ---- rows of few elements ---- */

/* Elements of a tile, which stay in the first cache; rows that are worth one; and lengths of which a row by itself is as
 * good: whole vectors, and so many. */
enum { TRANSPOSED = 1024, FEWEST_ROWS = 64, WHOLE = 16, LONG = 48, LINE = 64 };

/* Whether rows are short, many, and elements at one step. */
static bool is_short(const plan *p) {
  const int along = closest_axis(&p->outer);
  return TSR_HAVE_MALLOC && p->rows->columns != NULL && p->length <= TSR__ROWS_SHORT && along >= 0 &&
         p->outer.length[along] >= FEWEST_ROWS && !(p->direct && p->length >= LONG && p->length % WHOLE == 0) &&
         (p->direct || p->x_tile.ndim <= first_axis(p->rows) + 1);
}

/* A row as one axis. */
static void flatten_row(const plan *p, tsr_tensor *view) {
  const int first = first_axis(p->rows);
  if (!p->direct && view->ndim > first) return;
  view->ndim = (uint8_t)(first + 1);
  view->shape[first] = p->length;
  view->stride[first] = 1;
}

/* A tile whose rows are side by side, and behind it what the op needs. */
static void transposed_init(plan *p, int compute) {
  const tsr_index each = (TRANSPOSED / p->length + ACROSS - 1) / ACROSS * ACROSS;
  const size_t item = tsr_dtype_size(compute);
  flatten_row(p, &p->x_tile);
  flatten_row(p, &p->out_tile);
  p->transposed = true;
  p->direct = false;
  tiles_init(p, compute);
  p->width = each;
  if (p->width > p->outer.length[p->along]) p->width = p->outer.length[p->along];
  p->tiles = (p->outer.length[p->along] - 1) / p->width + 1;
  p->tile.stride[0] = 1;
  p->tile.stride[1] = p->width + ACROSS; /* no power of two, whose rows would fall into the same places of a cache */
  p->column_offset = tsr__align_up(item * (size_t)(p->tile.stride[1] * p->length), TSR_DATA_ALIGN);
  p->dense_bytes = tsr__align_up(item * (size_t)(p->width * p->length), TSR_DATA_ALIGN);
  p->bytes =
      p->column_offset + tsr__align_up(p->rows->column_bytes * (size_t)p->width, TSR_DATA_ALIGN) + p->dense_bytes;
}

/* x is there. Field by field: small calls feel it when all of a plan is set to 0. */
static void plan_init(plan *p, const tsr_ctx *ctx, const tsr__rows *rows, const tsr_tensor *out) {
  const tsr_tensor *const x = p->x.in;
  const int compute = tsr__compute_of(x->dtype), first = first_axis(rows);
  p->ctx = ctx;
  p->rows = rows;
  p->out = out->data;
  p->length = tsr__rows_length(rows);
  p->columns = false;
  p->bytes = 0;
  outer_init(p, out);
  p->x_tile = row_view(rows, x);
  p->out_tile = row_view(rows, out);
  p->direct = compute == x->dtype && is_contiguous_from(&p->x_tile, first) && is_contiguous_from(&p->out_tile, first);
  if (TSR_HAVE_MALLOC) p->transposed = false;
  if (p->count == 0 || p->length == 0) return;
  const bool few = is_short(p);
  if (p->direct && !few) return;
  if (has_columns(p, compute))
    columns_init(p);
  else if (few)
    transposed_init(p, compute);
  else
    tiles_init(p, compute);
}

static size_t plan_bytes(const plan *p) {
  return p->bytes * (size_t)(TSR_HAVE_THREADS ? tsr__parallel(p->ctx)->max_workers : 1);
}

/* ---- running ---- */

static void run_direct(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  const outer_axes *const outer = &p->outer;
  (void)worker;
  for (tsr_index row = begin; row < end; row++) {
    const char *x = p->x.in->data;
    char *out = p->out;
    tsr_index left = row;
    for (int i = outer->ndim - 1; i >= 0; i--) {
      const tsr_index index = i > 0 ? left % outer->length[i] : left;
      x += outer->x[i] * (ptrdiff_t)index;
      out += outer->out[i] * (ptrdiff_t)index;
      if (i > 0) left /= outer->length[i];
    }
    p->rows->run(p->rows->arg, row, x, out);
  }
}

/* Rows are computed in another dtype where there are small floats. */
static void transfer(const tsr_ctx *ctx, const tsr_tensor *src, const tsr_tensor *dst) {
#if TSR_HAVE_SMALL_FLOATS
  tsr__copy_no_alias(ctx, src, dst);
#else
  tsr__move_no_alias(ctx, src, dst);
#endif
}

/* Whether rows of a view lie one after another. */
static bool is_dense(const plan *p, const tsr_tensor *view) {
  return view->stride[1] == 1 && view->stride[0] == p->length;
}

/* The results in a tile to rows that lie one after another, by way of a buffer: memory is written in order. */
static void store_dense(const plan *p, const tsr_tensor *tile, tsr_tensor *out) {
  tsr_tensor buffer = *out;
  buffer.data = (char *)tile->data + p->bytes - p->dense_bytes;
  transfer(p->ctx, tile, &buffer);
  memcpy(out->data, buffer.data, (size_t)(out->shape[0] * p->length) * (size_t)tsr__item(out));
}

static void run_transposed(const plan *p, const tsr_tensor *x, tsr_tensor *out, const tsr_tensor *tile,
                           tsr_index width) {
  const ptrdiff_t step = (ptrdiff_t)tile->stride[1] * tsr__item(tile);
  if (is_dense(p, x)) tsr__touch_rows(x->data, (size_t)width, (size_t)p->length * (size_t)tsr__item(x));
  transfer(p->ctx, x, tile);
  p->rows->columns(p->rows->arg, width, tile->data, step, tile->data, step, (char *)tile->data + p->column_offset);
  if (is_dense(p, out) && p->length * (tsr_index)tsr__item(out) >= LINE)
    store_dense(p, tile, out);
  else
    transfer(p->ctx, tile, out);
}

static void run_tile(const plan *p, tsr_tensor *x, tsr_tensor *out, tsr_tensor *tile, tsr_index number,
                     tsr_index width) {
  const ptrdiff_t row_bytes = (ptrdiff_t)p->length * tsr__item(tile);
  const tsr_index step = p->along < 0 ? 0 : p->outer.number[p->along];
  if (first_axis(p->rows) > 0) x->shape[0] = out->shape[0] = tile->shape[0] = width;
  if (TSR_HAVE_MALLOC && p->transposed) {
    run_transposed(p, x, out, tile, width);
    return;
  }
  transfer(p->ctx, x, tile);
  for (tsr_index i = 0; i < width; i++) {
    char *const row = (char *)tile->data + row_bytes * (ptrdiff_t)i;
    p->rows->run(p->rows->arg, number + i * step, row, row);
  }
  transfer(p->ctx, tile, out);
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const p = arg;
  const outer_axes *const outer = &p->outer;
  tsr_tensor x = p->x_tile, out = p->out_tile, tile = p->tile;
  tile.data = (char *)p->memory + p->bytes * (size_t)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % p->tiles * p->width;
    tsr_index left = task / p->tiles, number = 0, width = 1;
    ptrdiff_t at_x = 0, at_out = 0;
    for (int i = outer->ndim - 1; i >= 0; i--) {
      const tsr_index index = i == p->along ? first : left % outer->length[i];
      if (i != p->along) left /= outer->length[i];
      if (i == p->along) width = outer->length[i] - first < p->width ? outer->length[i] - first : p->width;
      at_x += outer->x[i] * (ptrdiff_t)index;
      at_out += outer->out[i] * (ptrdiff_t)index;
      number += outer->number[i] * index;
    }
    x.data = (char *)p->x.in->data + at_x;
    out.data = p->out + at_out;
    if (p->columns)
      run_columns(p, x.data, out.data, tile.data, width);
    else
      run_tile(p, &x, &out, &tile, number, width);
  }
}

static tsr_index grain_of(tsr_index elements) { return elements < GRAIN ? GRAIN / (elements > 0 ? elements : 1) : 1; }

tsr_status tsr__rows_prepare(tsr__call *call, const tsr__rows *rows, plan *p) {
  const tsr_status st = tsr__unalias_take(call, rows->x, true, &p->x);
  if (st != TSR_OK) return st;
  plan_init(p, call->ctx, rows, call->out[0]);
  return p->bytes > 0 ? tsr__call_scratch(call, plan_bytes(p), &p->memory) : TSR_OK;
}

void tsr__rows_run(plan *p) {
  if (p->count == 0 || p->length == 0) return;
  tsr__unalias_fill(p->ctx, &p->x);
  if (p->direct) {
    tsr__parallel_for(p->ctx, p->count, grain_of(p->length), run_direct, p);
    return;
  }
  const tsr_index tasks = p->along < 0 ? 1 : p->count / p->outer.length[p->along] * p->tiles;
  tsr__parallel_for(p->ctx, tasks, grain_of(p->length * p->width), run_tiles, p);
}
