/* Strings by key: found whatever the keys are, in order, replaced in place; many of them; memory that fails. */
#include <tessera/metadata.h>
#include "npy_support.h"

#if TSR_HAVE_MALLOC

enum { MANY = 3000 };

static const char *key_of(int i, char key[32]) {
  (void)snprintf(key, 32, "%s%d", i % 3 == 0 ? "k" : i % 3 == 1 ? "key." : "", i / 2);
  return key;
}

TEST(many_keys) {
  npy_memory m;
  tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
  tsr_metadata meta = {0};
  char key[32], value[32];
  tsr_index count = 0;
  CHECK(tsr_metadata_find(&meta, "a") == NULL);
  for (int i = 0; i < MANY; i++) {
    const bool is_new = tsr_metadata_find(&meta, key_of(i, key)) == NULL;
    (void)snprintf(value, sizeof value, "%d", i);
    OK(ctx, tsr_metadata_set(ctx, &meta, key, value));
    if (is_new) CHECK(strcmp(meta.pairs[count].key, key) == 0);
    count += is_new;
    CHECK(meta.count == count);
  }
  for (int i = MANY - 1; i >= 0; i--) {
    const char *found = tsr_metadata_find(&meta, key_of(i, key));
    REQUIRE(found != NULL);
    (void)snprintf(value, sizeof value, "%d", i);
    OK(ctx, tsr_metadata_set(ctx, &meta, key, "again"));
    CHECK(meta.count == count && strcmp(tsr_metadata_find(&meta, key), "again") == 0);
  }
  CHECK(tsr_metadata_find(&meta, "") == NULL && tsr_metadata_find(&meta, "key.") == NULL);
  CHECK(tsr_metadata_find(&meta, "k0000") == NULL && tsr_metadata_find(NULL, "a") == NULL);
  tsr_metadata_release(&meta);
  CHECK(m.failing.live == 0 && meta.count == 0 && tsr_metadata_find(&meta, "0") == NULL);
}

/* Each one the beginning of the next, and the empty key. */
TEST(keys_that_begin_alike) {
  tsr_metadata meta = {0};
  char key[200] = "";
  for (int i = 0; i < 150; i++) {
    OK(NULL, tsr_metadata_set(NULL, &meta, key, i % 2 ? "odd" : "even"));
    key[i] = (char)(i % 7 == 0 ? 0xff : 'a' + i % 3);
    key[i + 1] = '\0';
  }
  CHECK(meta.count == 150 && tsr_metadata_find(&meta, key) == NULL);
  for (int i = 149; i >= 0; i--) {
    key[i] = '\0';
    REQUIRE(tsr_metadata_find(&meta, key) != NULL);
    CHECK(strcmp(tsr_metadata_find(&meta, key), i % 2 ? "odd" : "even") == 0);
  }
  tsr_metadata_release(&meta);
}

TEST(memory_that_fails) {
  size_t at = 0;
  for (tsr_index done = 0; done < 20; at++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, at, true);
    tsr_metadata meta = {0};
    char key[32];
    tsr_status st = TSR_OK;
    for (int i = 0; i < 20 && st == TSR_OK; i++) st = tsr_metadata_set(ctx, &meta, key_of(6 * i, key), "v");
    CHECK(st == TSR_OK || st == TSR_ENOMEM);
    for (tsr_index i = 0; i < meta.count; i++) CHECK(tsr_metadata_find(&meta, key_of((int)(6 * i), key)) != NULL);
    done = meta.count;
    tsr_metadata_release(&meta);
    CHECK(m.failing.live == 0);
    REQUIRE(at < 100);
  }
  CHECK(at > 20);
}

TEST_MAIN(RUN(many_keys), RUN(keys_that_begin_alike), RUN(memory_that_fails))

#else

TEST(memory) { SKIP("no malloc in this profile"); }
TEST_MAIN(RUN(memory))

#endif
