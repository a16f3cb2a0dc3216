/* Ops of one value each: unary, binary, with numbers, ternary. */
#include "cuda/engines/engines.h"

#include "cuda/lines.h"
#include "ops/binary/ops.h"
#include "ops/cast/convert.h"
#include "ops/mask/ops.h"
#include "ops/ternary/ops.h"
#include "ops/unary/ops.h"

static const int values[] = {0, 1, 2, 3};

/* The op's line over the terms that e has; in are as many tensors, by which dtypes are found. */
static tsr_status plan_line(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_elements *e,
                            int inputs, const tsr_tensor *const *in, tsr__cuda_plan *plan) {
  tsr__dtypes dtypes;
  const tsr_status st = tsr__cuda_line_dtypes(op->line, work->ctx, inputs, in, &dtypes);
  if (st != TSR_OK) return st;
  tsr__cuda_add_step(&e->lines, op->line, &dtypes, e->lines.inputs, values);
  e->maker = op;
  e->out = tsr__cuda_output(work, 0);
  return tsr__cuda_plan_elements(gpu, work->ctx, e, plan);
}

/* ---- inputs alone ---- */

tsr_status tsr__cuda_elementwise(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {0};
  for (int k = 0; k < work->inputs; k++) tsr__cuda_add_input(&e, work, k);
  return plan_line(gpu, op, work, &e, work->inputs, work->in, plan);
}

/* Its attributes are one number. */
tsr_status tsr__cuda_elementwise_attribute(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                           tsr__cuda_plan *plan) {
  const tsr__elu_attrs *const attrs = work->attrs;
  _Static_assert(offsetof(tsr__elu_attrs, alpha) == offsetof(tsr__leaky_relu_attrs, slope), "the first attribute");
  const tsr_real number = attrs->alpha;
  tsr__cuda_elements e = {0};
  tsr__cuda_add_input(&e, work, 0);
  tsr__cuda_add_number(&e, TSR_F64, &number);
  return plan_line(gpu, op, work, &e, 1, work->in, plan);
}

/* ---- with a number: it is of the tensor's dtype, or of the float that the op makes of it ---- */

static tsr_status plan_number(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, bool reversed, int dtype,
                              const void *element, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {0};
  tsr_tensor number = {.dtype = (uint8_t)dtype};
  const tsr_tensor *const in[] = {reversed ? &number : work->in[0], reversed ? work->in[0] : &number};
  if (reversed) tsr__cuda_add_number(&e, dtype, element);
  tsr__cuda_add_input(&e, work, 0);
  if (!reversed) tsr__cuda_add_number(&e, dtype, element);
  return plan_line(gpu, op, work, &e, 2, in, plan);
}

static tsr_status plan_real(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, bool reversed, int dtype,
                            tsr__cuda_plan *plan) {
  const tsr__scalar_attrs *const attrs = work->attrs;
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_real(work->ctx, op->name, "value", dtype, attrs->value, element);
  return st == TSR_OK ? plan_number(gpu, op, work, reversed, dtype, element, plan) : st;
}

static tsr_status plan_whole(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, bool reversed,
                             tsr__cuda_plan *plan) {
  const tsr__scalar_i64_attrs *const attrs = work->attrs;
  const int dtype = work->in[0]->dtype;
  unsigned char element[16];
  const tsr_status st = tsr__scalar_from_i64(work->ctx, op->name, "value", dtype, attrs->value, element);
  return st == TSR_OK ? plan_number(gpu, op, work, reversed, dtype, element, plan) : st;
}

tsr_status tsr__cuda_with_real(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_real(gpu, op, work, false, work->in[0]->dtype, plan);
}
tsr_status tsr__cuda_with_float(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_real(gpu, op, work, false, tsr__float_of(work->in[0]->dtype), plan);
}
tsr_status tsr__cuda_with_i64(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_whole(gpu, op, work, false, plan);
}
tsr_status tsr__cuda_real_with(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_real(gpu, op, work, true, work->in[0]->dtype, plan);
}
tsr_status tsr__cuda_float_with(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_real(gpu, op, work, true, tsr__float_of(work->in[0]->dtype), plan);
}
tsr_status tsr__cuda_i64_with(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  return plan_whole(gpu, op, work, true, plan);
}

