#include "pane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "hist.h"
#include "magnitude.h"
#include "pane_draw.h"
#include "report.h"
#include "text.h"

enum { AT_ONCE = 256 << 20 /* bytes that are summarised without being asked */, MOST_DIGITS = 17 };

/* ---- which matrix ---- */

static const tsr_tensor *tensor_of(const pane *p) { return &p->of->tensor; }

/* The last two axes; a vector goes down. */
static void choose_axes(pane *p) {
  const int ndim = tensor_of(p)->ndim;
  p->rows = ndim >= 2 ? ndim - 2 : ndim - 1;
  p->columns = ndim >= 2 ? ndim - 1 : -1;
  p->marked = ndim > 2 ? ndim - 3 : -1;
}

tsr_status pane_matrix(const pane *p, tsr_tensor *out) {
  tsr_tensor m = {0};
  tsr_status st = tsr_view(p->ctx, tensor_of(p), &m);
  for (int axis = tensor_of(p)->ndim - 1; axis >= 0 && st == TSR_OK; axis--)
    if (axis != p->rows && axis != p->columns) st = tsr_select(p->ctx, &m, axis, p->index[axis], &m);
  if (st == TSR_OK && p->rows > p->columns && p->columns >= 0) st = tsr_transpose(p->ctx, &m, 0, 1, &m);
  while (st == TSR_OK && m.ndim < 2) st = tsr_unsqueeze(p->ctx, &m, m.ndim, &m);
  if (st == TSR_OK) *out = m;
  return st;
}

static tsr_index length_of(const pane *p, int axis) { return axis >= 0 ? tensor_of(p)->shape[axis] : 1; }

/* ---- another tensor ---- */

static void count(pane *p) {
  tsr_tensor numbers = {0};
  tsr_status st = magnitudes_or_view(p->ctx, tensor_of(p), &numbers);
  if (st == TSR_OK) st = tsr_summarize(p->ctx, &numbers, &p->summary);
  p->counted = st == TSR_OK;
  tsr_release(&numbers);
  tsr_error_clear(p->ctx);
}

void pane_set(pane *p, const source *from, target *of) {
  if (p->of == of) return;
  if (p->of != NULL) target_drop(p->of);
  p->from = from;
  p->of = of;
  p->why[0] = '\0';
  p->counted = p->asked = false;
  p->row = p->column = p->top = p->left = 0;
  memset(p->index, 0, sizeof p->index);
  if (of == NULL) return;
  choose_axes(p);
  if (target_fetch(p->ctx, of) == TSR_OK) return;
  (void)snprintf(p->why, sizeof p->why, "%s", failure_text(p->ctx));
  tsr_error_clear(p->ctx);
}

/* ---- drawing ---- */

static void put_stats(const pane *p, screen *s, pane_box box, int y) {
  char text[4][32], line[256], counts[3][32];
  const tsr_summary *n = &p->summary;
  if (!p->counted) {
    (void)screen_text(s, box.left, y, box.right, tsr_nbytes(tensor_of(p)) > AT_ONCE ? "c counts its numbers" : "",
                      look_dim);
    return;
  }
  (void)snprintf(line, sizeof line, "min %s  max %s  mean %s  std %s", text_real(n->min, text[0]),
                 text_real(n->max, text[1]), text_real(n->mean, text[2]), text_real(n->std, text[3]));
  (void)screen_text(s, box.left, y, box.right, line, look_plain);
  (void)snprintf(line, sizeof line, "%s zeros  %s nan  %s inf", text_count(n->zeros, counts[0]),
                 text_count(n->nans, counts[1]), text_count(n->infs, counts[2]));
  (void)screen_text(s, box.left, y + 1, box.right, line, n->nans + n->infs > 0 ? look_bold : look_dim);
}

/* "[3, :, :]", the axis that moves between marks. */
static void put_slice(const pane *p, screen *s, pane_box box, int y) {
  char text[48];
  int x = screen_text(s, box.left, y, box.right, "[", look_plain);
  for (int i = 0; i < tensor_of(p)->ndim; i++) {
    if (i > 0) x = screen_text(s, x, y, box.right, ", ", look_plain);
    if (i == p->rows) {
      (void)snprintf(text, sizeof text, "%s", p->columns >= 0 && p->rows > p->columns ? "rows" : ":");
    } else if (i == p->columns) {
      (void)snprintf(text, sizeof text, "%s", p->rows > p->columns ? "columns" : ":");
    } else {
      (void)snprintf(text, sizeof text, "%lld", (long long)p->index[i]);
    }
    x = screen_text(s, x, y, box.right, text, i == p->marked ? look_marked : look_plain);
  }
  x = screen_text(s, x, y, box.right, "]", look_plain);
  if (p->marked < 0) return;
  (void)snprintf(text, sizeof text, "  of %lld: [ and ] move", (long long)tensor_of(p)->shape[p->marked]);
  (void)screen_text(s, x, y, box.right, text, look_dim);
}

static void put_head(const pane *p, screen *s, pane_box *box) {
  char text[TEXT_SHAPE], line[512], bytes[32];
  const tsr_tensor *t = tensor_of(p);
  const char *type = p->of->packed != NULL ? packed_type(p->of->packed) : tsr_dtype_name(t->dtype);
  const char *label = target_label(p->of);
  (void)screen_text(s, box->left, box->top, box->right, label[0] != '\0' ? label : "\"\"", look_bold);
  (void)snprintf(line, sizeof line, "%s %s  %s", type, text_shape(t->ndim, t->shape, text),
                 text_bytes(tsr_nbytes(p->of->packed != NULL ? &p->of->blocks : t), bytes));
  (void)screen_text(s, box->left, box->top + 1, box->right, line, look_plain);
  box->top += 2;
}

