/* The directory of a zip archive, entry by entry: every number is compared with the bytes that are there. */
#include "io/bytes/text.h"
#include "io/zip/zip.h"

#include <string.h>

enum {
  FLAG_PATCH = 1 << 5,
  MOST_INFLATED = 1032 /* the largest that deflate makes of a byte: 258 of 2 bits */
};

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

/* One entry as it lies in the directory. */
typedef struct entry {
  const uint8_t *at;
  uint64_t position; /* in the file */
  size_t name_bytes, extra_bytes, all_bytes;
} entry;

static const uint8_t *name_of(const entry *e) { return e->at + TSR__ZIP_ENTRY_BYTES; }
static const uint8_t *extra_of(const entry *e) { return name_of(e) + e->name_bytes; }

/* ---- what it is ---- */

static tsr_status find_entry(const tsr__zip *zip, size_t offset, entry *e) {
  const size_t left = zip->directory_bytes - offset;
  *e = (entry){.at = zip->entries.bytes + offset, .position = zip->directory + offset};
  if (left < TSR__ZIP_ENTRY_BYTES || tsr__le32(e->at) != TSR__ZIP_ENTRY)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EFORMAT, "no entry of the directory");
  e->name_bytes = tsr__le16(e->at + 28);
  e->extra_bytes = tsr__le16(e->at + 30);
  e->all_bytes = TSR__ZIP_ENTRY_BYTES + e->name_bytes + e->extra_bytes + tsr__le16(e->at + 32);
  if (e->all_bytes > left)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EFORMAT, "an entry that ends past the directory");
  return TSR_OK;
}

static bool is_text(const uint8_t *name, size_t n) {
  for (size_t i = 0; i < n;) {
    const size_t step = name[i] != 0 ? tsr__utf8(name + i, n - i) : 0;
    if (step == 0) return false;
    i += step;
  }
  return true;
}

/* Copies the name without its ending to the text. */
static tsr_status read_name(const tsr__zip *zip, const entry *e, char *to) {
  const uint8_t *name = name_of(e);
  char shown[TSR__SHOWN];
  const size_t n = e->name_bytes;
  if (!is_text(name, n))
    return TSR__ZIP_REFUSE(zip, e->position + TSR__ZIP_ENTRY_BYTES, TSR_EUNSUPPORTED, "a member's name is not UTF-8");
  memcpy(to, name, n);
  to[n] = '\0';
  if (n < SUFFIX || memcmp(name + n - SUFFIX, suffix, SUFFIX) != 0) {
    tsr__show_text(to, shown);
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED, "member '%s' is not a .npy array", shown);
  }
  to[n - SUFFIX] = '\0'; /* that of ".npy" is "", as NumPy has it */
  return TSR_OK;
}

static tsr_status check_kind(const tsr__zip *zip, const entry *e, const char *name) {
  const uint32_t flags = tsr__le16(e->at + 8), method = tsr__le16(e->at + 10);
  char shown[TSR__SHOWN];
  tsr__show_text(name, shown);
  if ((flags & TSR__ZIP_FLAG_ENCRYPTED) != 0)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED, "member '%s' is encrypted", shown);
  if ((flags & FLAG_PATCH) != 0)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED, "member '%s' is a patch", shown);
  if (method != TSR__ZIP_STORED && method != TSR__ZIP_DEFLATED)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED,
                           "member '%s' is packed by method %d: only stored (0) and deflated (8) are read", shown,
                           (int)method);
  if (method == TSR__ZIP_DEFLATED && !TSR_HAVE_ZLIB)
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED, "member '%s' is deflated, and this build has no zlib",
                           shown);
  return TSR_OK;
}

/* ---- its sizes ---- */

/* The extra field with wide numbers; NULL when there is none, or its end is not that of the extra fields. */
static const uint8_t *find_wide(const entry *e, size_t *bytes) {
  const uint8_t *at = extra_of(e);
  for (size_t left = e->extra_bytes; left >= 4;) {
    const size_t n = tsr__le16(at + 2);
    if (n > left - 4) return NULL;
    if (tsr__le16(at) == TSR__ZIP_WIDE_ID) {
      *bytes = n;
      return at + 4;
    }
    at += 4 + n;
    left -= 4 + n;
  }
  return NULL;
}

