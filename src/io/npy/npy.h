/* The parts of the .npy reader and writer: bytes on their way in, the header. */
#ifndef TSR_IO_NPY_NPY_H
#define TSR_IO_NPY_NPY_H

#include "core/check.h"
#include <tessera/io.h>
#include "io/call/limits.h"

/* ---- bytes on their way in ---- */

/* A source, counted. The header text passes through the window: parsing it needs no memory of its length, and takes
 * nothing that lies behind it. */
typedef struct tsr__npy_reader {
  tsr_ctx *ctx;
  const char *op;
  const char *where; /* begins every message: "" or "x.npy: " */
  const tsr_source *source;
  size_t offset;      /* of the next byte that the parser has not taken */
  bool bounded;       /* left is known */
  size_t left;        /* bytes that the source still has */
  size_t header_left; /* header bytes that are not in the window yet */
  uint8_t at, filled; /* the window: next byte, end */
  unsigned char window[64];
  tsr_status status;   /* the failure that made peek say "end" */
  tsr__budget *budget; /* of a call that reads several arrays; NULL: it is the only one */
} tsr__npy_reader;

/* The next character of the header; -1 at its end, or when reading failed: reader->status. */
int tsr__npy_peek(tsr__npy_reader *reader);
void tsr__npy_skip(tsr__npy_reader *reader); /* goes past the character that peek has shown */

/* ---- the header ---- */

typedef struct tsr__npy_header {
  int dtype;
  int ndim;
  bool fortran;
  bool swapped; /* the bytes of each number are in the order that is not the host's */
  tsr_index shape[TSR_MAX_DIMS];
  size_t bytes; /* of all elements: at most PTRDIFF_MAX */
} tsr__npy_header;

/* Parses reader->header_left characters. long_suffix: Python 2's 3L is an integer. void_dtype: see tsr_npy_options. */
tsr_status tsr__npy_parse_header(tsr__npy_reader *reader, bool long_suffix, int void_dtype, tsr__npy_header *header);

/* The preamble and the header; the next byte of the source is the first of the data. options may be NULL. */
tsr_status tsr__npy_read_header(tsr__npy_reader *reader, const tsr_npy_options *options, tsr__npy_header *header);

/* data cut short: only there bytes. */
tsr_status tsr__npy_cut_short(tsr__npy_reader *reader, const tsr__npy_header *header, size_t there);

/* Reads one array. out is checked not to be NULL, path and bounds are in the reader. */
tsr_status tsr__npy_read_array(tsr__npy_reader *reader, const tsr_npy_options *options, tsr_tensor *out);

/* Whether elements that lie at data can be used there: aligned, in the host's byte order. */
bool tsr__npy_fits_in_place(const tsr__npy_header *header, const void *data);

/* A tensor over elements that fit in place: with a count of storage, which they lie in, or with NULL as a borrow. It is
 * TSR_READONLY with TSR_ACCESS_READ. */
tsr_status tsr__npy_in_place(tsr_ctx *ctx, tsr_storage *storage, const void *data, const tsr__npy_header *header,
                             int access, tsr_tensor *out);

/* tsr_npy_write of a tensor whose elements a producer (may be NULL) has. */
tsr_status tsr__npy_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_producer *producer, const tsr_sink *sink);
#if TSR_HAVE_STDIO
tsr_status tsr__npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_producer *producer);
#endif

#endif
