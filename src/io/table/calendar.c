/* Dates and times: the Gregorian calendar, in both directions. */
#include "io/table/calendar.h"

#if TSR_HAVE_STDIO

#include "core/text.h"

#include <string.h>

enum { DAY_SECONDS = 86400, ERA_DAYS = 146097, NANOSECONDS = 1000000000 };
#define EPOCH_DAYS ((int64_t)719468) /* from 0000-03-01 to 1970-01-01 */
#define LAST_YEAR ((int64_t)1000000000)

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* ---- days ---- */

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_of_month(int64_t year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && is_leap(year));
}

/* Years begin in March here, so that the day that comes and goes is the last one of a year; eras of 400 years are all
 * as long. */
static int64_t days_of(int64_t year, int month, int day) {
  const int64_t shifted = year - (month <= 2), era = floor_div(shifted, 400), of_era = shifted - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH_DAYS;
}

static void date_of(int64_t days, tsr_civil *out) {
  const int64_t shifted = days + EPOCH_DAYS, era = floor_div(shifted, ERA_DAYS), of_era = shifted - era * ERA_DAYS;
  const int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int64_t of_year = of_era - (365 * years + years / 4 - years / 100), month = (5 * of_year + 2) / 153;
  out->day = (int)(of_year - (153 * month + 2) / 5 + 1);
  out->month = (int)(month < 10 ? month + 3 : month - 9);
  out->year = years + era * 400 + (out->month <= 2);
  out->weekday = (int)(((days + 3) % 7 + 7) % 7);
}

/* ---- units ---- */

int64_t tsr_time_per_second(int unit) {
  static const int64_t many[] = {0, 0, 1, 1000, 1000000, NANOSECONDS};
  return unit >= TSR_UNIT_SECOND && unit <= TSR_UNIT_NANOSECOND ? many[unit] : 0;
}

const char *tsr_time_unit_name(int unit) {
  static const char *const names[] = {"", "D", "s", "ms", "us", "ns"};
  return unit >= TSR_UNIT_DAY && unit <= TSR_UNIT_NANOSECOND ? names[unit] : "";
}

bool tsr_time_to_civil(int64_t value, int unit, tsr_civil *out) {
  const int64_t per = tsr_time_per_second(unit);
  if (value == TSR_NO_TIME || out == NULL || (per == 0 && unit != TSR_UNIT_DAY)) return false;
  if (unit == TSR_UNIT_DAY && (value > LAST_YEAR * 365 || value < -LAST_YEAR * 365)) return false;
  const int64_t seconds = per > 0 ? floor_div(value, per) : 0;
  const int64_t days = per > 0 ? floor_div(seconds, DAY_SECONDS) : value;
  if (days > LAST_YEAR * 365 || days < -LAST_YEAR * 365) return false;
  const int of_day = per > 0 ? (int)(seconds - days * DAY_SECONDS) : 0;
  date_of(days, out);
  out->hour = of_day / 3600;
  out->minute = of_day / 60 % 60;
  out->second = of_day % 60;
  out->nanosecond = per > 0 ? (int)((value - seconds * per) * (NANOSECONDS / per)) : 0;
  return true;
}

bool tsr__time_value(const tsr__time *time, int unit, int64_t *value) {
  const int64_t per = tsr_time_per_second(unit);
  if (unit == TSR_UNIT_DAY) {
    *value = (time->date ? time->days : 0) + floor_div(time->second, DAY_SECONDS);
    return true;
  }
  int64_t result;
  if (per == 0 || __builtin_mul_overflow(time->date ? time->days : 0, DAY_SECONDS, &result)) return false;
  if (__builtin_add_overflow(result, time->second, &result)) return false;
  /* The first representable second may begin before what an i64 counts: a second later, minus what is missing. */
  const int64_t fraction = time->nanosecond / (NANOSECONDS / per);
  const bool early = result < 0 && fraction > 0;
  if (__builtin_mul_overflow(result + early, per, &result)) return false;
  if (__builtin_add_overflow(result, early ? fraction - per : fraction, &result)) return false;
  if (result == TSR_NO_TIME) return false;
  *value = result;
  return true;
}

