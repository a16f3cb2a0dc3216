/* Outputs whose size depends on data: the call waits for what the device found, and they are checked or get memory. */
#include "cuda/gpu.h"

/* Its numbers, of which a device that computes nothing has none. */
static tsr_status wait_for(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_queue *queue, CUdeviceptr from,
                           int64_t *found) {
  if (gpu->is_ahead) return TSR_OK;
  CUresult r = gpu->api->cuMemcpyDtoHAsync(found, from, TSR__CUDA_FOUND * sizeof *found, queue->stream);
  if (r == CUDA_SUCCESS) r = gpu->api->cuStreamSynchronize(queue->stream);
  return tsr__cuda_check(gpu, work->ctx, work->op, r, "find the size of its result");
}

void tsr__cuda_unsize_outputs(const tsr_work *work, const tsr__cuda_given *given) {
  for (int k = 0; k < work->outputs && k < TSR__CALL_OUTPUTS; k++) {
    if ((given->fresh >> k & 1) == 0) continue;
    tsr_release(work->out[k]);
    *work->out[k] = given->was[k];
  }
}

static const char *name_of(const tsr_work *work, int k) {
  const tsr__op_info *const info = work->info;
#if TSR_HAVE_TEXT
  return info->operands[info->inputs + k].name;
#else
  (void)info, (void)k;
  return "out";
#endif
}

static tsr_status give_output(const tsr__cuda *gpu, const tsr_work *work, int k, const tsr__cuda_size *size,
                              tsr__cuda_given *given) {
  tsr_tensor *const out = work->out[k];
  const tsr__result result = {size->dtype, size->layout, size->ndim, size->shape, NULL};
  given->was[k] = *out;
  tsr_status st = tsr__output_check_on(work->ctx, work->op, name_of(work, k), &gpu->device, &result, out);
  if (st != TSR_OK || out->data != NULL) return st;
  st = tsr__output_on(work->ctx, work->op, &gpu->device, &result, out);
  if (st == TSR_OK) given->fresh = (uint8_t)(given->fresh | 1 << k);
  return st;
}

tsr_status tsr__cuda_size_outputs(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_queue *queue,
                                  const tsr__cuda_plan *plan, CUdeviceptr scratch, tsr__cuda_given *given) {
  tsr__cuda_size sizes[TSR__CALL_OUTPUTS];
  int64_t found[TSR__CUDA_FOUND] = {0};
  given->fresh = 0;
  tsr_status st = wait_for(gpu, work, queue, scratch + (CUdeviceptr)plan->found.offset, found);
  if (st == TSR_OK) st = plan->sized(work, found, sizes);
  for (int k = 0; k < work->outputs && k < TSR__CALL_OUTPUTS && st == TSR_OK; k++)
    if (work->out[k] != NULL) st = give_output(gpu, work, k, &sizes[k], given);
  if (st != TSR_OK) tsr__cuda_unsize_outputs(work, given);
  return st;
}
