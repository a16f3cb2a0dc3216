/* Numbers as people write them beside axes. No locale is asked. */
#include "plot/ticks.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <stdlib.h>

#include "core/text.h"

static void put_super(tsr__text *text, int value) {
  static const char *const digits[10] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                         "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                         "\xe2\x81\xb8", "\xe2\x81\xb9"};
  char decimal[TSR__DIGITS];
  int n = tsr__decimal_digits((uint64_t)abs(value), decimal);
  if (value < 0) tsr__text_string(text, "\xe2\x81\xbb");
  while (n-- > 0) tsr__text_string(text, digits[decimal[n] - '0']);
}

/* ±value·10^exponent with so many decimals, exponent <= 0 or not. */
static void put_decimal(tsr__text *text, int64_t value, int exponent) {
  char digits[TSR__DIGITS];
  const int n = tsr__decimal_digits(value < 0 ? 0 - (uint64_t)value : (uint64_t)value, digits);
  if (value < 0) tsr__text_string(text, "\xe2\x88\x92");
  for (int at = n - 1 + exponent > 0 ? n - 1 + exponent : 0; at >= 0 || at >= exponent; at--) {
    if (at == -1) tsr__text_char(text, '.');
    const int digit = at - exponent;
    tsr__text_char(text, digit >= 0 && digit < n ? digits[digit] : '0');
  }
}

static int power_of(double most) { return (int)floor(log10(most) + 1e-9); }

void tsr__number_text(int64_t value, int exponent, double most, char text[TSR__PLOT_LABEL]) {
  static const char *const units[5] = {"", "k", "M", "G", "T"};
  enum { DECIMALS = 3 };
  tsr__text out;
  tsr__text_init(&out, text, TSR__PLOT_LABEL);
  const int power = most > 0 ? power_of(most) : 0;
  int unit = power >= 4 && power < 15 ? power / 3 : 0;
  if (3 * unit - exponent > DECIMALS) unit = 0; /* 1000000.1 has no shorter form */
  if (value == 0) {
    tsr__text_char(&out, '0');
  } else if (power >= 15 || power < -4 || (exponent < -5 && power < -2)) {
    put_decimal(&out, value, exponent - power);
    tsr__text_string(&out,
                     "\xc3\x97"
                     "10");
    put_super(&out, power);
  } else {
    put_decimal(&out, value, exponent - 3 * unit);
    tsr__text_string(&out, units[unit]);
  }
}

void tsr__power_text(int factor, int power, char text[TSR__PLOT_LABEL]) {
  tsr__text out;
  tsr__text_init(&out, text, TSR__PLOT_LABEL);
  if (factor != 1) {
    tsr__text_u64(&out, (uint64_t)factor);
    tsr__text_string(&out, "\xc3\x97");
  }
  tsr__text_string(&out, "10");
  put_super(&out, power);
}

void tsr__real_text(double value, char text[TSR__PLOT_LABEL]) {
  tsr__text out;
  tsr__text_init(&out, text, TSR__PLOT_LABEL);
  if (isnan(value)) tsr__text_string(&out, "NaN");
  if (isinf(value)) tsr__text_string(&out, value > 0 ? "\xe2\x88\x9e" : "\xe2\x88\x92\xe2\x88\x9e");
  if (!isfinite(value)) return;
  const double most = fabs(value);
  int exponent = most > 0 ? power_of(most) - 2 : 0;
  /* By the power in two parts: that of 10^-324 alone is 0. */
  const double scaled = exponent < -300 ? value * 1e300 / pow(10, exponent + 300) : value / pow(10, exponent);
  int64_t digits = (int64_t)floor(scaled + 0.5);
  for (; digits != 0 && digits % 10 == 0; digits /= 10) exponent++;
  tsr__number_text(digits, exponent, most, text);
}

void tsr__count_text(int64_t count, char text[TSR__PLOT_LABEL]) {
  char digits[TSR__DIGITS];
  tsr__text out;
  tsr__text_init(&out, text, TSR__PLOT_LABEL);
  for (int n = tsr__decimal_digits((uint64_t)count, digits); n-- > 0;) {
    tsr__text_char(&out, digits[n]);
    if (n > 0 && n % 3 == 0) tsr__text_char(&out, ',');
  }
}

#endif
