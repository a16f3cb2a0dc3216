/* Tables as people read them: names above columns, numbers that line up, the number of each row before it. */
#ifndef TESSERA_GRID_H
#define TESSERA_GRID_H

#include "source.h"
#include "terminal.h"

/* One column: a vector, and its name. */
typedef struct grid_column {
  char *title; /* owned */
  tsr_tensor values;
  const tsr_column *what; /* of a column of text, dates or times; NULL: numbers */
} grid_column;

typedef struct grid {
  grid_column *columns; /* owned */
  tsr_index count, rows;
} grid;

/* How much of it is written. */
typedef struct grid_options {
  tsr_index head, tail; /* rows from its start and from its end */
  tsr_index most;       /* so many rows are not worth it, and written all */
  int digits;           /* of a number; 0: 8, and up to 6 behind the point */
  bool whole;           /* all columns, however wide */
} grid_options;

/* Whether a target is a table, or some columns of one: real numbers of one or two axes, in a file that is one. */
bool grid_is(const source *s, const target *t);

/* The table of such a target, which must have been fetched and outlive it; false: reported. *out needs grid_release. */
bool grid_init(tsr_ctx *ctx, const source *s, const target *t, grid *out);
void grid_release(grid *g);

/* Writes it; false: reported. */
bool grid_write(tsr_ctx *ctx, const grid *g, const grid_options *o, const terminal *to);

#endif
