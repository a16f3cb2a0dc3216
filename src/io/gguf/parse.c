/* The header of a GGUF file, step by step: nothing is believed before the bytes for it are known to be there. */
#include "io/gguf/gguf.h"

#if TSR_HAVE_STDIO

#include "io/bytes/text.h"

#include <string.h>

enum { MAX_RANK = 4, LEAST_TENSOR = 24, LEAST_PAIR = 13 };

/* ---- steps ---- */

static tsr_status ends_inside(const tsr__gguf_file *file, const char *what, uint64_t n) {
  const tsr__limit_call call = {.ctx = file->in.ctx, .op = file->in.op, .where = file->in.where};
  if (n > file->in.size - file->at)
    return TSR__GGUF_REFUSE(file, file->at, TSR_EFORMAT, "the file ends inside %s", what);
  return tsr__limit_check(&call, TSR__LIMIT_HEADER, "its header takes at least", "bytes", file->at + n, file->end);
}

/* Goes past n bytes, which are read: what follows is not to be changed by then. */
static tsr_status skip(tsr__gguf_file *file, const char *what, uint64_t n) {
  if (n > file->end - file->at) return ends_inside(file, what, n);
  const tsr_status st = tsr__once_need(&file->header, &file->in, (size_t)(file->at + n));
  if (st == TSR_OK) file->at += n;
  return st;
}

tsr_status tsr__gguf_take(tsr__gguf_file *file, const char *what, size_t n, const uint8_t **bytes) {
  const size_t at = (size_t)file->at;
  const tsr_status st = skip(file, what, n);
  if (st == TSR_OK) *bytes = file->header.bytes + at;
  return st;
}

tsr_status tsr__gguf_u32(tsr__gguf_file *file, const char *what, uint32_t *value) {
  const uint8_t *bytes;
  const tsr_status st = tsr__gguf_take(file, what, 4, &bytes);
  if (st == TSR_OK) *value = tsr__le32(bytes);
  return st;
}

tsr_status tsr__gguf_u64(tsr__gguf_file *file, const char *what, uint64_t *value) {
  const uint8_t *bytes;
  const tsr_status st = tsr__gguf_take(file, what, 8, &bytes);
  if (st == TSR_OK) *value = tsr__le64(bytes);
  return st;
}

tsr_status tsr__gguf_length(tsr__gguf_file *file, const char *what, uint64_t *length) {
  const uint64_t at = file->at;
  const tsr_status st = tsr__gguf_u64(file, what, length);
  if (st != TSR_OK || *length <= file->end - file->at) return st;
  file->at = at;
  return ends_inside(file, what, *length < INT64_MAX ? 8 + *length : *length);
}

/* ---- names ---- */

static tsr_status check_name(const tsr__gguf_file *file, uint64_t at, const char *what, const char *name, size_t n) {
  if (memchr(name, '\0', n) != NULL) return TSR__GGUF_REFUSE(file, at, TSR_EUNSUPPORTED, "%s holds a zero", what);
  for (size_t i = 0, step; i < n; i += step) {
    step = tsr__utf8((const uint8_t *)name + i, n - i);
    if (step == 0) return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "%s is not UTF-8", what);
  }
  return TSR_OK;
}

/* A name or a key: counted, or kept. */
static tsr_status take_name(tsr__gguf_file *file, const char *what, const char **name) {
  const uint64_t at = file->at;
  uint64_t length;
  tsr_status st = tsr__gguf_length(file, what, &length);
  if (st != TSR_OK) return st;
  const uint8_t *from;
  st = tsr__gguf_take(file, what, (size_t)length, &from);
  if (st != TSR_OK) return st;
  if (file->text == NULL) {
    file->text_bytes += (size_t)length + 1; /* at most as many as the header has */
    return TSR_OK;
  }
  char *to = file->text + file->text_at; /* the first walk went over these very bytes: there is room */
  memcpy(to, from, (size_t)length);
  to[length] = '\0';
  file->text_at += (size_t)length + 1;
  *name = to;
  return check_name(file, at, what, to, (size_t)length);
}

/* ---- pairs ---- */

static tsr_status check_bools(tsr__gguf_file *file, uint64_t count) {
  const uint64_t at = file->at;
  const uint8_t *bools;
  const tsr_status st = tsr__gguf_take(file, "a bool", (size_t)count, &bools); /* count is one, or known to be there */
  if (st != TSR_OK) return st;
  for (size_t i = 0; i < (size_t)count; i++)
    if (bools[i] > 1) return TSR__GGUF_REFUSE(file, at + i, TSR_EFORMAT, "a bool is %d", (int)bools[i]);
  return TSR_OK;
}

