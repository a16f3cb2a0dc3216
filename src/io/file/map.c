/* Files as memory. */
#include "io/file/map.h"

#if TSR_HAVE_MMAP

#include "core/storage.h"
#include "io/file/file.h"
#include "io/file/system.h"

#include <errno.h>

/* ---- the end of a map ---- */

/* The open file is all that a map needs to remember: it is kept for tsr_mmap_check, and it travels as the user pointer,
 * plus one, so that it is never NULL. */
static void *user_of(tsr__map_file file) { return (void *)((uintptr_t)file + 1); }
static tsr__map_file file_of(const void *user) { return (tsr__map_file)((uintptr_t)user - 1); }

static void unmap(void *user, void *data, size_t bytes) { tsr__system_unmap(file_of(user), data, bytes); }

/* ---- opening ---- */

tsr_status tsr__map_check_access(tsr_ctx *ctx, const char *op, int access, bool copy) {
  if (access == TSR_ACCESS_READ || access == TSR_ACCESS_PRIVATE || (copy && access == TSR_ACCESS_COPY)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "access", "%d is not a way to map a file", access);
}

/* Maps the file; *data is NULL for an empty one. */
static tsr_status map_file(tsr_ctx *ctx, const char *op, const char *path, int access, tsr__map_file file, void **data,
                           size_t *bytes) {
  tsr__file_kind kind = TSR__FILE_NONE;
  uint64_t size = 0;
  int error = tsr__system_map_look(file, &kind, &size);
  if (error != 0) return tsr__file_fail(ctx, op, path, "cannot be looked at", error);
  if (kind == TSR__FILE_FOLDER) return tsr__file_fail(ctx, op, path, "cannot be mapped", EISDIR);
  if (kind != TSR__FILE_PLAIN)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "%s: not a plain file: it cannot be mapped",
                     tsr__file_short(path));
  if (size > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%s: larger than the address space", tsr__file_short(path));
  *bytes = (size_t)size;
  *data = NULL;
  if (*bytes == 0) return TSR_OK;
  error = tsr__system_map(file, *bytes, access == TSR_ACCESS_PRIVATE, data);
  return error == 0 ? TSR_OK : tsr__file_fail(ctx, op, path, "cannot be mapped", error);
}

tsr_status tsr__map_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr_storage **out) {
  void *data = NULL;
  size_t bytes = 0;
  tsr__map_file file = 0;
  const int error = tsr__system_map_open(path, &file);
  if (error != 0) return tsr__file_fail(ctx, op, path, "cannot be opened", error);
  tsr_status st = map_file(ctx, op, path, access, file, &data, &bytes);
  if (st == TSR_OK) {
    st = tsr_storage_wrap(ctx, NULL, data, bytes, unmap, user_of(file), out);
    if (st != TSR_OK) tsr__system_unmap(file, data, bytes);
  } else {
    tsr__system_unmap(file, NULL, 0);
  }
  return st;
}

tsr_status tsr_mmap_load(tsr_ctx *ctx, const char *path, tsr_access access, tsr_tensor *out) {
  static const char op[] = "mmap_load";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if ((out->flags & TSR_OWNS) != 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  tsr_status st = tsr__map_check_access(ctx, op, (int)access, false);
  if (st != TSR_OK) return st;
  tsr_storage *map = NULL;
  st = tsr__map_open(ctx, op, path, (int)access, &map);
  if (st != TSR_OK) return st;
  const size_t bytes = tsr_storage_bytes(map);
  const tsr_index shape = (tsr_index)bytes;
  if ((uint64_t)shape != bytes)
    st = TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%s: more bytes than an index counts", tsr__file_short(path));
  else
    st = tsr_from_storage(ctx, map, 0, TSR_U8, 1, &shape, NULL, out);
  if (st == TSR_OK && access == TSR_ACCESS_READ) out->flags |= TSR_READONLY;
  tsr_storage_release(map);
  return st;
}

/* ---- looking again ---- */

/* The storage that a map made, or NULL. */
static const tsr_storage *map_under(const tsr_storage *s) {
  while (s != NULL && s->kind == TSR__STORAGE_SUB) s = s->owner.parent;
  return s != NULL && s->kind == TSR__STORAGE_WRAPPED && s->owner.wrapped.release == unmap ? s : NULL;
}
static const tsr_storage *map_of(const tsr_tensor *t) { return map_under(t->storage); }

/* How many bytes the file behind a map has now; false when it cannot be looked at. */
static bool bytes_now(const tsr_storage *map, uint64_t *bytes) {
  tsr__file_kind kind = TSR__FILE_NONE;
  return tsr__system_map_look(file_of(map->owner.wrapped.user), &kind, bytes) == 0;
}

static tsr_status check_mapped(tsr_ctx *ctx, const char *op, const tsr_tensor *t) {
  uint64_t now = 0;
  const tsr_storage *map = map_of(t);
  if (map == NULL) return TSR_OK;
  if (!bytes_now(map, &now)) return TSR__FAIL(ctx, TSR_EIO, op, "t", "%t: its file cannot be looked at", t);
  if (now >= map->bytes) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EIO, op, "t", "%t: its file had %z bytes when it was mapped, now %z", t, map->bytes,
                   (size_t)now);
}

tsr_status tsr__map_check(tsr_ctx *ctx, const char *op, const char *where, const tsr_storage *map) {
  uint64_t now = 0;
  map = map_under(map);
  if (map == NULL) return TSR_OK;
  if (!bytes_now(map, &now)) return TSR__FAIL(ctx, TSR_EIO, op, NULL, "%sit cannot be looked at", where);
  if (now >= map->bytes) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EIO, op, NULL, "%sit had %z bytes when it was mapped, now %z", where, map->bytes,
                   (size_t)now);
}

tsr_status tsr__map_check_all(tsr_ctx *ctx, const char *op, tsr_index n, const tsr_tensor *tensors) {
  const tsr_storage *seen = NULL; /* most files hold many tensors */
  for (tsr_index i = 0; i < n; i++) {
    const tsr_storage *const map = map_of(&tensors[i]);
    const tsr_status st = map != seen ? check_mapped(ctx, op, &tensors[i]) : TSR_OK;
    if (st != TSR_OK) return st;
    seen = map;
  }
  return TSR_OK;
}

tsr_status tsr_mmap_check(tsr_ctx *ctx, const tsr_tensor *t) {
  return t != NULL ? check_mapped(ctx, "map_check", t) : TSR__FAIL(ctx, TSR_EARG, "map_check", "t", "is NULL");
}

#else

tsr_status tsr__map_check(tsr_ctx *ctx, const char *op, const char *where, const tsr_storage *map) {
  (void)ctx, (void)op, (void)where, (void)map;
  return TSR_OK;
}

tsr_status tsr__map_check_all(tsr_ctx *ctx, const char *op, tsr_index n, const tsr_tensor *tensors) {
  (void)ctx, (void)op, (void)n, (void)tensors;
  return TSR_OK;
}

#endif
