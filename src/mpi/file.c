/* Files that all ranks write. The header is what one process writes: of tensors of the same shapes over one element, to a sink that stops it
 * when the elements begin. */
#include "mpi/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/npz.h>
#include <tessera/safetensors.h>
#include <unistd.h>

/* ---- the header ---- */

typedef struct collector {
  char *bytes;
  size_t count, capacity, whole; /* whole: of the header, once it is known */
  bool is_npy, failed;
} collector;

static size_t little(const char *at, int n) {
  size_t value = 0;
  for (int i = n - 1; i >= 0; i--) value = value << 8 | (unsigned char)at[i];
  return value;
}

static void find_whole(collector *c) {
  if (!c->is_npy && c->count >= 8) c->whole = 8 + little(c->bytes, 8);
  if (c->is_npy && c->count >= 12)
    c->whole = c->bytes[6] == 1 ? 10 + little(c->bytes + 8, 2) : 12 + little(c->bytes + 8, 4);
}

static tsr_status collect(void *self, const void *bytes, size_t n) {
  collector *const c = self;
  if (c->whole == 0 || c->count < c->whole) {
    if (c->count + n > c->capacity) {
      char *const larger = realloc(c->bytes, 2 * (c->count + n));
      c->failed = larger == NULL;
      if (larger == NULL) return TSR_ENOMEM;
      c->bytes = larger;
      c->capacity = 2 * (c->count + n);
    }
    memcpy(c->bytes + c->count, bytes, n);
    c->count += n;
    find_whole(c);
  }
  return c->whole > 0 && c->count >= c->whole ? TSR_ELIMIT : TSR_OK; /* no elements */
}

/* The same tensors over one element. */
static tsr_status skeleton(tsr_ctx *ctx, const tsr_bundle *bundle, char *zero, tsr_bundle *out) {
  tsr_status st = tsr_bundle_init(ctx, out);
  for (tsr_index i = 0; i < bundle->count && st == TSR_OK; i++) {
    tsr_tensor t = bundle->tensors[i];
    t.flags = 0;
    t.storage = NULL;
    t.name = NULL;
    t.data = zero;
    for (int k = 0; k < t.ndim; k++) t.stride[k] = 0;
    st = tsr_bundle_add(ctx, out, bundle->tensors[i].name, &t);
  }
  return st;
}

static tsr_status write_header(tsr_ctx *ctx, const tsr_bundle *bones, const tsr_metadata *metadata, collector *c) {
  const tsr_sink sink = {.size = sizeof sink, .write = collect, .self = c};
  const tsr_status st = c->is_npy ? tsr_npy_write(ctx, &bones->tensors[0], &sink)
                                  : tsr_safetensors_write(ctx, bones, metadata, NULL, &sink);
  if (c->failed) return TSR_ENOMEM;
  return c->whole > 0 && c->count >= c->whole ? TSR_OK : st != TSR_OK ? st : TSR_EFORMAT;
}

/* ---- places ---- */

typedef struct placing {
  tsr__shared_file *f;
  const tsr_bundle *bundle;
} placing;

static tsr_status place(void *user, const tsr_safetensors_entry *entry) {
  const placing *const p = user;
  for (tsr_index i = 0; i < p->bundle->count; i++)
    if (strcmp(p->bundle->tensors[i].name, entry->name) == 0) p->f->offsets[i] = entry->offset;
  return TSR_OK;
}

static tsr_status read_header(void *self, uint64_t offset, void *bytes, size_t n) {
  const tsr__shared_file *const f = self;
  if (offset > f->header_bytes || n > f->header_bytes - offset) return TSR_EIO;
  memcpy(bytes, f->header + offset, n);
  return TSR_OK;
}

