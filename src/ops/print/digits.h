/* Exact decimal digits of a float, as few as tell it from its neighbours: Steele and White's free-format method on
 * integers, with NumPy's rules for a largest and a smallest number of digits. */
#ifndef TSR_OPS_PRINT_DIGITS_H
#define TSR_OPS_PRINT_DIGITS_H

#include "ops/print/float_parts.h"

/* What the shortest digits of the widest dtype need. */
#if TSR_HAVE_F64
enum { TSR__DIGITS_MAX = 17 };
#else
enum { TSR__DIGITS_MAX = 9 };
#endif

/* The number 0.d₀d₁d₂… · 10^(exponent + 1): d₀ stands at 10^exponent. No zeros at the end; zero has no digits. */
typedef struct tsr__digits {
  int count;
  int exponent;
  uint8_t digit[TSR__DIGITS_MAX]; /* 0 … 9 */
} tsr__digits;

enum { TSR__NO_LIMIT = -1 };

/* How many digits after the decimal point (after_first: after the first digit) there are at least, and at most. A
 * minimum continues with exact digits past the shortest ones. */
typedef struct tsr__digit_limits {
  bool after_first;
  int at_least; /* or TSR__NO_LIMIT */
  int at_most;  /* or TSR__NO_LIMIT; the last digit is rounded, a tie to even */
} tsr__digit_limits;

/* The digits of |value|, which is finite. */
void tsr__digits_of(const tsr__float *value, const tsr__digit_limits *limits, tsr__digits *digits);

/* The digit at 10^position: 0 outside of those that are kept. */
int tsr__digits_at(const tsr__digits *digits, int position);

#endif
