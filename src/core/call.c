#include "core/call.h"

#include "core/device.h"
#include "core/normalise.h"
#include "core/prepare.h"
#include "core/scope.h"
#include "core/storage.h"
#include "core/tensor.h"

/* ---- names ---- */

#if TSR_HAVE_TEXT
/* Input k of many, whose name is name. */
static const char *name_of_many(const char *name, int k) {
  static const char many[8][6] = {"in[0]", "in[1]", "in[2]", "in[3]", "in[4]", "in[5]", "in[6]", "in[7]"};
  return k < 8 ? many[k] : name;
}
#endif

const char *tsr__call_input_name(const tsr__call *call, int k) {
#if TSR_HAVE_TEXT
  const tsr__operand_info *at = call->info->operands;
  for (int i = 0; i < k && (at->flags & TSR__OPERAND_MANY) == 0; i++) at++;
  return (at->flags & TSR__OPERAND_MANY) != 0 ? name_of_many(at->name, k) : at->name;
#else
  (void)call, (void)k;
  return "";
#endif
}

const char *tsr__call_output_name(const tsr__call *call, int k) {
#if TSR_HAVE_TEXT
  const tsr__operand_info *const first = call->info->operands + call->info->inputs;
  return first[(first->flags & TSR__OPERAND_MANY) == 0 ? k : 0].name;
#else
  (void)call, (void)k;
  return "";
#endif
}

/* ---- operands ---- */

/* The name of operand k by one number: inputs have k + 1, outputs -k - 1; 0 is none. */
static const char *name_of(const tsr__call *call, int number) {
  return number > 0 ? tsr__call_input_name(call, number - 1) : tsr__call_output_name(call, -number - 1);
}

#if !TSR_PACKED_CALLS
/* What is seen of the operands on the way through them. */
typedef struct operands {
  bool odd;     /* one has to be normalised */
  bool several; /* they are on more than one device beside the host */
  int host;     /* the number of one on the host that may not stand beside another device's */
  int device;   /* of the first on the call's device */
} operands;

/* An operand on a device that computes nothing. */
static TSR__COLD tsr_status refuse_memory(const tsr__call *call, int number, const tsr_device *device) {
  const tsr_tensor *const t = number > 0 ? call->in[number - 1] : call->out[-number - 1];
  return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, name_of(call, number), "%t is on %s; copy it to the host first", t,
                   device->name);
}

#if TSR__HAVE_OFFLOAD
static TSR__COLD tsr_status refuse_devices(const tsr__call *call, int a, const char *on_a, int b, const char *on_b) {
  return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, name_of(call, a), "is on %s and %s on %s: copy one of them first",
                   on_a, b != 0 ? name_of(call, b) : "the context", on_b);
}

/* An operand that is not the host's. */
static TSR__COLD tsr_status see_device(tsr__call *call, int number, const tsr_device *device, operands *seen) {
  if (call->device == NULL || tsr__device_takes(device, call->device)) {
    call->device = device;
    seen->device = number;
  }
  if (call->device == device || tsr__device_takes(call->device, device)) return TSR_OK;
  seen->several = true;
  if ((call->info->flags & TSR__OP_ANY_DEVICE) != 0) return TSR_OK;
  return refuse_devices(call, seen->device, call->device->name, number, device->name);
}
#else
static tsr_status see_device(const tsr__call *call, int number, const tsr_device *device, operands *seen) {
  seen->device = number;
  return (call->info->flags & TSR__OP_ANY_DEVICE) != 0 ? TSR_OK : refuse_memory(call, number, device);
}
#endif

static inline tsr_status see(tsr__call *call, const tsr_tensor *t, int number, operands *seen) {
  const tsr_device *const device = t->storage != NULL ? t->storage->device : &tsr__cpu;
  seen->odd = seen->odd || tsr__needs_normalising(t);
  if (!device->is_host) return see_device(call, number, device, seen);
  if (!TSR__HAVE_OFFLOAD || t->data == NULL) return TSR_OK; /* no bytes, and so on no device */
  if (t->ndim > 0 || (call->info->flags & TSR__OP_SCALARS) == 0) seen->host = number;
  return TSR_OK;
}

