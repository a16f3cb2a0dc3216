/* Kernel text to a shared object, by the host's C++ compiler. */
#ifndef EMULATOR_COMPILE_H
#define EMULATOR_COMPILE_H

#include <stddef.h>

typedef struct compile_input {
  const char *text, *name;
  int header_count;
  char **headers, **header_names;
  int option_count; /* -D, -U, -I and what the compiler takes as it is */
  const char **options;
  int arch; /* 90 */
} compile_input;

/* 0 and an image, or not 0; log is text in either case. Both are malloc'd. */
int compile_text(const compile_input *input, char **image, size_t *bytes, char **log);

#endif
