/* What the emulated compiler gives in place of a cubin, and the emulated driver loads: this head, then a shared object. */
#ifndef EMULATOR_IMAGE_H
#define EMULATOR_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define IMAGE_MAGIC "TSREMU1"

typedef struct image_head {
  char magic[8];
  uint64_t bytes; /* of the object behind it */
  uint64_t hash;  /* of them */
} image_head;

/* FNV-1a, from a number to go on from. */
static inline uint64_t image_hash_on(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *const p = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}
static inline uint64_t image_hash(const void *data, size_t bytes) {
  return image_hash_on(0xcbf29ce484222325u, data, bytes);
}

#endif
