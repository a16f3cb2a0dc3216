/* Where numbers stand along an axis, and what they say. */
#ifndef TSR_PLOT_TICKS_H
#define TSR_PLOT_TICKS_H

#include <tessera/plot.h>

#if TSR_HAVE_PLOT

/* What an axis goes from and to, in the units of the data. */
typedef struct tsr__plot_scale {
  double min, max;           /* finite, min < max; both positive where log */
  bool log, whole, inverted; /* whole: no ticks between integers */
  int time;                  /* TSR_UNIT_DAY … */
} tsr__plot_scale;

/* Where a number is on it: 0 at min, 1 at max. Not finite, or not positive where it has to be: NaN. */
double tsr__scale_place(const tsr__plot_scale *scale, double value);

/* How an axis is to be labelled. */
typedef struct tsr__plot_room {
  double length; /* points of the axis */
  double text_size;
  bool upright; /* labels are one above the other */
} tsr__plot_room;

enum { TSR__PLOT_TICKS = 48, TSR__PLOT_MINORS = 400, TSR__PLOT_LABEL = 40 };

typedef struct tsr__plot_tick {
  double at;
  char label[TSR__PLOT_LABEL];
  char below[16]; /* the second line of dates: the day or the year, where it is another than that of the tick before */
} tsr__plot_tick;

typedef struct tsr__plot_ticks {
  tsr__plot_tick tick[TSR__PLOT_TICKS];
  double minor[TSR__PLOT_MINORS];
  int count, minors;
  bool two_lines;
} tsr__plot_ticks;

/* As many as stand beside each other without touching. */
void tsr__ticks_choose(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *ticks);

/* The width of the widest label. */
double tsr__ticks_widest(const tsr__plot_ticks *ticks, double text_size);

/* ---- numbers as text ---- */

/* value·10^exponent as text: "50k", "0.25", "1.5×10⁻⁷". most is the largest magnitude among those that stand together, in the same unit;
 * it chooses the form. */
void tsr__number_text(int64_t value, int exponent, double most, char text[TSR__PLOT_LABEL]);

/* factor·10^power: "10⁵", "2×10⁵". */
void tsr__power_text(int factor, int power, char text[TSR__PLOT_LABEL]);

/* A number alone, with three significant digits at the most; and a count with thousands separated. */
void tsr__real_text(double value, char text[TSR__PLOT_LABEL]);
void tsr__count_text(int64_t count, char text[TSR__PLOT_LABEL]);

/* ---- dates ---- */

/* Seconds of a number of a time axis. */
double tsr__axis_seconds(int time, double value);
double tsr__axis_value(int time, double seconds);

void tsr__ticks_dates(const tsr__plot_scale *scale, const tsr__plot_room *room, tsr__plot_ticks *ticks);

#endif

#endif
