/* What the tests of .npz share. */
#ifndef TSR_TEST_NPZ_SUPPORT_H
#define TSR_TEST_NPZ_SUPPORT_H

#include <tessera/npz.h>
#include "safetensors_support.h"

enum { NPZ_BYTES = 1 << 18 };

/* An archive in memory. */
typedef struct npz_bytes {
  _Alignas(64) uint8_t at[NPZ_BYTES];
  size_t n;
  size_t fail_at; /* 0: never */
} npz_bytes;

static inline tsr_status npz_add(void *self, const void *bytes, size_t n) {
  npz_bytes *b = self;
  if (n > sizeof b->at - b->n || (b->fail_at > 0 && b->n + n > b->fail_at)) return TSR_EIO;
  if (n > 0) memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static inline tsr_status npz_encode(tsr_ctx *ctx, const tsr_bundle *bundle, bool deflate, npz_bytes *b) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = npz_add, .self = b};
  const tsr_npz_save_options options = {.deflate = deflate};
  b->n = 0;
  return tsr_npz_write(ctx, bundle, &options, &sink);
}

#endif
