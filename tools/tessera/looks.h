/* What a file looks like that is none of the library's. */
#ifndef TESSERA_LOOKS_H
#define TESSERA_LOOKS_H

#include <stdbool.h>

/* "a PNG picture"; NULL when nothing is known. */
const char *looks_like(const char *path);

/* Whether it is text of no kind that is known. */
bool looks_like_text(const char *path);

#endif
