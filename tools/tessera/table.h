/* Columns that line up. */
#ifndef TESSERA_COMMAND_TABLE_H
#define TESSERA_COMMAND_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "terminal.h"

enum { TABLE_COLUMNS = 24 };

/* Cells by row; `{0}` is an empty one. */
typedef struct table {
  int columns;
  const char *titles[TABLE_COLUMNS];
  bool right[TABLE_COLUMNS]; /* numbers: set to the right */
  size_t rows, capacity;
  char **cells;
  bool failed; /* no memory */
} table;

/* Adds a column, before the first cell. */
void table_column(table *t, const char *title, bool right);

/* The next cell; a row is full when all its columns are there. Text is copied; names are escaped. */
void table_cell(table *t, const char *text);

/* Writes everything, titles first; the first column is shortened in the middle where the lines do not fit. False when
 * there was no memory for a cell: reported. */
bool table_write(const table *t, const terminal *to);

void table_release(table *t);

#endif
