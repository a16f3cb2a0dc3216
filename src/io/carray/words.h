/* Names that C, C++ or the C library have for themselves. */
#ifndef TSR_IO_CARRAY_WORDS_H
#define TSR_IO_CARRAY_WORDS_H

#include <stdbool.h>

/* Whether a constant may not be called that, whichever standard header comes with it: keywords of C and C++, types,
 * macros and functions of the ISO C library, what compilers define (linux), and everything of this library. */
bool tsr__is_c_word(const char *name);

#endif
