#include "ops/cast/convert.h"
#include "ops/random/ops.h"
#include "ops/random/random.h"

static const tsr__random_kernels kernels = TSR__RANDOM_KERNELS(uniform);

/* value as the dtype has it, in *rounded, and the largest number of the dtype that is smaller, in *below. */
static tsr_status rounded(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_real value, tsr_real *number,
                          tsr_real *below) {
  unsigned char element[16];
  tsr_status st = tsr__scalar_from_real(ctx, op, arg, dtype, value, element);
  if (st == TSR_OK) st = tsr__scalar_to_real(ctx, op, dtype, element, number);
  if (st != TSR_OK) return st;
  /* Floats of one sign are in the order of their bits, whatever their size. */
  const size_t bytes = tsr_dtype_size(dtype);
  uint64_t bits = 0;
  const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
  for (size_t i = 0; i < bytes; i++) {
    const size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;
    bits |= (uint64_t)element[at] << (8 * i);
  }
  bits = *number > 0 ? bits - 1 : *number == 0 ? (sign | 1) : bits + 1;
  for (size_t i = 0; i < bytes; i++) {
    const size_t at = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : bytes - 1 - i;
    element[at] = (unsigned char)(bits >> (8 * i));
  }
  return tsr__scalar_to_real(ctx, op, dtype, element, below);
}

static bool is_finite(tsr_real x) { return x - x == 0; }

static tsr_status form_of(tsr_ctx *ctx, const char *op, int dtype, tsr_real low, tsr_real high,
                          tsr__random_form *form) {
  tsr_real to, unused;
  if (!is_finite(low)) return TSR__FAIL(ctx, TSR_EARG, op, "low", "is %r, which is not finite", &low);
  if (!is_finite(high)) return TSR__FAIL(ctx, TSR_EARG, op, "high", "is %r, which is not finite", &high);
  tsr_status st = rounded(ctx, op, "low", dtype, low, &form->low, &unused);
  if (st == TSR_OK) st = rounded(ctx, op, "high", dtype, high, &to, &form->most);
  if (st != TSR_OK) return st;
  if (!(form->low < to))
    return TSR__FAIL(ctx, TSR_EARG, op, "low", "%r is not less than high %r in %y", &low, &high, dtype);
  form->scale = dtype == TSR_F64 ? to - form->low : (tsr_real)((float)to - (float)form->low);
  if (!is_finite(form->scale)) return TSR__FAIL(ctx, TSR_EARG, op, "high", "%r - low %r overflows", &high, &low);
  return TSR_OK;
}

static tsr_status rand_uniform(tsr__call *call) {
  const tsr__rand_uniform_attrs *const attrs = call->attrs;
  tsr__draw draw = tsr__draw_floats(call->ctx, &kernels, attrs->dtype);
  tsr_status st = tsr__draw_check(call, attrs->rng);
  if (st == TSR_OK) st = tsr__draw_check_float(call, attrs->dtype);
  if (st == TSR_OK) st = form_of(call->ctx, call->op, attrs->dtype, attrs->low, attrs->high, &draw.form);
  if (st != TSR_OK) return st;
  return tsr__draw_run(call, &draw, attrs->rng, attrs->dtype, attrs->shape_count, attrs->shape);
}

TSR__OP(rand_uniform, rand_uniform, TSR__OP_RANDOM)
tsr_status tsr_rand_uniform(tsr_ctx *ctx, tsr_rng *rng, int dtype, int ndim, const tsr_index *shape, tsr_real low,
                            tsr_real high, tsr_tensor *out) {
  return TSR__CALL(rand_uniform, ctx, TSR__NO_INPUT, TSR__OUTPUTS(out), .rng = rng, .dtype = dtype, .shape = shape,
                   .shape_count = ndim, .low = low, .high = high);
}
