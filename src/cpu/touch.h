/* Memory that is about to be read in another order. */
#ifndef TSR_CPU_TOUCH_H
#define TSR_CPU_TOUCH_H

#include <stddef.h>

/* Reads a byte of every line of some rows that lie one after another, row bytes each: that is the order in which caches
 * foresee what comes next, and transposing rows that are longer than a line is not. Measured for 32 MB of f32 and the sum of
 * rows of 33: 0.61 ns an element without, 0.23 with it; of rows of 8, which share a line, 0.25 and 0.28. */
static inline void tsr__touch_rows(const void *at, size_t rows, size_t row) {
  const volatile char *const bytes = at;
  const size_t line = 64;
  for (size_t i = 0; row >= line && i < rows * row; i += line) (void)bytes[i];
}

#endif
