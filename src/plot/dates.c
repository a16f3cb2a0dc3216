/* Ticks of a time axis, in UTC: seconds, minutes, hours, days, months, years. */
#include "plot/ticks.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "core/text.h"
#include "plot/font.h"

/* ---- the calendar ---- */

enum { DAY = 86400 };

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* The times of an axis are within 300,000 years, which both always take. */
static tsr_civil civil_of(int64_t seconds) {
  tsr_civil civil = {.month = 1, .day = 1};
  (void)tsr_time_to_civil(seconds, TSR_UNIT_SECOND, &civil);
  return civil;
}

static int64_t seconds_of(int64_t year, int month) {
  int64_t seconds = 0;
  (void)tsr_time_from_civil(&(tsr_civil){.year = year, .month = month, .day = 1}, TSR_UNIT_SECOND, &seconds);
  return seconds;
}

static double seconds_in(int time) {
  static const double in[] = {1, DAY, 1, 1e-3, 1e-6, 1e-9};
  return in[time];
}

double tsr__axis_seconds(int time, double value) { return value * seconds_in(time); }
double tsr__axis_value(int time, double seconds) { return seconds / seconds_in(time); }

/* ---- steps ---- */

typedef enum calendar_unit { SECONDS, MINUTES, DAYS, MONTHS, YEARS } calendar_unit;

typedef struct date_step {
  calendar_unit unit; /* what is said; the hours with the minutes */
  int count;          /* of seconds, days, months, years */
} date_step;

static const date_step steps[] = {
    {SECONDS, 1},    {SECONDS, 2},    {SECONDS, 5},     {SECONDS, 10},    {SECONDS, 15},    {SECONDS, 30},
    {MINUTES, 60},   {MINUTES, 120},  {MINUTES, 300},   {MINUTES, 600},   {MINUTES, 900},   {MINUTES, 1800},
    {MINUTES, 3600}, {MINUTES, 7200}, {MINUTES, 10800}, {MINUTES, 21600}, {MINUTES, 43200}, {DAYS, 1},
    {DAYS, 2},       {DAYS, 7},       {DAYS, 14},       {MONTHS, 1},      {MONTHS, 2},      {MONTHS, 3},
    {MONTHS, 6},     {YEARS, 1},      {YEARS, 2},       {YEARS, 5},       {YEARS, 10},      {YEARS, 20},
    {YEARS, 50},     {YEARS, 100},    {YEARS, 200},     {YEARS, 500},     {YEARS, 1000},    {YEARS, 2000},
    {YEARS, 5000},   {YEARS, 10000},  {YEARS, 50000}};

/* About how long a step is, in seconds. */
static double length_of(date_step s) {
  static const double unit[] = {1, 1, DAY, 30.44 * DAY, 365.25 * DAY};
  return unit[s.unit] * s.count;
}

/* The last tick that is not after t; number of ticks from there on: k = 0, 1, …. */
static int64_t tick_at(date_step s, int64_t t, int64_t k) {
  enum { MONDAY = 4 * DAY }; /* 1970-01-05 */
  const tsr_civil d = civil_of(t);
  switch (s.unit) {
    case SECONDS:
    case MINUTES: return (floor_div(t, s.count) + k) * s.count;
    case DAYS:
      if (s.count >= 7) return MONDAY + (floor_div(t - MONDAY, (int64_t)DAY * s.count) + k) * DAY * s.count;
      return (floor_div(t, (int64_t)DAY * s.count) + k) * DAY * s.count;
    case MONTHS: {
      const int64_t months = (floor_div(12 * d.year + d.month - 1, s.count) + k) * s.count;
      return seconds_of(floor_div(months, 12), (int)(months - 12 * floor_div(months, 12)) + 1);
    }
    default: return seconds_of((floor_div(d.year, s.count) + k) * s.count, 1);
  }
}

/* ---- labels ---- */

static void put_two(tsr__text *text, int value) {
  tsr__text_char(text, (char)('0' + value / 10));
  tsr__text_char(text, (char)('0' + value % 10));
}

