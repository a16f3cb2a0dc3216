/* Heap sort. */
#include "io/bytes/sort.h"

#include <string.h>

static void sift(size_t *order, size_t root, size_t n, tsr__before_fn *before, const void *user) {
  const size_t moved = order[root];
  for (size_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
    if (child + 1 < n && before(user, order[child], order[child + 1])) child++;
    if (!before(user, moved, order[child])) break;
    order[root] = order[child];
    root = child;
  }
  order[root] = moved;
}

/* Files that were written in order are the common case. */
static bool is_sorted(const size_t *order, size_t n, tsr__before_fn *before, const void *user) {
  for (size_t i = 1; i < n; i++)
    if (before(user, order[i], order[i - 1])) return false;
  return true;
}

void tsr__sort(size_t *order, size_t n, tsr__before_fn *before, const void *user) {
  for (size_t i = 0; i < n; i++) order[i] = i;
  if (is_sorted(order, n, before, user)) return;
  for (size_t i = n / 2; i > 0; i--) sift(order, i - 1, n, before, user);
  for (size_t end = n - 1; end > 0; end--) {
    const size_t last = order[end];
    order[end] = order[0];
    order[0] = last;
    sift(order, 0, end, before, user);
  }
}

/* ---- names ---- */

typedef struct names {
  const char *first;
  size_t item;
} names;

static const char *name_of(const names *n, size_t i) {
  return *(const char *const *)(const void *)(n->first + i * n->item);
}

static bool name_before(const void *user, size_t a, size_t b) {
  const int order = strcmp(name_of(user, a), name_of(user, b));
  return order != 0 ? order < 0 : a < b;
}

size_t tsr__find_twice(const void *items, size_t item, size_t n, size_t *order) {
  const names all = {.first = items, .item = item};
  tsr__sort(order, n, name_before, &all);
  for (size_t i = 1; i < n; i++)
    if (strcmp(name_of(&all, order[i - 1]), name_of(&all, order[i])) == 0) return order[i];
  return n;
}
