/* Writing a bundle as safetensors: the header is written twice, once to count it, so that nothing is kept. */
#include "core/text.h"
#include "core/table.h"
#include "io/bytes/elements.h"
#include "io/bytes/text.h"
#include "io/safetensors/safetensors.h"
#include "io/bytes/sort.h"

#include <string.h>

enum { DEFAULT_ALIGN = 8, MAX_ALIGN = 4096, LENGTH_BYTES = 8, PIECE = 256 };

/* Where the bytes go: to the sink, or nowhere when only their number is wanted. Small pieces are gathered. */
typedef struct writer {
  tsr_ctx *ctx;
  const char *op;
  const tsr_sink *sink; /* NULL: counts */
  const tsr_bundle *bundle;
  const tsr_metadata *metadata;
  const tsr_producer *producer;
  bool plain;
  const size_t *order;
  uint64_t offset; /* bytes so far */
  size_t held;
  char piece[PIECE];
} writer;

/* ---- bytes ---- */

static tsr_status send(writer *w, const void *bytes, size_t n) {
  const tsr_status st = n > 0 ? w->sink->write(w->sink->self, bytes, n) : TSR_OK;
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(w->ctx, st, w->op, NULL, "the sink failed after byte %l", (int64_t)(w->offset - w->held));
}

static tsr_status flush(writer *w) {
  const tsr_status st = w->sink != NULL ? send(w, w->piece, w->held) : TSR_OK;
  if (st == TSR_OK) w->held = 0;
  return st;
}

static tsr_status put(writer *w, const char *bytes, size_t n) {
  for (size_t done = 0; done < n && w->sink != NULL;) {
    const size_t part = n - done < PIECE - w->held ? n - done : PIECE - w->held;
    memcpy(w->piece + w->held, bytes + done, part);
    w->held += part;
    w->offset += part;
    done += part;
    const tsr_status st = w->held == PIECE ? flush(w) : TSR_OK;
    if (st != TSR_OK) return st;
  }
  if (w->sink == NULL) w->offset += n;
  return TSR_OK;
}

static tsr_status put_text(writer *w, const char *text) { return put(w, text, strlen(text)); }

static tsr_status put_number(writer *w, uint64_t value) {
  char digits[24];
  tsr__text text;
  tsr__text_init(&text, digits, sizeof digits);
  tsr__text_u64(&text, value);
  return put(w, digits, text.length);
}

/* ---- JSON ---- */

/* The characters of a string, without its quotes. */
static tsr_status put_characters(writer *w, const char *text) {
  static const char hex[] = "0123456789abcdef";
  tsr_status st = TSR_OK;
  for (const char *start = text; st == TSR_OK;) {
    const char *end = start;
    while ((uint8_t)*end >= 0x20 && *end != '"' && *end != '\\') end++;
    st = put(w, start, (size_t)(end - start));
    if (st != TSR_OK || *end == '\0') return st;
    const char control[] = {'\\', 'u', '0', '0', hex[(uint8_t)*end >> 4], hex[*end & 15]};
    const char quoted[] = {'\\', *end};
    st = (uint8_t)*end < 0x20 ? put(w, control, sizeof control) : put(w, quoted, sizeof quoted);
    start = end + 1;
  }
  return st;
}

/* before "text" after */
static tsr_status put_string(writer *w, const char *before, const char *prefix, const char *text, const char *after) {
  tsr_status st = put_text(w, before);
  if (st == TSR_OK) st = put_text(w, "\"");
  if (st == TSR_OK) st = put_text(w, prefix);
  if (st == TSR_OK) st = put_characters(w, text);
  if (st == TSR_OK) st = put_text(w, "\"");
  return st == TSR_OK ? put_text(w, after) : st;
}

/* ---- metadata ---- */

static bool wants_layout(const writer *w, const tsr_tensor *t) { return !w->plain && t->layout != TSR_PLAIN; }

/* Dense, not row-major, and no axis backwards: the order of its axes says how it lies. */
static bool wants_order(const writer *w, const tsr_tensor *t) {
  if (w->plain || tsr_size(t) == 0 || tsr_is_contiguous(t, TSR_ROW_MAJOR)) return false;
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] > 1 && t->stride[i] <= 0) return false;
  return tsr_is_contiguous(t, TSR_MEMORY);
}

static bool wants_pair(const writer *w, tsr_index i) {
  return w->plain || !tsr__st_is_reserved(w->metadata->pairs[i].key);
}

static void order_text(const tsr_tensor *t, char text[2 * TSR_MAX_DIMS + 1]) {
  int axes[TSR_MAX_DIMS];
  tsr__axes_by_stride(t, axes);
  for (int i = 0; i < t->ndim; i++) {
    text[2 * i] = (char)('0' + axes[i]);
    text[2 * i + 1] = i + 1 < t->ndim ? ',' : '\0';
  }
}

