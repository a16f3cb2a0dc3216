/* Pooling on the context's threads: a task is some rows of windows of one sample (channels last) or channel. */
#include "core/prepare.h"
#include "core/tensor.h"
#include "cpu/parallel.h"
#include "nn/pool/ops.h"
#include "nn/pool/pool.h"
#include "ops/copy/copy.h"
#include "ops/promote.h"

enum { TASK = 32768 };                                  /* elements read that are worth a thread */
enum { TILE_BYTES = TSR_HAVE_MALLOC ? 128 * 1024 : 0 }; /* of input rows that are gathered */

/* Rows of columns of channels. */
typedef struct image {
  char *data;
  ptrdiff_t row, column, channel; /* steps in bytes */
} image;

typedef struct run {
  const tsr_ctx *ctx;
  const tsr__pool *p;
  const tsr__pool_kernel *kernel;
  image x, out;
  ptrdiff_t x_sample, out_sample, x_plane, out_plane; /* plane: a channel where these are first, else nothing */
  tsr_index planes, samples, channels;                /* of a sample; in all; of an image */
  tsr_index rows, blocks;                             /* of windows in a task; tasks of a plane */
  tsr_index whole_from, whole_to;                     /* windows of a row that have no column outside */
  tsr_index most;                                     /* windows that fit a kernel's line; 0: none */
  int compute;
  bool direct;
  char *memory;
  size_t in_bytes, bytes; /* of one worker: the gathered rows, and with their results */
} run;

/* ---- one row of windows ---- */

/* Where the windows of row r are, and what they divide by. */
typedef struct window_row {
  const char *x; /* the first row of a window, column 0 */
  char *out;
  tsr_index rows, count;
} window_row;

static void divide(const run *u, tsr_index n, tsr_index count, char *out) {
  if (u->kernel->divide != NULL) u->kernel->divide(n, count > 0 ? count : 1, out);
}

/* Window by window: all channels of a window at once. */
static void run_windows(const run *u, const image *x, const image *out, const window_row *w, tsr_index from,
                        tsr_index to) {
  const tsr__pool_axis *const a = &u->p->column;
  for (tsr_index i = from; i < to; i++) {
    const tsr_index first = tsr__pool_first(a, i);
    const tsr__pool_taps taps = tsr__pool_inside(a, first);
    char *const at = w->out + out->column * (ptrdiff_t)i;
    u->kernel->fold(u->channels, w->x + x->column * (ptrdiff_t)(first + taps.from * a->dilation), w->rows,
                    x->row * (ptrdiff_t)u->p->row.dilation, taps.to - taps.from, x->column * (ptrdiff_t)a->dilation,
                    at);
    if (u->kernel->divide != NULL) divide(u, u->channels, w->count * tsr__pool_count(u->p, a, first), at);
  }
}

/* The same for a row: windows that share columns go together, and where there is no cache all that are whole. */
static void run_window_row(const run *u, const image *x, const image *out, const window_row *w) {
  const tsr__pool_axis *const a = &u->p->column;
  const bool shared = !TSR_HAVE_MALLOC || (a->kernel == 3 && a->stride <= 2);
  if (!shared || a->dilation != 1 || w->rows == 0 || u->whole_from == u->whole_to) {
    run_windows(u, x, out, w, 0, a->out);
    return;
  }
  const tsr__pool_slide slide = {.x = w->x + x->column * (ptrdiff_t)tsr__pool_first(a, u->whole_from),
                                 .row_step = x->row * (ptrdiff_t)u->p->row.dilation,
                                 .column_step = x->column,
                                 .out_step = out->column,
                                 .rows = w->rows,
                                 .columns = a->kernel,
                                 .stride = a->stride,
                                 .windows = u->whole_to - u->whole_from,
                                 .channels = u->channels,
                                 .count = w->count * a->kernel,
                                 .out = w->out + out->column * (ptrdiff_t)u->whole_from};
  run_windows(u, x, out, w, 0, u->whole_from);
  u->kernel->slide(&slide);
  run_windows(u, x, out, w, u->whole_to, a->out);
}

