/* Lines through their plan. */
#include <string.h>

#include "fft/plan.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_F64

static int place_of(tsr_index radix) {
  switch (radix) {
    case 2: return 0;
    case 3: return 1;
    case 4: return 2;
    case 5: return 3;
    case 7: return 4;
    case 8: return 5;
    case 11: return 6;
    case 16: return 7;
    default: return -1;
  }
}
static int end_of(tsr_index radix) { return radix == 4 ? 0 : radix == 8 ? 1 : radix == 16 ? 2 : -1; }

/* ---- temporary memory, in bytes ---- */

static size_t block_bytes(const tsr__fft_plan *plan, tsr_index n) {
  return (size_t)(2 * plan->kernels->lanes) * (size_t)n * tsr__fft_item(plan);
}
static tsr_index longer(const tsr__fft_plan *plan) {
  return plan->columns.n > plan->rows.n ? plan->columns.n : plan->rows.n;
}
static size_t columns_bytes(const tsr__fft_plan *plan) {
  const tsr_index lanes = plan->kernels->lanes;
  return block_bytes(plan, plan->columns.n) * (size_t)((plan->rows.n + lanes - 1) / lanes);
}
static size_t line_bytes(const tsr__fft_plan *plan, tsr_index n) {
  return tsr__align_up((size_t)(2 * n) * tsr__fft_item(plan), TSR_DATA_ALIGN);
}

/* Of a plan that is described, and the bytes of its inner one. */
static size_t scratch_with(const tsr__fft_plan *plan, tsr_index inner_n, size_t inner) {
  switch (plan->way) {
    case TSR__FFT_LANES: return 2 * block_bytes(plan, plan->n);
    case TSR__FFT_GRID: return columns_bytes(plan) + 2 * block_bytes(plan, longer(plan));
    case TSR__FFT_CHIRP: return line_bytes(plan, inner_n) + inner;
    case TSR__FFT_HALF: return line_bytes(plan, plan->n / 2 + 1) + inner;
  }
  return 0;
}

size_t tsr__fft_scratch(const tsr__fft_plan *plan) {
  const bool has_inner = plan->inner != NULL;
  return scratch_with(plan, has_inner ? plan->inner->n : 0, has_inner ? tsr__fft_scratch(plan->inner) : 0);
}

size_t tsr__fft_scratch_described(tsr_index n, int dtype, bool real, int isa) {
  tsr__fft_plan plan;
  tsr_index inner;
  if (!tsr__fft_describe(n, dtype, real, isa, &plan, &inner)) return SIZE_MAX;
  const size_t below = inner > 0 ? tsr__fft_scratch_described(inner, dtype, false, isa) : 0;
  return below == SIZE_MAX ? SIZE_MAX : scratch_with(&plan, inner, below);
}

/* ---- chains ---- */

static void run_pass(const tsr__fft_plan *plan, tsr__fft_pass_fn *end, const tsr__fft_pass *pass) {
  const int place = place_of(pass->radix);
  if (end != NULL)
    end(pass);
  else if (place >= 0)
    plan->kernels->inner[pass->m > 1][place](pass);
  else
    plan->kernels->odd(pass);
}

static tsr__fft_pass pass_of(const tsr__fft_plan *plan, const tsr__fft_chain *chain, int i, tsr_index m, tsr_index s) {
  return (tsr__fft_pass){.radix = chain->radix[i],
                         .m = m,
                         .s = s,
                         .twiddles = tsr__fft_at(plan, chain->twiddles[i]),
                         .roots = tsr__fft_at(plan, chain->roots[i]),
                         .scale = 1};
}

/* Where a chain begins and ends: its first pass may read complex numbers and its last one write them. */
typedef struct ends {
  const void *from;
  void *to;
  tsr_index from_step, to_step; /* 0: blocks */
  bool inverse;
  double scale;
  char *other; /* a block that is neither */
} ends;

/* Passes go between to and other, so that the last one ends in to; a last pass that writes complex numbers comes from
 * either. from is not other. */
