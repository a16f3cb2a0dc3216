/* Outputs of few elements: a tile of them goes side by side, a vector's lanes an output each, so that what a row costs
 * to begin and to end is shared. The sums are those of the rows. */
#include "ops/reduce/engine.h"

#if TSR__REDUCE_FAST

/* The rows of a worker: the results of two passes, then the elements. */
enum { RESULTS = 2 };

/* Outputs at a time. */
static tsr_index chunk_of(const tsr__reduce_engine *e) {
  return tsr__source_beside_width(&e->source, e->plan.kept.step[0][0], e->plan.width);
}

void tsr__reduce_short_memory(tsr__reduce_engine *e) {
  e->row = tsr__align_up(sizeof(tsr__reduce_cell) * (size_t)e->plan.width, TSR_DATA_ALIGN);
  e->bytes = RESULTS * e->row + tsr__source_beside_bytes(&e->source, chunk_of(e));
}

void tsr__reduce_by_few(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                        const char *param, char *values, int worker) {
  char *const room = tsr__reduce_columns_row(e, worker, RESULTS);
  const ptrdiff_t size = (ptrdiff_t)tsr__reduce_value_size(kernel), kept = e->plan.kept.step[0][0];
  const tsr_index most = chunk_of(e);
  for (tsr_index j = 0; j < tile->width; j += most) {
    const tsr_index width = tile->width - j < most ? tile->width - j : most;
    ptrdiff_t step;
    const char *const x = tsr__source_beside(&e->source, width, tile->x + (ptrdiff_t)j * kept, kept, room, &step);
    kernel->beside(width, e->plan.reduced.size, x, step, param != NULL ? param + (ptrdiff_t)j * size : NULL,
                   values + (ptrdiff_t)j * size);
  }
}

#endif
