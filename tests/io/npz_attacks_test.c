/* The threat model as files (scripts/attacks_npz.py): each gets its status and its message, whichever way it comes in;
 * nothing that was there changes, nothing stays behind. */
#include "attacks_support.h"
#include "npz_support.h"

#if TSR_HAVE_STDIO && TSR_MAX_DIMS == 8 && TSR_INDEX_BITS == 64

static const attack attacks[] = {
#include "attacks/npz/table.inc"
};

enum { ATTACKS = (int)(sizeof attacks / sizeof attacks[0]) };

/* Without zlib every deflated member is refused before anything is said of its data. */
static bool applies(const attack *a) {
  if (sizeof(size_t) < 8 && strcmp(a->name, "npy_terabyte") == 0) return false; /* refused before: it fits no size_t */
  return TSR_HAVE_ZLIB || (strstr(a->name, "deflated") == NULL && strstr(a->name, "bomb") == NULL);
}

static tsr_status list_nothing(void *user, const tsr_npz_entry *entry) {
  (void)user, (void)entry;
  return TSR_OK;
}

/* From memory, in place and copied; from a reader; listed, which never says more. */
TEST(from_memory_and_from_a_reader) {
  static npz_bytes file;
  for (int i = 0; i < ATTACKS; i++) {
    char name[128];
    const attack *a = &attacks[i];
    if (!applies(a)) continue;
    (void)snprintf(name, sizeof name, "%s.npz", a->name);
    file.n = file_bytes("tests/attacks/npz", name, file.at, sizeof file.at);
    CHECK(file.n > 0 || strcmp(a->name, "empty") == 0);
    for (int way = 0; way < 4; way++) {
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle b = {0};
      const tsr_npz_options options = {.access = way == 0 ? TSR_ACCESS_READ : TSR_ACCESS_COPY};
      st_reader state;
      const tsr_reader reader = st_reader_of(&state, file.at, file.n);
      if (way < 2) FAILS(ctx, a->status, tsr_npz_decode(ctx, file.at, file.n, &options, &b));
      if (way == 2) FAILS(ctx, a->status, tsr_npz_read(ctx, &reader, NULL, &b));
      if (way == 3) {
        const tsr_status st = tsr_npz_list(ctx, &reader, NULL, list_nothing, NULL);
        CHECK(st == TSR_OK || (st == a->status && message_fits(ctx, a)));
      } else {
        CHECK(message_fits(ctx, a));
      }
      CHECK(b.count == 0 && b.tensors == NULL && m.failing.live == 0);
    }
  }
}

TEST(from_a_path) {
  for (int i = 0; i < ATTACKS; i++) {
    if (!applies(&attacks[i])) continue;
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      char path[1024];
      npy_memory m;
      tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle b = {0};
      const tsr_npz_options options = {.access = access};
      (void)snprintf(path, sizeof path, "%s/tests/attacks/npz/%s.npz", TSR_SOURCE_DIR, attacks[i].name);
      FAILS(ctx, attacks[i].status, tsr_npz_load(ctx, path, &options, &b));
      CHECK(message_fits(ctx, &attacks[i]));
      MESSAGE_HAS(ctx, attacks[i].name);
      CHECK(b.count == 0 && b.tensors == NULL && m.failing.live == 0);
    }
  }
}

TEST_MAIN(RUN(from_memory_and_from_a_reader), RUN(from_a_path))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
