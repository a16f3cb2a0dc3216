/* Opening a safetensors file: its length, its header, the table of its tensors. No number of the file is used before it
 * is compared with the bytes that are there. */
#include "io/safetensors/safetensors.h"
#include "core/table.h"

#include <stddef.h>

enum { LENGTH_BYTES = 8 };

#define REFUSE(file, code, ...) TSR__FAIL((file)->in.ctx, code, (file)->in.op, NULL, __VA_ARGS__)

/* ---- the header ---- */

static tsr_status read_length(tsr_safetensors_file *file) {
  const tsr__limit_call call = {.ctx = file->in.ctx, .op = file->in.op, .where = file->in.where};
  uint8_t bytes[LENGTH_BYTES];
  uint64_t length = 0;
  if (file->in.size < LENGTH_BYTES)
    return REFUSE(file, TSR_EFORMAT, "%sbyte %z: the file ends inside its header's length", file->in.where,
                  (size_t)file->in.size);
  if (file->in.size > INT64_MAX)
    return REFUSE(file, TSR_EOVERFLOW, "%smore bytes than a file can have", file->in.where);
  tsr_status st = tsr__input_get(&file->in, 0, bytes, sizeof bytes);
  if (st != TSR_OK) return st;
  for (int i = LENGTH_BYTES - 1; i >= 0; i--) length = length << 8 | bytes[i];
  if (length > file->in.size - LENGTH_BYTES)
    return REFUSE(file, TSR_EFORMAT, "%sbyte 0: a header of %z bytes, but the file ends after %l", file->in.where,
                  (size_t)length, (int64_t)(file->in.size - LENGTH_BYTES));
  st = tsr__limit_check(&call, TSR__LIMIT_HEADER, "its header takes", "bytes", length,
                        tsr__limit(call.ctx, TSR__LIMIT_HEADER, TSR__ST_MAX_HEADER));
  if (st != TSR_OK) return st;
  file->header_bytes = (size_t)length;
  file->data = LENGTH_BYTES + length;
  file->data_bytes = file->in.size - file->data;
  return TSR_OK;
}

static tsr_status read_header(tsr_safetensors_file *file) {
  if (file->header_bytes > PTRDIFF_MAX / 4)
    return REFUSE(file, TSR_EOVERFLOW, "%sthe header is larger than the address space", file->in.where);
  file->header = tsr__once_start(LENGTH_BYTES, file->header_bytes);
  return tsr__once_need(&file->header, &file->in, file->header_bytes);
}

/* ---- the table ---- */

/* Adds count elements of some bytes to *total, aligned for anything, and says where they begin. */
static bool add_part(size_t *total, size_t count, size_t bytes, size_t *offset) {
  const size_t align = _Alignof(max_align_t);
  size_t part;
  *offset = (*total + align - 1) & ~(align - 1);
  return tsr__mul_size(count, bytes, &part) && part <= PTRDIFF_MAX && tsr__add_size(*offset, part, total) &&
         *total <= PTRDIFF_MAX - align;
}

/* One block. The tree counts bits of names in its numbers. */
static tsr_status make_table(tsr_safetensors_file *file) {
  const size_t orders = file->count > file->pairs ? file->count : file->pairs;
  const uint64_t bits = 8 * (uint64_t)file->text_bytes;
  size_t total = 0, entries, pairs, order, tree, text;
  if (bits > (uint64_t)TSR_INDEX_MAX || !add_part(&total, file->count, sizeof *file->entry, &entries) ||
      !add_part(&total, file->pairs, sizeof *file->pair, &pairs) ||
      !add_part(&total, orders, sizeof *file->order, &order) ||
      !add_part(&total, file->count, TSR__BRANCH * sizeof *file->tree, &tree) ||
      !add_part(&total, file->text_bytes, 1, &text))
    return REFUSE(file, TSR_EOVERFLOW, "%s%z tensors are more than the address space has room for", file->in.where,
                  file->count);
  const tsr_status st = tsr__scratch_get(file->in.ctx, file->in.op, total, &file->table_memory);
  if (st != TSR_OK || total == 0) return st;
  uint8_t *base = file->table_memory.data;
  file->entry = (tsr__st_entry *)(void *)(base + entries);
  file->pair = (tsr__st_pair *)(void *)(base + pairs);
  file->order = (size_t *)(void *)(base + order);
  file->tree = (tsr_index *)(void *)(base + tree);
  file->text = (char *)base + text;
  return TSR_OK;
}

/* ---- all of it ---- */

static tsr_status set_options(tsr_safetensors_file *file, const tsr_safetensors_options *options) {
  if (options != NULL) file->options = *options;
  return tsr__input_check_options(&file->in, file->options.access, TSR__ROOM(&file->options));
}

static tsr_status parse_all(tsr_safetensors_file *file) {
  tsr_status st = tsr__st_parse(file, false);
  if (st == TSR_OK) st = make_table(file);
  if (st == TSR_OK) st = tsr__st_parse(file, true);
  if (st == TSR_OK) st = tsr__st_check_table(file);
  if (st == TSR_OK && !file->options.plain) tsr__st_apply_hints(file);
  return st;
}

static tsr_status open_all(tsr_safetensors_file *file, const tsr_safetensors_options *options) {
  tsr_status st = set_options(file, options);
  if (st == TSR_OK) st = read_length(file);
  if (st == TSR_OK) st = read_header(file);
  return st == TSR_OK ? parse_all(file) : st;
}

tsr_status tsr__st_open(tsr_ctx *ctx, const char *op, const tsr_safetensors_options *options,
                        tsr_safetensors_file *file) {
  tsr__st_call call;
  tsr_status st = tsr__st_call_start(ctx, op, file, &call);
  if (st != TSR_OK) return st;
  const tsr__input own = file->in;
  file->in = call.in;
  st = tsr__st_call_end(&call, open_all(file, options));
  file->in = own;
  if (st != TSR_OK) tsr__st_close(file);
  return st;
}

void tsr__st_close(tsr_safetensors_file *file) {
  tsr__scratch_put(&file->table_memory);
  tsr__once_end(&file->header);
}
