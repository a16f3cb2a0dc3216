/* Cross products: every component is a line over four others. */
#include "cuda/engines/engines.h"

#include "cuda/lines.h"
#include "ops/einsum/ops.h"
#include "ops/parts.h"
#include "ops/promote.h"

/* Component c along an axis, without the axis. */
static tsr__cuda_view component(const tsr__cuda_view *v, int axis, int c) {
  tsr__cuda_view part = *v;
  tsr_tensor *const t = &part.tensor;
  const ptrdiff_t bytes = (ptrdiff_t)(c * t->stride[axis]) * (ptrdiff_t)tsr_dtype_size(t->dtype);
  part.ref.offset += bytes;
  if (t->data != NULL) t->data = (char *)t->data + bytes;
  for (int d = axis; d + 1 < t->ndim; d++) {
    t->shape[d] = t->shape[d + 1];
    t->stride[d] = t->stride[d + 1];
  }
  t->ndim--;
  return part;
}

/* out = a[i]·b[j] - a[j]·b[i]. */
static tsr_status plan_component(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *in, const int *axis, int i,
                                 int j, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  static const char maker;
  const uint8_t compute = (uint8_t)tsr__compute_of(out->tensor.dtype);
  const bool is_complex = tsr__is_complex(compute);
  const tsr__cuda_view terms[4] = {component(&in[0], axis[0], i), component(&in[1], axis[1], j),
                                   component(&in[0], axis[0], j), component(&in[1], axis[1], i)};
  tsr__cuda_elements e = {.maker = &maker, .out = *out};
  for (int k = 0; k < 4; k++) tsr__cuda_add_view(&e, &terms[k]);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){
      .line = is_complex ? "FN(tsr__sub)(FN(tsr__mul)(a, b), FN(tsr__mul)(c, p))" : "a * b - c * p",
      .functions = is_complex ? tsr__cuda_complex : NULL,
      .inputs = 4,
      .in = {0, 1, 2, 3},
      .dtype = {compute, compute, compute, compute},
      .compute = compute,
      .integers = TSR__CUDA_WRAPPING,
      .result = compute,
      .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

tsr_status tsr__cuda_cross(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cross_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view in[2];
  int axis[2];
  tsr_status st = TSR_OK;
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    in[k] = tsr__cuda_input(work, k);
    axis[k] = attrs->axis < 0 ? attrs->axis + in[k].tensor.ndim : attrs->axis;
    st = tsr__cuda_unaliased(gpu, work->ctx, &out, &in[k], plan);
  }
  if (st != TSR_OK) return st;
  if (in[0].tensor.shape[axis[0]] == 2) return plan_component(gpu, work, in, axis, 0, 1, &out, plan);
  const int along = attrs->axis < 0 ? attrs->axis + out.tensor.ndim : attrs->axis;
  for (int c = 0; c < 3 && st == TSR_OK; c++) {
    const tsr__cuda_view to = component(&out, along, c);
    st = plan_component(gpu, work, in, axis, (c + 1) % 3, (c + 2) % 3, &to, plan);
  }
  return st;
}