static void put_month(tsr__text *text, int month) {
  static const char *const names[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  tsr__text_string(text, names[month - 1]);
}

static void label_date(calendar_unit unit, int64_t t, tsr__plot_tick *tick) {
  const tsr_civil d = civil_of(t);
  tsr__text label, below;
  tsr__text_init(&label, tick->label, sizeof tick->label);
  tsr__text_init(&below, tick->below, sizeof tick->below);
  if (unit <= MINUTES) {
    put_two(&label, d.hour);
    tsr__text_char(&label, ':');
    put_two(&label, d.minute);
    if (unit == SECONDS) tsr__text_char(&label, ':'), put_two(&label, d.second);
    tsr__text_i64(&below, d.day);
    tsr__text_char(&below, ' ');
    put_month(&below, d.month);
    tsr__text_char(&below, ' ');
  }
  if (unit == DAYS) tsr__text_i64(&label, d.day), tsr__text_char(&label, ' ');
  if (unit == DAYS || unit == MONTHS) put_month(&label, d.month);
  tsr__text_i64(unit == YEARS ? &label : &below, d.year);
}

/* The second line is said where it changes. */
static void drop_repeats(tsr__plot_ticks *t) {
  char last[sizeof t->tick[0].below] = "";
  t->two_lines = false;
  for (int i = 0; i < t->count; i++) {
    char *const below = t->tick[i].below;
    bool same = true;
    for (size_t k = 0; k < sizeof last; k++) {
      same = same && below[k] == last[k];
      last[k] = below[k];
      if (below[k] == '\0') break;
    }
    if (same) below[0] = '\0';
    t->two_lines = t->two_lines || below[0] != '\0';
  }
}

/* ---- all of it ---- */

static bool put_dates(const tsr__plot_scale *scale, date_step step, double from, double to, tsr__plot_ticks *t) {
  const int64_t start = (int64_t)floor(from);
  t->count = 0;
  for (int64_t k = 0;; k++) {
    const int64_t at = tick_at(step, start, k);
    if ((double)at > to) break;
    if ((double)at < from) continue;
    if (t->count == TSR__PLOT_TICKS) return false;
    tsr__plot_tick *const tick = &t->tick[t->count++];
    tick->at = tsr__axis_value(scale->time, (double)at);
    label_date(step.unit, at, tick);
  }
  return true;
}

static bool dates_fit(const tsr__plot_scale *scale, const tsr__plot_room *room, const tsr__plot_ticks *t) {
  const double size = room->text_size;
  enum { MOST = 13 };
  double widest = 0, closest = (double)INFINITY;
  if (t->count > MOST) return false;
  for (int i = 0; i < t->count; i++) {
    widest = fmax(widest, tsr__font_width(t->tick[i].label, size, false));
    if (i == 0) continue;
    if (t->tick[i].below[0] != '\0' && t->tick[i - 1].below[0] != '\0')
      widest = fmax(widest, tsr__font_width(t->tick[i].below, size, false));
    closest = fmin(closest, tsr__scale_place(scale, t->tick[i].at) - tsr__scale_place(scale, t->tick[i - 1].at));
  }
  if (room->upright) return closest * room->length >= 2.1 * size;
  return closest * room->length >= fmax(widest + 1.3 * size, 3.2 * size);
}

static void numbers_instead(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *t) {
  tsr__plot_scale plain = *scale;
  plain.time = TSR_UNIT_NONE;
  tsr__ticks_choose(&plain, room, t);
}

void tsr__ticks_dates(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *ticks) {
  const double from = tsr__axis_seconds(scale->time, scale->min), to = tsr__axis_seconds(scale->time, scale->max);
  const double most = 1e13; /* 300,000 years: beyond, and within a few seconds, they are numbers */
  ticks->two_lines = false;
  ticks->minors = 0;
  if (!(from > -most && to < most && to - from >= 2)) {
    numbers_instead(scale, room, ticks);
    return;
  }
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    if ((to - from) / length_of(steps[i]) > TSR__PLOT_TICKS + 1) continue;
    if (!put_dates(scale, steps[i], from, to, ticks)) continue;
    drop_repeats(ticks);
    if (dates_fit(scale, room, ticks)) return;
  }
  ticks->count = 0;
}

#endif
