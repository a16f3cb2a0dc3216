/* The parts of the safetensors reader and writer. */
#ifndef TSR_IO_SAFETENSORS_SAFETENSORS_H
#define TSR_IO_SAFETENSORS_SAFETENSORS_H

#include <tessera/safetensors.h>
#include "core/bundle.h"
#include "core/check.h"
#include "io/safetensors/json.h"
#include "io/call/limits.h"
#include "io/file/input.h"
#include "io/bytes/once.h"

/* The format's own limit of a header. */
#define TSR__ST_MAX_HEADER ((uint64_t)100000000)

/* Reserved keys of the metadata begin so. */
#define TSR__ST_LAYOUT_KEY "tessera.layout."
#define TSR__ST_ORDER_KEY "tessera.order."
#define TSR__ST_METADATA "__metadata__"

bool tsr__st_is_reserved(const char *key);

/* ---- dtypes ---- */

typedef struct tsr__st_type {
  const char *name;
  uint8_t bits;
  uint8_t dtype; /* TSR_NONE when no tensor has it */
} tsr__st_type;

/* The dtype of that name; false when the format has none. */
bool tsr__st_type_find(const char *name, tsr__st_type *type);

/* ---- a file ---- */

typedef struct tsr__st_entry {
  const char *name;
  const char *type;
  size_t at;           /* the byte of the file where its name stands */
  uint64_t begin, end; /* of the data */
  uint8_t dtype, bits, layout, ndim;
  bool ordered;                /* order is not row-major */
  uint8_t order[TSR_MAX_DIMS]; /* axes, slowest first */
  tsr_index shape[TSR_MAX_DIMS];
} tsr__st_entry;

typedef struct tsr__st_pair {
  const char *key, *value;
  size_t at;
} tsr__st_pair;

/* An open file: where its bytes are, and the table of what is in them. Nothing of it changes while it is open. It is
 * the public handle, in memory of an allocator; functions that read a file in one call have theirs on the stack. */
struct tsr_safetensors_file {
  tsr__input in; /* size, and bytes or reader; a context and a name only while it is opened */
#if TSR_HAVE_STDIO
  tsr__input_file *from; /* the file by its path; NULL: in has all */
#endif
  tsr_safetensors_options options;
  bool any_dtype; /* a dtype that no tensor has is a reason to refuse its tensor, not the file */

  tsr__once header; /* the JSON */
  size_t header_bytes;
  uint64_t data; /* where the data begins, and its bytes */
  uint64_t data_bytes;
  size_t count; /* of entries */
  size_t pairs; /* of metadata */
  size_t text_bytes;
  tsr__st_entry *entry; /* in the order of the header */
  tsr__st_pair *pair;
  size_t *order;   /* as many as entries or pairs, whichever are more */
  tsr_index *tree; /* of the names of entries */
  tsr_index root;
  char *text; /* the strings of both */
  tsr__scratch table_memory;

  const tsr_allocator *allocator; /* of a handle, and its bytes there */
  size_t own_bytes;
  tsr_reader reader; /* that in.reader points to */
};

/* The storage that in.bytes lie in; NULL when there is none. */
static inline tsr_storage *tsr__st_map(const tsr_safetensors_file *file) {
#if TSR_HAVE_STDIO
  return file->from != NULL ? file->from->map : NULL;
#else
  (void)file;
  return NULL;
#endif
}

/* Reads and checks the header: in, or from, is set. options may be NULL. Call tsr__st_close after success. */
tsr_status tsr__st_open(tsr_ctx *ctx, const char *op, const tsr_safetensors_options *options,
                        tsr_safetensors_file *file);
void tsr__st_close(tsr_safetensors_file *file);

/* Walks over the header: without a table it checks and counts; with one it fills it. */
tsr_status tsr__st_parse(tsr_safetensors_file *file, bool fill);

/* What only the whole table shows: names that appear twice, gaps, overlaps. Leaves the tree of names. */
tsr_status tsr__st_check_table(tsr_safetensors_file *file);

/* Applies the reserved metadata: layouts and orders that fit their tensor. */
void tsr__st_apply_hints(tsr_safetensors_file *file);

/* ---- what is in it ---- */

/* The number of the tensor of that name, or -1. */
tsr_index tsr__st_find(const tsr_safetensors_file *file, const char *name);

/* The entry as others see it; it lives as long as the file. */
tsr_safetensors_entry tsr__st_shown(const tsr_safetensors_file *file, size_t number);

/* ---- into tensors ---- */

/* A call that reads from an open file: with its own context, name and limits. */
typedef struct tsr__st_call {
  const tsr_safetensors_file *file;
  tsr__input in;
  tsr__budget budget;
#if TSR_HAVE_STDIO
  tsr__input_call bytes; /* of a file by its path */
#endif
} tsr__st_call;

/* TSR_EIO when a mapped file has become shorter. */
tsr_status tsr__st_call_start(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, tsr__st_call *call);
tsr_status tsr__st_call_end(const tsr__st_call *call, tsr_status st); /* st, or why the system could not read */

/* Each of them is such a call. All tensors; one by its number; one by its name: TSR_ENAME. */
tsr_status tsr__st_read_all(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, tsr_bundle *out,
                            tsr_metadata *metadata);
tsr_status tsr__st_read_one(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, size_t number,
                            tsr_tensor *out);
tsr_status tsr__st_read_named(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, const char *name,
                              tsr_tensor *out);

/* Appends the pairs that are not reserved: TSR_ENOMEM. */
tsr_status tsr__st_read_metadata(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file,
                                 tsr_metadata *metadata);

/* ---- out of them ---- */

/* The public functions for bundles with tensors whose elements a producer (may be NULL) has. */
tsr_status tsr__st_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_metadata *metadata,
                         const tsr_safetensors_save_options *options, const tsr_producer *producer,
                         const tsr_sink *sink);
#if TSR_HAVE_STDIO
tsr_status tsr__st_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle, const tsr_metadata *metadata,
                        const tsr_safetensors_save_options *options, const tsr_producer *producer);
#endif

#endif