/* Means: the windows that are whole divide by one number, those at the ends by their own. */
static void divide_line(const run *u, const window_row *w, ptrdiff_t item) {
  const tsr__pool_axis *const a = &u->p->column;
  for (tsr_index i = 0; i < a->out; i++) {
    if (i == u->whole_from && i < u->whole_to) {
      divide(u, u->whole_to - i, w->count * a->kernel, w->out + item * (ptrdiff_t)i);
      i = u->whole_to - 1;
    } else {
      divide(u, 1, w->count * tsr__pool_count(u->p, a, tsr__pool_first(a, i)), w->out + item * (ptrdiff_t)i);
    }
  }
}

static tsr_index between(tsr_index i, tsr_index low, tsr_index high) { return i < low ? low : i > high ? high : i; }

/* One channel: windows along a line, as many at a time as fit the kernel's lines. */
static void run_line(const run *u, const image *x, const image *out, const window_row *w) {
  const tsr__pool_axis *const a = &u->p->column;
  const ptrdiff_t item = x->column;
  if (u->most == 0) {
    run_windows(u, x, out, w, 0, a->out);
    return;
  }
  for (tsr_index from = 0, to; from < a->out; from = to) {
    to = a->out - from < u->most ? a->out : from + u->most;
    const tsr__pool_line line = {.x = w->x,
                                 .row_step = x->row * (ptrdiff_t)u->p->row.dilation,
                                 .rows = w->rows,
                                 .length = a->length,
                                 .first = tsr__pool_first(a, from),
                                 .kernel = a->kernel,
                                 .stride = a->stride,
                                 .dilation = a->dilation,
                                 .n = to - from,
                                 .from = between(u->whole_from, from, to) - from,
                                 .to = between(u->whole_to, from, to) - from,
                                 .out = w->out + item * (ptrdiff_t)from};
    u->kernel->line(&line);
  }
  if (u->kernel->divide != NULL) divide_line(u, w, item);
}

/* Rows from … to - 1 of windows; x->data is row lowest of the input, out->data row from of the output. */
static void run_rows(const run *u, const image *x, const image *out, tsr_index from, tsr_index to, tsr_index lowest) {
  const tsr__pool_axis *const a = &u->p->row;
  for (tsr_index r = from; r < to; r++) {
    const tsr_index first = tsr__pool_first(a, r);
    const tsr__pool_taps taps = tsr__pool_inside(a, first);
    const window_row w = {.x = x->data + x->row * (ptrdiff_t)(first + taps.from * a->dilation - lowest),
                          .out = out->data + out->row * (ptrdiff_t)(r - from),
                          .rows = taps.to - taps.from,
                          .count = tsr__pool_count(u->p, a, first)};
    if (u->p->last)
      run_window_row(u, x, out, &w);
    else
      run_line(u, x, out, &w);
  }
}

/* ---- gathering ---- */

/* Some rows of an image: as they lie in t, and contiguous in temporary memory. */
static tsr_tensor rows_view(const run *u, const image *at, int dtype, tsr_index rows, tsr_index columns) {
  const tsr_index shape[3] = {rows, columns, u->channels};
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(dtype);
  tsr_tensor view;
  tsr__describe(dtype, 3, shape, &view);
  view.stride[0] = (tsr_index)(at->row / item);
  view.stride[1] = (tsr_index)(at->column / item);
  view.stride[2] = (tsr_index)(at->channel / item);
  view.data = at->data;
  return view;
}

static image packed(const run *u, char *memory, tsr_index columns) {
  const ptrdiff_t item = (ptrdiff_t)tsr_dtype_size(u->compute), column = item * (ptrdiff_t)u->channels;
  return (image){memory, column * (ptrdiff_t)columns, column, item};
}

static tsr_index lowest_row(const run *u, tsr_index from) {
  const tsr_index first = tsr__pool_first(&u->p->row, from);
  return first < 0 ? 0 : first < u->p->row.length ? first : u->p->row.length;
}

static tsr_index highest_row(const run *u, tsr_index to) {
  const tsr_index end = tsr__pool_first(&u->p->row, to - 1) + tsr__pool_reach(&u->p->row);
  return end < u->p->row.length ? end : u->p->row.length;
}

