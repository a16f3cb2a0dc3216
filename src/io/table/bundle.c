/* Tables as bundles and back, and their numbers as one matrix. */
#include "io/table/table.h"

#if TSR_HAVE_STDIO

#include "core/text.h"
#include "io/bytes/text.h"
#include "io/call/metadata.h"

#include <string.h>
#include <tessera/mask.h>
#include <tessera/ops.h>
#include <tessera/unary.h>
#include <tessera/view.h>

static const char present_end[] = ".present", strings_end[] = ".strings", key_start[] = "table.";

/* ---- names ---- */

/* start, name and end as one text, in memory of the allocator. */
static tsr_status join(tsr_ctx *ctx, const char *op, const char *start, const char *name, const char *end,
                       tsr__room *out) {
  const size_t bytes = strlen(start) + strlen(name) + strlen(end) + 1;
  tsr__text text;
  tsr__room_free(tsr__allocator(ctx), out);
  const tsr_status st = tsr__room_get(ctx, op, tsr__allocator(ctx), bytes, out);
  if (st != TSR_OK) return st;
  tsr__text_init(&text, out->at, bytes);
  tsr__text_string(&text, start);
  tsr__text_string(&text, name);
  tsr__text_string(&text, end);
  return TSR_OK;
}

/* "datetime[us,UTC]" and its like; "" for plain numbers. */
static void describe(const tsr_column *column, char text[TSR__SHOWN]) {
  static const char *const kinds[] = {"", "", "", "date", "time", "datetime", "text"};
  tsr__text to;
  tsr__text_init(&to, text, TSR__SHOWN);
  tsr__text_string(&to, kinds[column->kind]);
  if (column->kind == TSR_COLUMN_TIME || column->kind == TSR_COLUMN_DATETIME)
    tsr__text_format(&to, "[%s%s]", tsr_time_unit_name(column->unit), column->utc ? ",UTC" : "");
}

/* The other way: whatever describe writes. False for what it never does. */
static bool understand(const char *text, tsr_column *column) {
  char same[TSR__SHOWN];
  for (column->kind = TSR_COLUMN_DATE; column->kind <= TSR_COLUMN_TEXT; column->kind++) {
    const bool clock = column->kind == TSR_COLUMN_TIME || column->kind == TSR_COLUMN_DATETIME;
    for (int unit = clock ? TSR_UNIT_SECOND : 0; unit <= (clock ? TSR_UNIT_NANOSECOND : 0); unit++) {
      for (int utc = 0; utc <= (column->kind == TSR_COLUMN_DATETIME); utc++) {
        column->unit = column->kind == TSR_COLUMN_DATE ? TSR_UNIT_DAY : unit;
        column->utc = utc != 0;
        describe(column, same);
        if (strcmp(same, text) == 0) return true;
      }
    }
  }
  return false;
}

/* ---- to a bundle ---- */

static tsr_status add_shared(tsr_ctx *ctx, const tsr_tensor *t, const char *name, tsr_bundle *out) {
  tsr_tensor shared = {0};
  tsr_status st = t->storage != NULL ? tsr_share(ctx, t, &shared) : tsr_clone(ctx, t, &shared);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, out, name, &shared);
  tsr_release(&shared);
  return st;
}

static tsr_status add_strings(tsr_ctx *ctx, const tsr_column *column, const char *name, tsr_bundle *out) {
  tsr_tensor t = {0};
  tsr_index bytes = 0;
  for (tsr_index i = 0; i < column->string_count; i++) bytes += (tsr_index)strlen(column->strings[i]) + 1;
  tsr_status st = tsr_empty(ctx, TSR_U8, 1, &bytes, &t);
  char *to = t.data;
  for (tsr_index i = 0; st == TSR_OK && i < column->string_count; i++) {
    const size_t n = strlen(column->strings[i]) + 1;
    memcpy(to, column->strings[i], n);
    to += n;
  }
  if (st == TSR_OK) st = tsr_bundle_add(ctx, out, name, &t);
  tsr_release(&t);
  return st;
}

