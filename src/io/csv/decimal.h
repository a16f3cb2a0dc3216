/* Decimal numbers to binary ones, rounded once: mantissa · 10^exponent. */
#ifndef TSR_IO_CSV_DECIMAL_H
#define TSR_IO_CSV_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits of a number with what may stand among them, where they are more than a mantissa holds. */
typedef struct tsr__decimal {
  uint64_t mantissa;  /* the first 19 digits that count */
  int64_t exponent;   /* of the mantissa, and of all that are dropped */
  bool cut;           /* digits were dropped, of which one may count */
  const char *digits; /* all of them; other characters are passed over */
  size_t length;
} tsr__decimal;

/* Nearest, ties to even; infinite where it is too large. */
double tsr__decimal_to_f64(const tsr__decimal *d);
float tsr__decimal_to_f32(const tsr__decimal *d);

/* m · 10^e where both are exact: one operation rounds once. */
static inline bool tsr__decimal_is_short(uint64_t mantissa, int64_t exponent) {
  return mantissa <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22;
}
extern const double tsr__exact_powers[23];
static inline double tsr__decimal_short(uint64_t mantissa, int64_t exponent) {
  const double m = (double)(int64_t)mantissa;
  return exponent < 0 ? m / tsr__exact_powers[-exponent] : m * tsr__exact_powers[exponent];
}

#endif
