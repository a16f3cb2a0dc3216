#include "cuda/hash.h"

#include <string.h>

static uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return h;
}

tsr__cuda_hash tsr__cuda_hash_add(tsr__cuda_hash hash, const void *bytes, size_t count) {
  const unsigned char *const p = bytes;
  for (size_t i = 0; i < count; i++) {
    hash.a = (hash.a ^ p[i]) * 0x100000001b3u;
    hash.b = mix(hash.b + p[i] + 0x9e3779b97f4a7c15u);
  }
  return hash;
}

tsr__cuda_hash tsr__cuda_hash_text(tsr__cuda_hash hash, const char *text) {
  return tsr__cuda_hash_add(hash, text, strlen(text) + 1);
}
