/* Reading one .npy array: the preamble, the header, the elements. What the file says is checked before it is used. */
#include "io/bytes/swap.h"
#include "io/bytes/walk.h"
#include "io/npy/npy.h"

#include "core/storage.h"
#include "core/table.h"

#include <string.h>

enum { DEFAULT_HEADER = 10000 };

/* From a source of unknown length, this many bytes are asked for on the file's word alone; more only after they came.
 */
enum { FIRST_STEP = 1 << 20 };

#define REFUSE(reader, code, ...) TSR__FAIL((reader)->ctx, code, (reader)->op, NULL, __VA_ARGS__)

/* ---- bytes on their way in ---- */

/* The source may give fewer bytes than asked for, as pipes do; only 0 of them is the end. */
static tsr_status pull(tsr__npy_reader *reader, size_t offset, void *bytes, size_t n, size_t *got) {
  *got = 0;
  while (*got < n) {
    size_t some = 0;
    const tsr_status st = reader->source->read(reader->source->self, (char *)bytes + *got, n - *got, &some);
    if (st != TSR_OK) return REFUSE(reader, st, "%sthe source failed at byte %z", reader->where, offset + *got);
    if (some > n - *got)
      return REFUSE(reader, TSR_EIO, "%sthe source gave more bytes than it was asked for", reader->where);
    if (some == 0) break;
    *got += some;
  }
  if (reader->bounded) reader->left -= *got < reader->left ? *got : reader->left;
  return TSR_OK;
}

/* Up to n bytes, *got of them: fewer than n only at the end. Data bytes: the window must be empty. */
static tsr_status take_bytes(tsr__npy_reader *reader, void *bytes, size_t n, size_t *got) {
  const tsr_status st = pull(reader, reader->offset, bytes, n, got);
  reader->offset += *got;
  return st;
}

static void fill_window(tsr__npy_reader *reader) {
  const size_t want = reader->header_left < sizeof reader->window ? reader->header_left : sizeof reader->window;
  size_t got;
  reader->status = pull(reader, reader->offset, reader->window, want, &got);
  reader->at = 0;
  reader->filled = (uint8_t)got;
  reader->header_left -= got;
  if (reader->status == TSR_OK && got < want)
    reader->status = REFUSE(reader, TSR_EFORMAT, "%sheader: byte %z: the file ends inside the header", reader->where,
                            reader->offset + got);
  if (reader->status != TSR_OK) reader->filled = 0;
}

int tsr__npy_peek(tsr__npy_reader *reader) {
  if (reader->at == reader->filled && reader->header_left > 0 && reader->status == TSR_OK) fill_window(reader);
  return reader->at < reader->filled ? reader->window[reader->at] : -1;
}

void tsr__npy_skip(tsr__npy_reader *reader) {
  if (reader->at == reader->filled) return;
  reader->at++;
  reader->offset++;
}

/* ---- the preamble ---- */

static tsr_status ends_early(tsr__npy_reader *reader) {
  return REFUSE(reader, TSR_EFORMAT, "%sbyte %z: the file ends inside its preamble", reader->where, reader->offset);
}

static tsr_status take_all(tsr__npy_reader *reader, void *bytes, size_t n) {
  size_t got;
  const tsr_status st = take_bytes(reader, bytes, n, &got);
  return st != TSR_OK || got == n ? st : ends_early(reader);
}

static tsr_status read_version(tsr__npy_reader *reader, int *major) {
  static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  unsigned char start[8];
  size_t got;
  const tsr_status st = take_bytes(reader, start, sizeof start, &got);
  if (st != TSR_OK) return st;
  if (memcmp(start, magic, got < sizeof magic ? got : sizeof magic) != 0)
    return REFUSE(reader, TSR_EFORMAT, "%sbyte 0: not a .npy file: the magic string is missing", reader->where);
  if (got < sizeof start) return ends_early(reader);
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    return REFUSE(reader, TSR_EUNSUPPORTED, "%sbyte 6: version %d.%d is not supported", reader->where, (int)start[6],
                  (int)start[7]);
  *major = start[6];
  return TSR_OK;
}

