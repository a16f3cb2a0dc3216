/* Members of an archive as tensors: views where their bytes can be used in place, else memory of their own. */
#include "io/npz/npz.h"

#include "core/text.h"
#include "io/bytes/memory.h"
#include "io/bytes/text.h"
#include "io/npy/npy.h"
#include "io/call/outputs.h"

#include <string.h>

/* One member on its way into a tensor. */
typedef struct job {
  const tsr__zip *zip;
  const tsr__zip_member *member;
  tsr_npy_options options;
  tsr__npy_reader reader;
  tsr_source source;
  tsr__memory_bytes memory; /* what source reads from: this, or a stream */
  tsr__zip_stream stream;
  char where[TSR_TEXT_BYTES];
} job;

/* Messages about what is in a member: "x.npz: member 'a': header: byte 8: ...". */
static void job_init(job *j, const tsr__zip *zip, const tsr__zip_member *m, tsr__budget *budget) {
  char shown[TSR__SHOWN];
  tsr__text text;
  j->zip = zip;
  j->member = m;
  j->options = (tsr_npy_options){.void_dtype = zip->options.void_dtype};
  tsr__show_text(m->name, shown);
  tsr__text_init(&text, j->where, sizeof j->where);
  tsr__text_format(&text, "%smember '%s': ", zip->in.where, shown);
  j->reader = (tsr__npy_reader){.ctx = zip->in.ctx,
                                .op = zip->in.op,
                                .where = j->where,
                                .source = &j->source,
                                .bounded = true,
                                .left = (size_t)m->bytes,
                                .budget = budget};
}

/* ---- in place ---- */

/* Whether every byte is 0 or 1: others are read as 1, which takes a copy. */
static bool are_bools(const char *at, size_t n) {
  unsigned seen = 0;
  for (size_t i = 0; i < n; i++) seen |= (unsigned char)at[i];
  return seen <= 1;
}

/* *done stays false when the elements cannot be used where they are. */
static tsr_status make_in_place(job *j, tsr_storage *map, tsr_tensor *t, bool *done) {
  const tsr__zip *zip = j->zip;
  const uint8_t *bytes = zip->in.bytes + (size_t)j->member->data;
  const size_t n = (size_t)j->member->bytes;
  tsr__memory_bytes *const memory = &j->memory;
  tsr__npy_header header = {0};
  *memory = (tsr__memory_bytes){.at = (const char *)bytes, .left = n};
  j->source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = memory};
  tsr_status st = tsr__npy_read_header(&j->reader, &j->options, &header);
  if (st != TSR_OK) return st;
  if (header.bytes > memory->left) return tsr__npy_cut_short(&j->reader, &header, memory->left);
  if (!tsr__npy_fits_in_place(&header, memory->at)) return TSR_OK;
  if (header.dtype == TSR_BOOL && !zip->options.lazy && !are_bools(memory->at, header.bytes)) return TSR_OK;
  if (!zip->options.lazy) st = tsr__zip_check_crc(zip, j->member, tsr__crc32(0, bytes, n));
  if (st != TSR_OK) return st;
  *done = true;
  return tsr__npy_in_place(zip->in.ctx, map, memory->at, &header, zip->options.access, t);
}

static bool may_be_in_place(const tsr__zip *zip, const tsr__zip_member *m, const tsr_storage *map) {
  const int access = zip->options.access;
  if (zip->in.bytes == NULL || m->deflated || access == TSR_ACCESS_COPY) return false;
  return map != NULL || access == TSR_ACCESS_READ;
}

/* ---- copied ---- */

static tsr_status make_copy(job *j, tsr_tensor *t) {
  tsr__zip_stream *const stream = &j->stream;
  tsr_status st = tsr__zip_stream_open(j->zip, j->member, stream);
  if (st != TSR_OK) return st;
  const bool fresh = t->data == NULL;
  tsr_tensor filled = *t;
  j->source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__zip_stream_read, .self = stream};
  st = tsr__npy_read_array(&j->reader, &j->options, &filled);
  if (st == TSR_OK)
    st = tsr__zip_stream_finish(stream);
  else if (stream->status != TSR_OK)
    st = tsr__zip_stream_failed(stream);
  tsr__zip_stream_close(stream);
  if (st == TSR_OK)
    *t = filled;
  else if (fresh && filled.data != NULL)
    tsr_release(&filled);
  return st;
}

/* ---- a tensor, all tensors ---- */

static tsr_status make_tensor(const tsr__zip *zip, const tsr__zip_member *m, tsr_storage *map, tsr__budget *budget,
                              tsr_tensor *t) {
  job j;
  bool done = false;
  job_init(&j, zip, m, budget);
  if (may_be_in_place(zip, m, map)) {
    const tsr_status st = make_in_place(&j, map, t, &done);
    if (st != TSR_OK || done) return st;
    job_init(&j, zip, m, budget); /* from the start again */
  }
  return make_copy(&j, t);
}

/* What the deflated ones of n members become, beside bytes. They are not inflated to find out. */
static tsr_status check_inflated(const tsr__zip *zip, const tsr__zip_member *members, size_t n, uint64_t bytes) {
  const tsr__limit_call call = tsr__zip_call(zip);
  for (size_t i = 0; i < n; i++) {
    if (!members[i].deflated) continue;
    bytes = members[i].bytes < UINT64_MAX - bytes ? bytes + members[i].bytes : UINT64_MAX;
  }
  return tsr__limit_check(&call, TSR__LIMIT_INFLATED, "it inflates to", "bytes", bytes,
                          tsr__limit(call.ctx, TSR__LIMIT_INFLATED, tsr__default_bytes(zip->in.size)));
}

