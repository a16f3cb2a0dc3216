/* Histograms. Tails that are far longer than the rest would leave one bar: then the axis ends at quantiles, and what is beyond is in a bar
 * at the edge, which looks otherwise and is told of below. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <stdlib.h>

#include "core/text.h"

/* ---- quantiles ---- */

/* Some of the numbers, at even distances: all where there are few. */
enum { SAMPLE = 1 << 16 };
typedef struct sampling {
  tsr__plot_seen *seen;
  double *values;
  int64_t every, at;
  size_t count;
  bool log, whole;
} sampling;

static void sample_values(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  sampling *const s = user;
  (void)x, (void)color;
  for (tsr_index i = 0; i < n; i++, s->at++) {
    if (!isfinite(y[i])) continue;
    if (s->log && y[i] <= 0) {
      s->seen->left_out++;
      continue;
    }
    s->seen->drawn++;
    s->whole = s->whole && y[i] == floor(y[i]);
    tsr__range_add(&s->seen->x, y[i]);
    if (s->at % s->every == 0 && s->count < SAMPLE) s->values[s->count++] = y[i];
  }
  s->seen->count += n;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double quantile(const sampling *s, double part) {
  return s->values[(size_t)(part * (double)(s->count - 1) + 0.5)];
}

/* ---- ends and bins ---- */

/* A tail is heavy where it is longer than everything else from quantile to quantile. */
static void choose_ends(const sampling *s, const tsr_plot_style *style, tsr__plot_hist *h) {
  enum { FEW = 50 };
  h->min = s->seen->x.min;
  h->max = s->seen->x.max;
  if (style->min < style->max && (!s->log || style->min > 0)) {
    h->min = style->min;
    h->max = style->max;
  } else if (s->count >= FEW && !s->log) {
    const double low = quantile(s, 0.01), high = quantile(s, 0.99), span = high - low;
    const double inner = quantile(s, 0.9) - quantile(s, 0.1);
    if (span > 0 && low - h->min > 1.5 * span)
      h->min = inner > 0 ? fmax(low - 0.3 * span, quantile(s, 0.1) - 4 * inner) : low;
    if (span > 0 && h->max - high > 1.5 * span)
      h->max = inner > 0 ? fmin(high + 0.3 * span, quantile(s, 0.9) + 4 * inner) : high;
  }
  if (h->min < h->max) return;
  const double air = fmax(fabs(h->min) * 0.05, 0.5); /* all numbers are one */
  h->min -= s->log ? h->min / 2 : air;
  h->max += s->log ? h->max : air;
}

/* Freedman and Diaconis' width, between 12 and 80 bars; integers that are few have one each. */
static int choose_bins(const sampling *s, const tsr_plot_style *style, tsr__plot_hist *h) {
  enum { LEAST = 12, MOST = 80 };
  const bool given = style->min < style->max && (!s->log || style->min > 0);
  if (style->bins > 0) return style->bins;
  if (s->whole && !s->log && !given && h->max - h->min < MOST) {
    h->min = ceil(h->min) - 0.5;
    h->max = floor(h->max) + 0.5;
    return (int)(h->max - h->min + 0.5);
  }
  if (s->count < 2) return LEAST;
  double spread = quantile(s, 0.75) - quantile(s, 0.25), span = h->max - h->min;
  if (s->log) {
    spread = log10(quantile(s, 0.75)) - log10(quantile(s, 0.25));
    span = log10(h->max) - log10(h->min);
  }
  const double width = 2 * spread / cbrt((double)s->seen->drawn);
  const double bins = width > 0 ? span / width : MOST / 2;
  return bins < LEAST ? LEAST : bins > MOST ? MOST : (int)(bins + 0.5);
}

/* ---- counting ---- */

typedef struct counting {
  tsr__plot_hist *h;
  int64_t *counts;
  double from, span;
  bool log;
} counting;

static void count_values(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  const counting *const c = user;
  tsr__plot_hist *const h = c->h;
  (void)x, (void)color;
  for (tsr_index i = 0; i < n; i++) {
    if (!isfinite(y[i]) || (c->log && y[i] <= 0)) continue;
    if (y[i] < h->min) {
      h->below++;
    } else if (y[i] > h->max) {
      h->above++;
    } else {
      const double at = ((c->log ? log10(y[i]) : y[i]) - c->from) / c->span * h->bins;
      c->counts[at >= h->bins ? h->bins - 1 : at > 0 ? (int)at : 0]++;
    }
  }
}

static void tell_tails(tsr__plot_frame *f, const tsr__plot_seen *seen) {
  const tsr__plot_hist *const h = &seen->hist;
  char count[TSR__PLOT_LABEL], end[TSR__PLOT_LABEL], last_one[TSR__PLOT_LABEL], note[160];
  for (int side = 0; side < 2; side++) {
    const int64_t beyond = side == 0 ? h->below : h->above;
    tsr__text text;
    if (beyond == 0) continue;
    tsr__count_text(beyond, count);
    tsr__real_text(side == 0 ? h->min : h->max, end);
    tsr__real_text(side == 0 ? seen->x.min : seen->x.max, last_one);
    tsr__text_init(&text, note, sizeof note);
    tsr__text_format(&text, "%s %s %s, %s to %s: in the bar at the edge", count, side == 0 ? "below" : "above", end,
                     side == 0 ? "down" : "up", last_one);
    tsr__frame_note(f, note);
  }
}

tsr_status tsr__hist_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  tsr__plot_seen *const seen = &f->seen[i];
  const tsr__plot_series *const series = &f->series[i];
  tsr__plot_hist *const h = &seen->hist;
  tsr__plot_array sample = {0};
  sampling s = {.seen = seen, .log = f->panel->axes.x_log, .whole = true};
  s.every = tsr_size(&series->y) / SAMPLE + 1;
  s.values = tsr__plot_push(&d->list.memory, &sample, sizeof(double), SAMPLE);
  if (s.values == NULL) return TSR_OK; /* told at the end */
  tsr_status st = tsr__elements_visit(d, &series->y, sample_values, &s);
  qsort(s.values, s.count, sizeof(double), by_value);
  if (s.count > 0) {
    choose_ends(&s, &series->style, h);
    h->bins = choose_bins(&s, &series->style, h);
  }
  tsr__plot_array_release(&d->list.memory, &sample, sizeof(double));
  if (st != TSR_OK || s.count == 0) return st;
  int64_t *const counts = tsr__plot_push(&d->list.memory, &h->counts, sizeof *counts, (size_t)h->bins);
  if (counts == NULL) return TSR_OK;
  counting c = {.h = h, .counts = counts, .log = s.log, .from = s.log ? log10(h->min) : h->min};
  c.span = (s.log ? log10(h->max) : h->max) - c.from;
  st = tsr__elements_visit(d, &series->y, count_values, &c);
  h->most = h->below > h->above ? h->below : h->above;
  for (int k = 0; k < h->bins; k++) h->most = counts[k] > h->most ? counts[k] : h->most;
  tell_tails(f, seen);
  seen->x = (tsr__plot_range){h->min, h->max};
  const double edge = (h->max - h->min) / h->bins;
  if (h->below > 0) seen->x.min -= edge;
  if (h->above > 0) seen->x.max += edge;
  seen->y = (tsr__plot_range){f->panel->axes.y_log ? 0.8 : 0, (double)h->most};
  return st;
}

