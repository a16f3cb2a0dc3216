/* All elements of a tensor, a block at a time, in an order that does not matter. */
#ifndef TSR_OPS_SEARCH_BLOCKS_H
#define TSR_OPS_SEARCH_BLOCKS_H

#include "core/call.h"

enum { TSR__BLOCK_VALUES = TSR_HAVE_MALLOC ? 256 : 16 };

/* n ≤ TSR__BLOCK_VALUES values of the dtype that was asked for. */
typedef void tsr__values_fn(void *arg, tsr_index n, const void *values, int worker);

/* Calls fn for all of x, converted to dtype (of 8 bytes at most), on the context's threads if they are at most
 * workers. */
void tsr__values_run(const tsr_ctx *ctx, const tsr_tensor *x, int dtype, int workers, tsr__values_fn *fn, void *arg);

/* How many workers it pays to have tables for: 1 where x is small. */
int tsr__values_workers(const tsr_ctx *ctx, const tsr_tensor *x);

/* Counts how often each bin occurs. The tables are numbers of all workers, copies of each, so that equal bins side
 * by side do not wait for each other. */
typedef struct tsr__tables {
  tsr_index *counts;
  size_t bins, copies;
  int workers;
} tsr__tables;

/* The tables' memory for the elements of x; and, after tsr__call_start, all zero. */
tsr_status tsr__tables_new(tsr__call *call, const tsr_tensor *x, size_t bins, tsr__tables *tables);
void tsr__tables_clear(const tsr__tables *tables);

void tsr__tables_count(const tsr__tables *tables, tsr_index n, const uint32_t *bins, int worker);

/* The sum of all tables into a vector of indices; bins past its end are dropped. */
void tsr__tables_store(const tsr__tables *tables, const tsr_tensor *out);

#endif
