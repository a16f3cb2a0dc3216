#include "io/bytes/gunzip.h"

#if TSR_HAVE_STDIO

#include "io/bytes/little.h"

#include <string.h>

enum { FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAGS_UNKNOWN = 0xe0 };

static tsr_status stop(tsr__gunzip *g, tsr_status st, const char *broken) {
  g->broken = broken;
  return st;
}

tsr_status tsr__gunzip_start(tsr__gunzip *g, const uint8_t *first, size_t n) {
  if (!TSR_HAVE_ZLIB) return stop(g, TSR_EUNSUPPORTED, "it is gzip, and this build has no zlib");
  g->input = g->allocator->alloc(g->allocator->self, TSR__GUNZIP_BYTES, 1, TSR_HINT_DEFAULT);
  if (g->input == NULL) return stop(g, TSR_ENOMEM, NULL);
  memcpy(g->input, first, n);
  g->step = (tsr__pack_step){.in = g->input, .in_left = n};
  g->packed = n;
  return TSR_OK;
}

void tsr__gunzip_end(tsr__gunzip *g) {
  tsr__packer_release(g->packer);
  if (g->input != NULL) g->allocator->free(g->allocator->self, g->input, TSR__GUNZIP_BYTES);
  g->packer = NULL;
  g->input = NULL;
}

/* ---- packed bytes ---- */

static tsr_status refill(tsr__gunzip *g) {
  size_t got = 0;
  if (g->step.in_left > 0) return TSR_OK;
  const tsr_status st = g->source->read(g->source->self, g->input, TSR__GUNZIP_BYTES, &got);
  if (st != TSR_OK) return st;
  if (got > TSR__GUNZIP_BYTES) return stop(g, TSR_EIO, "the source gave more bytes than it was asked for");
  g->step.in = g->input;
  g->step.in_left = got;
  g->packed += got;
  return TSR_OK;
}

static tsr_status take_byte(tsr__gunzip *g, uint8_t *byte) {
  const tsr_status st = refill(g);
  if (st != TSR_OK) return st;
  if (g->step.in_left == 0) return stop(g, TSR_EFORMAT, "its gzip data is cut short");
  *byte = *g->step.in++;
  g->step.in_left--;
  return TSR_OK;
}

static tsr_status take_bytes(tsr__gunzip *g, uint8_t *bytes, size_t n) {
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < n && st == TSR_OK; i++) st = take_byte(g, &bytes[i]);
  return st;
}

static tsr_status skip_string(tsr__gunzip *g) {
  uint8_t byte = 1;
  tsr_status st = TSR_OK;
  while (st == TSR_OK && byte != 0) st = take_byte(g, &byte);
  return st;
}

/* ---- members ---- */

static tsr_status skip_fields(tsr__gunzip *g, uint8_t flags) {
  uint8_t two[2], byte;
  tsr_status st = TSR_OK;
  if ((flags & FLAG_EXTRA) != 0) {
    st = take_bytes(g, two, 2);
    for (uint32_t n = st == TSR_OK ? tsr__le16(two) : 0; n > 0 && st == TSR_OK; n--) st = take_byte(g, &byte);
  }
  if (st == TSR_OK && (flags & FLAG_NAME) != 0) st = skip_string(g);
  if (st == TSR_OK && (flags & FLAG_COMMENT) != 0) st = skip_string(g);
  if (st == TSR_OK && (flags & FLAG_CRC) != 0) st = take_bytes(g, two, 2);
  return st;
}

static tsr_status start_member(tsr__gunzip *g) {
  uint8_t header[10];
  tsr_status st = take_bytes(g, header, sizeof header);
  if (st != TSR_OK) return st;
  if (!tsr__gunzip_knows(header, 3) || (header[3] & FLAGS_UNKNOWN) != 0)
    return stop(g, TSR_EFORMAT, "bytes follow its gzip data");
  st = skip_fields(g, header[3]);
  if (st != TSR_OK) return st;
  tsr__packer_release(g->packer);
  g->packer = tsr__inflate_new(g->allocator);
  if (g->packer == NULL) return TSR_ENOMEM;
  g->crc = g->size = 0;
  g->inside = true;
  return TSR_OK;
}

static tsr_status end_member(tsr__gunzip *g) {
  uint8_t trailer[8];
  tsr_status st = take_bytes(g, trailer, sizeof trailer);
  if (st != TSR_OK) return st;
  if (tsr__le32(trailer) != g->crc || tsr__le32(trailer + 4) != g->size)
    return stop(g, TSR_EFORMAT, "its gzip data has another CRC or size than it says");
  g->inside = false;
  st = refill(g);
  if (st != TSR_OK) return st;
  while (g->step.in_left > 0 && *g->step.in == 0) g->step.in++, g->step.in_left--; /* tapes are padded */
  g->ended = g->step.in_left == 0;
  return TSR_OK;
}

/* Bytes until the output is full or a member ends. */
static tsr_status inflate_some(tsr__gunzip *g) {
  tsr_status st = refill(g);
  if (st != TSR_OK) return st;
  const size_t in = g->step.in_left;
  const uint8_t *const out = g->step.out;
  const tsr__pack_result result = tsr__inflate_run(g->packer, &g->step);
  const size_t made = (size_t)(g->step.out - out);
  g->crc = tsr__crc32(g->crc, out, made);
  g->size += (uint32_t)made;
  g->given += made;
  if (g->given > g->most) return stop(g, TSR_ELIMIT, NULL);
  if (result == TSR__PACK_NO_MEMORY) return TSR_ENOMEM;
  if (result == TSR__PACK_BROKEN) return stop(g, TSR_EFORMAT, "its gzip data is broken");
  if (result == TSR__PACK_END) return end_member(g);
  if (made == 0 && in == g->step.in_left) return stop(g, TSR_EFORMAT, "its gzip data is cut short");
  return TSR_OK;
}

tsr_status tsr__gunzip_read(void *self, void *bytes, size_t n, size_t *got) {
  tsr__gunzip *g = self;
  tsr_status st = TSR_OK;
  g->step.out = bytes;
  g->step.out_left = n;
  while (st == TSR_OK && g->step.out_left > 0 && !g->ended) st = g->inside ? inflate_some(g) : start_member(g);
  *got = n - g->step.out_left;
  return st;
}

#endif
