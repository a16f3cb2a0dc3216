/* What only the whole header shows: names that appear twice, gaps and overlaps of the data; and what Tessera's own
 * metadata says of the tensors. */
#include "core/layout.h"
#include "io/bytes/text.h"
#include "io/safetensors/safetensors.h"
#include "io/bytes/sort.h"

#include <string.h>

#define REFUSE(file, code, ...) TSR__FAIL((file)->in.ctx, code, (file)->in.op, NULL, __VA_ARGS__)

/* ---- names ---- */

static tsr_status check_keys(const tsr_safetensors_file *file) {
  char shown[TSR__SHOWN];
  const size_t twice = tsr__find_twice(file->pair, sizeof *file->pair, file->pairs, file->order);
  if (twice == file->pairs) return TSR_OK;
  tsr__show_text(file->pair[twice].key, shown);
  return REFUSE(file, TSR_EFORMAT, "%sheader: byte %z: metadata key '%s' appears twice", file->in.where,
                file->pair[twice].at, shown);
}

/* The first so many names. */
static tsr__names names_of(const tsr_safetensors_file *file, size_t count) {
  return (tsr__names){.first = count > 0 ? (const char *)(const void *)&file->entry->name : NULL,
                      .step = sizeof *file->entry,
                      .count = (tsr_index)count,
                      .tree = file->tree,
                      .root = (tsr_index *)(uintptr_t)&file->root};
}

/* Each is added to those before it, unless it is one of them. */
static tsr_status check_names(tsr_safetensors_file *file) {
  for (size_t i = 0; i < file->count; i++) {
    const tsr__st_entry *e = &file->entry[i];
    const tsr__names names = names_of(file, i);
    char shown[TSR__SHOWN];
    if (tsr__tree_add(&names, e->name)) continue;
    tsr__show_text(e->name, shown);
    return REFUSE(file, TSR_EFORMAT, "%sheader: byte %z: tensor '%s' appears twice", file->in.where, e->at, shown);
  }
  return TSR_OK;
}

tsr_index tsr__st_find(const tsr_safetensors_file *file, const char *name) {
  const tsr__names names = names_of(file, file->count);
  return tsr__tree_find(&names, name);
}

/* ---- data ---- */

static bool data_before(const void *user, size_t a, size_t b) {
  const tsr__st_entry *x = (const tsr__st_entry *)user + a, *y = (const tsr__st_entry *)user + b;
  if (x->begin != y->begin) return x->begin < y->begin;
  return x->end != y->end ? x->end < y->end : a < b;
}

static tsr_status misplaced(const tsr_safetensors_file *file, const tsr__st_entry *e, uint64_t expected) {
  char shown[TSR__SHOWN];
  tsr__show_text(e->name, shown);
  if (expected == 0)
    return REFUSE(file, TSR_EFORMAT, "%sheader: byte %z: the first data, of '%s', begins at %l, not at 0",
                  file->in.where, e->at, shown, (int64_t)e->begin);
  if (e->begin > expected)
    return REFUSE(file, TSR_EFORMAT, "%sheader: byte %z: a gap of %l bytes before the data of '%s'", file->in.where,
                  e->at, (int64_t)(e->begin - expected), shown);
  return REFUSE(file, TSR_EFORMAT, "%sheader: byte %z: the data of '%s' overlaps other data", file->in.where, e->at,
                shown);
}

static tsr_status check_data(const tsr_safetensors_file *file) {
  uint64_t expected = 0;
  tsr__sort(file->order, file->count, data_before, file->entry);
  for (size_t i = 0; i < file->count; i++) {
    const tsr__st_entry *e = &file->entry[file->order[i]];
    if (e->begin != expected) return misplaced(file, e, expected);
    expected = e->end;
  }
  if (expected == file->data_bytes || file->options.lenient) return TSR_OK;
  return REFUSE(file, TSR_EFORMAT, "%sbyte %l: %l bytes after the last tensor", file->in.where,
                (int64_t)(file->data + expected), (int64_t)(file->data_bytes - expected));
}

tsr_status tsr__st_check_table(tsr_safetensors_file *file) {
  tsr_status st = check_data(file);
  if (st == TSR_OK) st = check_keys(file);
  return st == TSR_OK ? check_names(file) : st;
}

/* ---- hints ---- */

static void apply_layout(tsr__st_entry *e, const char *value) {
  const int layout = tsr_layout_find(value);
  if (layout <= TSR_PLAIN || tsr_layout_rank(layout) != e->ndim || e->dtype == TSR_NONE) return;
  const int block = tsr__layout_block(layout);
  if (block == 0 || e->shape[e->ndim - 1] == block) e->layout = (uint8_t)layout;
}

/* "0,2,3,1": each axis once. What does not fit is no order. */
static void apply_order(tsr__st_entry *e, const char *value) {
  uint8_t order[TSR_MAX_DIMS];
  unsigned seen = 0;
  if (e->dtype == TSR_NONE || e->begin == e->end) return; /* nothing lies in any order */
  for (int i = 0; i < e->ndim; i++) {
    if (i > 0 && *value++ != ',') return;
    const int axis = *value++ - '0';
    if (axis < 0 || axis >= e->ndim || (seen >> axis & 1u) != 0) return;
    seen |= 1u << axis;
    order[i] = (uint8_t)axis;
  }
  if (*value != '\0') return;
  for (int i = 0; i < e->ndim; i++) {
    e->order[i] = order[i];
    e->ordered = e->ordered || order[i] != i;
  }
}

void tsr__st_apply_hints(tsr_safetensors_file *file) {
  static const size_t layout_key = sizeof TSR__ST_LAYOUT_KEY - 1, order_key = sizeof TSR__ST_ORDER_KEY - 1;
  for (size_t i = 0; i < file->pairs; i++) {
    const tsr__st_pair *pair = &file->pair[i];
    if (!tsr__st_is_reserved(pair->key)) continue;
    const bool is_layout = strncmp(pair->key, TSR__ST_LAYOUT_KEY, layout_key) == 0;
    const tsr_index number = tsr__st_find(file, pair->key + (is_layout ? layout_key : order_key));
    if (number < 0) continue;
    if (is_layout)
      apply_layout(&file->entry[number], pair->value);
    else
      apply_order(&file->entry[number], pair->value);
  }
}

_Static_assert(TSR_MAX_DIMS <= 10, "an axis is one digit");
