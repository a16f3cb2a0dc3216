/* Opening a zip archive: its directory, the local headers, and what only all of them show. */
#include "core/table.h"
#include "io/bytes/sort.h"
#include "io/bytes/text.h"
#include "io/zip/zip.h"

#include <string.h>

/* ---- local headers ---- */

/* Whether a size of the local header is the directory's, or left to another record. */
static bool same_size(uint32_t local, uint64_t size) { return local == size || local == 0xffffffff; }

/* Compares the name with the bytes of the directory, a piece at a time. */
static tsr_status same_name(const tsr__zip *zip, uint64_t at, const uint8_t *name, size_t n, bool *same) {
  uint8_t block[64];
  *same = true;
  for (size_t done = 0; done < n && *same;) {
    const size_t part = n - done < sizeof block ? n - done : sizeof block;
    const tsr_status st = tsr__input_get(&zip->in, at + done, block, part);
    if (st != TSR_OK) return st;
    *same = memcmp(block, name + done, part) == 0;
    done += part;
  }
  return TSR_OK;
}

static tsr_status check_local(const tsr__zip *zip, tsr__zip_member *m) {
  uint8_t local[TSR__ZIP_LOCAL_BYTES];
  char shown[TSR__SHOWN];
  const uint8_t *entry = zip->entries.bytes + (size_t)(m->at - zip->directory);
  const size_t name_bytes = tsr__le16(entry + 28);
  bool same = true;
  tsr__show_text(m->name, shown);
  tsr_status st = tsr__input_get(&zip->in, m->offset, local, sizeof local);
  if (st != TSR_OK) return st;
  if (tsr__le32(local) != TSR__ZIP_LOCAL)
    return TSR__ZIP_REFUSE(zip, m->offset, TSR_EFORMAT, "no local header for member '%s'", shown);
  m->data = m->offset + TSR__ZIP_LOCAL_BYTES + tsr__le16(local + 26) + tsr__le16(local + 28);
  if (m->data > zip->directory || zip->directory - m->data < m->packed)
    return TSR__ZIP_REFUSE(zip, m->offset, TSR_EFORMAT, "member '%s' lies outside the file", shown);
  const uint32_t flags = tsr__le16(local + 6);
  if ((flags & TSR__ZIP_FLAG_ENCRYPTED) != 0 || tsr__le16(local + 8) != tsr__le16(entry + 10) ||
      tsr__le16(local + 26) != name_bytes)
    return TSR__ZIP_REFUSE(zip, m->offset, TSR_EFORMAT, "the local header of '%s' disagrees with the directory", shown);
  st = same_name(zip, m->offset + TSR__ZIP_LOCAL_BYTES, entry + TSR__ZIP_ENTRY_BYTES, name_bytes, &same);
  if (st != TSR_OK) return st;
  const bool later = (flags & TSR__ZIP_FLAG_DESCRIPTOR) != 0; /* sizes follow the data */
  same = same && (later || (tsr__le32(local + 14) == m->crc && same_size(tsr__le32(local + 18), m->packed) &&
                            same_size(tsr__le32(local + 22), m->bytes)));
  if (!same)
    return TSR__ZIP_REFUSE(zip, m->offset, TSR_EFORMAT, "the local header of '%s' disagrees with the directory", shown);
  return TSR_OK;
}

/* Compares local headers with their entries, and finds where the bytes of members begin. */
static tsr_status read_locals(tsr__zip *zip) {
  for (size_t i = 0; i < zip->count; i++) {
    const tsr_status st = check_local(zip, &zip->member[i]);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

/* ---- names, places ---- */

static bool data_before(const void *user, size_t a, size_t b) {
  const tsr__zip_member *m = user;
  return m[a].offset != m[b].offset ? m[a].offset < m[b].offset : a < b;
}

static tsr_status check_all(const tsr__zip *zip) {
  char shown[TSR__SHOWN];
  const size_t twice = tsr__find_twice(zip->member, sizeof *zip->member, zip->count, zip->order);
  if (twice < zip->count) {
    tsr__show_text(zip->member[twice].name, shown);
    return TSR__ZIP_REFUSE(zip, zip->member[twice].at, TSR_EFORMAT, "member '%s' appears twice", shown);
  }
  tsr__sort(zip->order, zip->count, data_before, zip->member);
  for (size_t i = 1; i < zip->count; i++) {
    const tsr__zip_member *m = &zip->member[zip->order[i]], *last = &zip->member[zip->order[i - 1]];
    if (last->data + last->packed <= m->offset) continue;
    tsr__show_text(m->name, shown);
    return TSR__ZIP_REFUSE(zip, m->offset, TSR_EFORMAT, "member '%s' overlaps another", shown);
  }
  return TSR_OK;
}

/* ---- all of it ---- */

static tsr_status set_options(tsr__zip *zip, const tsr_npz_options *options) {
  if (options != NULL) zip->options = *options;
  return tsr__input_check_options(&zip->in, zip->options.access, TSR__ROOM(&zip->options));
}

static tsr_status load_directory(tsr__zip *zip) {
  zip->entries = tsr__once_start(zip->directory, zip->directory_bytes);
  return tsr__once_need(&zip->entries, &zip->in, zip->directory_bytes);
}

/* Members, their order, their names: names are part of the directory, which is limited, and entries have more bytes
 * than the zeros behind names. No sum here can wrap. */
static tsr_status make_table(tsr__zip *zip) {
  const size_t members = zip->count * sizeof *zip->member, orders = zip->count * sizeof *zip->order;
  const tsr_status st =
      tsr__scratch_get(zip->in.ctx, zip->in.op, members + orders + zip->directory_bytes, &zip->table_memory);
  if (st != TSR_OK || zip->count == 0) return st;
  uint8_t *base = zip->table_memory.data;
  zip->member = (tsr__zip_member *)(void *)base;
  zip->order = (size_t *)(void *)(base + members);
  zip->text = (char *)base + members + orders;
  return TSR_OK;
}

_Static_assert(sizeof(tsr__zip_member) % _Alignof(size_t) == 0, "the order lies behind the members");

tsr_status tsr__zip_open(tsr__zip *zip, const tsr_npz_options *options) {
  tsr_status st = set_options(zip, options);
  if (st == TSR_OK) st = tsr__zip_find_directory(zip);
  if (st == TSR_OK) st = load_directory(zip);
  if (st == TSR_OK) st = make_table(zip);
  if (st == TSR_OK) st = tsr__zip_read_entries(zip);
  if (st == TSR_OK) st = read_locals(zip);
  if (st == TSR_OK) st = check_all(zip);
  if (st != TSR_OK) tsr__zip_close(zip);
  return st;
}

void tsr__zip_close(tsr__zip *zip) {
  tsr__scratch_put(&zip->table_memory);
  tsr__once_end(&zip->entries);
}
