/* The way through updates. Those that meet go along the axis and are taken in order; the other axes are walked in any
 * order, and cut between threads. */
#include "cpu/iterate.h"
#include "cpu/parallel.h"
#include "ops/scatter/scatter.h"

enum { GRAIN = 32768, NARROWEST = 64, WIDEST = 4096 }; /* updates of a task; elements of a tile */

typedef struct walk {
  const tsr__scatter *s;
  tsr__loop kept; /* out, src, at */
  ptrdiff_t src_step, at_step, axis_step;
  tsr_index width, tiles; /* elements of a tile, and tiles in a row */
} walk;

static tsr__updates updates_at(const walk *w, tsr_index row, tsr_index first) {
  tsr_index index[TSR_MAX_DIMS];
  char *at[3];
  tsr__loop_go_to_row(&w->kept, row, index, at);
  const ptrdiff_t i = (ptrdiff_t)first;
  return (tsr__updates){.dst = at[0] + i * w->kept.step[0][0],
                        .src = at[1] + i * w->kept.step[1][0],
                        .at = at[2] + i * w->kept.step[2][0],
                        .axis_step = w->axis_step};
}

/* A tile: a row of neighbours at a time, update after update. */
static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const w = arg;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % w->tiles * w->width, left = w->kept.length[0] - first;
    tsr__updates u = updates_at(w, task / w->tiles, first);
    u.n = left < w->width ? left : w->width;
    u.dst_step = w->kept.step[0][0];
    u.src_step = w->kept.step[1][0];
    u.at_step = w->kept.step[2][0];
    for (tsr_index k = 0; k < w->s->count; k++, u.src += w->src_step, u.at += w->at_step) w->s->combine(&u);
  }
}

/* A line: all updates of one place after another. */
static void run_lines(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const w = arg;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    tsr__updates u = updates_at(w, task / w->kept.length[0], task % w->kept.length[0]);
    u.n = w->s->count;
    u.src_step = w->src_step;
    u.at_step = w->at_step;
    w->s->combine(&u);
  }
}

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* Wide enough to be worth a call, and narrow enough that every thread has a tile. */
static tsr_index tile_width(const tsr_ctx *ctx, const tsr__loop *kept) {
  const tsr_index workers = TSR_HAVE_THREADS ? (tsr_index)tsr__parallel(ctx)->max_workers : 1;
  const tsr_index part = workers > 1 && kept->size == kept->length[0] ? kept->length[0] / (2 * workers) : WIDEST;
  const tsr_index width = part / NARROWEST * NARROWEST;
  return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : width;
}

void tsr__scatter_run(const tsr_ctx *ctx, const tsr__scatter *s) {
  const tsr_tensor *const operands[3] = {&s->out, &s->src, &s->at};
  const ptrdiff_t item = tsr__item(&s->out);
  walk w = {.s = s,
            .src_step = (ptrdiff_t)s->src_stride * item,
            .at_step = (ptrdiff_t)s->at_stride * (ptrdiff_t)sizeof(int64_t),
            .axis_step = (ptrdiff_t)s->axis_stride * item};
  tsr__loop_init(&w.kept, 3, operands);
  if (w.kept.size == 0 || s->count == 0) return;
  const bool rows = w.kept.length[0] >= 4 && magnitude(w.kept.step[0][0]) < magnitude(w.axis_step);
  w.width = rows ? tile_width(ctx, &w.kept) : 1;
  w.tiles = (w.kept.length[0] - 1) / w.width + 1;
  const tsr_index tasks = w.kept.size / w.kept.length[0] * w.tiles, width = rows ? w.width : 1;
  const tsr_index grain = s->count >= GRAIN / width ? 1 : GRAIN / width / s->count;
  tsr__parallel_for(ctx, tasks, grain, rows ? run_tiles : run_lines, &w);
}