static void run_chain(const tsr__fft_plan *plan, const tsr__fft_chain *chain, const ends *e, char *home) {
  tsr_index m = chain->n, s = 1;
  const void *from = e->from;
  for (int i = 0; i < chain->count; i++) {
    const int end = end_of(chain->radix[i]);
    const bool last = i + 1 == chain->count;
    m /= chain->radix[i];
    tsr__fft_pass pass = pass_of(plan, chain, i, m, s);
    tsr__fft_pass_fn *fn = NULL;
    pass.from = from;
    pass.to = (chain->count - 1 - i) % 2 == 0 ? home : e->other;
    if (i == 0 && e->from_step > 0) fn = plan->kernels->first[e->inverse][m > 1][end], pass.step = e->from_step;
    if (last && e->to_step > 0) {
      fn = plan->kernels->last[e->inverse][end];
      pass.to = e->to, pass.step = e->to_step, pass.scale = e->scale;
    }
    run_pass(plan, fn, &pass);
    from = pass.to;
    s *= chain->radix[i];
  }
}

/* ---- a line as a matrix ---- */

typedef struct grid {
  const tsr__fft_lines *lines;
  const char *from;
  char *to;
  char *columns;
} grid;

/* The columns of a block, down their length. */
static void run_columns(const grid *g, tsr_index block, char *work) {
  const tsr__fft_plan *const plan = g->lines->plan;
  const tsr__fft_chain *const chain = &plan->columns;
  const tsr_index lanes = plan->kernels->lanes, first = block * lanes, left = plan->rows.n - first;
  const size_t bytes = block_bytes(plan, plan->columns.n), item = 2 * tsr__fft_item(plan);
  char *const home = g->columns + (size_t)block * bytes;
  ends e = {
      .from = g->from + (size_t)first * item, .from_step = plan->rows.n, .inverse = g->lines->inverse, .other = work};
  if (left < lanes || end_of(chain->radix[0]) < 0) {
    char *const loaded = work + block_bytes(plan, longer(plan));
    const tsr__fft_tile tile = {.block = loaded,
                                .n = plan->columns.n,
                                .lanes = (int)(left < lanes ? left : lanes),
                                .inverse = e.inverse,
                                .from = e.from,
                                .step = plan->rows.n};
    plan->kernels->load(&tile);
    e.from = loaded, e.from_step = 0;
  }
  run_chain(plan, chain, &e, home);
}

/* The rows of a block, which become columns of the result. */
static void run_rows(const grid *g, tsr_index block, char *work) {
  const tsr__fft_plan *const plan = g->lines->plan;
  const tsr__fft_chain *const chain = &plan->rows;
  const tsr_index lanes = plan->kernels->lanes, first = block * lanes, left = plan->columns.n - first;
  const size_t item = 2 * tsr__fft_item(plan);
  char *const other = work + block_bytes(plan, longer(plan));
  char *const crossed = chain->count % 2 == 0 ? work : other, *const home = work;
  const bool whole = left >= lanes && end_of(chain->radix[chain->count - 1]) >= 0;
  char *const to = g->to + (size_t)first * item;
  const tsr__fft_cross cross = {.columns = g->columns,
                                .twiddles = tsr__fft_at(plan, plan->grid),
                                .block = crossed,
                                .n1 = plan->columns.n,
                                .n2 = plan->rows.n,
                                .row = first,
                                .to = to,
                                .inverse = g->lines->inverse,
                                .scale = g->lines->scale};
  if (tsr__fft_rows_are_one(plan)) {
    plan->kernels->cross_last(&cross);
    return;
  }
  plan->kernels->cross(&cross);
  const ends e = {.from = crossed,
                  .to = to,
                  .to_step = whole ? plan->columns.n : 0,
                  .inverse = g->lines->inverse,
                  .scale = g->lines->scale,
                  .other = other};
  run_chain(plan, chain, &e, home);
  if (whole) return;
  const tsr__fft_tile tile = {.block = home,
                              .n = plan->rows.n,
                              .lanes = (int)(left < lanes ? left : lanes),
                              .inverse = e.inverse,
                              .to = to,
                              .step = plan->columns.n,
                              .scale = e.scale};
  plan->kernels->store(&tile);
}

static void run_grid(const tsr__fft_lines *lines, tsr_index line, char *scratch) {
  const tsr__fft_plan *const plan = lines->plan;
  const tsr_index lanes = plan->kernels->lanes;
  const size_t item = 2 * tsr__fft_item(plan);
  const grid g = {lines, (const char *)lines->from + line * lines->from_step * (ptrdiff_t)item,
                  (char *)lines->to + line * lines->to_step * (ptrdiff_t)item, scratch};
  char *const work = scratch + columns_bytes(plan);
  for (tsr_index i = 0; i * lanes < plan->rows.n; i++) run_columns(&g, i, work);
  for (tsr_index i = 0; i * lanes < plan->columns.n; i++) run_rows(&g, i, work);
}

