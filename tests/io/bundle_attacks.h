/* Attacks on formats that hold a bundle: each file comes in from memory, from a reader and by its path, and gets its status and
 * its message; nothing that was there changes, nothing stays behind. */
#ifndef TSR_TEST_BUNDLE_ATTACKS_H
#define TSR_TEST_BUNDLE_ATTACKS_H

#include "attacks_support.h"
#include "safetensors_support.h"

#if TSR_HAVE_STDIO

/* A format under its folder's name, which is its files' ending too. */
typedef struct attacked {
  const char *name;
  const attack *attacks;
  int count;
  size_t most_reads; /* of a file that is refused; 0: any number */
  tsr_status (*decode)(tsr_ctx *ctx, const void *bytes, size_t n, tsr_bundle *b, tsr_metadata *m);
  tsr_status (*read)(tsr_ctx *ctx, const tsr_reader *reader, tsr_bundle *b, tsr_metadata *m);
  tsr_status (*load)(tsr_ctx *ctx, const char *path, int access, tsr_bundle *b, tsr_metadata *m);
} attacked;

enum { ATTACK_BYTES = 1 << 15 };

static inline size_t attack_bytes(const attacked *f, const attack *a, uint8_t *bytes) {
  char folder[64], file[128];
  (void)snprintf(folder, sizeof folder, "tests/attacks/%s", f->name);
  (void)snprintf(file, sizeof file, "%s.%s", a->name, f->name);
  return file_bytes(folder, file, bytes, ATTACK_BYTES);
}

static inline void attack_refused(const tsr_ctx *ctx, const attack *a, const tsr_bundle *b, const tsr_metadata *meta,
                                  const npy_memory *m) {
  CHECK(message_fits(ctx, a));
  CHECK(b->count == 0 && b->tensors == NULL && meta->count == 0 && meta->pairs == NULL && m->failing.live == 0);
}

static inline void attack_from_memory(const attacked *f) {
  static uint8_t bytes[ATTACK_BYTES];
  for (int i = 0; i < f->count; i++) {
    npy_memory m;
    tsr_ctx *const ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    const size_t n = attack_bytes(f, &f->attacks[i], bytes);
    CHECK(n > 0 || strcmp(f->attacks[i].name, "empty") == 0);
    FAILS(ctx, f->attacks[i].status, f->decode(ctx, bytes, n, &b, &meta));
    attack_refused(ctx, &f->attacks[i], &b, &meta, &m);
  }
}

static inline void attack_from_a_reader(const attacked *f) {
  static uint8_t bytes[ATTACK_BYTES];
  for (int i = 0; i < f->count; i++) {
    npy_memory m;
    tsr_ctx *const ctx = memory_start(&m, SIZE_MAX, false);
    tsr_bundle b = {0};
    tsr_metadata meta = {0};
    st_reader state;
    const tsr_reader reader = st_reader_of(&state, bytes, attack_bytes(f, &f->attacks[i], bytes));
    FAILS(ctx, f->attacks[i].status, f->read(ctx, &reader, &b, &meta));
    attack_refused(ctx, &f->attacks[i], &b, &meta, &m);
    CHECK(f->most_reads == 0 || state.calls <= f->most_reads);
  }
}

static inline void attack_from_a_path(const attacked *f) {
  for (int i = 0; i < f->count; i++)
    for (int access = TSR_ACCESS_READ; access <= TSR_ACCESS_COPY; access++) {
      char path[1024];
      npy_memory m;
      tsr_ctx *const ctx = memory_start(&m, SIZE_MAX, false);
      tsr_bundle b = {0};
      tsr_metadata meta = {0};
      (void)snprintf(path, sizeof path, "%s/tests/attacks/%s/%s.%s", TSR_SOURCE_DIR, f->name, f->attacks[i].name,
                     f->name);
      FAILS(ctx, f->attacks[i].status, f->load(ctx, path, access, &b, &meta));
      MESSAGE_HAS(ctx, f->attacks[i].name);
      attack_refused(ctx, &f->attacks[i], &b, &meta, &m);
    }
}

#endif

#endif
