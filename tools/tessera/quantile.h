/* Quantiles: which number a share of the elements lies below. */
#ifndef TESSERA_QUANTILE_H
#define TESSERA_QUANTILE_H

#include <stdint.h>
#include <tessera/tessera.h>

enum { QUANTILES = 7 };
extern const double quantile_shares[QUANTILES]; /* 0.01 … 0.99 */
extern const char *const quantile_names[QUANTILES];

/* The quantiles of the finite elements, between two of them by a straight line, as NumPy does; NaN when there is none.
 * Takes memory for all elements as doubles. */
tsr_status quantiles_of(tsr_ctx *ctx, const tsr_tensor *t, double *out);

#endif
