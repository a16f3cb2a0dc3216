#include "source.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "address.h"
#include "columns.h"
#include "looks.h"
#include "nearest.h"
#include "report.h"
#include "slice.h"
#include "spool.h"

/* ---- files ---- */

/* The one tensor of a file, which is given up, under the file's name without folder and extension. */
static tsr_status add_only(tsr_ctx *ctx, const char *file, tsr_tensor *t, int format, source *out) {
  const char *slash = strrchr(file, '/'), *start = slash != NULL ? slash + 1 : file, *dot = strrchr(start, '.');
  char *name = strndup(start, dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start));
  const tsr_status st = name != NULL ? tsr_bundle_add(ctx, &out->bundle, name, t) : TSR_ENOMEM;
  tsr_release(t);
  free(name);
  out->format = format;
  return st;
}

static tsr_status load_raw(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out) {
  tsr_tensor t = {0};
  const tsr_status st = tsr_raw_load(ctx, file, raw->dtype, raw->ndim, raw->shape, &raw->options, &t);
  return st == TSR_OK ? add_only(ctx, file, &t, TSR_FORMAT_RAW, out) : st;
}

/* A table by its name, gzip or not: else a text is one where it has columns. */
static bool is_named_table(const char *file) {
  static const char *const ends[] = {".csv", ".tsv", ".csv.gz", ".tsv.gz"};
  const size_t length = strlen(file);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (length > strlen(ends[i]) && strcasecmp(file + length - strlen(ends[i]), ends[i]) == 0) return true;
  return false;
}

/* Such a name with .gz behind it: its bytes are no text. */
static bool is_packed(const char *file) {
  const size_t length = strlen(file);
  return is_named_table(file) && strcasecmp(file + length - 3, ".gz") == 0;
}

static tsr_status load_table(tsr_ctx *ctx, const char *file, source *out) {
  tsr_tensor t = {0};
  const tsr_status st = tsr_csv_load(ctx, file, NULL, &t, &out->metadata);
  return st == TSR_OK ? add_only(ctx, file, &t, TSR_FORMAT_CSV, out) : st;
}

/* The columns by their names. Whole numbers of which some are missing become floats, which have NaN. */
static tsr_status add_columns(tsr_ctx *ctx, tsr_table *table, source *out) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < table->values.count && st == TSR_OK; i++) {
    tsr_tensor values = {0};
    const tsr_column *what = &table->columns[i];
    const bool wide = what->kind == TSR_COLUMN_NUMBER && what->missing > 0;
    st = wide ? tsr_cast(ctx, &table->values.tensors[i], TSR_F64, &values)
              : tsr_view(ctx, &table->values.tensors[i], &values);
    for (tsr_index row = 0; wide && row < table->rows && st == TSR_OK; row++)
      if (!tsr_table_has(table, i, row)) st = tsr_set(ctx, &values, 1, &row, (tsr_real)NAN);
    if (st == TSR_OK) st = tsr_bundle_add(ctx, &out->bundle, table->values.tensors[i].name, &values);
    tsr_release(&values);
  }
  if (st == TSR_OK) out->rows = *table;
  return st;
}

/* Columns of numbers alone are a matrix, as tables of numbers always are. */
static tsr_status load_rows(tsr_ctx *ctx, const char *file, source *out) {
  tsr_table table = {0};
  tsr_csv_form form = {0};
  tsr_tensor matrix = {0};
  tsr_status st = rows_load(ctx, file, &table, &form);
  if (st != TSR_OK) return st;
  if (!rows_asked() && !is_named_table(file) && (form.columns < 2 || table.rows == 0)) {
    st = TSR_EUNSUPPORTED; /* some text: whoever opens it says so */
  } else if (rows_are_numbers(&table)) {
    st = tsr_table_matrix(ctx, &table, 0, &matrix, &out->metadata);
    if (st == TSR_OK) st = add_only(ctx, file, &matrix, TSR_FORMAT_CSV, out);
  } else {
    out->format = form.separator == '\t' ? TSR_FORMAT_TSV : TSR_FORMAT_CSV;
    st = add_columns(ctx, &table, out);
    if (st == TSR_OK) return st; /* the table is the source's */
  }
  tsr_table_release(&table);
  return st;
}

