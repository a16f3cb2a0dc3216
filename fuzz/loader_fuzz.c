/* Loaders by path, on a real file that another thread writes to meanwhile: the input holds two versions, of which the
 * shorter is filled up, so that the file keeps its size. Formats are found by content, and each loader is called too.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/csv.h>
#include <tessera/formats.h>
#include <tessera/gguf.h>
#include <tessera/npz.h>
#include <tessera/png.h>
#include <tessera/pnm.h>
#include <tessera/raw.h>
#include <tessera/safetensors.h>
#include <unistd.h>

#include "bytes.h"

enum { MOST = 1 << 15 };

static capped_memory memory = {.cap = (size_t)256 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};
static uint8_t versions[2][MOST];

/* ---- the file, and who writes to it ---- */

static char path[64];
static int descriptor = -1;

static void end_file(void) { (void)unlink(path); }

static void begin_file(void) {
  if (descriptor >= 0) return;
  (void)snprintf(path, sizeof path, "/tmp/tessera_loader_fuzz_XXXXXX");
  descriptor = mkstemp(path);
  must(descriptor >= 0 && atexit(end_file) == 0);
}

typedef struct writer {
  size_t n;
  int stop;
} writer;

static void *write_by_turns(void *user) {
  writer *w = user;
  for (int i = 1; __atomic_load_n(&w->stop, __ATOMIC_RELAXED) == 0; i = !i)
    must(pwrite(descriptor, versions[i], w->n, 0) == (ssize_t)w->n);
  return NULL;
}

/* ---- loaders ---- */

static void check_bundle(tsr_status st, tsr_bundle *b, tsr_metadata *m) {
  must(st == TSR_OK || (b->count == 0 && m->count == 0));
  for (tsr_index i = 0; i < b->count; i++) {
    const tsr_tensor *t = &b->tensors[i];
    unsigned sum = 0;
    for (size_t k = 0; t->data != NULL && tsr_is_contiguous(t, TSR_ROW_MAJOR) && k < tsr_nbytes(t); k++)
      sum += ((const unsigned char *)t->data)[k];
    must(tsr_bundle_find(b, t->name) == t && sum != UINT32_MAX);
  }
  tsr_bundle_release(b);
  tsr_metadata_release(m);
}

static void check_tensor(tsr_status st, tsr_tensor *t) {
  must(st == TSR_OK || tsr_is_none(t));
  tsr_release(t);
  *t = (tsr_tensor){0};
}

static void load_all(tsr_ctx *ctx, int access) {
  const tsr_npz_options npz = {.access = access, .lazy = access == TSR_ACCESS_PRIVATE};
  const tsr_safetensors_options safetensors = {.access = access};
  const tsr_gguf_options gguf = {.access = access, .opaque = true};
  const tsr_raw_options raw = {.access = access};
  tsr_bundle b = {0}, none = {0};
  tsr_metadata m = {0};
  tsr_tensor t = {0};
  check_bundle(tsr_bundle_load(ctx, path, &b, &m), &b, &m);
  check_bundle(tsr_npz_load(ctx, path, &npz, &b), &b, &m);
  check_bundle(tsr_safetensors_load(ctx, path, &safetensors, &b, &m), &b, &m);
  check_bundle(tsr_gguf_load(ctx, path, &gguf, &b, &m), &b, &m);
  check_tensor(tsr_npy_load(ctx, path, &t), &t);
  check_tensor(tsr_npy_mmap(ctx, path, (tsr_access)access, NULL, &t), &t);
  check_tensor(tsr_png_load(ctx, path, NULL, &t), &t);
  check_tensor(tsr_pnm_load(ctx, path, NULL, &t), &t);
  check_tensor(tsr_raw_load(ctx, path, TSR_U8, TSR_SHAPE(-1), &raw, &t), &t);
  const tsr_status st = tsr_csv_load(ctx, path, NULL, &t, &m);
  check_tensor(st, &t);
  check_bundle(st, &none, &m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* The first two bytes are the length of the first version. */
  const tsr_io_limits limits = {.pixels = 1 << 20, .inflated = 1 << 26, .total = 1 << 26};
  tsr_ctx ctx;
  pthread_t thread;
  if (size < 3 || size > MOST) return 0;
  const size_t left = size - 2, want = (size_t)data[0] | (size_t)data[1] << 8, first = want < left ? want : left;
  writer w = {.n = first > left - first ? first : left - first};
  memset(versions, 0, sizeof versions);
  memcpy(versions[0], data + 2, first);
  memcpy(versions[1], data + 2 + first, left - first);
  begin_file();
  must(ftruncate(descriptor, (off_t)w.n) == 0 && pwrite(descriptor, versions[0], w.n, 0) == (ssize_t)w.n);
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  must(pthread_create(&thread, NULL, write_by_turns, &w) == 0);
  for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) load_all(&ctx, access);
  __atomic_store_n(&w.stop, 1, __ATOMIC_RELAXED);
  must(pthread_join(thread, NULL) == 0);
  must(memory.in_use == 0);
  return 0;
}