/* Replaces a number that has no room by the next of the wide ones. */
static bool widen(uint64_t *value, const uint8_t **wide, size_t *left) {
  if (*value != 0xffffffff) return true;
  if (*wide == NULL || *left < 8) return false;
  *value = tsr__le64(*wide);
  *wide += 8;
  *left -= 8;
  return true;
}

static tsr_status read_sizes(const tsr__zip *zip, const entry *e, tsr__zip_member *m) {
  size_t left = 0;
  const uint8_t *wide = find_wide(e, &left);
  m->crc = tsr__le32(e->at + 16);
  m->packed = tsr__le32(e->at + 20);
  m->bytes = tsr__le32(e->at + 24);
  m->offset = tsr__le32(e->at + 42);
  m->deflated = tsr__le16(e->at + 10) == TSR__ZIP_DEFLATED;
  if (!widen(&m->bytes, &wide, &left) || !widen(&m->packed, &wide, &left) || !widen(&m->offset, &wide, &left))
    return TSR__ZIP_REFUSE(zip, e->position, TSR_EFORMAT, "the zip64 numbers of an entry are missing");
  return TSR_OK;
}

static tsr_status check_sizes(const tsr__zip *zip, const tsr__zip_member *m) {
  char shown[TSR__SHOWN];
  tsr__show_text(m->name, shown);
  if (m->offset > zip->directory || zip->directory - m->offset < TSR__ZIP_LOCAL_BYTES ||
      zip->directory - m->offset - TSR__ZIP_LOCAL_BYTES < m->packed)
    return TSR__ZIP_REFUSE(zip, m->at, TSR_EFORMAT, "member '%s' lies outside the file", shown);
  if (!m->deflated && m->packed != m->bytes)
    return TSR__ZIP_REFUSE(zip, m->at, TSR_EFORMAT, "member '%s' is stored, but has %l bytes in %l", shown,
                           (int64_t)m->bytes, (int64_t)m->packed);
  if (m->deflated && m->bytes / MOST_INFLATED > m->packed)
    return TSR__ZIP_REFUSE(zip, m->at, TSR_EFORMAT, "member '%s' cannot have the bytes that it declares in %l", shown,
                           (int64_t)m->packed);
  if (m->bytes > PTRDIFF_MAX)
    return TSR__ZIP_REFUSE(zip, m->at, TSR_EOVERFLOW, "member '%s' is larger than the address space", shown);
  return TSR_OK;
}

/* ---- all of them ---- */

static tsr_status read_entry(const tsr__zip *zip, const entry *e, char *name, tsr__zip_member *m) {
  *m = (tsr__zip_member){.name = name, .at = e->position};
  tsr_status st = read_name(zip, e, name);
  if (st == TSR_OK) st = check_kind(zip, e, name);
  if (st == TSR_OK && tsr__le16(e->at + 34) != 0)
    st = TSR__ZIP_REFUSE(zip, e->position, TSR_EUNSUPPORTED, "an archive of several disks");
  if (st == TSR_OK) st = read_sizes(zip, e, m);
  return st == TSR_OK ? check_sizes(zip, m) : st;
}

tsr_status tsr__zip_read_entries(tsr__zip *zip) {
  size_t offset = 0;
  char *name = zip->text;
  for (size_t i = 0; i < zip->count; i++) {
    tsr__zip_member *m = &zip->member[i];
    entry e;
    tsr_status st = find_entry(zip, offset, &e);
    if (st == TSR_OK) st = read_entry(zip, &e, name, m);
    if (st != TSR_OK) return st;
    offset += e.all_bytes;
    name += e.name_bytes + 1;
  }
  if (offset == zip->directory_bytes) return TSR_OK;
  return TSR__ZIP_REFUSE(zip, zip->directory + offset, TSR_EFORMAT, "%z bytes after the last entry of the directory",
                         zip->directory_bytes - offset);
}
