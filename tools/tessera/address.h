/* Where tensors are: FILE, FILE:NAME, FILE[SLICE], FILE:NAME[SLICE]; and for files that do not say what is in them,
 * raw:DTYPE[@OFFSET][:SHAPE]: before that. */
#ifndef TESSERA_ADDRESS_H
#define TESSERA_ADDRESS_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* What the elements of a raw file are. */
typedef struct raw_form {
  int dtype; /* TSR_NONE: the file is none */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS]; /* one may be -1 */
  tsr_raw_options options;
} raw_form;

typedef struct address {
  char *file;       /* owned; "-" is standard input */
  const char *rest; /* behind the file, its colon taken away: a name, a slice, both, or "" */
  bool named;       /* there was a colon: FILE: is the tensor without a name, where there is one */
  raw_form raw;
} address;

/* Splits text. File names may hold colons and brackets: the longest beginning that is a file is the file; where none
 * is, the text up to the first colon. False when there is no memory, or a raw form is none: reported. */
bool address_split(const char *text, address *out);
void address_release(address *a);

/* Reads a raw form at the start of text, if there is one, and moves *text behind it; false: reported. */
bool raw_form_read(const char **text, raw_form *out);

#endif