/* An input that is not the usual one. */
static tsr_status check_operand(const tsr__call *call, int k, const tsr_tensor *t) {
  const bool described = t != NULL && t->dtype != TSR_NONE && t->data == NULL;
  if (described && (call->info->flags & TSR__OP_DESCRIBED) != 0)
    return tsr__check_desc(call->ctx, call->op, t->dtype, t->ndim, t->shape);
  return tsr__check_strided(call->ctx, call->op, tsr__call_input_name(call, k), t);
}

static tsr_status see_inputs(tsr__call *call, operands *seen) {
  const tsr__operand_info *at = call->info->operands;
  tsr_status st = TSR_OK;
  for (int k = 0; k < call->inputs && st == TSR_OK; k++) {
    const tsr_tensor *const t = call->in[k];
    const int flags = at->flags;
    if ((flags & TSR__OPERAND_MANY) == 0) at++;
    if (t == NULL && (flags & TSR__OPERAND_OPTIONAL) != 0) continue;
    if (!tsr__is_given_packed(t)) st = check_operand(call, k, t);
    if (st == TSR_OK) st = see(call, t, k + 1, seen);
  }
  return st;
}

/* One struct for two outputs: the second result would be written over the description of the first. Not looked for on
 * microcontrollers, whose flash is counted. */
static tsr_status check_distinct(const tsr__call *call, int k) {
  for (int j = 0; j < k; j++)
    if (call->out[j] == call->out[k])
      return TSR__FAIL(call->ctx, TSR_EARG, call->op, tsr__call_output_name(call, k), "is the same tensor as %s",
                       tsr__call_output_name(call, j));
  return TSR_OK;
}

/* Outputs that are given; what is wrong with them is said when the result is known. */
static tsr_status see_outputs(tsr__call *call, operands *seen) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < call->outputs && st == TSR_OK; k++) {
    const tsr_tensor *const t = call->out[k];
    if (TSR_HAVE_OPS && k > 0 && t != NULL) st = check_distinct(call, k);
    if (st != TSR_OK || t == NULL || t->dtype == TSR_NONE || t->ndim > TSR_MAX_DIMS) continue;
    if (t->data != NULL || tsr__has_no_elements(t)) st = see(call, t, -k - 1, seen);
  }
  return st;
}

/* Where the output is that an op makes by the tables of devices: as it is given, else beside the first input, else the
 * context's. */
static const tsr_device *home_of(const tsr__call *call) {
  const tsr_tensor *const in = call->inputs > 0 ? call->in[0] : NULL, *const out = call->out[0];
  const tsr_device *home = call->ctx != NULL ? call->ctx->device : NULL;
  if (in != NULL && in->data != NULL) home = tsr_device_of(in);
  if (out != NULL && out->data != NULL) home = tsr_device_of(out);
  return home != NULL && !home->is_host ? home : NULL;
}
#endif

/* Only the host's calls are prepared, of ops that have a plan. */
static tsr_status check_prepares(const tsr__call *call) {
  const struct tsr_prepared_table *const table = tsr__preparing(call);
  if (table == NULL || (call->device == NULL && (call->info->flags & TSR__OP_PREPARES) != 0)) return TSR_OK;
  return table->refuse(call, call->device == NULL ? "it is no op that is" : "it is not the host's");
}

#if TSR_PACKED_CALLS
#elif TSR__HAVE_OFFLOAD
/* A device that computes, and that has or takes all operands; else the op does it by the tables of theirs. */
static tsr_status choose_any_device(tsr__call *call, const operands *seen) {
  const tsr_device *const device = call->device;
  const bool takes = !seen->several && (seen->host == 0 || tsr__device_takes_host(device));
  call->device = takes && tsr__device_runs(device) ? device : NULL;
  call->home = call->device != NULL ? device : home_of(call);
  return TSR_OK;
}

static TSR__COLD tsr_status choose_device(tsr__call *call, const operands *seen) {
  const tsr_device *const own = call->ctx != NULL ? call->ctx->device : NULL;
  if (call->device == NULL || (own != NULL && tsr__device_takes(own, call->device))) call->device = own;
  const tsr_status st = check_prepares(call);
  if (call->device == NULL || st != TSR_OK) return st;
  if ((call->info->flags & TSR__OP_ANY_DEVICE) != 0) return choose_any_device(call, seen);
  call->home = call->device;
  if (seen->device != 0 && !tsr__device_runs(call->device)) return refuse_memory(call, seen->device, call->device);
  if (seen->host == 0 || tsr__device_takes_host(call->device)) return TSR_OK;
  if (seen->device == 0) return refuse_devices(call, seen->host, "the host", 0, call->device->name);
  return refuse_devices(call, seen->device, call->device->name, seen->host, "the host");
}
#else
static tsr_status choose_device(tsr__call *call, const operands *seen) {
  if (seen->device != 0) call->home = home_of(call);
  return check_prepares(call);
}
#endif

