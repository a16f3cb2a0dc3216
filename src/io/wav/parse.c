/* The chunks of a WAV file. */
#include "io/wav/wav.h"

#if TSR_HAVE_STDIO

#include "io/bytes/little.h"

#include <string.h>

enum { HEAD = 12, CHUNK = 8, FORMAT = 16, EXTENDED = 40 };

typedef struct walk {
  tsr_ctx *ctx;
  const char *op, *where;
  const uint8_t *bytes;
  size_t n;
  uint64_t long_data; /* of RF64: the size that the data chunk has no room for; 0: none */
  bool formatted;
  uint16_t frame; /* bytes */
  tsr__wav *out;
} walk;

#define REFUSE(w, code, at, ...) REFUSE_(w, code, at, __VA_ARGS__, 0)
#define REFUSE_(w, code, at, text, ...) \
  TSR__FAIL((w)->ctx, code, (w)->op, NULL, "%sbyte %z: " text, (w)->where, (size_t)(at), __VA_ARGS__)

static bool is(const uint8_t *at, const char *name) { return memcmp(at, name, 4) == 0; }

static bool is_known(int kind, int bits) {
  if (kind == TSR__WAV_FLOAT) return bits == 32 || bits == 64;
  return kind == TSR__WAV_PCM && (bits == 8 || bits == 16 || bits == 24 || bits == 32);
}

static tsr_status read_format(walk *w, size_t at, size_t size) {
  const uint8_t *p = w->bytes + at;
  if (size < FORMAT) return REFUSE(w, TSR_EFORMAT, at, "a format of %z bytes", size);
  int kind = (int)tsr__le16(p);
  if (kind == TSR__WAV_EXTENSIBLE && size >= EXTENDED) kind = (int)tsr__le16(p + 24);
  const uint16_t channels = (uint16_t)tsr__le16(p + 2), bits = (uint16_t)tsr__le16(p + 14);
  w->frame = (uint16_t)tsr__le16(p + 12);
  if (!is_known(kind, bits)) return REFUSE(w, TSR_EUNSUPPORTED, at, "format %d of %d bits", kind, (int)bits);
  if (channels == 0 || (uint32_t)channels * (bits / 8) != w->frame)
    return REFUSE(w, TSR_EFORMAT, at + 12, "%d channels of %d bits in frames of %d bytes", (int)channels, (int)bits,
                  (int)w->frame);
  w->out->info = (tsr_wav_info){.rate = tsr__le32(p + 4), .bits = bits, .floats = kind == TSR__WAV_FLOAT};
  w->out->channels = channels;
  w->formatted = true;
  return TSR_OK;
}

static tsr_status read_data(walk *w, size_t at, uint32_t size) {
  const size_t left = w->n - at;
  const bool unknown = size == UINT32_MAX || size == 0;
  const uint64_t said = w->long_data > 0 && size == UINT32_MAX ? w->long_data : size;
  if (!w->formatted) return REFUSE(w, TSR_EFORMAT, at, "samples before their format");
  if (said > left && !(unknown && w->long_data == 0))
    return REFUSE(w, TSR_EFORMAT, at, "%l bytes of samples, and %z are there", (int64_t)(said >> 1 << 1), left);
  const size_t bytes = unknown && w->long_data == 0 ? left : (size_t)said;
  w->out->data = w->bytes + at;
  w->out->frames = bytes / w->frame;
  return TSR_OK;
}

/* Chunk by chunk; each begins at an even byte. */
static tsr_status read_chunks(walk *w) {
  for (size_t at = HEAD; w->n - at >= CHUNK;) {
    const uint8_t *p = w->bytes + at;
    const uint32_t size = tsr__le32(p + 4);
    tsr_status st = TSR_OK;
    at += CHUNK;
    if (is(p, "data")) return read_data(w, at, size);
    if (size > w->n - at)
      return REFUSE(w, TSR_EFORMAT, at - 4, "a chunk of %l bytes, and %z are there", (int64_t)size, w->n - at);
    if (is(p, "fmt ") && !w->formatted) st = read_format(w, at, size);
    if (is(p, "ds64") && size >= 16)
      w->long_data = (uint64_t)tsr__le32(p + CHUNK + 12) << 32 | tsr__le32(p + CHUNK + 8);
    if (st != TSR_OK) return st;
    at += size;
    at += at < w->n ? size & 1 : 0;
  }
  return REFUSE(w, TSR_EFORMAT, w->n, "the file ends before its samples");
}

tsr_status tsr__wav_parse(tsr_ctx *ctx, const char *op, const char *where, const uint8_t *bytes, size_t n,
                          tsr__wav *out) {
  walk w = {.ctx = ctx, .op = op, .where = where, .bytes = bytes, .n = n, .out = out};
  *out = (tsr__wav){0};
  if (n < HEAD || !(is(bytes, "RIFF") || is(bytes, "RF64")) || !is(bytes + 8, "WAVE"))
    return REFUSE(&w, TSR_EFORMAT, 0, "no RIFF file of WAVE");
  return read_chunks(&w);
}

#endif
