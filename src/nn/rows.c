#include "nn/rows.h"

#include "core/tensor.h"
#include "cpu/parallel.h"
#include "ops/copy/copy.h"
#include "ops/promote.h"

/* A tile's bytes: what the second cache holds. Where there is no malloc there is no cache, and a row is enough. */
enum { TILE_BYTES = TSR_HAVE_MALLOC ? 128 * 1024 : 0, TILE_MOST_BYTES = TSR_HAVE_MALLOC ? 4 * 1024 * 1024 : 0 };
enum { ACROSS = 16 };   /* neighbours that are gathered together when they lie closer than a row's own elements */
enum { GRAIN = 16384 }; /* elements that are worth a thread */

/* The outer axes, those of length 1 gone, those that run on from one another one. */
typedef struct outer_axes {
  int       ndim;
  tsr_index length[TSR_MAX_DIMS];
  ptrdiff_t x[TSR_MAX_DIMS], out[TSR_MAX_DIMS]; /* steps in bytes */
  tsr_index number[TSR_MAX_DIMS];               /* rows from one index to the next */
} outer_axes;

typedef struct plan {
  const tsr_ctx   *ctx;
  const tsr__rows *rows;
  const char      *x;
  char            *out;
  outer_axes       outer;
  tsr_index        count, length; /* rows, and elements of one */
  bool             direct, columns; /* how rows are used where they lie */
  /* else tiles: some indices of the outer axis along, each with a row */
  int        along;
  tsr_index  width, tiles; /* of a tile; and how many are along that axis */
  tsr_tensor x_tile, out_tile, tile;
  char      *memory;
  size_t     bytes; /* of one worker */
} plan;

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