/* ---- bars ---- */

static void put_bar(tsr__plot_draw *d, const tsr__plot_frame *f, double from, double to, int64_t count) {
  const double left = tsr__frame_x(f, from), right = tsr__frame_x(f, to);
  const double base = tsr__frame_y(f, f->ys.min), top = tsr__frame_y(f, (double)count);
  const double gap = right - left > 5 ? 1 : 0;
  if (count == 0 || isnan(left) || isnan(right) || isnan(top) || fabs(left) > 1e6 || fabs(right) > 1e6) return;
  /* What is there can be seen. */
  tsr__path_rect(&d->list.memory, &d->list.path, left, fmin(top, base - 1), right - left - gap,
                 fmin(fmax(base - top, 1), 1e6));
}

tsr_status tsr__hist_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const tsr__plot_hist *const h = &f->seen[i].hist;
  const uint32_t paint = f->seen[i].paint, edge = tsr__color_between(paint, d->theme->paper, 0.5);
  const double step = h->bins > 0 ? (h->max - h->min) / h->bins : 0;
  const int64_t *const counts = h->counts.data;
  tsr__plot_begun from = tsr__list_begin(&d->list);
  for (int k = 0; k < h->bins && counts != NULL; k++) {
    double a = h->min + k * step, b = h->min + (k + 1) * step;
    if (f->xs.log) {
      const double low = log10(h->min), part = (log10(h->max) - low) / h->bins;
      a = pow(10, low + k * part);
      b = pow(10, low + (k + 1) * part);
    }
    put_bar(d, f, a, b, counts[k]);
  }
  tsr__list_fill(&d->list, from, TSR__PLOT_SNAP, paint);
  from = tsr__list_begin(&d->list);
  put_bar(d, f, h->min - step, h->min, h->below);
  put_bar(d, f, h->max, h->max + step, h->above);
  tsr__list_fill(&d->list, from, TSR__PLOT_SNAP, edge);
  return TSR_OK;
}

#endif
