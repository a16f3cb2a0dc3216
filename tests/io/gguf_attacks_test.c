/* The threat model as files (scripts/attacks_gguf.py): each gets its status and its message, whichever way it comes in;
 * nothing that was there changes, nothing stays behind. */
#include "attacks_support.h"
#include "safetensors_support.h"

#include <tessera/gguf.h>

#if TSR_HAVE_STDIO && TSR_INDEX_BITS == 64 && PTRDIFF_MAX > INT32_MAX

static const attack attacks[] = {
#include "attacks/gguf/table.inc"
};

enum { ATTACKS = (int)(sizeof attacks / sizeof attacks[0]), FILE_BYTES = 1 << 12 };

static size_t load(const attack *a, uint8_t *bytes) {
  char file[128];
  (void)snprintf(file, sizeof file, "%s.gguf", a->name);
  return file_bytes("tests/attacks/gguf", file, bytes, FILE_BYTES);
}

static bool untouched(const tsr_bundle *b, const tsr_metadata *m) {
  return b->count == 0 && b->tensors == NULL && m->count == 0 && m->pairs == NULL;
}

TEST(from_memory) {
  static uint8_t bytes[FILE_BYTES];
  for (int i = 0; i < ATTACKS; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    const size_t n = load(&attacks[i], bytes);
    CHECK(n > 0 || strcmp(attacks[i].name, "empty") == 0);
    FAILS(ctx, attacks[i].status, tsr_gguf_decode(ctx, bytes, n, NULL, &b, &meta));
    CHECK(message_fits(ctx, &attacks[i]));
    CHECK(untouched(&b, &meta) && m.failing.live == 0);
    if (test_now.failures > 0) printf("   up to %s\n", attacks[i].name);
  }
}

TEST(from_a_reader) {
  static uint8_t bytes[FILE_BYTES];
  for (int i = 0; i < ATTACKS; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, bytes, load(&attacks[i], bytes));
    FAILS(ctx, attacks[i].status, tsr_gguf_read(ctx, &reader, NULL, &b, &meta));
    CHECK(message_fits(ctx, &attacks[i]));
    CHECK(untouched(&b, &meta) && m.failing.live == 0);
  }
}

TEST(from_a_path) {
  for (int i = 0; i < ATTACKS; i++) {
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      char path[1024];
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle b = {0};
      tsr_metadata meta = {0};
      const tsr_gguf_options options = {.access = access};
      (void)snprintf(path, sizeof path, "%s/tests/attacks/gguf/%s.gguf", TSR_SOURCE_DIR, attacks[i].name);
      FAILS(ctx, attacks[i].status, tsr_gguf_load(ctx, path, &options, &b, &meta));
      CHECK(message_fits(ctx, &attacks[i]));
      MESSAGE_HAS(ctx, attacks[i].name);
      CHECK(untouched(&b, &meta) && m.failing.live == 0);
    }
  }
}

/* A list refuses what a load refuses, but for types that it only names, and text that it does not read. */
TEST(lists) {
  static uint8_t bytes[FILE_BYTES];
  int listed = 0;
  for (int i = 0; i < ATTACKS; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, bytes, load(&attacks[i], bytes));
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
