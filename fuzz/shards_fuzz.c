/* Any bytes as the index of a checkpoint in several files: on a real file, with one shard beside it. And any bytes as elements
 * of the small floats of safetensors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tessera/safetensors.h>
#include <tessera/tessera.h>
#include <unistd.h>

#include "bytes.h"

static capped_memory memory = {.cap = (size_t)64 << 20};
static const tsr_allocator capped = {
    .size = sizeof(tsr_allocator), .alloc = capped_alloc, .free = capped_free, .self = &memory};

static char folder[64], file[96], shard[96];

static void end_files(void) {
  (void)unlink(file);
  (void)unlink(shard);
  (void)rmdir(folder);
}

/* A shard "a" with tensors "x" and "y.z". */
static void begin_files(void) {
  if (folder[0] != '\0') return;
  tsr_bundle b = {0};
  tsr_tensor x = {0}, y = {0};
  (void)snprintf(folder, sizeof folder, "/tmp/tessera_shards_fuzz_XXXXXX");
  must(mkdtemp(folder) != NULL && atexit(end_files) == 0);
  (void)snprintf(file, sizeof file, "%s/i", folder);
  (void)snprintf(shard, sizeof shard, "%s/a", folder);
  must(tsr_zeros(NULL, TSR_F32, TSR_SHAPE(2, 3), &x) == TSR_OK && tsr_bundle_add(NULL, &b, "x", &x) == TSR_OK);
  must(tsr_zeros(NULL, TSR_I64, TSR_SHAPE(4), &y) == TSR_OK && tsr_bundle_add(NULL, &b, "y.z", &y) == TSR_OK);
  must(tsr_safetensors_save(NULL, shard, &b, NULL, NULL) == TSR_OK);
  tsr_bundle_release(&b);
}

static void load(tsr_ctx *ctx, const uint8_t *data, size_t size) {
  tsr_bundle out = {0};
  tsr_metadata metadata = {0};
  FILE *f = fopen(file, "wb");
  must(f != NULL && fwrite(data, 1, size, f) == size && fclose(f) == 0);
  const tsr_status st = tsr_safetensors_load_sharded(ctx, file, NULL, &out, &metadata);
  must(st == TSR_OK || (out.count == 0 && metadata.count == 0));
  must(out.count <= 2); /* each name once */
  tsr_bundle_release(&out);
  tsr_metadata_release(&metadata);
}

static void unpack(tsr_ctx *ctx, const uint8_t *data, size_t size) {
  static const char *const types[] = {"F4", "F6_E2M3", "F6_E3M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"};
  tsr_tensor bytes = {0}, out = {0};
  if (size < 3) return;
  const tsr_index shape[2] = {data[1], data[2]}, n = (tsr_index)(size - 3);
  uint8_t *copy = malloc((size_t)n + 1); /* so that a byte too many is seen */
  if (copy == NULL) return;
  memcpy(copy, data + 3, (size_t)n);
  must(tsr_from_memory(ctx, copy, TSR_U8, 1, &n, &bytes) == TSR_OK);
  const tsr_status st = tsr_safetensors_unpack(ctx, &bytes, types[data[0] % 6], 2, shape, &out);
  must(st == TSR_OK || tsr_is_none(&out));
  tsr_release(&out);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tsr_ctx ctx;
  begin_files();
  must(tsr_context_init(&ctx, &capped) == TSR_OK);
  load(&ctx, data, size);
  unpack(&ctx, data, size);
  must(memory.in_use == 0);
  return 0;
}