/* Begins the object before its first pair. */
static const char *opening(bool *any) {
  const char *text = *any ? "," : "\"" TSR__ST_METADATA "\":{";
  *any = true;
  return text;
}

static tsr_status put_hints(writer *w, const tsr_tensor *t, bool *any) {
  char order[2 * TSR_MAX_DIMS + 1];
  tsr_status st = TSR_OK;
  if (wants_layout(w, t)) {
    st = put_string(w, opening(any), TSR__ST_LAYOUT_KEY, t->name, ":\"");
    if (st == TSR_OK) st = put_text(w, tsr_layout_name(t->layout));
    if (st == TSR_OK) st = put_text(w, "\"");
  }
  if (st != TSR_OK || !wants_order(w, t)) return st;
  order_text(t, order);
  st = put_string(w, opening(any), TSR__ST_ORDER_KEY, t->name, ":\"");
  if (st == TSR_OK) st = put_text(w, order);
  return st == TSR_OK ? put_text(w, "\"") : st;
}

static tsr_status put_metadata(writer *w, bool *any) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; st == TSR_OK && w->metadata != NULL && i < w->metadata->count; i++) {
    if (!wants_pair(w, i)) continue;
    st = put_string(w, opening(any), "", w->metadata->pairs[i].key, ":");
    if (st == TSR_OK) st = put_string(w, "", "", w->metadata->pairs[i].value, "");
  }
  for (tsr_index i = 0; st == TSR_OK && i < w->bundle->count; i++)
    st = put_hints(w, &w->bundle->tensors[w->order[i]], any);
  return st == TSR_OK && *any ? put_text(w, "}") : st;
}

/* ---- the header ---- */

static tsr_status put_entry(writer *w, const tsr_tensor *t, const char *before, uint64_t begin) {
  tsr_status st = put_string(w, before, "", t->name, ":{\"dtype\":\"");
  if (st == TSR_OK) st = put_text(w, tsr_dtype_describe(t->dtype)->safetensors);
  if (st == TSR_OK) st = put_text(w, "\",\"shape\":[");
  for (int i = 0; st == TSR_OK && i < t->ndim; i++) {
    if (i > 0) st = put_text(w, ",");
    if (st == TSR_OK) st = put_number(w, (uint64_t)t->shape[i]);
  }
  if (st == TSR_OK) st = put_text(w, "],\"data_offsets\":[");
  if (st == TSR_OK) st = put_number(w, begin);
  if (st == TSR_OK) st = put_text(w, ",");
  if (st == TSR_OK) st = put_number(w, begin + tsr_nbytes(t));
  return st == TSR_OK ? put_text(w, "]}") : st;
}

static tsr_status put_header(writer *w) {
  bool any = false;
  uint64_t begin = 0;
  tsr_status st = put_text(w, "{");
  if (st == TSR_OK) st = put_metadata(w, &any);
  for (tsr_index i = 0; st == TSR_OK && i < w->bundle->count; i++) {
    const tsr_tensor *t = &w->bundle->tensors[w->order[i]];
    st = put_entry(w, t, any ? "," : "", begin);
    begin += tsr_nbytes(t);
    any = true;
  }
  return st == TSR_OK ? put_text(w, "}") : st;
}

static tsr_status put_length(writer *w, uint64_t length) {
  char bytes[LENGTH_BYTES];
  for (int i = 0; i < LENGTH_BYTES; i++) bytes[i] = (char)(uint8_t)(length >> 8 * i);
  return put(w, bytes, sizeof bytes);
}

/* ---- elements ---- */

static tsr_status send_on(void *self, const void *bytes, size_t n) {
  writer *w = self;
  const tsr_status st = send(w, bytes, n);
  if (st == TSR_OK) w->offset += n;
  return st;
}

static tsr_status put_elements(writer *w, const tsr_tensor *t) {
  const tsr__elements elements = {.ctx = w->ctx,
                                  .op = w->op,
                                  .producer = w->producer,
                                  .sink = {.size = sizeof(tsr_sink), .write = send_on, .self = w}};
  return tsr__elements_write(&elements, t);
}

/* ---- checks ---- */

static tsr_status check_text(tsr_ctx *ctx, const char *op, const char *arg, const char *text) {
  char shown[TSR__SHOWN];
  for (size_t left = strlen(text), step; left > 0; text += step, left -= step) {
    step = tsr__utf8((const uint8_t *)text, left);
    if (step > 0) continue;
    tsr__show_text(text, shown);
    return TSR__FAIL(ctx, TSR_EARG, op, arg, "has a string that is not UTF-8 from '%s' on", shown);
  }
  return TSR_OK;
}

