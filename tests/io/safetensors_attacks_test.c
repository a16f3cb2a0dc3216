/* The threat model as files: scripts/attacks_safetensors.py. */
#include "bundle_attacks.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS == 8 && TSR_INDEX_BITS == 64

static const attack attacks[] = {
#include "attacks/safetensors/table.inc"
};

static tsr_status decode(tsr_ctx *ctx, const void *bytes, size_t n, tsr_bundle *b, tsr_metadata *m) {
  return tsr_safetensors_decode(ctx, bytes, n, NULL, b, m);
}
static tsr_status read_from(tsr_ctx *ctx, const tsr_reader *reader, tsr_bundle *b, tsr_metadata *m) {
  return tsr_safetensors_read(ctx, reader, NULL, b, m);
}
static tsr_status load(tsr_ctx *ctx, const char *path, int access, tsr_bundle *b, tsr_metadata *m) {
  const tsr_safetensors_options options = {.access = access};
  return tsr_safetensors_load(ctx, path, &options, b, m);
}

static const attacked format = {
    .name = "safetensors",
    .attacks = attacks,
    .count = (int)(sizeof attacks / sizeof attacks[0]),
    .most_reads = 2, /* the length and the header: no data is read of a file that is refused */
    .decode = decode,
    .read = read_from,
    .load = load,
};

/* Everything is told when it is opened. A dtype that no tensor has is no reason then; that the file has the bytes of
 * another one is. */
TEST(through_a_handle) {
  static uint8_t bytes[ATTACK_BYTES];
  for (int i = 0; i < format.count; i++)
    for (int way = 0; way < 4; way++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_safetensors_file *file = NULL;
      char path[1024];
      st_reader state;
      const tsr_reader reader = st_reader_of(&state, bytes, attack_bytes(&format, &attacks[i], bytes));
      const tsr_safetensors_options options = {.access = way % 3};
      const bool foreign = strncmp(attacks[i].name, "dtype_F", 7) == 0;
      (void)snprintf(path, sizeof path, "%s/tests/attacks/safetensors/%s.safetensors", TSR_SOURCE_DIR, attacks[i].name);
      const tsr_status st = way < 3 ? tsr_safetensors_file_open(ctx, path, &options, &file)
                                    : tsr_safetensors_file_new(ctx, &reader, &options, &file);
      FAILS(ctx, foreign ? TSR_EFORMAT : attacks[i].status, st);
      CHECK(foreign || message_fits(ctx, &attacks[i]));
      CHECK(file == NULL && m.failing.live == 0 && state.calls <= 2);
    }
}

TEST(from_memory) { attack_from_memory(&format); }
TEST(from_a_reader) { attack_from_a_reader(&format); }
TEST(from_a_path) { attack_from_a_path(&format); }

/* One flag takes white space before the header and bytes behind the data, and nothing else. */
TEST(lenient) {
  static uint8_t bytes[ATTACK_BYTES];
  static const char *const taken[] = {"spaces_first", "data_after", "data_without_tensors"};
  int ok = 0;
  for (int i = 0; i < format.count; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    const tsr_safetensors_options options = {.lenient = true};
    bool allowed = false;
    for (int k = 0; k < 3; k++) allowed = allowed || strcmp(taken[k], attacks[i].name) == 0;
    const size_t n = attack_bytes(&format, &attacks[i], bytes);
    FAILS(ctx, allowed ? TSR_OK : attacks[i].status, tsr_safetensors_decode(ctx, bytes, n, &options, &b, NULL));
    if (!allowed) CHECK(message_fits(ctx, &attacks[i]));
    ok += allowed;
    tsr_bundle_release(&b);
    CHECK(m.failing.live == 0);
  }
  CHECK(ok == 3);
}

TEST_MAIN(RUN(from_memory), RUN(from_a_reader), RUN(from_a_path), RUN(through_a_handle), RUN(lenient))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
