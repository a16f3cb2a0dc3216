#include "listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "report.h"
#include "source.h"

/* A new line of the list; NULL when there is no memory. */
static listed *add(listing *l, const char *name, int ndim, const tsr_index *shape) {
  if (l->count == l->capacity) {
    const tsr_index capacity = l->capacity > 0 ? 2 * l->capacity : 64;
    listed *list = realloc(l->list, (size_t)capacity * sizeof *list);
    if (list == NULL) return NULL;
    l->list = list;
    l->capacity = capacity;
  }
  listed *entry = &l->list[l->count];
  *entry = (listed){.name = strdup(name), .ndim = ndim, .shape = calloc((size_t)ndim + 1, sizeof *entry->shape)};
  l->count++; /* from here on listing_release knows of it */
  if (entry->name == NULL || entry->shape == NULL) return NULL;
  for (int i = 0; i < ndim; i++) entry->shape[i] = shape[i];
  return entry;
}

/* ---- any format: by its tensors ---- */

static const char *layout_of(const tsr_tensor *t) {
  if (t->layout != TSR_PLAIN) return tsr_layout_name(t->layout);
  if (tsr_is_contiguous(t, TSR_ROW_MAJOR)) return "plain";
  return tsr_is_contiguous(t, TSR_FORTRAN) ? "fortran" : "strided";
}

static bool list_tensors(tsr_ctx *ctx, const char *text, listing *out) {
  source s;
  targets found;
  if (!source_open(ctx, text, &s, &found)) return false;
  bool ok = true;
  for (tsr_index i = 0; i < found.count && ok; i++) {
    const tsr_tensor *t = &found.list[i].tensor;
    listed *entry = add(out, target_label(&found.list[i]), t->ndim, t->shape);
    ok = entry != NULL || (report("out of memory"), false);
    if (!ok) break;
    const target *from = &found.list[i];
    const bool stored = from->packed != NULL && from->label == NULL; /* a slice is of numbers */
    char kind[24];
    const tsr_column *what = target_column(&s, from);
    const char *word = what != NULL ? rows_kind(what, kind) : NULL;
    (void)snprintf(entry->dtype, sizeof entry->dtype, "%s",
                   stored         ? packed_type(from->packed)
                   : word != NULL ? word
                                  : tsr_dtype_name(t->dtype));
    (void)snprintf(entry->layout, sizeof entry->layout, "%s", stored ? "plain" : layout_of(t));
    entry->bytes = tsr_nbytes(stored ? &from->blocks : t);
  }
  out->file = s.file;
  out->format = s.format;
  out->metadata = s.metadata;
  s.file = NULL;
  s.metadata = (tsr_metadata){0};
  targets_release(&found);
  source_release(&s);
  return ok;
}

/* ---- archives: by their headers; with the types that no tensor has, .npz without inflating ---- */

static tsr_status keep_entry(listing *out, const tsr_safetensors_entry *e) {
  listed *entry = add(out, e->name, e->ndim, e->shape);
  if (entry == NULL) return TSR_ENOMEM;
  (void)snprintf(entry->dtype, sizeof entry->dtype, "%s", e->dtype != TSR_NONE ? tsr_dtype_name(e->dtype) : e->type);
  (void)snprintf(entry->layout, sizeof entry->layout, "%s", tsr_layout_name(e->layout));
  entry->bytes = e->bytes;
  return TSR_OK;
}

/* Opened once: the tensors, and the metadata where it is asked for. */
static tsr_status list_safetensors(tsr_ctx *ctx, const char *path, bool metadata, listing *out) {
  tsr_safetensors_file *file = NULL;
  tsr_status st = tsr_safetensors_file_open(ctx, path, NULL, &file);
  for (tsr_index i = 0; st == TSR_OK && i < tsr_safetensors_file_count(file); i++) {
    tsr_safetensors_entry entry;
    st = tsr_safetensors_file_entry(ctx, file, i, &entry);
    if (st == TSR_OK) st = keep_entry(out, &entry);
  }
  if (st == TSR_OK && metadata) st = tsr_safetensors_file_metadata(ctx, file, &out->metadata);
  tsr_safetensors_file_release(file);
  out->format = TSR_FORMAT_SAFETENSORS;
  return st;
}

static tsr_status keep_member(void *user, const tsr_npz_entry *e) {
  listed *entry = add(user, e->name, e->ndim, e->shape);
  if (entry == NULL) return TSR_ENOMEM;
  (void)snprintf(entry->dtype, sizeof entry->dtype, "%s", tsr_dtype_name(e->dtype));
  (void)snprintf(entry->layout, sizeof entry->layout, "%s", e->fortran && e->ndim > 1 ? "fortran" : "plain");
  entry->bytes = e->bytes;
  return TSR_OK;
}

static tsr_status keep_blocks(void *user, const tsr_gguf_entry *e) {
  listed *entry = add(user, e->name, e->ndim, e->shape);
  if (entry == NULL) return TSR_ENOMEM;
  (void)snprintf(entry->dtype, sizeof entry->dtype, "%s",
                 e->dtype != TSR_NONE ? tsr_dtype_name(e->dtype) : e->type_name);
  (void)snprintf(entry->layout, sizeof entry->layout, "plain");
  entry->bytes = e->bytes;
  return TSR_OK;
}

