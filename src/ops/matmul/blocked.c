/* Products in blocks. For each block of columns, of rows, and of K: A's block is packed, B's too where it is not packed
 * already, and tiles of the result are shared out to the threads; K is never split between them. A product with few
 * rows packs panels of B just before they are used, because they are used only then, or while those before them are
 * multiplied: reading and packing B takes nearly half as long as multiplying 32 rows by it. */
#include <string.h>
#include "cpu/parallel.h"
#include "ops/matmul/complex.h"

#if TSR_HAVE_MALLOC /* microcontrollers: plain.c */

/* Rows and columns of a block, before they are rounded to whole panels: what is packed stays in the last-level cache.
 * Sums that are not added up in the output itself are kept in a buffer of such a block. */
enum {
  ROWS = 2048,
  COLUMNS = 1024,
  BUFFERED_ROWS = 768,
  BUFFERED_COLUMNS = 512,
  TILE_PANELS = 8,
  LATE = 4,
  ROWS_AHEAD = 8,
  GRAIN = 1 << 17
};

typedef struct blocks {
  tsr_index groups;         /* of K */
  tsr_index mb, nb;         /* rows, columns */
  tsr_index kb;             /* groups */
  tsr_index pack_on_demand; /* B is packed just before it is used, so many panels at a time; 0: all of it first */
  bool pack_ahead;          /* the kernel does something about the next panels */
  bool copies;              /* it packs them: a worker has two places for them */
  size_t a_bytes, b_bytes, c_bytes;
} blocks;

static tsr_index round_up(tsr_index x, tsr_index unit) { return (x + unit - 1) / unit * unit; }
static tsr_index min_index(tsr_index x, tsr_index y) { return x < y ? x : y; }

tsr_index tsr__k_block(const tsr__gemm_kernel *kernel, tsr_index k) {
  const tsr_index groups = (k + kernel->group - 1) / kernel->group, count = (groups + kernel->kc - 1) / kernel->kc;
  return count > 1 ? (groups + count - 1) / count : groups;
}

/* Equal parts of n, each at most most and a multiple of unit. */
static tsr_index part_of(tsr_index n, tsr_index most, tsr_index unit) {
  const tsr_index count = (n + most - 1) / most;
  return round_up(count > 1 ? (n + count - 1) / count : n, unit);
}

/* Panels of a B whose rows run along them are packed several at a time, in long pieces of the rows. Where columns are
 * transposed, one panel is read as well as four, and more of it is still near when it is used. */
static tsr_index panels_on_demand(const tsr__product *p) {
  if (p->panels != NULL || p->m > p->kernel->mc) return 0;
  if (p->b.col != (ptrdiff_t)tsr_dtype_size(p->b.dtype)) return 1;
  return LATE * p->kernel->item / (tsr_index)tsr__b_item(p->kernel); /* pieces of rows as long whatever the elements */
}

/* Two tiles of whole rows have the time to see to what is needed next, vector by vector. */
static void choose_pack_ahead(const tsr__product *p, blocks *b) {
  const tsr__gemm_kernel *const kernel = p->kernel;
  b->pack_on_demand = panels_on_demand(p);
  if (b->pack_on_demand == 0 || p->is_complex || p->m < 2 * kernel->mr || kernel->pack_ahead == NULL) return;
  b->copies = p->b.dtype == kernel->sum && p->b.col == (ptrdiff_t)kernel->item &&
              p->n >= 2 * kernel->pack_ahead_panels * kernel->nr;
  b->pack_ahead = b->copies || p->b.row == (ptrdiff_t)tsr_dtype_size(p->b.dtype);
  if (b->copies) b->pack_on_demand = kernel->pack_ahead_panels;
}

/* Where B is packed on demand it is never there as a whole, and blocks are as wide as those of many rows are large. */
static tsr_index most_columns(const tsr__product *p, const blocks *b) {
  if (b->pack_on_demand == 0) return p->in_place ? COLUMNS : BUFFERED_COLUMNS;
  return (p->in_place ? ROWS * COLUMNS : BUFFERED_ROWS * BUFFERED_COLUMNS) / p->kernel->mc;
}

