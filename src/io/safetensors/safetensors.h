/* The parts of the safetensors reader and writer. */
#ifndef TSR_IO_SAFETENSORS_SAFETENSORS_H
#define TSR_IO_SAFETENSORS_SAFETENSORS_H

#include <tessera/safetensors.h>
#include "core/check.h"
#include "io/safetensors/json.h"
#include "io/call/limits.h"
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

/* Bytes, and once it is open the table of what is in them. */
typedef struct tsr__st_file {
  tsr__input in;
  tsr_safetensors_options options;

  tsr__once header; /* the JSON */
  size_t header_bytes;
  uint64_t data; /* where the data begins, and its bytes */
  uint64_t data_bytes;
  size_t count; /* of entries */
  size_t pairs; /* of metadata */
  size_t text_bytes;
  tsr__st_entry *entry; /* in the order of the header */
  tsr__st_pair *pair;
  size_t *order; /* as many as entries or pairs, whichever are more */
  char *text;    /* the strings of both */
  tsr__scratch table_memory;
  tsr__budget budget;
} tsr__st_file;

/* Reads and checks the header. options may be NULL. Call tsr__st_close after success. */
tsr_status tsr__st_open(tsr__st_file *file, const tsr_safetensors_options *options);
void tsr__st_close(tsr__st_file *file);

/* Walks over the header: without a table it checks and counts; with one it fills it. */
tsr_status tsr__st_parse(tsr__st_file *file, bool fill);

/* What only the whole table shows: names that appear twice, gaps, overlaps. Leaves the order by name. */
tsr_status tsr__st_check_table(tsr__st_file *file);

/* Applies the reserved metadata: layouts and orders that fit their tensor. */
void tsr__st_apply_hints(tsr__st_file *file);

/* ---- into tensors ---- */

/* All tensors into a bundle; map (may be NULL) is the storage that bytes belong to. */
tsr_status tsr__st_read_all(tsr__st_file *file, tsr_storage *map, tsr_bundle *out, tsr_metadata *metadata);

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
