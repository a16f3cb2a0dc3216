#include "cuda/gpu.h"

#include <string.h>

/* ---- lists ---- */

/* Room for count more items; NULL, and the plan is void. */
static void *list_add(tsr__cuda_plan *plan, tsr__cuda_list *list, size_t count, size_t item) {
  if (count > list->capacity - list->count) {
    size_t capacity = list->capacity > 0 ? 2 * list->capacity : 1024 / item;
    while (capacity < list->count + count) capacity *= 2;
    void *const items = tsr__cuda_host_new(capacity * item);
    if (items == NULL) {
      plan->status = TSR_ENOMEM;
      return NULL;
    }
    if (list->count > 0) memcpy(items, list->items, list->count * item);
    tsr__cuda_host_free(list->items, list->capacity * item);
    list->items = items;
    list->capacity = capacity;
  }
  void *const at = (char *)list->items + list->count * item;
  list->count += count;
  return at;
}

/* ---- plans that are free ---- */

void tsr__cuda_plans_init(tsr__cuda_plans *plans) { (void)pthread_mutex_init(&plans->lock, NULL); }

tsr__cuda_plan *tsr__cuda_plan_take(tsr__cuda *gpu) {
  (void)pthread_mutex_lock(&gpu->plans.lock);
  tsr__cuda_plan *plan = gpu->plans.free;
  if (plan != NULL) gpu->plans.free = plan->next;
  (void)pthread_mutex_unlock(&gpu->plans.lock);
  if (plan == NULL) plan = tsr__cuda_host_new(sizeof *plan);
  if (plan == NULL) return NULL;
  plan->status = TSR_OK;
  plan->steps.count = plan->args.count = plan->addresses.count = plan->faults.count = plan->constants.count = 0;
  plan->scratch = 0;
  plan->sized = NULL;
  plan->key.words = 0;
  return plan;
}

void tsr__cuda_plan_put(tsr__cuda *gpu, tsr__cuda_plan *plan) {
  if (plan != NULL && plan->key.words > 0) plan = tsr__cuda_plan_keep(gpu, plan);
  if (plan == NULL) return;
  (void)pthread_mutex_lock(&gpu->plans.lock);
  plan->next = gpu->plans.free;
  gpu->plans.free = plan;
  (void)pthread_mutex_unlock(&gpu->plans.lock);
}

/* ---- steps ---- */

enum { ARGS_ALIGN = 16, SCRATCH_ALIGN = 256 };

static tsr__cuda_step *add_step(tsr__cuda_plan *plan, tsr__cuda_step_kind kind, const void *args, size_t bytes) {
  tsr__cuda_step *const step = list_add(plan, &plan->steps, 1, sizeof *step);
  char *const at = list_add(plan, &plan->args, tsr__align_up(bytes, ARGS_ALIGN), 1);
  if (step == NULL || at == NULL) return NULL;
  if (bytes > 0) memcpy(at, args, bytes);
  *step = (tsr__cuda_step){.kind = kind, .args = (size_t)(at - (char *)plan->args.items)};
  return step;
}

void tsr__cuda_plan_launch(tsr__cuda_plan *plan, const tsr__cuda_kernel *kernel, tsr__cuda_grid grid, unsigned threads,
                           unsigned shared, const void *args, size_t bytes) {
  tsr__cuda_step *const step = add_step(plan, TSR__CUDA_LAUNCH, args, bytes);
  if (step == NULL) return;
  step->of.launch.kernel = kernel;
  step->of.launch.grid = grid;
  step->of.launch.threads = threads;
  step->of.launch.shared = shared;
}

/* Where the arguments of the last step begin. */
static size_t last_args(const tsr__cuda_plan *plan) {
  return plan->steps.count > 0 ? tsr__cuda_plan_step(plan, plan->steps.count - 1)->args : 0;
}

void tsr__cuda_plan_address(tsr__cuda_plan *plan, size_t at, tsr__cuda_ref ref) {
  tsr__cuda_address *const address = list_add(plan, &plan->addresses, 1, sizeof *address);
  if (address != NULL) *address = (tsr__cuda_address){last_args(plan) + at, ref};
}

void tsr__cuda_plan_fault_as(tsr__cuda_plan *plan, size_t at, const char *argument, tsr_status status,
                             const char *what) {
  tsr__cuda_planned_fault *const fault = list_add(plan, &plan->faults, 1, sizeof *fault);
  if (fault != NULL) *fault = (tsr__cuda_planned_fault){last_args(plan) + at, argument, what, status};
}

void tsr__cuda_plan_fault(tsr__cuda_plan *plan, size_t at, const char *argument) {
  tsr__cuda_plan_fault_as(plan, at, argument, TSR_EINDEX, "an element out of range");
}

void tsr__cuda_plan_set(tsr__cuda_plan *plan, tsr__cuda_ref to, int value, size_t bytes) {
  const CUdeviceptr none = 0;
  tsr__cuda_step *const step = add_step(plan, TSR__CUDA_SET, &none, sizeof none);
  if (step == NULL) return;
  step->of.move.bytes = bytes;
  step->of.move.value = value;
  tsr__cuda_plan_address(plan, 0, to);
}

void tsr__cuda_plan_copy(tsr__cuda_plan *plan, tsr__cuda_ref to, tsr__cuda_ref from, size_t bytes) {
  const CUdeviceptr none[2] = {0, 0};
  tsr__cuda_step *const step = add_step(plan, TSR__CUDA_COPY, none, sizeof none);
  if (step == NULL) return;
  step->of.move.bytes = bytes;
  tsr__cuda_plan_address(plan, 0, to);
  tsr__cuda_plan_address(plan, sizeof none[0], from);
}

void tsr__cuda_plan_call(tsr__cuda_plan *plan, tsr__cuda_call *call, const void *args, size_t bytes) {
  tsr__cuda_step *const step = add_step(plan, TSR__CUDA_CALL, args, bytes);
  if (step != NULL) step->of.call = call;
}

void tsr__cuda_plan_sized(tsr__cuda_plan *plan, tsr__cuda_ref found, tsr__cuda_sized *sized) {
  plan->sized = sized;
  plan->found = found;
  plan->first = plan->steps.count;
}

/* ---- temporary memory ---- */

size_t tsr__cuda_plan_scratch(tsr__cuda_plan *plan, size_t bytes) {
  const size_t at = tsr__align_up(plan->scratch, SCRATCH_ALIGN);
  if (at > SIZE_MAX / 2 || bytes > SIZE_MAX / 2 - at) {
    plan->status = TSR_ENOMEM;
    return 0;
  }
  plan->scratch = at + bytes;
  return at;
}

/* Constants are anywhere in the scratch memory: each remembers its place before its bytes. */
size_t tsr__cuda_plan_constant(tsr__cuda_plan *plan, const void *bytes, size_t count) {
  const size_t at = tsr__cuda_plan_scratch(plan, count);
  const size_t head[2] = {at, count};
  char *const to = list_add(plan, &plan->constants, sizeof head + tsr__align_up(count, sizeof(size_t)), 1);
  if (to == NULL) return 0;
  memcpy(to, head, sizeof head);
  memcpy(to + sizeof head, bytes, count);
  return at;
}
