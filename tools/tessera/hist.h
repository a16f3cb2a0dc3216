/* Histograms: how often which numbers are there. */
#ifndef TESSERA_HIST_H
#define TESSERA_HIST_H

#include <stdbool.h>
#include <tessera/tessera.h>

#include "terminal.h"

typedef struct histogram {
  double least, greatest; /* of the finite elements */
  int bins;
  int64_t *counts; /* owned */
  int64_t most;
  tsr_summary summary;
} histogram;

/* Counts the finite elements of a tensor in bins of equal width. *out needs histogram_release when it succeeds. */
tsr_status histogram_count(tsr_ctx *ctx, const tsr_tensor *t, int bins, histogram *out);
void histogram_release(histogram *h);

/* Writes one with bars; false: reported, with that label. */
bool hist_write(tsr_ctx *ctx, const char *label, const tsr_tensor *t, int bins, const terminal *to);

#endif
