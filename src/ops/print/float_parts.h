/* Floats of any dtype taken apart, compared and ordered with integers alone: no target needs a double for it. */
#ifndef TSR_OPS_PRINT_FLOAT_PARTS_H
#define TSR_OPS_PRINT_FLOAT_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <tessera/dtype.h>

typedef enum tsr__float_kind { TSR__FINITE, TSR__INFINITE, TSR__NAN } tsr__float_kind;

/* The number ±mantissa · 2^exponent, with what the shortest digits need to know of its neighbours. */
typedef struct tsr__float {
  uint64_t mantissa;
  int16_t exponent;
  uint8_t kind;      /* mantissa and exponent mean something for TSR__FINITE */
  bool negative;     /* -0 and -NaN too */
  bool closer_below; /* the next float towards 0 is half as far away as the next one up */
} tsr__float;

/* Takes an element of a float dtype apart; for a complex dtype, part 0 or 1 of it. */
void tsr__float_load(int dtype, int part, const void *element, tsr__float *value);

/* The precision that NumPy divides such numbers in, in bits: their own; f32's for dtypes that NumPy lacks. */
int tsr__float_division_bits(int dtype);

/* Compares magnitudes of finite numbers: negative, 0, positive. */
int tsr__float_compare(const tsr__float *a, const tsr__float *b);

/* Whether |large| / |small|, rounded to bits of precision, is more than 1000. Both finite, neither 0. */
bool tsr__float_spread(const tsr__float *large, const tsr__float *small, int bits);

#endif
