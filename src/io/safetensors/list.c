/* What is in a safetensors file, without its data. */
#include "io/safetensors/safetensors.h"
#include "core/table.h"

static tsr_status show(const tsr__st_file *file, tsr_safetensors_visit *visit, void *user) {
  for (size_t i = 0; i < file->count; i++) {
    const tsr__st_entry *e = &file->entry[i];
    const tsr_safetensors_entry entry = {.name = e->name,
                                         .type = e->type,
                                         .dtype = e->dtype,
                                         .layout = e->layout,
                                         .ndim = e->ndim,
                                         .shape = e->shape,
                                         .offset = file->data + e->begin,
                                         .bytes = e->end - e->begin};
    const tsr_status st = visit(user, &entry);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

tsr_status tsr_safetensors_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                tsr_safetensors_visit *visit, void *user) {
  static const char op[] = "safetensors_list";
  const tsr_status given = tsr__check_reader(ctx, op, reader);
  if (given != TSR_OK) return given;
  if (visit == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "visit", "is NULL");
  tsr_safetensors_options all = {0};
  if (options != NULL) all = *options;
  all.opaque = true;
  tsr__st_file file = {.in = {.ctx = ctx, .op = op, .where = "", .reader = reader, .size = reader->bytes}};
  tsr_status st = tsr__st_open(&file, &all);
  if (st != TSR_OK) return st;
  st = show(&file, visit, user);
  tsr__st_close(&file);
  return st;
}
