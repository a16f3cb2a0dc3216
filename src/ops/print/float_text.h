/* The floats of one tensor as text of one width: NumPy's rules for positional and scientific form. */
#ifndef TSR_OPS_PRINT_FLOAT_TEXT_H
#define TSR_OPS_PRINT_FLOAT_TEXT_H

#include "ops/print/float_parts.h"
#include "ops/print/printer.h"

/* Every number is shown to the format twice before one is written: first for the form, which depends on the smallest
 * and the largest, then for the widths, which depend on the form. */
typedef struct tsr__float_format {
  tsr__float largest, smallest; /* of the finite ones that are not 0; largest is 0 when there is none */
  int precision;                /* digits after the point: at the most, or exactly in scientific form */
  int least;                    /* digits after the point at the least, or TSR__NO_LIMIT */
  int left, right;              /* characters before and after the point, the exponent included */
  int exponent_digits;
  bool plus;     /* positive numbers carry their sign */
  bool suppress; /* never scientific */
  bool scientific;
  bool any_finite, any_other, any_negative_infinity;
} tsr__float_format;

void tsr__float_format_init(tsr__float_format *format, int precision, bool suppress, bool plus);
void tsr__float_format_see(tsr__float_format *format, const tsr__float *value);     /* first pass */
void tsr__float_format_choose(tsr__float_format *format, int division_bits);        /* positional or scientific */
void tsr__float_format_measure(tsr__float_format *format, const tsr__float *value); /* second pass */
void tsr__float_format_finish(tsr__float_format *format);                           /* the widths are known */
int tsr__float_format_width(const tsr__float_format *format);                       /* of every number */

/* A number in a finished format. suffix (0: none) goes before the spaces at its end. */
void tsr__float_write(const tsr__float_format *format, const tsr__float *value, char suffix, tsr__printer *printer);

/* A number on its own, all digits that it needs: positional from 1e-4 up to 1e16. point: whole numbers end in ".0". */
void tsr__float_write_alone(const tsr__float *value, bool plus, bool point, tsr__printer *printer);

#endif
