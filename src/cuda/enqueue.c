/* A call: planned by its engine, then ordered behind other queues and launched. */
#include "cuda/engine.h"
#include "cuda/gpu.h"

#include <string.h>

/* ---- which engine ---- */

/* Rows of ops by the address of what the library knows of each, so that no name is compared again. */
enum { SEEN = 1024 };
typedef struct seen_op {
  const void *info;
  const tsr__cuda_op *op;
} seen_op;

static const tsr__cuda_op *find_op(const tsr_work *work) {
  static seen_op *seen[SEEN]; /* atomic; for all GPUs */
  const uintptr_t at = ((uintptr_t)work->info >> 4) % SEEN;
  const seen_op *const known = __atomic_load_n(&seen[at], __ATOMIC_ACQUIRE);
  if (known != NULL && known->info == work->info) return known->op;
  const tsr__cuda_op *const op = tsr__cuda_op_find(work->op);
  if (known == NULL && op != NULL) {
    seen_op *fresh = tsr__cuda_host_new(sizeof *fresh), *none = NULL;
    if (fresh == NULL) return op;
    *fresh = (seen_op){work->info, op};
    if (!__atomic_compare_exchange_n(&seen[at], &none, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      tsr__cuda_host_free(fresh, sizeof *fresh);
  }
  return op;
}

tsr_status tsr__cuda_prepare(void *self, const tsr_work *work, void **prepared) {
  tsr__cuda *const gpu = self;
  tsr__cuda_call_key key;
  const bool is_keyed = tsr__cuda_key_of(work, &key);
  *prepared = is_keyed ? tsr__cuda_plan_recall(gpu, &key) : NULL;
  if (*prepared != NULL) return TSR_OK;
  const tsr__cuda_op *const op = find_op(work);
  if (op == NULL)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, NULL,
                     "%s does not compute it; copy its operands to the host first", gpu->name);
  tsr__cuda_plan *const plan = tsr__cuda_plan_take(gpu);
  if (plan == NULL) return TSR__FAIL(work->ctx, TSR_ENOMEM, work->op, NULL, "no memory for a plan");
  tsr_status st = op->prepare(gpu, op, work, plan);
  if (st == TSR_OK && plan->status != TSR_OK)
    st = TSR__FAIL(work->ctx, plan->status, work->op, NULL, "no memory for its plan");
  if (st != TSR_OK) {
    tsr__cuda_plan_put(gpu, plan);
    return st;
  }
  if (is_keyed) tsr__cuda_plan_name(plan, &key);
  *prepared = plan;
  return TSR_OK;
}

/* ---- steps ---- */

static CUdeviceptr resolve(const tsr__cuda_target *target, const tsr__cuda_ref *ref) {
  const char *base = NULL;
  switch (ref->place) {
    case TSR__CUDA_IN: base = target->work->in[ref->operand]->data; break;
    case TSR__CUDA_OUT: base = target->work->out[ref->operand]->data; break;
    case TSR__CUDA_SCRATCH: return target->scratch + (CUdeviceptr)ref->offset;
  }
  return (CUdeviceptr)(uintptr_t)base + (CUdeviceptr)ref->offset;
}

static void set_addresses(const tsr__cuda_plan *plan, const tsr__cuda_target *target) {
  const tsr__cuda_address *const addresses = plan->addresses.items;
  const tsr__cuda_planned_fault *const faults = plan->faults.items;
  for (size_t i = 0; i < plan->addresses.count; i++) {
    const CUdeviceptr at = resolve(target, &addresses[i].ref);
    memcpy(tsr__cuda_plan_args(plan, addresses[i].at), &at, sizeof at);
  }
  for (size_t i = 0; i < plan->faults.count; i++)
    memcpy(tsr__cuda_plan_args(plan, faults[i].at), &target->faults[i], sizeof target->faults[i]);
}

static tsr_status enqueue_step(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, tsr__cuda_queue *queue,
                               const tsr__cuda_plan *plan, const tsr__cuda_step *step) {
  void *const args = tsr__cuda_plan_args(plan, step->args);
  CUdeviceptr at[2] = {0, 0};
  if (step->kind == TSR__CUDA_LAUNCH) {
    void *parameters[] = {args};
    const tsr__cuda_grid grid = step->of.launch.grid;
    const CUresult r =
        gpu->api->cuLaunchKernel(step->of.launch.kernel->function, grid.x, grid.y, grid.z, step->of.launch.threads, 1,
                                 1, step->of.launch.shared, queue->stream, parameters, NULL);
    return r == CUDA_SUCCESS ? TSR_OK : tsr__cuda_check(gpu, ctx, op, r, "launch a kernel");
  }
  if (step->kind == TSR__CUDA_CALL) return step->of.call(gpu, ctx, queue, args);
  memcpy(at, args, step->kind == TSR__CUDA_COPY ? sizeof at : sizeof at[0]);
  const CUresult r =
      step->kind == TSR__CUDA_COPY
          ? gpu->api->cuMemcpyDtoDAsync(at[0], at[1], step->of.move.bytes, queue->stream)
          : gpu->api->cuMemsetD8Async(at[0], (unsigned char)step->of.move.value, step->of.move.bytes, queue->stream);
  return tsr__cuda_check(gpu, ctx, op, r, "copy or set memory");
}

tsr_status tsr__cuda_plan_enqueue(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr__cuda_plan *plan,
                                  const tsr__cuda_target *target, size_t first, size_t end) {
  tsr_status st = TSR_OK;
  set_addresses(plan, target);
  for (size_t i = first; i < end && st == TSR_OK; i++)
    st = enqueue_step(gpu, ctx, target->work->op, queue, plan, tsr__cuda_plan_step(plan, i));
  return st;
}

/* ---- a call ---- */

/* Behind whoever used the operands. The queue's lock is held. */
static CUresult order_operands(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_queue *queue, uint64_t ticket) {
  CUresult r = CUDA_SUCCESS;
  (void)pthread_mutex_lock(&gpu->lock);
  for (int i = 0; i < work->inputs && r == CUDA_SUCCESS; i++) {
    tsr__cuda_block *const block = work->in[i] != NULL ? tsr_storage_memory(work->in[i]->storage) : NULL;
    if (block != NULL) r = tsr__cuda_block_use(block, queue, ticket, false);
  }
  for (int i = 0; i < work->outputs && r == CUDA_SUCCESS; i++) {
    tsr__cuda_block *const block = work->out[i] != NULL ? tsr_storage_memory(work->out[i]->storage) : NULL;
    if (block != NULL) r = tsr__cuda_block_use(block, queue, ticket, true);
  }
  (void)pthread_mutex_unlock(&gpu->lock);
  return r;
}

CUresult tsr__cuda_plan_constants(const tsr__cuda *gpu, const tsr__cuda_queue *queue, const tsr__cuda_plan *plan,
                                  CUdeviceptr scratch) {
  CUresult r = CUDA_SUCCESS;
  for (size_t at = 0; at < plan->constants.count && r == CUDA_SUCCESS;) {
    const char *const from = (const char *)plan->constants.items + at;
    size_t head[2];
    memcpy(head, from, sizeof head);
    r = gpu->api->cuMemcpyHtoDAsync(scratch + head[0], from + sizeof head, head[1], queue->stream);
    at += sizeof head + tsr__align_up(head[1], sizeof(size_t));
  }
  return r;
}

tsr_status tsr__cuda_plan_faults(tsr_ctx *ctx, tsr__cuda_queue *queue, const tsr__cuda_plan *plan, const char *op,
                                 uint64_t ticket, tsr__cuda_fault_args *args) {
  const tsr__cuda_planned_fault *const faults = plan->faults.items;
  tsr_status st = TSR_OK;
  if (plan->faults.count > TSR__CUDA_PLAN_FAULTS)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "checks too many arguments");
  for (size_t i = 0; i < plan->faults.count && st == TSR_OK; i++)
    st = tsr__cuda_fault_take(
        queue, ctx, &(tsr__cuda_fault){op, faults[i].argument, faults[i].what, faults[i].status, ticket}, &args[i]);
  return st;
}

