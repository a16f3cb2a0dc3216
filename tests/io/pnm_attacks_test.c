/* The threat model as files (scripts/attacks_pnm.py): each gets its status and its message; nothing that was there
 * changes, nothing stays behind. */
#include "attacks_support.h"

#include <tessera/pnm.h>

#if TSR_HAVE_STDIO

static const attack attacks[] = {
#include "attacks/pnm/table.inc"
};

TEST(from_memory_and_from_a_path) {
  static uint8_t bytes[1 << 11];
  for (int i = 0; i < (int)(sizeof attacks / sizeof attacks[0]); i++) {
    const attack *a = &attacks[i];
    char name[128], path[1024];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    (void)snprintf(name, sizeof name, "%s.pnm", a->name);
    const size_t n = file_bytes("tests/attacks/pnm", name, bytes, sizeof bytes);
    CHECK(n > 0 || strcmp(a->name, "empty") == 0);
    FAILS(ctx, a->status, tsr_pnm_decode(ctx, bytes, n, NULL, &t));
    CHECK(message_fits(ctx, a));
    CHECK(tsr_is_empty(&t) && m.failing.live == 0);
    (void)snprintf(path, sizeof path, "%s/tests/attacks/pnm/%s", TSR_SOURCE_DIR, name);
    FAILS(ctx, a->status, tsr_pnm_load(ctx, path, NULL, &t));
    CHECK(message_fits(ctx, a));
    MESSAGE_HAS(ctx, name);
    CHECK(tsr_is_empty(&t) && m.failing.live == 0);
    if (test_now.failures > 0) printf("   up to %s\n", a->name);
  }
}

TEST_MAIN(RUN(from_memory_and_from_a_path))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