static tsr_status skip_string(tsr__gguf_file *file) {
  uint64_t length;
  const tsr_status st = tsr__gguf_length(file, "a string", &length);
  return st == TSR_OK ? skip(file, "a string", length) : st;
}

static tsr_status skip_array(tsr__gguf_file *file) {
  const uint64_t at = file->at;
  uint32_t type;
  uint64_t count;
  tsr_status st = tsr__gguf_u32(file, "an array", &type);
  if (st == TSR_OK) st = tsr__gguf_u64(file, "an array", &count);
  if (st != TSR_OK) return st;
  if (type == TSR__GGUF_ARRAY) return TSR__GGUF_REFUSE(file, at, TSR_EUNSUPPORTED, "an array of arrays");
  const size_t bytes = type == TSR__GGUF_STRING ? 8 : tsr__gguf_value_bytes(type); /* the least of each */
  if (bytes == 0) return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "an array of type %l, which is none", (int64_t)type);
  if (count > (file->end - file->at) / bytes)
    return ends_inside(file, "an array", count < INT64_MAX / 8 ? count * bytes : UINT64_MAX);
  if (type == TSR__GGUF_BOOL) return check_bools(file, count);
  if (type != TSR__GGUF_STRING) return skip(file, "an array", count * bytes);
  for (uint64_t i = 0; st == TSR_OK && i < count; i++) st = skip_string(file);
  return st;
}

static tsr_status skip_value(tsr__gguf_file *file, uint64_t at, uint32_t type) {
  if (type == TSR__GGUF_STRING) return skip_string(file);
  if (type == TSR__GGUF_ARRAY) return skip_array(file);
  if (type == TSR__GGUF_BOOL) return check_bools(file, 1);
  const size_t bytes = tsr__gguf_value_bytes(type);
  if (bytes == 0) return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "a value of type %l, which is none", (int64_t)type);
  return skip(file, "a value", bytes);
}

/* The one key that says how to read what follows. */
static tsr_status read_alignment(tsr__gguf_file *file, const tsr__gguf_pair *pair) {
  uint32_t align;
  if (pair->type != TSR__GGUF_U32) return TSR__GGUF_REFUSE(file, pair->at, TSR_EFORMAT, "general.alignment is no u32");
  file->at = pair->value;
  const tsr_status st = tsr__gguf_u32(file, "general.alignment", &align);
  if (st != TSR_OK) return st;
  if (align == 0 || (align & (align - 1)) != 0)
    return TSR__GGUF_REFUSE(file, pair->value, TSR_EFORMAT, "general.alignment %l is no power of two", (int64_t)align);
  file->align = align;
  return TSR_OK;
}

static tsr_status parse_pair(tsr__gguf_file *file, size_t i) {
  tsr__gguf_pair pair = {.at = file->at};
  tsr_status st = take_name(file, "a key", &pair.key);
  if (st == TSR_OK && file->at == pair.at + 8) st = TSR__GGUF_REFUSE(file, pair.at, TSR_EFORMAT, "a key is empty");
  const uint64_t at = file->at;
  if (st == TSR_OK) st = tsr__gguf_u32(file, "the type of a value", &pair.type);
  pair.value = file->at;
  if (st == TSR_OK) st = skip_value(file, at, pair.type);
  if (st != TSR_OK || file->text == NULL) return st;
  file->pair[i] = pair;
  return strcmp(pair.key, "general.alignment") == 0 ? read_alignment(file, &pair) : TSR_OK;
}

/* ---- tensors ---- */

/* Dimensions, the fastest first, to a shape, and how many elements there are; every product is checked, and that of
 * dimensions beside a 0 too. */
static tsr_status parse_shape(tsr__gguf_file *file, tsr__gguf_entry *e, uint64_t *first, uint64_t *elements) {
  uint64_t product = 1;
  bool none = false;
  *first = 1;
  for (int i = 0; i < e->ndim; i++) {
    const uint64_t at = file->at;
    uint64_t n;
    const tsr_status st = tsr__gguf_u64(file, "a dimension", &n);
    if (st != TSR_OK) return st;
    if (n > (uint64_t)TSR_INDEX_MAX || __builtin_mul_overflow(product, n > 0 ? n : 1, &product) ||
        product > (uint64_t)TSR_INDEX_MAX)
      return TSR__GGUF_REFUSE(file, at, TSR_EOVERFLOW, "more elements than can be counted");
    if (i == 0) *first = n;
    none = none || n == 0;
    e->shape[e->ndim - 1 - i] = (tsr_index)n;
  }
  *elements = none ? 0 : product;
  return TSR_OK;
}