/* ---- the end ---- */

enum { GIVEN = 0, EMPTY = 1, DESCRIBED = 2, ROW_MAJOR = 3 /* described without strides */ };

#if !TSR_PACKED_CALLS
/* An output as it was before it got its memory. */
static void undo(tsr_tensor *out, int had) {
  if (had == EMPTY) {
    tsr_release(out);
    *out = (tsr_tensor){0}; /* also what a release leaves past the rank */
    return;
  }
  if ((out->flags & TSR_OWNS) != 0) tsr_storage_release(out->storage);
  out->flags &= (uint8_t)~TSR_OWNS;
  out->storage = NULL;
  out->data = NULL;
  for (int i = 0; i < out->ndim && had == ROW_MAJOR; i++) out->stride[i] = 0;
}

static TSR__COLD void undo_all(const tsr__call *call) {
  for (int k = 0; k < call->outputs && k < TSR__CALL_OUTPUTS; k++)
    if (call->had[k] != GIVEN) undo(call->out[k], call->had[k]);
}
#endif

#if TSR__HAVE_OFFLOAD
/* What a dry run found: scratch memory that may lie anywhere. */
static TSR__COLD void tell_scratch(const tsr__call *call) {
  tsr_ctx *const ctx = tsr__ctx(call->ctx);
  const size_t needed = tsr__with_slack(call->scratch_bytes);
  if (ctx->scratch_needed < needed) ctx->scratch_needed = needed;
}
#endif

static inline tsr_status end(tsr__call *call, tsr_status st) {
  while (call->scratches > 0) tsr__scratch_put(&call->scratch[--call->scratches]);
  if (st == TSR_OK) return TSR_OK;
#if TSR__HAVE_OFFLOAD
  if (st == TSR__STOP) {
    if (tsr__is_dry(call->device)) tell_scratch(call);
    return TSR_OK;
  }
#endif
#if !TSR_PACKED_CALLS
  undo_all(call);
#endif
  return st;
}

static inline tsr_status run_call(tsr__call *call) {
  tsr__scratch scratch[TSR__CALL_SCRATCH]; /* not in the call, which every function fills with zeros first */
  call->scratch = scratch;
  return end(call, call->info->run(call));
}

/* ---- normalising ---- */

#if !TSR_PACKED_CALLS
enum { FEW = 12 }; /* operands that need no memory of the heap for it */

static tsr_status run_on(tsr__call *call, const tsr_tensor **in, tsr_tensor **out, tsr_tensor *room) {
  for (int k = 0; k < call->inputs; k++) in[k] = tsr__normalised(call->in[k], room++);
  for (int k = 0; k < call->outputs; k++) out[k] = tsr__normalised(call->out[k], room++);
  call->in = in;
  call->out = out;
  return run_call(call);
}

static TSR__COLD tsr_status run_normalised(tsr__call *call) {
  const size_t all = (size_t)call->inputs + (size_t)call->outputs;
  if (all <= FEW) {
    const tsr_tensor *in[FEW];
    tsr_tensor *out[FEW], room[FEW];
    return run_on(call, in, out, room);
  }
  tsr__scratch scratch;
  tsr_status st = tsr__scratch_get(call->ctx, call->op, all * (sizeof(tsr_tensor) + 2 * sizeof(void *)), &scratch);
  if (st != TSR_OK) return st;
  tsr_tensor *const room = scratch.data;
  tsr_tensor **const out = (tsr_tensor **)(void *)(room + all);
  st = run_on(call, (const tsr_tensor **)(void *)(out + call->outputs), out, room);
  tsr__scratch_put(&scratch);
  return st;
}
#endif

