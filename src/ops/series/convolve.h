/* The kernels of convolution. */
#ifndef TSR_OPS_SERIES_CONVOLVE_H
#define TSR_OPS_SERIES_CONVOLVE_H

#include <stdbool.h>
#include <tessera/tensor.h>
#include "cpu/isa.h"

/* sums[i] (+)= Σ over j < taps of line[i + j] · weights[j], for i < n, in order of j; all contiguous and apart. */
typedef void tsr__convolve_fn(tsr_index n, tsr_index taps, const void *line, const void *weights, void *sums, bool add);

/* By the type that is summed in: i32, i64, f32, f64. */
enum { TSR__CONVOLVE_I32, TSR__CONVOLVE_I64, TSR__CONVOLVE_F32, TSR__CONVOLVE_F64, TSR__CONVOLVE_TYPES };

typedef tsr__convolve_fn *const tsr__convolve_table[TSR__CONVOLVE_TYPES];
TSR__DECLARE_FOR_ISAS(tsr__convolve_table, tsr__convolve)

#endif
