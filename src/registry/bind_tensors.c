/* Binding inputs and outputs. */
#include "registry/call.h"

#if TSR_HAVE_OPS

static void bind_input(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot) {
  if (param->type == TSR_OP_TENSORS) {
    slot->count = call->list = call->inputs - call->next_input;
    slot->many = slot->count > 0 ? call->in + call->next_input : NULL;
    call->next_input = call->inputs;
  } else if (call->next_input < call->inputs) {
    slot->in = call->in[call->next_input++];
  }
}

static bool are_contiguous(const tsr__op_call *call) {
  for (int i = 1; i < call->outputs; i++)
    if ((uintptr_t)call->out[i] != (uintptr_t)call->out[0] + (uintptr_t)i * sizeof(tsr_tensor)) return false;
  return true;
}

/* Copies them into scratch memory, where they lie in a row: tsr__op_done brings them back. */
static tsr_status gather_outputs(tsr__op_call *call) {
  const char *const op = call->op->name;
  size_t bytes = 0;
  if (!tsr__mul_size((size_t)call->outputs, sizeof *call->row, &bytes))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, op, NULL, "%d outputs are too many", call->outputs);
  for (int i = 0; i < call->outputs; i++)
    if (call->out[i] == NULL) return TSR__FAIL(call->ctx, TSR_EARG, op, NULL, "output %d is NULL", i);
  const tsr_status st = tsr__scratch_get(call->ctx, op, bytes, &call->scratch);
  if (st != TSR_OK) return st;
  call->row = call->scratch.data;
  for (int i = 0; i < call->outputs; i++) call->row[i] = *call->out[i];
  return TSR_OK;
}

static tsr_status bind_row(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot) {
  if (param->most == TSR_OP_AS_BEFORE && call->list != call->outputs)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, NULL, "gives %d output%s, has %d", call->list,
                     call->list == 1 ? "" : "s", call->outputs);
  const tsr_status st = are_contiguous(call) ? TSR_OK : gather_outputs(call);
  if (st != TSR_OK) return st;
  slot->count = call->outputs;
  slot->out = call->row != NULL ? call->row : call->outputs > 0 ? call->out[0] : NULL;
  return TSR_OK;
}

tsr_status tsr__op_bind_tensor(tsr__op_call *call, const tsr_op_param *param, tsr__op_slot *slot) {
  if (param->role == TSR_OP_INPUT)
    bind_input(call, param, slot);
  else if (param->type == TSR_OP_TENSORS)
    return bind_row(call, param, slot);
  else if (call->next_output < call->outputs)
    slot->out = call->out[call->next_output++];
  return TSR_OK;
}

tsr_status tsr__op_done(tsr__op_call *call, tsr_status status) {
  if (call->row != NULL) {
    for (int i = 0; i < call->outputs && status == TSR_OK; i++) *call->out[i] = call->row[i];
    tsr__scratch_put(&call->scratch);
  }
  while (call->converted_used > 0) tsr__scratch_put(&call->converted[--call->converted_used]);
  return status;
}

#endif