static tsr_status add_column(tsr_ctx *ctx, const char *op, const tsr_table *table, tsr_index i, tsr_bundle *out,
                             tsr_metadata *pairs) {
  const char *const name = table->values.tensors[i].name;
  const tsr_column *column = &table->columns[i];
  char kind[TSR__SHOWN];
  tsr__room joined = {0};
  tsr_status st = add_shared(ctx, &table->values.tensors[i], name, out);
  if (st == TSR_OK && column->present.dtype != TSR_NONE) {
    st = join(ctx, op, "", name, present_end, &joined);
    if (st == TSR_OK) st = add_shared(ctx, &column->present, joined.at, out);
  }
  if (st == TSR_OK && column->kind == TSR_COLUMN_TEXT) {
    st = join(ctx, op, "", name, strings_end, &joined);
    if (st == TSR_OK) st = add_strings(ctx, column, joined.at, out);
  }
  describe(column, kind);
  if (st == TSR_OK && kind[0] != '\0' && pairs != NULL) {
    st = join(ctx, op, key_start, name, "", &joined);
    if (st == TSR_OK) st = tsr_metadata_set(ctx, pairs, joined.at, kind);
  }
  tsr__room_free(tsr__allocator(ctx), &joined);
  return st;
}

tsr_status tsr_table_to_bundle(tsr_ctx *ctx, const tsr_table *table, tsr_bundle *out, tsr_metadata *metadata) {
  static const char op[] = "table_to_bundle";
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out->count > 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds tensors: release it first");
  tsr_bundle made = {.allocator = out->allocator};
  tsr_metadata pairs = {.allocator = metadata != NULL ? metadata->allocator : NULL};
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < table->values.count && st == TSR_OK; i++)
    st = add_column(ctx, op, table, i, &made, metadata != NULL ? &pairs : NULL);
  for (tsr_index i = 0; i < pairs.count && st == TSR_OK; i++)
    st = tsr_metadata_set(ctx, metadata, pairs.pairs[i].key, pairs.pairs[i].value);
  tsr_metadata_release(&pairs);
  if (st != TSR_OK) {
    tsr_bundle_release(&made);
    return tsr__fail_as(ctx, st, op);
  }
  tsr_bundle_release(out);
  *out = made;
  return TSR_OK;
}

/* ---- from a bundle ---- */

/* Whether a name is another tensor's with an end behind it. */
static bool belongs(tsr_ctx *ctx, const tsr_bundle *bundle, const char *name, const char *end, tsr_status *st) {
  const size_t length = strlen(name), tail = strlen(end);
  tsr__room own = {0};
  if (length < tail || strcmp(name + length - tail, end) != 0) return false;
  *st = join(ctx, "table_from_bundle", "", name, "", &own);
  if (*st != TSR_OK) return false;
  ((char *)own.at)[length - tail] = '\0';
  const bool found = tsr_bundle_find(bundle, own.at) != NULL;
  tsr__room_free(tsr__allocator(ctx), &own);
  return found;
}

/* Pointers to the strings of a tensor of bytes. */
static tsr_status list_strings(tsr_ctx *ctx, const char *op, const tsr_tensor *t, tsr__room *out, tsr_index *count) {
  const char *at = t->data;
  const tsr_index bytes = t->ndim == 1 ? t->shape[0] : -1;
  if (t->dtype != TSR_U8 || bytes < 0 || (bytes > 0 && (at == NULL || t->stride[0] != 1 || at[bytes - 1] != '\0')))
    return TSR__FAIL(ctx, TSR_EFORMAT, op, "bundle", "has %t for strings, not u8 that end with a zero", t);
  *count = 0;
  for (tsr_index i = 0; i < bytes; i++) *count += at[i] == '\0';
  const tsr_status st = tsr__room_get(ctx, op, tsr__allocator(ctx), (size_t)*count * sizeof(char *), out);
  const char **to = out->at;
  for (tsr_index i = 0; st == TSR_OK && i < *count; i++, at += strlen(at) + 1) to[i] = at;
  return st;
}

static tsr_status take_column(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const tsr_metadata *metadata,
                              const tsr_tensor *t, tsr_table *out) {
  tsr_column what = {.kind = t->dtype == TSR_BOOL ? TSR_COLUMN_BOOL : TSR_COLUMN_NUMBER};
  tsr__room joined = {0}, list = {0};
  tsr_tensor values = {0};
  tsr_status st = join(ctx, op, key_start, t->name, "", &joined);
  const char *said = st == TSR_OK ? tsr_metadata_find(metadata, joined.at) : NULL;
  if (said != NULL && !understand(said, &what)) {
    char shown[TSR__SHOWN];
    tsr__show_text(said, shown);
    st = TSR__FAIL(ctx, TSR_EFORMAT, op, "metadata", "has the kind '%s', which is none", shown);
  }
  if (st == TSR_OK) st = join(ctx, op, "", t->name, present_end, &joined);
  const tsr_tensor *present = st == TSR_OK ? tsr_bundle_find(bundle, joined.at) : NULL;
  if (present != NULL) what.present = *present, what.present.flags &= (uint8_t)~TSR_OWNS;
  if (st == TSR_OK) st = join(ctx, op, "", t->name, strings_end, &joined);
  const tsr_tensor *strings = st == TSR_OK ? tsr_bundle_find(bundle, joined.at) : NULL;
  if (strings != NULL) {
    if (said == NULL) what.kind = TSR_COLUMN_TEXT;
    st = list_strings(ctx, op, strings, &list, &what.string_count);
    what.strings = list.at;
  }
  if (st == TSR_OK) st = t->storage != NULL ? tsr_share(ctx, t, &values) : tsr_clone(ctx, t, &values);
  if (st == TSR_OK) st = tsr_table_add(ctx, out, t->name, &what, &values);
  tsr_release(&values);
  tsr__room_free(tsr__allocator(ctx), &list);
  tsr__room_free(tsr__allocator(ctx), &joined);
  return st;
}