/* A call on its way. */
typedef struct running {
  tsr__cuda *gpu;
  const tsr__cuda_plan *plan;
  tsr__cuda_queue *queue;
  tsr__cuda_fault_args faults[TSR__CUDA_PLAN_FAULTS];
  tsr__cuda_target target;
  uint64_t ticket; /* of what was enqueued last */
} running;

/* The queue's lock is held. */
static tsr_status begin_locked(running *r) {
  const tsr_work *const work = r->target.work;
  const tsr_status st = tsr__cuda_plan_faults(work->ctx, r->queue, r->plan, work->op, r->ticket, r->faults);
  if (st != TSR_OK || r->plan->constants.count == 0) return st;
  const CUresult result = tsr__cuda_plan_constants(r->gpu, r->queue, r->plan, r->target.scratch);
  return tsr__cuda_check(r->gpu, work->ctx, work->op, result, "order its work");
}

/* The steps from first to before end, with one ticket. */
static tsr_status run_steps(running *r, size_t first, size_t end) {
  const tsr_work *const work = r->target.work;
  tsr_status st = TSR_OK;
  r->ticket = tsr__cuda_queue_begin(r->queue);
  if (first == 0) st = begin_locked(r);
  if (st == TSR_OK)
    st = tsr__cuda_check(r->gpu, work->ctx, work->op, order_operands(r->gpu, work, r->queue, r->ticket),
                         "order its work");
  if (st == TSR_OK) st = tsr__cuda_plan_enqueue(r->gpu, work->ctx, r->queue, r->plan, &r->target, first, end);
  tsr__cuda_queue_end(r->queue);
  return st;
}