bool tsr_time_from_civil(const tsr_civil *civil, int unit, int64_t *value) {
  if (civil == NULL || value == NULL || civil->year > LAST_YEAR || civil->year < -LAST_YEAR) return false;
  if (civil->month < 1 || civil->month > 12 || civil->day < 1) return false;
  if (civil->day > days_of_month(civil->year, civil->month)) return false;
  if (civil->hour < 0 || civil->hour > 23 || civil->minute < 0 || civil->minute > 59) return false;
  if (civil->second < 0 || civil->second > 59) return false;
  if (civil->nanosecond < 0 || civil->nanosecond >= NANOSECONDS) return false;
  const tsr__time time = {.date = true,
                          .days = days_of(civil->year, civil->month, civil->day),
                          .second = civil->hour * 3600 + civil->minute * 60 + civil->second,
                          .nanosecond = civil->nanosecond};
  return tsr__time_value(&time, unit, value);
}

/* ---- to text ---- */

static void put(tsr__text *text, int64_t value, int width) {
  int64_t power = 1;
  for (int i = 1; i < width; i++) power *= 10;
  for (; power > 1 && value < power; power /= 10) tsr__text_char(text, '0');
  tsr__text_i64(text, value);
}

static void put_date(tsr__text *text, const tsr_civil *civil) {
  const int64_t year = civil->year < 0 ? -civil->year : civil->year;
  if (civil->year < 0 || year > 9999) tsr__text_char(text, civil->year < 0 ? '-' : '+');
  put(text, year, 4);
  tsr__text_char(text, '-');
  put(text, civil->month, 2);
  tsr__text_char(text, '-');
  put(text, civil->day, 2);
}

static void put_time(tsr__text *text, const tsr_civil *civil) {
  put(text, civil->hour, 2);
  tsr__text_char(text, ':');
  put(text, civil->minute, 2);
  tsr__text_char(text, ':');
  put(text, civil->second, 2);
  if (civil->nanosecond == 0) return;
  int fraction = civil->nanosecond, width = 9;
  for (; fraction % 10 == 0; fraction /= 10) width--;
  tsr__text_char(text, '.');
  put(text, fraction, width);
}

size_t tsr_time_format(int64_t value, int unit, int style, char text[TSR_TIME_TEXT]) {
  tsr_civil civil;
  tsr__text to;
  tsr__text_init(&to, text, TSR_TIME_TEXT);
  if (!tsr_time_to_civil(value, unit, &civil)) return 0;
  if (style != TSR_TIME_OF_DAY) put_date(&to, &civil);
  if (style == TSR_TIME_DATETIME || style == TSR_TIME_DATETIME_UTC) tsr__text_char(&to, 'T');
  if (style != TSR_TIME_DATE) put_time(&to, &civil);
  if (style == TSR_TIME_DATETIME_UTC) tsr__text_char(&to, 'Z');
  return to.length;
}

/* ---- from text ---- */

/* What is left of a text. */
typedef struct cursor {
  const char *at, *end;
} cursor;

static bool is_digit(const cursor *c) { return c->at < c->end && *c->at >= '0' && *c->at <= '9'; }
static bool next_is(const cursor *c, char what) { return c->at < c->end && *c->at == what; }

/* least to most digits. */
static bool take_number(cursor *c, int least, int most, int64_t *value) {
  int n = 0;
  for (*value = 0; n < most && is_digit(c); n++) *value = 10 * *value + (*c->at++ - '0');
  return n >= least && !is_digit(c);
}

static bool take_char(cursor *c, char what) {
  const bool is = next_is(c, what);
  c->at += is;
  return is;
}

static bool take_mark(cursor *c, const char *marks, char *which) {
  if (c->at == c->end || *c->at == '\0' || strchr(marks, *c->at) == NULL) return false;
  *which = *c->at++;
  return true;
}

