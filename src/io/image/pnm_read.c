/* PGM and PPM images into tensors. */
#include "io/image/image.h"
#include "core/table.h"

#if TSR_HAVE_STDIO

#include <string.h>
#include <tessera/pnm.h>

enum { MAX_VALUE = 65535 };

/* Bytes on their way in. */
typedef struct scan {
  const tsr__image_call *call;
  const uint8_t *bytes;
  size_t n, at;
  uint64_t size; /* of the file, of which n bytes are here */
} scan;

#define REFUSE(s, position, ...) REFUSE_(s, position, __VA_ARGS__, 0)
#define REFUSE_(s, position, text, ...)                                                             \
  TSR__FAIL((s)->call->ctx, TSR_EFORMAT, (s)->call->op, NULL, "%sbyte %z: " text, (s)->call->where, \
            (size_t)(position), __VA_ARGS__)

/* ---- numbers ---- */

static bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Past white space, and comments, which end with their line. */
static void skip_spaces(scan *s) {
  while (s->at < s->n) {
    if (s->bytes[s->at] == '#') {
      while (s->at < s->n && s->bytes[s->at] != '\n' && s->bytes[s->at] != '\r') s->at++;
    } else if (is_space(s->bytes[s->at])) {
      s->at++;
    } else {
      return;
    }
  }
}

/* A number of at least least and at most most; what names it in a message. */
static tsr_status next_number(scan *s, const char *what, uint32_t least, uint32_t most, uint32_t *value) {
  uint64_t sum = 0;
  skip_spaces(s);
  const size_t start = s->at;
  for (; s->at < s->n && s->bytes[s->at] >= '0' && s->bytes[s->at] <= '9' && sum <= UINT32_MAX; s->at++)
    sum = 10 * sum + (uint64_t)(s->bytes[s->at] - '0');
  if (s->at == start && s->at == s->n) return REFUSE(s, s->at, "the file ends, expected %s", what);
  if (s->at == start) return REFUSE(s, s->at, "expected %s, a number", what);
  if (sum < least || sum > most) return REFUSE(s, start, "%s is not %l to %l", what, (int64_t)least, (int64_t)most);
  *value = (uint32_t)sum;
  return TSR_OK;
}

/* ---- the header ---- */

typedef struct header {
  tsr__pixels image;
  uint32_t most; /* the greatest number of a pixel */
  bool ascii;
  size_t samples;
} header;

/* Whether the bytes that are left can be so many numbers. */
static bool are_there(const scan *s, const header *h) {
  const uint64_t left = s->size - s->at;
  if (h->ascii) return h->samples <= left / 2 + left % 2; /* a digit each, and spaces between */
  return h->samples <= left / (uint64_t)(h->image.bits / 8);
}

static tsr_status read_sizes(scan *s, header *h) {
  const size_t at = s->at;
  tsr_status st = next_number(s, "the width", 1, INT32_MAX, &h->image.width);
  if (st == TSR_OK) st = next_number(s, "the height", 1, INT32_MAX, &h->image.height);
  if (st == TSR_OK) st = next_number(s, "the greatest number", 1, MAX_VALUE, &h->most);
  if (st != TSR_OK) return st;
  const uint64_t pixels = (uint64_t)h->image.width * h->image.height;
  if (s->at == s->n || !is_space(s->bytes[s->at])) return REFUSE(s, s->at, "no white space behind the header");
  s->at++;
  h->image.bits = h->most > 255 ? 16 : 8;
  h->samples = (size_t)pixels * (size_t)h->image.channels;
  if (pixels > SIZE_MAX / 8 || !are_there(s, h))
    return REFUSE(s, at, "%l x %l pixels cannot be in the %l bytes that follow", (int64_t)h->image.width,
                  (int64_t)h->image.height, (int64_t)(s->size - s->at));
  return TSR_OK;
}

static tsr_status read_header(scan *s, header *h) {
  const char kind = s->n > 2 && s->bytes[0] == 'P' ? (char)s->bytes[1] : '0';
  if (memchr("2356", kind, 4) == NULL || !(is_space(s->bytes[2]) || s->bytes[2] == '#'))
    return REFUSE(s, 0, "not a PGM or PPM file: P2, P3, P5 or P6");
  *h = (header){.ascii = kind == '2' || kind == '3', .image.channels = kind == '3' || kind == '6' ? 3 : 1};
  s->at = 2;
  return read_sizes(s, h);
}

/* ---- pixels ---- */

static void store(void *pixels, int bits, size_t i, uint32_t value) {
  if (bits == 8)
    ((uint8_t *)pixels)[i] = (uint8_t)value;
  else
    ((uint16_t *)pixels)[i] = (uint16_t)value;
}

static tsr_status read_text(scan *s, const header *h, void *pixels) {
  for (size_t i = 0; i < h->samples; i++) {
    uint32_t value;
    const tsr_status st = next_number(s, "a pixel", 0, h->most, &value);
    if (st != TSR_OK) return st;
    store(pixels, h->image.bits, i, value);
  }
  return TSR_OK;
}

static tsr_status read_bytes(const scan *s, const header *h, void *pixels) {
  const size_t width = (size_t)(h->image.bits / 8);
  for (size_t i = 0; i < h->samples; i++) {
    const uint8_t *at = s->bytes + s->at + i * width;
    const uint32_t value = width == 1 ? at[0] : (uint32_t)at[0] << 8 | at[1]; /* big-endian */
    if (value > h->most)
      return REFUSE(s, s->at + i * width, "a pixel is %l, the greatest number %l", (int64_t)value, (int64_t)h->most);
    store(pixels, h->image.bits, i, value);
  }
  return TSR_OK;
}

static tsr_status decode(const tsr__image_call *call, const tsr__image_file *file) {
  scan s = {.call = call, .bytes = file->bytes, .n = file->n, .size = file->size};
  header h;
  void *pixels = NULL;
  tsr_status st = read_header(&s, &h);
  if (st == TSR_OK) st = file->allow(file->user, &h.image);
  if (st == TSR_OK) st = file->place(file->user, &h.image, &pixels);
  if (st != TSR_OK || pixels == NULL) return st;
  return h.ascii ? read_text(&s, &h, pixels) : read_bytes(&s, &h, pixels);
}

/* ---- public ---- */

#define READER(options) TSR__IMAGE_READER(options, .decode = decode)

tsr_status tsr_pnm_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_pnm_options *options, tsr_tensor *out) {
  return tsr__image_decode(ctx, "pnm_decode", READER(options), bytes, n, out);
}

tsr_status tsr_pnm_read(tsr_ctx *ctx, const tsr_source *source, const tsr_pnm_options *options, tsr_tensor *out) {
  return tsr__image_read(ctx, "pnm_read", READER(options), source, out);
}

tsr_status tsr_pnm_load(tsr_ctx *ctx, const char *path, const tsr_pnm_options *options, tsr_tensor *out) {
  return tsr__image_load(ctx, "pnm_load", READER(options), path, out);
}

#endif
