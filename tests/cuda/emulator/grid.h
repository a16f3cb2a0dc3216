/* Runs a grid: blocks one after the other, the threads of a block as fibers that switch where they wait for each other. */
#ifndef EMULATOR_GRID_H
#define EMULATOR_GRID_H

#include <stdint.h>

#include "driver.h"
#include "machine.h"

/* A module that is loaded: its shared memory is thread-local memory of the shared object. */
typedef struct grid_module {
  const struct emulated_module *info;
  void *library;
  const char *object; /* its bytes */
  size_t object_bytes;
  uintptr_t first, last; /* where it lies */
  size_t shared_bytes;   /* of the thread-local segment, dynamic shared memory included */
} grid_module;

typedef struct grid_launch {
  const grid_module *module;
  const struct emulated_kernel *kernel;
  unsigned grid[3], block[3];
  size_t dynamic; /* bytes of shared memory beside the static */
  void **arguments;
  uintptr_t argument_first, argument_last; /* where the values lie */
  unsigned seed;
} grid_launch;

/* One at a time. A failure is in emulator_report. */
CUresult grid_run(const grid_launch *launch);
extern const struct emulated_hooks grid_hooks;

#endif
