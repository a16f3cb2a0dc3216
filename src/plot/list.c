/* Lists of things to draw. */
#include "plot/list.h"

#if TSR_HAVE_PLOT

#include <string.h>

#include "plot/font.h"

enum { ELLIPSIS = 0x2026 };

void tsr__list_release(tsr__plot_list *list) {
  tsr__path_release(&list->memory, &list->path);
  tsr__plot_array_release(&list->memory, &list->items, sizeof(tsr__plot_item));
  tsr__plot_array_release(&list->memory, &list->texts, 1);
  tsr__plot_array_release(&list->memory, &list->colors, sizeof(uint32_t));
}

static tsr__plot_item *add(tsr__plot_list *list, tsr__plot_kind kind) {
  tsr__plot_item *const item = tsr__plot_push(&list->memory, &list->items, sizeof *item, 1);
  if (item == NULL) return NULL;
  item->kind = (uint8_t)kind;
  item->colors = SIZE_MAX;
  return item;
}

/* ---- paths ---- */

tsr__plot_begun tsr__list_begin(const tsr__plot_list *list) {
  return (tsr__plot_begun){list->path.verbs.count, list->path.points.count};
}

static tsr__plot_item *add_path(tsr__plot_list *list, tsr__plot_kind kind, tsr__plot_begun from) {
  if (list->path.verbs.count == from.verbs) return NULL;
  tsr__plot_item *const item = add(list, kind);
  if (item == NULL) return NULL;
  item->verbs = from.verbs;
  item->points = from.points;
  item->count = list->path.verbs.count - from.verbs;
  return item;
}

void tsr__list_fill(tsr__plot_list *list, tsr__plot_begun from, int flags, uint32_t color) {
  tsr__plot_item *const item = add_path(list, TSR__PLOT_FILL, from);
  if (item == NULL) return;
  item->flags = (uint8_t)flags;
  item->color = color;
}

void tsr__list_stroke(tsr__plot_list *list, tsr__plot_begun from, int flags, int dash, double width, uint32_t color) {
  tsr__plot_item *const item = add_path(list, TSR__PLOT_STROKE, from);
  if (item == NULL) return;
  item->flags = (uint8_t)flags;
  item->dash = (uint8_t)dash;
  item->width = width;
  item->color = color;
}

tsr__plot_outline tsr__list_outline(const tsr__plot_list *list, const tsr__plot_item *item) {
  return (tsr__plot_outline){(const uint8_t *)list->path.verbs.data + item->verbs,
                             (const tsr__plot_point *)list->path.points.data + item->points, item->count};
}

void tsr__list_line(tsr__plot_list *list, double x0, double y0, double x1, double y1, double width, uint32_t color) {
  const tsr__plot_begun from = tsr__list_begin(list);
  tsr__path_move(&list->memory, &list->path, x0, y0);
  tsr__path_line(&list->memory, &list->path, x1, y1);
  tsr__list_stroke(list, from, TSR__PLOT_SNAP, TSR_PLOT_SOLID, width, color);
}

void tsr__list_rect(tsr__plot_list *list, double x, double y, double width, double height, int flags, uint32_t color) {
  const tsr__plot_begun from = tsr__list_begin(list);
  tsr__path_rect(&list->memory, &list->path, x, y, width, height);
  tsr__list_fill(list, from, flags, color);
}

void tsr__list_frame(tsr__plot_list *list, double x, double y, double width, double height, double pen,
                     uint32_t color) {
  const tsr__plot_begun from = tsr__list_begin(list);
  tsr__path_rect(&list->memory, &list->path, x, y, width, height);
  tsr__list_stroke(list, from, TSR__PLOT_SNAP, TSR_PLOT_SOLID, pen, color);
}

/* ---- the others ---- */

void tsr__list_text(tsr__plot_list *list, const tsr__plot_label *label) {
  if (label->text == NULL || label->text[0] == '\0') return;
  const size_t bytes = strlen(label->text) + 1, at = list->texts.count;
  char *const to = tsr__plot_push(&list->memory, &list->texts, 1, bytes);
  tsr__plot_item *const item = to != NULL ? add(list, TSR__PLOT_TEXT) : NULL;
  if (item == NULL) return;
  memcpy(to, label->text, bytes);
  item->text = at;
  item->flags = label->bold ? TSR__PLOT_BOLD : 0;
  item->color = label->color;
  item->width = label->size;
  item->x = label->x;
  item->y = label->y;
  item->anchor = label->anchor;
  item->angle = label->angle;
}

