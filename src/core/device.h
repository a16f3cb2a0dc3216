/* What the library asks of a device's table, and the device without memory. */
#ifndef TSR_CORE_DEVICE_H
#define TSR_CORE_DEVICE_H

#include "core/fail.h"

#include <tessera/device.h>
#include <tessera/queue.h>

/* Whether anybody but the host can do a call: where ops by name are configured out, as on microcontrollers, nobody can, and
 * there is no code for it; devices are memory there. */
#define TSR__HAVE_OFFLOAD TSR_HAVE_OPS

/* A table may be older than the library, and shorter: what is past its size is not there. The size of a pointer is meant. */
#define TSR__DEVICE_HAS(device, field)                                                                                 \
  ((device)->size >= offsetof(tsr_device, field) + sizeof((device)->field) /* NOLINT(bugprone-sizeof-expression) */ && \
   (device)->field)

static inline bool tsr__device_runs(const tsr_device *device) {
  return TSR__HAVE_OFFLOAD && TSR__DEVICE_HAS(device, run);
}
static inline bool tsr__device_computes(const tsr_device *device, const char *op) {
  return tsr__device_runs(device) && (!TSR__DEVICE_HAS(device, has) || device->has(device->self, op));
}
static inline bool tsr__device_takes_host(const tsr_device *device) { return TSR__DEVICE_HAS(device, takes_host); }
static inline bool tsr__device_defers(const tsr_device *device) { return TSR__DEVICE_HAS(device, defers); }

#if TSR__HAVE_OFFLOAD
static inline bool tsr__device_takes(const tsr_device *device, const tsr_device *other) {
  return TSR__DEVICE_HAS(device, takes) && device->takes == other;
}

/* The queue of the context; NULL: the device's default one. TSR_EDEVICE: it is another device's. */
tsr_status tsr__device_queue(tsr_ctx *ctx, const char *op, const tsr_device *device, tsr_queue **queue);

/* Bytes between the host and a device, or within one, or between two of a kind: by its queues, or its table. The op's name and
 * the queue are filled in here. */
tsr_status tsr__device_transfer(tsr_ctx *ctx, const char *op, const tsr_device *device, tsr_transfer *transfer);
#endif

/* The device of dry runs: its memory are addresses that nobody may use. */
extern const tsr_device tsr__dry;

/* A context as ctx, or the default one, for calls on it. */
tsr_ctx tsr__dry_context(const tsr_ctx *ctx);

/* So many bytes of aligned scratch memory as bytes that may lie anywhere, which is what contexts are given; and back. */
static inline size_t tsr__with_slack(size_t bytes) {
  return bytes == 0 || bytes > SIZE_MAX - TSR_DATA_ALIGN ? bytes : bytes + (TSR_DATA_ALIGN - 1);
}
static inline size_t tsr__without_slack(size_t bytes) { return bytes == 0 ? 0 : bytes - (TSR_DATA_ALIGN - 1); }

static inline bool tsr__is_dry(const tsr_device *device) { return TSR__HAVE_OFFLOAD && device == &tsr__dry; }

/* Seconds of a clock that only goes forward; 0 where there is none. */
double tsr__seconds(void);
double tsr__seconds_since(double began);

#endif
