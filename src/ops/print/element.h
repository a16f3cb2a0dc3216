/* One element of any dtype as text, all elements of a tensor in the same width. */
#ifndef TSR_OPS_PRINT_ELEMENT_H
#define TSR_OPS_PRINT_ELEMENT_H

#include "ops/print/float_text.h"

/* Elements are shown to the format passes times before one is written; each pass ends with tsr__element_pass_end. */
typedef struct tsr__element_format {
  tsr__float_format real, imaginary;
  int width; /* of every element, once the passes are over */
  int pass;
  uint8_t dtype;
  uint8_t class_;
} tsr__element_format;

/* alone: the only element of a tensor of rank 0, which needs no alignment. */
void tsr__element_format_init(tsr__element_format *format, int dtype, bool alone, int precision, bool suppress);
int tsr__element_passes(const tsr__element_format *format);
void tsr__element_see(tsr__element_format *format, const void *element);
void tsr__element_pass_end(tsr__element_format *format);

void tsr__element_write(const tsr__element_format *format, const void *element, tsr__printer *printer);

/* An element as NumPy writes a scalar: without a format, with all its digits. */
void tsr__element_write_alone(int dtype, const void *element, tsr__printer *printer);

#endif