/* A text that is no matrix as it is: with other separators, or words and dates. */
static tsr_status load_text(tsr_ctx *ctx, const char *file, tsr_status refused, source *out) {
  tsr_status st = refused;
  if (st == TSR_EUNSUPPORTED && is_named_table(file) && looks_like_text(file)) {
    st = load_table(ctx, file, out);
    if (st != TSR_EFORMAT) return st;
  }
  if (st != TSR_EFORMAT && st != TSR_EUNSUPPORTED) return st;
  if (!looks_like_text(file) && !is_packed(file)) return st;
  const tsr_status as_rows = load_rows(ctx, file, out);
  if (as_rows == TSR_OK) tsr_error_clear(ctx);
  return refused == TSR_EUNSUPPORTED && !is_named_table(file) && as_rows != TSR_OK ? refused : as_rows;
}

static bool is_text(int format) { return format == TSR_FORMAT_CSV || format == TSR_FORMAT_TSV; }

tsr_status source_load(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out) {
  tsr_status st = tsr_bundle_init(ctx, &out->bundle);
  if (st == TSR_OK && raw != NULL && raw->dtype != TSR_NONE) return load_raw(ctx, file, raw, out);
  if (st == TSR_OK) st = tsr_format_detect(ctx, file, &out->format);
  if (rows_asked() && (st == TSR_EUNSUPPORTED || is_text(out->format))) return load_rows(ctx, file, out);
  if (st == TSR_EUNSUPPORTED) return load_text(ctx, file, st, out);
  if (st == TSR_OK && out->format == TSR_FORMAT_GGUF)
    return packed_load(ctx, file, &out->bundle, &out->metadata, &out->table);
  if (st == TSR_OK) st = tsr_bundle_load(ctx, file, &out->bundle, &out->metadata);
  if (is_text(out->format)) return load_text(ctx, file, st, out);
  if (st == TSR_EUNSUPPORTED && out->format == TSR_FORMAT_SAFETENSORS)
    st = packed_load_foreign(ctx, file, &out->bundle, &out->metadata, &out->table);
  return st;
}

/* ---- archives ---- */

/* Not mapped: pages of a map that were read count as memory. */
static tsr_status read_file(void *self, uint64_t offset, void *bytes, size_t n) {
  const int descriptor = fileno((FILE *)self);
  for (size_t done = 0; done < n;) {
    const ssize_t some = pread(descriptor, (char *)bytes + done, n - done, (off_t)(offset + done));
    if (some == 0 || (some < 0 && errno != EINTR)) return TSR_EIO; /* 0: the file has become shorter */
    if (some > 0) done += (size_t)some;
  }
  return TSR_OK;
}

typedef struct members {
  tsr_ctx *ctx;
  tsr_bundle *bundle;
} members;

static tsr_status describe_member(void *user, const tsr_npz_entry *e) {
  members *m = user;
  tsr_tensor t = {0};
  const tsr_order order = e->fortran ? TSR_FORTRAN : TSR_ROW_MAJOR;
  const tsr_status st = tsr_desc_init_ordered(m->ctx, e->dtype, e->ndim, e->shape, order, &t);
  return st == TSR_OK ? tsr_bundle_add(m->ctx, m->bundle, e->name, &t) : st;
}

/* Members are read when they are looked at: memory goes with the largest of them, not with the archive. */
static tsr_status open_archive(tsr_ctx *ctx, const char *file, source *out) {
  members m = {.ctx = ctx, .bundle = &out->bundle};
  struct stat info;
  out->stream = fopen(file, "rb");
  if (out->stream == NULL || fstat(fileno(out->stream), &info) != 0)
    return source_load(ctx, file, NULL, out); /* says why */
  const tsr_reader reader = {
      .size = sizeof(tsr_reader), .read = read_file, .self = out->stream, .bytes = (uint64_t)info.st_size};
  const tsr_status st = tsr_npz_archive_new(ctx, &reader, NULL, &out->archive);
  return st == TSR_OK ? tsr_npz_archive_list(ctx, out->archive, describe_member, &m) : st;
}