static blocks blocks_of(const tsr__product *p) {
  const tsr__gemm_kernel *const kernel = p->kernel;
  const tsr_index k = tsr__product_steps(p);
  blocks b = {.groups = (k + kernel->group - 1) / kernel->group, .kb = tsr__k_block(kernel, k)};
  b.kb += p->is_complex ? b.kb % 2 : 0; /* both steps of a complex one */
  b.mb = part_of(p->m, p->in_place ? ROWS : BUFFERED_ROWS, kernel->mr);
  choose_pack_ahead(p, &b);
  b.nb = part_of(tsr__product_columns(p), most_columns(p, &b), kernel->nr);
  b.a_bytes = tsr__line_align((size_t)b.mb * (size_t)b.kb * kernel->item);
  const tsr_index packed = p->panels != NULL      ? 0
                           : b.pack_on_demand > 0 ? b.pack_on_demand * kernel->nr * p->workers * (b.copies ? 2 : 1)
                                                  : b.nb;
  b.b_bytes = tsr__line_align((size_t)packed * (size_t)(b.kb + kernel->extra) * tsr__b_item(kernel));
  b.c_bytes = p->in_place ? 0 : tsr__line_align((size_t)b.mb * (size_t)b.nb * tsr_dtype_size(p->sum));
  return b;
}

size_t tsr__blocked_scratch(const tsr__product *p) {
  const blocks b = blocks_of(p);
  return b.a_bytes + b.b_bytes + b.c_bytes;
}

/* One block of the result, and one block of K. */
typedef struct block {
  const tsr__product *p;
  const blocks *size;
  char *a, *b;          /* packed; b of every worker when packed on demand */
  const char *panels;   /* of this block of K and these columns; NULL when packed on demand */
  tsr__sums sums;       /* row i0, column j0 */
  tsr_index i0, j0, p0; /* p0 in groups */
  tsr_index rows, cols;
  tsr_index kb;               /* groups in this block */
  tsr_index steps;            /* the same in elements */
  tsr_index tile_cols, tiles; /* of a task; tasks side by side */
  bool pack_ahead;            /* something is done about the next one: as many panels as are copied, or columns */
  tsr_index tasks, next;      /* tiles, and the first that nobody has taken (atomic) */
  bool add, last;
} block;

/* Of one panel of B. */
static size_t panel_bytes(const block *k) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  return (size_t)(kernel->nr * (k->kb + kernel->extra)) * tsr__b_item(kernel);
}

/* ---- packing ---- */

static void pack_a(const block *k, tsr_index panel, tsr_index count) {
  const tsr__product *const p = k->p;
  const int mr = p->kernel->mr;
  const tsr_index i = panel * mr;
  char *const to = k->a + (size_t)(i * k->kb) * p->kernel->item;
  if (p->is_complex) {
    tsr__complex_pack_a(p, k->i0 + i, min_index(count * mr, k->rows - i), k->p0, k->steps, to);
    return;
  }
  tsr__pack_from(p->kernel, p->isa, p->a.dtype, false, min_index(count * mr, k->rows - i), k->steps,
                 tsr__mat_at(&p->a, k->i0 + i, k->p0 * p->kernel->group), p->a.row, p->a.col, to);
}

static void pack_b(const block *k, tsr_index panel, tsr_index count, char *to) {
  const tsr__product *const p = k->p;
  const int nr = p->kernel->nr;
  const tsr_index j = panel * nr;
  if (p->is_complex) {
    tsr__complex_pack_b(p, k->j0 + j, min_index(count * nr, k->cols - j), k->p0, k->steps, to);
    return;
  }
  tsr__pack_from(p->kernel, p->isa, p->b.dtype, true, min_index(count * nr, k->cols - j), k->steps,
                 tsr__mat_at(&p->b, k->p0 * p->kernel->group, k->j0 + j), p->b.col, p->b.row, to);
}