/* ---- several lines at once ---- */

static void run_lanes(const tsr__fft_lines *lines, tsr_index line, int count, char *scratch) {
  const tsr__fft_plan *const plan = lines->plan;
  const size_t item = 2 * tsr__fft_item(plan), bytes = block_bytes(plan, plan->n);
  char *const other = scratch + bytes, *const first = plan->rows.count % 2 == 0 ? scratch : other;
  tsr__fft_tile tile = {.block = first,
                        .n = plan->n,
                        .lanes = count,
                        .inverse = lines->inverse,
                        .from = (const char *)lines->from + line * lines->from_step * (ptrdiff_t)item,
                        .to = (char *)lines->to + line * lines->to_step * (ptrdiff_t)item,
                        .lane_step = lines->from_step,
                        .scale = lines->scale};
  const ends e = {.from = first, .other = other};
  plan->kernels->gather(&tile);
  run_chain(plan, &plan->rows, &e, scratch);
  tile.block = scratch;
  tile.lane_step = lines->to_step;
  plan->kernels->scatter(&tile);
}

/* ---- Bluestein's chirp ---- */

/* For the inverse, parts change places on the way in and on the way out. */
static void run_chirp(const tsr__fft_lines *lines, tsr_index line, char *scratch) {
  const tsr__fft_plan *const plan = lines->plan, *const inner = plan->inner;
  const tsr__fft_kernels *const kernels = plan->kernels;
  const size_t item = 2 * tsr__fft_item(plan), bytes = line_bytes(plan, inner->n), used = (size_t)plan->n * item;
  const void *const chirp = tsr__fft_at(plan, plan->chirp);
  char *const to = (char *)lines->to + line * lines->to_step * (ptrdiff_t)item;
  const tsr__fft_lines there = {inner, false, 1, 1, scratch, scratch, 0, 0},
                       back = {inner, true, 1, 1, scratch, scratch, 0, 0};
  kernels->multiply(plan->n, (const char *)lines->from + line * lines->from_step * (ptrdiff_t)item, chirp, scratch,
                    lines->inverse, false, 1);
  memset(scratch + used, 0, (size_t)inner->n * item - used);
  tsr__fft_run(&there, scratch + bytes);
  kernels->multiply(inner->n, scratch, tsr__fft_at(plan, plan->filter), scratch, false, false, 1);
  tsr__fft_run(&back, scratch + bytes);
  kernels->multiply(plan->n, scratch, chirp, to, false, lines->inverse, lines->scale);
}

void tsr__fft_run(const tsr__fft_lines *lines, void *scratch) {
  const int lanes = lines->plan->kernels->lanes;
  if (lines->plan->way == TSR__FFT_LANES) {
    for (tsr_index i = 0; i < lines->count; i += lanes)
      run_lanes(lines, i, (int)(lines->count - i < lanes ? lines->count - i : lanes), scratch);
    return;
  }
  for (tsr_index i = 0; i < lines->count; i++) {
    if (lines->plan->way == TSR__FFT_GRID)
      run_grid(lines, i, scratch);
    else
      run_chirp(lines, i, scratch);
  }
}

/* ---- real lines ---- */

void tsr__fft_run_real(const tsr__fft_plan *plan, double scale, const void *from, void *to, void *scratch) {
  const tsr__fft_lines lines = {plan->inner, false, 1, 1, from, to, 0, 0};
  const tsr__fft_real real = {plan->n / 2, to, to, tsr__fft_at(plan, plan->halves), scale};
  tsr__fft_run(&lines, scratch);
  plan->kernels->unfold(&real);
}

void tsr__fft_run_back(const tsr__fft_plan *plan, double scale, const void *from, void *to, void *scratch) {
  const tsr__fft_real real = {plan->n / 2, from, scratch, tsr__fft_at(plan, plan->halves), 1};
  const tsr__fft_lines lines = {plan->inner, true, scale, 1, scratch, to, 0, 0};
  plan->kernels->fold(&real);
  tsr__fft_run(&lines, (char *)scratch + line_bytes(plan, plan->n / 2 + 1));
}

#endif
