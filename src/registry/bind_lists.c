/* Binding lists of numbers. */
#include "registry/call.h"

#include <string.h>

#if TSR_HAVE_OPS

/* How many numbers a list must have; false when the first input is to say so and is not there. */
static bool count_of(const tsr__op_call *call, const tsr_op_param *param, int *least, int *most) {
  *least = param->least;
  *most = param->most;
  if (param->most == TSR_OP_ANY_COUNT) *most = INT32_MAX;
  if (param->most == TSR_OP_AS_BEFORE) *least = *most = call->list;
  if (param->most != TSR_OP_RANK) return true;
  if (call->inputs < 1 || call->in[0] == NULL) return false;
  *least = *most = call->in[0]->ndim;
  return true;
}

static tsr_status check_count(tsr__op_call *call, const tsr_op_param *param, int count) {
  int least, most;
  if (!count_of(call, param, &least, &most)) return TSR_OK; /* the function refuses the input, and reads no number */
  if (count >= least && count <= most) return TSR_OK;
  const int bound = count < least ? least : most;
  return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, param->name, "has %d number%s, takes %s%d", count,
                   count == 1 ? "" : "s",
                   least == most   ? ""
                   : count < least ? "at least "
                                   : "at most ",
                   bound);
}

/* Functions take axes as int. */
static tsr_status bind_axes(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot) {
  if (attr->count > TSR_MAX_DIMS)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, param->name, "has %d axes, there are at most %d", attr->count,
                     TSR_MAX_DIMS);
  int *const axes = call->axes[call->axes_used++];
  for (int i = 0; i < attr->count; i++) {
    const int64_t axis = attr->value.ints[i];
    if (axis < INT32_MIN || axis > INT32_MAX)
      return TSR__FAIL(call->ctx, TSR_EAXIS, call->op->name, param->name, "%l is no axis", axis);
    axes[i] = (int)axis;
  }
  slot->list = axes;
  return TSR_OK;
}

/* Scales are floats, zero points 32 bits: a copy in temporary memory, which tsr__op_done gives back. */
static tsr_status convert(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot) {
  tsr__scratch *const scratch = &call->converted[call->converted_used];
  const size_t item = param->takes == TSR__LIST_F32 ? sizeof(float) : sizeof(int32_t);
  const tsr_status st = tsr__scratch_get(call->ctx, call->op->name, (size_t)attr->count * item, scratch);
  if (st != TSR_OK) return st;
  call->converted_used++;
  for (int i = 0; i < attr->count; i++) {
    if (param->takes == TSR__LIST_F32) {
      ((float *)scratch->data)[i] = (float)attr->value.reals[i];
      continue;
    }
    const int64_t number = attr->value.ints[i];
    if (number < INT32_MIN || number > INT32_MAX)
      return TSR__FAIL(call->ctx, TSR_ERANGE, call->op->name, param->name, "%l is out of range", number);
    ((int32_t *)scratch->data)[i] = (int32_t)number;
  }
  slot->list = scratch->data;
  return TSR_OK;
}

tsr_status tsr__op_bind_list(tsr__op_call *call, const tsr_op_param *param, const tsr_attr *attr, tsr__op_slot *slot) {
  const bool real = param->type == TSR_OP_REALS;
  if (attr->type != (real ? TSR_OP_REALS : TSR_OP_INTS)) return tsr__op_refuse_type(call, param, attr);
  const tsr_status st = check_count(call, param, attr->count);
  if (st != TSR_OK) return st;
  slot->list = real ? (const void *)attr->value.reals : attr->value.ints;
  slot->count = call->list = attr->count;
  if (attr->count > 0 && slot->list == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, param->name, "is NULL");
  if (param->takes != 0 && attr->count > 0) return convert(call, param, attr, slot);
  return param->type == TSR_OP_AXES ? bind_axes(call, param, attr, slot) : TSR_OK;
}

void tsr__op_put_list(const tsr__op_slot *slot, void *array, size_t item) {
  if (slot->count > 0) memcpy(array, slot->list, (size_t)slot->count * item);
}

#endif