static tsr__budget budget_of(const tsr__zip *zip) {
  return tsr__budget_start(zip->in.ctx, zip->in.op, zip->in.where, zip->in.size);
}

static tsr_status read_all(const tsr__zip *zip, tsr_storage *map, tsr_bundle *out) {
  tsr__made made = tsr__made_start(out, NULL);
  tsr__budget budget = budget_of(zip);
  tsr_status st = check_inflated(zip, zip->member, zip->count, 0);
  for (size_t i = 0; st == TSR_OK && i < zip->count; i++) {
    tsr_tensor t = {0};
    st = make_tensor(zip, &zip->member[i], map, &budget, &t);
    if (st == TSR_OK) st = tsr_bundle_add(zip->in.ctx, &made.bundle, zip->member[i].name, &t);
    if (st != TSR_OK) tsr_release(&t);
  }
  return tsr__made_end(&made, st, out, NULL);
}

tsr_status tsr__npz_open_and_read(tsr__zip *zip, const tsr_npz_options *options, tsr_storage *map, tsr_bundle *out) {
  tsr_status st = tsr__zip_open(zip, options);
  if (st != TSR_OK) return st;
  st = read_all(zip, map, out);
  tsr__zip_close(zip);
  return st;
}

tsr_status tsr_npz_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options, tsr_bundle *out) {
  tsr__zip zip = {0};
  tsr_status st = tsr__input_of_reader(ctx, "npz_read", reader, &zip.in);
  if (st == TSR_OK) st = tsr__outputs_check(ctx, zip.in.op, out, NULL);
  return st == TSR_OK ? tsr__npz_open_and_read(&zip, options, NULL, out) : st;
}

tsr_status tsr_npz_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_npz_options *options, tsr_bundle *out) {
  tsr__zip zip = {0};
  tsr_status st = tsr__input_of_bytes(ctx, "npz_decode", bytes, n, &zip.in);
  if (st == TSR_OK) st = tsr__outputs_check(ctx, zip.in.op, out, NULL);
  return st == TSR_OK ? tsr__npz_open_and_read(&zip, options, NULL, out) : st;
}

/* ---- one of them ---- */

tsr_status tsr__npz_read_member(const tsr__zip *zip, const tsr__zip_member *m, uint64_t inflated, tsr_tensor *out) {
  tsr__budget budget = budget_of(zip);
  const tsr_status st = check_inflated(zip, m, 1, inflated);
  return st == TSR_OK ? make_tensor(zip, m, NULL, &budget, out) : st;
}

static tsr_status read_named(const tsr__zip *zip, const char *name, tsr_tensor *out) {
  for (size_t i = 0; i < zip->count; i++)
    if (strcmp(zip->member[i].name, name) == 0) return tsr__npz_read_member(zip, &zip->member[i], 0, out);
  return TSR__FAIL(zip->in.ctx, TSR_ENAME, zip->in.op, "name", "%s is not among the file's %z names", name, zip->count);
}

tsr_status tsr_npz_read_tensor(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options, const char *name,
                               tsr_tensor *out) {
  static const char op[] = "npz_read_tensor";
  tsr__zip zip = {0};
  tsr_status st = tsr__input_of_reader(ctx, op, reader, &zip.in);
  if (st != TSR_OK) return st;
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "name", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  st = tsr__zip_open(&zip, options);
  if (st != TSR_OK) return st;
  st = read_named(&zip, name, out);
  tsr__zip_close(&zip);
  return st;
}

/* ---- what is there ---- */

tsr_status tsr__npz_show(const tsr__zip *zip, const tsr__zip_member *m, tsr_npz_visit *visit, void *user) {
  job j;
  tsr__npy_header header = {0};
  job_init(&j, zip, m, NULL);
  tsr_status st = tsr__zip_stream_open(zip, m, &j.stream);
  if (st != TSR_OK) return st;
  j.source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__zip_stream_read, .self = &j.stream};
  st = tsr__npy_read_header(&j.reader, &j.options, &header);
  if (st != TSR_OK && j.stream.status != TSR_OK) st = tsr__zip_stream_failed(&j.stream);
  if (st == TSR_OK && header.bytes > j.reader.left) st = tsr__npy_cut_short(&j.reader, &header, j.reader.left);
  tsr__zip_stream_close(&j.stream);
  if (st != TSR_OK) return st;
  const tsr_npz_entry entry = {.name = m->name,
                               .dtype = header.dtype,
                               .ndim = header.ndim,
                               .shape = header.shape,
                               .fortran = header.fortran,
                               .deflated = m->deflated,
                               .offset = m->data,
                               .packed = m->packed,
                               .bytes = header.bytes};
  return visit(user, &entry);
}

tsr_status tsr_npz_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options, tsr_npz_visit *visit,
                        void *user) {
  static const char op[] = "npz_list";
  tsr__zip zip = {0};
  tsr_status st = tsr__input_of_reader(ctx, op, reader, &zip.in);
  if (st != TSR_OK) return st;
  if (visit == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "visit", "is NULL");
  st = tsr__zip_open(&zip, options);
  if (st != TSR_OK) return st;
  for (size_t i = 0; st == TSR_OK && i < zip.count; i++) st = tsr__npz_show(&zip, &zip.member[i], visit, user);
  tsr__zip_close(&zip);
  return st;
}
