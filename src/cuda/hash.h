/* What a kernel is known by: a hash of all that it depends on. */
#ifndef TSR_CUDA_HASH_H
#define TSR_CUDA_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct tsr__cuda_hash {
  uint64_t a, b;
} tsr__cuda_hash;

/* Hashes of bytes, one after another. */
tsr__cuda_hash tsr__cuda_hash_add(tsr__cuda_hash hash, const void *bytes, size_t count);
tsr__cuda_hash tsr__cuda_hash_text(tsr__cuda_hash hash, const char *text); /* its closing zero too */

#endif