static bool without_gaps(const tsr_tensor *view, int first) {
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
  const ptrdiff_t        item = tsr__item(rows->x);
  tsr_index              after = 1; /* rows in all of the axes behind */
  for (int i = 0; i < rows->outer; i++) after *= rows->axes[i].length;
  p->count = after;
  if (after == 0) return;
  for (int i = 0; i < rows->outer; i++) {
    const tsr__rows_axis *const axis = &rows->axes[i];
    after /= axis->length;
    const ptrdiff_t step = (ptrdiff_t)axis->factor * item;
    add_outer(&p->outer, axis->length, (ptrdiff_t)rows->x->stride[axis->axis] * step,
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
  const int       last = p->x_tile.ndim - 1;
  tsr_index       width = (tsr_index)(TILE_BYTES / row_bytes);
  const ptrdiff_t step = last > 0 ? (ptrdiff_t)p->x_tile.stride[last] * tsr__item(&p->x_tile) : 0;
  const bool      across = p->along >= 0 && magnitude(p->outer.x[p->along]) < magnitude(step);
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
  return p->rows->columns != NULL && compute == p->rows->x->dtype && along >= 0 &&
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
  const int       last = p->x_tile.ndim - 1;
  p->rows->columns(p->rows->arg, width, x, (ptrdiff_t)p->x_tile.stride[last] * item, out,
                   (ptrdiff_t)p->out_tile.stride[last] * item, memory);
}

static void plan_init(plan *p, const tsr_ctx *ctx, const tsr__rows *rows, const tsr_tensor *out) {
  const int compute = tsr__compute_of(rows->x->dtype);
  *p = (plan){.ctx = ctx, .rows = rows, .x = rows->x->data, .out = out->data, .length = tsr__rows_length(rows)};
  outer_init(p, out);
  p->x_tile = row_view(rows, rows->x);
  p->out_tile = row_view(rows, out);
  const int first = first_axis(rows);
  p->direct = compute == rows->x->dtype && without_gaps(&p->x_tile, first) && without_gaps(&p->out_tile, first);
  if (p->count == 0 || p->length == 0 || p->direct) return;
  if (has_columns(p, compute))
    columns_init(p);
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
    const char *x = p->x;
    char       *out = p->out;
    tsr_index   left = row;
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
  tsr__copy_apart(ctx, src, dst);
#else
  tsr__move_apart(ctx, src, dst);
#endif
}

static void run_tile(const plan *p, tsr_tensor *x, tsr_tensor *out, tsr_tensor *tile, tsr_index number,
                     tsr_index width) {
  const ptrdiff_t row_bytes = (ptrdiff_t)p->length * tsr__item(tile);
  const tsr_index step = p->along < 0 ? 0 : p->outer.number[p->along];
  if (first_axis(p->rows) > 0) x->shape[0] = out->shape[0] = tile->shape[0] = width;
  transfer(p->ctx, x, tile);
  for (tsr_index i = 0; i < width; i++) {
    char *const row = (char *)tile->data + row_bytes * (ptrdiff_t)i;
    p->rows->run(p->rows->arg, number + i * step, row, row);
  }
  transfer(p->ctx, tile, out);
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const plan *const       p = arg;
  const outer_axes *const outer = &p->outer;
  tsr_tensor x = p->x_tile, out = p->out_tile, tile = p->tile;
  tile.data = p->memory + p->bytes * (size_t)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % p->tiles * p->width;
    tsr_index       left = task / p->tiles, number = 0, width = 1;
    ptrdiff_t       at_x = 0, at_out = 0;
    for (int i = outer->ndim - 1; i >= 0; i--) {
      const tsr_index index = i == p->along ? first : left % outer->length[i];
      if (i != p->along) left /= outer->length[i];
      if (i == p->along) width = outer->length[i] - first < p->width ? outer->length[i] - first : p->width;
      at_x += outer->x[i] * (ptrdiff_t)index;
      at_out += outer->out[i] * (ptrdiff_t)index;
      number += outer->number[i] * index;
    }
    x.data = (char *)p->rows->x->data + at_x;
    out.data = p->out + at_out;
    if (p->columns)
      run_columns(p, x.data, out.data, tile.data, width);
    else
      run_tile(p, &x, &out, &tile, number, width);
  }
}

static tsr_index grain_of(tsr_index elements) { return elements < GRAIN ? GRAIN / (elements > 0 ? elements : 1) : 1; }

static tsr_status run_plan(tsr_ctx *ctx, plan *p) {
  tsr__scratch scratch;
  if (p->count == 0 || p->length == 0) return TSR_OK;
  if (p->direct) {
    tsr__parallel_for(ctx, p->count, grain_of(p->length), run_direct, p);
    return TSR_OK;
  }
  const tsr_status st = tsr__scratch_get(ctx, p->rows->op, plan_bytes(p), &scratch);
  if (st != TSR_OK) return st;
  const tsr_index tasks = p->along < 0 ? 1 : p->count / p->outer.length[p->along] * p->tiles;
  p->memory = scratch.data;
  tsr__parallel_for(ctx, tasks, grain_of(p->length * p->width), run_tiles, p);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

tsr_status tsr__rows_run(tsr_ctx *ctx, const tsr__rows *rows, tsr_tensor *out) {
  const tsr__result result = {rows->x->dtype, rows->x->layout, rows->x->ndim, rows->x->shape, rows->x};
  tsr__rows         mine = *rows;
  tsr_tensor        copy;
  tsr__scratch      scratch = {0};
  plan              p;
  tsr_status        st = tsr__output_check(ctx, rows->op, &result, out);
  if (st != TSR_OK) return st;
  const tsr_tensor before = *out;
  if (out->data != NULL && rows->x->data != NULL && !tsr__same_view(rows->x, out) && tsr__overlap(rows->x, out)) {
    st = tsr__copy_to_scratch(ctx, rows->op, rows->x, &scratch, &copy);
    mine.x = &copy;
  }
  if (st == TSR_OK) st = tsr__output(ctx, rows->op, &result, out);
  if (st == TSR_OK) {
    plan_init(&p, ctx, &mine, out);
    st = run_plan(ctx, &p);
    if (st != TSR_OK && before.data == NULL) {
      tsr_release(out);
      *out = before;
    }
  }
  tsr__scratch_put(&scratch);
  return st;
}

size_t tsr__rows_workspace(const tsr_ctx *ctx, const tsr__rows *rows) {
  tsr_tensor fresh;
  int        axes[TSR_MAX_DIMS];
  plan       p;
  tsr__describe(rows->x->dtype, rows->x->ndim, rows->x->shape, &fresh);
  tsr__axes_by_stride(rows->x, axes);
  tsr__strides_permuted(&fresh, axes);
  plan_init(&p, ctx, rows, &fresh);
  const size_t bytes = plan_bytes(&p);
  return bytes > 0 ? bytes + (TSR_DATA_ALIGN - 1) : 0;
}
