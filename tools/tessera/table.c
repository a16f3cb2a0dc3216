#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "text.h"

void table_column(table *t, const char *title, bool right) {
  t->titles[t->columns] = title;
  t->right[t->columns++] = right;
}

void table_cell(table *t, const char *text) {
  if (t->failed) return;
  if (t->rows == t->capacity) {
    const size_t capacity = t->capacity > 0 ? 2 * t->capacity : 256;
    char **cells = realloc(t->cells, capacity * sizeof *cells);
    if (cells == NULL) {
      t->failed = true;
      return;
    }
    t->cells = cells;
    t->capacity = capacity;
  }
  t->cells[t->rows] = strdup(text);
  t->failed = t->cells[t->rows] == NULL;
  t->rows += !t->failed;
}

void table_release(table *t) {
  for (size_t i = 0; i < t->rows; i++) free(t->cells[i]);
  free(t->cells);
  *t = (table){0};
}

/* ---- writing ---- */

static void measure(const table *t, size_t *widths) {
  for (int c = 0; c < t->columns; c++) widths[c] = strlen(t->titles[c]);
  for (size_t i = 0; i < t->rows; i++) {
    const size_t width = text_width(t->cells[i], TEXT_NAME);
    const size_t c = i % (size_t)t->columns;
    if (width > widths[c]) widths[c] = width;
  }
}

/* How wide the first column may be, so that lines fit a terminal; files and pipes get names whole. */
static size_t first_limit(const table *t, const size_t *widths, const terminal *to) {
  enum { LEAST = 16 };
  size_t others = 0;
  if (!to->is_terminal) return SIZE_MAX;
  for (int c = 1; c < t->columns; c++) others += 2 + widths[c];
  const size_t all = (size_t)to->width;
  return all > others + LEAST ? all - others : LEAST;
}

static void pad(size_t n) { (void)printf("%*s", (int)n, ""); }

/* A name that is too long keeps its end, where names differ. */
static size_t put_cell(const char *text, size_t width, size_t limit) {
  if (width <= limit) return text_write(stdout, text, TEXT_NAME);
  const char *tail = text;
  while (*tail != '\0' && text_width(tail, TEXT_NAME) > limit - 2) {
    tail++;
    while (((unsigned char)*tail & 0xc0) == 0x80) tail++;
  }
  (void)fputs("..", stdout);
  return 2 + text_write(stdout, tail, TEXT_NAME);
}

static void put_row(const table *t, const char *const *cells, const size_t *widths, size_t limit) {
  int last = t->columns - 1;
  while (last > 0 && cells[last][0] == '\0') last--;
  for (int c = 0; c < t->columns; c++) {
    const size_t width = text_width(cells[c], TEXT_NAME);
    if (c > last) break; /* no blanks at the end of a line */
    if (c > 0) pad(2);
    if (t->right[c] && width < widths[c]) pad(widths[c] - width);
    const size_t used = put_cell(cells[c], width, c == 0 ? limit : SIZE_MAX);
    if (!t->right[c] && c < last && used < widths[c]) pad(widths[c] - used);
  }
}

bool table_write(const table *t, const terminal *to) {
  size_t widths[TABLE_COLUMNS];
  if (t->failed) return report("out of memory"), false;
  measure(t, widths);
  const size_t limit = first_limit(t, widths, to);
  if (widths[0] > limit) widths[0] = limit;
  terminal_bold(to);
  put_row(t, t->titles, widths, limit);
  terminal_reset(to);
  (void)putchar('\n');
  for (size_t i = 0; i + (size_t)t->columns <= t->rows; i += (size_t)t->columns) {
    put_row(t, (const char *const *)t->cells + i, widths, limit);
    (void)putchar('\n');
  }
  return true;
}
