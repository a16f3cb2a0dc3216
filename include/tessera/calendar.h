/** @file calendar.h
 *  Dates and times as whole numbers since 1970-01-01, and as text. */
#ifndef TESSERA_CALENDAR_H
#define TESSERA_CALENDAR_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** What a whole number of time counts. */
typedef enum tsr_time_unit {
  TSR_UNIT_NONE = 0, /**< it is no time */
  TSR_UNIT_DAY = 1,
  TSR_UNIT_SECOND = 2,
  TSR_UNIT_MILLISECOND = 3,
  TSR_UNIT_MICROSECOND = 4,
  TSR_UNIT_NANOSECOND = 5
} tsr_time_unit;

/** The value of a date or time that is missing, as NumPy's NaT. */
#define TSR_NO_TIME INT64_MIN

/** Bytes that the text of any time fits, with its closing zero. */
#define TSR_TIME_TEXT 48

/** How a time is written. */
typedef enum tsr_time_style {
  TSR_TIME_DATETIME = 0,     /**< 2024-01-31T12:30:05.25; a fraction where there is one */
  TSR_TIME_DATETIME_UTC = 1, /**< the same with Z behind it */
  TSR_TIME_DATE = 2,         /**< 2024-01-31 */
  TSR_TIME_OF_DAY = 3        /**< 12:30:05.25: value counts from midnight */
} tsr_time_style;

/** A time taken apart, in the Gregorian calendar of any year (0 is the year before 1). */
typedef struct tsr_civil {
  int64_t year;
  int month;      /**< 1 ... 12 */
  int day;        /**< 1 ... 31 */
  int hour;       /**< 0 ... 23 */
  int minute;     /**< 0 ... 59 */
  int second;     /**< 0 ... 59: leap seconds are not counted */
  int nanosecond; /**< 0 ... 999,999,999 */
  int weekday;    /**< 0: Monday; only read, tsr_time_from_civil takes no notice of it */
} tsr_civil;

/** How many of a unit a second has, in a day 86,400 of them; 0 for TSR_UNIT_DAY and what is no unit. */
TSR_API int64_t tsr_time_per_second(int unit);

/** "D", "s", "ms", "us", "ns", as NumPy has them; "" for what is no unit. */
TSR_API const char *tsr_time_unit_name(int unit);

/** A time since 1970-01-01T00:00 taken apart. False, and *out is untouched, for TSR_NO_TIME and what is no unit. */
TSR_API bool tsr_time_to_civil(int64_t value, int unit, tsr_civil *out);

/** The other way; what is finer than unit is cut off. False for a date that there is not, and where it does not fit. */
TSR_API bool tsr_time_from_civil(const tsr_civil *civil, int unit, int64_t *value);

/** Writes a time as text, closed by a zero, and returns its length; 0 and "" for TSR_NO_TIME. style is one of
 *  tsr_time_style. */
TSR_API size_t tsr_time_format(int64_t value, int unit, int style, char text[TSR_TIME_TEXT]);

/** Reads ISO 8601: 2024-01-31, also with / between; 2024-01-31T12:30, with T or a space, with seconds, a fraction after
 *  a point or comma, and Z, +01:00, +0100 or +01 behind it; 12:30:05 alone. An offset is taken off: the value is UTC,
 *  and *style TSR_TIME_DATETIME_UTC. *style (may be NULL) says which form it had. unit is that of the value; a time
 *  finer than it is rounded down. False, and the outputs are untouched, where it is none of these or does not fit. */
TSR_API bool tsr_time_parse(const char *text, size_t length, int unit, int64_t *value, int *style);
#endif

#ifdef __cplusplus
}
#endif

#endif
