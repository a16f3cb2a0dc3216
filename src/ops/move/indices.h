/* Indices that a caller gives: all of them are read and checked before anything is written. */
#ifndef TSR_OPS_MOVE_INDICES_H
#define TSR_OPS_MOVE_INDICES_H

#include "core/check.h"

typedef struct tsr__indices {
  tsr_tensor view; /* i64, of the index's shape, none negative: the index itself, or a copy */
  tsr__scratch scratch;
} tsr__indices;

/* Whether index is of an integer dtype: TSR_EDTYPE. */
tsr_status tsr__indices_check_dtype(tsr_ctx *ctx, const char *op, const tsr_tensor *index);

/* index as positions of an axis of in, negative ones counted from its end: TSR_EINDEX names the first that is out of
 * range. out is what will be written; the view stays readable. The scratch is put back by the caller, also after a
 * failure. */
tsr_status tsr__indices_read(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                             const tsr_tensor *out, tsr__indices *indices);

/* The failure of index number number, whose value is value, or was before it was counted from the end. */
tsr_status tsr__indices_refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                               tsr_index number, int64_t value);

#endif
