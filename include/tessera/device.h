/** @file device.h
 *  Devices: a table of functions for memory that may not be the host's. */
#ifndef TESSERA_DEVICE_H
#define TESSERA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which way a device copies. */
typedef enum tsr_copy_direction {
  TSR_COPY_TO_DEVICE = 0,   /**< host to device */
  TSR_COPY_FROM_DEVICE = 1, /**< device to host */
  TSR_COPY_WITHIN = 2       /**< inside the device; the ranges may overlap */
} tsr_copy_direction;

/** A device is a table. It must outlive every storage on it. A function that fails returns a status. */
typedef struct tsr_device {
  const char *name;    /**< "cpu", "cuda:0" */
  bool        is_host; /**< the CPU may dereference its pointers */
  tsr_status (*alloc)(void *self, size_t bytes, size_t align, int hint, void **ptr);
  void (*free)(void *self, void *ptr, size_t bytes);
  tsr_status (*copy)(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction);
  /** Writes count copies of the pattern_bytes bytes at pattern (host memory). */
  tsr_status (*fill)(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count);
  tsr_status (*sync)(void *self);
  void *self;
} tsr_device;

/** The host's own memory. */
TSR_API const tsr_device *tsr_device_cpu(void);

#ifdef __cplusplus
}
#endif

#endif
