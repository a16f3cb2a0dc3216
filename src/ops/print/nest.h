/* The elements of a tensor one after another: nested in brackets, or the first of them on plain lines. */
#ifndef TSR_OPS_PRINT_NEST_H
#define TSR_OPS_PRINT_NEST_H

#include "ops/print/element.h"

/* What both forms need; the caller sets all but format's measures. */
typedef struct tsr__print_job {
  const tsr_tensor *t; /* full, at least one element */
  tsr__printer *printer;
  tsr__element_format format;
  tsr_index edge_items; /* shown at each end of an axis; 0: all are */
  int line_width;
  char separator; /* 0: none */
} tsr__print_job;

/* NumPy's brackets. Rank 0 has none. */
void tsr__print_nested(tsr__print_job *job);

/* The first count elements in row-major order, wrapped. */
void tsr__print_head(tsr__print_job *job, tsr_index count);

#endif
