/* What is in a safetensors file, without its data. */
#include "io/safetensors/safetensors.h"

tsr_safetensors_entry tsr__st_shown(const tsr_safetensors_file *file, size_t number) {
  const tsr__st_entry *e = &file->entry[number];
  return (tsr_safetensors_entry){.name = e->name,
                                 .type = e->type,
                                 .dtype = e->dtype,
                                 .layout = e->layout,
                                 .ndim = e->ndim,
                                 .shape = e->shape,
                                 .offset = file->data + e->begin,
                                 .bytes = e->end - e->begin};
}

static tsr_status show(const tsr_safetensors_file *file, tsr_safetensors_visit *visit, void *user) {
  for (size_t i = 0; i < file->count; i++) {
    const tsr_safetensors_entry entry = tsr__st_shown(file, i);
    const tsr_status st = visit(user, &entry);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

tsr_status tsr_safetensors_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_safetensors_options *options,
                                tsr_safetensors_visit *visit, void *user) {
  static const char op[] = "safetensors_list";
  tsr_safetensors_file file = {.any_dtype = true};
  tsr_status st = tsr__input_of_reader(ctx, op, reader, &file.in);
  if (st != TSR_OK) return st;
  if (visit == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "visit", "is NULL");
  st = tsr__st_open(ctx, op, options, &file);
  if (st != TSR_OK) return st;
  st = show(&file, visit, user);
  tsr__st_close(&file);
  return st;
}
