/* The device of dry runs. */
#include "core/device.h"

#include "core/check.h"

#include <tessera/memory.h>

static tsr_status dry_run(void *self, const tsr_work *work, void *prepared) {
  (void)self, (void)work, (void)prepared;
  return TSR_OK;
}

/* Addresses behind each other, so that two tensors never overlap; from the beginning again when there are no more. */
static tsr_status dry_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  tsr__dry *const dry = self;
  (void)hint;
  if (bytes > SIZE_MAX / 2) return TSR_ENOMEM;
  if (dry->next > SIZE_MAX / 2 - bytes) dry->next = 0;
  dry->next = tsr__align_up(dry->next, align) + align;
  *ptr = (void *)dry->next;
  dry->next += bytes;
  return TSR_OK;
}

static void dry_free(void *self, void *ptr, size_t bytes) { (void)self, (void)ptr, (void)bytes; }

static tsr_status dry_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  (void)self, (void)dst, (void)src, (void)bytes;
  return direction == TSR_COPY_FROM_DEVICE ? TSR_EDEVICE : TSR_OK;
}

static tsr_status dry_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  (void)self, (void)dst, (void)pattern, (void)pattern_bytes, (void)count;
  return TSR_OK;
}

static tsr_status dry_sync(void *self) {
  (void)self;
  return TSR_OK;
}

void tsr__dry_init(tsr__dry *dry) {
  *dry = (tsr__dry){.device = {.size = sizeof(tsr_device), .name = "dry", .alloc = dry_alloc, .free = dry_free,
                               .copy = dry_copy, .fill = dry_fill, .sync = dry_sync, .run = dry_run, .takes_host = true}};
  dry->device.self = dry;
}

bool tsr__is_dry(const tsr_device *device) {
  return device != NULL && tsr__device_runs(device) && device->run == dry_run;
}

void tsr__dry_report(const tsr_device *device, size_t scratch_bytes) {
  tsr__dry *const dry = device->self;
  if (dry->scratch_bytes < scratch_bytes) dry->scratch_bytes = scratch_bytes;
}