/* 2 bytes in version 1, 4 in later ones, little-endian. */
static tsr_status read_header_length(tsr__npy_reader *reader, int major) {
  unsigned char bytes[4] = {0};
  const tsr__limit_call call = {.ctx = reader->ctx, .op = reader->op, .where = reader->where};
  tsr_status st = take_all(reader, bytes, major == 1 ? 2 : 4);
  if (st != TSR_OK) return st;
  const uint32_t length =
      (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  st = tsr__limit_check(&call, TSR__LIMIT_HEADER, "its header takes", "bytes", length,
                        tsr__limit(call.ctx, TSR__LIMIT_HEADER, DEFAULT_HEADER));
  if (st != TSR_OK) return st;
  if (reader->bounded && length > reader->left)
    return REFUSE(reader, TSR_EFORMAT, "%sbyte 8: a header of %l bytes, but the file ends after %z", reader->where,
                  (int64_t)length, reader->left);
  reader->header_left = length;
  return TSR_OK;
}

static tsr_status check_options(tsr__npy_reader *reader, const tsr_npy_options *options) {
  const int dtype = options->void_dtype;
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  if (dtype == 0 || (info != NULL && info->npy[0] == 'V')) return TSR_OK;
  return TSR__FAIL(reader->ctx, TSR_EARG, reader->op, "options", "void_dtype %d is not bf16 or an f8", dtype);
}

tsr_status tsr__npy_read_header(tsr__npy_reader *reader, const tsr_npy_options *options, tsr__npy_header *header) {
  const tsr_npy_options defaults = {0};
  if (options == NULL) options = &defaults;
  int major = 0;
  tsr_status st = tsr__check_reserved(reader->ctx, reader->op, TSR__ROOM(options));
  if (st == TSR_OK) st = check_options(reader, options);
  if (st == TSR_OK) st = read_version(reader, &major);
  if (st == TSR_OK) st = read_header_length(reader, major);
  if (st != TSR_OK) return st;
  return tsr__npy_parse_header(reader, major < 3, options->void_dtype, header);
}

/* ---- the elements ---- */

tsr_status tsr__npy_cut_short(tsr__npy_reader *reader, const tsr__npy_header *header, size_t there) {
  return REFUSE(reader, TSR_EFORMAT, "%sdata cut short: %y %S takes %z bytes, %z are there", reader->where,
                header->dtype, header->ndim, header->shape, header->bytes, there);
}

/* From file bytes to elements: the host's byte order; a bool that is 0 or 1 whatever stood there. */
static void settle(const tsr__npy_header *header, void *data, size_t bytes) {
  if (header->swapped) tsr__swap_bytes(header->dtype, data, bytes);
  if (header->dtype != TSR_BOOL) return;
  unsigned char *flags = data;
  for (size_t i = 0; i < bytes; i++) flags[i] = flags[i] != 0;
}

static tsr_status read_straight(tsr__npy_reader *reader, const tsr__npy_header *header, void *data) {
  size_t got;
  const tsr_status st = take_bytes(reader, data, header->bytes, &got);
  if (st != TSR_OK) return st;
  if (got < header->bytes) return tsr__npy_cut_short(reader, header, got);
  settle(header, data, header->bytes);
  return TSR_OK;
}

static tsr_status read_scattered(tsr__npy_reader *reader, const tsr__npy_header *header, const tsr_tensor *out) {
  _Alignas(16) char block[TSR__ELEMENT_BLOCK];
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, out, header->fortran);
  for (size_t done = 0; done < header->bytes;) {
    const size_t rest = header->bytes - done;
    const size_t want = rest < sizeof block ? rest : sizeof block;
    size_t got;
    const tsr_status st = take_bytes(reader, block, want, &got);
    if (st != TSR_OK) return st;
    if (got < want) return tsr__npy_cut_short(reader, header, done + got);
    settle(header, block, want);
    tsr__element_scatter(&walk, want / walk.item, block);
    done += want;
  }
  return TSR_OK;
}

static tsr_order order_of(const tsr__npy_header *header) { return header->fortran ? TSR_FORTRAN : TSR_ROW_MAJOR; }

static tsr_status read_elements(tsr__npy_reader *reader, const tsr__npy_header *header, const tsr_tensor *out) {
  if (header->bytes == 0) return TSR_OK;
  if (tsr_is_contiguous(out, order_of(header))) return read_straight(reader, header, out->data);
  return read_scattered(reader, header, out);
}

/* ---- memory for an empty output ---- */