/* Panels of A, then panels of B. */
static void pack_part(void *arg, tsr_index begin, tsr_index end, int worker) {
  const block *const k = arg;
  const tsr_index of_a = (k->rows + k->p->kernel->mr - 1) / k->p->kernel->mr;
  (void)worker;
  if (begin < of_a) pack_a(k, begin, min_index(end, of_a) - begin);
  if (end <= of_a) return;
  const tsr_index from = begin > of_a ? begin - of_a : 0;
  pack_b(k, from, end - of_a - from, k->b + (size_t)from * panel_bytes(k));
}

/* ---- multiplying ---- */

/* Rows first … last (of the block) by the panel of B that begins at column j. */
static void run_panel(const block *k, tsr_index first, tsr_index last, tsr_index j, tsr_index cols, const char *panel,
                      tsr__pack_ahead *pack_ahead) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  const size_t sum = tsr_dtype_size(k->p->sum);
  const int n = (int)min_index(kernel->nr, cols - j);
  for (tsr_index i = first; i < last; i += kernel->mr) {
    char *const c = (char *)k->sums.data + ((ptrdiff_t)i * (ptrdiff_t)k->sums.ld + (ptrdiff_t)j) * (ptrdiff_t)sum;
    const char *const a = k->a + (size_t)(i * k->kb) * kernel->item;
    if (pack_ahead->left > 0 && last - i >= kernel->mr)
      kernel->pack_ahead(k->kb, a, panel, c, k->sums.ld, n, k->add, pack_ahead);
    else
      kernel->micro[min_index(kernel->mr, last - i) - 1](k->kb, a, panel, c, k->sums.ld, n, k->add);
  }
}

/* Few rows by panels side by side: returns the columns that are done. */
static tsr_index run_beside(const block *k, tsr_index first, tsr_index last, tsr_index from, tsr_index to,
                            const char *panels) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  const tsr_index wide = kernel->beside_panels * kernel->nr;
  const size_t each = panel_bytes(k), sum = tsr_dtype_size(k->p->sum);
  tsr_index j = from;
  if (last - first > kernel->beside_rows) return j;
  for (; j + wide <= to; j += wide, panels += each * kernel->beside_panels)
    kernel->beside[last - first - 1](k->kb, k->a + (size_t)(first * k->kb) * kernel->item, panels, each,
                                     (char *)k->sums.data + (size_t)(first * k->sums.ld + j) * sum, k->sums.ld, k->add);
  return j;
}

static void run_tile(const block *k, tsr_index tile, const char *pack_on_demand, tsr__pack_ahead *pack_ahead) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  const tsr_index first = tile / k->tiles * kernel->mc, last = min_index(first + kernel->mc, k->rows);
  const tsr_index from = tile % k->tiles * k->tile_cols, to = min_index(from + k->tile_cols, k->cols);
  const char *panel =
      pack_on_demand != NULL ? pack_on_demand : k->panels + (size_t)(from / kernel->nr) * panel_bytes(k);
  const tsr_index rest = run_beside(k, first, last, from, to, panel);
  panel += (size_t)((rest - from) / kernel->nr) * panel_bytes(k);
  for (tsr_index j = rest; j < to; j += kernel->nr, panel += panel_bytes(k))
    run_panel(k, first, last, j, to, panel, pack_ahead);
  if (!k->last || (k->p->in_place && !k->p->has_epilogue)) return;
  const ptrdiff_t at = (ptrdiff_t)first * (ptrdiff_t)k->sums.ld + (ptrdiff_t)from;
  const tsr__sums sums = {(char *)k->sums.data + at * (ptrdiff_t)tsr_dtype_size(k->p->sum), k->sums.ld};
  tsr__product_epilogue(k->p, &sums, k->i0 + first, last - first, k->j0 + from, to - from);
}

static void pack_tile(const block *k, tsr_index tile, char *to) {
  const tsr_index nr = k->p->kernel->nr, cols = min_index(k->tile_cols, k->cols - tile * k->tile_cols);
  pack_b(k, tile * k->tile_cols / nr, (cols + nr - 1) / nr, to);
}

