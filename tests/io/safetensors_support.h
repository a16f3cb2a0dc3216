/* What the tests of safetensors share: files made in memory, readers that fail on request. */
#ifndef TSR_TEST_SAFETENSORS_SUPPORT_H
#define TSR_TEST_SAFETENSORS_SUPPORT_H

#include <tessera/safetensors.h>
#include "npy_support.h"

/* ---- a file in memory ---- */

typedef struct st_bytes {
  _Alignas(64) uint8_t at[8192];
  size_t n;
} st_bytes;

static inline tsr_status st_sink_write(void *self, const void *bytes, size_t n) {
  st_bytes *b = self;
  if (n > sizeof b->at - b->n) return TSR_EIO;
  if (n > 0) memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

static inline tsr_status st_encode(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_metadata *metadata,
                                   const tsr_safetensors_save_options *options, st_bytes *b) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = st_sink_write, .self = b};
  b->n = 0;
  return tsr_safetensors_write(ctx, bundle, metadata, options, &sink);
}

static inline void st_make(const char *header, const void *data, size_t n, st_bytes *b) {
  const size_t length = strlen(header);
  for (int i = 0; i < 8; i++) b->at[i] = (uint8_t)((uint64_t)length >> 8 * i);
  memcpy(b->at + 8, header, length);
  if (n > 0) memcpy(b->at + 8 + length, data, n);
  b->n = 8 + length + n;
}

/* ---- a reader ---- */

typedef struct st_reader {
  const uint8_t *at;
  size_t n;
  size_t calls;
  size_t fail_at; /* the call that fails */
  uint64_t most;  /* bytes of the largest call */
} st_reader;

static inline tsr_status st_read(void *self, uint64_t offset, void *bytes, size_t n) {
  st_reader *r = self;
  if (r->calls++ == r->fail_at) return TSR_EIO;
  if (offset > r->n || n > r->n - offset) return TSR_EINDEX; /* never asked for */
  memcpy(bytes, r->at + offset, n);
  if (n > r->most) r->most = n;
  return TSR_OK;
}

static inline tsr_reader st_reader_of(st_reader *r, const uint8_t *at, size_t n) {
  *r = (st_reader){.at = at, .n = n, .fail_at = SIZE_MAX};
  return (tsr_reader){.size = sizeof(tsr_reader), .read = st_read, .self = r, .bytes = n};
}

#endif
