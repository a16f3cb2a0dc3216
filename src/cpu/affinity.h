/* Two threads on one processor while another idles do the work of one. A kernel may wake a thread beside the one that
 * woke it, to leave the machine's other processors to others, and take milliseconds to part them: longer than most
 * jobs. What is here moves a worker off the caller's processor and leaves it free to run anywhere afterwards. Where the
 * system has no such calls, or refuses, nothing happens. */
#ifndef TSR_CPU_AFFINITY_H
#define TSR_CPU_AFFINITY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#if defined(__linux__)

typedef cpu_set_t tsr__cpus;

/* The processor that this thread is on. */
static inline int tsr__this_cpu(void) { return sched_getcpu(); }

/* Keeps thread off a processor; *before has what it was allowed until then. */
static inline bool tsr__affinity_exclude(pthread_t thread, int cpu, tsr__cpus *before) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || pthread_getaffinity_np(thread, sizeof *before, before) != 0) return false;
  tsr__cpus others = *before;
  CPU_CLR((size_t)cpu, &others);
  return CPU_COUNT(&others) > 0 && CPU_COUNT(&others) < CPU_COUNT(before) &&
         pthread_setaffinity_np(thread, sizeof others, &others) == 0;
}

static inline void tsr__allow(pthread_t thread, const tsr__cpus *cpus) {
  (void)pthread_setaffinity_np(thread, sizeof *cpus, cpus);
}

#else

typedef char tsr__cpus;

static inline int tsr__this_cpu(void) { return -1; }

static inline bool tsr__affinity_exclude(pthread_t thread, int cpu, tsr__cpus *before) {
  (void)thread, (void)cpu, (void)before;
  return false;
}

static inline void tsr__allow(pthread_t thread, const tsr__cpus *cpus) { (void)thread, (void)cpus; }

#endif

/* Moves this thread to another processor than cpu if it is there. */
static inline bool tsr__leave_cpu(int cpu) {
  tsr__cpus before;
  if (cpu < 0 || tsr__this_cpu() != cpu || !tsr__affinity_exclude(pthread_self(), cpu, &before)) return false;
  tsr__allow(pthread_self(), &before);
  return true;
}

#endif