static tsr_status find_places(tsr_ctx *ctx, const tsr_bundle *bundle, bool is_npy, tsr__shared_file *f) {
  uint64_t bytes = f->header_bytes;
  for (tsr_index i = 0; i < bundle->count; i++) {
    if (is_npy) f->offsets[i] = bytes;
    bytes += (uint64_t)tsr_nbytes(&bundle->tensors[i]);
  }
  const tsr_reader reader = {.size = sizeof reader, .read = read_header, .self = f, .bytes = bytes};
  placing p = {f, bundle};
  return is_npy ? TSR_OK : tsr_safetensors_list(ctx, &reader, NULL, place, &p);
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

tsr_status tsr__file_plan(tsr__comm_call *call, tsr_format format, const char *path, const tsr_bundle *bundle,
                          const tsr_metadata *metadata, tsr__shared_file *f) {
  *f = (tsr__shared_file){.file = MPI_FILE_NULL, .path = path, .count = (int)bundle->count};
  if (format == TSR_FORMAT_AUTO && ends_with(path, ".npy")) format = TSR_FORMAT_NPY;
  if (format == TSR_FORMAT_AUTO && ends_with(path, ".safetensors")) format = TSR_FORMAT_SAFETENSORS;
  const bool is_npy = format == TSR_FORMAT_NPY;
  if ((!is_npy && format != TSR_FORMAT_SAFETENSORS) || !is_little_endian())
    return tsr__comm_fail(call->ctx, TSR_EUNSUPPORTED, call->op, "path", "%s: ranks write .npy and .safetensors", path);
  if (is_npy && (bundle->count != 1 || (metadata != NULL && metadata->count > 0)))
    return tsr__comm_fail(call->ctx, TSR_EUNSUPPORTED, call->op, "path", "%s: .npy has one tensor, and no metadata",
                          path);
  char zero[16] = {0};
  collector c = {.is_npy = is_npy};
  tsr_bundle bones;
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = skeleton(&inner, bundle, zero, &bones);
  if (st == TSR_OK) st = write_header(&inner, &bones, metadata, &c);
  f->header = c.bytes;
  f->header_bytes = c.whole;
  f->offsets = calloc((size_t)bundle->count + 1, sizeof *f->offsets);
  f->temporary = malloc(strlen(path) + 32);
  if (st == TSR_OK && (f->offsets == NULL || f->temporary == NULL))
    st = tsr__comm_fail(&inner, TSR_ENOMEM, call->op, NULL, "no memory for a file");
  if (st == TSR_OK) st = find_places(&inner, bundle, is_npy, f);
  tsr_bundle_release(&bones);
  return st == TSR_OK ? st : tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
}

/* ---- writing ---- */

static tsr_status refuse(tsr__comm_call *call, const char *path, const char *what, int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (code == MPI_SUCCESS) return TSR_OK;
  (void)MPI_Error_string(code, text, &length);
  return tsr__comm_fail(call->ctx, TSR_EIO, call->op, NULL, "%s: cannot be %s: %s", path, what, text);
}

tsr_status tsr__file_open(tsr__comm_call *call, tsr_status st, tsr__shared_file *f) {
  int pid = (int)getpid();
  tsr_comm *const comm = call->comm;
  st = tsr__comm_agree_status(call, st);
  if (st != TSR_OK) return st;
  st = tsr__comm_bcast(call->ctx, comm, call->op, 0, (char *)&pid, sizeof pid, NULL);
  if (st != TSR_OK) return st;
  (void)snprintf(f->temporary, strlen(f->path) + 32, "%s.tmp~%d", f->path, pid);
  tsr__comm_watch_begin(comm, call->op);
  const int code = MPI_File_open(comm->comm, f->temporary, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL,
                                 MPI_INFO_NULL, &f->file);
  tsr__comm_watch_end(comm);
  f->open = code == MPI_SUCCESS;
  st = refuse(call, f->path, "written", code);
  if (st == TSR_OK && comm->rank == 0) st = tsr__file_put(call, f, 0, f->header, f->header_bytes);
  return st;
}

tsr_status tsr__file_put(tsr__comm_call *call, tsr__shared_file *f, uint64_t offset, const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    const size_t n = count - done < tsr__comm_chunk ? count - done : tsr__comm_chunk;
    MPI_Status status;
    int written = 0;
    int code = MPI_File_write_at(f->file, (MPI_Offset)(offset + done), bytes + done, (int)n, MPI_BYTE, &status);
    if (code == MPI_SUCCESS) code = MPI_Get_count(&status, MPI_BYTE, &written);
    if (code != MPI_SUCCESS) return refuse(call, f->path, "written", code);
    if (written != (int)n)
      return tsr__comm_fail(call->ctx, TSR_EIO, call->op, NULL, "%s: cannot be written: the disk is full", f->path);
    done += n;
  }
  return TSR_OK;
}

tsr_status tsr__file_close(tsr__comm_call *call, tsr_status st, tsr__shared_file *f) {
  const bool is_first = call->comm->rank == 0;
  if (f->open) {
    tsr__comm_watch_begin(call->comm, call->op);
    int code = st == TSR_OK ? MPI_File_sync(f->file) : MPI_SUCCESS;
    const int closed = MPI_File_close(&f->file);
    tsr__comm_watch_end(call->comm);
    if (code == MPI_SUCCESS) code = closed;
    if (st == TSR_OK) st = refuse(call, f->path, "written", code);
  }
  const bool was_open = f->open;
  st = tsr__comm_agree_status(call, st);
  const bool written = st == TSR_OK; /* by all */
  if (written && is_first && rename(f->temporary, f->path) != 0)
    st = tsr__comm_fail(call->ctx, TSR_EIO, call->op, NULL, "%s: cannot be replaced", f->path);
  if (st != TSR_OK && is_first && was_open) (void)unlink(f->temporary);
  if (written) st = tsr__comm_agree_status(call, st);
  free(f->header);
  free(f->offsets);
  free(f->temporary);
  return st;
}
