#include "ops/print/float_text.h"
#include "ops/print/digits.h"

static const tsr__float limit_scientific = {.mantissa = 100000000};                    /* 1e8 */
static const tsr__float limit_alone = {.mantissa = UINT64_C(10000000000000000)};       /* 1e16 */
static const tsr__float limit_small = {.mantissa = 0x1a36e2eb1c432d, .exponent = -66}; /* the double 0.0001 */

static int larger(int a, int b) { return a > b ? a : b; }

/* ---- the parts of a number ---- */

static bool has_sign(const tsr__float *value, bool plus) { return plus || value->negative; }

static void write_sign(const tsr__float *value, bool plus, tsr__printer *printer) {
  if (has_sign(value, plus)) tsr__print_char(printer, value->negative ? '-' : '+');
}

/* Digits at 10^from down to 10^to. */
static void write_digits(const tsr__digits *digits, int from, int to, tsr__printer *printer) {
  for (int position = from; position >= to; position--) {
    tsr__print_char(printer, (char)('0' + tsr__digits_at(digits, position)));
  }
}

static int whole_length(const tsr__digits *digits) { return digits->exponent >= 0 ? digits->exponent + 1 : 1; }

static int fraction_length(const tsr__digits *digits) { return larger(0, digits->count - 1 - digits->exponent); }

static void write_whole(const tsr__digits *digits, tsr__printer *printer) {
  write_digits(digits, whole_length(digits) - 1, 0, printer);
}

static unsigned exponent_size(int exponent) { return (unsigned)(exponent < 0 ? -exponent : exponent); }

/* At least two digits, as everywhere. */
static int exponent_length(int exponent) { return exponent_size(exponent) >= 100 ? 3 : 2; }

static void write_exponent(int exponent, int length, tsr__printer *printer) {
  tsr__print_char(printer, 'e');
  tsr__print_char(printer, exponent < 0 ? '-' : '+');
  for (int i = exponent_length(exponent); i < length; i++) tsr__print_char(printer, '0');
  if (exponent_size(exponent) < 10) tsr__print_char(printer, '0');
  tsr__print_u64(printer, exponent_size(exponent));
}

static int other_length(const tsr__float *value, bool plus) {
  const bool sign = value->kind == TSR__NAN ? plus : has_sign(value, plus);
  return 3 + (sign ? 1 : 0);
}

/* A NaN has no sign of its own. */
static void write_other(const tsr__float *value, bool plus, tsr__printer *printer) {
  if (value->kind == TSR__NAN) {
    tsr__print_string(printer, plus ? "+nan" : "nan");
    return;
  }
  write_sign(value, plus, printer);
  tsr__print_string(printer, "inf");
}

/* ---- the format of many ---- */

void tsr__float_format_init(tsr__float_format *format, int precision, bool suppress, bool plus) {
  *format = (tsr__float_format){.precision = precision, .least = TSR__NO_LIMIT, .suppress = suppress, .plus = plus};
}

void tsr__float_format_see(tsr__float_format *format, const tsr__float *value) {
  if (value->kind != TSR__FINITE) {
    format->any_other = true;
    if (value->kind == TSR__INFINITE && value->negative) format->any_negative_infinity = true;
    return;
  }
  format->any_finite = true;
  if (value->mantissa == 0) return;
  const bool first = format->largest.mantissa == 0;
  if (first || tsr__float_compare(value, &format->largest) > 0) format->largest = *value;
  if (first || tsr__float_compare(value, &format->smallest) < 0) format->smallest = *value;
}

void tsr__float_format_choose(tsr__float_format *format, int division_bits) {
  if (format->largest.mantissa == 0 || format->suppress) return;
  format->scientific = tsr__float_compare(&format->largest, &limit_scientific) >= 0 ||
                       tsr__float_compare(&format->smallest, &limit_small) < 0 ||
                       tsr__float_spread(&format->largest, &format->smallest, division_bits);
}

static void digits_in(const tsr__float_format *format, const tsr__float *value, tsr__digits *digits) {
  const tsr__digit_limits limits = {format->scientific, format->least, format->precision};
  tsr__digits_of(value, &limits, digits);
}

