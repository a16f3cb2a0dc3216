/* The device of dry runs. */
#include "core/device.h"

#include "core/check.h"

#if TSR__HAVE_OFFLOAD

static tsr_status dry_run(void *self, const tsr_work *work, void *prepared) {
  (void)self, (void)work, (void)prepared;
  return TSR_OK;
}

/* Below it there is room for views that begin at a later element. */
#define LOWEST ((uintptr_t)1 << 24)

/* Addresses behind each other, so that two tensors do not overlap; from the beginning again when there are no more. */
static tsr_status dry_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  static uintptr_t next;
  const uintptr_t room = tsr__align_up(bytes < SIZE_MAX / 4 ? bytes : SIZE_MAX / 4, align) + align;
  (void)self, (void)hint;
#if TSR_HAVE_THREADS
  const uintptr_t at = __atomic_fetch_add(&next, room, __ATOMIC_RELAXED);
#else
  const uintptr_t at = next;
  next += room;
#endif
  *ptr = (void *)(tsr__align_up(at % (SIZE_MAX / 4), align) + LOWEST);
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

const tsr_device tsr__dry = {
    .size = sizeof(tsr_device),
    .name = "dry",
    .alloc = dry_alloc,
    .free = dry_free,
    .copy = dry_copy,
    .fill = dry_fill,
    .sync = dry_sync,
    .run = dry_run,
    .takes_host = true,
    .defers = true,
};

tsr_ctx tsr__dry_context(const tsr_ctx *ctx) {
  tsr_ctx dry = {0};
  if (ctx != NULL) {
    dry.allocator = ctx->allocator;
    dry.parallel = ctx->parallel;
    dry.isa = ctx->isa;
    dry.io_limits = ctx->io_limits;
  }
  dry.device = &tsr__dry;
  dry.private_modes = 1;
  return dry;
}

const tsr_device *tsr_device_dry(void) { return &tsr__dry; }

tsr_status tsr_context_init_dry(const tsr_ctx *like, tsr_ctx *dry) {
  if (dry == NULL) return TSR__FAIL(NULL, TSR_EARG, "context_init_dry", "dry", "is NULL");
  *dry = tsr__dry_context(like);
  return TSR_OK;
}

#endif
