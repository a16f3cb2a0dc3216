/* Attacks on formats that hold an image: each file comes in from memory and by its path, and gets its status and its message;
 * nothing that was there changes, nothing stays behind. */
#ifndef TSR_TEST_IMAGE_ATTACKS_H
#define TSR_TEST_IMAGE_ATTACKS_H

#include "attacks_support.h"

#if TSR_HAVE_STDIO

typedef tsr_status attacked_decode(tsr_ctx *ctx, const void *bytes, size_t n, tsr_tensor *out);
typedef tsr_status attacked_load(tsr_ctx *ctx, const char *path, tsr_tensor *out);

/* format is the name of the folder and the ending of its files. */
static inline void attack_images(const char *format, const attack *attacks, int count, attacked_decode *decode,
                                 attacked_load *load) {
  static uint8_t bytes[1 << 14];
  for (int i = 0; i < count; i++) {
    const attack *const a = &attacks[i];
    char folder[64], name[128], path[1024];
    npy_memory m;
    tsr_ctx *const ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    (void)snprintf(folder, sizeof folder, "tests/attacks/%s", format);
    (void)snprintf(name, sizeof name, "%s.%s", a->name, format);
    const size_t n = file_bytes(folder, name, bytes, sizeof bytes);
    CHECK(n > 0 || strcmp(a->name, "empty") == 0);
    FAILS(ctx, a->status, decode(ctx, bytes, n, &t));
    CHECK(message_fits(ctx, a));
    CHECK(tsr_is_none(&t) && m.failing.live == 0);
    (void)snprintf(path, sizeof path, "%s/%s/%s", TSR_SOURCE_DIR, folder, name);
    FAILS(ctx, a->status, load(ctx, path, &t));
    CHECK(message_fits(ctx, a));
    MESSAGE_HAS(ctx, name);
    CHECK(tsr_is_none(&t) && m.failing.live == 0);
  }
}

#endif

#endif