/* Two letters in either case; word is in small ones. */
static bool take_word(cursor *c, const char *word) {
  const size_t n = strlen(word);
  if ((size_t)(c->end - c->at) < n) return false;
  for (size_t i = 0; i < n; i++)
    if ((c->at[i] | 0x20) != word[i]) return false;
  c->at += n;
  return true;
}

static bool set_date(int64_t year, int64_t month, int64_t day, tsr__time *out) {
  if (month < 1 || month > 12 || day < 1 || day > days_of_month(year, (int)month)) return false;
  out->date = true;
  out->days = days_of(year, (int)month, (int)day);
  return true;
}

/* A sign makes room for years of more than four digits. */
static bool take_iso(cursor *c, tsr__time *out) {
  int64_t year, month, day;
  char mark;
  const bool negative = next_is(c, '-'), sign = negative || next_is(c, '+');
  c->at += sign;
  if (!take_number(c, 4, sign ? 9 : 4, &year) || !take_mark(c, "-/", &mark)) return false;
  if (!take_number(c, 1, 2, &month) || !take_char(c, mark) || !take_number(c, 1, 2, &day)) return false;
  return set_date(negative ? -year : year, month, day, out);
}

/* 20240131, where a time follows: alone it is a number. */
static bool take_basic(cursor *c, tsr__time *out) {
  int64_t number;
  return take_number(c, 8, 8, &number) && (next_is(c, 'T') || next_is(c, 't')) &&
         set_date(number / 10000, number / 100 % 100, number % 100, out);
}

static bool take_other(cursor *c, tsr__date_order order, tsr__time *out) {
  int64_t first, second, year;
  char mark;
  if (!take_number(c, 1, 2, &first) || !take_mark(c, "./-", &mark)) return false;
  if (!take_number(c, 1, 2, &second) || !take_char(c, mark)) return false;
  const char *const start = c->at;
  if (!take_number(c, 2, 4, &year) || c->at - start == 3) return false;
  if (c->at - start == 2) year += year < 70 ? 2000 : 1900;
  return order == TSR__DATES_MDY ? set_date(year, first, second, out) : set_date(year, second, first, out);
}

static bool take_fraction(cursor *c, tsr__time *out) {
  int64_t unit = NANOSECONDS / 10;
  if (!is_digit(c)) return false;
  for (; is_digit(c); c->at++, unit /= 10) out->nanosecond += (int)(unit * (*c->at - '0'));
  return true;
}

/* 1:05 PM, with a blank before it or not. */
static bool take_half(cursor *c, int64_t *hour) {
  cursor rest = *c;
  (void)take_char(&rest, ' ');
  const bool morning = take_word(&rest, "am"), evening = !morning && take_word(&rest, "pm");
  if (!morning && !evening) return true;
  if (*hour < 1 || *hour > 12) return false;
  *hour = *hour % 12 + (evening ? 12 : 0);
  *c = rest;
  return true;
}

static bool take_clock(cursor *c, tsr__time *out) {
  int64_t hour, minute, second = 0;
  if (!take_number(c, 1, 2, &hour) || !take_char(c, ':') || !take_number(c, 2, 2, &minute)) return false;
  if (take_char(c, ':')) {
    if (!take_number(c, 2, 2, &second)) return false;
    if ((next_is(c, '.') || next_is(c, ',')) && (c->at++, !take_fraction(c, out))) return false;
  }
  if (!take_half(c, &hour) || hour > 23 || minute > 59 || second > 59) return false;
  out->time = true;
  out->second = hour * 3600 + minute * 60 + second;
  return true;
}

static bool take_basic_clock(cursor *c, tsr__time *out) {
  int64_t number;
  if (!take_number(c, 6, 6, &number)) return false;
  if (next_is(c, '.') && (c->at++, !take_fraction(c, out))) return false;
  out->time = true;
  out->second = number / 10000 * 3600 + number / 100 % 100 * 60 + number % 100;
  return number / 10000 < 24 && number / 100 % 100 < 60 && number % 100 < 60;
}

