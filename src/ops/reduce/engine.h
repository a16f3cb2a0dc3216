/* What the engine's parts share: an op that runs. */
#ifndef TSR_OPS_REDUCE_ENGINE_H
#define TSR_OPS_REDUCE_ENGINE_H

#include "ops/reduce/source.h"

/* The tree over blocks has fewer levels than this, whatever their number. */
enum { TSR__REDUCE_LEVELS = TSR_INDEX_BITS - 10 };

/* Rows of a tile that are added at a time, by columns. */
enum { TSR__REDUCE_FUSED = 4 };

/* One value of any kernel. */
typedef union tsr__reduce_cell {
  int64_t i;
  tsr__reduce_real f;
} tsr__reduce_cell;

typedef struct tsr__reduce_engine {
  const tsr__reduce *r;
  tsr__reduce_plan plan;
  tsr__source source;
  char *memory;            /* of all workers: what columns need, or the slabs of rows */
  size_t bytes;            /* of one worker */
  size_t row;              /* bytes of one row of a tile */
  int levels;              /* of the tree over blocks */
  size_t room;             /* bytes before the workers' */
  tsr_index pieces;        /* of a long reduction; 0: it is in one */
  const tsr_tensor *small; /* the output, where one call of the kernel is all; nothing else counts then */
} tsr__reduce_engine;

/* The temporary bytes that r needs; and its run, which cannot fail. r and out, which are checked, live as long as e,
 * which stays where it is. */
size_t tsr__reduce_prepare(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out, tsr__reduce_engine *e);
void tsr__reduce_execute(const tsr_ctx *ctx, tsr__reduce_engine *e, void *memory);

static inline size_t tsr__reduce_value_size(const tsr__reduce_kernel *kernel) { return tsr__item_sizes[kernel->dtype]; }

/* The most elements of an output that a kernel takes at once, where they are contiguous. */
static inline tsr_index tsr__reduce_most(const tsr__reduce_kernel *kernel) {
  return kernel->any_order ? TSR__REDUCE_LONG_BLOCK : TSR__REDUCE_GROUP * TSR__REDUCE_BLOCK;
}

/* The values of a tile's outputs from their elements first … end - 1; first begins a block. param: a value an output.
 * */
void tsr__reduce_by_rows(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                         tsr_index first, tsr_index end, const char *param, char *values, int worker);
void tsr__reduce_by_columns(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                            tsr_index first, tsr_index end, const char *param, char *values, int worker);

/* The same of all elements, where they are few; and how much memory a worker needs for it: sets row and bytes. */
void tsr__reduce_by_few(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                        const char *param, char *values, int worker);
void tsr__reduce_short_memory(tsr__reduce_engine *e);

/* By columns: how much memory a worker needs for outputs of so many elements; sets row, levels and bytes. */
void tsr__reduce_columns_memory(tsr__reduce_engine *e, tsr_index elements);

/* By columns: one of two rows of a worker, for results. */
char *tsr__reduce_columns_row(const tsr__reduce_engine *e, int worker, int number);

#endif
