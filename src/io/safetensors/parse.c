/* The header of a safetensors file. Two walks over the same bytes, which the call owns: the first checks and counts,
 * the second fills the table that the first has measured. */
#include "io/bytes/text.h"
#include "io/safetensors/safetensors.h"

#include <string.h>

enum { KEY_DTYPE = 1, KEY_SHAPE = 2, KEY_OFFSETS = 4, ALL_KEYS = 7 };

/* Room for the longest key and dtype that mean something, and for enough of others to show them. */
enum { WORD = 40 };

typedef struct walk {
  tsr__json json;
  tsr_safetensors_file *file;
  bool fill;
  size_t entries, pairs, text; /* so far */
} walk;

#define REFUSE TSR__JSON_REFUSE

/* ---- strings of the table ---- */

/* The next string: measured in the first walk, kept in the second. */
static tsr_status take_string(walk *w, const char **kept, size_t *length) {
  char *to = w->fill ? w->file->text + w->text : NULL;
  const size_t capacity = w->fill ? w->file->text_bytes - w->text : 0;
  const tsr_status st = tsr__json_string(&w->json, to, capacity, length);
  if (st != TSR_OK) return st;
  w->text += *length + 1;
  *kept = to;
  return TSR_OK;
}

/* A word of the format: at most WORD - 1 bytes of it. */
static tsr_status take_word(walk *w, char word[WORD], size_t *at) {
  size_t length;
  tsr__json_spaces(&w->json);
  *at = w->json.at;
  return tsr__json_string(&w->json, word, WORD, &length);
}