/* Rows that are seen follow the cursor. */
static void follow(tsr_index at, int seen, tsr_index *first) {
  if (at < *first) *first = at;
  if (seen > 0 && at >= *first + seen) *first = at - seen + 1;
}

static tsr_status put_data(pane *p, screen *s, pane_box box, bool focused) {
  tsr_tensor m = {0};
  const tsr_status st = pane_matrix(p, &m);
  if (st != TSR_OK) return st;
  if (tsr_size(&m) == 0) return (void)screen_text(s, box.left, box.top, box.right, "(no elements)", look_dim), TSR_OK;
  if (p->mode == PANE_HEAT) return pane_put_heat(p, s, box, &m);
  if (p->mode == PANE_HIST) return pane_put_hist(p, s, box, &m);
  p->seen_rows = box.bottom - box.top - 1;
  follow(p->row, p->seen_rows, &p->top);
  if (p->column < p->left) p->left = p->column;
  return pane_put_table(p, s, box, &m, focused);
}

void pane_draw(pane *p, screen *s, pane_box box, bool focused) {
  if (p->of == NULL) return;
  put_head(p, s, &box);
  if (p->why[0] != '\0') {
    (void)screen_text(s, box.left, box.top + 1, box.right, p->why, look_plain);
    return;
  }
  if (!p->counted && (p->asked || tsr_nbytes(tensor_of(p)) <= AT_ONCE)) count(p);
  put_stats(p, s, box, box.top);
  box.top += 2;
  if (tensor_of(p)->ndim > 0) put_slice(p, s, box, box.top);
  box.top += 2;
  if (put_data(p, s, box, focused) != TSR_OK) {
    (void)screen_text(s, box.left, box.top, box.right, failure_text(p->ctx), look_plain);
    tsr_error_clear(p->ctx);
  }
}

/* ---- keys ---- */

static void move(tsr_index *at, tsr_index by, tsr_index length) {
  *at += by;
  if (*at >= length) *at = length - 1;
  if (*at < 0) *at = 0;
}

static void move_index(pane *p, tsr_index by) {
  if (p->marked >= 0) move(&p->index[p->marked], by, tensor_of(p)->shape[p->marked]);
}

/* The next axis that is not shown. */
static void mark_next(pane *p) {
  const int ndim = tensor_of(p)->ndim;
  for (int i = 1; i <= ndim && p->marked >= 0; i++) {
    const int axis = (p->marked + i) % ndim;
    if (axis == p->rows || axis == p->columns) continue;
    p->marked = axis;
    return;
  }
}

/* The marked axis takes the place of the rows: every axis can be seen. Without one, rows and columns change places. */
static void turn(pane *p) {
  if (p->columns < 0) return;
  const int rows = p->rows;
  if (p->marked >= 0) {
    p->rows = p->marked;
    p->marked = rows;
    p->index[rows] = p->row < length_of(p, rows) ? p->row : 0;
  } else {
    p->rows = p->columns;
    p->columns = rows;
  }
  p->row = p->column = p->top = p->left = 0;
}

static bool move_cursor(pane *p, int key) {
  const tsr_index rows = length_of(p, p->rows), columns = length_of(p, p->columns);
  const tsr_index page = p->seen_rows > 1 ? p->seen_rows - 1 : 1;
  switch (key) {
    case KEY_UP:
    case 'k': move(&p->row, -1, rows); return true;
    case KEY_DOWN:
    case 'j': move(&p->row, 1, rows); return true;
    case KEY_LEFT:
    case 'h': move(&p->column, -1, columns); return true;
    case KEY_RIGHT:
    case 'l': move(&p->column, 1, columns); return true;
    case KEY_PAGE_UP: move(&p->row, -page, rows); return true;
    case KEY_PAGE_DOWN: move(&p->row, page, rows); return true;
    case KEY_HOME: p->row = p->column = 0; return true;
    case KEY_END: move(&p->row, rows, rows); return true;
    default: return false;
  }
}

bool pane_key(pane *p, int key) {
  if (p->of == NULL || p->why[0] != '\0') return false;
  switch (key) {
    case '[': move_index(p, -1); return true;
    case ']': move_index(p, 1); return true;
    case 'a': mark_next(p); return true;
    case 't': turn(p); return true;
    case 'v': p->mode = (pane_mode)((p->mode + 1) % PANE_MODES); return true;
    case 'c': p->asked = true; return true;
    case '+': p->digits += p->digits < MOST_DIGITS; return true;
    case '-': p->digits -= p->digits > 1; return true;
    default: return move_cursor(p, key);
  }
}

/* ---- the element under the cursor ---- */

void pane_status(const pane *p, char *out, size_t capacity) {
  char text[PANE_CELL];
  tsr_tensor m = {0};
  out[0] = '\0';
  if (p->of == NULL || p->why[0] != '\0' || p->mode != PANE_TABLE) return;
  if (pane_matrix(p, &m) != TSR_OK || p->row >= m.shape[0] || p->column >= m.shape[1]) return;
  if (pane_text(p, &m, p->row, p->column, MOST_DIGITS, text) != TSR_OK) return;
  int at = snprintf(out, capacity, "[");
  for (int i = 0; i < tensor_of(p)->ndim; i++) {
    const tsr_index index = i == p->rows ? p->row : i == p->columns ? p->column : p->index[i];
    at += snprintf(out + at, capacity - (size_t)at, i > 0 ? ", %lld" : "%lld", (long long)index);
  }
  (void)snprintf(out + at, capacity - (size_t)at, "] = %s", text);
}
