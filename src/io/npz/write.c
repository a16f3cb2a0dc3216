/* Writing .npz: for each tensor a local header and the array, then the directory. A stored array begins at a multiple
 * of 64, so that it can be mapped; what is deflated has its sizes behind it, because they are not known before. An
 * archive that grows comes first as it is, up to its directory, whose entries come before the new ones. */
#include "core/text.h"
#include "core/table.h"
#include "io/bytes/elements.h"
#include "io/bytes/text.h"
#include "io/bytes/walk.h"
#include "io/npy/npy.h"
#include "io/npz/npz.h"

#include <string.h>

enum {
  ALIGN = 64,
  ALIGN_ID = 0xd935, /* the extra field whose bytes are there to align: its multiple, then zeros */
  ALIGN_BYTES = 6,   /* the least that it takes */
  WIDE_BYTES = 20,   /* an extra field with two numbers of 64 bits */
  VERSION = 20,      /* of the format: deflate */
  VERSION_WIDE = 45, /* zip64 */
  DATE = 0x21,       /* 1 January 1980: the same tensors are the same bytes */
  RIGHTS = 0600      /* as NumPy's members have */
};

static const uint32_t none = 0xffffffff; /* "see the number of 64 bits" */

/* What the directory will say of a member. */
typedef struct member {
  uint64_t offset, packed, bytes;
  uint32_t crc;
} member;

typedef struct writer {
  tsr_ctx *ctx;
  const tsr_sink *sink;
  uint64_t offset;
  tsr_status status; /* of the sink */
  bool deflate;
  int level;
  const tsr_producer *producer;
  const tsr__zip *old; /* NULL: a new archive */
  member *members;
} writer;

static const char op[] = "npz_write";

/* ---- bytes ---- */

static tsr_status put(writer *w, const void *bytes, size_t n) {
  if (n == 0) return TSR_OK;
  w->status = w->sink->write(w->sink->self, bytes, n);
  if (w->status == TSR_OK) w->offset += n;
  return w->status;
}

/* A record that is filled from its start. */
typedef struct record {
  uint8_t bytes[128];
  size_t n;
} record;

static void add(record *r, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) r->bytes[r->n++] = (uint8_t)(value >> 8 * i);
}

static uint32_t narrow(uint64_t value) { return value < none ? (uint32_t)value : none; }

/* ---- names ---- */

static bool is_ascii(const char *name) {
  for (; *name != '\0'; name++)
    if ((*name & 0x80) != 0) return false;
  return true;
}

static tsr_status check_name(tsr_ctx *ctx, const char *name) {
  const uint8_t *at = (const uint8_t *)name;
  const size_t n = strlen(name);
  char shown[TSR__SHOWN];
  tsr__show_text(name, shown);
  for (size_t i = 0, step; i < n; i += step) {
    step = tsr__utf8(at + i, n - i);
    if (step == 0) return TSR__FAIL(ctx, TSR_ENAME, op, "bundle", "name '%s' is not UTF-8", shown);
  }
  if (n > 65535 - 4) return TSR__FAIL(ctx, TSR_ENAME, op, "bundle", "name '%s' has %z bytes: too long", shown, n);
  return TSR_OK;
}

static tsr_status put_name(writer *w, const char *name) {
  const tsr_status st = put(w, name, strlen(name));
  return st == TSR_OK ? put(w, ".npy", 4) : st;
}

static uint32_t flags_of(const writer *w, const char *name) {
  return (w->deflate ? TSR__ZIP_FLAG_DESCRIPTOR : 0u) | (is_ascii(name) ? 0u : TSR__ZIP_FLAG_UTF8);
}

/* Version, flags, method, time and date: what both headers of a member have. */
static void add_kind(const writer *w, record *r, const char *name, bool wide) {
  add(r, wide ? VERSION_WIDE : VERSION, 2);
  add(r, flags_of(w, name), 2);
  add(r, w->deflate ? TSR__ZIP_DEFLATED : TSR__ZIP_STORED, 2);
  add(r, 0, 2);
  add(r, DATE, 2);
}

/* ---- local headers ---- */

