/* Legends. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "plot/font.h"

enum { SAMPLE_WIDTH = 22, PAD = 7 };

static bool is_named(const tsr__plot_series *s) { return s->style.label != NULL && s->style.label[0] != '\0'; }

void tsr__legend_measure(const tsr__plot_draw *d, tsr__plot_frame *f) {
  double widest = 0;
  int rows = 0;
  for (size_t i = 0; i < f->panel->count; i++) {
    if (!is_named(&f->series[i]) || f->series[i].kind >= TSR__SERIES_HEAT) continue;
    widest = fmax(widest, tsr__font_width(f->series[i].style.label, d->size, false));
    rows++;
  }
  f->legend_width = rows > 0 ? 2 * PAD + SAMPLE_WIDTH + PAD + widest : 0;
  f->legend_height = rows > 0 ? 2 * PAD + rows * 1.5 * d->size - 0.5 * d->size : 0;
  if (rows == 0) f->legend = TSR_PLOT_LEGEND_NONE;
}

static void put_sample(tsr__plot_draw *d, const tsr__plot_series *s, const tsr__plot_seen *seen, double x, double y) {
  tsr__plot_list *const list = &d->list;
  tsr__plot_begun from = tsr__list_begin(list);
  if (s->kind == TSR__SERIES_BARS || s->kind == TSR__SERIES_HIST) {
    tsr__list_rect(list, x + SAMPLE_WIDTH / 2.0 - 5, y - 5, 10, 10, TSR__PLOT_SNAP, seen->paint);
    return;
  }
  if (s->kind == TSR__SERIES_LINE) {
    tsr__path_move(&list->memory, &list->path, x + 1, y);
    tsr__path_line(&list->memory, &list->path, x + SAMPLE_WIDTH - 1, y);
    tsr__list_stroke(list, from, TSR__PLOT_ROUND, s->style.dash, s->style.width > 0 ? s->style.width : 1.8,
                     seen->paint);
    if (s->style.marker == TSR_PLOT_NO_MARKER) return;
  }
  from = tsr__list_begin(list);
  tsr__path_move(&list->memory, &list->path, x + SAMPLE_WIDTH / 2.0, y);
  const int marker = s->style.marker != TSR_PLOT_NO_MARKER ? s->style.marker : TSR_PLOT_CIRCLE;
  tsr__list_markers(list, from, marker, 6, seen->paint, SIZE_MAX);
}

void tsr__legend_draw(tsr__plot_draw *d, tsr__plot_frame *f, int corner) {
  enum { FROM_EDGE = 6 };
  const bool left = corner == TSR_PLOT_LEGEND_TOP_LEFT || corner == TSR_PLOT_LEGEND_BOTTOM_LEFT;
  const bool low = corner == TSR_PLOT_LEGEND_BOTTOM_LEFT || corner == TSR_PLOT_LEGEND_BOTTOM_RIGHT;
  double x = left ? f->x + FROM_EDGE : f->x + f->width - f->legend_width - FROM_EDGE;
  double y = low ? f->y + f->height - f->legend_height - FROM_EDGE : f->y + FROM_EDGE;
  if (corner == TSR_PLOT_LEGEND_RIGHT) {
    x = f->x + f->width + f->right - f->legend_width - 6;
    y = f->y - PAD;
  } else {
    tsr__list_rect(&d->list, x, y, f->legend_width, f->legend_height, TSR__PLOT_SNAP, d->theme->legend);
    tsr__list_frame(&d->list, x, y, f->legend_width, f->legend_height, 1, d->theme->grid);
  }
  y += PAD + d->size / 2;
  for (size_t i = 0; i < f->panel->count; i++) {
    const tsr__plot_series *const s = &f->series[i];
    if (!is_named(s) || s->kind >= TSR__SERIES_HEAT) continue;
    put_sample(d, s, &f->seen[i], x + PAD, y);
    tsr__list_text(&d->list, &(tsr__plot_label){.text = s->style.label,
                                                .x = x + 2 * PAD + SAMPLE_WIDTH,
                                                .y = y + d->size * TSR__FONT_CAPITAL / 2,
                                                .size = d->size,
                                                .color = d->theme->label});
    y += 1.5 * d->size;
  }
}

#endif
