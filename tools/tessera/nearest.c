#include "nearest.h"

#include <stdio.h>
#include <string.h>

/* Longer names are compared by their first so many bytes: a row of the table lies on the stack. */
enum { LONGEST = 128 };

static int least(int a, int b) { return a < b ? a : b; }

/* Insertions, deletions, replacements, and swaps of neighbours that make a out of b: three rows of the table. */
static int edit_distance(const char *a, size_t n, const char *b, size_t m) {
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= m; j++) last[j] = before[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    now[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      const bool same = a[i - 1] == b[j - 1];
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = least(now[j], before[j - 2] + 1);
    }
    int *spare = before;
    before = last, last = now, now = spare;
  }
  return last[m];
}

void nearest_init(nearest *n, const char *wanted, size_t length) {
  *n = (nearest){.wanted = wanted, .length = length < LONGEST ? length : LONGEST};
}

/* A name that holds what was wanted is near, however long it is. */
static int distance_to(const nearest *n, const char *name) {
  const size_t length = strnlen(name, LONGEST);
  const int distance = edit_distance(n->wanted, n->length, name, length);
  if (n->length < 3 || distance <= 2) return distance;
  for (size_t i = 0; i + n->length <= length; i++)
    if (memcmp(name + i, n->wanted, n->length) == 0) return 2;
  return distance;
}

void nearest_offer(nearest *n, const char *name) {
  const int distance = distance_to(n, name);
  if (distance > 2 && distance > (int)n->length / 3) return;
  int at = n->count;
  while (at > 0 && n->distances[at - 1] > distance) at--;
  if (at == NEAREST) return;
  if (n->count < NEAREST) n->count++;
  for (int i = n->count - 1; i > at; i--) n->names[i] = n->names[i - 1], n->distances[i] = n->distances[i - 1];
  n->names[at] = name;
  n->distances[at] = distance;
}

const char *nearest_text(const nearest *n, const char *otherwise, char *out, size_t capacity) {
  if (n->count == 0) return otherwise;
  int used = snprintf(out, capacity, n->count == 1 ? "; did you mean '%s'?" : "; near are '%s'", n->names[0]);
  for (int i = 1; i < n->count && used > 0 && (size_t)used < capacity; i++)
    used += snprintf(out + used, capacity - (size_t)used, ", '%s'", n->names[i]);
  return out;
}
