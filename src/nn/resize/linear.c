/* Between the nearest pixels. */
#include "core/operand.h"
#include "core/dtypes.h"
#include "nn/check.h"
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

tsr_status tsr_resize_linear(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *size,
                             const tsr_resize_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  tsr__resize r;
  tsr_status  st = tsr__resize_begin(ctx, "resize_linear", x, count, size, attrs, &r);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, r.op, "x", x);
  if (st != TSR_OK) return st;
  if (r.nearest != 0) return TSR__FAIL(ctx, TSR_EARG, r.op, "nearest", "is %d: only for resize_nearest", r.nearest);
  r.fn = linears[x->dtype];
  return tsr__resize_run(ctx, &r, out);
}