/* As source_load, but for archives. */
static tsr_status open_file(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out) {
  int format = TSR_FORMAT_AUTO;
  if (raw->dtype != TSR_NONE || tsr_format_detect(ctx, file, &format) != TSR_OK || format != TSR_FORMAT_NPZ)
    return source_load(ctx, file, raw, out);
  const tsr_status st = tsr_bundle_init(ctx, &out->bundle);
  out->format = format;
  return st == TSR_OK ? open_archive(ctx, file, out) : st;
}

/* The library's reason, without the path that it may begin with. */
static const char *reason_of(const tsr_ctx *ctx, const char *path) {
  const char *text = failure_text(ctx);
  const size_t length = strlen(path);
  return strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

/* What stands in the way of reading a text as a table. */
static bool refuse_text(tsr_ctx *ctx, const char *path, const char *shown) {
  source table = {0};
  tsr_status st = tsr_bundle_init(ctx, &table.bundle);
  if (st == TSR_OK) st = load_table(ctx, path, &table);
  source_release(&table);
  report(st == TSR_OK ? "%s: not a file type that Tessera knows; this looks like text%s"
                      : "%s: not a file type that Tessera knows; this looks like text, and as CSV: %s",
         shown, st == TSR_OK ? "" : reason_of(ctx, path));
  return false;
}

/* Adds what the file looks like to the library's refusal. */
static bool refuse(tsr_ctx *ctx, tsr_status st, const char *path, const char *shown) {
  const char *what = st == TSR_EUNSUPPORTED ? looks_like(path) : NULL;
  if (what != NULL && looks_like_text(path)) return refuse_text(ctx, path, shown);
  if (what != NULL) return report("%s: %s; this looks like %s", shown, reason_of(ctx, path), what), false;
  report("%s: %s", shown, reason_of(ctx, path));
  return false;
}

static bool load_pipe(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out) {
  char path[SPOOL_PATH];
  if (!spool_pipe(file, path)) return false;
  const tsr_status st = open_file(ctx, path, raw, out);
  const bool loaded = st == TSR_OK || refuse(ctx, st, path, source_shown(file));
  spool_remove(path);
  return loaded;
}

/* A named pipe would wait for its writer; the numbers of open files have one. */
bool source_is_open_pipe(const char *file) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/", "/dev/stdin"};
  struct stat info;
  if (strcmp(file, "-") == 0) return true;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp(file, folders[i], strlen(folders[i])) == 0) return stat(file, &info) == 0 && S_ISFIFO(info.st_mode);
  return false;
}

bool source_is_plain(const char *file, bool loud) {
  struct stat info;
  if (stat(file, &info) != 0 || S_ISREG(info.st_mode)) return true; /* what is not there, the library reports */
  const char *what = S_ISDIR(info.st_mode) ? "a folder, not a file" : "no plain file; a pipe is read as -";
  if (loud) report("%s: %s", file, what);
  return false;
}

const char *source_shown(const char *file) { return strcmp(file, "-") == 0 ? "standard input" : file; }

static bool load(tsr_ctx *ctx, const char *file, const raw_form *raw, source *out) {
  out->file = strdup(file);
  if (out->file == NULL) return report("out of memory"), false;
  if (source_is_open_pipe(file)) return load_pipe(ctx, file, raw, out);
  if (!source_is_plain(file, true)) return false;
  const tsr_status st = open_file(ctx, file, raw, out);
  return st == TSR_OK || refuse(ctx, st, file, file);
}

/* ---- names ---- */

/* Whether the file is one table, of which columns can be named. */
static bool is_table(const source *s) {
  return s->bundle.count == 1 && s->bundle.tensors[0].ndim == 2 && s->archive == NULL && s->table == NULL &&
         columns_named(&s->metadata);
}

