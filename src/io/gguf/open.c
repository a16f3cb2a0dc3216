/* Opening a GGUF file: limits, the table, and what only all of it shows. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/text.h"
#include "io/bytes/sort.h"

enum { DEFAULT_HEADER = 1 << 28, DEFAULT_MAX_ITEMS = 64, DEFAULT_ALIGN = 32 };

/* ---- names, places ---- */

static bool data_before(const void *user, size_t a, size_t b) {
  const tsr__gguf_entry *entry = user;
  return entry[a].begin != entry[b].begin ? entry[a].begin < entry[b].begin : a < b;
}

static tsr_status check_names(const tsr__gguf_file *file) {
  char shown[TSR__SHOWN];
  const size_t key = tsr__find_twice(file->pair, sizeof *file->pair, file->pairs, file->order);
  if (key < file->pairs) {
    tsr__show_text(file->pair[key].key, shown);
    return TSR__GGUF_REFUSE(file, file->pair[key].at, TSR_EFORMAT, "key '%s' appears twice", shown);
  }
  const size_t name = tsr__find_twice(file->entry, sizeof *file->entry, file->count, file->order);
  if (name == file->count) return TSR_OK;
  tsr__show_text(file->entry[name].name, shown);
  return TSR__GGUF_REFUSE(file, file->entry[name].at, TSR_EFORMAT, "tensor '%s' appears twice", shown);
}

static tsr_status check_places(const tsr__gguf_file *file) {
  char shown[TSR__SHOWN];
  uint64_t end = 0;
  tsr__sort(file->order, file->count, data_before, file->entry);
  for (size_t i = 0; i < file->count; i++) {
    const tsr__gguf_entry *e = &file->entry[file->order[i]];
    tsr__show_text(e->name, shown);
    if (e->begin % file->align != 0)
      return TSR__GGUF_REFUSE(file, e->at, TSR_EFORMAT, "tensor '%s' is not aligned to %l", shown,
                              (int64_t)file->align);
    if (e->bytes > file->data_bytes || e->begin > file->data_bytes - e->bytes)
      return TSR__GGUF_REFUSE(file, e->at, TSR_EFORMAT, "tensor '%s' lies past the end of the file", shown);
    if (e->bytes > 0 && e->begin < end)
      return TSR__GGUF_REFUSE(file, e->at, TSR_EFORMAT, "tensor '%s' overlaps another", shown);
    if (e->bytes > 0) end = e->begin + e->bytes;
  }
  return TSR_OK;
}

/* What only the whole table shows: names that appear twice, tensors outside the data or over one another. */
static tsr_status check_table(tsr__gguf_file *file) {
  file->data = (file->at + (file->align - 1)) & ~(file->align - 1); /* both far from the largest number */
  file->data_bytes = file->in.size > file->data ? file->in.size - file->data : 0;
  const tsr_status st = check_names(file);
  return st == TSR_OK ? check_places(file) : st;
}

/* ---- all of it ---- */

static tsr_status set_options(tsr__gguf_file *file, const tsr_gguf_options *options) {
  tsr_gguf_options *o = &file->options;
  tsr_ctx *ctx = file->in.ctx;
  if (options != NULL) *o = *options;
  if (o->max_items < 0) return TSR__FAIL(ctx, TSR_EARG, file->in.op, "options", "max_items is negative");
  const tsr_dtype_info *to = tsr_dtype_describe(o->dequantize);
  if (o->dequantize != TSR_NONE && (to == NULL || to->class_ != TSR_CLASS_FLOAT || !tsr_dtype_supported(o->dequantize)))
    return TSR__FAIL(ctx, TSR_EDTYPE, file->in.op, "options", "dequantize %d is no dtype of floats", o->dequantize);
  if (o->max_items == 0) o->max_items = DEFAULT_MAX_ITEMS;
  return tsr__input_check_options(&file->in, o->access, TSR__ROOM(o));
}

/* All are counted by bytes that are there, so that no sum can wrap: a tensor or a pair has 13 bytes at the least. */
static tsr_status make_table(tsr__gguf_file *file) {
  const size_t entries = file->count * sizeof *file->entry, pairs = file->pairs * sizeof *file->pair;
  const size_t orders = (file->count > file->pairs ? file->count : file->pairs) * sizeof *file->order;
  size_t bytes = 0;
  if (!tsr__add_size(entries, pairs, &bytes) || !tsr__add_size(bytes, orders, &bytes) ||
      !tsr__add_size(bytes, file->text_bytes + 1, &bytes))
    return TSR__FAIL(file->in.ctx, TSR_EOVERFLOW, file->in.op, NULL, "%sthe header is too large", file->in.where);
  const tsr_status st = tsr__scratch_get(file->in.ctx, file->in.op, bytes, &file->memory);
  if (st != TSR_OK) return st;
  uint8_t *base = file->memory.data;
  file->entry = (tsr__gguf_entry *)(void *)base;
  file->pair = (tsr__gguf_pair *)(void *)(base + entries);
  file->order = (size_t *)(void *)(base + entries + pairs);
  file->text = (char *)base + entries + pairs + orders;
  return TSR_OK;
}

_Static_assert(sizeof(tsr__gguf_entry) % _Alignof(tsr__gguf_pair) == 0 &&
                   sizeof(tsr__gguf_pair) % _Alignof(size_t) == 0,
               "tables lie one behind the other");

tsr_status tsr__gguf_open(tsr__gguf_file *file, const tsr_gguf_options *options) {
  tsr_status st = set_options(file, options);
  if (st != TSR_OK) return st;
  file->end = tsr__limit(file->in.ctx, TSR__LIMIT_HEADER, DEFAULT_HEADER);
  if (file->end > PTRDIFF_MAX / 4) file->end = PTRDIFF_MAX / 4; /* it is read into memory */
  if (file->end > file->in.size) file->end = file->in.size;
  file->header = tsr__once_start(0, (size_t)file->end);
  file->budget = tsr__budget_start(file->in.ctx, file->in.op, file->in.where, file->in.size);
  file->align = DEFAULT_ALIGN;
  st = tsr__gguf_parse(file);
  if (st == TSR_OK) st = make_table(file);
  if (st == TSR_OK) st = tsr__gguf_parse(file);
  if (st == TSR_OK) st = check_table(file);
  if (st != TSR_OK) tsr__gguf_close(file);
  return st;
}

void tsr__gguf_close(tsr__gguf_file *file) {
  tsr__scratch_put(&file->memory);
  tsr__once_end(&file->header);
}

#endif
