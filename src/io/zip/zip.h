/* Zip archives of .npy members: the directory, and the bytes of a member. */
#ifndef TSR_IO_ZIP_ZIP_H
#define TSR_IO_ZIP_ZIP_H

#include <tessera/npz.h>
#include "io/bytes/input.h"
#include "io/call/limits.h"
#include "io/bytes/little.h"
#include "io/bytes/once.h"
#include "io/bytes/pack.h"

/* Records of the format, and the bytes of each without its variable parts. */
enum {
  TSR__ZIP_LOCAL = 0x04034b50,
  TSR__ZIP_LOCAL_BYTES = 30,
  TSR__ZIP_ENTRY = 0x02014b50,
  TSR__ZIP_ENTRY_BYTES = 46,
  TSR__ZIP_END = 0x06054b50,
  TSR__ZIP_END_BYTES = 22,
  TSR__ZIP_END64 = 0x06064b50,
  TSR__ZIP_END64_BYTES = 56,
  TSR__ZIP_LOCATOR = 0x07064b50,
  TSR__ZIP_LOCATOR_BYTES = 20,
  TSR__ZIP_DESCRIPTOR = 0x08074b50,
  TSR__ZIP_STORED = 0,
  TSR__ZIP_DEFLATED = 8,
  TSR__ZIP_FLAG_ENCRYPTED = 0x2041, /* plainly, strongly, and the directory itself */
  TSR__ZIP_FLAG_DESCRIPTOR = 8,     /* sizes and CRC follow the data */
  TSR__ZIP_FLAG_UTF8 = 0x800,
  TSR__ZIP_WIDE_ID = 1 /* the extra field with sizes of 64 bits */
};

/* ---- the directory ---- */

typedef struct tsr__zip_member {
  const char *name; /* without ".npy", closed by a zero */
  uint64_t at;      /* the byte of the file where its entry of the directory stands */
  uint64_t offset;  /* of its local header */
  uint64_t data;    /* of its bytes */
  uint64_t packed, bytes;
  uint32_t crc;
  bool deflated;
  bool counted; /* among what an open archive has inflated */
} tsr__zip_member;

typedef struct tsr__zip {
  tsr__input in;
  tsr_npz_options options;
  uint64_t directory; /* where it begins */
  size_t directory_bytes;
  size_t count;
  tsr__once entries;       /* the bytes of the directory */
  tsr__zip_member *member; /* in the order of the directory */
  size_t *order;           /* as many */
  char *text;              /* their names */
  tsr__scratch table_memory;
} tsr__zip;

static inline tsr__limit_call tsr__zip_call(const tsr__zip *zip) {
  return (tsr__limit_call){.ctx = zip->in.ctx, .op = zip->in.op, .where = zip->in.where};
}

/* A refusal at a byte of the file. A macro, because the text must vanish where messages are configured off. */
#define TSR__ZIP_REFUSE(zip, position, code, ...) TSR__ZIP_REFUSE_(zip, position, code, __VA_ARGS__, 0)
#define TSR__ZIP_REFUSE_(zip, position, code, text, ...)                                                       \
  TSR__FAIL((zip)->in.ctx, code, (zip)->in.op, NULL, "%sbyte %l: " text, (zip)->in.where, (int64_t)(position), \
            __VA_ARGS__)

/* Reads and checks the directory and the local header of every member. zip->in is set; options may be NULL. Call
 * tsr__zip_close after success. */
tsr_status tsr__zip_open(tsr__zip *zip, const tsr_npz_options *options);
void tsr__zip_close(tsr__zip *zip);

/* Finds the directory: zip->directory, directory_bytes, count. */
tsr_status tsr__zip_find_directory(tsr__zip *zip);

/* Fills the table from the entries of the directory. */
tsr_status tsr__zip_read_entries(tsr__zip *zip);

/* ---- the bytes of a member ---- */

typedef struct tsr__zip_stream {
  const tsr__zip *zip;
  const tsr__zip_member *member;
  uint64_t taken; /* packed bytes that were asked for */
  uint64_t given;
  uint32_t crc; /* of what was given */
  bool ended;
  tsr_status status; /* what made read fail, and the rule that was broken, if one was */
  const char *broken;
  tsr__packer *inflater;
  tsr__pack_step step;
  tsr__scratch input;
} tsr__zip_stream;

tsr_status tsr__zip_stream_open(const tsr__zip *zip, const tsr__zip_member *member, tsr__zip_stream *stream);
tsr_status tsr__zip_stream_read(void *stream, void *bytes, size_t n, size_t *got); /* of a tsr_source */
tsr_status tsr__zip_stream_finish(tsr__zip_stream *stream);       /* reads to the end, and compares size and CRC */
tsr_status tsr__zip_stream_failed(const tsr__zip_stream *stream); /* what is wrong; TSR_OK when nothing is */
void tsr__zip_stream_close(tsr__zip_stream *stream);

/* TSR_EFORMAT when the CRC of a member is not the declared one. */
tsr_status tsr__zip_check_crc(const tsr__zip *zip, const tsr__zip_member *member, uint32_t crc);

#endif
