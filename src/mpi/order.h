/* Sums in the library's order, of elements that several ranks have. */
#ifndef TSR_MPI_ORDER_H
#define TSR_MPI_ORDER_H

#include <tessera/tensor.h>

/* Elements of a block of a sum; of a run and of a chunk of cumulative sums. */
enum { SUM_BLOCK = 1024, SCAN_RUN = 16, SCAN_CHUNK = 16384 };

/* In dtypes f32, f64 and i64. rows is (COUNT, WIDTH). */
void tsr__order_tree(int dtype, tsr_index count, tsr_index width, void *rows);

/* x (N) to the totals of its chunks, step elements apart. */
void tsr__order_totals(int dtype, tsr_index n, const void *x, void *totals, tsr_index step);

/* x to its sums, where totals has those of all chunks of the whole, of which chunks_before are before x. */
void tsr__order_sums(int dtype, tsr_index n, const void *x, const void *totals, tsr_index chunks_before, tsr_index step,
                     void *to);

#endif
