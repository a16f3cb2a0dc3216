/* The uniform call: how many of what, by which names; then the op's own parameters, and its function. */
#include "registry/call.h"
#include "registry/table.h"

#include "core/device.h"
#include "core/suggest.h"
#include "core/text.h"

#include <string.h>

#if TSR_HAVE_OPS

/* How many tensors of a role an op takes. */
typedef struct range {
  int least, most;
} range;

static range count_of(const tsr_op *op, int role) {
  const tsr__op_kind_row *const kind = &tsr__op_kinds[op->kind];
  range r = {0, 0};
  for (int i = 0, n = 0; i < kind->count; i++) {
    const tsr_op_param *const param = &kind->params[i];
    if (param->role != role) continue;
    n++;
    r.most = param->type == TSR_OP_TENSORS ? INT32_MAX : n;
    if ((param->flags & TSR_OP_OPTIONAL) == 0) r.least = n;
  }
  return r;
}

static TSR__COLD tsr_status refuse_count(tsr__op_call *call, int role, int given) {
  const range takes = count_of(call->op, role);
  const char *const which = role == TSR_OP_INPUT ? "input" : "output";
  char names[96];
  tsr__text text;
  tsr__text_init(&text, names, sizeof names);
  const tsr_op_param *param;
  for (int i = 0; (param = tsr_op_param_at(call->op, role, i)) != NULL; i++)
    tsr__text_format(&text, i == 0 ? "%s" : ", %s", param->name);
  const int bound = given < takes.least ? takes.least : takes.most;
  return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, NULL, "%s %s%d %s%s (%s), has %d",
                   role == TSR_OP_INPUT ? "takes" : "gives",
                   takes.least == takes.most ? ""
                   : given < takes.least     ? "at least "
                                             : "at most ",
                   bound, which, bound == 1 ? "" : "s", names, given);
}

static tsr_status check_tensors(tsr__op_call *call, int role, int given, bool there) {
  const range takes = count_of(call->op, role);
  if (given < takes.least || given > takes.most) return refuse_count(call, role, given);
  if (there || given == 0) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EARG, call->op->name, NULL, "%s is NULL", role == TSR_OP_INPUT ? "in" : "out");
}

static TSR__COLD tsr_status refuse_name(tsr__op_call *call, const char *name) {
  tsr__suggestion suggestion;
  tsr__suggest_init(&suggestion, name);
  const tsr_op_param *param;
  char names[128];
  tsr__text text;
  tsr__text_init(&text, names, sizeof names);
  for (int i = 0; (param = tsr_op_param_at(call->op, TSR_OP_ATTRIBUTE, i)) != NULL; i++) {
    tsr__suggest_offer(&suggestion, param->name);
    tsr__text_format(&text, i == 0 ? "%s" : ", %s", param->name);
  }
  if (suggestion.found != NULL)
    return TSR__FAIL(call->ctx, TSR_ENAME, call->op->name, NULL, "there is no attribute '%s'; did you mean '%s'?", name,
                     suggestion.found);
  return TSR__FAIL(call->ctx, TSR_ENAME, call->op->name, NULL, "there is no attribute '%s'; %s%s", name,
                   text.length == 0 ? "it takes none" : "it takes ", names);
}

static tsr_status check_names(tsr__op_call *call) {
  const char *const op = call->op->name;
  if (call->attributes > 0 && call->attrs == NULL) return TSR__FAIL(call->ctx, TSR_EARG, op, NULL, "attrs is NULL");
  for (int i = 0; i < call->attributes; i++) {
    const char *const name = call->attrs[i].name;
    if (name == NULL) return TSR__FAIL(call->ctx, TSR_EARG, op, NULL, "the name of attribute %d is NULL", i);
    if (tsr_op_attribute(call->op, name) == NULL) return refuse_name(call, name);
    for (int k = 0; k < i; k++)
      if (strcmp(name, call->attrs[k].name) == 0) return TSR__FAIL(call->ctx, TSR_EARG, op, name, "is given twice");
  }
  return TSR_OK;
}

static tsr_status bind(tsr__op_call *call) {
  const tsr__op_kind_row *const kind = &tsr__op_kinds[call->op->kind];
  tsr_status st = TSR_OK;
  for (int i = 0; i < kind->count && st == TSR_OK; i++) {
    const tsr_op_param *const param = &kind->params[i];
    st = param->role == TSR_OP_ATTRIBUTE ? tsr__op_bind_attribute(call, param, &call->slots[i])
                                         : tsr__op_bind_tensor(call, param, &call->slots[i]);
  }
  return st;
}

/* Lists and outputs that the call holds in temporary memory: a dry run counts them before what the function takes. */
static tsr_status run_op(tsr__op_call *call) {
  tsr_ctx *const ctx = tsr__ctx(call->ctx);
  const size_t before = ctx->scratch_needed;
  size_t own = call->row != NULL ? call->scratch.bytes : 0;
  for (int i = call->converted_used - 1; i >= 0; i--)
    own = call->converted[i].bytes + (own > 0 ? tsr__align_up(own, TSR_DATA_ALIGN) : 0);
  if (own == 0 || !tsr__is_dry(ctx->device)) return tsr__op_kinds[call->op->kind].run(call);
  ctx->scratch_needed = 0;
  const tsr_status st = tsr__op_kinds[call->op->kind].run(call);
  const size_t inner = tsr__without_slack(ctx->scratch_needed);
  const size_t all = tsr__with_slack(inner > 0 ? tsr__align_up(own, TSR_DATA_ALIGN) + inner : own);
  ctx->scratch_needed = all > before ? all : before;
  return st;
}

tsr_status tsr_op_call(tsr_ctx *ctx, const tsr_op *op, int inputs, const tsr_tensor *const *in, int attributes,
                       const tsr_attr *attrs, int outputs, tsr_tensor *const *out) {
  if (op == NULL) return TSR__FAIL(ctx, TSR_EARG, "op_call", "op", "is NULL");
  tsr__op_call call = {.ctx = ctx,
                       .op = op,
                       .inputs = inputs,
                       .attributes = attributes,
                       .outputs = outputs,
                       .in = in,
                       .attrs = attrs,
                       .out = out};
  tsr_status st = check_tensors(&call, TSR_OP_INPUT, inputs, in != NULL);
  if (st == TSR_OK) st = check_tensors(&call, TSR_OP_OUTPUT, outputs, out != NULL);
  if (st == TSR_OK) st = check_names(&call);
  if (st == TSR_OK) st = bind(&call);
  if (st == TSR_OK) st = run_op(&call);
  return tsr__op_done(&call, st);
}

#endif
