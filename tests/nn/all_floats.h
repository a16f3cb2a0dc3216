/* Every float dtype, and what the tests of plain operations compare with. */
#ifndef TSR_TEST_ALL_FLOATS_H
#define TSR_TEST_ALL_FLOATS_H

#include "nn/nn_support.h"

static const int all_floats[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_F8_E4M3, TSR_F8_E5M2};

/* Half a unit in the last place of 1: what rounding once may cost. */
static inline double float_unit(int dtype) {
  return dtype == TSR_F8_E4M3 ? 0x1p-4 : dtype == TSR_F8_E5M2 ? 0x1p-3 : nn_unit(dtype);
}

/* The same of the dtype that is computed in. */
static inline double compute_unit(int dtype) { return dtype == TSR_F64 ? 0x1p-53 : 0x1p-24; }

/* How far a result may be from want: rounded once, steps of size at most `size` before, and what is below the least
 * normal number of an f8. */
static inline double float_allowed(int dtype, double want, double size, double steps) {
  const double tiny = dtype == TSR_F8_E4M3 ? 0x1p-10 : dtype == TSR_F8_E5M2 ? 0x1p-17 : 0x1p-25;
  return float_unit(dtype) * fabs(want) + 2 * steps * compute_unit(dtype) * size + (nn_unit(dtype) < 0x1p-30 ? 0 : tiny);
}

/* Says where a result is wrong; only the first few. */
static inline void float_check(const char *what, int dtype, double got, double want, double allowed) {
  const bool close = nn_close(got, want, allowed);
  CHECK(close);
  if (!close && test_now.failures <= 20)
    printf("  %s of %s: %.9g instead of %.9g (%.3g allowed)\n", what, tsr_dtype_name(dtype), got, want, allowed);
}

#endif