static bool unknown_name(const source *s, const char *name) {
  char near[1024];
  if (name[0] == '[') return report("%s: '%s' stands before another slice: give one", s->file, name), false;
  nearest best;
  nearest_init(&best, name, strlen(name));
  for (tsr_index i = 0; i < s->bundle.count; i++) nearest_offer(&best, s->bundle.tensors[i].name);
  if (is_table(s)) {
    for (tsr_index i = 0; i < s->bundle.tensors[0].shape[1]; i++)
      if (columns_name(&s->metadata, i) != NULL) nearest_offer(&best, columns_name(&s->metadata, i));
    report("%s has no column '%s'%s", s->file, name, nearest_text(&best, "", near, sizeof near));
    return false;
  }
  report("%s has no %s '%s'%s", s->file, s->rows.values.count > 0 ? "column" : "tensor", name,
         nearest_text(&best, " (tessera ls lists them)", near, sizeof near));
  return false;
}

static bool is_pattern(const char *name) { return strpbrk(name, "*?") != NULL; }

static bool matches(const source *s, tsr_index i, const char *name) {
  const char *own = s->bundle.tensors[i].name;
  if (name[0] == '\0' || strcmp(own, name) == 0) return true;
  return is_pattern(name) && tsr_bundle_find(&s->bundle, name) == NULL && fnmatch(name, own, 0) == 0;
}

static bool add_target(tsr_ctx *ctx, const source *s, tsr_index i, targets *found) {
  target *t = &found->list[found->count];
  *t = (target){.name = s->bundle.tensors[i].name, .archive = s->archive, .member = i};
  if (s->table != NULL && s->table[i].type >= 0) t->packed = &s->table[i];
  tsr_status st = TSR_OK;
  if (t->archive != NULL)
    t->tensor = s->bundle.tensors[i]; /* described: there is nothing to count */
  else
    st = tsr_view(ctx, &s->bundle.tensors[i], t->packed != NULL ? &t->blocks : &t->tensor);
  if (st == TSR_OK && t->packed != NULL) st = packed_describe(ctx, t->packed, &t->tensor);
  if (st != TSR_OK) return report_failure(ctx, t->name), false;
  found->count++;
  return true;
}

/* ---- columns ---- */

/* Takes the columns out of the table; one is a vector. */
static bool take_columns(tsr_ctx *ctx, source *s, const char *name, tsr_index count, const tsr_index *numbers,
                         targets *found) {
  const tsr_tensor *whole = &s->bundle.tensors[0];
  target *t = &found->list[0];
  tsr_tensor index = {0};
  *t = (target){.name = strdup(name), .label = strdup(name)};
  t->held = (char *)(uintptr_t)t->name;
  found->count = 1;
  if (t->name == NULL || t->label == NULL) return report("out of memory"), false;
  tsr_status st = TSR_OK;
  if (count == 1) {
    st = tsr_select(ctx, whole, 1, numbers[0], &t->tensor);
  } else {
    st = tsr_from_memory(ctx, (tsr_index *)(uintptr_t)numbers, TSR_I64, 1, &count, &index);
    if (st == TSR_OK) st = tsr_take(ctx, whole, &index, 1, &t->own);
    if (st == TSR_OK) st = tsr_view(ctx, &t->own, &t->tensor);
  }
  if (st == TSR_OK) st = columns_pick(ctx, &s->metadata, count, numbers);
  return st == TSR_OK || (report_failure(ctx, name), false);
}

/* "a,b" are columns a and b, where no column has that name itself. *known false: it names none. */
static bool find_columns(tsr_ctx *ctx, source *s, const char *name, targets *found, bool *known) {
  const tsr_index most = s->bundle.tensors[0].shape[1];
  size_t parts = 1;
  for (const char *c = name; *c != '\0'; c++) parts += *c == ',';
  tsr_index *numbers = calloc(parts, sizeof *numbers), count = 0;
  char *copy = strdup(name);
  bool ok = numbers != NULL && copy != NULL;
  if (!ok) report("out of memory");
  *known = ok && columns_find(&s->metadata, most, name, &numbers[0]);
  count = *known;
  for (char *part = copy, *end = copy; ok && !*known && end != NULL; part = end + 1) {
    end = strchr(part, ',');
    if (end != NULL) *end = '\0';
    if (!columns_find(&s->metadata, most, part, &numbers[count])) break;
    count++;
    if (end == NULL) *known = true;
  }
  if (ok && *known) ok = take_columns(ctx, s, name, count, numbers, found);
  free(copy);
  free(numbers);
  return ok;
}