/* Outputs whose size is known when the first steps are done. */
static tsr_status run_sized(running *r) {
  tsr__cuda_given given;
  tsr_status st = run_steps(r, 0, r->plan->first);
  if (st == TSR_OK) st = tsr__cuda_size_outputs(r->gpu, r->target.work, r->queue, r->plan, r->target.scratch, &given);
  if (st != TSR_OK || r->plan->first == r->plan->steps.count) return st;
  st = run_steps(r, r->plan->first, r->plan->steps.count);
  if (st != TSR_OK) tsr__cuda_unsize_outputs(r->target.work, &given);
  return st;
}

static tsr_status run_plan(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_plan *plan) {
  running r = {.gpu = gpu, .plan = plan, .queue = tsr__cuda_queue_of(gpu, work->queue)};
  tsr__cuda_block *scratch = NULL;
  tsr_status st = TSR_OK;
  if (plan->scratch > 0) st = tsr__cuda_memory_take(&gpu->memory, work->ctx, r.queue, plan->scratch, &scratch);
  if (st != TSR_OK) return tsr__fail_as(work->ctx, st, work->op);
  r.target = (tsr__cuda_target){work, scratch != NULL ? (CUdeviceptr)scratch->address : 0, r.faults};
  st = plan->sized != NULL ? run_sized(&r) : run_steps(&r, 0, plan->steps.count);
  if (scratch != NULL) {
    scratch->uses.at[0].any = scratch->uses.at[0].write = r.ticket; /* nobody else has it */
    tsr__cuda_memory_give(scratch);
  }
  return st;
}

static tsr_status run_inside(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_plan *plan) {
  tsr__cuda_scope scope;
  tsr_status st = tsr__cuda_enter(gpu, work->ctx, work->op, &scope);
  if (st != TSR_OK) return st;
  st = run_plan(gpu, work, plan);
  tsr__cuda_leave(gpu, scope);
  return st;
}

tsr_status tsr__cuda_run(void *self, const tsr_work *work, void *prepared) {
  tsr__cuda *const gpu = self;
  tsr__cuda_plan *const plan = prepared;
  const tsr_status st = work != NULL && plan->steps.count > 0 ? run_inside(gpu, work, plan) : TSR_OK;
  tsr__cuda_plan_put(gpu, plan);
  return st;
}
