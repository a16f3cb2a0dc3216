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
