/* Devices by name, and what numbers are in a tensor, computed on one. */
#ifndef TESSERA_ON_DEVICE_H
#define TESSERA_ON_DEVICE_H

#include "args.h"

/* The device that --device names, NULL where it is not there; false, and reported: there is none of that name. */
bool device_of(tsr_ctx *ctx, const arguments *args, const tsr_device **device);

/* What tsr_summarize gives, of real numbers, with the ops of a device. The mean and the deviation are computed in f64, and may
 * differ in their last digits. */
tsr_status summarize_on(tsr_ctx *ctx, const tsr_device *device, const tsr_tensor *t, tsr_summary *out);

#endif