/* "a,b" of a table of text: two targets. */
static bool find_parts(tsr_ctx *ctx, source *s, const char *name, targets *found) {
  char *copy = strdup(name);
  bool ok = copy != NULL || (report("out of memory"), false);
  for (char *part = copy, *end = copy; ok && end != NULL; part = end + 1) {
    end = strchr(part, ',');
    if (end != NULL) *end = '\0';
    const tsr_index i = tsr_table_find(&s->rows, part);
    ok = i < 0 ? unknown_name(s, part) : found->count < s->bundle.count;
    if (i >= 0 && !ok) report("%s: a column is named twice", name);
    ok = ok && add_target(ctx, s, i, found);
  }
  free(copy);
  return ok;
}

/* Without a name it is all of them; where there is a tensor whose name is empty, a colon names that one. */
static bool find_named(tsr_ctx *ctx, source *s, const char *name, bool named, targets *found) {
  const tsr_tensor *exact = name[0] != '\0' || named ? tsr_bundle_find(&s->bundle, name) : NULL;
  if (exact != NULL) return add_target(ctx, s, (tsr_index)(exact - s->bundle.tensors), found);
  for (tsr_index i = 0; i < s->bundle.count; i++)
    if (matches(s, i, name) && !add_target(ctx, s, i, found)) return false;
  if (found->count > 0 || name[0] == '\0') return true;
  bool known = false;
  if (s->rows.values.count > 0 && strchr(name, ',') != NULL) return find_parts(ctx, s, name, found);
  if (is_table(s) && !find_columns(ctx, s, name, found, &known)) return false;
  return known || unknown_name(s, name);
}

/* ---- slices ---- */

static bool cut(tsr_ctx *ctx, const char *text, const slice *s, target *t) {
  char form[256];
  (void)slice_format(s, form, sizeof form);
  tsr_tensor part = {0};
  if (target_fetch(ctx, t) != TSR_OK) return report_failure(ctx, t->name), false;
  if (slice_apply(ctx, &t->tensor, s, &part) != TSR_OK)
    return report("%s%s: %s", t->name, text, failure_text(ctx)), false;
  if ((part.flags & TSR_OWNS) != 0) {
    tsr_release(&t->own);
    t->own = part;
    part.flags &= (uint8_t)~TSR_OWNS;
  }
  t->tensor = part;
  const size_t length = strlen(t->name), more = strlen(form);
  free(t->label);
  t->label = malloc(length + more + 1);
  if (t->label == NULL) return report("out of memory"), false;
  memcpy(t->label, t->name, length);
  memcpy(t->label + length, form, more + 1);
  return true;
}

/* The names of columns are the file's: they follow the slice of one tensor, and fit none of several. */
static bool cut_all(tsr_ctx *ctx, const char *text, targets *found, tsr_metadata *metadata) {
  slice s;
  slice_error error;
  if (!slice_parse(text, strlen(text), &s, &error))
    return report("%s: at character %zu: %s", text, error.at + 1, error.what), false;
  const tsr_tensor whole = found->count == 1 ? found->list[0].tensor : (tsr_tensor){0};
  for (tsr_index i = 0; i < found->count; i++)
    if (!cut(ctx, text, &s, &found->list[i])) return false;
  if (columns_follow(ctx, found->count == 1 ? &whole : NULL, &s, metadata) == TSR_OK) return true;
  return report_failure(ctx, NULL), false;
}

