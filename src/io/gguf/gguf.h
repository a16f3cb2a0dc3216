/* The parts of the GGUF reader. */
#ifndef TSR_IO_GGUF_GGUF_H
#define TSR_IO_GGUF_GGUF_H

#include <tessera/gguf.h>
#include "core/check.h"
#include "io/bytes/input.h"
#include "io/call/limits.h"
#include "io/bytes/little.h"
#include "io/bytes/once.h"

#if TSR_HAVE_STDIO

/* ---- types of tensors ---- */

typedef struct tsr__gguf_type {
  const char *name; /* NULL: no type has this number */
  uint16_t block;   /* elements that are stored together, and their bytes */
  uint16_t bytes;
  uint8_t dtype; /* TSR_NONE when no tensor has it */
} tsr__gguf_type;

/* NULL when the number is none. */
const tsr__gguf_type *tsr__gguf_type_of(uint32_t number);

/* Whether blocks of that type can be decoded. */
bool tsr__gguf_decodes(uint32_t number);

/* ---- types of metadata ---- */

enum {
  TSR__GGUF_U8 = 0,
  TSR__GGUF_I8 = 1,
  TSR__GGUF_U16 = 2,
  TSR__GGUF_I16 = 3,
  TSR__GGUF_U32 = 4,
  TSR__GGUF_I32 = 5,
  TSR__GGUF_FLOAT32 = 6,
  TSR__GGUF_BOOL = 7,
  TSR__GGUF_STRING = 8,
  TSR__GGUF_ARRAY = 9,
  TSR__GGUF_U64 = 10,
  TSR__GGUF_I64 = 11,
  TSR__GGUF_FLOAT64 = 12
};

/* Bytes of one; 0 for strings, arrays and what is no type. */
size_t tsr__gguf_value_bytes(uint32_t type);

/* ---- a file ---- */

typedef struct tsr__gguf_entry {
  const char *name;
  uint64_t at;           /* the byte of the file where it is described */
  uint64_t begin, bytes; /* of the data */
  uint32_t type;
  uint8_t ndim;
  tsr_index shape[TSR_MAX_DIMS]; /* row-major, in elements */
} tsr__gguf_entry;

typedef struct tsr__gguf_pair {
  const char *key;
  uint64_t at;    /* of its key */
  uint64_t value; /* the first byte of its value */
  uint32_t type;
} tsr__gguf_pair;

typedef struct tsr__gguf_file {
  tsr__input in;
  tsr_gguf_options options; /* defaults filled in */
  tsr__once header;         /* the file from its first byte on, as far as it was looked at */
  uint64_t end;             /* of what may be header: the file's, or the limit */
  uint64_t at;              /* the next byte of the header */
  uint64_t align;
  uint64_t data; /* where the data begins, and its bytes */
  uint64_t data_bytes;
  size_t count, pairs;
  size_t text_bytes;
  tsr__gguf_entry *entry; /* NULL while they are counted */
  tsr__gguf_pair *pair;
  size_t *order; /* as many as entries or pairs, whichever are more */
  char *text;    /* names and keys */
  size_t text_at;
  tsr__scratch memory;
  tsr__budget budget;
} tsr__gguf_file;

/* A refusal at a byte of the file. A macro, because the text must vanish where messages are configured off. */
#define TSR__GGUF_REFUSE(file, position, code, ...) TSR__GGUF_REFUSE_(file, position, code, __VA_ARGS__, 0)
#define TSR__GGUF_REFUSE_(file, position, code, text, ...)                                                        \
  TSR__FAIL((file)->in.ctx, code, (file)->in.op, NULL, "%sbyte %l: " text, (file)->in.where, (int64_t)(position), \
            __VA_ARGS__)

/* Reads and checks the header. in is set; options may be NULL. Call tsr__gguf_close after success. */
tsr_status tsr__gguf_open(tsr__gguf_file *file, const tsr_gguf_options *options);
void tsr__gguf_close(tsr__gguf_file *file);

/* Goes through pairs and tensors from the first: without a table it checks and counts; with one it fills it. */
tsr_status tsr__gguf_parse(tsr__gguf_file *file);

/* ---- steps through the header ---- */

/* The next n bytes, where they are until the next step; what names them in a message. */
tsr_status tsr__gguf_take(tsr__gguf_file *file, const char *what, size_t n, const uint8_t **bytes);
tsr_status tsr__gguf_u32(tsr__gguf_file *file, const char *what, uint32_t *value);
tsr_status tsr__gguf_u64(tsr__gguf_file *file, const char *what, uint64_t *value);

/* The length of a string whose bytes are there, and are next. */
tsr_status tsr__gguf_length(tsr__gguf_file *file, const char *what, uint64_t *length);

/* ---- out of it ---- */

/* The value of a pair as text to a printer's sink. */
tsr_status tsr__gguf_value_text(tsr__gguf_file *file, const tsr__gguf_pair *pair, const tsr_sink *sink);

#endif

#endif
