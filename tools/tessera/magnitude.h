/* Complex tensors in numbers: they have a mean, but no order. */
#ifndef TESSERA_MAGNITUDE_H
#define TESSERA_MAGNITUDE_H

#include <tessera/tessera.h>

/* |z| of every element, as f64 of t's shape, which needs tsr_release. */
tsr_status magnitudes_of(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out);

bool is_complex(const tsr_tensor *t);

/* What pictures and histograms show: a view of t, of complex numbers their magnitudes. Needs tsr_release. */
tsr_status magnitudes_or_view(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out);

/* min, max, zeros, NaN and infinities are of the magnitudes; mean and std of the numbers, the mean's parts in
 * mean[2]: the deviation is that of both parts together. */
tsr_status magnitude_summary(tsr_ctx *ctx, const tsr_tensor *t, const tsr_tensor *magnitudes, tsr_summary *out,
                             double mean[2]);

#endif