/* Whether the first n bytes of text are a tensor's name; no bytes are any name. */
static bool is_name(const source *s, const char *text, size_t n) {
  for (tsr_index i = 0; i < s->bundle.count; i++) {
    const char *name = s->bundle.tensors[i].name;
    if (strncmp(name, text, n) == 0 && name[n] == '\0') return true;
  }
  return n == 0;
}

/* The bracket that the last one closes; the first one where that closes none. */
static const char *opening_bracket(const char *rest, size_t length) {
  int open = 0;
  for (size_t i = length; i-- > 0;) {
    open += rest[i] == ']';
    if (rest[i] == '[' && --open == 0) return rest + i;
  }
  return strchr(rest, '[');
}

/* Where the slice begins: a name may hold brackets itself, so the last ones count. One that is not closed is a slice
 * all the same where it follows a name, and then says what is missing. NULL: there is none. */
static const char *slice_in(const source *s, const char *rest) {
  const size_t length = strlen(rest);
  if (length > 0 && rest[length - 1] == ']') return opening_bracket(rest, length);
  const char *bracket = strchr(rest, '[');
  return bracket != NULL && is_name(s, rest, (size_t)(bracket - rest)) ? bracket : NULL;
}

/* A name may end in brackets itself: it is looked for first. */
static bool find(tsr_ctx *ctx, source *s, const char *rest, bool named, targets *found) {
  const char *bracket = slice_in(s, rest);
  found->list = calloc((size_t)s->bundle.count + 1, sizeof *found->list);
  if (found->list == NULL) return report("out of memory"), false;
  if (bracket == NULL || tsr_bundle_find(&s->bundle, rest) != NULL) return find_named(ctx, s, rest, named, found);
  char *name = strndup(rest, (size_t)(bracket - rest));
  if (name == NULL) return report("out of memory"), false;
  const bool ok = find_named(ctx, s, name, named, found) && cut_all(ctx, bracket, found, &s->metadata);
  free(name);
  return ok;
}

bool source_open(tsr_ctx *ctx, const char *text, source *out, targets *found) {
  address where;
  *out = (source){0};
  *found = (targets){0};
  if (!address_split(text, &where)) return false;
  const bool ok = load(ctx, where.file, &where.raw, out) && find(ctx, out, where.rest, where.named, found);
  address_release(&where);
  if (ok) return true;
  targets_release(found);
  source_release(out);
  return false;
}

/* ---- elements ---- */

tsr_status target_fetch(tsr_ctx *ctx, target *t) {
  if ((t->packed == NULL && t->archive == NULL) || t->own.dtype != TSR_NONE) return TSR_OK;
  const tsr_status st = t->archive != NULL ? tsr_npz_archive_read(ctx, t->archive, t->member, &t->own)
                                           : packed_fetch(ctx, t->packed, &t->blocks, &t->own);
  return st == TSR_OK ? tsr_view(ctx, &t->own, &t->tensor) : st;
}

void target_drop(target *t) {
  if (t->label != NULL || t->own.dtype == TSR_NONE) return; /* a slice is kept to the end */
  tsr_release(&t->own);
  t->own = (tsr_tensor){0};
  t->tensor.data = NULL;
  t->tensor.storage = NULL;
}

const char *target_label(const target *t) { return t->label != NULL ? t->label : t->name; }

void targets_release(targets *t) {
  for (tsr_index i = 0; i < t->count; i++) {
    free(t->list[i].label);
    free(t->list[i].held);
    tsr_release(&t->list[i].own);
  }
  free(t->list);
  *t = (targets){0};
}

const tsr_column *target_column(const source *s, const target *t) {
  const tsr_index i = s->rows.values.count > 0 && t->tensor.ndim <= 1 ? tsr_table_find(&s->rows, t->name) : -1;
  return i >= 0 ? &s->rows.columns[i] : NULL;
}

void source_release(source *s) {
  tsr_table_release(&s->rows);
  tsr_bundle_release(&s->bundle);
  tsr_metadata_release(&s->metadata);
  tsr_npz_archive_release(s->archive);
  if (s->stream != NULL) (void)fclose(s->stream);
  free(s->table);
  free(s->file);
  *s = (source){0};
}
