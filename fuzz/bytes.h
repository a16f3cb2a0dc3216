/* What the fuzzers of formats share: bytes in memory as a sink and as a reader, a source in pieces. */
#ifndef TSR_FUZZ_BYTES_H
#define TSR_FUZZ_BYTES_H

#include <string.h>
#include <tessera/io.h>

#include "promise.h"

typedef struct buffer {
  uint8_t *at;
  size_t n, capacity;
} buffer;

/* The write function of a sink over a buffer. */
static inline tsr_status append(void *self, const void *bytes, size_t n) {
  buffer *b = self;
  if (n > b->capacity - b->n) return TSR_ENOMEM;
  if (n > 0) memcpy(b->at + b->n, bytes, n);
  b->n += n;
  return TSR_OK;
}

/* The read function of a reader over one: nothing outside may be asked for. */
static inline tsr_status read_at(void *self, uint64_t offset, void *bytes, size_t n) {
  const buffer *b = self;
  must(offset <= b->n && n <= b->n - offset);
  memcpy(bytes, b->at + offset, n);
  return TSR_OK;
}

typedef struct pieces {
  const uint8_t *at;
  size_t left;
  uint32_t state; /* of the piece sizes */
} pieces;

static inline tsr_status read_piece(void *self, void *bytes, size_t n, size_t *got) {
  pieces *p = self;
  p->state = p->state * 1664525u + 1013904223u;
  const size_t piece = (p->state >> 24) % 61 + 1;
  if (n > piece) n = piece;
  if (n > p->left) n = p->left;
  if (n > 0) memcpy(bytes, p->at, n);
  p->at += n;
  p->left -= n;
  *got = n;
  return TSR_OK;
}

/* The same description, and the same bytes in memory. */
static inline bool same_tensor(const tsr_tensor *a, const tsr_tensor *b) {
  return tsr_desc_equal(a, b) && (tsr_nbytes(a) == 0 || memcmp(a->data, b->data, tsr_nbytes(a)) == 0);
}

#endif