/* Z, UTC, +01:00, +0100, +01; a blank before it or not. */
static bool take_zone(cursor *c, tsr__time *out) {
  int64_t number = 0, hours, minutes = 0;
  char sign;
  if (c->at == c->end) return true;
  (void)take_char(c, ' ');
  out->zoned = true;
  if (take_word(c, "z") || take_word(c, "utc") || take_word(c, "gmt")) return c->at == c->end;
  if (!take_mark(c, "+-", &sign)) return false;
  const char *const start = c->at;
  if (!take_number(c, 2, 4, &number) || c->at - start == 3) return false;
  hours = c->at - start == 4 ? number / 100 : number;
  if (c->at - start == 4) minutes = number % 100;
  if (c->at - start == 2 && take_char(c, ':') && !take_number(c, 2, 2, &minutes)) return false;
  if (hours > 23 || minutes > 59 || c->at != c->end) return false;
  out->second -= (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  return true;
}

static bool take_date(cursor *c, tsr__date_order order, tsr__time *out) {
  const cursor start = *c;
  if (take_iso(c, out)) return true;
  *c = start;
  if (take_basic(c, out)) return true;
  *c = start;
  return order != TSR__DATES_ISO && take_other(c, order, out);
}

/* Two digits as a number; past 99 where they are none. */
static unsigned two_digits(const char *p) {
  const unsigned tens = (unsigned)(p[0] - '0'), ones = (unsigned)(p[1] - '0');
  return tens < 10 && ones < 10 ? 10 * tens + ones : 100;
}

/* 2024-01-31, and 2024-01-31T12:30:05 with what may follow: what most files have. */
static bool read_usual(const char *text, size_t length, tsr__time *out) {
  if (length < 10 || text[4] != '-' || text[7] != '-') return false;
  const unsigned century = two_digits(text), year = two_digits(text + 2), month = two_digits(text + 5);
  const unsigned day = two_digits(text + 8);
  if (century > 99 || year > 99 || !set_date((int64_t)(100 * century + year), month, day, out)) return false;
  if (length == 10) return true;
  if (length < 19 || (text[10] != 'T' && text[10] != ' ') || text[13] != ':' || text[16] != ':') return false;
  const unsigned hour = two_digits(text + 11), minute = two_digits(text + 14), second = two_digits(text + 17);
  cursor c = {.at = text + 19, .end = text + length};
  if (hour > 23 || minute > 59 || second > 59) return false;
  out->time = true;
  out->second = (int64_t)(hour * 3600 + minute * 60 + second);
  if (c.at == c.end) return true;
  if ((*c.at == '.' || *c.at == ',') && (c.at++, !take_fraction(&c, out))) return false;
  return take_zone(&c, out);
}

bool tsr__time_read(const char *text, size_t length, tsr__date_order order, tsr__time *out) {
  cursor c = {.at = text, .end = text + length};
  *out = (tsr__time){.date = false};
  if (length < 4 || length > TSR_TIME_TEXT) return false;
  if (read_usual(text, length, out)) return true;
  *out = (tsr__time){.date = false};
  if (take_date(&c, order, out)) {
    char mark;
    if (c.at == c.end) return true;
    if (!take_mark(&c, "Tt ", &mark)) return false;
    const cursor clock = c;
    if (take_clock(&c, out)) return take_zone(&c, out);
    c = clock;
    out->nanosecond = 0;
    return mark != ' ' && take_basic_clock(&c, out) && take_zone(&c, out);
  }
  *out = (tsr__time){.date = false};
  c.at = text;
  return take_clock(&c, out) && c.at == c.end;
}

bool tsr_time_parse(const char *text, size_t length, int unit, int64_t *value, int *style) {
  tsr__time time;
  int64_t made;
  if (text == NULL || value == NULL || !tsr__time_read(text, length, TSR__DATES_ISO, &time)) return false;
  if (!tsr__time_value(&time, unit, &made)) return false;
  *value = made;
  if (style != NULL)
    *style = !time.date   ? TSR_TIME_OF_DAY
             : !time.time ? TSR_TIME_DATE
             : time.zoned ? TSR_TIME_DATETIME_UTC
                          : TSR_TIME_DATETIME;
  return true;
}

#endif
