/* What every reduction checks, and the dtypes that it computes with. */
#include "ops/reduce/real.h"

#include <tessera/reduce.h>

TSR__ALWAYS_INLINE tsr_status begin_reduction(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes,
                                              const int *axes, bool keepdims, tsr__reduce *r) {
  *r = (tsr__reduce){.op = op, .x = x, .keepdims = keepdims, .passes = 1, .terms = {.count = 1}};
  if (!tsr__resolve_axes(x->ndim, naxes, axes, &r->axes)) return tsr__refuse_axes(ctx, op, x, naxes, axes);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %y, which this build does not compute with", (int)x->dtype);
  for (int i = 0; i < x->ndim; i++)
    if ((r->axes >> i & 1) != 0) r->terms.count *= x->shape[i];
  return TSR_OK;
}

tsr_status tsr__reduce_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                             bool keepdims, tsr__reduce *r) {
  return begin_reduction(ctx, op, x, naxes, axes, keepdims, r);
}

tsr_status tsr__reduce_begin_axis(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, bool keepdims,
                                  tsr__reduce *r) {
  const bool all = axis == TSR_ALL_AXES;
  return tsr__reduce_begin(ctx, op, x, all ? 0 : 1, all ? NULL : &axis, keepdims, r);
}

static bool is_complex(int dtype) { return dtype == TSR_C64 || dtype == TSR_C128; }

tsr_status tsr__reduce_check_real(tsr_ctx *ctx, const tsr__reduce *r) {
  if (!is_complex(r->x->dtype)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, r->op, "x", "is %y; %s takes real numbers", (int)r->x->dtype, r->op);
}

tsr_status tsr__reduce_check_some(tsr_ctx *ctx, const tsr__reduce *r) {
  if (r->terms.count > 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, r->op, "x", "is %t: %s of no elements has no result", r->x, r->op);
}

/* ---- dtypes ---- */

/* What becomes of elements of a dtype: what is computed in, the dtype of sums, and that of means and norms, where
 * floats keep theirs and integers give f32 up to 16 bits and else f64 (f32 where there is none). */
typedef struct dtypes {
  uint8_t compute, sum, mean;
} dtypes;

#define OF_BOOL(id, bytes) \
  { TSR_U8, TSR_I64, TSR_F32 }
#define OF_INT(id, bytes) \
  { TSR_##id, TSR_I64, (bytes) <= 2 ? TSR_F32 : TSR__REDUCE_REAL }
#define OF_UINT(id, bytes) \
  { TSR_##id, TSR_U64, (bytes) <= 2 ? TSR_F32 : TSR__REDUCE_REAL }
#define OF_FLOAT(id, bytes) \
  { (bytes) < 4 ? TSR_F32 : TSR_##id, TSR_##id, TSR_##id }
#define OF_COMPLEX(id, bytes) \
  { TSR_##id, TSR_##id, TSR_##id }
static const dtypes of_dtype[TSR_DTYPE_COUNT] = {
#define X(id, number, bytes, class, name, npy, st) [number] = OF_##class(id, bytes),
    TSR_DTYPE_LIST(X)
#undef X
};

int tsr__reduce_compute(int dtype) { return of_dtype[dtype].compute; }
int tsr__reduce_sum_dtype(int dtype) { return of_dtype[dtype].sum; }

/* f32 for floats of up to 32 bits, the real type for all else. */
static int real_compute(int result) { return result == TSR_F64 ? TSR__REDUCE_REAL : TSR_F32; }

/* What an op computes in and gives for elements of a dtype. */
static void set_dtypes(tsr__reduce_rule rule, int dtype, tsr__reduce *r) {
  switch (rule) {
    case TSR__REDUCE_SUMS: r->out_dtype = of_dtype[dtype].sum; break;
    case TSR__REDUCE_PRODUCTS: r->out_dtype = dtype = of_dtype[dtype].sum; break;
    case TSR__REDUCE_REALS: r->out_dtype = of_dtype[dtype].mean; break;
    case TSR__REDUCE_OWN: r->out_dtype = dtype; break;
    case TSR__REDUCE_TRUTH: r->out_dtype = TSR_BOOL; break;
    case TSR__REDUCE_COUNTS: r->out_dtype = TSR_I64; break;
  }
  if (rule == TSR__REDUCE_TRUTH || rule == TSR__REDUCE_COUNTS)
    r->compute = TSR_BOOL;
  else
    r->compute = rule == TSR__REDUCE_REALS ? real_compute(r->out_dtype) : of_dtype[dtype].compute;
}

void tsr__reduce_choose(const tsr_ctx *ctx, tsr__reduce *r) {
  const tsr__reduce_op *const op = r->of;
  const int isa = tsr__isa_of(ctx), read = r->compute == TSR_BOOL ? TSR_U8 : r->compute;
  for (int i = 0; i < r->passes; i++)
    r->pass[i] = (tsr__reduce_pass){op->pass[i].tables[isa][read], op->pass[i].finish};
  r->terms.item = tsr__item_sizes[r->pass[0].kernel->dtype];
}

tsr_status tsr__reduce_begin_as(tsr_ctx *ctx, const char *name, const tsr__reduce_op *op, const tsr_tensor *x,
                                int naxes, const int *axes, bool keepdims, tsr__reduce *r) {
  const bool any = op->rule == TSR__REDUCE_TRUTH || op->rule == TSR__REDUCE_COUNTS;
  const tsr_status st = begin_reduction(ctx, name, x, naxes, axes, keepdims, r);
  if (st != TSR_OK) return st;
  if (!any && is_complex(x->dtype)) return tsr__reduce_check_real(ctx, r);
  set_dtypes(op->rule, x->dtype, r);
  r->of = op;
  r->passes = op->pass[1].tables[0] != NULL ? 2 : 1;
  tsr__reduce_choose(ctx, r);
  return TSR_OK;
}

tsr_status tsr__reduce_begin_real(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes,
                                  bool keepdims, tsr__reduce *r) {
  const tsr_status st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, r);
  if (st != TSR_OK) return st;
  set_dtypes(TSR__REDUCE_REALS, x->dtype, r);
  return tsr__reduce_check_real(ctx, r);
}

tsr_tensor tsr__reduce_result_as(const tsr__reduce *r, int dtype) {
  tsr_tensor t = {.dtype = (uint8_t)dtype};
  int ndim;
  tsr__reduce_shape(r, &ndim, t.shape);
  t.ndim = (uint8_t)ndim;
  tsr__strides_for(ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  return t;
}