static tsr_status read_map(void *self, uint64_t offset, void *bytes, size_t n) {
  const tsr_tensor *map = self;
  if (n > 0) memcpy(bytes, (const char *)map->data + offset, n);
  return TSR_OK;
}

/* The name of an image is that of its file, without folder and extension. */
static tsr_status list_image(tsr_ctx *ctx, const char *file, int format, listing *out) {
  const char *slash = strrchr(file, '/'), *start = slash != NULL ? slash + 1 : file;
  const size_t length = strlen(start), end = strlen(tsr_format_name((tsr_format)format));
  const bool cut = length > end + 1 && start[length - end - 1] == '.' &&
                   strcmp(start + length - end, tsr_format_name((tsr_format)format)) == 0;
  const tsr_png_options png = {.describe = true};
  const tsr_pnm_options pnm = {.describe = true};
  tsr_tensor t = {0};
  const tsr_jpeg_options jpeg = {.describe = true};
  const tsr_status st = format == TSR_FORMAT_PNG    ? tsr_png_load(ctx, file, &png, &t)
                        : format == TSR_FORMAT_JPEG ? tsr_jpeg_load(ctx, file, &jpeg, &t)
                                                    : tsr_pnm_load(ctx, file, &pnm, &t);
  if (st != TSR_OK) return st;
  char *name = strndup(start, cut ? length - end - 1 : length);
  listed *entry = name != NULL ? add(out, name, t.ndim, t.shape) : NULL;
  free(name);
  if (entry == NULL) return TSR_ENOMEM;
  (void)snprintf(entry->dtype, sizeof entry->dtype, "%s", tsr_dtype_name(t.dtype));
  (void)snprintf(entry->layout, sizeof entry->layout, "plain");
  entry->bytes = tsr_nbytes(&t);
  out->format = format;
  return TSR_OK;
}

static bool is_image(int format) {
  return format == TSR_FORMAT_PNG || format == TSR_FORMAT_JPEG || format == TSR_FORMAT_PGM || format == TSR_FORMAT_PPM;
}

static tsr_status list_header(tsr_ctx *ctx, const char *file, int format, bool metadata, listing *out) {
  if (is_image(format)) return list_image(ctx, file, format, out);
  if (format == TSR_FORMAT_SAFETENSORS) return list_safetensors(ctx, file, metadata, out);
  tsr_tensor map = {0};
  tsr_status st = tsr_mmap_load(ctx, file, TSR_ACCESS_READ, &map);
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_map, .self = &map, .bytes = tsr_nbytes(&map)};
  if (st == TSR_OK && format == TSR_FORMAT_NPZ) st = tsr_npz_list(ctx, &reader, NULL, keep_member, out);
  if (st == TSR_OK && format == TSR_FORMAT_GGUF) st = tsr_gguf_list(ctx, &reader, NULL, keep_blocks, out);
  tsr_release(&map);
  out->format = format;
  return st;
}

/* That of GGUF comes with the tensors. False when there is no memory. */
static bool read_metadata(tsr_ctx *ctx, const char *file, listing *out) {
  source s = {0};
  const tsr_status st = source_load(ctx, file, NULL, &s);
  if (st == TSR_OK) {
    out->metadata = s.metadata;
    s.metadata = (tsr_metadata){0};
  }
  source_release(&s);
  return st != TSR_ENOMEM && st != TSR_EIO;
}

/* Whether the address is a whole file whose header lists what is in it. */
static bool list_whole(tsr_ctx *ctx, const char *text, bool metadata, listing *out) {
  address where;
  int format = TSR_FORMAT_AUTO;
  if (!address_split(text, &where)) return false;
  bool whole = where.rest[0] == '\0' && !where.named && where.raw.dtype == TSR_NONE && strcmp(where.file, "-") != 0 &&
               source_is_plain(where.file, false) && tsr_format_detect(ctx, where.file, &format) == TSR_OK;
  whole =
      whole &&
      (format == TSR_FORMAT_SAFETENSORS || format == TSR_FORMAT_NPZ || format == TSR_FORMAT_GGUF || is_image(format)) &&
      list_header(ctx, where.file, format, metadata, out) == TSR_OK;
  if (whole && metadata && format == TSR_FORMAT_GGUF) whole = read_metadata(ctx, where.file, out);
  if (whole) {
    out->file = where.file;
    return true;
  }
  address_release(&where);
  listing_release(out);
  return false;
}

bool listing_read(tsr_ctx *ctx, const char *text, bool metadata, listing *out) {
  *out = (listing){0};
  if (list_whole(ctx, text, metadata, out)) return true;
  tsr_error_clear(ctx);
  if (list_tensors(ctx, text, out)) return true;
  listing_release(out);
  return false;
}

bool listing_try(tsr_ctx *ctx, const char *path, listing *out) {
  int format = TSR_FORMAT_AUTO;
  *out = (listing){0};
  const bool is_one = tsr_format_detect(ctx, path, &format) == TSR_OK && listing_read(ctx, path, false, out);
  tsr_error_clear(ctx);
  return is_one;
}

void listing_release(listing *l) {
  for (tsr_index i = 0; i < l->count; i++) {
    free(l->list[i].name);
    free(l->list[i].shape);
  }
  free(l->list);
  free(l->file);
  tsr_metadata_release(&l->metadata);
  *l = (listing){0};
}
