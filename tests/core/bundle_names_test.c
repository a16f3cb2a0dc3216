/* The names of a bundle: whatever they are and in whatever order they come, a search takes few steps. */
#include <tessera/tessera.h>
#include "core/bundle.h"
#include "support/test.h"

#if TSR_HAVE_MALLOC

#include <stdlib.h>

static void add_name(tsr_bundle *bundle, const char *name) {
  tsr_tensor t = {0};
  OK(NULL, tsr_desc_init(NULL, TSR_U8, TSR_SHAPE(1), &t));
  OK(NULL, tsr_bundle_add(NULL, bundle, name, &t));
}

/* ---- against a list that is searched from its beginning ---- */

enum { MODEL = 300, MODEL_STEPS = 6000 };

static uint32_t random_state = 1;
static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

/* Short names over few bytes, the highest among them: prefixes of each other, differences in every bit. */
static void draw_name(char name[8]) {
  static const char bytes[] = {'a', 'c', '\x01', '\xff'};
  const uint32_t length = 1 + draw(4);
  for (uint32_t i = 0; i < length; i++) name[i] = bytes[draw(4)];
  name[length] = '\0';
}

static int list_find(char list[][8], int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(list[i], name) == 0) return i;
  return -1;
}

TEST(finds_what_a_list_finds) {
  static char list[MODEL][8];
  tsr_bundle bundle = {0};
  tsr_tensor t = {0};
  int n = 0, added = 0, taken = 0;
  for (int step = 0; step < MODEL_STEPS; step++) {
    char name[8];
    draw_name(name);
    const int there = list_find(list, n, name);
    const tsr_tensor *const found = tsr_bundle_find(&bundle, name);
    REQUIRE(found == (there < 0 ? NULL : &bundle.tensors[there]));
    if (there < 0 && n < MODEL) {
      add_name(&bundle, name);
      memcpy(list[n++], name, sizeof name);
      added++;
    } else if (there >= 0) {
      OK(NULL, tsr_bundle_take(NULL, &bundle, name, &t));
      tsr_release(&t);
      memmove(list[there], list[there + 1], (size_t)(n - there - 1) * sizeof list[0]);
      n--, taken++;
    }
    REQUIRE(bundle.count == n);
    if (step % 100 != 0) continue;
    for (int i = 0; i < n; i++) REQUIRE(tsr_bundle_find(&bundle, list[i]) == &bundle.tensors[i]);
  }
  CHECK(added > 1000 && taken > 1000);
  while (n > 0) {
    OK(NULL, tsr_bundle_take(NULL, &bundle, list[--n], &t));
    tsr_release(&t);
    for (int i = 0; i < n; i += 7) REQUIRE(tsr_bundle_find(&bundle, list[i]) == &bundle.tensors[i]);
  }
  CHECK(bundle.count == 0 && tsr_bundle_find(&bundle, "a") == NULL);
  tsr_bundle_release(&bundle);
}

/* ---- names made to be slow ---- */

enum { LETTERS = 6, SLOTS = 1 << 19, TRIES = 1 << 21 };

/* FNV-1a, which a table of names may well use: two texts of six letters that lead from one state to the same one. */
static uint32_t fnv(uint32_t state, const char text[LETTERS]) {
  for (int i = 0; i < LETTERS; i++) state = (state ^ (uint8_t)text[i]) * 16777619u;
  return state;
}

static void letters(uint32_t number, char text[LETTERS]) {
  number *= 2654435761u; /* far apart: neighbours do not meet */
  for (int i = 0; i < LETTERS; i++, number /= 26) text[i] = (char)('a' + number % 26);
}

static bool find_pair(uint32_t *state, char one[LETTERS], char other[LETTERS]) {
  uint32_t *const slots = calloc(SLOTS, sizeof *slots);
  bool found = false;
  for (uint32_t i = 0; slots != NULL && i < TRIES && !found; i++) {
    letters(i, one);
    const uint32_t reached = fnv(*state, one);
    uint32_t *const slot = &slots[(reached * 2654435761u) >> 13];
    if (*slot != 0) {
      letters(*slot - 1, other);
      found = fnv(*state, other) == reached;
      if (found) *state = reached;
    }
    *slot = i + 1;
  }
  free(slots);
  return found;
}

enum { PAIRS = 15, HOSTILE = 20000 };

/* 15 such pairs in a row make 32,768 names of 90 letters with one hash. */
TEST(twenty_thousand_names_of_one_hash) {
  char parts[PAIRS][2][LETTERS];
  uint32_t state = 2166136261u;
  tsr_bundle bundle = {0};
  size_t most = 0, all = 0;
  for (int i = 0; i < PAIRS; i++) REQUIRE(find_pair(&state, parts[i][0], parts[i][1]));
  for (uint32_t k = 0; k < HOSTILE; k++) {
    char name[LETTERS * PAIRS + 1] = "";
    uint32_t hash = 2166136261u;
    for (int i = 0; i < PAIRS; i++) {
      memcpy(name + LETTERS * i, parts[i][k >> i & 1], LETTERS);
      hash = fnv(hash, parts[i][k >> i & 1]);
    }
    REQUIRE(hash == state);
    add_name(&bundle, name);
    all += tsr__names_steps(&bundle, name);
  }
  REQUIRE(bundle.count == HOSTILE);
  for (tsr_index i = 0; i < HOSTILE; i++) {
    REQUIRE(tsr_bundle_find(&bundle, bundle.tensors[i].name) == &bundle.tensors[i]);
    const size_t steps = tsr__names_steps(&bundle, bundle.tensors[i].name);
    if (steps > most) most = steps;
  }
  CHECK(most <= PAIRS); /* one for each bit of k */
  CHECK(all <= (size_t)PAIRS * HOSTILE);
  tsr_bundle_release(&bundle);
}

/* The worst that a tree of bits can be given: each name leaves a long one at another bit. A search never takes more
 * steps than the longest name has bits, so that all of them take fewer than the names have together. */
TEST(names_that_make_the_tree_deep) {
  enum { LONGEST = 200, USED_BITS = 7 };
  static char name[LONGEST + 1];
  tsr_bundle bundle = {0};
  size_t all = 0, bits = 0;
  for (int length = LONGEST; length > 0; length--) {
    for (int bit = 1; bit <= USED_BITS; bit++) {
      memset(name, '\x01', LONGEST);
      name[length - 1] = (char)(1 | 1 << bit);
      name[length] = '\0';
      add_name(&bundle, name);
      const size_t steps = tsr__names_steps(&bundle, name);
      CHECK(steps <= (size_t)8 * LONGEST);
      all += steps;
      bits += (size_t)length * 8;
    }
  }
  CHECK(bundle.count == LONGEST * USED_BITS && all <= bits);
  CHECK(tsr_bundle_find(&bundle, "\x01\x01") == NULL && tsr__names_steps(&bundle, "\x01\x01") <= 8 * LONGEST);
  for (tsr_index i = 0; i < bundle.count; i++)
    CHECK(tsr_bundle_find(&bundle, bundle.tensors[i].name) == &bundle.tensors[i]);
  tsr_bundle_release(&bundle);
}

TEST_MAIN(RUN(finds_what_a_list_finds), RUN(twenty_thousand_names_of_one_hash), RUN(names_that_make_the_tree_deep))

#else

TEST(names) { SKIP("too many names for this target"); }
TEST_MAIN(RUN(names))

#endif