tsr_status tsr_table_from_bundle(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_metadata *metadata, tsr_table *out) {
  static const char op[] = "table_from_bundle";
  tsr_table made = {.rows = 0};
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  tsr_status st = tsr__table_check_empty(ctx, op, out);
  for (tsr_index i = 0; i < bundle->count && st == TSR_OK; i++) {
    const tsr_tensor *t = &bundle->tensors[i];
    const bool extra = belongs(ctx, bundle, t->name, present_end, &st) ||
                       (st == TSR_OK && belongs(ctx, bundle, t->name, strings_end, &st));
    if (st != TSR_OK || extra || t->ndim != 1) continue;
    st = take_column(ctx, op, bundle, metadata, t, &made);
  }
  if (st != TSR_OK) {
    tsr_table_release(&made);
    return tsr__fail_as(ctx, st, op);
  }
  tsr_table_release(out);
  *out = made;
  return TSR_OK;
}

/* ---- a matrix ---- */

static bool is_number(const tsr_column *column) {
  return column->kind == TSR_COLUMN_NUMBER || column->kind == TSR_COLUMN_BOOL;
}

/* One column, with NaN where it has no value. */
static tsr_status copy_column(tsr_ctx *ctx, const tsr_table *table, tsr_index i, tsr_tensor *to) {
  const tsr_tensor *present = &table->columns[i].present;
  tsr_tensor missing = {0};
  tsr_status st = tsr_cast(ctx, &table->values.tensors[i], to->dtype, to);
  if (st != TSR_OK || present->dtype == TSR_NONE) return st;
  if (tsr_dtype_describe(to->dtype)->class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EFORMAT, "table_matrix", "table", "misses fields in column %l, and %y has no NaN",
                     (int64_t)i, to->dtype);
  st = tsr_logical_not(ctx, present, &missing);
  if (st == TSR_OK) st = tsr_masked_fill(ctx, to, &missing, (tsr_real)__builtin_nanf(""), to);
  tsr_release(&missing);
  return st;
}

tsr_status tsr_table_matrix(tsr_ctx *ctx, const tsr_table *table, int dtype, tsr_tensor *out, tsr_metadata *names) {
  static const char op[] = "table_matrix";
  tsr_index shape[2] = {0, 0}, at = 0;
  tsr_metadata made = {.allocator = names != NULL ? names->allocator : NULL};
  tsr_tensor whole = {0};
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (names != NULL && names->count > 0)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "names", "is not empty: release it first");
  for (tsr_index i = 0; i < table->values.count; i++) shape[1] += is_number(&table->columns[i]);
  shape[0] = table->rows;
  if (shape[1] == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "table", "has no column of numbers");
  tsr_status st = tsr_empty(ctx, dtype != 0 ? dtype : TSR_F64, 2, shape, &whole);
  for (tsr_index i = 0; i < table->values.count && st == TSR_OK; i++) {
    tsr_tensor column = {0};
    char key[TSR__SHOWN];
    tsr__text text;
    if (!is_number(&table->columns[i])) continue;
    st = tsr_select(ctx, &whole, 1, at, &column);
    if (st == TSR_OK) st = copy_column(ctx, table, i, &column);
    tsr__text_init(&text, key, sizeof key);
    tsr__text_format(&text, "column.%l", (int64_t)at++);
    if (st == TSR_OK && names != NULL) st = tsr_metadata_set(ctx, &made, key, table->values.tensors[i].name);
  }
  if (st == TSR_OK && tsr_is_none(out)) {
    *out = tsr_move(&whole);
  } else if (st == TSR_OK) {
    st = tsr_copy(ctx, &whole, out);
  }
  tsr_release(&whole);
  if (st == TSR_OK && names != NULL) {
    tsr_metadata_release(names);
    *names = made;
    return TSR_OK;
  }
  tsr_metadata_release(&made);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
}

#endif
