/* Finds in preprocessed kernel text what the driver must know: kernels, and names of dynamic shared memory. */
#ifndef EMULATOR_SCAN_H
#define EMULATOR_SCAN_H

#include <stdio.h>

/* Writes to out what goes behind the text. */
void scan_text(const char *text, FILE *out);

#endif