#if TSR_PACKED_CALLS
static TSR__COLD tsr_status refuse_operand(const tsr__call *call, int number, const tsr_tensor *t) {
  const tsr_status st = t == NULL                                            ? TSR_EARG
                        : t->dtype == TSR_NONE || t->data == NULL            ? TSR_ESTATE
                        : t->storage != NULL && !t->storage->device->is_host ? TSR_EDEVICE
                                                                             : TSR_ESTRIDE;
  return TSR__FAIL(call->ctx, st, call->op, name_of(call, number),
                   "is no packed tensor of the host with memory, which this build takes alone");
}

/* Outputs are looked at when the result is known. */
static tsr_status run_untraced(tsr__call *call) {
  const tsr__operand_info *at = call->info->operands;
  for (int k = 0; k < call->inputs; k++) {
    const tsr_tensor *const t = call->in[k];
    const int flags = at->flags;
    if ((flags & TSR__OPERAND_MANY) == 0) at++;
    if (t == NULL && (flags & TSR__OPERAND_OPTIONAL) != 0) continue;
    if (!tsr__is_given_packed(t) || (t->storage != NULL && !t->storage->device->is_host))
      return refuse_operand(call, k + 1, t);
  }
  const tsr_status st = check_prepares(call);
  return st == TSR_OK ? run_call(call) : st;
}
#else
static inline tsr_status run_untraced(tsr__call *call) {
  operands seen = {0};
  tsr_status st = see_inputs(call, &seen);
  if (st == TSR_OK) st = see_outputs(call, &seen);
  if (st == TSR_OK && (seen.device != 0 || !tsr__is_plain_context(call->ctx))) st = choose_device(call, &seen);
  if (st != TSR_OK) return st;
  return seen.odd ? run_normalised(call) : run_call(call);
}
#endif

#if TSR__HAVE_OFFLOAD
static TSR__COLD tsr_status run_traced(tsr__call *call) {
  tsr_trace_event event = {.size = sizeof event,
                           .op = call->op,
                           .inputs = call->inputs,
                           .outputs = call->outputs,
                           .in = call->in,
                           .out = call->out}; /* as the caller gave them: normalised ones are gone after the call */
  const double began = tsr__seconds();
  event.status = run_untraced(call);
  event.seconds = tsr__seconds_since(began);
  event.device = call->device;
  call->ctx->trace(call->ctx->trace_user, &event);
  return event.status;
}

/* What the call makes goes to the open scope. Calls that the op makes are its own: meanwhile there is none. */
static TSR__COLD tsr_status run_scoped(tsr__call *call) {
  enum { MOST = 64 }; /* outputs; of more, those behind stay the caller's */
  tsr_ctx *const ctx = call->ctx;
  tsr_tensor *const *const out = call->out;
  const int outputs = call->outputs < MOST ? call->outputs : MOST;
  uint64_t fresh = 0;
  for (int k = 0; k < outputs; k++)
    if (out[k] != NULL && out[k]->data == NULL) fresh |= (uint64_t)1 << k;
  tsr_status st = tsr__scope_reserve(ctx, call->op, outputs);
  if (st != TSR_OK) return st;
  struct tsr_scope *const scope = tsr__scope_pause(ctx);
  st = tsr__call_run(call);
  tsr__scope_resume(ctx, scope);
  for (int k = 0; k < outputs && st == TSR_OK; k++)
    if ((fresh >> k & 1) != 0) tsr__scope_take(ctx, out[k]);
  return st;
}

/* An inner frame is a part of its op: nobody is told of it. */
tsr_status tsr__call_run(tsr__call *call) {
  const bool traced = call->ctx != NULL && call->ctx->trace != NULL && call->info->name[0] != '\0';
  if (call->ctx != NULL && call->ctx->scope != NULL) return run_scoped(call);
  return traced ? run_traced(call) : run_untraced(call);
}

tsr_status tsr__call_run_seen(tsr__call *call) {
  return tsr__is_plain_context(call->ctx) ? run_call(call) : tsr__call_run(call);
}
#else
tsr_status tsr__call_run(tsr__call *call) { return run_untraced(call); }
#endif

