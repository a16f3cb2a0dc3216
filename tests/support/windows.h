/* What tests use of POSIX, for Windows: every test includes it there. */
#ifndef TSR_TEST_WINDOWS_H
#define TSR_TEST_WINDOWS_H

#define __USE_MINGW_ANSI_STDIO 1 /* printf as C has it */
#include <direct.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef TIME_UTC
#define TIME_UTC 1
static inline int timespec_get(struct timespec *now, int base) {
  return clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}
#endif

static inline int setenv(const char *name, const char *value, int over) {
  (void)over;
  return _putenv_s(name, value);
}

/* A folder whose name ends in other letters than those that are there. */
static inline char *mkdtemp(char *name) {
  char *const end = name + strlen(name) - 6;
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    unsigned number = (unsigned)time(NULL) * 1000 + attempt + (unsigned)clock();
    for (int i = 0; i < 6; i++, number /= 26) end[i] = (char)('a' + number % 26);
    if (_mkdir(name) == 0) return name;
  }
  return NULL;
}

#endif
