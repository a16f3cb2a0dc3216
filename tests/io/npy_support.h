/* What the tests of .npy share: files made in memory, sources and sinks that fail on request, memory that is counted.
 */
#ifndef TSR_TEST_NPY_SUPPORT_H
#define TSR_TEST_NPY_SUPPORT_H

#include <tessera/io.h>
#include <tessera/view.h>
#include "support/test.h"

#ifndef TSR_SOURCE_DIR
#define TSR_SOURCE_DIR "."
#endif

/* ---- a context whose allocations are counted ---- */

typedef struct npy_memory {
  tsr_ctx ctx;
  tsr_failing failing;
  tsr_arena arena;
} npy_memory;

static inline tsr_ctx *memory_start(npy_memory *m, size_t fail_at, bool sticky) {
#if TSR_HAVE_MALLOC
  CHECK(tsr_failing_init(NULL, fail_at, sticky, &m->failing) == TSR_OK);
#else
  static _Alignas(8) uint8_t bytes[8192];
  CHECK(tsr_arena_init(bytes, sizeof bytes, &m->arena) == TSR_OK);
  CHECK(tsr_failing_init(&m->arena.allocator, fail_at, sticky, &m->failing) == TSR_OK);
#endif
  CHECK(tsr_context_init(&m->ctx, &m->failing.allocator) == TSR_OK);
  return &m->ctx;
}

/* Whether two handles are the same in all that a program can see. */
static inline bool same_handle(const tsr_tensor *a, const tsr_tensor *b) {
  return tsr_desc_equal(a, b) && a->data == b->data && a->storage == b->storage && a->flags == b->flags;
}

/* ---- files in memory ---- */

typedef struct npy_bytes {
  uint8_t at[1024];
  size_t n;
} npy_bytes;

static inline void bytes_add(npy_bytes *b, const void *data, size_t n) {
  if (n > sizeof b->at - b->n) n = sizeof b->at - b->n;
  if (n > 0) memcpy(b->at + b->n, data, n);
  b->n += n;
}

/* A file of a version whose header is exactly this text. */
static inline npy_bytes npy_make(int major, const char *header, const void *data, size_t n) {
  const size_t length = strlen(header);
  const uint8_t start[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', (uint8_t)major, 0, (uint8_t)length, (uint8_t)(length >> 8),
                             0,    0};
  npy_bytes b = {.n = 0};
  bytes_add(&b, start, major == 1 ? 10 : 12);
  bytes_add(&b, header, length);
  bytes_add(&b, data, n);
  return b;
}

/* ---- a sink and a source that fail on request ---- */

typedef struct npy_sink {
  npy_bytes bytes;
  size_t fail_at; /* refuses the write that would take the sink past this many bytes */
} npy_sink;

static inline tsr_status npy_sink_write(void *self, const void *bytes, size_t n) {
  npy_sink *s = self;
  if (n > s->fail_at - s->bytes.n || n > sizeof s->bytes.at - s->bytes.n) return TSR_EIO;
  bytes_add(&s->bytes, bytes, n);
  return TSR_OK;
}

typedef struct npy_source {
  const uint8_t *at;
  size_t n, taken;
  size_t chunk;   /* gives at most this many bytes a call; 0: as many as asked for */
  size_t fail_at; /* fails instead of giving byte number fail_at */
} npy_source;

static inline tsr_status npy_source_read(void *self, void *bytes, size_t n, size_t *got) {
  npy_source *s = self;
  *got = 0;
  if (s->chunk > 0 && n > s->chunk) n = s->chunk;
  if (n > s->n - s->taken) n = s->n - s->taken;
  if (s->taken + n > s->fail_at) return TSR_EIO;
  if (n > 0) memcpy(bytes, s->at + s->taken, n);
  s->taken += n;
  *got = n;
  return TSR_OK;
}

static inline tsr_status npy_read_from(tsr_ctx *ctx, npy_source *state, const tsr_npy_options *options,
                                       tsr_tensor *out) {
  const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = state};
  return tsr_npy_read(ctx, &source, options, out);
}

/* The bytes of a tensor as a file. */
static inline tsr_status npy_encode(tsr_ctx *ctx, const tsr_tensor *t, npy_bytes *bytes) {
  npy_sink state = {.fail_at = SIZE_MAX};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = npy_sink_write, .self = &state};
  const tsr_status st = tsr_npy_write(ctx, t, &sink);
  *bytes = state.bytes;
  return st;
}

static inline bool bytes_same(const npy_bytes *a, const npy_bytes *b) {
  return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* ---- files on disk ---- */

#if TSR_HAVE_STDIO
/* All bytes of a file below the project's folder; 0 when it cannot be read or does not fit. */
static inline size_t file_bytes(const char *folder, const char *name, uint8_t *to, size_t capacity) {
  char path[1024];
  if (snprintf(path, sizeof path, "%s/%s/%s", TSR_SOURCE_DIR, folder, name) >= (int)sizeof path) return 0;
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return 0;
  const size_t n = fread(to, 1, capacity, stream);
  const bool whole = n < capacity;
  (void)fclose(stream);
  return whole ? n : 0;
}
#endif

#endif