void tsr__float_format_measure(tsr__float_format *format, const tsr__float *value) {
  if (value->kind != TSR__FINITE) return;
  tsr__digits digits;
  digits_in(format, value, &digits);
  const int sign = has_sign(value, format->plus) ? 1 : 0;
  if (format->scientific) {
    format->left = larger(format->left, sign + 1);
    format->right = larger(format->right, digits.count - 1);
    format->exponent_digits = larger(format->exponent_digits, exponent_length(digits.exponent));
  } else {
    format->left = larger(format->left, sign + whole_length(&digits));
    format->right = larger(format->right, fraction_length(&digits));
  }
}

/* From here on, scientific numbers have as many digits as the longest of them. Positional ones have all those before
 * the point, unless there are more than the number can mean. */
void tsr__float_format_finish(tsr__float_format *format) {
  if (format->scientific) {
    format->precision = format->right;
    format->least = format->right;
    format->right += 2 + format->exponent_digits;
  } else if (tsr__float_compare(&format->largest, &limit_scientific) < 0) {
    format->least = 0;
  }
  if (!format->any_other) return;
  const int longest = 3 + (format->plus || format->any_negative_infinity ? 1 : 0);
  format->left = larger(format->left, longest - (format->right + 1));
}

int tsr__float_format_width(const tsr__float_format *format) { return format->left + 1 + format->right; }

static void write_scientific(const tsr__float_format *format, const tsr__float *value, const tsr__digits *digits,
                             tsr__printer *printer) {
  tsr__print_spaces(printer, format->left - 1 - (has_sign(value, format->plus) ? 1 : 0));
  write_sign(value, format->plus, printer);
  write_digits(digits, digits->exponent, digits->exponent, printer);
  tsr__print_char(printer, '.');
  write_digits(digits, digits->exponent - 1, digits->exponent - format->precision, printer);
  write_exponent(digits->exponent, format->exponent_digits, printer);
}

static void write_positional(const tsr__float_format *format, const tsr__float *value, const tsr__digits *digits,
                             tsr__printer *printer) {
  tsr__print_spaces(printer, format->left - whole_length(digits) - (has_sign(value, format->plus) ? 1 : 0));
  write_sign(value, format->plus, printer);
  write_whole(digits, printer);
  tsr__print_char(printer, '.');
  write_digits(digits, -1, -fraction_length(digits), printer);
}

void tsr__float_write(const tsr__float_format *format, const tsr__float *value, char suffix, tsr__printer *printer) {
  int trailing = 0;
  if (value->kind != TSR__FINITE) {
    tsr__print_spaces(printer, tsr__float_format_width(format) - other_length(value, format->plus));
    write_other(value, format->plus, printer);
  } else {
    tsr__digits digits;
    digits_in(format, value, &digits);
    if (format->scientific) {
      write_scientific(format, value, &digits, printer);
    } else {
      write_positional(format, value, &digits, printer);
      trailing = format->right - fraction_length(&digits);
    }
  }
  if (suffix != '\0') tsr__print_char(printer, suffix);
  tsr__print_spaces(printer, trailing);
}

/* ---- one alone ---- */

void tsr__float_write_alone(const tsr__float *value, bool plus, bool point, tsr__printer *printer) {
  if (value->kind != TSR__FINITE) {
    write_other(value, plus, printer);
    return;
  }
  const tsr__digit_limits all = {false, TSR__NO_LIMIT, TSR__NO_LIMIT};
  const bool positional = value->mantissa == 0 ||
                          (tsr__float_compare(value, &limit_alone) < 0 && tsr__float_compare(value, &limit_small) >= 0);
  tsr__digits digits;
  tsr__digits_of(value, &all, &digits);
  write_sign(value, plus, printer);
  if (positional) {
    write_whole(&digits, printer);
    if (point || fraction_length(&digits) > 0) tsr__print_char(printer, '.');
    write_digits(&digits, -1, point ? -larger(1, fraction_length(&digits)) : -fraction_length(&digits), printer);
    return;
  }
  write_digits(&digits, digits.exponent, digits.exponent, printer);
  if (digits.count > 1) tsr__print_char(printer, '.');
  write_digits(&digits, digits.exponent - 1, digits.exponent - digits.count + 1, printer);
  write_exponent(digits.exponent, 2, printer);
}
