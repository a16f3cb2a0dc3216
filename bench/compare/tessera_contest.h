/* What the two halves of Tessera's contestant share. */
#ifndef BENCH_TESSERA_CONTEST_H
#define BENCH_TESSERA_CONTEST_H

#include <tessera/tessera.h>
#if __has_include(<tessera/binary.h>)
#include <tessera/binary.h>
#define HAVE_BINARY 1
#endif
#if __has_include(<tessera/unary.h>)
#include <tessera/unary.h>
#define HAVE_UNARY 1
#endif
#if __has_include(<tessera/reduce.h>)
#include <tessera/reduce.h>
#define HAVE_REDUCE 1
#endif
#if __has_include(<tessera/move.h>)
#include <tessera/move.h>
#define HAVE_MOVE 1
#endif

#include "contest.h"

typedef void contest_run(long calls);

extern tsr_ctx context;
extern tsr_tensor a, b, out; /* of the workload that is open; none of them owns */

/* Ends the program with the library's message. */
void contest_failed(void);

static inline void must(tsr_status status) {
  if (status != TSR_OK) contest_failed();
}

/* A function that makes the call so many times. */
#define RUN(name, call)                                   \
  static void name(long calls) {                          \
    for (long i = 0; i < calls; i++) must(call);          \
  }

/* Opens "sweep OP shape=... a=... b=... axes=..."; NULL when it cannot do that. */
contest_run *contest_open_sweep(const char *spec);

#endif
