/* Checkpoints of several files: model.safetensors.index.json says in which of them each tensor is. */
#include "io/safetensors/safetensors.h"

#if TSR_HAVE_STDIO

#include "io/bytes/slurp.h"
#include "io/call/outputs.h"
#include "io/file/file.h"

#include <string.h>

/* Files of one checkpoint, and bytes of the name of one. */
enum { MOST_SHARDS = 10000, FILE_NAME = 256, MOST_DEPTH = 64 };

/* A file that is open: its name as the index has it, between quotes. */
typedef struct shard {
  const uint8_t *name;
  size_t length;
  tsr_safetensors_file *file;
} shard;

typedef struct checkpoint {
  tsr__json json;
  const char *path; /* of the index */
  const tsr_safetensors_options *options;
  shard *shards; /* room for MOST_SHARDS */
  size_t count, last;
  char *name; /* of a tensor: room for all of the text */
  char *place;
  size_t folder; /* how much of place is the folder of the index */
  bool mapped;   /* "weight_map" was there */
  tsr__made *made;
  tsr_metadata *metadata; /* NULL: it is not wanted */
} checkpoint;

#define REFUSE TSR__JSON_REFUSE

/* ---- values that nobody asks for ---- */

static tsr_status skip_word(tsr__json *json) {
  const size_t start = json->at;
  while (json->at < json->n && strchr("+-.0123456789Eaeflnrstu", (char)json->text[json->at]) != NULL &&
         json->text[json->at] != 0)
    json->at++;
  return json->at > start ? TSR_OK : REFUSE(json, start, TSR_EFORMAT, "expected a value", 0);
}

/* One value; objects and lists by their brackets, the kinds of which must meet. */
static tsr_status skip_value(tsr__json *json) {
  uint64_t braces = 0; /* a bit for each open bracket: whether it is { */
  int depth = 0;
  size_t length;
  do {
    tsr_status st = TSR_OK;
    tsr__json_spaces(json);
    const int c = json->at < json->n ? json->text[json->at] : -1;
    if (c == '"') {
      st = tsr__json_string(json, NULL, 0, &length);
    } else if (c == '{' || c == '[') {
      if (depth == MOST_DEPTH) return REFUSE(json, json->at, TSR_EFORMAT, "more than %d levels", (int)MOST_DEPTH);
      braces = braces << 1 | (c == '{');
      depth++;
      json->at++;
    } else if ((c == '}' || c == ']') && depth > 0 && ((braces & 1) != 0) == (c == '}')) {
      braces >>= 1;
      depth--;
      json->at++;
    } else if ((c == ',' || c == ':') && depth > 0) {
      json->at++;
    } else {
      st = skip_word(json);
    }
    if (st != TSR_OK) return st;
  } while (depth > 0);
  return TSR_OK;
}

/* ---- files ---- */

/* A name, never a path: what is beside the index, and nothing else. */
static bool is_plain_name(const char *name, size_t length) {
  return length > 0 && length < FILE_NAME && name[0] != '.' && strpbrk(name, "/\\:") == NULL;
}

static tsr_status open_shard(checkpoint *x, const uint8_t *name, size_t length) {
  if (x->count == MOST_SHARDS)
    return TSR__FAIL(x->json.ctx, TSR_ELIMIT, x->json.op, NULL, "%smore than %d files", x->json.where,
                     (int)MOST_SHARDS);
  tsr_safetensors_file *file = NULL;
  tsr_status st = tsr_safetensors_file_open(x->json.ctx, x->place, x->options, &file);
  if (st != TSR_OK) return st;
  x->shards[x->count] = (shard){.name = name, .length = length, .file = file};
  x->last = x->count++;
  if (x->count > 1 || x->metadata == NULL) return TSR_OK;
  return tsr__st_read_metadata(x->json.ctx, x->json.op, file, &x->made->pairs);
}

/* The shard of that name becomes the last one; tensors of one file mostly follow each other. */
static tsr_status find_shard(checkpoint *x, const uint8_t *name, size_t length) {
  for (size_t i = 0; i < x->count; i++) {
    const size_t k = (x->last + i) % x->count;
    if (x->shards[k].length != length || memcmp(x->shards[k].name, name, length) != 0) continue;
    x->last = k;
    return TSR_OK;
  }
  return open_shard(x, name, length);
}

/* ---- tensors ---- */

static tsr_status read_tensor(checkpoint *x, size_t at) {
  char shown[TSR__SHOWN];
  tsr_tensor t = {0};
  tsr_ctx *const ctx = x->json.ctx;
  tsr__show_text(x->name, shown);
  const tsr_index number = tsr_safetensors_file_find(x->shards[x->last].file, x->name);
  if (number < 0) return REFUSE(&x->json, at, TSR_EFORMAT, "'%s' is not in its file", shown);
  tsr_status st = tsr__st_read_one(ctx, x->json.op, x->shards[x->last].file, (size_t)number, &t);
  if (st == TSR_OK && tsr_bundle_find(&x->made->bundle, x->name) != NULL)
    st = REFUSE(&x->json, at, TSR_EFORMAT, "tensor '%s' appears twice", shown);
  if (st == TSR_OK) st = tsr_bundle_add(ctx, &x->made->bundle, x->name, &t);
  if (st != TSR_OK) tsr_release(&t);
  return st;
}

