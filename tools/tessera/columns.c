#include "columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 32 };

static bool is_column(const char *key) {
  static const char prefix[] = "column.";
  return strncmp(key, prefix, strlen(prefix)) == 0 && key[strlen(prefix)] != '\0' &&
         strspn(key + strlen(prefix), "0123456789") == strlen(key + strlen(prefix));
}

static bool has_columns(const tsr_metadata *metadata) {
  for (tsr_index i = 0; i < metadata->count; i++)
    if (is_column(metadata->pairs[i].key)) return true;
  return false;
}

/* Which column of the table each element of a slice is from: the slice of a table that holds its own numbers. */
static tsr_status numbers_of(tsr_ctx *ctx, const tsr_tensor *whole, const slice *s, tsr_tensor *numbers,
                             tsr_tensor *out) {
  tsr_tensor table = {0};
  tsr_status st = tsr_arange(ctx, TSR_I64, 0, (tsr_real)whole->shape[1], 1, numbers);
  if (st == TSR_OK) st = tsr_broadcast_to(ctx, numbers, 2, whole->shape, &table);
  return st == TSR_OK ? slice_apply(ctx, &table, s, out) : st;
}

/* As tables are written, a vector is one column; columns they are where all elements of one are from the same. */
static tsr_index columns_in(const tsr_tensor *numbers) {
  if (numbers->ndim > 2 || tsr_size(numbers) == 0) return 0;
  if (numbers->ndim > 0 && numbers->shape[0] > 1 && numbers->stride[0] != 0) return 0;
  return numbers->ndim == 2 ? numbers->shape[1] : 1;
}

static tsr_status add_name(tsr_ctx *ctx, const tsr_metadata *from, int64_t old, tsr_index new, tsr_metadata *out) {
  char key[KEY];
  (void)snprintf(key, sizeof key, "column.%lld", (long long)old);
  const char *name = tsr_metadata_find(from, key);
  if (name == NULL) return TSR_OK;
  (void)snprintf(key, sizeof key, "column.%lld", (long long)new);
  return tsr_metadata_set(ctx, out, key, name);
}

static tsr_status add_names(tsr_ctx *ctx, const tsr_metadata *from, const tsr_tensor *numbers, tsr_metadata *out) {
  const tsr_index count = columns_in(numbers), step = numbers->ndim == 2 ? numbers->stride[1] : 0;
  const int64_t *first = numbers->data;
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < count && st == TSR_OK; i++) st = add_name(ctx, from, first[i * step], i, out);
  return st;
}

static tsr_status add_others(tsr_ctx *ctx, const tsr_metadata *from, tsr_metadata *out) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < from->count && st == TSR_OK; i++)
    if (!is_column(from->pairs[i].key)) st = tsr_metadata_set(ctx, out, from->pairs[i].key, from->pairs[i].value);
  return st;
}

tsr_status columns_follow(tsr_ctx *ctx, const tsr_tensor *whole, const slice *s, tsr_metadata *metadata) {
  tsr_metadata kept = {0};
  tsr_tensor numbers = {0}, part = {0};
  if (!has_columns(metadata)) return TSR_OK;
  tsr_status st = add_others(ctx, metadata, &kept);
  if (st == TSR_OK && whole != NULL && whole->ndim == 2) {
    st = numbers_of(ctx, whole, s, &numbers, &part);
    if (st == TSR_OK) st = add_names(ctx, metadata, &part, &kept);
  }
  tsr_release(&numbers);
  if (st != TSR_OK) return tsr_metadata_release(&kept), st;
  tsr_metadata_release(metadata);
  *metadata = kept;
  return TSR_OK;
}
