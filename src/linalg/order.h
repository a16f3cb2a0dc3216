/* Numbers in order, and rows in their order. */
#ifndef TSR_LINALG_ORDER_H
#define TSR_LINALG_ORDER_H

#include "linalg/work.h"

/* order[i]: which of n numbers is number i, the smallest or the largest first. order has room for 2·n. */
void tsr__order_numbers(const tsr__work *w, tsr_index n, const void *numbers, bool largest, tsr_index *order);

/* Row i of to = row order[i] of from (n, len). */
void tsr__pick_rows(const tsr__work *w, tsr_index n, tsr_index len, const void *from, const tsr_index *order,
                    tsr__submatrix to);

void tsr__fill_numbers(const tsr__work *w, tsr_index n, void *numbers, double value);

#endif