/* "NAME": "FILE" */
static tsr_status read_pair(checkpoint *x) {
  tsr__json *const json = &x->json;
  size_t length, file_length;
  tsr__json_spaces(json);
  const size_t at = json->at;
  tsr_status st = tsr__json_string(json, x->name, json->n + 1, &length);
  if (st == TSR_OK) st = tsr__json_expect(json, ':');
  if (st != TSR_OK) return st;
  tsr__json_spaces(json);
  const size_t start = json->at;
  char *const file = x->place + x->folder;
  st = tsr__json_string(json, file, FILE_NAME, &file_length);
  if (st != TSR_OK) return st;
  if (!is_plain_name(file, file_length))
    return REFUSE(json, start, TSR_EFORMAT, "this is no name of a file beside the index", 0);
  st = find_shard(x, json->text + start, json->at - start);
  return st == TSR_OK ? read_tensor(x, at) : st;
}

static tsr_status read_map(checkpoint *x) {
  bool more = false;
  if (x->mapped) return REFUSE(&x->json, x->json.at, TSR_EFORMAT, "weight_map appears twice", 0);
  x->mapped = true;
  tsr_status st = tsr__json_expect(&x->json, '{');
  for (bool first = true; st == TSR_OK; first = false) {
    st = tsr__json_member(&x->json, first, &more);
    if (st != TSR_OK || !more) return st;
    st = read_pair(x);
  }
  return st;
}

static tsr_status read_member(checkpoint *x) {
  char key[16];
  size_t length;
  tsr_status st = tsr__json_string(&x->json, key, sizeof key, &length);
  if (st == TSR_OK) st = tsr__json_expect(&x->json, ':');
  if (st != TSR_OK) return st;
  return length < sizeof key && strcmp(key, "weight_map") == 0 ? read_map(x) : skip_value(&x->json);
}

static tsr_status read_index(checkpoint *x) {
  tsr__json *const json = &x->json;
  bool more = false;
  tsr_status st = tsr__json_expect(json, '{');
  for (bool first = true; st == TSR_OK; first = false) {
    st = tsr__json_member(json, first, &more);
    if (st != TSR_OK || !more) break;
    tsr__json_spaces(json);
    st = read_member(x);
  }
  if (st != TSR_OK) return st;
  tsr__json_spaces(json);
  if (json->at < json->n) return REFUSE(json, json->at, TSR_EFORMAT, "text behind the end", 0);
  return x->mapped ? TSR_OK : REFUSE(json, json->at, TSR_EFORMAT, "there is no weight_map", 0);
}

/* ---- all of it ---- */

/* Memory for the table of files, for names and for paths; the folder stands at the start of the last. */
static tsr_status with_memory(checkpoint *x, tsr__made *made) {
  tsr__scratch memory;
  const char *slash = strrchr(x->path, '/');
  x->folder = slash != NULL ? (size_t)(slash + 1 - x->path) : 0;
  const size_t table = MOST_SHARDS * sizeof(shard);
  tsr_status st = tsr__scratch_get(x->json.ctx, x->json.op, table + x->json.n + 1 + x->folder + FILE_NAME, &memory);
  if (st != TSR_OK) return st;
  x->shards = memory.data;
  x->name = (char *)memory.data + table;
  x->place = x->name + x->json.n + 1;
  memcpy(x->place, x->path, x->folder);
  x->made = made;
  st = read_index(x);
  for (size_t i = 0; i < x->count; i++) tsr_safetensors_file_release(x->shards[i].file);
  tsr__scratch_put(&memory);
  return st;
}

tsr_status tsr_safetensors_load_sharded(tsr_ctx *ctx, const char *path, const tsr_safetensors_options *options,
                                        tsr_bundle *out, tsr_metadata *metadata) {
  static const char op[] = "safetensors_load_sharded";
  tsr__file_source f;
  tsr__slurped text;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  tsr_status st = tsr__outputs_check(ctx, op, out, metadata);
  if (st == TSR_OK) st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  st = tsr__slurp(ctx, op, f.where, &f.source, TSR__ST_MAX_HEADER, f.size, &text);
  st = tsr__file_source_close(&f, st);
  if (st != TSR_OK) return st;
  tsr__made made = tsr__made_start(out, metadata);
  checkpoint x = {.json = {.ctx = ctx, .op = op, .where = f.where, .text = text.bytes, .n = text.n},
                  .path = path,
                  .options = options,
                  .metadata = metadata};
  st = with_memory(&x, &made);
  tsr__slurp_release(&text);
  return tsr__made_end(&made, st, out, metadata);
}

#endif
