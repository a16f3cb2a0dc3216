/* Conversion of rows and scalars between dtypes: the one place that knows f16, bf16, f8. */
#ifndef TSR_OPS_CAST_CONVERT_H
#define TSR_OPS_CAST_CONVERT_H

#include "core/fail.h"
#include <tessera/tensor.h>

/* Whether from converts to to in this build: TSR_EDTYPE. Equal dtypes always do. */
tsr_status tsr__check_cast(tsr_ctx *ctx, const char *op, int from, int to);

/* Converts n elements; steps in bytes, any sign, 0 repeats the source. tsr__check_cast has passed; equal dtypes are copied. The ranges
 * do not overlap, unless they are the same addresses and the target's item is not larger than the source's. */
void tsr__convert_row(int isa, int from, int to, tsr_index n, const char *src, ptrdiff_t src_step, char *dst,
                      ptrdiff_t dst_step);

/* One element of a dtype from a number: TSR_ERANGE when it does not fit (arg names the value in the message), TSR_EDTYPE.
 * Complex dtypes get imaginary part 0. element has room for 16 bytes and any alignment. */
tsr_status tsr__scalar_from_real(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_real value,
                                 void *element);
tsr_status tsr__scalar_from_i64(tsr_ctx *ctx, const char *op, const char *arg, int dtype, int64_t value, void *element);

/* A complex number; one of another dtype where its imaginary part is 0, else TSR_ERANGE. */
tsr_status tsr__scalar_from_complex(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_complex value,
                                    void *element);

/* One element as a number (complex: its real part), rounded once where tsr_real is narrower: TSR_EDTYPE. */
tsr_status tsr__scalar_to_real(tsr_ctx *ctx, const char *op, int dtype, const void *element, tsr_real *value);
/* One element as an integer: TSR_ERANGE when it is none or does not fit, TSR_EDTYPE. */
tsr_status tsr__scalar_to_i64(tsr_ctx *ctx, const char *op, int dtype, const void *element, int64_t *value);

#endif
