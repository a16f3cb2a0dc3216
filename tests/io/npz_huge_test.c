/* An archive of more than 4 GB: sizes and offsets of 64 bits. The large member repeats one element and needs no memory;
 * of what is written, the start and the end are kept. Takes some seconds, so that it runs only where TSR_TEST_HUGE is
 * set. */
#include "npz_support.h"

#include <stdlib.h>
#include <tessera/npz.h>
#include <tessera/view.h>

#if TSR_HAVE_MALLOC && TSR_INDEX_BITS == 64 && UINTPTR_MAX > UINT32_MAX

enum { KEPT = 1 << 16, VALUE = 7 };
static const tsr_index large = ((tsr_index)1 << 32) + 12345;

/* The first and the last bytes of what is written; between them every byte is VALUE. */
typedef struct ends {
  uint8_t first[KEPT], last[KEPT]; /* last: a ring */
  uint64_t n;
} ends;

static tsr_status keep(void *self, const void *bytes, size_t n) {
  ends *e = self;
  const uint8_t *at = bytes;
  for (size_t i = n > KEPT ? n - KEPT : 0; i < n; i++) e->last[(e->n + i) % KEPT] = at[i];
  for (size_t i = 0; i < n && e->n + i < KEPT; i++) e->first[e->n + i] = at[i];
  e->n += n;
  return TSR_OK;
}

static tsr_status serve(void *self, uint64_t offset, void *bytes, size_t n) {
  const ends *e = self;
  for (size_t i = 0; i < n; i++) {
    const uint64_t at = offset + i;
    ((uint8_t *)bytes)[i] = at < KEPT ? e->first[at] : at + KEPT >= e->n ? e->last[at % KEPT] : VALUE;
  }
  return TSR_OK;
}

static tsr_npz_entry seen[3];
static int shown;

static tsr_status see(void *user, const tsr_npz_entry *entry) {
  (void)user;
  if (shown < 3) seen[shown] = *entry;
  shown++;
  return TSR_OK;
}

TEST(members_and_offsets_of_more_than_4_gb) {
  static float small[3] = {1, 2, 3};
  static uint8_t one[1] = {VALUE};
  static ends e;
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = keep, .self = &e};
  tsr_tensor before = {0}, after = {0}, element = {0}, repeated = {0}, read = {0};
  tsr_bundle b = {0};
  if (getenv("TSR_TEST_HUGE") == NULL) SKIP("TSR_TEST_HUGE is not set");
  OK(NULL, tsr_from_memory(NULL, small, TSR_F32, TSR_SHAPE(3), &before));
  OK(NULL, tsr_from_memory(NULL, small, TSR_F32, TSR_SHAPE(3), &after));
  OK(NULL, tsr_from_memory(NULL, one, TSR_U8, TSR_SHAPE(1), &element));
  OK(NULL, tsr_broadcast_to(NULL, &element, TSR_SHAPE(large), &repeated));
  OK(NULL, tsr_bundle_add(NULL, &b, "before", &before));
  OK(NULL, tsr_bundle_add(NULL, &b, "large", &repeated));
  OK(NULL, tsr_bundle_add(NULL, &b, "after", &after));
  OK(NULL, tsr_npz_write(NULL, &b, NULL, &sink));
  REQUIRE(e.n > (uint64_t)large);
  const tsr_reader reader = {.size = sizeof(tsr_reader), .read = serve, .self = &e, .bytes = e.n};
  OK(NULL, tsr_npz_list(NULL, &reader, NULL, see, NULL));
  REQUIRE(shown == 3);
  CHECK(seen[1].bytes == (uint64_t)large && seen[1].packed > (uint64_t)large && seen[1].offset < KEPT);
  CHECK(seen[2].bytes == sizeof small && seen[2].offset > UINT32_MAX);
  OK(NULL, tsr_npz_read_tensor(NULL, &reader, NULL, "after", &read));
  CHECK(tsr_size(&read) == 3 && memcmp(read.data, small, sizeof small) == 0);
  tsr_release(&read);
  tsr_bundle_release(&b);
}

TEST_MAIN(RUN(members_and_offsets_of_more_than_4_gb))

#else

TEST(huge) { SKIP("sizes have 32 bits"); }
TEST_MAIN(RUN(huge))

#endif
