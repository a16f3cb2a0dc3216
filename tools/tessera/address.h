/* Where tensors are: FILE, FILE:NAME, FILE[SLICE], FILE:NAME[SLICE]. */
#ifndef TESSERA_ADDRESS_H
#define TESSERA_ADDRESS_H

#include <stdbool.h>

typedef struct address {
  char *file;       /* owned; "-" is standard input */
  const char *rest; /* behind the file, its colon taken away: a name, a slice, both, or "" */
} address;

/* Splits text. File names may hold colons and brackets: the longest beginning that is a file is the file; where none
 * is, the text up to the first colon. False when there is no memory: reported. */
bool address_split(const char *text, address *out);
void address_release(address *a);

#endif
