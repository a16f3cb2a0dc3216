/* Archives that stay open. */
#include "io/npz/npz.h"
#include "core/table.h"
#include "io/call/lasting.h"

#include <tessera/memory.h>

struct tsr_npz_archive {
  tsr__zip zip;
  tsr_reader reader;
  const tsr_allocator *allocator;
  uint64_t inflated; /* by members that were read */
};

static tsr_status open_zip(tsr_ctx *ctx, const tsr_npz_options *options, tsr_npz_archive *archive) {
  tsr_ctx lasting = tsr__lasting_start(ctx);
  archive->zip.in = (tsr__input){
      .ctx = &lasting, .op = "npz_archive_new", .where = "", .reader = &archive->reader, .size = archive->reader.bytes};
  const tsr_status st = tsr__lasting_end(ctx, &lasting, tsr__zip_open(&archive->zip, options));
  archive->zip.in.ctx = NULL;
  return st;
}

tsr_status tsr_npz_archive_new(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options,
                               tsr_npz_archive **out) {
  static const char op[] = "npz_archive_new";
  const tsr_status given = tsr__check_reader(ctx, op, reader);
  if (given != TSR_OK) return given;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_allocator *allocator = tsr__allocator(ctx);
  tsr_npz_archive *archive =
      allocator->alloc(allocator->self, sizeof *archive, _Alignof(tsr_npz_archive), TSR_HINT_DEFAULT);
  if (archive == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", sizeof *archive);
  *archive = (tsr_npz_archive){.reader = *reader, .allocator = allocator};
  const tsr_status st = open_zip(ctx, options, archive);
  if (st == TSR_OK)
    *out = archive;
  else
    allocator->free(allocator->self, archive, sizeof *archive);
  return st;
}

tsr_status tsr_npz_archive_list(tsr_ctx *ctx, const tsr_npz_archive *archive, tsr_npz_visit *visit, void *user) {
  static const char op[] = "npz_archive_list";
  if (archive == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "archive", "is NULL");
  if (visit == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "visit", "is NULL");
  tsr__zip zip = archive->zip;
  tsr_status st = TSR_OK;
  zip.in.ctx = ctx;
  zip.in.op = op;
  for (size_t i = 0; st == TSR_OK && i < zip.count; i++) st = tsr__npz_show(&zip, &zip.member[i], visit, user);
  return st;
}

tsr_status tsr_npz_archive_read(tsr_ctx *ctx, tsr_npz_archive *archive, tsr_index member, tsr_tensor *out) {
  static const char op[] = "npz_archive_read";
  if (archive == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "archive", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (member < 0 || (uint64_t)member >= archive->zip.count)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "member", "%l is not one of %z", (int64_t)member, archive->zip.count);
  tsr__zip zip = archive->zip;
  tsr__zip_member *m = &archive->zip.member[member];
  zip.in.ctx = ctx;
  zip.in.op = op;
  const uint64_t others = archive->inflated - (m->counted ? m->bytes : 0);
  const tsr_status st = tsr__npz_read_member(&zip, m, others, out);
  if (st != TSR_OK || !m->deflated) return st;
  m->counted = true;
  archive->inflated = others + m->bytes;
  return TSR_OK;
}

void tsr_npz_archive_release(tsr_npz_archive *archive) {
  if (archive == NULL) return;
  const tsr_allocator *allocator = archive->allocator;
  tsr__zip_close(&archive->zip);
  allocator->free(allocator->self, archive, sizeof *archive);
}
