/* The threat model as files: scripts/attacks_gguf.py. */
#include "bundle_attacks.h"

#include <tessera/gguf.h>

#if TSR_HAVE_STDIO && TSR_INDEX_BITS == 64 && PTRDIFF_MAX > INT32_MAX

static const attack attacks[] = {
#include "attacks/gguf/table.inc"
};

static tsr_status decode(tsr_ctx *ctx, const void *bytes, size_t n, tsr_bundle *b, tsr_metadata *m) {
  return tsr_gguf_decode(ctx, bytes, n, NULL, b, m);
}
static tsr_status read_from(tsr_ctx *ctx, const tsr_reader *reader, tsr_bundle *b, tsr_metadata *m) {
  return tsr_gguf_read(ctx, reader, NULL, b, m);
}
static tsr_status load(tsr_ctx *ctx, const char *path, int access, tsr_bundle *b, tsr_metadata *m) {
  const tsr_gguf_options options = {.access = access};
  return tsr_gguf_load(ctx, path, &options, b, m);
}

static const attacked format = {
    .name = "gguf",
    .attacks = attacks,
    .count = (int)(sizeof attacks / sizeof attacks[0]),
    .decode = decode,
    .read = read_from,
    .load = load,
};

TEST(from_memory) { attack_from_memory(&format); }
TEST(from_a_reader) { attack_from_a_reader(&format); }
TEST(from_a_path) { attack_from_a_path(&format); }

/* A list refuses what a load refuses, but for types that it only names, and text that it does not read. */
TEST(lists) {
  static uint8_t bytes[ATTACK_BYTES];
  int listed = 0;
  for (int i = 0; i < format.count; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, bytes, attack_bytes(&format, &attacks[i], bytes));
    tsr_bundle b = {0};
    const tsr_gguf_options opaque = {.opaque = true};
    const bool named = strncmp(attacks[i].name, "asked_", 6) == 0 || strncmp(attacks[i].name, "unknown_", 8) == 0;
    const bool text = strcmp(attacks[i].name, "string_zero") == 0 || strcmp(attacks[i].name, "string_not_utf8") == 0;
    FAILS(ctx, named || text ? TSR_OK : attacks[i].status, tsr_gguf_read(ctx, &reader, &opaque, &b, NULL));
    listed += named;
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
  CHECK(listed == 6);
}

TEST_MAIN(RUN(from_memory), RUN(from_a_reader), RUN(from_a_path), RUN(lists))

#else

TEST(files) { SKIP("no files, or other limits, in this profile"); }
TEST_MAIN(RUN(files))

#endif