tsr_status tsr__call_op(tsr_ctx *ctx, const tsr__op_info *info, const void *attrs, const tsr_tensor *const *in,
                        tsr_tensor *const *out) {
#if TSR_HAVE_MALLOC
  return tsr__call_run(&(tsr__call){.ctx = ctx,
                                    .info = info,
                                    .op = info->name,
                                    .attrs = attrs,
                                    .in = in,
                                    .out = out,
                                    .inputs = info->inputs,
                                    .outputs = info->outputs});
#else
  tsr__call call; /* field by field: small machines clear memory byte by byte */
  call.ctx = ctx;
  call.info = info;
  call.op = info->name;
  call.attrs = attrs;
  call.in = in;
  call.out = out;
  call.inputs = info->inputs;
  call.outputs = info->outputs;
  call.scratches = 0;
  call.device = call.home = NULL;
  for (int k = 0; k < TSR__CALL_OUTPUTS; k++) {
    call.result[k] = NULL;
    call.had[k] = GIVEN;
  }
#if TSR_HAVE_OPS
  call.scratch_bytes = 0;
  call.listener = NULL;
#endif
  return tsr__call_run(&call);
#endif
}

tsr_status tsr__call_many(tsr_ctx *ctx, const tsr__op_info *info, const void *attrs, int n, const tsr_tensor *const *in,
                          tsr_tensor *out) {
  return tsr__call_run(&(tsr__call){.ctx = ctx,
                                    .info = info,
                                    .op = info->name,
                                    .attrs = attrs,
                                    .in = in,
                                    .inputs = n,
                                    .out = &(tsr_tensor *const){out},
                                    .outputs = 1});
}

/* ---- outputs ---- */

#if TSR_PACKED_CALLS
static TSR__COLD tsr_status refuse_output(const tsr__call *call, int k, const tsr__result *result) {
  const tsr_tensor *const out = call->out[k];
  if (!tsr__is_given_packed(out)) return refuse_operand(call, -k - 1, out);
  const tsr_status st = out->dtype != result->dtype                              ? TSR_EDTYPE
                        : (out->flags & TSR_READONLY) != 0                       ? TSR_EREADONLY
                        : out->storage != NULL && !out->storage->device->is_host ? TSR_EDEVICE
                                                                                 : TSR_ESHAPE;
  return TSR__FAIL(call->ctx, st, call->op, tsr__call_output_name(call, k), "is %t: the result is %y %S", out,
                   result->dtype, result->ndim, result->shape);
}
#endif

tsr_status tsr__call_output(tsr__call *call, int k, const tsr__result *result) {
  const tsr_tensor *const out = call->out[k];
  if (out == NULL && (call->info->operands[call->info->inputs + k].flags & TSR__OPERAND_OPTIONAL) != 0) return TSR_OK;
  call->result[k] = result;
#if TSR_PACKED_CALLS
  if (out != NULL && tsr__is_usual_output(result, out)) return TSR_OK;
  return refuse_output(call, k, result);
#endif
  return tsr__output_check_on(call->ctx, call->op, tsr__call_output_name(call, k), call->home, result, out);
}

#if !TSR_PACKED_CALLS
static int state_of(const tsr_tensor *out) {
  if (out->data != NULL) return GIVEN;
  if (out->dtype == TSR_NONE) return EMPTY;
  if (tsr__has_no_elements(out)) return GIVEN;
  for (int i = 0; i < out->ndim; i++)
    if (out->stride[i] != 0) return DESCRIBED;
  return ROW_MAJOR;
}

static tsr_status allocate(tsr__call *call, int k) {
  tsr_tensor *const out = call->out[k];
  const int had = state_of(out);
  const tsr_status st = had == GIVEN ? TSR_OK : tsr__output_on(call->ctx, call->op, call->home, call->result[k], out);
  if (st == TSR_OK) call->had[k] = (uint8_t)had;
  return st;
}

static inline tsr_status allocate_all(tsr__call *call) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < call->outputs && k < TSR__CALL_OUTPUTS && st == TSR_OK; k++)
    if (call->result[k] != NULL) st = allocate(call, k);
  return st;
}
#endif

/* ---- another device ---- */

#if TSR_PACKED_CALLS
tsr_status tsr__call_outputs(tsr__call *call) {
  (void)call; /* they have their memory */
  return TSR_OK;
}
#elif TSR__HAVE_OFFLOAD
static tsr_status refuse_op(const tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EDEVICE, call->op, NULL,
                   "%s does not compute it; copy its operands to the host first", call->device->name);
}

static tsr_status refuse_size(const tsr__call *call) {
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "the size of its result depends on data");
}

