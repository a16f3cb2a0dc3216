#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* As people count: layer.2 before layer.10. */
static int compare_names(const char *a, const char *b) {
  while (*a != '\0' && *b != '\0') {
    if (is_digit(*a) && is_digit(*b)) {
      while (*a == '0' && is_digit(a[1])) a++;
      while (*b == '0' && is_digit(b[1])) b++;
      size_t n = 0, m = 0;
      while (is_digit(a[n])) n++;
      while (is_digit(b[m])) m++;
      const int order = n != m ? (n < m ? -1 : 1) : strncmp(a, b, n);
      if (order != 0) return order;
      a += n;
      b += m;
    } else if (*a != *b) {
      return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
    } else {
      a++;
      b++;
    }
  }
  return (*a != '\0') - (*b != '\0');
}

/* Sorted by merging, which needs no state of its own beside the arguments, as qsort would. */
static int compare(const tree *t, tsr_index a, tsr_index b) {
  const target *x = &t->found->list[a], *y = &t->found->list[b];
  if (t->order == TREE_BRANCHES) return compare_names(target_label(x), target_label(y));
  const size_t of_x = tsr_nbytes(&x->tensor), of_y = tsr_nbytes(&y->tensor);
  if (t->order == TREE_SIZE && of_x != of_y) return of_x > of_y ? -1 : 1;
  return a < b ? -1 : 1;
}

static void merge(const tree *t, tsr_index *list, tsr_index *spare, tsr_index n) {
  const tsr_index half = n / 2;
  tsr_index i = 0, k = half, at = 0;
  if (n < 2) return;
  merge(t, list, spare, half);
  merge(t, list + half, spare, n - half);
  while (i < half && k < n) spare[at++] = compare(t, list[k], list[i]) < 0 ? list[k++] : list[i++];
  while (i < half) spare[at++] = list[i++];
  memcpy(list, spare, (size_t)at * sizeof *list);
}

/* ---- branches ---- */

static const char *name_of(const tree *t, tsr_index place) { return target_label(&t->found->list[t->sorted[place]]); }

static bool is_open(const tree *t, const char *name, size_t length) {
  for (size_t i = 0; i < t->open_count; i++)
    if (strlen(t->open[i]) == length && memcmp(t->open[i], name, length) == 0) return true;
  return false;
}

/* Up to and with the next dot or slash; 0: there is none before the last part. */
static size_t next_part(const char *name, size_t from) {
  const size_t n = strcspn(name + from, "./");
  return name[from + n] != '\0' && name[from + n + 1] != '\0' ? from + n + 1 : 0;
}

static tsr_index alike(const tree *t, tsr_index place, tsr_index end, size_t length) {
  tsr_index n = 1;
  while (place + n < end && strncmp(name_of(t, place + n), name_of(t, place), length) == 0) n++;
  return n;
}

static bool add_row(tree *t, tree_row row) {
  if (t->count == t->capacity) {
    const size_t capacity = t->capacity > 0 ? 2 * t->capacity : 256;
    tree_row *rows = realloc(t->rows, capacity * sizeof *rows);
    if (rows == NULL) return false;
    t->rows = rows;
    t->capacity = capacity;
  }
  t->rows[t->count++] = row;
  return true;
}

/* A branch that all of its tensors go on along is one with the next: "encoder.layers.". */
static size_t longest_branch(const tree *t, tsr_index place, tsr_index end, size_t length, tsr_index count) {
  for (;;) {
    const size_t next = next_part(name_of(t, place), length);
    if (next == 0 || alike(t, place, end, next) != count) return length;
    length = next;
  }
}

/* The tensors from place to end, whose names are alike up to from. */
static bool add_rows(tree *t, tsr_index place, tsr_index end, size_t from, int depth) {
  while (place < end) {
    const char *name = name_of(t, place);
    size_t branch = next_part(name, from);
    const tsr_index count = branch > 0 ? alike(t, place, end, branch) : 1;
    if (count == 1) {
      if (!add_row(t, (tree_row){t->sorted[place], 0, depth, from, strlen(name), false})) return false;
    } else {
      branch = longest_branch(t, place, end, branch, count);
      const bool open = is_open(t, name, branch);
      if (!add_row(t, (tree_row){t->sorted[place], count, depth, from, branch, open})) return false;
      if (open && !add_rows(t, place, place + count, branch, depth + 1)) return false;
    }
    place += count;
  }
  return true;
}

