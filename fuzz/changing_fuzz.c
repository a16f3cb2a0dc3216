/* Files that change while they are read: the input holds two versions of one and says which reads are answered from
 * which. Every reader of bundles and tensors is led through it. Whatever comes, no byte outside is touched, memory
 * stays within what the bytes bear out, and outputs are whole or as they were. */
#include <stdlib.h>
#include <tessera/csv.h>
#include <tessera/gguf.h>
#include <tessera/npz.h>
#include <tessera/png.h>
#include <tessera/pnm.h>
#include <tessera/safetensors.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)256 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

/* Two versions; read number i is answered from version (schedule >> i) & 1, over and over. */
typedef struct shifty {
  const uint8_t *at[2];
  size_t n[2];
  uint32_t schedule, calls;
  uint64_t bytes;
  size_t taken; /* of a source */
} shifty;

static int now(shifty *s) { return (int)(s->schedule >> (s->calls++ % 32) & 1); }

/* What is past the end of a version reads as zeros. */
static tsr_status read_shifty(void *self, uint64_t offset, void *bytes, size_t n) {
  shifty *s = self;
  const int v = now(s);
  must(offset <= s->bytes && n <= s->bytes - offset);
  memset(bytes, 0, n);
  if (offset < s->n[v]) memcpy(bytes, s->at[v] + offset, n < s->n[v] - offset ? n : s->n[v] - offset);
  return TSR_OK;
}

static tsr_status pull_shifty(void *self, void *bytes, size_t n, size_t *got) {
  shifty *s = self;
  const int v = now(s);
  const size_t left = s->taken < s->n[v] ? s->n[v] - s->taken : 0;
  if (n > 64) n = 64;
  *got = n < left ? n : left;
  if (*got > 0) memcpy(bytes, s->at[v] + s->taken, *got);
  s->taken += *got;
  return TSR_OK;
}

/* ---- what comes ---- */

static unsigned touch(const tsr_tensor *t) {
  unsigned sum = 0;
  if (t->data == NULL || !tsr_is_contiguous(t, TSR_ROW_MAJOR)) return 0;
  for (size_t i = 0; i < tsr_nbytes(t); i++) sum += ((const unsigned char *)t->data)[i];
  return sum;
}

static void check_bundle(tsr_status st, tsr_bundle *b, tsr_metadata *m) {
  must(st == TSR_OK || (b->count == 0 && m->count == 0));
  for (tsr_index i = 0; i < b->count; i++) {
    must(tsr_bundle_find(b, b->tensors[i].name) == &b->tensors[i]);
    (void)touch(&b->tensors[i]);
  }
  tsr_bundle_release(b);
  tsr_metadata_release(m);
}

static void check_tensor(tsr_status st, tsr_tensor *t) {
  must(st == TSR_OK || tsr_is_none(t));
  (void)touch(t);
  tsr_release(t);
  *t = (tsr_tensor){0};
}

static tsr_status see_entry(void *user, const tsr_safetensors_entry *e) {
  return *(size_t *)user += strlen(e->name), TSR_OK;
}
static tsr_status see_member(void *user, const tsr_npz_entry *e) { return *(size_t *)user += strlen(e->name), TSR_OK; }
static tsr_status see_blocks(void *user, const tsr_gguf_entry *e) { return *(size_t *)user += strlen(e->name), TSR_OK; }

/* ---- every reader ---- */

static void read_bundles(tsr_ctx *ctx, shifty s) {
  const tsr_gguf_options gguf = {.opaque = true};
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = read_shifty, .self = &s, .bytes = s.bytes};
  tsr_bundle b = {0};
  tsr_metadata m = {0};
  tsr_tensor t = {0};
  size_t seen = 0;
  check_bundle(tsr_safetensors_read(ctx, &reader, NULL, &b, &m), &b, &m);
  TSR_IGNORE(tsr_safetensors_list(ctx, &reader, NULL, see_entry, &seen));
  check_tensor(tsr_safetensors_read_tensor(ctx, &reader, NULL, "a", &t), &t);
  tsr_safetensors_file *file = NULL;
  TSR_IGNORE(tsr_safetensors_file_new(ctx, &reader, NULL, &file));
  for (tsr_index i = 0; i < tsr_safetensors_file_count(file); i++)
    check_tensor(tsr_safetensors_file_read(ctx, file, i, &t), &t);
  tsr_safetensors_file_release(file);
  check_bundle(tsr_gguf_read(ctx, &reader, &gguf, &b, &m), &b, &m);
  TSR_IGNORE(tsr_gguf_list(ctx, &reader, NULL, see_blocks, &seen));
  check_bundle(tsr_npz_read(ctx, &reader, NULL, &b), &b, &m);
  TSR_IGNORE(tsr_npz_list(ctx, &reader, NULL, see_member, &seen));
  tsr_npz_archive *archive = NULL;
  if (tsr_npz_archive_new(ctx, &reader, NULL, &archive) != TSR_OK) return;
  for (tsr_index i = 0; i < 3; i++) check_tensor(tsr_npz_archive_read(ctx, archive, i, &t), &t);
  tsr_npz_archive_release(archive);
}

static void read_tensors(tsr_ctx *ctx, const shifty *start) {
  tsr_tensor t = {0};
  tsr_bundle none = {0};
  tsr_metadata m = {0};
  shifty s = *start;
  const tsr_source source = {.size = sizeof(tsr_source), .read = pull_shifty, .self = &s};
  check_tensor(tsr_npy_read(ctx, &source, NULL, &t), &t);
  s = *start;
  const tsr_status st = tsr_csv_read(ctx, &source, NULL, &t, &m);
  check_tensor(st, &t);
  check_bundle(st, &none, &m);
  s = *start;
  check_tensor(tsr_png_read(ctx, &source, NULL, &t), &t);
  s = *start;
  check_tensor(tsr_pnm_read(ctx, &source, NULL, &t), &t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* Four bytes of schedule, two for the length of the first version. */
  tsr_ctx ctx;
  const tsr_io_limits limits = {.pixels = 1 << 20, .inflated = 1 << 26, .total = 1 << 26};
  if (size < 6) return 0;
  const size_t left = size - 6, want = (size_t)data[4] | (size_t)data[5] << 8, first = want < left ? want : left;
  const shifty s = {
      .at = {data + 6, data + 6 + first},
      .n = {first, left - first},
      .schedule = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24,
      .bytes = first > left - first ? first : left - first};
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  must(tsr_context_set_io_limits(&ctx, &limits) == TSR_OK);
  read_bundles(&ctx, s);
  read_tensors(&ctx, &s);
  must(memory.in_use == 0);
  return 0;
}
