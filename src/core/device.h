/* What the library asks of a device's table, and the device without memory. */
#ifndef TSR_CORE_DEVICE_H
#define TSR_CORE_DEVICE_H

#include "core/fail.h"

#include <tessera/device.h>

/* A table may be older than the library, and shorter: what is past its size is not there. */
#define TSR__DEVICE_HAS(device, field) \
  ((device)->size >= offsetof(tsr_device, field) + sizeof((device)->field) && (device)->field)

static inline bool tsr__device_runs(const tsr_device *device) { return TSR__DEVICE_HAS(device, run); }
static inline bool tsr__device_takes_host(const tsr_device *device) { return TSR__DEVICE_HAS(device, takes_host); }

/* ---- the dry run: a device whose memory are addresses that nobody may use ---- */

typedef struct tsr__dry {
  tsr_device device;
  uintptr_t  next;          /* the address of the next tensor */
  size_t     scratch_bytes; /* the most that a call would have taken */
} tsr__dry;

void tsr__dry_init(tsr__dry *dry);
bool tsr__is_dry(const tsr_device *device);

/* A call would have taken so much scratch memory. */
void tsr__dry_report(const tsr_device *device, size_t scratch_bytes);

/* Seconds of a clock that only goes forward; 0 where there is none. */
double tsr__seconds(void);
double tsr__seconds_since(double began);

#endif
