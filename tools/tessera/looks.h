/* What a file looks like that is none of the library's. */
#ifndef TESSERA_LOOKS_H
#define TESSERA_LOOKS_H

/* "a PNG picture"; NULL when nothing is known. */
const char *looks_like(const char *path);

#endif