static tsr_status parse_type(tsr__gguf_file *file, tsr__gguf_entry *e, uint64_t first, uint64_t elements) {
  const uint64_t at = file->at;
  const tsr_status st = tsr__gguf_u32(file, "the type of a tensor", &e->type);
  if (st != TSR_OK) return st;
  const tsr__gguf_type *type = tsr__gguf_type_of(e->type);
  if (type == NULL)
    return TSR__GGUF_REFUSE(file, at, TSR_EUNSUPPORTED, "a tensor of type %l, which is not known", (int64_t)e->type);
  if (first % type->block != 0)
    return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "rows of %l elements are not whole blocks of %d, as %s has them",
                            (int64_t)first, (int)type->block, type->name);
  uint64_t row; /* of a tensor with an axis of 0 it is all that there is to check */
  if (__builtin_mul_overflow(first / type->block, (uint64_t)type->bytes, &row) || row > PTRDIFF_MAX ||
      __builtin_mul_overflow(elements / type->block, (uint64_t)type->bytes, &e->bytes) || e->bytes > PTRDIFF_MAX)
    return TSR__GGUF_REFUSE(file, at, TSR_EOVERFLOW, "more bytes than can be addressed");
  return TSR_OK;
}

static tsr_status parse_tensor(tsr__gguf_file *file, size_t i) {
  tsr__gguf_entry e = {.at = file->at};
  uint64_t first = 0, elements = 0;
  uint32_t rank = 0;
  tsr_status st = take_name(file, "the name of a tensor", &e.name);
  const uint64_t at = file->at;
  if (st == TSR_OK) st = tsr__gguf_u32(file, "a rank", &rank);
  if (st == TSR_OK && rank > MAX_RANK) st = TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "rank %l is over 4", (int64_t)rank);
  e.ndim = (uint8_t)rank;
  if (st == TSR_OK) st = parse_shape(file, &e, &first, &elements);
  if (st == TSR_OK) st = parse_type(file, &e, first, elements);
  if (st == TSR_OK) st = tsr__gguf_u64(file, "the offset of a tensor", &e.begin);
  if (st == TSR_OK && file->text != NULL) file->entry[i] = e;
  return st;
}

_Static_assert(MAX_RANK <= TSR_MAX_DIMS, "a tensor of a file is a tensor");

/* ---- all of it ---- */

static tsr_status check_count(const tsr__gguf_file *file, uint64_t at, const char *what, uint64_t count,
                              uint64_t least_bytes) {
  const tsr__limit_call call = {.ctx = file->in.ctx, .op = file->in.op, .where = file->in.where};
  if (count > (file->in.size - file->at) / least_bytes)
    return TSR__GGUF_REFUSE(file, at, TSR_EFORMAT, "%z %s do not fit the file", (size_t)count, what);
  return tsr__limit_check(&call, TSR__LIMIT_TENSORS, "it has", what, count,
                          tsr__limit(call.ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
}

static tsr_status check_version(const tsr__gguf_file *file, const uint8_t *head) {
  if (memcmp(head, "GGUF", 4) != 0) return TSR__GGUF_REFUSE(file, 0, TSR_EFORMAT, "not a GGUF file");
  const uint32_t version = tsr__le32(head + 4);
  if (version != 0 && (version & 0xffff) == 0)
    return TSR__GGUF_REFUSE(file, 4, TSR_EUNSUPPORTED, "a file of a big-endian machine");
  if (version != 2 && version != 3)
    return TSR__GGUF_REFUSE(file, 4, TSR_EUNSUPPORTED, "version %l is not 2 or 3", (int64_t)version);
  return TSR_OK;
}

tsr_status tsr__gguf_parse(tsr__gguf_file *file) {
  const uint8_t *head;
  file->at = 0;
  tsr_status st = tsr__gguf_take(file, "its preamble", 24, &head);
  if (st == TSR_OK) st = check_version(file, head);
  if (st != TSR_OK) return st;
  const uint64_t count = tsr__le64(head + 8), pairs = tsr__le64(head + 16);
  st = check_count(file, 8, "tensors", count, LEAST_TENSOR);
  if (st == TSR_OK) st = check_count(file, 16, "keys", pairs, LEAST_PAIR);
  if (st != TSR_OK) return st;
  file->count = (size_t)count;
  file->pairs = (size_t)pairs;
  for (size_t i = 0; st == TSR_OK && i < file->pairs; i++) st = parse_pair(file, i);
  for (size_t i = 0; st == TSR_OK && i < file->count; i++) st = parse_tensor(file, i);
  return st;
}

#endif