/* What of a text fits a width, an ellipsis behind it: bytes of it. */
static size_t bytes_that_fit(const tsr__plot_label *label, double width) {
  const char *at = label->text, *end = at;
  double x = tsr__font_advance(ELLIPSIS, label->size, label->bold);
  for (uint32_t c; (c = tsr__font_next(&at)) != 0; end = at) {
    x += tsr__font_advance(c, label->size, label->bold);
    if (x > width) break;
  }
  return (size_t)(end - label->text);
}

void tsr__list_text_within(tsr__plot_list *list, const tsr__plot_label *label, double width) {
  static const char dots[] = "\xe2\x80\xa6";
  tsr__plot_label fitted = *label;
  char text[TSR_PLOT_TEXT + sizeof dots];
  const double least = 0.75 * label->size;
  if (label->text == NULL) return;
  const double whole = tsr__font_width(label->text, label->size, label->bold);
  if (whole > width) fitted.size = width > 0 ? label->size * width / whole : least;
  if (fitted.size < least) {
    fitted.size = least;
    const size_t n = bytes_that_fit(&fitted, width), most = n < TSR_PLOT_TEXT ? n : TSR_PLOT_TEXT;
    memcpy(text, label->text, most);
    memcpy(text + most, dots, sizeof dots);
    fitted.text = text;
  }
  tsr__list_text(list, &fitted);
}

static tsr__plot_item *add_area(tsr__plot_list *list, tsr__plot_kind kind, double x, double y, double width,
                                double height) {
  tsr__plot_item *const item = add(list, kind);
  if (item == NULL) return NULL;
  item->x = x;
  item->y = y;
  item->wide = width;
  item->high = height;
  return item;
}

void tsr__list_clip(tsr__plot_list *list, double x, double y, double width, double height) {
  (void)add_area(list, TSR__PLOT_CLIP, x, y, width, height);
}

void tsr__list_unclip(tsr__plot_list *list) { (void)add(list, TSR__PLOT_CLIP); }

void tsr__list_markers(tsr__plot_list *list, tsr__plot_begun from, int marker, double size, uint32_t color,
                       size_t colors) {
  tsr__plot_item *const item = add_path(list, TSR__PLOT_MARKERS, from);
  if (item == NULL) return;
  item->marker = (uint8_t)marker;
  item->width = size;
  item->color = color;
  item->colors = colors;
}

uint32_t *tsr__list_cells(tsr__plot_list *list, double x, double y, double width, double height, int columns, int rows,
                          int flags) {
  const size_t at = list->colors.count;
  uint32_t *const colors = tsr__plot_push(&list->memory, &list->colors, sizeof *colors, (size_t)columns * (size_t)rows);
  tsr__plot_item *const item = colors != NULL ? add_area(list, TSR__PLOT_CELLS, x, y, width, height) : NULL;
  if (item == NULL) return NULL;
  item->flags = (uint8_t)flags;
  item->colors = at;
  item->columns = columns;
  item->rows = rows;
  return colors;
}

void tsr__list_shape(tsr__plot_memory *memory, tsr__plot_path *path, int marker, double x, double y, double size) {
  static const double square[4][2] = {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}};
  static const double triangle[3][2] = {{0, -1.2}, {1.1, 0.75}, {-1.1, 0.75}};
  static const double diamond[4][2] = {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
  const double r = size / 2, arm = 0.85 * r;
  const double(*corners)[2] = marker == TSR_PLOT_SQUARE ? square : marker == TSR_PLOT_TRIANGLE ? triangle : diamond;
  switch (marker) {
    case TSR_PLOT_CIRCLE: tsr__path_circle(memory, path, x, y, r); return;
    case TSR_PLOT_CROSS:
      for (int i = -1; i <= 1; i += 2) {
        tsr__path_move(memory, path, x - arm, y - i * arm);
        tsr__path_line(memory, path, x + arm, y + i * arm);
      }
      return;
    default: break;
  }
  const int n = marker == TSR_PLOT_TRIANGLE ? 3 : 4;
  for (int i = 0; i < n; i++) {
    const double px = x + corners[i][0] * r, py = y + corners[i][1] * r;
    if (i == 0) tsr__path_move(memory, path, px, py);
    if (i > 0) tsr__path_line(memory, path, px, py);
  }
  tsr__path_close(memory, path);
}

const double *tsr__list_dashes(int dash, int *count) {
  static const double dashed[] = {4, 3}, dotted[] = {0.01, 2.2};
  *count = dash == TSR_PLOT_SOLID ? 0 : 2;
  return dash == TSR_PLOT_DASHED ? dashed : dash == TSR_PLOT_DOTTED ? dotted : NULL;
}

#endif
