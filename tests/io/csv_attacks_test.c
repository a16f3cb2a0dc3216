/* The threat model as files (scripts/attacks_csv.py): each gets its status and its message, in one piece, byte by byte
 * and from a path; nothing that was there changes, nothing stays behind. */
#include "attacks_support.h"

#include <tessera/csv.h>

#if TSR_HAVE_STDIO && TSR_HAVE_F64

typedef struct table_attack {
  attack plain;
  int dtype;
} table_attack;

#define TABLE_ATTACK(name, dtype, status, message) {{name, status, message}, dtype},

static const table_attack attacks[] = {
#include "attacks/csv/table.inc"
};

enum { ATTACKS = (int)(sizeof attacks / sizeof attacks[0]), FILE_BYTES = 1 << 21 };

static uint8_t bytes[FILE_BYTES];

TEST(from_memory) {
  for (int i = 0; i < ATTACKS; i++) {
    const attack *a = &attacks[i].plain;
    const tsr_csv_options options = {.dtype = attacks[i].dtype};
    char name[128];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    tsr_metadata columns = {0};
    (void)snprintf(name, sizeof name, "%s.csv", a->name);
    const size_t n = file_bytes("tests/attacks/csv", name, bytes, sizeof bytes);
    CHECK(n > 0 || strcmp(a->name, "empty") == 0);
    FAILS(ctx, a->status, tsr_csv_decode(ctx, bytes, n, &options, &t, &columns));
    CHECK(message_fits(ctx, a));
    CHECK(tsr_is_none(&t) && columns.count == 0 && m.failing.live == 0);
    if (test_now.failures > 0) printf("   up to %s\n", a->name);
  }
}

TEST(from_a_source_in_pieces) {
  for (int i = 0; i < ATTACKS; i++) {
    const attack *a = &attacks[i].plain;
    const tsr_csv_options options = {.dtype = attacks[i].dtype, .separator = ','};
    char name[128];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    (void)snprintf(name, sizeof name, "%s.csv", a->name);
    npy_source state = {.at = bytes, .chunk = 7, .fail_at = SIZE_MAX};
    state.n = file_bytes("tests/attacks/csv", name, bytes, sizeof bytes);
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    FAILS(ctx, a->status, tsr_csv_read(ctx, &source, &options, &t, NULL));
    CHECK(tsr_is_none(&t) && m.failing.live == 0);
  }
}

TEST(from_a_path) {
  for (int i = 0; i < ATTACKS; i++) {
    const attack *a = &attacks[i].plain;
    const tsr_csv_options options = {.dtype = attacks[i].dtype};
    char path[1024];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    if (a->status == TSR_EDTYPE) continue; /* the call is wrong, not the file */
    (void)snprintf(path, sizeof path, "%s/tests/attacks/csv/%s.csv", TSR_SOURCE_DIR, a->name);
    FAILS(ctx, a->status, tsr_csv_load(ctx, path, &options, &t, NULL));
    CHECK(message_fits(ctx, a));
    MESSAGE_HAS(ctx, a->name);
    CHECK(tsr_is_none(&t) && m.failing.live == 0);
  }
}

/* ---- tables of columns ---- */

static const attack table_attacks[] = {
#include "attacks/csv_tables/table.inc"
};

TEST(tables) {
  for (int i = 0; i < (int)(sizeof table_attacks / sizeof table_attacks[0]); i++) {
    const attack *a = &table_attacks[i];
    char name[128];
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_table t = {0};
    tsr_csv_reader *reader = NULL;
    const tsr_table *block = NULL;
    (void)snprintf(name, sizeof name, "%s.csv", a->name);
    const size_t n = file_bytes("tests/attacks/csv_tables", name, bytes, sizeof bytes);
    if (!TSR_HAVE_ZLIB && strncmp(a->name, "gzip", 4) == 0) continue;
    FAILS(ctx, a->status, tsr_csv_table_decode(ctx, bytes, n, NULL, &t, NULL));
    CHECK(message_fits(ctx, a));
    CHECK(t.values.count == 0 && m.failing.live == 0);
    npy_source state = {.at = bytes, .chunk = 7, .fail_at = SIZE_MAX, .n = n};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    tsr_status st = tsr_csv_reader_new(ctx, &source, NULL, &reader);
    while (st == TSR_OK && (block == NULL || block->rows > 0)) st = tsr_csv_reader_next(ctx, reader, &block);
    CHECK(st == a->status && message_fits(ctx, a));
    tsr_csv_reader_release(reader);
    CHECK(m.failing.live == 0);
  }
}

TEST_MAIN(RUN(from_memory), RUN(from_a_source_in_pieces), RUN(from_a_path), RUN(tables))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
