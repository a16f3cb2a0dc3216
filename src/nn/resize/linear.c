/* Between the nearest pixels. */
#include "core/dtypes.h"
#include "nn/check.h"
#include "nn/resize/ops.h"
#include "nn/resize/resize.h"

/* The rows of one channel of x that a row of the output lies between. */
typedef struct rows {
  const char *top, *bottom;
} rows;

static inline rows rows_of(const tsr__resize *r, const tsr__resize_span *s, ptrdiff_t channel) {
  const char *const x = s->x + r->xs[TSR__IMAGE_C] * channel;
  return (rows){x + r->xs[TSR__IMAGE_H] * (ptrdiff_t)s->row.low, x + r->xs[TSR__IMAGE_H] * (ptrdiff_t)s->row.high};
}

#define TEMPLATE "nn/resize/linear.tmpl.h"
#include "nn/each_float.h"

static tsr__resize_fn *const linears[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(linear)};

static tsr_status resize_linear(tsr__call *call) {
  tsr__resize r;
  tsr_status st = tsr__resize_init(call, &r);
  if (st == TSR_OK) st = tsr__nn_check_float(call->ctx, call->op, "x", r.x);
  if (st != TSR_OK) return st;
  if (r.nearest != 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "nearest", "is %d: only for resize_nearest", r.nearest);
  r.fn = linears[r.x->dtype];
  return tsr__resize_run(call, &r);
}

TSR__OP_LIKE(resize_linear, resize_nearest, resize_linear, 0)
tsr_status tsr_resize_linear(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size,
                             const tsr_resize_options *options, tsr_tensor *out) {
  return TSR__CALL(resize_linear, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .size = size, .size_count = count,
                   .options = options);
}