/* How many bytes of extra field take a member from offset to a multiple of ALIGN. */
static size_t padding(uint64_t offset) {
  const size_t gap = (size_t)((ALIGN - offset % ALIGN) % ALIGN);
  return gap == 0 || gap >= ALIGN_BYTES ? gap : gap + ALIGN;
}

static tsr_status put_local(writer *w, const char *name, const member *m, bool wide) {
  const size_t wide_bytes = wide ? WIDE_BYTES : 0;
  const size_t pad = w->deflate ? 0 : padding(w->offset + TSR__ZIP_LOCAL_BYTES + strlen(name) + 4 + wide_bytes);
  record r = {.n = 0};
  add(&r, TSR__ZIP_LOCAL, 4);
  add_kind(w, &r, name, wide);
  add(&r, m->crc, 4);
  add(&r, wide ? none : m->packed, 4);
  add(&r, wide ? none : m->bytes, 4);
  add(&r, strlen(name) + 4, 2);
  add(&r, wide_bytes + pad, 2);
  tsr_status st = put(w, r.bytes, r.n);
  if (st == TSR_OK) st = put_name(w, name);
  r = (record){.n = 0};
  if (wide) {
    add(&r, TSR__ZIP_WIDE_ID, 2);
    add(&r, WIDE_BYTES - 4, 2);
    add(&r, m->bytes, 8);
    add(&r, m->packed, 8);
  }
  if (pad > 0) {
    add(&r, ALIGN_ID, 2);
    add(&r, pad - 4, 2);
    add(&r, ALIGN, 2);
    r.n += pad - ALIGN_BYTES;
  }
  return st == TSR_OK ? put(w, r.bytes, r.n) : st;
}

_Static_assert(WIDE_BYTES + ALIGN + ALIGN_BYTES <= sizeof((record){0}.bytes), "the extra fields fit a record");

/* ---- stored members ---- */

static tsr_status count_bytes(void *self, const void *bytes, size_t n) {
  member *m = self;
  m->crc = tsr__crc32(m->crc, bytes, n);
  m->bytes += n;
  return TSR_OK;
}

static tsr_status pass_on(void *self, const void *bytes, size_t n) { return put(self, bytes, n); }

static tsr_status put_stored(writer *w, const tsr_tensor *t, member *m) {
  const tsr_sink counter = {.size = sizeof(tsr_sink), .write = count_bytes, .self = m},
                 through = {.size = sizeof(tsr_sink), .write = pass_on, .self = w};
  tsr_status st = tsr__npy_write(w->ctx, t, w->producer, &counter);
  m->packed = m->bytes;
  if (st == TSR_OK) st = put_local(w, t->name, m, m->bytes >= none);
  return st == TSR_OK ? tsr__npy_write(w->ctx, t, w->producer, &through) : st;
}

/* ---- deflated members ---- */

typedef struct deflating {
  writer *w;
  member *m;
  tsr__packer *packer;
} deflating;

static tsr_status deflate_some(deflating *d, const void *bytes, size_t n, bool last) {
  uint8_t block[TSR__ELEMENT_BLOCK];
  tsr__pack_step step = {.in = bytes, .in_left = n};
  tsr__pack_result result;
  do {
    step.out = block;
    step.out_left = sizeof block;
    result = tsr__deflate_run(d->packer, &step, last);
    if (result == TSR__PACK_BROKEN || result == TSR__PACK_NO_MEMORY) return TSR_ENOMEM;
    const tsr_status st = put(d->w, block, sizeof block - step.out_left);
    if (st != TSR_OK) return st;
    d->m->packed += sizeof block - step.out_left;
  } while (last ? result != TSR__PACK_END : step.in_left > 0 || step.out_left == 0);
  return TSR_OK;
}

static tsr_status deflate_bytes(void *self, const void *bytes, size_t n) {
  deflating *d = self;
  (void)count_bytes(d->m, bytes, n);
  return n == 0 ? TSR_OK : deflate_some(d, bytes, n, false);
}

static tsr_status put_descriptor(writer *w, const member *m, bool wide) {
  record r = {.n = 0};
  add(&r, TSR__ZIP_DESCRIPTOR, 4);
  add(&r, m->crc, 4);
  add(&r, m->packed, wide ? 8 : 4);
  add(&r, m->bytes, wide ? 8 : 4);
  return put(w, r.bytes, r.n);
}

