/* One tensor on the screen: what it is, what numbers are in it, and a matrix of it as a table, a map or a histogram. */
#ifndef TESSERA_PANE_H
#define TESSERA_PANE_H

#include "hist.h"
#include "screen.h"
#include "source.h"
#include "terminal.h"

typedef enum pane_mode { PANE_TABLE, PANE_HEAT, PANE_HIST, PANE_MODES } pane_mode;

/* A part of the screen, its ends not included. */
typedef struct pane_box {
  int left, top, right, bottom;
} pane_box;

typedef struct pane {
  tsr_ctx *ctx;
  const source *from;
  target *of;    /* NULL: none; its elements are there while it is shown */
  char why[256]; /* they are not; "" */
  bool color, utf8;
  pane_mode mode;
  int digits;
  int rows, columns;             /* the axes that are shown; -1: none */
  int marked;                    /* the axis that [ and ] move along; -1 */
  tsr_index index[TSR_MAX_DIMS]; /* of the others */
  tsr_index row, column;         /* the cursor */
  tsr_index top, left;           /* the first that is seen */
  int seen_rows, seen_columns;   /* how many there were when it was drawn */
  bool counted, asked;           /* summary is there; it is wanted however long it takes */
  tsr_summary summary;
} pane;

/* Shows another tensor, from its start on; NULL: none. */
void pane_set(pane *p, const source *from, target *of);

/* Draws it; focused: the cursor is in it. */
void pane_draw(pane *p, screen *s, pane_box box, bool focused);

/* What a key does; false: it means nothing here. */
bool pane_key(pane *p, int key);

/* "[3, 17] = 0.25": the element under the cursor; "" where there is none. */
void pane_status(const pane *p, char *out, size_t capacity);

#endif