/* Columns that are to be transposed, of a tile of one panel. */
static tsr__pack_ahead columns_of(const block *k, tsr_index tile) {
  const tsr__product *const p = k->p;
  const tsr_index j = tile * k->tile_cols, piece = p->kernel->piece;
  tsr__pack_ahead pack_ahead = {.from = tsr__mat_at(&p->b, k->p0, k->j0 + j), .step = p->b.col};
  pack_ahead.pieces = (k->kb * (tsr_index)tsr_dtype_size(p->b.dtype) + piece - 1) / piece;
  pack_ahead.left = pack_ahead.pieces * min_index(k->tile_cols, k->cols - j);
  return pack_ahead;
}

/* What to do about the tile that is next: nothing, where its panels are not all whole. */
static tsr__pack_ahead pack_ahead_of(const block *k, tsr_index tile, char *to) {
  const tsr__product *const p = k->p;
  const tsr_index j = tile * k->tile_cols;
  if (tile >= k->tasks) return (tsr__pack_ahead){0};
  if (!k->size->copies) return columns_of(k, tile);
  if (k->cols - j < k->tile_cols) return (tsr__pack_ahead){0};
  return (tsr__pack_ahead){.from = tsr__mat_at(&p->b, k->p0, k->j0 + j),
                           .step = p->b.row,
                           .ahead = k->kb > ROWS_AHEAD ? ROWS_AHEAD * p->b.row : 0,
                           .pieces = 1,
                           .left = k->kb,
                           .to = to,
                           .panel = panel_bytes(k)};
}

/* What is left of the rows when the tile that they were copied beside is done. */
static void end_pack_ahead(const block *k, tsr__pack_ahead *pack_ahead) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  const size_t piece = (size_t)kernel->nr * kernel->item;
  for (; pack_ahead->left > 0; pack_ahead->left--, pack_ahead->from += pack_ahead->step, pack_ahead->to += piece)
    for (int i = 0; i < kernel->pack_ahead_panels; i++)
      memcpy(pack_ahead->to + (size_t)i * pack_ahead->panel, pack_ahead->from + (size_t)i * piece, piece);
}

static tsr_index take_tile(block *k) { return __atomic_fetch_add(&k->next, 1, __ATOMIC_RELAXED); }

/* Tiles whose panels are packed just before they are used. */
static void run_tiles_on_demand(block *k, char *room) {
  tsr__pack_ahead none = {0};
  for (tsr_index tile = take_tile(k); tile < k->tasks; tile = take_tile(k)) {
    pack_tile(k, tile, room);
    run_tile(k, tile, room, &none);
  }
}

/* The same while the tile before is multiplied: the next one is taken before this one is begun. */
static void run_pack_ahead_tiles(block *k, char *now, char *next) {
  bool packed = false;
  for (tsr_index tile = take_tile(k), then; tile < k->tasks; tile = then) {
    if (!packed) pack_tile(k, tile, now);
    then = take_tile(k);
    tsr__pack_ahead pack_ahead = pack_ahead_of(k, then, next);
    packed = k->size->copies && pack_ahead.left > 0;
    run_tile(k, tile, now, &pack_ahead);
    if (!packed) continue;
    end_pack_ahead(k, &pack_ahead);
    char *const swap = now;
    now = next;
    next = swap;
  }
}

/* Whoever is free takes the next tile: one call for each worker, however many there are in the end. */
static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  block *const k = arg;
  (void)begin;
  (void)end;
  if (k->panels == NULL) {
    const size_t place = (size_t)k->size->pack_on_demand * panel_bytes(k);
    char *const own = k->b + (size_t)worker * (k->size->copies ? 2 : 1) * place;
    if (k->pack_ahead)
      run_pack_ahead_tiles(k, own, own + place);
    else
      run_tiles_on_demand(k, own);
    return;
  }
  tsr__pack_ahead none = {0};
  for (tsr_index tile = take_tile(k); tile < k->tasks; tile = take_tile(k)) run_tile(k, tile, NULL, &none);
}

