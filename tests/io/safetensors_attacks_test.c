/* The threat model as files (scripts/attacks_safetensors.py): each gets its status and its message, whichever way it
 * comes in; nothing that was there changes, nothing stays behind. */
#include "attacks_support.h"
#include "safetensors_support.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS == 8 && TSR_INDEX_BITS == 64

static const attack attacks[] = {
#include "attacks/safetensors/table.inc"
};

enum { ATTACKS = (int)(sizeof attacks / sizeof attacks[0]), FILE_BYTES = 1 << 15 };

static size_t load(const attack *a, uint8_t *bytes) {
  char file[128];
  (void)snprintf(file, sizeof file, "%s.safetensors", a->name);
  return file_bytes("tests/attacks/safetensors", file, bytes, FILE_BYTES);
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
    FAILS(ctx, attacks[i].status, tsr_safetensors_decode(ctx, bytes, n, NULL, &b, &meta));
    CHECK(message_fits(ctx, &attacks[i]));
    CHECK(untouched(&b, &meta) && m.failing.live == 0);
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
    FAILS(ctx, attacks[i].status, tsr_safetensors_read(ctx, &reader, NULL, &b, &meta));
    CHECK(message_fits(ctx, &attacks[i]));
    CHECK(untouched(&b, &meta) && m.failing.live == 0);
    CHECK(state.calls <= 2); /* the length and the header: no data is read of a file that is refused */
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
      const tsr_safetensors_options options = {.access = access};
      (void)snprintf(path, sizeof path, "%s/tests/attacks/safetensors/%s.safetensors", TSR_SOURCE_DIR, attacks[i].name);
      FAILS(ctx, attacks[i].status, tsr_safetensors_load(ctx, path, &options, &b, &meta));
      CHECK(message_fits(ctx, &attacks[i]));
      MESSAGE_HAS(ctx, attacks[i].name);
      CHECK(untouched(&b, &meta) && m.failing.live == 0);
    }
  }
}

/* One flag takes white space before the header and bytes behind the data, and nothing else. */
TEST(lenient) {
  static uint8_t bytes[FILE_BYTES];
  static const char *const taken[] = {"spaces_first", "data_after", "data_without_tensors"};
  int ok = 0;
  for (int i = 0; i < ATTACKS; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    const tsr_safetensors_options options = {.lenient = true};
    bool allowed = false;
    for (int k = 0; k < 3; k++) allowed = allowed || strcmp(taken[k], attacks[i].name) == 0;
    const size_t n = load(&attacks[i], bytes);
    FAILS(ctx, allowed ? TSR_OK : attacks[i].status, tsr_safetensors_decode(ctx, bytes, n, &options, &b, NULL));
    if (!allowed) CHECK(message_fits(ctx, &attacks[i]));
    ok += allowed;
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
  CHECK(ok == 3);
}

TEST_MAIN(RUN(from_memory), RUN(from_a_reader), RUN(from_a_path), RUN(lenient))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
