/* The kinds of pictures that a pane has. */
#ifndef TESSERA_PANE_DRAW_H
#define TESSERA_PANE_DRAW_H

#include "keys.h"
#include "pane.h"

enum { PANE_CELL = 80 };

/* The matrix that is shown: a view. */
tsr_status pane_matrix(const pane *p, tsr_tensor *out);

/* An element as text of at most so many digits, or of as few as read back as the same; text has room for PANE_CELL. */
tsr_status pane_cell(tsr_ctx *ctx, const tsr_tensor *m, tsr_index row, tsr_index column, int digits, char *text);

/* The same of the tensor that is shown, whose numbers may stand for text, dates and times. */
tsr_status pane_text(const pane *p, const tsr_tensor *m, tsr_index row, tsr_index column, int digits, char *text);

/* Each draws the matrix into a box, which has room for something. */
tsr_status pane_put_table(pane *p, screen *s, pane_box box, const tsr_tensor *m, bool focused);
tsr_status pane_put_heat(const pane *p, screen *s, pane_box box, const tsr_tensor *m);
tsr_status pane_put_hist(const pane *p, screen *s, pane_box box, const tsr_tensor *m);

#endif