/* What went wrong in prepare or run: the device's own words, or ours. */
static TSR__COLD tsr_status refuse_work(const tsr__call *call, tsr_status st, const char *what) {
  const tsr_device *const device = call->device;
  return TSR__DEVICE_HAS(device, reports) ? st : TSR__FAIL(call->ctx, st, call->op, NULL, "%s %s", device->name, what);
}

/* Before outputs have memory a device sees what they will be. One whose size depends on data is empty. */
static tsr_status prepare(const tsr__call *call, tsr_work work, void **prepared) {
  const tsr_device *const device = call->device;
  tsr_tensor described[TSR__CALL_OUTPUTS], *out[TSR__CALL_OUTPUTS];
  if (device->prepare == NULL) return TSR_OK;
  for (int k = 0; k < call->outputs && k < TSR__CALL_OUTPUTS; k++) {
    out[k] = call->out[k];
    if (call->result[k] == NULL || out[k]->data != NULL) continue;
    tsr__output_describe(call->result[k], call->out[k], &described[k]);
    out[k] = &described[k];
  }
  if (call->outputs <= TSR__CALL_OUTPUTS) work.out = out;
  return device->prepare(device->self, &work, prepared);
}

static TSR__COLD tsr_status offload(tsr__call *call) {
  const tsr_device *const device = call->device;
  tsr_work work = {.size = sizeof work,
                   .op = call->op,
                   .inputs = call->inputs,
                   .outputs = call->outputs,
                   .in = call->in,
                   .out = call->out,
                   .attrs = call->attrs,
                   .info = call->info,
                   .ctx = tsr__ctx(call->ctx)};
  void *prepared = NULL;
  /* One that reports says so itself, and need not look the name up in every call. */
  if (!TSR__DEVICE_HAS(device, reports) && !tsr__device_computes(device, call->op)) return refuse_op(call);
  tsr_status st = tsr__device_queue(call->ctx, call->op, device, &work.queue);
  if (st != TSR_OK) return st;
  st = prepare(call, work, &prepared);
  if (st != TSR_OK) return refuse_work(call, st, "cannot do it");
  st = allocate_all(call);
  const tsr_status ran = device->run(device->self, st == TSR_OK ? &work : NULL, prepared);
  if (st != TSR_OK) return st;
  return ran == TSR_OK ? TSR__STOP : refuse_work(call, ran, "failed");
}

tsr_status tsr__call_outputs(tsr__call *call) {
  if (call->device == NULL) return allocate_all(call);
  if ((call->info->flags & TSR__OP_DATA_SIZED) != 0 && tsr__device_defers(call->device)) return refuse_size(call);
  return tsr__is_dry(call->device) ? allocate_all(call) : offload(call);
}
#else
tsr_status tsr__call_outputs(tsr__call *call) { return allocate_all(call); }
#endif

/* Nearly every output of the host is empty, or given contiguous: neither needs another question. */
tsr_status tsr__call_result(tsr__call *call, const tsr__result *result) {
  tsr_tensor *const out = call->out[0];
  if (!TSR_PACKED_CALLS && TSR__FAST_PATHS && call->device == NULL && call->home == NULL && out != NULL) {
    if (out->dtype == TSR_NONE && out->data == NULL) {
      const tsr_status st = tsr__output_fresh(call->ctx, call->op, result, out);
      if (st == TSR_OK) call->had[0] = EMPTY;
      return st;
    }
    if (tsr__is_usual_output(result, out)) return TSR_OK;
  }
  const tsr_status st = tsr__call_output(call, 0, result);
  return st == TSR_OK ? tsr__call_outputs(call) : st;
}

/* ---- scratch ---- */

tsr_status tsr__call_scratch(tsr__call *call, size_t bytes, void **memory) {
  if (TSR_HAVE_MALLOC && call->scratches == TSR__CALL_SCRATCH) /* an op's mistake, which every test of it finds */
    return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "takes scratch memory more than %d times",
                     TSR__CALL_SCRATCH);
  tsr__scratch *const scratch = &call->scratch[call->scratches];
  tsr__call_may_take(call, bytes);
#if TSR__HAVE_OFFLOAD
  if (call->device != NULL) return tsr__dry.alloc(tsr__dry.self, bytes, TSR_DATA_ALIGN, 0, memory);
#endif
  const tsr_status st = tsr__scratch_get(call->ctx, call->op, bytes, scratch);
  if (st != TSR_OK) return st;
  call->scratches++;
  *memory = scratch->data;
  return TSR_OK;
}
