/* The threat model as files: scripts/attacks_pnm.py. */
#include "image_attacks.h"

#include <tessera/pnm.h>

#if TSR_HAVE_STDIO

static const attack attacks[] = {
#include "attacks/pnm/table.inc"
};

static tsr_status decode(tsr_ctx *ctx, const void *bytes, size_t n, tsr_tensor *out) {
  return tsr_pnm_decode(ctx, bytes, n, NULL, out);
}
static tsr_status load(tsr_ctx *ctx, const char *path, tsr_tensor *out) { return tsr_pnm_load(ctx, path, NULL, out); }

TEST(from_memory_and_from_a_path) {
  attack_images("pnm", attacks, (int)(sizeof attacks / sizeof attacks[0]), decode, load);
}

TEST_MAIN(RUN(from_memory_and_from_a_path))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
