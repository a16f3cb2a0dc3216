/* C names for tensors: sorted, those that meet get numbers. */
#include "io/carray/names.h"
#include "core/text.h"
#include "io/carray/words.h"
#include "io/bytes/sort.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_part(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

bool tsr__is_c_part(const char *text) {
  while (is_part(*text)) text++;
  return *text == '\0';
}

/* ---- one name ---- */

enum { NUMBER = 21, FRONT = 3, DATA = 5 }; /* "_18446744073709551615"; "t_" and "_"; "_data" */

/* The name that a tensor has where no other wants it. to has room for it, FRONT more and the zero. */
static void spell(const char *prefix, const char *name, char *to) {
  const size_t before = strlen(prefix), n = strlen(name);
  char *at = to;
  if (before == 0 && is_digit(name[0])) *at++ = '_';
  memcpy(at, prefix, before);
  at += before;
  for (size_t i = 0; i < n; i++) *at++ = is_part(name[i]) ? name[i] : '_';
  *at = '\0';
  if (!tsr__is_c_word(to)) return;
  memmove(to + 2, to, (size_t)(at - to) + 1);
  memcpy(to, "t_", 2);
}

static void add_number(char *name, size_t number) {
  tsr__text text;
  const size_t n = strlen(name);
  tsr__text_init(&text, name + n, NUMBER + 1);
  tsr__text_format(&text, "_%z", number);
}

/* ---- all of them ---- */

typedef struct naming {
  const tsr_bundle *bundle;
  const char *prefix;
  size_t count;
  tsr__c_name *name;
  size_t *order;  /* of the tensors' names */
  size_t *number; /* 0: none */
  char *spare;    /* room for the longest name */
} naming;

/* Whether the name in C is the tensor's own. */
static bool is_kept(const naming *n, size_t i) {
  const size_t before = strlen(n->prefix);
  return strncmp(n->name[i].tensor, n->prefix, before) == 0 &&
         strcmp(n->name[i].tensor + before, n->bundle->tensors[i].name) == 0;
}

/* Of equal names, one that was not changed comes first, and then the earlier tensor. */
static bool before(const void *user, size_t a, size_t b) {
  const naming *n = user;
  const int order = strcmp(n->name[a].tensor, n->name[b].tensor);
  if (order != 0) return order < 0;
  const bool kept = is_kept(n, a);
  return kept != is_kept(n, b) ? kept : a < b;
}

/* Whether a tensor has that name. */
static bool is_taken(const naming *n, const char *name) {
  size_t low = 0, high = n->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(n->name[n->order[middle]].tensor, name);
    if (order == 0) return true;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

/* The first number from least on that makes name free. Two names that got a number never meet: what stands before its
 * last '_' differs. So no number is tried twice for a name, and all trials together are fewer than the tensors. */
static size_t free_number(const naming *n, const char *name, size_t least) {
  for (size_t number = least;; number++) {
    const size_t length = strlen(name);
    memcpy(n->spare, name, length + 1);
    add_number(n->spare, number);
    if (!is_taken(n, n->spare)) return number;
  }
}

static void number_tensors(naming *n) {
  size_t last = 1;
  for (size_t i = 1; i < n->count; i++) {
    const char *const name = n->name[n->order[i]].tensor;
    const bool again = strcmp(name, n->name[n->order[i - 1]].tensor) == 0;
    last = again ? free_number(n, name, last + 1) : 1;
    n->number[n->order[i]] = again ? last : 0;
  }
  for (size_t i = 0; i < n->count; i++)
    if (n->number[i] > 0) add_number(n->name[i].tensor, n->number[i]);
}

static void name_arrays(naming *n) {
  for (size_t i = 0; i < n->count; i++) {
    char *const array = n->name[i].array;
    const size_t length = strlen(n->name[i].tensor);
    memcpy(array, n->name[i].tensor, length);
    memcpy(array + length, "_data", DATA + 1);
    if (is_taken(n, array)) add_number(array, free_number(n, array, 2));
  }
}

/* ---- memory ---- */

/* Bytes of a tensor's name in C, whatever becomes of it. */
static size_t room_for(const naming *n, size_t i) {
  return strlen(n->prefix) + strlen(n->bundle->tensors[i].name) + FRONT + NUMBER + 1;
}

enum { MORE = DATA + NUMBER }; /* that an array's name has */

/* All bytes, and those of the longest name. */
static bool measure(const naming *n, size_t *bytes, size_t *longest) {
  bool fits = tsr__mul_size(n->count, sizeof(tsr__c_name) + 2 * sizeof(size_t), bytes);
  *longest = 0;
  for (size_t i = 0; i < n->count && fits; i++) {
    const size_t room = room_for(n, i) + MORE;
    if (room > *longest) *longest = room;
    fits = room <= SIZE_MAX / 4 && *bytes <= SIZE_MAX / 4;
    *bytes += 2 * room;
  }
  *bytes += *longest;
  return fits;
}

static void share_out(naming *n, char *memory, size_t longest) {
  n->name = (tsr__c_name *)(void *)memory;
  n->order = (size_t *)(void *)(n->name + n->count);
  n->number = n->order + n->count;
  n->spare = (char *)(n->number + n->count);
  char *at = n->spare + longest;
  for (size_t i = 0; i < n->count; i++) {
    const size_t room = room_for(n, i);
    n->name[i] = (tsr__c_name){.tensor = at, .array = at + room};
    n->number[i] = 0;
    at += 2 * room + MORE;
  }
}

tsr_status tsr__c_names_init(tsr_ctx *ctx, const char *op, const tsr_bundle *bundle, const char *prefix,
                             tsr__c_names *names) {
  naming n = {.bundle = bundle, .prefix = prefix, .count = (size_t)bundle->count};
  size_t bytes, longest;
  if (!measure(&n, &bytes, &longest))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "bundle", "of %l tensors is too large", (int64_t)bundle->count);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, &names->memory);
  if (st != TSR_OK) return st;
  share_out(&n, names->memory.data, longest);
  for (size_t i = 0; i < n.count; i++) spell(prefix, bundle->tensors[i].name, n.name[i].tensor);
  tsr__sort(n.order, n.count, before, &n);
  number_tensors(&n);
  tsr__sort(n.order, n.count, before, &n);
  name_arrays(&n);
  names->name = n.name;
  return TSR_OK;
}

void tsr__c_names_end(tsr__c_names *names) { tsr__scratch_put(&names->memory); }
