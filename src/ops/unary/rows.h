/* How kernels run along rows: contiguous rows where they lie, others by way of a block on the stack, so that there
 * is one loop for each op and type. Included by kernel files. */
#ifndef TSR_OPS_UNARY_ROWS_H
#define TSR_OPS_UNARY_ROWS_H

#include <tessera/tensor.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* loops that call the C library do not become vectors */
#endif

/* Bytes of a block on the stack. */
enum { TSR__ROWS_BYTES = TSR_HAVE_MALLOC ? 2048 : 64 };

#endif
