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

bool columns_named(const tsr_metadata *metadata) {
  for (tsr_index i = 0; i < metadata->count; i++)
    if (is_column(metadata->pairs[i].key)) return true;
  return false;
}

/* Which column of the table each element of a slice is from: the slice of a table that holds its own numbers. */
static tsr_status numbers_of(tsr_ctx *ctx, const tsr_tensor *whole, const slice *s, tsr_tensor *numbers,
                             tsr_tensor *out) {
  tsr_tensor table = {0};
  const tsr_index columns = whole->ndim == 2 ? whole->shape[1] : 1;
  tsr_status st = tsr_arange(ctx, TSR_I64, 0, (tsr_real)columns, 1, numbers);
  if (st == TSR_OK) st = tsr_broadcast_to(ctx, numbers, whole->ndim, whole->shape, &table);
  return st == TSR_OK ? slice_apply(ctx, &table, s, out) : st;
}

/* Whether all rows are the first one again. */
static bool rows_are_alike(const tsr_tensor *numbers) {
  const tsr_index columns = numbers->ndim == 2 ? numbers->shape[1] : 1;
  const tsr_index step = numbers->ndim == 2 ? numbers->stride[1] : 0;
  const int64_t *first = numbers->data;
  if (numbers->ndim == 0 || numbers->stride[0] == 0) return true;
  for (tsr_index i = 1; i < numbers->shape[0]; i++)
    for (tsr_index k = 0; k < columns; k++)
      if (first[i * numbers->stride[0] + k * step] != first[k * step]) return false;
  return true;
}

/* As tables are written, a vector is one column; columns they are where all elements of one are from the same. */
static tsr_index columns_in(const tsr_tensor *numbers) {
  if (numbers->ndim > 2 || tsr_size(numbers) == 0) return 0;
  if (!rows_are_alike(numbers)) return 0;
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
  if (!columns_named(metadata)) return TSR_OK;
  tsr_status st = add_others(ctx, metadata, &kept);
  if (st == TSR_OK && whole != NULL && (whole->ndim == 2 || whole->ndim == 1)) {
    st = numbers_of(ctx, whole, s, &numbers, &part);
    if (st == TSR_OK) st = add_names(ctx, metadata, &part, &kept);
  }
  tsr_release(&part);
  tsr_release(&numbers);
  if (st != TSR_OK) return tsr_metadata_release(&kept), st;
  tsr_metadata_release(metadata);
  *metadata = kept;
  return TSR_OK;
}

const char *columns_name(const tsr_metadata *metadata, tsr_index number) {
  char key[KEY];
  (void)snprintf(key, sizeof key, "column.%lld", (long long)number);
  return tsr_metadata_find(metadata, key);
}

bool columns_find(const tsr_metadata *metadata, tsr_index most, const char *name, tsr_index *number) {
  char *end;
  for (tsr_index i = 0; i < most; i++) {
    const char *own = columns_name(metadata, i);
    if (own == NULL || strcmp(own, name) != 0) continue;
    *number = i;
    return true;
  }
  const long long asked = strtoll(name, &end, 10);
  if (end == name || *end != '\0' || asked < -most || asked >= most) return false;
  *number = (tsr_index)(asked < 0 ? asked + most : asked);
  return true;
}

tsr_status columns_pick(tsr_ctx *ctx, tsr_metadata *metadata, tsr_index count, const tsr_index *numbers) {
  tsr_metadata kept = {0};
  tsr_status st = add_others(ctx, metadata, &kept);
  for (tsr_index i = 0; i < count && st == TSR_OK; i++) st = add_name(ctx, metadata, numbers[i], i, &kept);
  if (st != TSR_OK) return tsr_metadata_release(&kept), st;
  tsr_metadata_release(metadata);
  *metadata = kept;
  return TSR_OK;
}
