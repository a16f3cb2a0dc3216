/* Which line of the kernel text an address in compiled code is of. */
#ifndef EMULATOR_WHERE_H
#define EMULATOR_WHERE_H

#include <stddef.h>

/* "test.cu:12: ", or "" where that cannot be found. */
void where_text(const void *code, char *text, size_t size);

#endif