static tsr_status check_tensor(tsr_ctx *ctx, const char *op, const tsr_tensor *t, const tsr_producer *producer,
                               uint64_t *total) {
  tsr_status st = tsr__elements_check(ctx, op, "bundle", t, producer);
  if (st == TSR_OK) st = check_text(ctx, op, "bundle", t->name);
  if (st != TSR_OK) return st;
  if (strcmp(t->name, TSR__ST_METADATA) == 0)
    return TSR__FAIL(ctx, TSR_ENAME, op, "bundle", "has a tensor " TSR__ST_METADATA ": the format keeps that name");
  const size_t bytes = tsr_nbytes(t);
  if (bytes > PTRDIFF_MAX || __builtin_add_overflow(*total, (uint64_t)bytes, total) || *total > INT64_MAX / 2)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bundle", "%t: more bytes than a file can have", t);
  return TSR_OK;
}

static tsr_status check_all(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const tsr_metadata *metadata,
                            const tsr_producer *producer, size_t align) {
  uint64_t total = 0;
  tsr_status st = TSR_OK;
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  if (align < DEFAULT_ALIGN || align > MAX_ALIGN || (align & (align - 1)) != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "align %z is not a power of two from 8 to 4096", align);
  for (tsr_index i = 0; st == TSR_OK && i < bundle->count; i++)
    st = check_tensor(ctx, op, &bundle->tensors[i], producer, &total);
  for (tsr_index i = 0; st == TSR_OK && metadata != NULL && i < metadata->count; i++) {
    st = check_text(ctx, op, "metadata", metadata->pairs[i].key);
    if (st == TSR_OK) st = check_text(ctx, op, "metadata", metadata->pairs[i].value);
  }
  return st;
}

/* ---- all of it ---- */

static bool written_before(const void *user, size_t a, size_t b) {
  const tsr_tensor *tensors = user;
  const int x = tsr_dtype_describe(tensors[a].dtype)->align, y = tsr_dtype_describe(tensors[b].dtype)->align;
  return x != y ? x > y : strcmp(tensors[a].name, tensors[b].name) < 0;
}

static tsr_status write_padded_header(writer *w, const tsr_sink *sink, size_t align) {
  tsr_status st = put_header(w); /* counts */
  if (st != TSR_OK) return st;
  const uint64_t bytes = w->offset;
  const size_t padding = (size_t)(-(bytes + LENGTH_BYTES) & (align - 1));
  if (bytes + padding > TSR__ST_MAX_HEADER)
    return TSR__FAIL(w->ctx, TSR_EOVERFLOW, w->op, "bundle", "takes a header of %l bytes, the format allows %z",
                     (int64_t)(bytes + padding), TSR__ST_MAX_HEADER);
  w->sink = sink;
  w->offset = 0;
  st = put_length(w, bytes + padding);
  if (st == TSR_OK) st = put_header(w);
  for (size_t i = 0; st == TSR_OK && i < padding; i++) st = put_text(w, " ");
  return st == TSR_OK ? flush(w) : st;
}

static tsr_status write_all(writer *w, const tsr_sink *sink, size_t align) {
  tsr_status st = write_padded_header(w, sink, align);
  for (tsr_index i = 0; st == TSR_OK && i < w->bundle->count; i++)
    st = put_elements(w, &w->bundle->tensors[w->order[i]]);
  return st;
}

tsr_status tsr__st_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_metadata *metadata,
                         const tsr_safetensors_save_options *options, const tsr_producer *producer,
                         const tsr_sink *sink) {
  static const char op[] = "safetensors_write";
  const size_t align = options != NULL && options->align != 0 ? options->align : DEFAULT_ALIGN;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = check_all(ctx, op, bundle, metadata, producer, align);
  if (st != TSR_OK) return st;
  tsr__scratch scratch;
  st = tsr__scratch_get(ctx, op, (size_t)bundle->count * sizeof(size_t), &scratch);
  if (st != TSR_OK) return st;
  size_t *order = scratch.data;
  for (size_t i = 0; i < (size_t)bundle->count; i++) order[i] = i;
  tsr__sort(order, (size_t)bundle->count, written_before, bundle->tensors);
  writer w = {.ctx = ctx,
              .op = op,
              .bundle = bundle,
              .metadata = metadata,
              .producer = producer,
              .plain = options != NULL && options->plain,
              .order = order};
  st = write_all(&w, sink, align);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_safetensors_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_metadata *metadata,
                                 const tsr_safetensors_save_options *options, const tsr_sink *sink) {
  return tsr__st_write(ctx, bundle, metadata, options, NULL, sink);
}
