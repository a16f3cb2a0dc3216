/* The threat model as files (scripts/attacks_npy.py): each gets its status and its message, whichever way it comes in.
 */
#include "attacks_support.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS == 8 && TSR_INDEX_BITS == 64

static const attack attacks[] = {
#include "attacks/npy/table.inc"
};

enum { ATTACKS = (int)(sizeof attacks / sizeof attacks[0]), FILE_BYTES = 1 << 14 };

/* The messages that compare with the length of the file are others where it is not known. */
static bool names_the_length(const attack *a) { return strstr(a->message, "but the file ends") != NULL; }

/* A terabyte is too much for 32-bit addresses before the bytes are counted: what such a machine says of it. */
static attack on_this_machine(const attack *a) {
  attack here = *a;
  if (sizeof(size_t) < 8 && strcmp(a->name, "shape_terabyte") == 0) {
    here.status = TSR_EOVERFLOW;
    here.message = "do not fit their integer type";
  }
  return here;
}

static size_t load(const attack *a, uint8_t *bytes) {
  char file[128];
  (void)snprintf(file, sizeof file, "%s.npy", a->name);
  return file_bytes("tests/attacks/npy", file, bytes, FILE_BYTES);
}

TEST(from_memory) {
  static uint8_t bytes[FILE_BYTES];
  for (int i = 0; i < ATTACKS; i++) {
    const attack here = on_this_machine(&attacks[i]), *a = &here;
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    size_t used = 77;
    const size_t n = load(a, bytes);
    CHECK(n > 0 || strcmp(a->name, "empty") == 0);
    FAILS(ctx, a->status, tsr_npy_decode(ctx, bytes, n, NULL, &used, &t));
    CHECK(message_fits(ctx, a));
    CHECK(used == 77 && tsr_is_none(&t));
    CHECK(m.failing.calls == 0); /* nothing is allocated on the word of a file that is refused */
  }
}

TEST(from_a_source) {
  static uint8_t bytes[FILE_BYTES];
  for (int i = 0; i < ATTACKS; i++) {
    const attack here = on_this_machine(&attacks[i]), *a = &here;
    for (size_t chunk = 0; chunk < 80; chunk += chunk < 3 ? 1 : 13) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_tensor t = {0};
      npy_source source = {.at = bytes, .n = load(a, bytes), .fail_at = SIZE_MAX, .chunk = chunk};
      FAILS(ctx, a->status, npy_read_from(ctx, &source, NULL, &t));
      CHECK(names_the_length(a) || message_fits(ctx, a));
      CHECK(tsr_is_none(&t) && m.failing.live == 0);
    }
  }
}

TEST(from_a_path) {
  for (int i = 0; i < ATTACKS; i++) {
    const attack here = on_this_machine(&attacks[i]), *a = &here;
    char path[1024];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    (void)snprintf(path, sizeof path, "%s/tests/attacks/npy/%s.npy", TSR_SOURCE_DIR, a->name);
    FAILS(ctx, a->status, tsr_npy_load(ctx, path, &t));
    CHECK(message_fits(ctx, a));
    MESSAGE_HAS(ctx, a->name);
    CHECK(tsr_is_none(&t) && m.failing.calls == 0);
  }
}

/* The outputs that a refused file finds stay as they are. */
TEST(into_a_given_output) {
  static uint8_t bytes[FILE_BYTES];
  for (int i = 0; i < ATTACKS; i++) {
    const attack here = on_this_machine(&attacks[i]), *a = &here;
    float data[2] = {7, 8};
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    const size_t n = load(a, bytes);
    OK(ctx, tsr_from_memory(ctx, data, TSR_F32, TSR_SHAPE(2), &t));
    const tsr_tensor before = t;
    CHECK(tsr_npy_decode(ctx, bytes, n, NULL, NULL, &t) != TSR_OK);
    CHECK(same_handle(&before, &t) && data[0] == 7 && data[1] == 8);
  }
}

TEST_MAIN(RUN(from_memory), RUN(from_a_source), RUN(from_a_path), RUN(into_a_given_output))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
