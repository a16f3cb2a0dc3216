/* .npy files, mapped. */
#include "io/file/map.h"

#if TSR_HAVE_MMAP

#include "io/bytes/memory.h"
#include "io/file/file.h"
#include "io/npy/npy.h"

static tsr_status load_mapped(tsr_ctx *ctx, const char *path, tsr_storage *map, int access,
                              const tsr_npy_options *options, tsr_tensor *out) {
  char where[TSR_TEXT_BYTES];
  const size_t bytes = tsr_storage_bytes(map);
  tsr__memory_bytes memory = {.at = tsr_storage_data(map), .left = bytes};
  const tsr__memory_bytes start = memory;
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &memory};
  tsr__npy_reader reader = {
      .ctx = ctx, .op = "npy_mmap", .where = where, .source = &source, .bounded = true, .left = bytes};
  const tsr__npy_reader fresh = reader;
  tsr__npy_header header = {0};
  tsr__file_where(path, where);
  const tsr_status st = tsr__npy_read_header(&reader, options, &header);
  if (st != TSR_OK) return st;
  if (header.bytes > reader.left) return tsr__npy_cut_short(&reader, &header, reader.left);
  if (access != TSR_ACCESS_COPY && tsr__npy_fits_in_place(&header, memory.at))
    return tsr__npy_in_place(ctx, map, memory.at, &header, access, out);
  memory = start;
  reader = fresh;
  return tsr__npy_read_array(&reader, options, out);
}

tsr_status tsr_npy_mmap(tsr_ctx *ctx, const char *path, tsr_access access, const tsr_npy_options *options,
                        tsr_tensor *out) {
  static const char op[] = "npy_mmap";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (!tsr_is_none(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "%t is not empty: a map brings its memory", out);
  tsr_storage *map = NULL;
  tsr_status st = tsr__map_check_access(ctx, op, (int)access, true);
  if (st == TSR_OK)
    st = tsr__map_open(ctx, op, path, access == TSR_ACCESS_PRIVATE ? TSR_ACCESS_PRIVATE : TSR_ACCESS_READ, &map);
  if (st != TSR_OK) return st;
  st = load_mapped(ctx, path, map, (int)access, options, out);
  tsr_storage_release(map);
  return st;
}

#endif
