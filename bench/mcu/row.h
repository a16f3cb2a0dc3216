/* A row of a table: what one call takes. */
#ifndef TSR_BENCH_ROW_H
#define TSR_BENCH_ROW_H

#include <mark.h>
#include <stdio.h>

/* The call in between may be anything; its status counts. */
#define ROW(name, shape, work, unit, call)                       \
  do {                                                           \
    if (st == TSR_OK) {                                          \
      port_mark();                                               \
      st = (call);                                               \
      port_mark();                                               \
      printf("%s|%s|%ld|%s\n", name, shape, (long)(work), unit); \
    }                                                            \
  } while (0)

#endif
