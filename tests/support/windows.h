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

/* References for angles and powers: this C library's own lose digits (cpu/math/careful_f64.h). */
#ifndef TSR_TEST_PLAIN_MATH
#include "cpu/math/careful_f64.h"
static inline long double test_angle(double x, unsigned *turns) {
  const tsr__reduced_angle a = tsr__reduced_angle_of_f64(x);
  *turns = a.turns;
  return (long double)a.r.high + a.r.low;
}
static inline long double test_sinl(long double x) {
  unsigned turns;
  if (!(x - x == 0) || x == 0) return sinl(x);
  const long double r = test_angle((double)x, &turns), y = turns & 1 ? cosl(r) : sinl(r);
  return turns & 2 ? -y : y;
}
static inline long double test_cosl(long double x) {
  unsigned turns;
  if (!(x - x == 0)) return cosl(x);
  const long double r = test_angle((double)x, &turns), y = turns & 1 ? sinl(r) : cosl(r);
  return (turns + 1) & 2 ? -y : y;
}
static inline long double test_tanl(long double x) {
  return x == 0 || !(x - x == 0) ? tanl(x) : test_sinl(x) / test_cosl(x);
}
static inline double test_sin(double x) { return (double)test_sinl(x); }
static inline double test_cos(double x) { return (double)test_cosl(x); }
static inline double test_tan(double x) { return (double)test_tanl(x); }
static inline long double test_powl(long double x, long double y) { return tsr__careful_pow_f64((double)x, (double)y); }
static inline double test_pow(double x, double y) { return tsr__careful_pow_f64(x, y); }
static inline long double test_acosl(long double x) { return 2 * atan2l(sqrtl(1 - x), sqrtl(1 + x)); }
static inline long double test_acoshl(long double x) {
  if (!(x >= 1)) return (x - x) / (x - x);
  return x > 0x1p60L ? logl(x) + 0.693147180559945309417232121458176568L : log1pl((x - 1) + sqrtl((x - 1) * (x + 1)));
}
static inline float test_powf(float x, float y) { return (float)tsr__careful_pow_f64(x, y); }
#ifdef TSR_TEST_REFERENCES /* tests that name them without calling them */
#define sinl test_sinl
#define cosl test_cosl
#define tanl test_tanl
#define acosl test_acosl
#define acoshl test_acoshl
#define sin test_sin
#define cos test_cos
#define tan test_tan
#endif
#define pow(x, y) test_pow(x, y)
#define powf(x, y) test_powf(x, y)
#define powl(x, y) test_powl(x, y)
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
