/* Names of temporary files, and a list of those that are in use. */
#include "io/file/temporary.h"

#if TSR_HAVE_STDIO

#include "io/file/system.h"

#include <errno.h>
#include <string.h>

/* ---- names ---- */

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* What the system has, the process, and how often it was asked. */
static uint64_t random_bits(void) {
  static uint64_t asked;
  const uint64_t bits = mix(tsr__system_noise()) ^ mix((uint64_t)tsr__system_process());
  return mix(bits + __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED));
}

/* Up to 255 bytes are a name on most file systems; UTF-8 stays whole, which some of them want. */
static size_t part_to_keep(const char *last) {
  enum { LONGEST = 255 - TSR__TEMPORARY_SUFFIX + 1 };
  size_t n = strlen(last);
  if (n <= LONGEST) return n;
  for (n = LONGEST; n > LONGEST - 4 && (last[n] & 0xc0) == 0x80; n--) continue;
  return n;
}

void tsr__temporary_name(const char *path, char *name) {
  static const char digits[] = "0123456789abcdef";
  const char *const slash = strrchr(path, '/'), *const last = slash != NULL ? slash + 1 : path;
  const size_t n = (size_t)(last - path) + part_to_keep(last);
  uint64_t bits = random_bits();
  memcpy(name, path, n);
  memcpy(name + n, ".tmp~", 5);
  char *at = name + n + 5;
  for (int i = 0; i < 16; i++, bits >>= 4) *at++ = digits[bits & 15];
  *at = '\0';
}

/* ---- those that are in use ---- */

enum { SLOTS = 16, LONGEST_PATH = 4096 };

/* The state of a slot, with its rounds above: only who changes it from what it was goes on, without waiting, because a
 * handler cannot wait for the thread that it interrupts. */
enum { FREE = 0, FILLING = 1, IN_USE = 2, REMOVING = 3, ROUND = 4 };

static struct {
  uint32_t state;
  long process; /* atomic; a child that was forked must not remove its parent's */
  char name[LONGEST_PATH];
} slots[SLOTS];

static bool change(int slot, uint32_t from, uint32_t to) {
  return __atomic_compare_exchange_n(&slots[slot].state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static uint32_t next_round(uint32_t state) { return state / ROUND * ROUND + ROUND; }

tsr__temporary tsr__temporary_begin(const char *name) {
  const size_t n = strlen(name);
  for (int i = 0; i < SLOTS && n < LONGEST_PATH; i++) {
    const uint32_t state = __atomic_load_n(&slots[i].state, __ATOMIC_RELAXED);
    if (state % ROUND != FREE || !change(i, state, state + FILLING)) continue;
    memcpy(slots[i].name, name, n + 1);
    __atomic_store_n(&slots[i].process, tsr__system_process(), __ATOMIC_RELAXED);
    __atomic_store_n(&slots[i].state, state + IN_USE, __ATOMIC_RELEASE);
    return (tsr__temporary){.slot = i, .state = state + IN_USE};
  }
  return (tsr__temporary){.slot = -1};
}

void tsr__temporary_end(const tsr__temporary *t) {
  if (t->slot >= 0) (void)change(t->slot, t->state, next_round(t->state));
}

void tsr_temporaries_remove(void) {
  const int error = errno;
  for (int i = 0; i < SLOTS; i++) {
    const uint32_t state = __atomic_load_n(&slots[i].state, __ATOMIC_ACQUIRE);
    const long process = __atomic_load_n(&slots[i].process, __ATOMIC_RELAXED); /* of that state, if it still is */
    if (state % ROUND != IN_USE || process != tsr__system_process()) continue;
    if (!change(i, state, state - IN_USE + REMOVING)) continue;
    (void)tsr__system_remove(slots[i].name);
    __atomic_store_n(&slots[i].state, next_round(state), __ATOMIC_RELEASE);
  }
  errno = error;
}

#endif