static tsr_status put_deflated(writer *w, const tsr_tensor *t, member *m) {
  const bool wide = tsr_nbytes(t) > none - ((uint32_t)1 << 24); /* deflating may add a little */
  deflating d = {.w = w, .m = m, .packer = tsr__deflate_new(tsr__allocator(w->ctx), w->level)};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = deflate_bytes, .self = &d};
  if (d.packer == NULL) return TSR__FAIL(w->ctx, TSR_ENOMEM, op, NULL, "no memory to deflate with");
  tsr_status st = put_local(w, t->name, m, wide);
  if (st == TSR_OK) st = tsr__npy_write(w->ctx, t, w->producer, &sink);
  if (st == TSR_OK) st = deflate_some(&d, NULL, 0, true);
  if (st == TSR_OK) st = put_descriptor(w, m, wide);
  tsr__packer_release(d.packer);
  return st;
}

/* ---- the directory ---- */

static tsr_status put_entry(writer *w, const char *name, const member *m) {
  record wide = {.n = 4}, r = {.n = 0};
  if (m->bytes >= none) add(&wide, m->bytes, 8);
  if (m->packed >= none) add(&wide, m->packed, 8);
  if (m->offset >= none) add(&wide, m->offset, 8);
  const size_t extra = wide.n > 4 ? wide.n : 0;
  wide.n = 0;
  add(&wide, TSR__ZIP_WIDE_ID, 2);
  add(&wide, extra > 0 ? extra - 4 : 0, 2);
  add(&r, TSR__ZIP_ENTRY, 4);
  add(&r, 3 << 8 | VERSION_WIDE, 2); /* made on Unix */
  add_kind(w, &r, name, extra > 0);
  add(&r, m->crc, 4);
  add(&r, narrow(m->packed), 4);
  add(&r, narrow(m->bytes), 4);
  add(&r, strlen(name) + 4, 2);
  add(&r, extra, 2);
  add(&r, 0, 6); /* no comment, disk 0, no attributes */
  add(&r, (uint32_t)RIGHTS << 16, 4);
  add(&r, narrow(m->offset), 4);
  tsr_status st = put(w, r.bytes, r.n);
  if (st == TSR_OK) st = put_name(w, name);
  return st == TSR_OK ? put(w, wide.bytes, extra) : st;
}

static tsr_status put_wide_end(writer *w, uint64_t count, uint64_t offset, uint64_t bytes) {
  const uint64_t at = w->offset;
  record r = {.n = 0};
  add(&r, TSR__ZIP_END64, 4);
  add(&r, TSR__ZIP_END64_BYTES - 12, 8);
  add(&r, 3 << 8 | VERSION_WIDE, 2);
  add(&r, VERSION_WIDE, 2);
  add(&r, 0, 8); /* disk 0 */
  add(&r, count, 8);
  add(&r, count, 8);
  add(&r, bytes, 8);
  add(&r, offset, 8);
  add(&r, TSR__ZIP_LOCATOR, 4);
  add(&r, 0, 4);
  add(&r, at, 8);
  add(&r, 1, 4); /* one disk */
  return put(w, r.bytes, r.n);
}

static tsr_status put_directory(writer *w, const tsr_bundle *bundle) {
  const uint64_t start = w->offset, count = (uint64_t)bundle->count + (w->old != NULL ? w->old->count : 0);
  tsr_status st = w->old != NULL ? put(w, w->old->entries.bytes, w->old->directory_bytes) : TSR_OK;
  for (tsr_index i = 0; st == TSR_OK && i < bundle->count; i++)
    st = put_entry(w, bundle->tensors[i].name, &w->members[i]);
  const uint64_t bytes = w->offset - start;
  if (st == TSR_OK && (count >= 0xffff || start >= none || bytes >= none)) st = put_wide_end(w, count, start, bytes);
  if (st != TSR_OK) return st;
  record r = {.n = 0};
  add(&r, TSR__ZIP_END, 4);
  add(&r, 0, 4); /* disk 0 */
  add(&r, count < 0xffff ? count : 0xffff, 2);
  add(&r, count < 0xffff ? count : 0xffff, 2);
  add(&r, narrow(bytes), 4);
  add(&r, narrow(start), 4);
  add(&r, 0, 2); /* no comment */
  return put(w, r.bytes, r.n);
}