/* ---- three inputs ---- */

tsr_status tsr__cuda_clamp(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__clamp_attrs *const attrs = work->attrs;
  const int dtype = work->in[0]->dtype;
  const tsr_tensor number = {.dtype = (uint8_t)dtype};
  const tsr_tensor *const in[] = {work->in[0], &number, &number};
  tsr__cuda_elements e = {0};
  unsigned char low[16], high[16];
  tsr_status st = tsr__scalar_from_real(work->ctx, op->name, "lo", dtype, attrs->lo, low);
  if (st == TSR_OK) st = tsr__scalar_from_real(work->ctx, op->name, "hi", dtype, attrs->hi, high);
  if (st != TSR_OK) return st;
  tsr__cuda_add_input(&e, work, 0);
  tsr__cuda_add_number(&e, dtype, low);
  tsr__cuda_add_number(&e, dtype, high);
  return plan_line(gpu, op, work, &e, 3, in, plan);
}

tsr_status tsr__cuda_addcmul(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__addcmul_attrs *const attrs = work->attrs;
  tsr__cuda_elements e = {0};
  tsr__dtypes dtypes;
  unsigned char number[16];
  tsr_status st = tsr__cuda_line_dtypes(op->line, work->ctx, 3, work->in, &dtypes);
  if (st == TSR_OK) st = tsr__scalar_from_real(work->ctx, op->name, "value", dtypes.compute, attrs->value, number);
  if (st != TSR_OK) return st;
  for (int k = 0; k < 3; k++) tsr__cuda_add_input(&e, work, k);
  tsr__cuda_add_number(&e, dtypes.compute, number);
  return plan_line(gpu, op, work, &e, 3, work->in, plan);
}

tsr_status tsr__cuda_lerp_scalar(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__lerp_scalar_attrs *const attrs = work->attrs;
  tsr__cuda_elements e = {0};
  tsr__dtypes dtypes;
  unsigned char weight[16];
  tsr_status st = tsr__cuda_line_dtypes(op->line, work->ctx, 2, work->in, &dtypes);
  if (st == TSR_OK) st = tsr__scalar_from_real(work->ctx, op->name, "weight", dtypes.out, attrs->weight, weight);
  if (st != TSR_OK) return st;
  const tsr_tensor number = {.dtype = (uint8_t)dtypes.out};
  const tsr_tensor *const in[] = {work->in[0], work->in[1], &number};
  tsr__cuda_add_input(&e, work, 0);
  tsr__cuda_add_input(&e, work, 1);
  tsr__cuda_add_number(&e, dtypes.out, weight);
  return plan_line(gpu, op, work, &e, 3, in, plan);
}

/* a where the condition holds: elements are moved. */
static tsr_status plan_where(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_elements *e,
                             int dtype, tsr__cuda_plan *plan) {
  const tsr__dtypes dtypes = {dtype, dtype, dtype};
  tsr__cuda_add_step(&e->lines, op->line, &dtypes, 3, values);
  e->lines.step[0].dtype[0] = TSR_BOOL;
  e->maker = op;
  e->out = tsr__cuda_output(work, 0);
  return tsr__cuda_plan_elements(gpu, work->ctx, e, plan);
}

tsr_status tsr__cuda_where(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {0};
  for (int k = 0; k < 3; k++) tsr__cuda_add_input(&e, work, k);
  return plan_where(gpu, op, work, &e, work->out[0]->dtype, plan);
}

/* The number where the mask holds. */
tsr_status tsr__cuda_masked_fill(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__masked_fill_attrs *const attrs = work->attrs;
  const int dtype = work->in[0]->dtype;
  tsr__cuda_elements e = {0};
  unsigned char number[16];
  const tsr_status st = tsr__scalar_from_real(work->ctx, op->name, "value", dtype, attrs->value, number);
  if (st != TSR_OK) return st;
  tsr__cuda_add_input(&e, work, 1);
  tsr__cuda_add_number(&e, dtype, number);
  tsr__cuda_add_input(&e, work, 0);
  return plan_where(gpu, op, work, &e, dtype, plan);
}