static void run_gathered(const run *u, const image *x, const image *out, tsr_index from, tsr_index to, int worker) {
  const tsr__pool *const p = u->p;
  char *const memory = u->memory + u->bytes * (size_t)worker;
  const tsr_index low = lowest_row(u, from), high = highest_row(u, to);
  const image x_tile = packed(u, memory, p->column.length), out_tile = packed(u, memory + u->in_bytes, p->column.out);
  image lowest = *x;
  lowest.data += x->row * (ptrdiff_t)low;
  if (high > low) {
    const tsr_tensor source = rows_view(u, &lowest, p->x->dtype, high - low, p->column.length);
    const tsr_tensor target = rows_view(u, &x_tile, u->compute, high - low, p->column.length);
    tsr__copy_no_alias(u->ctx, &source, &target);
  }
  run_rows(u, &x_tile, &out_tile, from, to, low);
  const tsr_tensor source = rows_view(u, &out_tile, u->compute, to - from, p->column.out);
  const tsr_tensor target = rows_view(u, out, p->x->dtype, to - from, p->column.out);
  tsr__copy_no_alias(u->ctx, &source, &target);
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const run *const u = arg;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index plane = task / u->blocks, from = task % u->blocks * u->rows;
    const tsr_index to = u->p->row.out - from < u->rows ? u->p->row.out : from + u->rows;
    const ptrdiff_t sample = (ptrdiff_t)(plane / u->planes), channel = (ptrdiff_t)(plane % u->planes);
    image x = u->x, out = u->out;
    x.data += u->x_sample * sample + u->x_plane * channel;
    out.data += u->out_sample * sample + u->out_plane * channel + out.row * (ptrdiff_t)from;
    if (u->direct)
      run_rows(u, &x, &out, from, to, 0);
    else
      run_gathered(u, &x, &out, from, to, worker);
  }
}

/* ---- the run ---- */

static image image_of(const tsr__pool *p, const tsr_tensor *t) {
  const ptrdiff_t item = tsr__item(t);
  return (image){.data = t->data,
                 .row = p->row.axis < 0 ? 0 : (ptrdiff_t)t->stride[p->row.axis] * item,
                 .column = (ptrdiff_t)t->stride[p->column.axis] * item,
                 .channel = p->last ? (ptrdiff_t)t->stride[p->channel] * item : item};
}

/* Whether kernels can use it where it lies: what runs inside has no gaps. */
static bool is_direct(const run *u, const image *at) {
  const ptrdiff_t item = tsr__item(u->p->x);
  if (u->compute != u->p->x->dtype) return false;
  return u->p->last ? at->channel == item || u->channels == 1 : at->column == item;
}

/* What is the same for every row of windows. */
static void measure_columns(run *u) {
  const tsr__pool_axis *const a = &u->p->column;
  const tsr_index reach = tsr__pool_reach(a), last = a->length + a->before - reach; /* a whole one's begin */
  const tsr_index room = (tsr_index)(TSR__POOL_LINE_BYTES / tsr_dtype_size(u->compute)) - reach - a->stride;
  u->whole_from = between((a->before + a->stride - 1) / a->stride, 0, a->out);
  u->whole_to = between(last < 0 ? 0 : last / a->stride + 1, u->whole_from, a->out);
  u->most = room < 0 ? 0 : room / a->stride + 1;
}

/* Rows of windows a task: what is worth a thread, or what a tile holds. */
static void cut(run *u) {
  const tsr__pool *const p = u->p;
  const tsr_index wide = p->column.length * u->channels, out_wide = p->column.out * u->channels;
  const size_t item = tsr_dtype_size(u->compute);
  const tsr_index each = (wide > 0 ? wide : 1) * p->row.stride;
  tsr_index rows = (u->direct ? TASK : (tsr_index)(TILE_BYTES / item)) / each;
  rows = rows < 1 ? 1 : rows < p->row.out ? rows : p->row.out;
  u->rows = rows;
  u->blocks = rows > 0 ? (p->row.out - 1) / rows + 1 : 0;
  if (u->direct) return;
  const tsr_index gathered = (rows - 1) * p->row.stride + tsr__pool_reach(&p->row);
  const tsr_index in_rows = gathered < p->row.length ? gathered : p->row.length;
  u->in_bytes = tsr__align_up((size_t)(in_rows * wide) * item, TSR_DATA_ALIGN);
  u->bytes = u->in_bytes + tsr__align_up((size_t)(rows * out_wide) * item, TSR_DATA_ALIGN);
}

