/* The threat model as files: scripts/attacks_png.py. */
#include "image_attacks.h"

#include <tessera/png.h>

#if TSR_HAVE_STDIO && TSR_HAVE_PNG

static const attack attacks[] = {
#include "attacks/png/table.inc"
};

static tsr_status decode(tsr_ctx *ctx, const void *bytes, size_t n, tsr_tensor *out) {
  return tsr_png_decode(ctx, bytes, n, NULL, out);
}
static tsr_status load(tsr_ctx *ctx, const char *path, tsr_tensor *out) { return tsr_png_load(ctx, path, NULL, out); }

TEST(from_memory_and_from_a_path) {
  attack_images("png", attacks, (int)(sizeof attacks / sizeof attacks[0]), decode, load);
}

TEST_MAIN(RUN(from_memory_and_from_a_path))

#else

TEST(files) { SKIP("no PNG in this build"); }
TEST_MAIN(RUN(files))

#endif
