/* Writing one .npy array, byte for byte as NumPy does: version 1.0, little-endian. */
#include "core/text.h"
#include "core/table.h"
#include "io/bytes/elements.h"
#include "io/npy/npy.h"

#include <string.h>

enum {
  PREAMBLE = 10, /* magic, version, length */
  ALIGN = 64,    /* the data begins at a multiple of this */
  GROWTH = 21,   /* NumPy leaves room for this many digits of the axis that grows when data is appended */
  /* The dictionary's own 60 characters, a number and ", " for each axis, growth and padding. */
  HEADER_BYTES = 192 + 24 * TSR_MAX_DIMS
};

static const char op[] = "npy_write";

/* ---- the header ---- */

/* NumPy leaves zero-size and ambiguous arrays in row-major order. */
static bool is_fortran(const tsr_tensor *t) {
  return tsr_size(t) > 0 && !tsr_is_contiguous(t, TSR_ROW_MAJOR) && tsr_is_contiguous(t, TSR_FORTRAN);
}

/* One byte has no order, except in the void types that stand for f8: their files come with '<'. */
static char order_mark(const tsr_dtype_info *info) { return info->bytes > 1 || info->npy[0] == 'V' ? '<' : '|'; }

static void put_shape(tsr__text *text, const tsr_tensor *t) {
  tsr__text_char(text, '(');
  for (int i = 0; i < t->ndim; i++) {
    if (i > 0) tsr__text_string(text, ", ");
    tsr__text_i64(text, t->shape[i]);
  }
  tsr__text_string(text, t->ndim == 1 ? ",)" : ")");
}

static void put_spaces(tsr__text *text, size_t count) {
  for (size_t i = 0; i < count; i++) tsr__text_char(text, ' ');
}

static size_t digits(tsr_index value) {
  size_t count = 1;
  for (; value > 9; value /= 10) count++;
  return count;
}

static void put_dictionary(tsr__text *text, const tsr_tensor *t, bool fortran) {
  const tsr_dtype_info *info = tsr_dtype_describe(t->dtype);
  tsr__text_string(text, "{'descr': '");
  tsr__text_char(text, order_mark(info));
  tsr__text_string(text, info->npy);
  tsr__text_string(text, fortran ? "', 'fortran_order': True, 'shape': " : "', 'fortran_order': False, 'shape': ");
  put_shape(text, t);
  tsr__text_string(text, ", }");
  if (t->ndim > 0) put_spaces(text, GROWTH - digits(t->shape[fortran ? t->ndim - 1 : 0]));
}

/* The whole preamble; returns its bytes. A header of TSR_MAX_DIMS numbers never needs version 2.0. */
static size_t make_header(const tsr_tensor *t, bool fortran, char header[HEADER_BYTES]) {
  tsr__text text;
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  tsr__text_init(&text, header + PREAMBLE, HEADER_BYTES - PREAMBLE);
  put_dictionary(&text, t, fortran);
  const size_t padding = ALIGN - (PREAMBLE + text.length + 1) % ALIGN; /* 1 … 64, never 0: as NumPy */
  put_spaces(&text, padding);
  tsr__text_char(&text, '\n');
  header[8] = (char)(text.length & 0xff);
  header[9] = (char)(text.length >> 8);
  return PREAMBLE + text.length;
}

/* ---- the bytes ---- */

/* Where they go, counted. */
typedef struct writer {
  tsr_ctx *ctx;
  const tsr_sink *sink;
  size_t offset;
} writer;

static tsr_status put(writer *w, const void *bytes, size_t n) {
  const tsr_status st = w->sink->write(w->sink->self, bytes, n);
  if (st != TSR_OK) return TSR__FAIL(w->ctx, st, op, NULL, "the sink failed after byte %z", w->offset);
  w->offset += n;
  return TSR_OK;
}

static tsr_status write_header(writer *w, const tsr_tensor *t, bool fortran) {
  char header[HEADER_BYTES];
  const size_t bytes = make_header(t, fortran, header);
  return put(w, header, bytes);
}

static tsr_status put_all(void *self, const void *bytes, size_t n) { return put(self, bytes, n); }

tsr_status tsr__npy_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_producer *producer, const tsr_sink *sink) {
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__elements_check(ctx, op, "t", t, producer);
  if (st != TSR_OK) return st;
  if (tsr_nbytes(t) == SIZE_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "t", "%t has more bytes than a size can say", t);
  writer w = {.ctx = ctx, .sink = sink};
  const bool fortran = is_fortran(t);
  const tsr__elements elements = {.ctx = ctx,
                                  .op = op,
                                  .producer = producer,
                                  .fortran = fortran,
                                  .sink = {.size = sizeof(tsr_sink), .write = put_all, .self = &w}};
  st = write_header(&w, t, fortran);
  return st == TSR_OK ? tsr__elements_write(&elements, t) : st;
}

tsr_status tsr_npy_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_sink *sink) {
  return tsr__npy_write(ctx, t, NULL, sink);
}