static void run_init(run *u, const tsr_ctx *ctx, const tsr__pool *p, const tsr_tensor *out) {
  const tsr_tensor *const x = p->x;
  const ptrdiff_t item = tsr__item(x);
  *u = (run){.ctx = ctx, .p = p, .x = image_of(p, x), .out = image_of(p, out), .samples = x->shape[0]};
  u->compute = tsr__compute_of(x->dtype);
  u->x_sample = (ptrdiff_t)x->stride[0] * item;
  u->out_sample = (ptrdiff_t)out->stride[0] * item;
  u->x_plane = (ptrdiff_t)x->stride[p->channel] * item;
  u->out_plane = (ptrdiff_t)out->stride[p->channel] * item;
  u->planes = p->last ? 1 : x->shape[1];
  u->channels = p->last ? x->shape[p->channel] : 1;
  u->direct = is_direct(u, &u->x) && is_direct(u, &u->out);
  if (tsr_size(out) == 0) return;
  measure_columns(u);
  cut(u);
}

static size_t run_bytes(const run *u) {
  return u->bytes * (size_t)(TSR_HAVE_THREADS ? tsr__parallel(u->ctx)->max_workers : 1);
}

static void run_all(const run *u) {
  const tsr_index each = u->rows * u->p->row.stride * u->p->column.length * u->channels;
  tsr__parallel_for(u->ctx, u->samples * u->planes * u->blocks, each < TASK ? TASK / (each > 0 ? each : 1) : 1,
                    run_tasks, (void *)(uintptr_t)u);
}

/* A pooling that is ready to run, with the tensor that it reads. */
typedef struct ready {
  tsr_tensor x;
  tsr__pool p;
  run u;
} ready;

static void run_ready(const tsr_ctx *ctx, const void *plan) {
  const ready *const r = plan;
  if (r->u.p == &r->p) { /* not kept: it lies where it was made */
    run_all(&r->u);
    return;
  }
  tsr__pool p = r->p;
  run u = r->u;
  p.x = &r->x;
  u.p = &p;
  u.ctx = ctx;
  run_all(&u);
}

/* An input that overlaps the output is read from a copy. */
static tsr_status make_room(tsr__call *call, const tsr_tensor *x, tsr_tensor *copy, tsr__pool *p) {
  const tsr_tensor *const out = call->out[0];
  if (!tsr__call_was_given(call, 0) || tsr_size(x) == 0 || tsr_size(out) == 0 || !tsr__overlap(x, out)) return TSR_OK;
  p->x = copy;
  return tsr__call_copy_of(call, x, copy);
}

tsr_status tsr__pool_run(tsr__call *call) {
  const tsr__max_pool_attrs *const attrs = call->attrs;
  const tsr__pool_kernel *const *const *const tables = call->info->kernels;
  const tsr_tensor *const x = call->in[0];
  tsr_tensor copy;
  void *memory;
  ready r;
  tsr_status st = tsr__pool_init(call->ctx, call->op, x, attrs->kernel_count, attrs->kernel, attrs->options, &r.p);
  if (st != TSR_OK) return st;
  const tsr__result result = {x->dtype, x->layout, x->ndim, r.p.shape, x};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = make_room(call, x, &copy, &r.p);
  if (st != TSR_OK) return st;
  run_init(&r.u, call->ctx, &r.p, call->out[0]);
  st = tsr__call_scratch(call, run_bytes(&r.u), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || tsr_size(call->out[0]) == 0) return st;
  r.u.kernel = tables[tsr__isa_of(call->ctx)][r.u.compute];
  r.u.memory = memory;
  if (tsr__preparing(call) != NULL) r.x = *r.p.x;
  if (r.p.x == &copy) tsr__move_no_alias(call->ctx, x, &copy);
  return tsr__call_finish(call, r.p.x == &copy ? "its output overlaps an input" : NULL, run_ready, &r, sizeof r);
}
