#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#endif
#include "core/device.h"

#if TSR_HAVE_THREADS
#include <time.h>
#endif

double tsr__seconds(void) {
#if TSR_HAVE_THREADS && defined(CLOCK_MONOTONIC)
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) == 0) return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
  return 0;
}

double tsr__seconds_since(double began) {
#if TSR_HAVE_THREADS && defined(CLOCK_MONOTONIC)
  return tsr__seconds() - began;
#else
  (void)began; /* no clock, and no arithmetic on doubles, which machines without them would link */
  return 0;
#endif
}
