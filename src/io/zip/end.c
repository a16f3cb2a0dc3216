/* Where the directory of a zip archive is: the record at its end says it, or one of 64 bits before that. */
#include "io/zip/zip.h"

enum { MAX_COMMENT = 65535, DEFAULT_DIRECTORY = 1 << 28 };

/* What the end records say. */
typedef struct ends {
  uint64_t at;     /* the record that was read first */
  uint64_t before; /* the directory must end here */
  uint64_t disks;  /* all numbers of disks, or-ed: 0 in an archive of one file */
  uint64_t here, count, bytes, offset;
} ends;

/* The last place where an end record fits with its comment the end of the file; false when there is none. */
static bool find_end(const uint8_t *tail, size_t n, size_t *at) {
  for (size_t i = n - TSR__ZIP_END_BYTES + 1; i > 0; i--) {
    const uint8_t *record = tail + (i - 1);
    if (tsr__le32(record) != TSR__ZIP_END || tsr__le16(record + 20) != n - (i - 1) - TSR__ZIP_END_BYTES) continue;
    *at = i - 1;
    return true;
  }
  return false;
}

static tsr_status read_end(const tsr__zip *zip, uint8_t record[TSR__ZIP_END_BYTES], ends *e) {
  const uint64_t size = zip->in.size;
  const uint64_t most = TSR__ZIP_END_BYTES + MAX_COMMENT;
  const size_t n = (size_t)(size < most ? size : most);
  size_t at = 0;
  if (size < TSR__ZIP_END_BYTES)
    return TSR__ZIP_REFUSE(zip, size, TSR_EFORMAT, "the file is too short for a zip archive");
  tsr__once tail = tsr__once_start(size - n, n);
  const tsr_status st = tsr__once_need(&tail, &zip->in, n);
  const bool found = st == TSR_OK && find_end(tail.bytes, n, &at);
  for (size_t i = 0; i < TSR__ZIP_END_BYTES && found; i++) record[i] = tail.bytes[at + i];
  tsr__once_end(&tail);
  if (st != TSR_OK) return st;
  e->at = e->before = size - n + at;
  if (!found) return TSR__ZIP_REFUSE(zip, size, TSR_EFORMAT, "no end of a zip archive: cut short, or not one");
  return TSR_OK;
}

/* A number of the end record is that of the wide one, or says that it has no room. */
static bool agrees(uint64_t narrow, uint64_t full, uint64_t wide) { return narrow == full || narrow == wide; }

static tsr_status read_wide(const tsr__zip *zip, const uint8_t *locator, ends *e) {
  uint8_t record[TSR__ZIP_END64_BYTES];
  const uint64_t place = e->at - TSR__ZIP_LOCATOR_BYTES, at = tsr__le64(locator + 8);
  if (tsr__le32(locator + 4) != 0 || tsr__le32(locator + 16) > 1)
    return TSR__ZIP_REFUSE(zip, place, TSR_EUNSUPPORTED, "an archive of several disks");
  if (at > place || place - at < TSR__ZIP_END64_BYTES)
    return TSR__ZIP_REFUSE(zip, place, TSR_EFORMAT, "the zip64 end record lies outside the file");
  const tsr_status st = tsr__input_get(&zip->in, at, record, sizeof record);
  if (st != TSR_OK) return st;
  if (tsr__le32(record) != TSR__ZIP_END64 || tsr__le64(record + 4) != place - at - 12)
    return TSR__ZIP_REFUSE(zip, at, TSR_EFORMAT, "no zip64 end record where one is announced");
  const ends wide = {.at = at,
                     .before = at,
                     .disks = tsr__le32(record + 16) | tsr__le32(record + 20),
                     .here = tsr__le64(record + 24),
                     .count = tsr__le64(record + 32),
                     .bytes = tsr__le64(record + 40),
                     .offset = tsr__le64(record + 48)};
  if (!agrees(e->count, 0xffff, wide.count) || !agrees(e->bytes, 0xffffffff, wide.bytes) ||
      !agrees(e->offset, 0xffffffff, wide.offset))
    return TSR__ZIP_REFUSE(zip, e->at, TSR_EFORMAT, "the end record and its zip64 form disagree");
  *e = wide;
  return TSR_OK;
}

static tsr_status read_ends(const tsr__zip *zip, ends *e) {
  uint8_t record[TSR__ZIP_END_BYTES] = {0}, locator[TSR__ZIP_LOCATOR_BYTES];
  tsr_status st = read_end(zip, record, e);
  if (st != TSR_OK) return st;
  e->disks = tsr__le16(record + 4) | tsr__le16(record + 6);
  e->here = tsr__le16(record + 8);
  e->count = tsr__le16(record + 10);
  e->bytes = tsr__le32(record + 12);
  e->offset = tsr__le32(record + 16);
  if (e->at < TSR__ZIP_LOCATOR_BYTES) return TSR_OK;
  st = tsr__input_get(&zip->in, e->at - TSR__ZIP_LOCATOR_BYTES, locator, sizeof locator);
  if (st != TSR_OK || tsr__le32(locator) != TSR__ZIP_LOCATOR) return st;
  return read_wide(zip, locator, e);
}

static tsr_status check_limits(const tsr__zip *zip, const ends *e) {
  const tsr__limit_call call = tsr__zip_call(zip);
  const tsr_status st = tsr__limit_check(&call, TSR__LIMIT_HEADER, "its directory takes", "bytes", e->bytes,
                                         tsr__limit(call.ctx, TSR__LIMIT_HEADER, DEFAULT_DIRECTORY));
  if (st != TSR_OK) return st;
  if (e->bytes > PTRDIFF_MAX / 4) /* it is read into memory */
    return TSR__ZIP_REFUSE(zip, e->at, TSR_EOVERFLOW, "the directory is larger than the address space");
  return tsr__limit_check(&call, TSR__LIMIT_TENSORS, "it has", "members", e->count,
                          tsr__limit(call.ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
}

tsr_status tsr__zip_find_directory(tsr__zip *zip) {
  ends e = {0};
  if (zip->in.size > INT64_MAX)
    return TSR__FAIL(zip->in.ctx, TSR_EOVERFLOW, zip->in.op, NULL, "%smore bytes than a file can have", zip->in.where);
  tsr_status st = read_ends(zip, &e);
  if (st != TSR_OK) return st;
  if (e.disks != 0 || e.here != e.count)
    return TSR__ZIP_REFUSE(zip, e.at, TSR_EUNSUPPORTED, "an archive of several disks");
  if (e.offset > e.before || e.bytes != e.before - e.offset)
    return TSR__ZIP_REFUSE(zip, e.at, TSR_EFORMAT, "the directory does not end where this record begins");
  if (e.count > e.bytes / TSR__ZIP_ENTRY_BYTES)
    return TSR__ZIP_REFUSE(zip, e.at, TSR_EFORMAT, "more members than a directory of %l bytes has room for",
                           (int64_t)e.bytes);
  st = check_limits(zip, &e);
  if (st != TSR_OK) return st;
  zip->directory = e.offset;
  zip->directory_bytes = (size_t)e.bytes;
  zip->count = (size_t)e.count;
  return TSR_OK;
}