/* Tiles of several panels of B, or of fewer where there would be too few tiles for the threads. */
static void cut_tiles(block *k) {
  const tsr__gemm_kernel *const kernel = k->p->kernel;
  const tsr_index down = (k->rows + kernel->mc - 1) / kernel->mc, workers = k->p->workers;
  tsr_index panels = k->size->pack_on_demand > 0 ? k->size->pack_on_demand : TILE_PANELS;
  const tsr_index enough = (k->size->copies ? 4 : k->size->pack_on_demand > 0 ? 8 : 32) * workers;
  while (panels > 1 && workers > 1 && down * (k->cols / (panels * kernel->nr)) < enough) panels /= 2;
  k->pack_ahead = k->size->pack_ahead && (!k->size->copies || panels == k->size->pack_on_demand);
  k->tile_cols = panels * kernel->nr;
  k->tiles = (k->cols + k->tile_cols - 1) / k->tile_cols;
}

static void run_block(block *k) {
  const tsr__product *const p = k->p;
  const tsr__gemm_kernel *const kernel = p->kernel;
  const double work = (double)k->rows * (double)k->cols * (double)k->kb;
  const tsr_index down = (k->rows + kernel->mc - 1) / kernel->mc;
  const tsr_index of_a = (k->rows + kernel->mr - 1) / kernel->mr;
  const tsr_index of_b = p->panels != NULL || k->size->pack_on_demand > 0 ? 0 : (k->cols + kernel->nr - 1) / kernel->nr;
  const bool alone = p->workers == 1 || work < 2 * GRAIN;
  const tsr_index few = 1 + 16384 / (kernel->nr * k->kb + 1); /* panels that are worth a thread */
  tsr__parallel_for(p->ctx, of_a + of_b, alone ? of_a + of_b : few, pack_part, k);
  k->tasks = down * k->tiles;
  k->next = 0;
  const tsr_index most = min_index(k->tasks, p->workers), useful = 1 + (tsr_index)(work / GRAIN);
  tsr__parallel_for(p->ctx, alone ? 1 : min_index(most, useful), 1, run_tiles, k);
}

/* ---- the loops around ---- */

static void bind_k(block *k, tsr_index p0) {
  const tsr__product *const p = k->p;
  const tsr__gemm_kernel *const kernel = p->kernel;
  k->p0 = p0;
  k->kb = min_index(k->size->kb, k->size->groups - p0);
  k->steps = min_index(k->kb * kernel->group, tsr__product_steps(p) - p0 * kernel->group);
  k->add = p0 > 0 || p->adds;
  k->last = p0 + k->kb >= k->size->groups;
  if (p->panels != NULL)
    k->panels =
        p->panels + tsr__packed_block(kernel, p->n, k->size->kb, p0) + (size_t)(k->j0 / kernel->nr) * panel_bytes(k);
  else
    k->panels = k->size->pack_on_demand > 0 ? NULL : k->b;
}

static void run_k(block *k, char *buffer) {
  const tsr__product *const p = k->p;
  k->sums = (tsr__sums){buffer, k->size->nb};
  if (p->in_place)
    k->sums = (tsr__sums){tsr__mat_at(&p->out, k->i0, p->is_complex ? k->j0 / 2 : k->j0),
                          (tsr_index)(p->out.row / (ptrdiff_t)tsr_dtype_size(p->sum))};
  cut_tiles(k);
  tsr_index p0 = 0;
  do { /* once with K = 0, for the zeros */
    bind_k(k, p0);
    run_block(k);
    p0 += k->size->kb;
  } while (p0 < k->size->groups);
}

void tsr__blocked_run(const tsr__product *p, char *scratch) {
  const blocks size = blocks_of(p);
  block k = {.p = p, .size = &size, .a = scratch, .b = scratch + size.a_bytes};
  char *const buffer = scratch + size.a_bytes + size.b_bytes;
  const tsr_index columns = tsr__product_columns(p);
  for (k.j0 = 0; k.j0 < columns; k.j0 += size.nb)
    for (k.i0 = 0; k.i0 < p->m; k.i0 += size.mb) {
      k.rows = min_index(size.mb, p->m - k.i0);
      k.cols = min_index(size.nb, columns - k.j0);
      run_k(&k, buffer);
    }
}

#endif
