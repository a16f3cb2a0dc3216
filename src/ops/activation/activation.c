/* The kinds of activations: names and kernels. */
#include "ops/activation/activation.h"

#include "ops/unary/unary.h"

TSR__DECLARE_KERNELS(clip_between)

#define KIND(kind, alpha, bounds, kernels) \
  const tsr_activation_kind tsr_activation_##kind = {#kind, alpha, bounds, TSR__KERNELS_OF(kernels)};

KIND(relu, 0, false, relu)
KIND(leaky_relu, (tsr_real)0.01, false, leaky_relu)
KIND(elu, 1, false, elu)
KIND(gelu, 0, false, gelu)
KIND(gelu_tanh, 0, false, gelu_tanh)
KIND(silu, 0, false, silu)
KIND(sigmoid, 0, false, sigmoid)
KIND(hard_sigmoid, 0, false, hard_sigmoid)
KIND(hard_swish, 0, false, hard_swish)
KIND(softplus, 0, false, softplus)
KIND(mish, 0, false, mish)
KIND(tanh, 0, false, tanh)
KIND(clip, 0, true, clip_between)

const char *tsr_activation_name(const tsr_activation_kind *kind) { return kind != NULL ? kind->name : "none"; }

tsr_status tsr__activation_init(tsr_ctx *ctx, const char *op, const tsr_activation *activation, int isa, int dtype,
                                tsr__activation *ready) {
  *ready = (tsr__activation){0};
  if (activation == NULL || activation->kind == NULL) return TSR_OK;
  const tsr_activation_kind *const kind = activation->kind;
  ready->row = kind->tables[isa][dtype];
  ready->param[0] = activation->alpha != 0 ? activation->alpha : kind->alpha;
  ready->param[1] = activation->beta;
  if (ready->row == NULL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "activation", "%s is not for %y", kind->name, dtype);
  if (kind->bounds && !(activation->alpha <= activation->beta))
    return TSR__FAIL(ctx, TSR_EARG, op, "activation", "clip from %r to %r: bounds in the wrong order", &ready->param[0],
                     &ready->param[1]);
  return TSR_OK;
}