static bool update(tree *t) {
  t->count = 0;
  if (t->order == TREE_BRANCHES) return add_rows(t, 0, t->found->count, 0, 0);
  for (tsr_index i = 0; i < t->found->count; i++)
    if (!add_row(t, (tree_row){t->sorted[i], 0, 0, 0, strlen(name_of(t, i)), false})) return false;
  return true;
}

/* ---- public ---- */

static bool open_branch(tree *t, const char *name, size_t length) {
  if (t->open_count == t->open_capacity) {
    const size_t capacity = t->open_capacity > 0 ? 2 * t->open_capacity : 16;
    char **open = realloc(t->open, capacity * sizeof *open);
    if (open == NULL) return false;
    t->open = open;
    t->open_capacity = capacity;
  }
  t->open[t->open_count] = strndup(name, length);
  return t->open[t->open_count] != NULL && ++t->open_count > 0;
}

static void close_branch(tree *t, const char *name, size_t length) {
  for (size_t i = 0; i < t->open_count; i++) {
    if (strlen(t->open[i]) != length || memcmp(t->open[i], name, length) != 0) continue;
    free(t->open[i]);
    t->open[i] = t->open[--t->open_count];
    return;
  }
}

bool tree_sort(tree *t, tree_order order) {
  const tsr_index n = t->found->count;
  tsr_index *spare = calloc((size_t)n + 1, sizeof *spare);
  if (spare == NULL) return false;
  t->order = order;
  for (tsr_index i = 0; i < n; i++) t->sorted[i] = i;
  merge(t, t->sorted, spare, n);
  free(spare);
  return update(t);
}

/* Opens all that is closed, until nothing is. */
static bool open_all(tree *t) {
  for (size_t i = 0; i < t->count; i++)
    if (t->rows[i].count > 0 && !t->rows[i].open && !tree_toggle(t, i)) return false;
  return true;
}

bool tree_init(const targets *found, size_t lines, tree *out) {
  *out = (tree){.found = found};
  out->sorted = calloc((size_t)found->count + 1, sizeof *out->sorted);
  if (out->sorted == NULL || !tree_sort(out, TREE_BRANCHES)) return false;
  return (size_t)found->count > lines || open_all(out);
}

bool tree_toggle(tree *t, size_t row) {
  const tree_row r = t->rows[row];
  const char *name = target_label(&t->found->list[r.tensor]);
  if (r.count == 0) return true;
  if (r.open) close_branch(t, name, r.length);
  if (!r.open && !open_branch(t, name, r.length)) return false;
  return update(t);
}

bool tree_show(tree *t, tsr_index tensor, size_t *row) {
  const char *name = target_label(&t->found->list[tensor]);
  for (size_t i = 0; i < t->count; i++) {
    const tree_row *r = &t->rows[i];
    if (r->count == 0 && r->tensor == tensor) return *row = i, true;
    const char *branch = target_label(&t->found->list[r->tensor]);
    if (r->count > 0 && !r->open && strncmp(name, branch, r->length) == 0 && !tree_toggle(t, i)) return false;
  }
  return true;
}

uint64_t tree_bytes(const tree *t, const tree_row *row) {
  if (row->count == 0) return tsr_nbytes(&t->found->list[row->tensor].tensor);
  const char *name = target_label(&t->found->list[row->tensor]);
  uint64_t bytes = 0;
  for (tsr_index i = 0; i < t->found->count; i++)
    if (strncmp(target_label(&t->found->list[i]), name, row->length) == 0)
      bytes += tsr_nbytes(&t->found->list[i].tensor);
  return bytes;
}

void tree_release(tree *t) {
  for (size_t i = 0; i < t->open_count; i++) free(t->open[i]);
  free(t->open);
  free(t->rows);
  free(t->sorted);
  *t = (tree){0};
}