/* ---- an archive that grows ---- */

static tsr_status put_old(writer *w) {
  uint8_t block[TSR__ELEMENT_BLOCK];
  const tsr__input *in = &w->old->in;
  tsr_status st = TSR_OK;
  if (in->bytes != NULL) return put(w, in->bytes, (size_t)w->old->directory);
  while (st == TSR_OK && w->offset < w->old->directory) {
    const uint64_t left = w->old->directory - w->offset;
    const size_t n = left < sizeof block ? (size_t)left : sizeof block;
    st = tsr__input_get(in, w->offset, block, n);
    if (st == TSR_OK) st = put(w, block, n);
  }
  return st;
}

/* ---- all of it ---- */

static tsr_status check_bundle(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_producer *producer) {
  for (tsr_index i = 0; i < bundle->count; i++) {
    const tsr_tensor *t = &bundle->tensors[i];
    tsr_status st = tsr__elements_check(ctx, op, t->name, t, producer);
    if (st == TSR_OK) st = check_name(ctx, t->name);
    if (st != TSR_OK) return st;
    if (tsr_nbytes(t) == SIZE_MAX)
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, t->name, "%t has more bytes than a size can say", t);
  }
  return TSR_OK;
}

static tsr_status check_options(tsr_ctx *ctx, const tsr_npz_save_options *options) {
  if (options->level < 0 || options->level > 9)
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "level %d is not 0 to 9", options->level);
  if (options->deflate && !TSR_HAVE_ZLIB)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "options", "deflate: this build has no zlib");
  return tsr__check_reserved(ctx, op, TSR__ROOM(options));
}

static tsr_status write_all(writer *w, const tsr_bundle *bundle) {
  tsr_status st = w->old != NULL ? put_old(w) : TSR_OK;
  for (tsr_index i = 0; st == TSR_OK && i < bundle->count; i++) {
    member *m = &w->members[i];
    *m = (member){.offset = w->offset};
    st = w->deflate ? put_deflated(w, &bundle->tensors[i], m) : put_stored(w, &bundle->tensors[i], m);
  }
  if (st == TSR_OK) st = put_directory(w, bundle);
  if (w->status != TSR_OK)
    return TSR__FAIL(w->ctx, w->status, op, NULL, "the sink failed after byte %l", (int64_t)w->offset);
  return st;
}

tsr_status tsr__npz_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                          const tsr__npz_source *source, const tsr_sink *sink) {
  enum { DEFAULT_LEVEL = 6 };
  const tsr_npz_save_options defaults = {0};
  tsr__scratch memory;
  size_t bytes;
  if (bundle == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bundle", "is NULL");
  const tsr_status given = tsr__check_sink(ctx, op, sink);
  if (given != TSR_OK) return given;
  if (options == NULL) options = &defaults;
  tsr_status st = check_options(ctx, options);
  if (st == TSR_OK) st = check_bundle(ctx, bundle, source->producer);
  if (st != TSR_OK) return st;
  if (!tsr__mul_size((size_t)bundle->count, sizeof(member), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bundle", "of %l tensors is too large", (int64_t)bundle->count);
  st = tsr__scratch_get(ctx, op, bytes, &memory);
  if (st != TSR_OK) return st;
  writer w = {.ctx = ctx,
              .sink = sink,
              .deflate = options->deflate,
              .level = options->level > 0 ? options->level : DEFAULT_LEVEL,
              .producer = source->producer,
              .old = source->old,
              .members = memory.data};
  st = write_all(&w, bundle);
  tsr__scratch_put(&memory);
  return st;
}

tsr_status tsr_npz_write(tsr_ctx *ctx, const tsr_bundle *bundle, const tsr_npz_save_options *options,
                         const tsr_sink *sink) {
  const tsr__npz_source source = {0};
  return tsr__npz_write(ctx, bundle, options, &source, sink);
}
