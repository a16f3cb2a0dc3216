#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "state.h"

/* What a program may ask of a device: those of a small Hopper. Anything else is 0. */
enum { MULTIPROCESSORS = 4 };
static const struct {
  int attribute, value;
} attributes[] = {
    {1, 1024},  {2, 1024},   {3, 1024},     {4, 64},     {5, 2147483647}, {6, 65535},         {7, 65535},
    {8, 49152}, {9, 65536},  {10, 32},      {12, 65536}, {13, 1980000},   {14, 512},          {16, MULTIPROCESSORS},
    {19, 1},    {31, 1},     {36, 3201000}, {37, 6144},  {38, 62914560},  {39, 2048},         {40, 3},
    {41, 1},    {78, 1},     {81, 233472},  {82, 65536}, {95, 1},         {97, SHARED_LIMIT}, {99, 1},
    {106, 32},  {111, 1024}, {115, 1},      {120, 1}};

static long from_environment(const char *name, long otherwise) {
  const char *const text = getenv(name);
  return text != NULL && text[0] != 0 ? strtol(text, NULL, 0) : otherwise;
}

EXPORT CUresult cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (emulator.ended) return CUDA_ERROR_DEINITIALIZED;
  pthread_mutex_lock(&emulator.lock);
  if (!emulator.ready) {
    const long devices = from_environment("TSR_EMULATOR_DEVICES", 1);
    const char *const queue = getenv("TSR_EMULATOR_QUEUE");
    emulator.devices = (int)(devices < 0 ? 0 : devices > MAX_DEVICES ? MAX_DEVICES : devices);
    emulator.seed = (unsigned)from_environment("TSR_EMULATOR_SEED", 0);
    emulator.quiet = from_environment("TSR_EMULATOR_QUIET", 0) != 0;
    emulator.trace = from_environment("TSR_EMULATOR_TRACE", 0) != 0;
    emulator.late = queue != NULL && strcmp(queue, "late") == 0;
    emulator.process = (long)getpid();
    for (int i = 0; i < MAX_DEVICES; i++) {
      emulator.device[i].primary.device = i;
      if (emulator.device[i].capacity == 0)
        emulator.device[i].capacity = (size_t)from_environment("TSR_EMULATOR_MEMORY", 1L << 32);
    }
    emulator.ready = true;
  }
  const bool any = emulator.devices > 0;
  const bool child = emulator.process != (long)getpid();
  pthread_mutex_unlock(&emulator.lock);
  return child ? CUDA_ERROR_NOT_INITIALIZED : any ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

EXPORT CUresult cuDriverGetVersion(int *version) {
  if (version == NULL) return CUDA_ERROR_INVALID_VALUE;
  *version = 13990; /* like no other: what was compiled for the one is nothing to the other */
  return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count) {
  ENTER();
  *count = emulator.devices;
  return leave(CUDA_SUCCESS);
}

static bool is_device(int number) { return number >= 0 && number < emulator.devices; }

EXPORT CUresult cuDeviceGet(CUdevice *found, int ordinal) {
  ENTER();
  if (!is_device(ordinal)) return leave(CUDA_ERROR_INVALID_DEVICE);
  *found = ordinal;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice number) {
  ENTER();
  if (!is_device(number) || length <= 0) return leave(CUDA_ERROR_INVALID_DEVICE);
  (void)snprintf(name, (size_t)length, "emulated CUDA device");
  return leave(CUDA_SUCCESS);
}

/* TSR_EMULATOR_ARCH=80: an older architecture, so that the kernel text for it runs as well. */
static int attribute_value(int attribute, CUdevice number) {
  const long arch = from_environment("TSR_EMULATOR_ARCH", 90);
  if (attribute == 75) return (int)(arch / 10);
  if (attribute == 76) return (int)(arch % 10);
  if (attribute == 33) return number + 1; /* the bus */
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
    if (attributes[i].attribute == attribute) return attributes[i].value;
  return 0;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice number) {
  ENTER();
  if (!is_device(number)) return leave(CUDA_ERROR_INVALID_DEVICE);
  *value = attribute_value(attribute, number);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice number) {
  ENTER();
  if (!is_device(number)) return leave(CUDA_ERROR_INVALID_DEVICE);
  *bytes = emulator.device[number].capacity;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice number) {
  ENTER();
  if (!is_device(number)) return leave(CUDA_ERROR_INVALID_DEVICE);
  memset(uuid, 0x5e, sizeof *uuid);
  uuid->bytes[15] = (char)number;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice number) {
  ENTER();
  if (!is_device(number) || length <= 0) return leave(CUDA_ERROR_INVALID_DEVICE);
  (void)snprintf(text, (size_t)length, "0000:%02x:00.0", number + 1);
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice number, CUdevice peer) {
  ENTER();
  if (!is_device(number) || !is_device(peer)) return leave(CUDA_ERROR_INVALID_DEVICE);
  *can = number != peer;
  return leave(CUDA_SUCCESS);
}
