/* What the library finds in this file: how many GPUs there are, and each of them opened. */
#include "core/plugin.h"
#include "cuda/device.h"

enum { MOST_GPUS = 64, MOST_CAPABILITY = 199 };

/* The library holds a lock around these. */
static int gpu_count(tsr_ctx *ctx) {
  int count = 0;
  const tsr__cuda_driver *const api = tsr__cuda_driver_open(ctx, "device_open");
  if (api == NULL) return 0;
  if (api->cuDeviceGetCount(&count) != CUDA_SUCCESS || count <= 0) {
    (void)TSR__FAIL(ctx, TSR_EDEVICE, "device_open", NULL, "NVIDIA's driver is installed, and finds no GPU");
    return 0;
  }
  return count < MOST_GPUS ? count : MOST_GPUS;
}

/* Opens the one of a place, unless it is open: never closed, since tensors may be on it until the end. */
static tsr_status open_once(tsr_ctx *ctx, const tsr__cuda_driver *api, int index, tsr__cuda **place,
                            const tsr_device **device) {
  if (*place == NULL) {
    tsr__cuda *const gpu = tsr__cuda_host_new(sizeof *gpu);
    if (gpu == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, "device_open", NULL, "no memory for a device");
    tsr__cuda_device_init(gpu);
    const tsr_status st = tsr__cuda_open(ctx, api, index, gpu);
    if (st != TSR_OK) {
      tsr__cuda_host_free(gpu, sizeof *gpu);
      return st;
    }
    *place = gpu;
  }
  *device = &(*place)->device;
  return TSR_OK;
}

static tsr_status gpu_open(tsr_ctx *ctx, int index, const tsr_device **device) {
  static tsr__cuda *gpus[MOST_GPUS];
  const tsr__cuda_driver *const api = tsr__cuda_driver_open(ctx, "device_open");
  return api != NULL ? open_once(ctx, api, index, &gpus[index], device) : TSR_EDEVICE;
}

static tsr_status gpu_open_ahead(tsr_ctx *ctx, int capability, const tsr_device **device) {
  static tsr__cuda *gpus[MOST_CAPABILITY + 1];
  if (capability > MOST_CAPABILITY)
    return TSR__FAIL(ctx, TSR_EDEVICE, "device_open", "name", "is cuda:sm_%d, which no compiler knows", capability);
  return open_once(ctx, &tsr__cuda_ahead, capability, &gpus[capability], device);
}

TSR_API const tsr__plugin *tsr_plugin(void);
const tsr__plugin *tsr_plugin(void) {
  static const tsr__plugin plugin = {sizeof plugin, TSR_VERSION_STRING, TSR_ABI_TAG,
                                     gpu_count,     gpu_open,           gpu_open_ahead};
  return &plugin;
}