static tsr_status enlarge(tsr__npy_reader *reader, size_t bytes, size_t filled, tsr_storage **storage) {
  tsr_storage *larger = NULL;
  const tsr_status st = tsr__storage_make(reader->ctx, reader->op, NULL, bytes, TSR_HINT_DEFAULT, &larger);
  if (st != TSR_OK) return st;
  if (filled > 0) memcpy(tsr_storage_data(larger), tsr_storage_data(*storage), filled);
  tsr_storage_release(*storage);
  *storage = larger;
  return TSR_OK;
}

/* Where the bytes are known to be there, storage for all of them; otherwise storage that grows as they come: never more
 * than twice what has come, or the first step. */
static tsr_status read_growing(tsr__npy_reader *reader, const tsr__npy_header *header, tsr_storage **storage) {
  size_t filled = 0;
  for (size_t capacity = reader->bounded ? header->bytes : FIRST_STEP; filled < header->bytes; capacity *= 2) {
    if (capacity > header->bytes / 2) capacity = header->bytes;
    size_t got;
    tsr_status st = enlarge(reader, capacity, filled, storage);
    if (st != TSR_OK) return st;
    st = take_bytes(reader, (char *)tsr_storage_data(*storage) + filled, capacity - filled, &got);
    if (st != TSR_OK) return st;
    filled += got;
    if (filled < capacity) return tsr__npy_cut_short(reader, header, filled);
  }
  settle(header, tsr_storage_data(*storage), header->bytes);
  return TSR_OK;
}

/* The elements stay as they lie in the file: Fortran order becomes strides. */
static tsr_status read_into_empty(tsr__npy_reader *reader, const tsr__npy_header *header, tsr_tensor *out) {
  tsr_storage *storage = NULL;
  tsr_index stride[TSR_MAX_DIMS];
  tsr__strides_for(header->ndim, header->shape, order_of(header), stride);
  tsr_status st = read_growing(reader, header, &storage);
  if (st == TSR_OK)
    st = tsr_from_storage(reader->ctx, storage, 0, header->dtype, header->ndim, header->shape, stride, out);
  tsr_storage_release(storage);
  return st;
}

/* ---- one array ---- */

/* Into *out as it is given, or in memory as it is described: that is the caller's word for the size, not the file's. */
static tsr_status read_into(tsr__npy_reader *reader, const tsr__npy_header *header, const tsr__result *result,
                            tsr_tensor *out) {
  const bool fresh = out->data == NULL;
  tsr_tensor filled = *out;
  tsr_status st = tsr__output(reader->ctx, reader->op, result, &filled);
  if (st != TSR_OK) return st;
  st = read_elements(reader, header, &filled);
  if (st == TSR_OK)
    *out = filled;
  else if (fresh)
    tsr_release(&filled);
  return st;
}

static tsr_status take_budget(tsr__npy_reader *reader, uint64_t file_bytes, size_t bytes) {
  if (reader->budget != NULL) return tsr__budget_take(reader->budget, bytes);
  tsr__budget only = tsr__budget_start(reader->ctx, reader->op, reader->where, file_bytes);
  return tsr__budget_take(&only, bytes);
}

tsr_status tsr__npy_read_array(tsr__npy_reader *reader, const tsr_npy_options *options, tsr_tensor *out) {
  const uint64_t file_bytes = reader->bounded ? reader->left : UINT64_MAX;
  tsr__npy_header header = {0};
  tsr_status st = tsr__npy_read_header(reader, options, &header);
  if (st != TSR_OK) return st;
  const bool empty = tsr_is_none(out);
  const tsr__result result = {
      .dtype = header.dtype, .layout = empty ? TSR_PLAIN : out->layout, .ndim = header.ndim, .shape = header.shape};
  st = tsr__output_check(reader->ctx, reader->op, &result, out);
  if (st != TSR_OK) return st;
  if (reader->bounded && header.bytes > reader->left) return tsr__npy_cut_short(reader, &header, reader->left);
  if (out->data == NULL) st = take_budget(reader, file_bytes, header.bytes);
  if (st != TSR_OK) return st;
  if (empty && header.bytes > 0) return read_into_empty(reader, &header, out);
  return read_into(reader, &header, &result, out);
}

tsr_status tsr_npy_read(tsr_ctx *ctx, const tsr_source *source, const tsr_npy_options *options, tsr_tensor *out) {
  const tsr_status given = tsr__check_source(ctx, "npy_read", source);
  if (given != TSR_OK) return given;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, "npy_read", "out", "is NULL");
  tsr__npy_reader reader = {.ctx = ctx, .op = "npy_read", .where = "", .source = source};
  return tsr__npy_read_array(&reader, options, out);
}