/* Whether there may be one more than so many. */
static tsr_status check_count(const walk *w, size_t so_far, const char *what) {
  const tsr__limit_call call = {.ctx = w->json.ctx, .op = w->json.op, .where = w->json.where};
  return tsr__limit_check(&call, TSR__LIMIT_TENSORS, "it has at least", what, (uint64_t)so_far + 1,
                          tsr__limit(call.ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
}

/* ---- one tensor ---- */

static tsr_status parse_dtype(walk *w, tsr__st_entry *e) {
  char word[WORD], shown[TSR__SHOWN];
  tsr__st_type type;
  size_t at;
  const tsr_status st = take_word(w, word, &at);
  if (st != TSR_OK) return st;
  tsr__show_text(word, shown);
  if (!tsr__st_type_find(word, &type)) return REFUSE(&w->json, at, TSR_EUNSUPPORTED, "unsupported dtype %s", shown);
  if (type.dtype == TSR_NONE && !w->file->options.opaque && !w->file->any_dtype)
    return REFUSE(&w->json, at, TSR_EUNSUPPORTED, "unsupported dtype %s", shown);
  e->type = type.name;
  e->bits = type.bits;
  e->dtype = type.dtype;
  return TSR_OK;
}

static tsr_status parse_shape(walk *w, tsr__st_entry *e) {
  bool more;
  tsr_status st = tsr__json_expect(&w->json, '[');
  e->ndim = 0;
  for (bool first = true; st == TSR_OK; first = false) {
    uint64_t dimension;
    st = tsr__json_element(&w->json, first, &more);
    if (st != TSR_OK || !more) break;
    tsr__json_spaces(&w->json);
    const size_t at = w->json.at;
    st = tsr__json_u64(&w->json, &dimension);
    if (st != TSR_OK) break;
    if (e->ndim == TSR_MAX_DIMS) return REFUSE(&w->json, at, TSR_EUNSUPPORTED, "more than %d dimensions", TSR_MAX_DIMS);
    const tsr_index value = (tsr_index)dimension;
    if (value < 0 || (uint64_t)value != dimension)
      return REFUSE(&w->json, at, TSR_EOVERFLOW, "a dimension does not fit its integer type");
    e->shape[e->ndim++] = value;
  }
  return st;
}

static tsr_status parse_offsets(walk *w, tsr__st_entry *e) {
  bool more;
  tsr__json_spaces(&w->json);
  const size_t at = w->json.at;
  uint64_t *ends[] = {&e->begin, &e->end};
  tsr_status st = tsr__json_expect(&w->json, '[');
  for (int i = 0; st == TSR_OK && i < 2; i++) {
    st = tsr__json_element(&w->json, i == 0, &more);
    if (st == TSR_OK && !more) return REFUSE(&w->json, at, TSR_EFORMAT, "data_offsets must be two numbers");
    if (st == TSR_OK) st = tsr__json_u64(&w->json, ends[i]);
  }
  if (st != TSR_OK) return st;
  if (!tsr__json_accept(&w->json, ']')) return REFUSE(&w->json, at, TSR_EFORMAT, "data_offsets must be two numbers");
  if (e->end < e->begin) return REFUSE(&w->json, at, TSR_EFORMAT, "the data ends before it begins");
  if (e->end > w->file->data_bytes)
    return REFUSE(&w->json, at, TSR_EFORMAT, "the data ends past the file: only %l bytes are there",
                  (int64_t)w->file->data_bytes);
  return TSR_OK;
}

/* Bytes by dtype and shape. A 0 among the dimensions does not hide an overflow of the others. */
static tsr_status measure(walk *w, const tsr__st_entry *e, size_t at, uint64_t *bytes) {
  uint64_t bits = e->bits;
  bool empty = false, fits = true;
  for (int i = 0; i < e->ndim; i++) {
    if (e->shape[i] == 0) empty = true;
    if (e->shape[i] != 0 && __builtin_mul_overflow(bits, (uint64_t)e->shape[i], &bits)) fits = false;
  }
  if (!fits || bits / 8 > PTRDIFF_MAX)
    return REFUSE(&w->json, at, TSR_EOVERFLOW, "the bytes of %s %S do not fit their integer type", e->type,
                  (int)e->ndim, e->shape);
  if (!empty && bits % 8 != 0)
    return REFUSE(&w->json, at, TSR_EFORMAT, "%s %S does not fill its last byte", e->type, (int)e->ndim, e->shape);
  *bytes = empty ? 0 : bits / 8;
  return TSR_OK;
}

static tsr_status check_size(walk *w, const tsr__st_entry *e, size_t at) {
  uint64_t bytes = 0;
  const tsr_status st = measure(w, e, at, &bytes);
  if (st != TSR_OK || bytes == e->end - e->begin) return st;
  return REFUSE(&w->json, at, TSR_EFORMAT, "%s %S takes %l bytes, its data_offsets span %l", e->type, (int)e->ndim,
                e->shape, (int64_t)bytes, (int64_t)(e->end - e->begin));
}

static int key_of(const char *word) {
  if (strcmp(word, "dtype") == 0) return KEY_DTYPE;
  if (strcmp(word, "shape") == 0) return KEY_SHAPE;
  return strcmp(word, "data_offsets") == 0 ? KEY_OFFSETS : 0;
}

static tsr_status parse_member(walk *w, int *keys, tsr__st_entry *e) {
  char word[WORD], shown[TSR__SHOWN];
  size_t at;
  tsr_status st = take_word(w, word, &at);
  if (st != TSR_OK) return st;
  const int key = key_of(word);
  tsr__show_text(word, shown);
  if (key == 0) return REFUSE(&w->json, at, TSR_EFORMAT, "key '%s' is not one of a tensor", shown);
  if ((*keys & key) != 0) return REFUSE(&w->json, at, TSR_EFORMAT, "key '%s' appears twice", shown);
  *keys |= key;
  st = tsr__json_expect(&w->json, ':');
  if (st != TSR_OK) return st;
  return key == KEY_DTYPE ? parse_dtype(w, e) : key == KEY_SHAPE ? parse_shape(w, e) : parse_offsets(w, e);
}

static tsr_status parse_tensor(walk *w, tsr__st_entry *e) {
  int keys = 0;
  bool more;
  tsr__json_spaces(&w->json);
  const size_t at = w->json.at;
  if (!tsr__json_accept(&w->json, '{')) return REFUSE(&w->json, at, TSR_EFORMAT, "a tensor must be an object");
  for (bool first = true;; first = false) {
    tsr_status st = tsr__json_member(&w->json, first, &more);
    if (st == TSR_OK && more) st = parse_member(w, &keys, e);
    if (st != TSR_OK) return st;
    if (!more) break;
  }
  const size_t end = w->json.at - 1;
  if ((keys & KEY_DTYPE) == 0) return REFUSE(&w->json, end, TSR_EFORMAT, "key 'dtype' is missing");
  if ((keys & KEY_SHAPE) == 0) return REFUSE(&w->json, end, TSR_EFORMAT, "key 'shape' is missing");
  if ((keys & KEY_OFFSETS) == 0) return REFUSE(&w->json, end, TSR_EFORMAT, "key 'data_offsets' is missing");
  return check_size(w, e, at);
}

/* ---- metadata ---- */

static tsr_status parse_pair(walk *w) {
  tsr__st_pair pair = {0};
  size_t length;
  tsr__json_spaces(&w->json);
  pair.at = w->json.base + w->json.at;
  tsr_status st = check_count(w, w->pairs, "keys");
  if (st == TSR_OK) st = take_string(w, &pair.key, &length);
  if (st == TSR_OK) st = tsr__json_expect(&w->json, ':');
  if (st == TSR_OK) st = take_string(w, &pair.value, &length);
  if (st != TSR_OK) return st;
  if (w->fill) w->file->pair[w->pairs] = pair;
  w->pairs++;
  return TSR_OK;
}

static tsr_status parse_metadata(walk *w) {
  bool more;
  tsr__json_spaces(&w->json);
  if (!tsr__json_accept(&w->json, '{'))
    return REFUSE(&w->json, w->json.at, TSR_EFORMAT, "__metadata__ must be an object");
  for (bool first = true;; first = false) {
    tsr_status st = tsr__json_member(&w->json, first, &more);
    if (st == TSR_OK && more) st = parse_pair(w);
    if (st != TSR_OK || !more) return st;
  }
}

/* ---- the object ---- */

/* Whether the string that begins at the next byte is __metadata__; reads it. */
static tsr_status is_metadata(walk *w, bool *yes) {
  char word[WORD];
  size_t at;
  tsr__json ahead = w->json;
  const tsr_status st = take_word(w, word, &at);
  w->json = ahead;
  *yes = st == TSR_OK && strcmp(word, TSR__ST_METADATA) == 0;
  return st;
}

static tsr_status parse_named(walk *w, bool *has_metadata) {
  tsr__st_entry e = {0};
  size_t length;
  bool metadata;
  tsr__json_spaces(&w->json);
  const size_t at = w->json.at, text = w->text;
  tsr_status st = is_metadata(w, &metadata);
  if (st == TSR_OK) st = take_string(w, &e.name, &length);
  if (st == TSR_OK) st = tsr__json_expect(&w->json, ':');
  if (st != TSR_OK) return st;
  if (metadata) {
    if (*has_metadata) return REFUSE(&w->json, at, TSR_EFORMAT, "__metadata__ appears twice");
    *has_metadata = true;
    w->text = text; /* its name is not kept */
    return parse_metadata(w);
  }
  st = check_count(w, w->entries, "tensors");
  if (st != TSR_OK) return st;
  e.at = w->json.base + at;
  st = parse_tensor(w, &e);
  if (st != TSR_OK) return st;
  if (w->fill) w->file->entry[w->entries] = e;
  w->entries++;
  return TSR_OK;
}

static tsr_status parse_object(walk *w) {
  bool more, has_metadata = false;
  if (w->file->options.lenient) tsr__json_spaces(&w->json);
  if (w->json.at == w->json.n || w->json.text[w->json.at] != '{')
    return REFUSE(&w->json, w->json.at, TSR_EFORMAT, "the header does not begin with '{'");
  w->json.at++;
  for (bool first = true;; first = false) {
    tsr_status st = tsr__json_member(&w->json, first, &more);
    if (st == TSR_OK && more) st = parse_named(w, &has_metadata);
    if (st != TSR_OK) return st;
    if (!more) break;
  }
  tsr__json_spaces(&w->json);
  if (w->json.at < w->json.n) return REFUSE(&w->json, w->json.at, TSR_EFORMAT, "text after the header's object");
  return TSR_OK;
}

tsr_status tsr__st_parse(tsr_safetensors_file *file, bool fill) {
  walk w = {.json = {.ctx = file->in.ctx,
                     .op = file->in.op,
                     .where = file->in.where,
                     .text = file->header.bytes,
                     .n = file->header_bytes,
                     .base = (size_t)(file->data - file->header_bytes)},
            .file = file,
            .fill = fill};
  const tsr_status st = parse_object(&w);
  if (st != TSR_OK) return st;
  file->count = w.entries;
  file->pairs = w.pairs;
  if (!fill) file->text_bytes = w.text;
  return TSR_OK;
}
