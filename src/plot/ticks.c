/* Ticks of numbers, even and logarithmic. */
#include "plot/ticks.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "core/text.h"
#include "plot/font.h"

double tsr__scale_place(const tsr__plot_scale *scale, double value) {
  double at = (double)NAN;
  if (!scale->log)
    at = value / 2 / (scale->max / 2 - scale->min / 2) - scale->min / 2 / (scale->max / 2 - scale->min / 2);
  else if (value > 0)
    at = (log10(value) - log10(scale->min)) / (log10(scale->max) - log10(scale->min));
  if (!isfinite(value)) return (double)NAN;
  return scale->inverted ? 1 - at : at;
}

double tsr__ticks_widest(const tsr__plot_ticks *ticks, double text_size) {
  double most = 0;
  for (int i = 0; i < ticks->count; i++) {
    most = fmax(most, tsr__font_width(ticks->tick[i].label, text_size, false));
    most = fmax(most, tsr__font_width(ticks->tick[i].below, text_size, false));
  }
  return most;
}

/* Whether neighbours are far enough apart; tight: they only do not touch. */
static bool fits_in(const tsr__plot_scale *scale, const tsr__plot_room *room, const tsr__plot_ticks *t, bool tight) {
  enum { MOST = 13 };
  const double size = room->text_size;
  if (t->count > MOST) return false;
  for (int i = 1; i < t->count; i++) {
    const tsr__plot_tick *const a = &t->tick[i - 1], *const b = &t->tick[i];
    const double apart = fabs(tsr__scale_place(scale, b->at) - tsr__scale_place(scale, a->at)) * room->length;
    const double half = (tsr__font_width(a->label, size, false) + tsr__font_width(b->label, size, false)) / 2;
    const double beside = tight ? half + 0.6 * size : fmax(half + 1.3 * size, 3.2 * size);
    if (apart < (room->upright ? (tight ? 1.5 : 2.5) * size : beside)) return false;
  }
  return true;
}

static bool fits(const tsr__plot_scale *scale, const tsr__plot_room *room, const tsr__plot_ticks *t) {
  return fits_in(scale, room, t, false);
}

/* ---- even ticks ---- */

typedef struct tick_step {
  int factor, power; /* factor·10^power */
} tick_step;

static double ten_to(int power) { return power < -300 ? pow(10, power + 300) * 1e-300 : pow(10, power); }

/* value·10^power, correctly rounded where the power is small. */
static double decimal(double value, int power) {
  return power < 0 && power >= -22 ? value / pow(10, -power) : value * ten_to(power);
}

static bool put_even(const tsr__plot_scale *scale, tick_step step, tsr__plot_ticks *t) {
  const double size = decimal(step.factor, step.power);
  const double first = ceil(scale->min / size - 1e-9), last = floor(scale->max / size + 1e-9);
  if (!(fabs(first) < 1e15 && fabs(last) < 1e15) || last - first + 1 > TSR__PLOT_TICKS) return false;
  const double most = fmax(fabs(first), fabs(last)) * size;
  t->count = 0;
  for (double i = first; i <= last; i++) {
    tsr__plot_tick *const tick = &t->tick[t->count++];
    tick->at = decimal(i * step.factor, step.power);
    tick->below[0] = '\0';
    tsr__number_text((int64_t)i * step.factor, step.power, most, tick->label);
  }
  return true;
}

static void put_minors(const tsr__plot_scale *scale, const tsr__plot_room *room, tick_step step, tsr__plot_ticks *t) {
  enum { APART = 5 /* points */ };
  const int parts = step.factor == 2 ? 4 : 5;
  const double size = decimal(step.factor, step.power) / parts;
  const double first = ceil(scale->min / size - 1e-9), last = floor(scale->max / size + 1e-9);
  t->minors = 0;
  if (size / (scale->max - scale->min) * room->length < APART || (scale->whole && size < 1)) return;
  if (!(last - first < TSR__PLOT_MINORS)) return;
  for (double i = first; i <= last; i++)
    if (fmod(i, parts) != 0) t->minor[t->minors++] = i * size;
}

static void choose_even(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *t) {
  static const int factors[3] = {1, 2, 5};
  enum { FEW = 3, STEPS = 15 };
  const double span = scale->max / 2 - scale->min / 2; /* half of it: it always fits */
  const int power = (int)floor(log10(span > 0 ? span : 1)) - 2;
  for (int i = 0; i < 2 * STEPS; i++) { /* in the second round whatever does not touch */
    const tick_step step = {factors[i % 3], power + i % STEPS / 3};
    if ((scale->whole && step.power < 0) || !put_even(scale, step, t)) continue;
    put_minors(scale, room, step, t);
    if (fits_in(scale, room, t, i >= STEPS) && (i >= STEPS || t->count >= FEW)) return;
  }
  t->count = t->minors = 0;
}

/* ---- logarithmic ticks ---- */

static void put_power(const tsr__plot_scale *scale, int factor, int power, tsr__plot_ticks *t) {
  const double at = decimal(factor, power);
  if (at < scale->min * (1 - 1e-12) || at > scale->max * (1 + 1e-12) || t->count == TSR__PLOT_TICKS) return;
  tsr__plot_tick *const tick = &t->tick[t->count++];
  tick->at = at;
  tick->below[0] = '\0';
  if (scale->min >= 0.9e-4 && scale->max <= 1.1e7)
    tsr__number_text(factor, power, at, tick->label);
  else
    tsr__power_text(factor, power, tick->label);
}

static void put_log_minors(const tsr__plot_scale *scale, int first, int last, tsr__plot_ticks *t) {
  t->minors = 0;
  for (int power = first; power <= last; power++)
    for (int factor = 2; factor < 10; factor++) {
      const double at = decimal(factor, power);
      if (at > scale->min && at < scale->max && t->minors < TSR__PLOT_MINORS) t->minor[t->minors++] = at;
    }
}

/* 1, 2 and 5 of each power, powers, or each so many of them: the first that fit and are two at least. */
static void choose_log(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *t) {
  const int first = (int)floor(log10(scale->min) - 1e-9), last = (int)ceil(log10(scale->max) + 1e-9);
  if (last - first <= 3) {
    t->count = 0;
    for (int power = first; power <= last; power++)
      for (int factor = 1; factor <= 5; factor += factor == 1 ? 1 : 3) put_power(scale, factor, power, t);
    if (t->count >= 3 && fits(scale, room, t)) {
      put_log_minors(scale, first, last, t);
      return;
    }
  }
  for (int every = 1; every <= 400; every++) {
    t->count = 0;
    for (int power = first; power <= last; power++)
      if (power % every == 0) put_power(scale, 1, power, t);
    if (t->count < 2) break;
    if (last - first >= every * TSR__PLOT_TICKS || !fits(scale, room, t)) continue;
    t->minors = 0;
    if (every == 1 && room->length / (last - first) > 24) put_log_minors(scale, first, last, t);
    return;
  }
  choose_even(scale, room, t); /* less than a power: as they are between even ticks */
}

void tsr__ticks_choose(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *ticks) {
  ticks->two_lines = false;
  ticks->minors = 0;
  if (scale->time != TSR_UNIT_NONE)
    tsr__ticks_dates(scale, room, ticks);
  else if (scale->log)
    choose_log(scale, room, ticks);
  else
    choose_even(scale, room, ticks);
}

#endif
