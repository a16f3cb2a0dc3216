/* Dates and times from text, taken apart before they become a number. */
#ifndef TSR_IO_TABLE_CALENDAR_H
#define TSR_IO_TABLE_CALENDAR_H

#include <tessera/calendar.h>

#if TSR_HAVE_STDIO

/* In which order the parts of a date may stand beside year, month, day. */
typedef enum tsr__date_order { TSR__DATES_ISO = 0, TSR__DATES_DMY = 1, TSR__DATES_MDY = 2 } tsr__date_order;

typedef struct tsr__time {
  bool date, time, zoned;
  int64_t days;   /* since 1970-01-01 */
  int64_t second; /* since midnight, of UTC where it is zoned: then it may lie in another day */
  int nanosecond;
} tsr__time;

/* All of a text, without blanks around it. */
bool tsr__time_read(const char *text, size_t length, tsr__date_order order, tsr__time *out);

/* As a count of units since 1970-01-01, or since midnight where there is no date. False where it does not fit. */
bool tsr__time_value(const tsr__time *time, int unit, int64_t *value);

/* Whether it has what is finer than a microsecond. */
static inline bool tsr__time_is_fine(const tsr__time *time) { return time->nanosecond % 1000 != 0; }

#endif

#endif
