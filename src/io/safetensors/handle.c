/* Files that stay open: the header is read and checked once, each tensor when it is asked for. Nothing of a handle
 * changes between its first call and its last, so that several threads may use it. */
#include "core/table.h"
#include "io/call/lasting.h"
#include "io/call/outputs.h"
#include "io/safetensors/safetensors.h"

#include <tessera/memory.h>

#include <stddef.h>

/* ---- opening ---- */

/* A handle at the beginning of its bytes; NULL when there is no memory. */
static tsr_safetensors_file *allocate(tsr_ctx *ctx, const char *op, size_t bytes) {
  const tsr_allocator *allocator = tsr__allocator(ctx);
  tsr_safetensors_file *file = allocator->alloc(allocator->self, bytes, _Alignof(max_align_t), TSR_HINT_DEFAULT);
  if (file == NULL) {
    (void)TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", bytes);
    return NULL;
  }
  *file = (tsr_safetensors_file){.any_dtype = true, .allocator = allocator, .own_bytes = bytes};
  return file;
}

/* The table stays; the text that it was made from does not. */
static tsr_status open_lasting(tsr_ctx *ctx, const char *op, const tsr_safetensors_options *options,
                               tsr_safetensors_file *file, tsr_safetensors_file **out) {
  tsr_ctx lasting = tsr__lasting_start(ctx);
  const tsr_status st = tsr__lasting_end(ctx, &lasting, tsr__st_open(&lasting, op, options, file));
  if (st == TSR_OK) {
    tsr__once_end(&file->header);
    *out = file;
  } else {
    tsr_safetensors_file_release(file);
  }
  return st;
}

tsr_status tsr_safetensors_file_new(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                    tsr_safetensors_file **out) {
  static const char op[] = "safetensors_file_new";
  const tsr_status given = tsr__check_reader(ctx, op, reader);
  if (given != TSR_OK) return given;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_safetensors_file *file = allocate(ctx, op, sizeof *file);
  if (file == NULL) return TSR_ENOMEM;
  file->reader = *reader;
  file->in = (tsr__input){.where = "", .reader = &file->reader, .size = reader->bytes};
  return open_lasting(ctx, op, options, file, out);
}

#if TSR_HAVE_STDIO
typedef struct file_by_path {
  tsr_safetensors_file file;
  tsr__input_file from;
} file_by_path;

tsr_status tsr_safetensors_file_open(tsr_ctx *ctx, const char *path, const tsr_safetensors_options *options,
                                     tsr_safetensors_file **out) {
  static const char op[] = "safetensors_file_open";
  const int access = options != NULL ? options->access : TSR_ACCESS_READ;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  file_by_path *made = (file_by_path *)(void *)allocate(ctx, op, sizeof *made);
  if (made == NULL) return TSR_ENOMEM;
  const tsr_status st = tsr__input_file_open(ctx, op, path, access, &made->from);
  if (st != TSR_OK) {
    tsr_safetensors_file_release(&made->file);
    return st;
  }
  made->file.from = &made->from;
  return open_lasting(ctx, op, options, &made->file, out);
}
#endif

void tsr_safetensors_file_release(tsr_safetensors_file *file) {
  if (file == NULL) return;
  const tsr_allocator *allocator = file->allocator;
  tsr__st_close(file);
#if TSR_HAVE_STDIO
  if (file->from != NULL) tsr__input_file_close(file->from);
#endif
  allocator->free(allocator->self, file, file->own_bytes);
}

/* ---- what is in it ---- */

tsr_index tsr_safetensors_file_count(const tsr_safetensors_file *file) {
  return file != NULL ? (tsr_index)file->count : 0;
}

tsr_index tsr_safetensors_file_find(const tsr_safetensors_file *file, const char *name) {
  return file != NULL && name != NULL ? tsr__st_find(file, name) : -1;
}

static tsr_status check_number(tsr_ctx *ctx, const char *op, const tsr_safetensors_file *file, tsr_index number) {
  if (file == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "file", "is NULL");
  if (number >= 0 && (uint64_t)number < file->count) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EINDEX, op, "number", "%l is not one of %z", (int64_t)number, file->count);
}

tsr_status tsr_safetensors_file_entry(tsr_ctx *ctx, const tsr_safetensors_file *file, tsr_index number,
                                      tsr_safetensors_entry *out) {
  static const char op[] = "safetensors_file_entry";
  const tsr_status st = check_number(ctx, op, file, number);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  *out = tsr__st_shown(file, (size_t)number);
  return TSR_OK;
}

tsr_status tsr_safetensors_file_metadata(tsr_ctx *ctx, const tsr_safetensors_file *file, tsr_metadata *out) {
  static const char op[] = "safetensors_file_metadata";
  if (file == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "file", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out->count > 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is not empty: release it first");
  tsr__made made = {.pairs = {.allocator = out->allocator}};
  return tsr__made_end(&made, tsr__st_read_metadata(ctx, op, file, &made.pairs), NULL, out);
}

/* ---- its tensors ---- */

tsr_status tsr_safetensors_file_read(tsr_ctx *ctx, const tsr_safetensors_file *file, tsr_index number,
                                     tsr_tensor *out) {
  static const char op[] = "safetensors_file_read";
  const tsr_status st = check_number(ctx, op, file, number);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return tsr__st_read_one(ctx, op, file, (size_t)number, out);
}

tsr_status tsr_safetensors_file_read_tensor(tsr_ctx *ctx, const tsr_safetensors_file *file, const char *name,
                                            tsr_tensor *out) {
  static const char op[] = "safetensors_file_read_tensor";
  if (file == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "file", "is NULL");
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return tsr__st_read_named(ctx, op, file, name, out);
}
